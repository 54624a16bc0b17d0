"""Colours, symbols and safe text of the charts: one look per hardware, legible on white and on black.

Every colour keeps a contrast of at least 3 : 1 on #ffffff and on #0e1117 (Streamlit's dark page); text
sets no colour at all, so that it follows the theme. Hues are those of Okabe and Ito (jfly, 2008), with
orange, sky blue and yellow darkened until they can be seen on white; vermilion belongs to targets.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from zlib import crc32

from core.model.run import Kind, Run

BLUE, GREEN, ORANGE = "#0072b2", "#009e73", "#b97f00"
PURPLE, SKY, YELLOW = "#c46c9c", "#2b8fc7", "#9a8e00"
TARGET = "#d55e00"
LEFT_OUT = "#808080"
GRID = "rgba(128,128,128,0.22)"
AXIS = "rgba(128,128,128,0.7)"
HATCH = "rgba(128,128,128,0.45)"
CLEAR = "rgba(0,0,0,0)"
SAFE_SIDE = "rgba(86,180,233,0.13)"
BEYOND = "rgba(230,159,0,0.13)"

_HUES = (BLUE, GREEN, ORANGE, PURPLE, SKY, YELLOW)
_SYMBOLS = ("circle", "square", "triangle-up", "pentagon", "triangle-down")

_UNNAMED = (BLUE, "circle")
"""Of runs whose hardware is not known: the files often do not name it."""

_KNOWN: dict[str, tuple[str, str]] = {
    "A10G": (SKY, "triangle-up"),
    "L4": (SKY, "triangle-down"),
    "L40S": (SKY, "pentagon"),
    "A100": (SKY, "square"),
    "H100": (GREEN, "circle"),
    "H200": (SKY, "circle"),
    "B200": (ORANGE, "circle"),
    "B300": (ORANGE, "square"),
    "GB200": (PURPLE, "circle"),
    "GB300": (PURPLE, "triangle-down"),
    "RTXPRO6000": (PURPLE, "square"),
    "RTX4090": (PURPLE, "triangle-up"),
    "RTX5090": (PURPLE, "pentagon"),
    "MI300X": (YELLOW, "circle"),
    "MI325X": (YELLOW, "square"),
    "MI350X": (YELLOW, "pentagon"),
    "MI355X": (YELLOW, "triangle-up"),
    "GAUDI2": (ORANGE, "triangle-up"),
    "GAUDI3": (ORANGE, "pentagon"),
    "TRAINIUM2": (BLUE, "square"),
    "INFERENTIA2": (BLUE, "triangle-up"),
    "TPUV5E": (GREEN, "square"),
    "TPUV5P": (GREEN, "triangle-up"),
    "TPUV6E": (GREEN, "pentagon"),
    "TPU7X": (GREEN, "triangle-down"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How one run is drawn; hollow and dashed say "simulated"."""

    hue: str
    symbol: str
    simulated: bool

    @property
    def dash(self) -> str:
        """Return the dash of its curve."""
        return "dash" if self.simulated else "solid"

    @property
    def marker(self) -> str:
        """Return the symbol of its levels."""
        return "diamond-open" if self.simulated else self.symbol


def look_of(run: Run, *, alone: bool = True) -> Look:
    """Return the look of a run: hue and symbol follow the hardware's name, never its place in a list.

    Args:
        run: its accelerator decides.
        alone: a single run is drawn with circles.
    """
    hue, symbol = _by_name(run.conditions.accelerator)
    return Look(hue, "circle" if alone else symbol, run.kind is Kind.SIMULATED)


def looks_of(runs: tuple[Run, ...]) -> tuple[Look, ...]:
    """Return the looks of runs in one chart; two of the same hardware differ in their symbol."""
    if len(runs) == 1:
        return (look_of(runs[0]),)
    taken: set[tuple[str, str]] = set()
    looks: list[Look] = []
    for run in runs:
        look = look_of(run, alone=False)
        free = (s for s in (look.symbol, *_SYMBOLS) if (look.hue, s) not in taken)
        look = Look(look.hue, next(free, look.symbol), look.simulated)
        taken.add((look.hue, look.symbol))
        looks.append(look)
    return tuple(looks)


def _by_name(name: str | None) -> tuple[str, str]:
    if not name:
        return _UNNAMED
    plain = re.sub(r"[^A-Z0-9]", "", name.upper())
    for known in sorted(_KNOWN, key=len, reverse=True):
        if known in plain:
            return _KNOWN[known]
    code = crc32(plain.encode())
    return _HUES[code % len(_HUES)], _SYMBOLS[code // len(_HUES) % len(_SYMBOLS)]


def faded(hue: str, opacity: float = 0.2) -> str:
    """Return a hue as a band shows it.

    >>> faded("#0072b2")
    'rgba(0,114,178,0.2)'
    """
    red, green, blue = (int(hue[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def safe_text(text: str, longest: int = 60) -> str:
    """Return text for a chart: no markup, no line breaks, no formula marks, not endless.

    Plotly reads a few HTML tags, and "$…$" as TeX where a page has MathJax.

    >>> safe_text("<b>x</b> & $y$")
    '&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;'
    """
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    short = flat if len(flat) <= longest else flat[: longest - 1] + "…"
    return html.escape(short, quote=False).replace("$", "&#36;")
