"""Latency against load: levels, curve with band, the target line, the mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from core.fit.curve import Curve
from core.fit.fit import Fit
from core.i18n import t
from core.model.answer import Capacity, RunAnswer, Status
from core.model.metric import MEASURED, Metric
from core.model.run import Kind
from core.model.target import Target
from core.present import marks
from core.present.alt import latency_alt
from core.present.bands import crossings
from core.present.canvas import Figure, Panel, blank, is_wide, load_title, set_axes, shade, view
from core.present.levels import Level, Unit, dots_of, label_ends, level_hover, levels_of, split, unit_of
from core.present.names import metric_name, target_text, value_text
from core.present.sketch import Sketch
from core.present.style import Look, looks_of, safe_text

MOST_RUNS = 4
"""Curves that one chart can label at their ends."""

HEIGHT = 400
_LABELS = 190


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    answer: RunAnswer
    fit: Fit
    look: Look
    curve: Curve | None
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    metric: Metric
    statistic: str
    limits: list[tuple[float, Target]]
    unit: Unit
    panel: Panel
    language: str

    @property
    def title(self) -> str:
        name = metric_name(self.metric, self.statistic, self.language)
        return f"{name} ({self.unit.label})" if self.unit.label else name

    @property
    def targets(self) -> list[Target]:
        return [target for _, target in self.limits]


def latency_figure(
    answer: RunAnswer,
    fit: Fit,
    metric: Metric,
    statistic: str,
    targets: Sequence[Target],
    language: str = "en",
    *,
    log: bool | None = None,
    ink: str | None = None,
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
        ink: colour of all words, as "#0e1820"; None leaves it to whoever shows the chart.
    """
    return latency_overlay([(answer, fit)], metric, statistic, targets, language, log=log, ink=ink)


def latency_overlay(
    pairs: Sequence[tuple[RunAnswer, Fit]],
    metric: Metric,
    statistic: str,
    targets: Sequence[Target],
    language: str = "en",
    *,
    log: bool | None = None,
    ink: str | None = None,
    stopped_only: bool = False,
) -> Figure | None:
    """Draw up to four runs in one chart, named at the ends of their curves; the rest is left off.

    `stopped_only` leaves the mark off a run that another statistic stops: nothing was measured where it would stand.
    """
    series = _series(pairs[:MOST_RUNS], metric, statistic, language)
    if not series:
        return None
    limits = limits_of(targets, metric, statistic)
    unit = unit_of(metric, [limit for limit, _ in limits] or [v.value for s in series for v in s.levels])
    panel = _panel(series, [limit for limit, _ in limits], unit, log=log)
    plot = _Plot(metric=metric, statistic=statistic, limits=limits, unit=unit, panel=panel, language=language)
    alone = len(series) == 1
    chart = blank([panel], language, height=HEIGHT, right=24 if alone else _LABELS, ink=ink)
    if alone:
        shade(chart, panel, series[0].answer.capacity, language)
    for one in series:
        _draw(chart, plot, one)
    _targets(chart, plot, series)
    for row, one in enumerate(series):
        name = t("range of the answer").render(language)
        marks.draw_range(chart, panel, one.look, one.answer.capacity, name=name, row=row)
        if not stopped_only or is_stopped_by(one.answer.capacity, metric, statistic):
            _mark(chart, plot, one, named=not alone)
    if not alone:
        label_ends(chart, panel, [_end(one, unit, language) for one in series])
    loads = [level.load for one in series for level in one.levels]
    x_title = load_title([one.answer.run for one in series], language)
    set_axes(chart, panel, loads, language, x_title=x_title, y_title=plot.title)
    said = (latency_alt(one.answer, one.levels, metric, statistic, plot.targets, language) for one in series)
    return Figure(chart=chart.figure(), alt=" ".join(said), rows=partial(_table, series, plot))


def drawable(targets: Sequence[Target]) -> tuple[tuple[Metric, str], ...]:
    """Return what can be drawn for the targets, TTFT p99 where none can; a floor on a user's speed is drawn as TPOT.

    >>> drawable([Target(Metric.TOK_S_USER, "p95", 25.0)]) == ((Metric.TPOT, "p95"),)
    True
    """
    found = [
        (Metric.TPOT if target.metric is Metric.TOK_S_USER else target.metric, target.statistic) for target in targets
    ]
    return tuple(dict.fromkeys(pair for pair in found if pair[0] in MEASURED)) or ((Metric.TTFT, "p99"),)


def is_stopped_by(capacity: Capacity, metric: Metric, statistic: str) -> bool:
    """Return True where a target on this statistic stops a run, or none of its targets is known to."""
    return capacity.binding is None or (metric, statistic) in drawable([capacity.binding])


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


def _draw(chart: Sketch, plot: _Plot, one: _Series) -> None:
    panel, unit, language = plot.panel, plot.unit, plot.language
    if one.curve is not None:
        (around, edge), (middle, estimate) = crossings(one.curve)
        name = t("90% range").render(language)
        marks.draw_band(chart, panel, one.look, around, edge * unit.factor, name=name)
        name = safe_text(one.answer.run.id)
        marks.draw_curve(chart, panel, one.look, middle, estimate * unit.factor, name=name)
    simulated = one.answer.run.kind is Kind.SIMULATED
    name = (t("simulated level") if simulated else t("measured level")).render(language)
    used, left = split(one.levels)
    if used:
        dots = dots_of(used, unit, [_hover(level, plot) for level in used])
        marks.draw_levels(chart, panel, one.look, dots, name=name, group=one.answer.run.kind.value)
    marks.draw_left_out(chart, panel, dots_of(left, unit, [_hover(level, plot) for level in left]), language)


def _hover(level: Level, plot: _Plot) -> str:
    language = plot.language
    name = metric_name(plot.metric, plot.statistic, language)
    value = value_text(plot.metric, level.value, language)
    if level.low is None or level.high is None:
        return level_hover(level, f"{name} {value}", language)
    low, high = value_text(plot.metric, level.low, language), value_text(plot.metric, level.high, language)
    said = t("{name} {value}, 90% range {low} to {high}", name=name, value=value, low=low, high=high)
    return level_hover(level, said.render(language), language)


def _targets(chart: Sketch, plot: _Plot, series: Sequence[_Series]) -> None:
    for limit, target in plot.limits:
        height = limit * plot.unit.factor
        words, name = target_text(target, plot.language), t("target").render(plot.language)
        left = _is_right_taken(plot, series, height)
        marks.draw_target(chart, plot.panel, height, words, name=name, left=left)


def _is_right_taken(plot: _Plot, series: Sequence[_Series], height: float) -> bool:
    """Return True where a mark or a level stands in the way of a text at the right end of a target."""
    panel = plot.panel
    safe = [one.answer.capacity.safe for one in series]
    points = [(level.load, level.value * plot.unit.factor) for one in series for level in one.levels]
    near = (load for load, value in points if panel.is_near(value, height))
    return any(panel.is_right(load) for load in (*(number for number in safe if number), *near))


def _mark(chart: Sketch, plot: _Plot, one: _Series, *, named: bool) -> None:
    capacity = one.answer.capacity
    if not capacity.safe or capacity.status not in (Status.WITHIN, Status.AT_LEAST):
        return
    fitted = one.fit.value(plot.metric, plot.statistic, capacity.safe)
    expected = fitted.mid if fitted else None
    limit = min((limit for limit, _ in plot.limits), default=None)
    height = expected if limit is None else limit
    if height is None:
        return
    at = (float(capacity.safe), height * plot.unit.factor)
    label = "" if named else marks.safe_label(capacity, plot.language)
    hover, name = marks.mark_hover(capacity, plot.language), t("load it to here").render(plot.language)
    if limit is not None and expected is not None:
        hover = f"{hover}<br>{_above_curve(plot, expected, limit)}"
    marks.draw_mark(chart, plot.panel, one.look, at, hover, name=name, label=label)


def _above_curve(plot: _Plot, expected: float, limit: float) -> str:
    """Return why the mark stands off the curve: at the safe load, but on the line of the target."""
    shown, most = (value_text(plot.metric, value, plot.language) for value in (expected, limit))
    said = t("It stands on the target line: expected there {value}, the limit is {limit}", value=shown, limit=most)
    return safe_text(said.render(plot.language), longest=160)


def _end(one: _Series, unit: Unit, language: str) -> tuple[float, str, Look]:
    """Return where a curve ends, and its name with its safe number."""
    number = marks.safe_label(one.answer.capacity, language)
    name = one.answer.run.label
    return one.levels[-1].value * unit.factor, f"{number}, {name}" if number else name, one.look


def _table(series: Sequence[_Series], plot: _Plot) -> pd.DataFrame:
    unit, language = plot.unit, plot.language
    headers = {
        "run": t("Run").render(language),
        "load": t("Concurrent requests").render(language),
        "value": plot.title,
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
