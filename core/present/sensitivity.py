"""Capacity against one limit: the set's estimate with its band, the safe number, and the target alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from core.i18n import t
from core.model.answer import Reach, RunAnswer, Sensitivity, Status, Step
from core.model.metric import Metric
from core.model.stage import FloatArray
from core.present import marks, style
from core.present.canvas import Figure, Panel, blank, is_wide, set_axes, view
from core.present.levels import Unit, unit_of
from core.present.names import target_name, target_text, value_text
from core.present.numbers import concurrency
from core.present.sketch import Sketch
from core.present.stopped import stop_text
from core.present.style import Look, look_of, safe_text

HEIGHT = 360
_AIR = 1.06
_FULL = 0.66
_SECOND_ROW = 0.11
"""Height of a second text over the axis, as a share of the panel: the curve leaves the lower right free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    one: Sensitivity
    steps: tuple[Step, ...]
    unit: Unit
    panel: Panel
    top: float
    language: str

    def x(self, limit: float) -> float:
        return limit * self.unit.factor


def sensitivity_figure(
    answer: RunAnswer, one: Sensitivity, language: str = "en", *, ink: str | None = None
) -> Figure | None:
    """Draw how many requests are carried as one limit moves, None where no limit tells any.

    Args:
        answer: whose safe number carries the mark.
        one: the target whose limit moves.
        language: of every word.
        ink: colour of all words, None leaves it to whoever shows the chart.
    """
    steps = tuple(sorted(one.steps, key=lambda step: step.limit))
    # One limit alone makes no line: an empty frame would only puzzle.
    if not answer.levels or sum(_told(step.alone) for step in steps) < 2:
        return None
    unit = _unit(one)
    limits = [step.limit * unit.factor for step in steps]
    ends = [end * unit.factor for end in (one.lowest, one.at_least_from) if end is not None]
    log = is_wide(limits)
    panel = Panel(
        x=view(limits, log=log) if log else (min(limits) / _AIR, max(limits) * _AIR),
        y=view(_heights(steps, max(answer.levels)), log=log, pad=0.1),
        measured=(min(limits), max(limits)) if len(ends) < 2 else (min(ends), max(ends)),
        log=log,
    )
    plot = _Plot(one=one, steps=steps, unit=unit, panel=panel, top=max(answer.levels), language=language)
    chart = blank([], language, height=HEIGHT, ink=ink)
    look = look_of(answer.run)
    _outside(chart, plot)
    _draw(chart, plot, look, alone_too=len(answer.per_target) > 1)
    _now(chart, plot, answer, look)
    title = target_name(one.target, language)
    x_title = f"{title} ({unit.label})" if unit.label else title
    set_axes(chart, panel, [], language, x_title=x_title, y_title=t("Concurrent requests").render(language))
    return Figure(chart=chart.figure(), alt=_alt(answer, plot), rows=partial(_table, plot))


def _unit(one: Sensitivity) -> Unit:
    if one.target.metric is Metric.TOK_S_USER:
        return Unit("tok/s")
    if one.target.metric is Metric.SUCCESS_RATE:
        return Unit("%", 100.0)
    return unit_of(one.target.metric, [one.target.limit])


def _told(reach: Reach) -> bool:
    return reach.status in (Status.WITHIN, Status.AT_LEAST)


def _heights(steps: Sequence[Step], top: float) -> list[float]:
    """Return the numbers that the axis has to show: the set's, else those of the target alone.

    A target alone may reach far beyond what the set carries; its line then leaves the picture.
    """
    whole = [step.whole for step in steps if _told(step.whole)]
    shown = whole or [step.alone for step in steps if _told(step.alone)]
    ends = [_end(reach, name, top) for reach in shown for name in _ENDS]
    return [value for value in (*ends, *(float(reach.safe or 0) for reach in shown)) if value > 0] or [1.0]


def _draw(chart: Sketch, plot: _Plot, look: Look, *, alone_too: bool) -> None:
    """Draw band, estimate and safe number of the set, under them the estimate of the target alone where it differs."""
    language = plot.language
    if alone_too and any(step.alone.concurrency != step.whole.concurrency for step in plot.steps):
        _alone(chart, plot, look)
    for part in _runs(plot.steps, lambda step: step.whole):
        x = np.array([plot.x(step.limit) for step in part])
        low, mid, high = (np.array([_end(step.whole, name, plot.top) for step in part]) for name in _ENDS)
        if len(part) > 1:
            outline = np.concatenate((x, x[::-1])), np.concatenate((low, high[::-1]))
            marks.draw_band(chart, plot.panel, look, *outline, name=t("90% range").render(language))
        safe = np.array([float(step.whole.safe or 0) for step in part])
        _line(chart, plot, x, mid, hue=look.hue, width=1.4, dash=look.dash, name=t("estimate").render(language))
        _line(chart, plot, x, safe, hue=look.hue, width=3.2, dash=look.dash, name=t("safe number").render(language))
        _points(chart, plot, part, x, safe)


def _alone(chart: Sketch, plot: _Plot, look: Look) -> None:
    name = t("{target} alone", target=target_name(plot.one.target, plot.language)).render(plot.language)
    for part in _runs(plot.steps, lambda step: step.alone):
        x = np.array([plot.x(step.limit) for step in part])
        mid = np.array([_end(step.alone, "mid", plot.top) for step in part])
        _line(chart, plot, x, mid, hue=style.LEFT_OUT, width=1.4, dash=look.dash, name=safe_text(name))


_ENDS = ("low", "mid", "high")


def _runs(steps: Sequence[Step], of: Callable[[Step], Reach]) -> list[list[Step]]:
    """Return the steps in stretches that are told without a gap."""
    found: list[list[Step]] = [[]]
    for step in steps:
        if _told(of(step)):
            found[-1].append(step)
        elif found[-1]:
            found.append([])
    return [part for part in found if part]


def _end(reach: Reach, name: str, top: float) -> float:
    """Return one end for drawing; an open one ends where the measured loads end."""
    value = getattr(reach.concurrency, name) if reach.concurrency else None
    return top if value is None else float(value)


def _line(
    chart: Sketch, plot: _Plot, x: FloatArray, y: FloatArray, *, hue: str, width: float, dash: str, name: str
) -> None:
    kept = y > 0.0
    chart.scatter(
        x=x[kept],
        y=y[kept],
        mode="lines",
        line={"width": width, "color": hue, "dash": dash},
        name=name,
        legendgroup=name,
        legendrank=1,
        showlegend=not chart.has(name),
        hoverinfo="skip",
        **plot.panel.axes,
    )


def _points(chart: Sketch, plot: _Plot, part: Sequence[Step], x: FloatArray, safe: FloatArray) -> None:
    """Put an invisible point on every step, which says on hover what is carried there and what stops it."""
    chart.scatter(
        x=x,
        y=np.maximum(safe, plot.panel.y[0]),
        mode="markers",
        marker={"size": 10, "color": style.CLEAR},
        showlegend=False,
        hovertext=[_hover(plot, step) for step in part],
        hoverinfo="text",
        **plot.panel.axes,
    )


def _hover(plot: _Plot, step: Step) -> str:
    language, whole = plot.language, step.whole
    limit = value_text(plot.one.target.metric, step.limit, language)
    lines = [
        f"{target_name(plot.one.target, language)} {plot.one.target.op} {limit}",
        t("safely {number}", number=concurrency(whole.safe or 0, language)).render(language),
    ]
    between = marks.range_words(whole.concurrency, language)
    if between:
        lines.append(t("range {range}", range=between).render(language))
    stopped = whole.status in (Status.WITHIN, Status.BELOW)
    if stopped and whole.binding and whole.binding.metric is not plot.one.target.metric:
        lines.append(t("stopped by {target}", target=target_name(whole.binding, language)).render(language))
    return "<br>".join(safe_text(line, longest=120) for line in lines)


def _outside(chart: Sketch, plot: _Plot) -> None:
    """Hatch the limits that no measured level can tell apart: tighter than the first, looser than the last."""
    bottom, top = plot.panel.y
    for start, end in (
        (plot.panel.x[0], plot.panel.measured[0]),
        (plot.panel.measured[1], plot.panel.x[1]),
    ):
        if end > start:
            chart.scatter(
                x=[start, end, end, start],
                y=[bottom, bottom, top, top],
                mode="lines",
                line={"width": 0, "color": style.HATCH},
                fill="toself",
                fillcolor=style.CLEAR,
                fillpattern={"shape": "/", "fgcolor": style.HATCH, "size": 8, "solidity": 0.12},
                name=t("not measured").render(plot.language),
                legendgroup="unmeasured",
                legendrank=7,
                showlegend=not chart.has("unmeasured"),
                hoverinfo="skip",
                **plot.panel.axes,
            )


def _now(chart: Sketch, plot: _Plot, answer: RunAnswer, look: Look) -> None:
    """Draw the present limit, where another target takes over, and the mark."""
    one, language, panel = plot.one, plot.language, plot.panel
    at, free = plot.x(one.target.limit), None
    if one.free_from is not None and one.then is not None:
        free = plot.x(one.free_from)
        said = t("{target} stops it", target=target_name(one.then, language)).render(language)
        _upright(chart, plot, free, style.LEFT_OUT, said, beside=at)
    _upright(chart, plot, at, style.TARGET, target_text(one.target, language), beside=free, first=True)
    safe = answer.capacity.safe
    if safe and answer.capacity.status in (Status.WITHIN, Status.AT_LEAST):
        name, label = t("load it to here").render(language), marks.safe_label(answer.capacity, language)
        said = marks.mark_hover(answer.capacity, language)
        marks.draw_mark(chart, panel, look, (at, float(safe)), said, name=name, label=label)


def _upright(
    chart: Sketch, plot: _Plot, at: float, hue: str, text: str, *, beside: float | None, first: bool = False
) -> None:
    """Draw a vertical line with its text on the side away from the line beside it, where there is room."""
    panel = plot.panel
    low, high = panel.place(panel.x[0]), panel.place(panel.x[1])
    place = (panel.place(at) - low) / (high - low)
    away = beside is not None and beside > at
    right = place > _FULL or (away and place > 1.0 - _FULL)
    chart.scatter(
        x=[at, at],
        y=list(panel.y),
        mode="lines",
        line={"width": 2 if first else 1.4, "color": hue},
        showlegend=False,
        hoverinfo="skip",
        **panel.axes,
    )
    chart.note(
        xref=f"x{panel.suffix}",
        yref=f"y{panel.suffix} domain",
        x=panel.place(at),
        y=0.02 if first else _SECOND_ROW,
        text=safe_text(text),
        xanchor="right" if right else "left",
        xshift=-4 if right else 4,
        yanchor="bottom",
        font={"size": 12},
    )


def _alt(answer: RunAnswer, plot: _Plot) -> str:
    told = [step for step in plot.steps if _told(step.whole)]
    language, one = plot.language, plot.one
    name = target_name(one.target, language)
    if not told:
        said = t("{run}: how many requests are carried as {target} moves.", run=answer.run.label, target=name)
        return said.render(language)
    first, last = (told[0], told[-1]) if not one.target.metric.higher_is_better else (told[-1], told[0])
    said = t(
        "{run}: with {target} at {tight} it safely carries {few}, at {loose} {many} concurrent requests.",
        run=answer.run.label,
        target=name,
        tight=value_text(one.target.metric, first.limit, language),
        few=concurrency(first.whole.safe or 0, language),
        loose=value_text(one.target.metric, last.limit, language),
        many=concurrency(last.whole.safe or 0, language),
    )
    now = t(
        "At the present {limit} it is {number}.",
        limit=value_text(one.target.metric, one.target.limit, language),
        number=concurrency(answer.capacity.safe or 0, language),
    )
    return f"{said.render(language)} {now.render(language)}" if answer.capacity.safe else said.render(language)


def _table(plot: _Plot) -> pd.DataFrame:
    language, unit = plot.language, plot.unit
    name = target_name(plot.one.target, language)

    def column(of: Callable[[Step], float | int | None], kind: str) -> pd.Series:
        return pd.Series([of(step) for step in plot.steps], dtype=kind)

    def end(which: str) -> Callable[[Step], float | None]:
        return lambda step: getattr(step.whole.concurrency, which) if step.whole.concurrency else None

    return pd.DataFrame(
        {
            f"{name} ({unit.label})" if unit.label else name: column(lambda step: step.limit * unit.factor, "Float64"),
            t("Safe concurrent requests").render(language): column(lambda step: step.whole.safe, "Int64"),
            t("Low end").render(language): column(end("low"), "Float64"),
            t("Estimate").render(language): column(end("mid"), "Float64"),
            t("High end").render(language): column(end("high"), "Float64"),
            t("Safe, this target alone").render(language): column(lambda step: step.alone.safe, "Int64"),
            t("Stopped by").render(language): pd.Series(
                [stop_text(step.whole, language) for step in plot.steps],
                dtype="str",
            ),
        }
    )
