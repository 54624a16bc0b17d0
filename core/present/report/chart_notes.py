"""The words that stand in a chart on paper: numbers of marks, targets, and the names at the ends of curves."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from core.present.report.chart_letters import Ink, faces, printable, width_of

PX = 0.6
"""Points on paper for a pixel of the screen: a chart there is about twice as wide."""

LABEL_GAP, LABEL_GLYPH = 4.0, 9.0
_NAMED = re.compile(r'^<span style="color:(#[0-9a-fA-F]{6})">(.)</span> (.*)$')
_GLYPHS = {"●": "o", "■": "s", "▲": "^", "⬟": "p", "▼": "v", "◇": "D"}
_TAG = re.compile(r"</?b>")
_NEAR_TOP = 0.9
"""Share of a panel's height above which a number that stands over its mark leaves the panel."""

Spec = Mapping[str, Any]


def crown(layout: Spec, ink: Ink) -> float:
    """Return the room, in points, that the number of a mark at the upper edge takes above the panels."""
    for note in layout.get("annotations", ()):
        axis = layout.get(f"yaxis{note['yref'][1:]}", {})
        if note["text"].startswith("<b>") and "range" in axis and axis.get("domain", (0.0, 1.0))[1] > _NEAR_TOP:
            low, high = axis["range"]
            if (note["y"] - low) / (high - low) > _NEAR_TOP:
                return 1.3 * ink.size
    return 0.0


def apart(notes: Sequence[Spec], ink: Ink, tall: float) -> list[Spec]:
    """Return the notes with the names of curves at least a line apart: paper is lower than a screen."""
    names = sorted((note for note in notes if _NAMED.match(note["text"])), key=lambda note: float(note["y"]))
    gap = 1.25 * ink.size / tall
    placed: list[Spec] = []
    for place, note in enumerate(names):
        floor = placed[-1]["y"] + gap if placed else 0.0
        # Those above still need their lines below the upper edge.
        ceiling = 1.0 - gap * (len(names) - 1 - place)
        placed.append({**note, "y": max(min(float(note["y"]), ceiling), floor)})
    return [*(note for note in notes if not _NAMED.match(note["text"])), *placed]


def beside(layout: Spec, ink: Ink) -> float:
    """Return the room, in points, for what stands right of the panels: the names of curves, or hardly anything."""
    names = [found.group(3) for note in layout.get("annotations", ()) if (found := _NAMED.match(note["text"]))]
    if not names:
        return 0.8 * ink.size
    return LABEL_GAP + LABEL_GLYPH + max(width_of(printable(html.unescape(name)), ink) for name in names) + 4.0


def draw_note(axes: Axes, note: Spec, ink: Ink) -> None:
    """Write a text at its place; the name of a curve has the curve's symbol before it."""
    x = _place(note["x"], note["xref"], log=axes.get_xscale() == "log")
    y = _place(note["y"], note["yref"], log=axes.get_yscale() == "log")
    refs = (_coordinates(note["xref"]), _coordinates(note["yref"]))
    named = _NAMED.match(note["text"])
    if named:
        _end_of_curve(axes, (x, y), named, ink)
        return
    bold = note["text"].startswith("<b>")
    air = {"left": 2.0, "right": -2.0}.get(note["xanchor"], 0.0)
    axes.annotate(
        printable(html.unescape(_TAG.sub("", note["text"]))),
        xy=(x, y),
        xycoords=refs,
        xytext=(note.get("xshift", 0) * PX + air, note.get("yshift", 0) * PX + 1.0),
        textcoords="offset points",
        ha=note["xanchor"],
        va=note.get("yanchor", "middle"),
        fontproperties=faces().bold if bold else faces().regular,
        fontsize=ink.size * (1.4 if bold else 1.0),
        color=ink.colour,
        annotation_clip=False,
        zorder=6.0,
    )


def _coordinates(ref: str) -> str:
    return "axes fraction" if ref.endswith("domain") else "data"


def _end_of_curve(axes: Axes, at: tuple[float, float], named: re.Match[str], ink: Ink) -> None:
    hue, glyph, name = named.groups()
    symbol = _GLYPHS[glyph]
    right = axes.transAxes.transform((at[0], at[1]))
    spot = axes.transAxes.inverted().transform((right[0] + LABEL_GAP + LABEL_GLYPH / 2, right[1]))
    axes.plot(
        [spot[0]],
        [spot[1]],
        transform=axes.transAxes,
        linestyle="none",
        marker=symbol,
        markersize=4.5,
        markerfacecolor="none" if symbol == "D" else hue,
        markeredgecolor=hue,
        clip_on=False,
    )
    axes.annotate(
        printable(html.unescape(name)),
        xy=at,
        xycoords="axes fraction",
        xytext=(LABEL_GAP + LABEL_GLYPH + 2.0, 0),
        textcoords="offset points",
        va="center",
        fontproperties=faces().regular,
        fontsize=ink.size,
        color=ink.colour,
        annotation_clip=False,
    )


def _place(at: float, ref: str, *, log: bool) -> float:
    """Return where a note stands: on a logarithmic axis Plotly wants its exponent."""
    return 10.0**at if log and not ref.endswith("domain") else at
