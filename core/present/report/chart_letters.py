"""Letters of a chart on paper: faces, how wide a text is, and what cannot be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from matplotlib.font_manager import FontProperties, get_font
from matplotlib.textpath import TextToPath

from core.present.report.fonts import NAMES, letters

MISSING = "□"
COLOUR = "#0e1820"
"""Of words on paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ink:
    """How words are written: size in points, and their colour."""

    size: float
    colour: str = COLOUR

    @property
    def line(self) -> float:
        """Return the height of a line, in points."""
        return 1.55 * self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The family in two weights."""

    regular: FontProperties
    bold: FontProperties


@cache
def faces() -> Faces:
    """Return the faces that charts are written in."""
    found = letters()
    return Faces(
        regular=FontProperties(fname=str(found.regular), family=list(NAMES)),
        bold=FontProperties(fname=str(found.bold), family=list(NAMES), weight=700),
    )


def printable(text: str) -> str:
    """Return text with a box for every letter that the face does not have."""
    known = _known()
    return "".join(letter if ord(letter) in known else MISSING for letter in text)


@cache
def _known() -> frozenset[int]:
    return frozenset(get_font(str(letters().regular)).get_charmap())


def width_of(text: str, ink: Ink) -> float:
    """Return how wide a text is, in points."""
    face = faces().regular.copy()
    face.set_size(ink.size)
    width, _, _ = TextToPath().get_text_width_height_descent(text, face, ismath=False)
    return float(width)
