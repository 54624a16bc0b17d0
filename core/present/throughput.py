"""Throughput against load: of the system above, of one user below; two panels, never two scales in one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd

from core.fit.fit import Fit
from core.i18n import t
from core.model.answer import Interval, RunAnswer, Status
from core.model.metric import Metric
from core.model.run import Kind
from core.model.stage import FloatArray, Stage
from core.present import bands, marks
from core.present.alt import mark_alt, rates_alt
from core.present.canvas import Figure, Panel, blank, is_wide, load_title, set_axes, shade, view
from core.present.levels import Level, Unit, dots_of, level_hover, levels_of, split
from core.present.numbers import concurrency, rate, span
from core.present.sketch import Sketch
from core.present.style import Look, look_of, safe_text

HEIGHT = 420
_UNIT = Unit("tok/s")
_UPPER, _LOWER = (0.56, 1.0), (0.0, 0.44)


_BAND_SHOWN = 1.4
"""How far beyond the levels the axis follows the band."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """A rate against load: levels, and the outline of its band with the estimate, None without a fit."""

    title: str
    levels: tuple[Level, ...]
    outline: tuple[FloatArray, FloatArray] | None
    line: tuple[FloatArray, FloatArray] | None
    at_safe: Interval | None

    @property
    def ends(self) -> list[float]:
        """Return the values that an axis has to show: levels, line, and the band as far as it does not dwarf them."""
        values = [*(level.value for level in self.levels), *(self.line[1] if self.line else ())]
        if self.outline is None or not self.outline[1].size:
            return values
        low, high = float(self.outline[1].min()), float(self.outline[1].max())
        return [*values, max(low, min(values) / _BAND_SHOWN), min(high, max(values) * _BAND_SHOWN)]


def throughput_figure(
    answer: RunAnswer, fit: Fit, language: str = "en", *, log: bool | None = None, ink: str | None = None
) -> Figure | None:
    """Draw output tokens per second of the system and of one user, None where no level has either.

    Args:
        answer: whose safe number carries the mark.
        fit: of the same run.
        language: of every word.
        log: both axes logarithmic; None decides by the span of the levels.
        ink: colour of all words, None leaves it to whoever shows the chart.
    """
    every = (system_rates(answer, fit, language), _user_rates(answer, fit, language))
    shown = [rates for rates in every if rates.levels]
    if not shown:
        return None
    loads = [level.load for rates in shown for level in rates.levels]
    logarithmic = is_wide(loads) if log is None else log
    panels = [
        _panel(rates, loads, ("", "2")[i], (_UPPER, _LOWER)[i] if len(shown) == 2 else (0.0, 1.0), log=logarithmic)
        for i, rates in enumerate(shown)
    ]
    chart = blank(panels, language, height=HEIGHT if len(shown) == 2 else HEIGHT // 4 * 3, ink=ink)
    look = look_of(answer.run)
    for i, (rates, panel) in enumerate(zip(shown, panels, strict=True)):
        draw_rates(chart, panel, look, rates, answer, language)
        last = i == len(shown) - 1
        title = load_title([answer.run], language) if last else None
        set_axes(chart, panel, loads, language, x_title=title, y_title=rates.title)
    return Figure(chart=chart.figure(), alt=_alt(answer, shown[0], language), rows=partial(_table, every, language))


def draw_rates(chart: Sketch, panel: Panel, look: Look, rates: Rates, answer: RunAnswer, language: str) -> None:
    """Draw one rate in one panel: shading, band, estimate, levels, the mark on the curve."""
    shade(chart, panel, answer.capacity, language)
    if rates.outline is not None and rates.line is not None:
        marks.draw_band(chart, panel, look, *rates.outline, name=t("90% range").render(language))
        marks.draw_curve(chart, panel, look, *rates.line, name=safe_text(answer.run.id))
    simulated = answer.run.kind is Kind.SIMULATED
    name = (t("simulated level") if simulated else t("measured level")).render(language)
    used, left = split(rates.levels)

    def hover(level: Level) -> str:
        return level_hover(level, f"{rates.title}: {rate(level.value, '', language)}", language)

    if used:
        dots = dots_of(used, _UNIT, [hover(level) for level in used])
        marks.draw_levels(chart, panel, look, dots, name=name, group=answer.run.kind.value)
    marks.draw_left_out(chart, panel, dots_of(left, _UNIT, [hover(level) for level in left]), language)
    marks.draw_range(chart, panel, look, answer.capacity, name=t("range of the answer").render(language))
    capacity, middle = answer.capacity, rates.at_safe.mid if rates.at_safe else None
    if capacity.safe and middle and capacity.status in (Status.WITHIN, Status.AT_LEAST):
        at = (float(capacity.safe), middle)
        label = marks.safe_label(capacity, language)
        said, name = marks.mark_hover(capacity, language), t("load it to here").render(language)
        marks.draw_mark(chart, panel, look, at, said, name=name, label=label)


def system_rates(answer: RunAnswer, fit: Fit, language: str) -> Rates:
    """Return output tokens per second of the system."""
    band = fit.rate_band("output_tok_s")
    outline, line = bands.rates(band) if band is not None else (None, None)
    return Rates(
        title=t("System, tokens/s").render(language),
        levels=levels_of(answer.run, lambda stage: stage.output_tok_s, None, language),
        outline=outline,
        line=line,
        at_safe=answer.at_capacity.output_tok_s if answer.at_capacity else None,
    )


def _user_rates(answer: RunAnswer, fit: Fit, language: str) -> Rates:
    """Return tokens per second of one user: the reciprocal of the mean TPOT, derived and not fitted."""
    curve = fit.curve(Metric.TPOT, "mean")
    outline = line = None
    if curve is not None:
        (around, slow), (middle, estimate) = bands.crossings(curve)
        outline, line = (around, 1.0 / slow), (middle, 1.0 / estimate)
    return Rates(
        title=t("One user, tokens/s").render(language),
        levels=levels_of(answer.run, _user_speed, None, language),
        outline=outline,
        line=line,
        at_safe=answer.at_capacity.tok_s_user if answer.at_capacity else None,
    )


def _user_speed(stage: Stage) -> float | None:
    mean = stage.value(Metric.TPOT, "mean")
    return 1.0 / mean if mean else None


def _panel(rates: Rates, loads: list[float], suffix: str, domain: tuple[float, float], *, log: bool) -> Panel:
    used = [level.load for level in rates.levels if level.reason is None] or loads
    return Panel(
        x=view(loads, log=log),
        y=view(rates.ends, log=log, pad=0.1),
        measured=(min(used), max(used)),
        log=log,
        suffix=suffix,
        domain=domain,
    )


def _alt(answer: RunAnswer, rates: Rates, language: str) -> str:
    best = max(rates.levels, key=lambda level: level.value)
    said = t(
        "{run}: {what} is highest at {load} concurrent requests: {value}.",
        run=answer.run.label,
        what=rates.title,
        load=concurrency(best.load, language, decimals=1),
        value=rate(best.value, "tok/s", language),
    ).render(language)
    found = rates.at_safe
    value = None
    if found and found.low is not None and found.high is not None:
        value = span(found.low, found.high, lambda x: rate(x, "tok/s", language))
    return f"{rates_alt(answer, said, value, language)} {mark_alt(answer.capacity, language)}".rstrip()


def _table(every: tuple[Rates, ...], language: str) -> pd.DataFrame:
    loads = sorted({level.load for rates in every for level in rates.levels})
    columns = {t("Concurrent requests").render(language): pd.Series(loads, dtype="Float64")}
    for rates in every:
        known = {level.load: level.value for level in rates.levels}
        columns[f"{rates.title} (tok/s)"] = pd.Series([known.get(load) for load in loads], dtype="Float64")
    return pd.DataFrame(columns)
