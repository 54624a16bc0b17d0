"""The legend of a chart on paper: one flowing line of names above it, wrapped where the paper ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from core.present.report.chart_letters import Ink, faces, width_of

HANDLE, GAP, BETWEEN = 15.0, 4.0, 12.0
"""In points: the sign, from it to its name, and from one entry to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: its name, and the sign it stands for.

    Attributes:
        fill, hatch: colour of an area. line: of a bar. marker: of points.
        crossed: the marker is crossed by a horizontal line.
    """

    name: str
    fill: Any = None
    hatch: Any = None
    line: Mapping[str, Any] | None = None
    marker: Mapping[str, Any] | None = None
    crossed: bool = False


def legend_rows(entries: Sequence[Entry], ink: Ink, width: float) -> list[list[Entry]]:
    """Return the entries line by line, for paper of a width in points."""
    rows: list[list[Entry]] = []
    taken = width
    for entry in entries:
        wide = HANDLE + GAP + width_of(entry.name, ink) + BETWEEN
        if taken + wide - BETWEEN > width:
            rows.append([])
            taken = 0.0
        rows[-1].append(entry)
        taken += wide
    return rows


def draw_legend(figure: Figure, rows: Sequence[Sequence[Entry]], ink: Ink, size: tuple[float, float]) -> None:
    """Draw the lines at the top of a figure of `size` points."""
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0.0, size[0])
    axes.set_ylim(0.0, size[1])
    for row, entries in enumerate(rows):
        x, y = 0.0, size[1] - (row + 0.5) * ink.line
        for entry in entries:
            _sign(axes, entry, x, y, ink)
            face = faces().regular
            axes.text(
                x + HANDLE + GAP, y, entry.name, va="center", fontproperties=face, fontsize=ink.size, color=ink.colour
            )
            x += HANDLE + GAP + width_of(entry.name, ink) + BETWEEN


def _sign(axes: Axes, entry: Entry, x: float, y: float, ink: Ink) -> None:
    tall = 0.9 * ink.size
    place = (x, y - tall / 2.0)
    if entry.fill is not None:
        axes.add_patch(Rectangle(place, HANDLE, tall, facecolor=entry.fill, linewidth=0.0))
    elif entry.hatch is not None:
        axes.add_patch(
            Rectangle(place, HANDLE, tall, facecolor="none", edgecolor=entry.hatch, hatch="////", linewidth=0)
        )
    elif entry.line is not None:
        axes.plot([x, x + HANDLE], [y, y], solid_capstyle="butt", **entry.line)
    elif entry.marker is not None:
        small = {**entry.marker, "markersize": min(entry.marker["markersize"], 7.0)}
        axes.plot([x + HANDLE / 2.0], [y], linestyle="none", **small)
        if entry.crossed:
            axes.plot([x + 1.0, x + HANDLE - 1.0], [y, y], color=small["markeredgecolor"], linewidth=1.4)
