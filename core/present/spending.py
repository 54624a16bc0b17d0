"""Cost against load: money per million output tokens, derived from the throughput and never fitted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from core.fit.fit import Fit
from core.i18n import t
from core.model.answer import Cost, RunAnswer
from core.present.alt import mark_alt, rates_alt
from core.present.canvas import Figure, Panel, blank, is_wide, load_title, set_axes, view
from core.present.levels import levels_of
from core.present.money import shower
from core.present.numbers import concurrency, money, span
from core.present.style import look_of
from core.present.throughput import Rates, draw_rates, system_rates

HEIGHT = 350
_HOUR = 3600.0
_MILLION = 1e6


def cost_figure(
    answer: RunAnswer, fit: Fit, language: str = "en", *, log: bool | None = None, ink: str | None = None
) -> Figure | None:
    """Draw money per million output tokens against load, None where there is no cost.

    Args:
        answer: whose cost gives the price per hour, and whose safe number carries the mark.
        fit: of the same run.
        language: of every word.
        log: both axes logarithmic; None decides by the span of the levels.
        ink: colour of all words, None leaves it to whoever shows the chart.
    """
    cost = answer.cost
    tokens = system_rates(answer, fit, language)
    if cost is None or not tokens.levels:
        return None
    rates = costs(answer, cost, tokens, language)
    loads = [level.load for level in rates.levels]
    used = [level.load for level in rates.levels if level.reason is None] or loads
    logarithmic = is_wide(loads) if log is None else log
    panel = Panel(
        x=view(loads, log=logarithmic),
        y=view(rates.ends, log=logarithmic, pad=0.1),
        measured=(min(used), max(used)),
        log=logarithmic,
    )
    chart = blank([panel], language, height=HEIGHT, ink=ink)
    draw_rates(chart, panel, look_of(answer.run), rates, answer, language)
    set_axes(chart, panel, loads, language, x_title=load_title([answer.run], language), y_title=rates.title)
    return Figure(chart=chart.figure(), alt=_alt(answer, cost, rates, language), rows=partial(_table, rates, language))


def costs(answer: RunAnswer, cost: Cost, tokens: Rates, language: str) -> Rates:
    """Return money per million output tokens against load, from tokens per second."""

    def of(rate: float) -> float:
        return cost.per_hour * _MILLION / (_HOUR * rate)

    outline = line = None
    if tokens.outline is not None and tokens.line is not None:
        outline = tokens.outline[0], np.array([of(rate) for rate in tokens.outline[1]])
        line = tokens.line[0], np.array([of(rate) for rate in tokens.line[1]])
    return Rates(
        title=t("{currency} per million output tokens", currency=cost.currency).render(language),
        levels=levels_of(
            answer.run, lambda stage: of(stage.output_tok_s) if stage.output_tok_s else None, None, language
        ),
        outline=outline,
        line=line,
        at_safe=cost.per_million_output,
    )


def _alt(answer: RunAnswer, cost: Cost, rates: Rates, language: str) -> str:
    show = _shower(cost, language)
    cheapest = min(rates.levels, key=lambda level: level.value)
    said = t(
        "{run}: a million output tokens cost least at {load} concurrent requests: {value}.",
        run=answer.run.label,
        load=concurrency(cheapest.load, language, decimals=1),
        value=show(cheapest.value),
    ).render(language)
    found = rates.at_safe
    value = None
    if found and found.low is not None and found.high is not None:
        value = span(found.low, found.high, shower(found, cost.currency, language))
    return f"{rates_alt(answer, said, value, language)} {mark_alt(answer.capacity, language)}".rstrip()


def _shower(cost: Cost, language: str) -> Callable[[float], str]:
    return lambda amount: money(amount, cost.currency, language)


def _table(rates: Rates, language: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("Concurrent requests").render(language): pd.Series([v.load for v in rates.levels], dtype="Float64"),
            rates.title: pd.Series([v.value for v in rates.levels], dtype="Float64"),
        }
    )
