"""Throughput and the time of a job against load: the chart that leads for a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from core.fit.fit import Fit
from core.fit.rate import RateBand
from core.i18n import Text, t
from core.model.answer import BatchAnswer, RunAnswer
from core.model.run import Kind
from core.model.stage import Stage
from core.present import bands, marks
from core.present.batch import batch_doubt, batch_first, time_unit
from core.present.canvas import Figure, Panel, blank, is_wide, load_title, set_axes, shade, view
from core.present.levels import Level, Unit, dots_of, level_hover, levels_of, split
from core.present.numbers import concurrency, plain
from core.present.sketch import Sketch
from core.present.style import look_of, safe_text

HEIGHT = 470
_UPPER, _LOWER = (0.56, 1.0), (0.0, 0.44)
_UNIT = Unit("")
_RATES: dict[str, tuple[str, Text]] = {
    "output_tok_s": ("output_tok_s", t("Output tokens/s")),
    "total_tok_s": ("total_tok_s", t("Total tokens/s")),
    "req_s": ("achieved_rate", t("Requests/s")),
}
"""Field of a level and title, by the name of a rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    """One panel: levels, band, and the value at the load of the highest rate, all in the panel's unit."""

    title: str
    levels: tuple[Level, ...]
    band: RateBand | None
    at_best: float | None


def job_figure(answer: RunAnswer, fit: Fit, language: str = "en", *, ink: str | None = None) -> Figure | None:
    """Draw the highest rate and, where a job is given, its time; None where no level has a rate.

    Args:
        answer: of a batch workload.
        fit: of the same run.
        language: of every word.
        ink: colour of all words, None leaves it to whoever shows the chart.
    """
    batch = answer.batch
    if batch is None or batch.throughput.rate_name is None:
        return None
    every = (_rates(answer, batch, fit, language), _times(answer, batch, fit, language))
    shown = [series for series in every if series and series.levels]
    if not shown:
        return None
    loads = [level.load for series in shown for level in series.levels]
    log = is_wide(loads)
    domains = (_UPPER, _LOWER) if len(shown) == 2 else ((0.0, 1.0),)
    panels = [_panel(series, loads, ("", "2")[i], domains[i], log=log) for i, series in enumerate(shown)]
    chart = blank(panels, language, height=HEIGHT, ink=ink)
    for series, panel in zip(shown, panels, strict=True):
        _draw(chart, panel, series, answer, batch, language)
        title = load_title([answer.run], language) if panel is panels[-1] else None
        set_axes(chart, panel, loads, language, x_title=title, y_title=series.title)
    return Figure(chart=chart.figure(), alt=_alt(answer, batch, language), rows=partial(_table, shown, language))


def _rates(answer: RunAnswer, batch: BatchAnswer, fit: Fit, language: str) -> _Series:
    name = batch.throughput.rate_name or "req_s"
    field, title = _RATES[name]
    best = batch.throughput.rate
    return _Series(
        title=title.render(language),
        levels=levels_of(answer.run, lambda stage: getattr(stage, field), None, language),
        band=fit.rate_band(name),
        at_best=best.mid if best else None,
    )


def _times(answer: RunAnswer, batch: BatchAnswer, fit: Fit, language: str) -> _Series | None:
    """Return the job's time at every load; None where it cannot be told, or its lengths were not measured."""
    asked = answer.workload.job if answer.workload else None
    job, band = batch.job, fit.rate_band("req_s")
    if asked is None or job is None or job.completion_s is None or not job.completion_s.mid or band is None:
        return None
    if "job.lengths_differ" in job.reasons:
        return None
    size, sign = time_unit(job.completion_s.mid, language)
    whole = asked.requests / size

    def time_of(stage: Stage) -> float | None:
        return whole / stage.achieved_rate if stage.achieved_rate else None

    return _Series(
        title=t("Time of the job ({unit})", unit=sign).render(language),
        levels=levels_of(answer.run, time_of, None, language),
        band=RateBand(band.load, whole / band.high, whole / band.mid, whole / band.low),
        at_best=job.completion_s.mid / size,
    )


def _panel(series: _Series, loads: Sequence[float], suffix: str, domain: tuple[float, float], *, log: bool) -> Panel:
    used = [level.load for level in series.levels if level.reason is None] or loads
    values = [level.value for level in series.levels]
    if series.band is not None:
        values += [float(series.band.low.min()), float(np.quantile(series.band.high, 0.9))]
    return Panel(
        x=view(loads, log=log),
        y=view(values, log=log, pad=0.1),
        measured=(min(used), max(used)),
        log=log,
        suffix=suffix,
        domain=domain,
    )


def _draw(chart: Sketch, panel: Panel, series: _Series, answer: RunAnswer, batch: BatchAnswer, language: str) -> None:
    """Draw one panel: what the targets allow, band, estimate, levels, the mark at the highest rate."""
    look, simulated = look_of(answer.run), answer.run.kind is Kind.SIMULATED
    if answer.per_target:
        shade(chart, panel, answer.capacity, language)
    if series.band is not None:
        outline, line = bands.rates(series.band)
        marks.draw_band(chart, panel, look, *outline, name=t("90% range").render(language))
        marks.draw_curve(chart, panel, look, *line, name=safe_text(answer.run.id))
    used, left = split(series.levels)

    def hover(level: Level) -> str:
        return level_hover(level, f"{series.title}: {plain(level.value, language)}", language)

    if used:
        name = (t("simulated level") if simulated else t("measured level")).render(language)
        dots = dots_of(used, _UNIT, [hover(level) for level in used])
        marks.draw_levels(chart, panel, look, dots, name=name, group=answer.run.kind.value)
    marks.draw_left_out(chart, panel, dots_of(left, _UNIT, [hover(level) for level in left]), language)
    at = batch.throughput.at
    if at is not None and series.at_best:
        said = t("highest throughput, at {load} concurrent requests", load=concurrency(at, language)).render(language)
        name = t("load it to here").render(language)
        label = concurrency(at, language)
        marks.draw_mark(chart, panel, look, (at, series.at_best), safe_text(said), name=name, label=label)


def _alt(answer: RunAnswer, batch: BatchAnswer, language: str) -> str:
    parts = (batch_first(answer, batch, language), batch_doubt(answer, batch, language))
    return f"{answer.run.label}: " + ". ".join(part for part in parts if part) + "."


def _table(shown: Sequence[_Series], language: str) -> pd.DataFrame:
    loads = sorted({level.load for series in shown for level in series.levels})
    columns = {t("Concurrent requests").render(language): pd.Series(loads, dtype="Float64")}
    for series in shown:
        known = {level.load: level.value for level in series.levels}
        columns[series.title] = pd.Series([known.get(load) for load in loads], dtype="Float64")
    return pd.DataFrame(columns)
