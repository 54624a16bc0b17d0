"""Our own Plotly figures on paper: the same traces, shapes and notes, drawn by matplotlib.

Nothing is worked out here. What the screen draws is read from the figure and drawn once more, so that a point on
paper is the point on the screen; a test holds the two together.
"""

from __future__ import annotations

import base64
import html
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from core.model.stage import FloatArray
from core.present import style
from core.present.report.chart_legend import Entry, draw_legend, legend_rows
from core.present.report.chart_letters import Ink, faces, printable, width_of
from core.present.report.chart_notes import PX, apart, beside, crown, draw_note
from core.present.report.chart_ticks import rank, written

POINT_MM = 25.4 / 72.0
_MARKERS: dict[str, tuple[str, bool]] = {
    "circle": ("o", True),
    "square": ("s", True),
    "triangle-up": ("^", True),
    "triangle-down": ("v", True),
    "pentagon": ("p", True),
    "diamond-open": ("D", False),
    "circle-open": ("o", False),
    "line-ew-open": ("_", False),
}
_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (4, 2.5)), "dot": (0, (1, 2))}
_RGBA = re.compile(r"rgba\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*([\d.]+)\s*\)")

Colour = tuple[float, float, float, float]
Spec = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What a chart is drawn on: millimetres, and the size of its letters in points."""

    width: float
    height: float
    letters: float = 7.0


def drawn(chart: go.Figure, paper: Paper) -> Figure:
    """Return a figure of ours as matplotlib draws it: axes in the order of the panels, the legend last."""
    spec: Spec = chart.to_plotly_json()
    layout, ink = spec["layout"], Ink(size=paper.letters)
    size = (paper.width / POINT_MM, paper.height / POINT_MM)
    figure = Figure(figsize=(size[0] / 72.0, size[1] / 72.0), dpi=72)
    entries = _entries(spec)
    rows = legend_rows(entries, ink, size[0])
    top = size[1] - len(rows) * ink.line - 5.0 - crown(layout, ink)
    box = _Box(left=_before(layout, ink), bottom=3.9 * ink.size, right=size[0] - beside(layout, ink), top=top)
    axes = {suffix: _axes(figure, layout, suffix, box, ink) for suffix in _suffixes(layout)}
    for shape in layout.get("shapes", ()):
        _shape(axes[_suffix(shape["xref"].split()[0])], shape)
    for order, trace in enumerate(spec["data"]):
        _trace(axes[_suffix(trace.get("xaxis", "x"))], trace, 2.0 + 0.01 * order)
    for note in apart(layout.get("annotations", ()), ink, top - box.bottom):
        draw_note(axes[_suffix(note["xref"].split()[0])], note, ink)
    draw_legend(figure, rows, ink, size)
    return figure


@dataclass(frozen=True, slots=True, kw_only=True)
class _Box:
    """Where the panels stand, in points from the lower left."""

    left: float
    bottom: float
    right: float
    top: float


def _suffix(axis: str) -> str:
    return axis[1:]


def _suffixes(layout: Spec) -> list[str]:
    return [key.removeprefix("xaxis") for key in layout if key.startswith("xaxis")]


def _before(layout: Spec, ink: Ink) -> float:
    """Return the room, in points, left of the panels: ticks with their numbers, and the title."""
    numbers_ = [text for key, one in layout.items() if key.startswith("yaxis") for text in one["ticktext"]]
    return max(width_of(text, ink) for text in numbers_) + 2.2 * ink.size + 8.0


def _axes(figure: Figure, layout: Spec, suffix: str, box: _Box, ink: Ink) -> Axes:
    """Return an empty panel with its scales, ranges, ticks and titles."""
    across, up = layout[f"xaxis{suffix}"], layout[f"yaxis{suffix}"]
    low, high = up.get("domain", (0.0, 1.0))
    width, height = figure.get_size_inches() * 72.0
    tall = box.top - box.bottom
    place = (box.left, box.bottom + low * tall, box.right - box.left, (high - low) * tall)
    axes = figure.add_axes((place[0] / width, place[1] / height, place[2] / width, place[3] / height))
    axes.set_facecolor("none")
    axes.set_autoscale_on(False)
    _scale(axes, "x", across, ink)
    _scale(axes, "y", up, ink)
    axes.grid(visible=True, axis="y", color=colour_of(style.GRID), linewidth=0.5, zorder=0.4)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(colour_of(style.AXIS))
        axes.spines[side].set_linewidth(0.6)
    return axes


def _scale(axes: Axes, which: Literal["x", "y"], one: Spec, ink: Ink) -> None:
    log = one["type"] == "log"
    ends = [10.0**end if log else float(end) for end in one["range"]]
    axis = axes.xaxis if which == "x" else axes.yaxis
    if which == "x":
        axes.set_xscale("log" if log else "linear")
        axes.set_xlim(*ends)
    else:
        axes.set_yscale("log" if log else "linear")
        axes.set_ylim(*ends)
    shown = [(at, text) for at, text in zip(one["tickvals"], one["ticktext"], strict=True) if _within(at, ends)]
    named = _written(axes, which, shown, ink)
    axis.set_ticks(
        [at for at, _ in shown], labels=[text if own else "" for (_, text), own in zip(shown, named, strict=True)]
    )
    axis.set_ticks([], minor=True)
    axis.set_tick_params(length=2.5, width=0.6, color=colour_of(style.AXIS))
    for label in axis.get_ticklabels():
        label.set(fontproperties=faces().regular, fontsize=ink.size, color=ink.colour)
    title = one.get("title")
    if title:
        words = printable(html.unescape(title["text"]))
        axis.set_label_text(words, fontproperties=faces().regular, fontsize=ink.size, color=ink.colour)
        axis.labelpad = 2.0
        if which == "y" and width_of(words, ink) > _length(axes, which):
            # Longer than its axis it would reach into the legend: it ends where the axis does.
            axis.label.set(y=1.0, horizontalalignment="right")


def _written(axes: Axes, which: Literal["x", "y"], shown: Sequence[tuple[float, str]], ink: Ink) -> list[bool]:
    """Return which ticks have their number: those between keep their line alone where numbers would touch."""
    across, length = which == "x", _length(axes, which)
    ends = axes.get_xlim() if across else axes.get_ylim()
    log = (axes.get_xscale() if across else axes.get_yscale()) == "log"
    scale = math.log if log else float
    low, high = (scale(end) for end in ends)
    places = [length * (scale(at) - low) / (high - low) for at, _ in shown]
    sizes = [width_of(text, ink) if across else ink.size for _, text in shown]
    return written(places, sizes, [rank(at) for at, _ in shown])


def _length(axes: Axes, which: Literal["x", "y"]) -> float:
    """Return how long an axis is, in points: a figure of ours has 72 dots an inch."""
    return float(axes.bbox.width if which == "x" else axes.bbox.height)


def _within(at: float, ends: Sequence[float]) -> bool:
    air = 1e-9 * abs(ends[1])
    return ends[0] - air <= at <= ends[1] + air


def _shape(axes: Axes, shape: Spec) -> None:
    """Draw a rectangle over the height of the panel, or a bar on its load axis."""
    across = blended_transform_factory(axes.transData, axes.transAxes)
    if shape["type"] == "rect":
        colour = colour_of(shape["fillcolor"])
        axes.axvspan(shape["x0"], shape["x1"], shape["y0"], shape["y1"], facecolor=colour, linewidth=0, zorder=0.2)
        return
    line = shape["line"]
    axes.plot(
        [shape["x0"], shape["x1"]],
        [shape["y0"], shape["y1"]],
        transform=across,
        color=line["color"],
        linewidth=line["width"] * PX,
        solid_capstyle="butt",
        zorder=4.0,
        clip_on=False,
    )


def _trace(axes: Axes, trace: Spec, order: float) -> None:
    """Draw one trace: a filled outline, a line, or points with their interval bars."""
    x, y = numbers(trace["x"]), numbers(trace["y"])
    if trace.get("fill") == "toself":
        _outline(axes, trace, x, y, order)
    elif trace["mode"] == "lines":
        line = trace["line"]
        dash = _DASHES[line.get("dash", "solid")]
        axes.plot(x, y, color=line["color"], linewidth=line["width"] * PX, linestyle=dash, zorder=order)
    else:
        _points(axes, trace, x, y, order)


def numbers(values: Any) -> FloatArray:  # noqa: ANN401 - a list, an array, or Plotly's packed form of one
    """Return numbers of a figure, shape (n,)."""
    if isinstance(values, Mapping):
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"]).astype(float)
    return np.asarray(values, float)


def _outline(axes: Axes, trace: Spec, x: FloatArray, y: FloatArray, order: float) -> None:
    pattern = trace.get("fillpattern")
    if pattern:
        edge = colour_of(pattern["fgcolor"])
        axes.fill(x, y, facecolor="none", edgecolor=edge, hatch="////", linewidth=0.0, zorder=0.3)
    else:
        axes.fill(x, y, facecolor=colour_of(trace["fillcolor"]), linewidth=0.0, zorder=order)


def _points(axes: Axes, trace: Spec, x: FloatArray, y: FloatArray, order: float) -> None:
    error = trace.get("error_y")
    if error:
        ends = y - numbers(error["arrayminus"]), y + numbers(error["array"])
        width = error["thickness"] * PX
        axes.vlines(x, *ends, colors=error["color"], linewidth=width, zorder=order)
        for end in ends:
            axes.plot(x, end, linestyle="none", marker="_", markersize=3.6, color=error["color"], zorder=order)
    clip = trace.get("cliponaxis", True)
    axes.plot(x, y, linestyle="none", zorder=order + 0.005, clip_on=clip, **marker_of(trace["marker"]))


def marker_of(marker: Spec) -> dict[str, Any]:
    """Return how matplotlib draws a marker of Plotly's: filled, or its outline alone."""
    symbol, filled = _MARKERS[marker["symbol"]]
    hue, wide = marker["color"], marker.get("line", {}).get("width", 0) * PX
    return {
        "marker": symbol,
        "markersize": marker["size"] * PX * (0.8 if symbol == "D" else 1.0),
        "markerfacecolor": hue if filled else "none",
        "markeredgecolor": hue,
        "markeredgewidth": wide if not filled else 0.0,
    }


def _entries(spec: Spec) -> list[Entry]:
    """Return what the legend of the screen names, in its order."""
    named = [one for one in (*spec["data"], *spec["layout"].get("shapes", ())) if one.get("showlegend")]
    ranked = sorted(named, key=lambda one: one.get("legendrank", 1000))
    return [_entry(one) for one in ranked]


def _entry(one: Spec) -> Entry:
    name = printable(html.unescape(one["name"]))
    if one["type"] == "rect":
        return Entry(name=name, fill=colour_of(one["fillcolor"]))
    if one["type"] == "line":
        return Entry(name=name, line={"color": one["line"]["color"], "linewidth": one["line"]["width"] * PX})
    if one.get("fillpattern"):
        return Entry(name=name, hatch=colour_of(one["fillpattern"]["fgcolor"]))
    if one.get("fill") == "toself":
        return Entry(name=name, fill=colour_of(one["fillcolor"]))
    marker = marker_of(one["marker"])
    # The circle of the mark is drawn first and named; its line belongs to it.
    return Entry(name=name, marker=marker, crossed=one.get("legendgroup") == "mark")


def colour_of(text: str) -> str | Colour:
    """Return a colour of Plotly's for matplotlib.

    >>> colour_of("rgba(255,0,51,0.2)"), colour_of("#0072b2")
    ((1.0, 0.0, 0.2, 0.2), '#0072b2')
    """
    found = _RGBA.fullmatch(text)
    if found is None:
        return text
    red, green, blue = (int(part) / 255.0 for part in found.groups()[:3])
    return red, green, blue, float(found.group(4))
