"""Letters of a chart on paper: faces, how wide a text is, and what cannot be drawn."""

from __future__ import annotations

import re
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


def without_pictures(text: str) -> str:
    r"""Return text with one box for each picture that the face does not have, however many signs it is made of.

    Letters of other scripts stay: the typesetter has letters of its own for many of them.

    >>> without_pictures("team \U0001f469\u200d\U0001f467 a")
    'team □ a'
    """
    if text.isascii() or not _PICTURES.search(text):
        return text
    return _PICTURES.sub(lambda found: found[0] if all(ord(s) in _known() for s in found[0]) else MISSING, text)


# Symbols and pictographs of the planes beyond the first, older ones of it, private letters; joined or changed by more.
_PICTURE = "[\U0001f000-\U0001faff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ue000-\uf8ff\U000e0000-\U0010ffff]"
_CHANGED = "[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_PICTURES = re.compile(f"{_FLAG}|{_PICTURE}{_CHANGED}(?:\u200d{_PICTURE}{_CHANGED})*")


@cache
def _known() -> frozenset[int]:
    return frozenset(get_font(str(letters().regular)).get_charmap())


def width_of(text: str, ink: Ink) -> float:
    """Return how wide a text is, in points."""
    face = faces().regular.copy()
    face.set_size(ink.size)
    width, _, _ = TextToPath().get_text_width_height_descent(text, face, ismath=False)
    return float(width)
