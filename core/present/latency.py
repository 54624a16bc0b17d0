"""Latency against load: levels, curve with band, the target line, the mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.fit.curve import Curve
from core.fit.fit import Fit
from core.i18n import t
from core.model.answer import RunAnswer, Status
from core.model.metric import Metric
from core.model.run import Kind
from core.model.target import Target
from core.present import marks
from core.present.alt import latency_alt
from core.present.canvas import Figure, Panel, blank, is_wide, load_title, set_axes, shade, view
from core.present.levels import Level, Unit, dots_of, label_ends, level_hover, levels_of, unit_of
from core.present.names import metric_name, target_text, value_text
from core.present.numbers import concurrency
from core.present.style import Look, looks_of, safe_text

MOST_RUNS = 4
"""Curves that one chart can label at their ends."""

HEIGHT = 400
_LABELS = 170


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    answer: RunAnswer
    fit: Fit
    look: Look
    curve: Curve | None
    levels: tuple[Level, ...]


def latency_figure(
    answer: RunAnswer,
    fit: Fit,
    metric: Metric,
    statistic: str,
    targets: Sequence[Target],
    language: str = "en",
    *,
    log: bool | None = None,
) -> Figure | None:
    """Draw one statistic of one run against load, None where no level has it.

    Args:
        answer: whose safe number carries the mark.
        fit: of the same run.
        metric: TTFT, ITL, TPOT, E2E, queue or RTF.
        statistic: "mean" or a percentile.
        targets: those on the same metric and statistic become lines.
        language: of every word.
        log: both axes logarithmic; None decides by the span of the levels.
    """
    return latency_overlay([(answer, fit)], metric, statistic, targets, language, log=log)


def latency_overlay(
    pairs: Sequence[tuple[RunAnswer, Fit]],
    metric: Metric,
    statistic: str,
    targets: Sequence[Target],
    language: str = "en",
    *,
    log: bool | None = None,
) -> Figure | None:
    """Draw up to four runs in one chart, named at the ends of their curves; the rest is left off."""
    series = _series(pairs[:MOST_RUNS], metric, statistic, language)
    if not series:
        return None
    limits = limits_of(targets, metric, statistic)
    unit = unit_of(metric, [limit for limit, _ in limits] or [v.value for s in series for v in s.levels])
    panel = _panel(series, [limit for limit, _ in limits], unit, log=log)
    alone = len(series) == 1
    chart = blank([panel], language, height=HEIGHT, right=24 if alone else _LABELS)
    if alone:
        shade(chart, panel, series[0].answer.capacity)
    for one in series:
        _draw(chart, panel, one, unit, metric, statistic, language)
    for limit, target in limits:
        words = target_text(target, language)
        marks.draw_target(chart, panel, limit * unit.factor, words, name=t("target").render(language))
    for one in series:
        _mark(chart, panel, one, limits, unit, metric, statistic, language)
    if not alone:
        label_ends(
            chart, panel, [(one.levels[-1].value * unit.factor, one.answer.run.label, one.look) for one in series]
        )
    title = metric_name(metric, statistic, language) + (f" ({unit.label})" if unit.label else "")
    loads = [level.load for one in series for level in one.levels]
    runs = [one.answer.run for one in series]
    set_axes(chart, panel, loads, language, x_title=load_title(runs, language), y_title=title)
    alt = " ".join(
        latency_alt(one.answer, one.levels, metric, statistic, [found for _, found in limits], language)
        for one in series
    )
    return Figure(chart=chart, alt=alt, table=_table(series, metric, statistic, unit, language))


def limits_of(targets: Sequence[Target], metric: Metric, statistic: str) -> list[tuple[float, Target]]:
    """Return the limits that belong on a chart, in base units, with their targets.

    A floor on tokens per second of one user is a ceiling on TPOT at the same percentile.

    >>> limits_of([Target(Metric.TOK_S_USER, "p95", 25.0)], Metric.TPOT, "p95")[0][0]
    0.04
    """
    own = [(target.limit, target) for target in targets if (target.metric, target.statistic) == (metric, statistic)]
    if metric is Metric.TPOT:
        speed = (target for target in targets if (target.metric, target.statistic) == (Metric.TOK_S_USER, statistic))
        own += [(1.0 / target.limit, target) for target in speed]
    return own


def _series(
    pairs: Sequence[tuple[RunAnswer, Fit]], metric: Metric, statistic: str, language: str
) -> tuple[_Series, ...]:
    looks = looks_of(tuple(answer.run for answer, _ in pairs))
    found = []
    for (answer, fit), look in zip(pairs, looks, strict=True):
        curve = fit.curve(metric, statistic)
        levels = levels_of(answer.run, lambda stage: stage.value(metric, statistic), curve, language)
        if levels:
            found.append(_Series(answer=answer, fit=fit, look=look, curve=curve, levels=levels))
    return tuple(found)


def _panel(series: Sequence[_Series], limits: Sequence[float], unit: Unit, *, log: bool | None) -> Panel:
    loads = [level.load for one in series for level in one.levels]
    used = [level.load for one in series for level in one.levels if level.reason is None] or loads
    ends = [end for one in series for level in one.levels for end in (level.value, level.low, level.high) if end]
    logarithmic = is_wide(loads) if log is None else log
    values = [value * unit.factor for value in (*ends, *limits)]
    return Panel(
        x=view(loads, log=logarithmic),
        y=view(values, log=logarithmic, pad=0.08),
        measured=(min(used), max(used)),
        log=logarithmic,
    )


def _draw(
    chart: go.Figure, panel: Panel, one: _Series, unit: Unit, metric: Metric, statistic: str, language: str
) -> None:
    if one.curve is not None:
        band = one.curve.band()
        first, last = one.curve.load[[0, -1]]
        low, high = (np.clip(edge, first, last) for edge in (band.load_low, band.load_high))
        shown = np.isfinite(band.value) & np.isfinite(low) & np.isfinite(high)
        value = band.value[shown] * unit.factor
        x, y = np.concatenate((low[shown], high[shown][::-1])), np.concatenate((value, value[::-1]))
        marks.draw_band(chart, panel, one.look, x, y, name=t("90% range").render(language))
        mid = np.clip(band.load_mid[shown], first, last)
        marks.draw_curve(chart, panel, one.look, mid, value, name=safe_text(one.answer.run.id))
    simulated = one.answer.run.kind is Kind.SIMULATED
    name = (t("simulated level") if simulated else t("measured level")).render(language)
    used = [level for level in one.levels if level.reason is None]
    left = [level for level in one.levels if level.reason is not None]
    for group in (used, left):
        hover = [level_hover(level, _said(level, metric, statistic, language), language) for level in group]
        dots = dots_of(group, unit, hover)
        if group is used and used:
            marks.draw_levels(chart, panel, one.look, dots, name=name, group=one.answer.run.kind.value)
        elif group is left:
            marks.draw_left_out(chart, panel, dots, language)


def _said(level: Level, metric: Metric, statistic: str, language: str) -> str:
    name, value = metric_name(metric, statistic, language), value_text(metric, level.value, language)
    if level.low is None or level.high is None:
        return f"{name} {value}"
    low, high = value_text(metric, level.low, language), value_text(metric, level.high, language)
    return t("{name} {value}, 90% range {low} to {high}", name=name, value=value, low=low, high=high).render(language)


def _mark(
    chart: go.Figure,
    panel: Panel,
    one: _Series,
    limits: Sequence[tuple[float, Target]],
    unit: Unit,
    metric: Metric,
    statistic: str,
    language: str,
) -> None:
    capacity = one.answer.capacity
    marks.draw_range(chart, panel, one.look, capacity)
    if not capacity.safe or capacity.status not in (Status.WITHIN, Status.AT_LEAST):
        return
    fitted = one.fit.value(metric, statistic, capacity.safe)
    height = min((limit for limit, _ in limits), default=fitted.mid if fitted else None)
    if height is None:
        return
    label = ("≥ " if capacity.status is Status.AT_LEAST else "") + concurrency(capacity.safe, language)
    at = (float(capacity.safe), height * unit.factor)
    marks.draw_mark(chart, panel, one.look, at, marks.mark_hover(capacity, language), label)


def _table(series: Sequence[_Series], metric: Metric, statistic: str, unit: Unit, language: str) -> pd.DataFrame:
    name = metric_name(metric, statistic, language)
    headers = {
        "run": t("Run").render(language),
        "load": t("Concurrent requests").render(language),
        "value": f"{name} ({unit.label})" if unit.label else name,
        "low": t("90% range, from").render(language),
        "high": t("90% range, to").render(language),
        "reason": t("Left out because").render(language),
    }
    rows = [(one.answer.run.label, level) for one in series for level in one.levels]

    def scaled(values: list[float | None]) -> pd.Series:
        return pd.Series([None if v is None else v * unit.factor for v in values], dtype="Float64")

    frame = pd.DataFrame(
        {
            "run": pd.Series([label for label, _ in rows], dtype="str"),
            "load": pd.Series([level.load for _, level in rows], dtype="Float64"),
            "value": scaled([level.value for _, level in rows]),
            "low": scaled([level.low for _, level in rows]),
            "high": scaled([level.high for _, level in rows]),
            "reason": pd.Series([level.reason or "" for _, level in rows], dtype="str"),
        }
    )
    return frame.rename(columns=headers)
