"""What is drawn in a chart: levels, curve with band, target, and the mark at the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.i18n import t
from core.model.answer import Capacity, Interval, Status
from core.model.stage import FloatArray
from core.present import style
from core.present.canvas import Panel
from core.present.numbers import concurrency, concurrency_range
from core.present.sketch import Sketch
from core.present.style import Look, safe_text

END_SIZE = 0.022
ROW = 0.035
"""Height of an end of a range bar, and from one bar to the next, as shares of the panel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """Measured levels of one run in one panel; arrays of shape (n,), in the panel's unit.

    Attributes:
        low, high: ends of each level's own 90 % interval, equal to value where it is not known.
        hover: one text per level, already safe.
    """

    load: FloatArray
    value: FloatArray
    low: FloatArray
    high: FloatArray
    hover: Sequence[str]


def draw_band(chart: Sketch, panel: Panel, look: Look, x: FloatArray, y: FloatArray, *, name: str) -> None:
    """Draw a 90 % band given as a closed outline, shape (points,) each."""
    chart.scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": 0, "color": look.hue},
        fill="toself",
        fillcolor=style.faded(look.hue),
        name=name,
        legendgroup="band",
        legendrank=2,
        showlegend=not chart.has("band"),
        hoverinfo="skip",
        **panel.axes,
    )


def draw_curve(chart: Sketch, panel: Panel, look: Look, x: FloatArray, y: FloatArray, *, name: str) -> None:
    """Draw the estimate as a line: solid where measured, dashed where simulated."""
    chart.scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": 2, "color": look.hue, "dash": look.dash},
        name=name,
        showlegend=False,
        hoverinfo="skip",
        **panel.axes,
    )


def draw_levels(chart: Sketch, panel: Panel, look: Look, dots: Dots, *, name: str, group: str) -> None:
    """Draw levels with thin interval bars: filled where measured, hollow diamonds where simulated."""
    chart.scatter(
        x=dots.load,
        y=dots.value,
        mode="markers",
        marker={"symbol": look.marker, "size": 9, "color": look.hue, "line": {"width": 1.6 if look.simulated else 0}},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": dots.high - dots.value,
            "arrayminus": dots.value - dots.low,
            "thickness": 1.2,
            "width": 3,
            "color": look.hue,
        },
        name=name,
        legendgroup=group,
        legendrank=1,
        showlegend=not chart.has(group),
        hovertext=list(dots.hover),
        hoverinfo="text",
        **panel.axes,
    )


def draw_left_out(chart: Sketch, panel: Panel, dots: Dots, language: str) -> None:
    """Draw levels that are kept out of the fit: hollow and grey, the reason on hover."""
    if not dots.load.size:
        return
    chart.scatter(
        x=dots.load,
        y=dots.value,
        mode="markers",
        marker={"symbol": "circle-open", "size": 9, "color": style.LEFT_OUT, "line": {"width": 1.6}},
        name=t("left out").render(language),
        legendgroup="left out",
        legendrank=8,
        showlegend=not chart.has("left out"),
        hovertext=list(dots.hover),
        hoverinfo="text",
        **panel.axes,
    )


def draw_target(chart: Sketch, panel: Panel, limit: float, text: str, *, name: str, left: bool) -> None:
    """Draw a limit as a solid vermilion line over the panel with its text at the right end, or at the left one."""
    chart.scatter(
        x=list(panel.x),
        y=[limit, limit],
        mode="lines",
        line={"width": 2, "color": style.TARGET},
        name=name,
        legendgroup="target",
        showlegend=False,
        hoverinfo="skip",
        **panel.axes,
    )
    chart.note(
        xref=f"x{panel.suffix} domain",
        yref=f"y{panel.suffix}",
        x=0 if left else 1,
        y=panel.place(limit),
        text=safe_text(text),
        xanchor="left" if left else "right",
        yanchor="bottom",
        font={"size": 12},
    )


def draw_mark(
    chart: Sketch, panel: Panel, look: Look, at: tuple[float, float], hover: str, *, name: str, label: str
) -> None:
    """Draw the mark, a circle crossed by a horizontal line, and the number beside it ("" for none)."""
    x, y = at
    for symbol, size in (("circle-open", 19), ("line-ew-open", 32)):
        chart.scatter(
            x=[x],
            y=[y],
            mode="markers",
            marker={"symbol": symbol, "size": size, "color": look.hue, "line": {"width": 2.6, "color": look.hue}},
            name=name,
            legendgroup="mark",
            legendrank=6,
            showlegend=not chart.has("mark"),
            hovertext=[hover],
            hoverinfo="text",
            cliponaxis=False,
            **panel.axes,
        )
    if not label:
        return
    chart.note(
        xref=f"x{panel.suffix}",
        yref=f"y{panel.suffix}",
        x=panel.place(x),
        y=panel.place(y),
        text=f"<b>{safe_text(label)}</b>",
        xshift=-7,
        yshift=7,
        xanchor="right",
        yanchor="bottom",
        font={"size": 15},
    )


def draw_range(chart: Sketch, panel: Panel, look: Look, capacity: Capacity, *, name: str, row: int = 0) -> None:
    """Draw the 90 % range of the answer on the load axis: a bar with ends, the estimate as its tick.

    Args:
        chart: to draw on.
        panel: whose load axis it stands on.
        look: of the run.
        capacity: whose range it is; only a crossing within the levels has one.
        name: in the legend.
        row: 0 for the first run, then one further up for each.
    """
    found = capacity.concurrency
    if capacity.status is not Status.WITHIN or found is None or found.low is None:
        return
    high = found.high if found.high is not None else panel.x[1]
    axes = {"xref": f"x{panel.suffix}", "yref": f"y{panel.suffix} domain"}
    line = {"color": look.hue, "width": 3}
    at = row * ROW
    chart.shape(
        type="line",
        x0=found.low,
        x1=high,
        y0=at,
        y1=at,
        line={**line, "width": 6},
        name=name,
        legendgroup="range",
        legendrank=5,
        showlegend=not chart.has("range"),
        **axes,
    )
    for end in (found.low, found.mid, found.high):
        if end is not None:
            tall = (2 if end == found.mid and not row else 1) * END_SIZE
            chart.shape(type="line", x0=end, x1=end, y0=at, y1=at + tall, line=line, **axes)


def range_words(interval: Interval | None, language: str) -> str | None:
    """Return "36–53" for an interval with both ends, else None."""
    if interval is None or interval.low is None or interval.high is None:
        return None
    return concurrency_range(interval.low, interval.high, language)


def safe_label(capacity: Capacity, language: str) -> str:
    """Return the number beside the mark, "" where there is none."""
    if not capacity.safe:
        return ""
    bound = "≥ " if capacity.status is Status.AT_LEAST else ""
    return bound + concurrency(capacity.safe, language)


def mark_hover(capacity: Capacity, language: str) -> str:
    """Return what the mark says when it is pointed at."""
    safe = concurrency(capacity.safe or 0, language)
    found = capacity.concurrency
    between = range_words(found, language)
    if found is None or found.mid is None or between is None:
        return safe_text(t("{safe} concurrent requests: promise no more", safe=safe).render(language))
    mid = concurrency(found.mid, language)
    said = t(
        "{safe} concurrent requests: promise no more. Estimate {mid}, range {range}", safe=safe, mid=mid, range=between
    )
    return safe_text(said.render(language), longest=200)
