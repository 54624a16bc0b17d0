"""How wide the columns of a table on paper have to be for its rows to be as low as they can."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

LETTERS = 128
"""Letters of average width that a line across the page holds."""

LONGEST_WORD = 16
"""A word beyond this is broken."""

BESIDE = 3
"""Letters that the space between two columns takes."""

_WIDE, _BROAD, _CAPITAL = 1.75, 1.7, 1.25
_BROADEST = frozenset("WM@%—…")
_MAY_BREAK = "\u200b"


def width(text: str) -> float:
    """Return how wide a text is in Latin letters: those of Korean are wider, and so are a few others.

    >>> width("abc"), width("가나"), width("W")
    (3.0, 3.5, 1.7)
    """
    return sum(map(_width, text))


def _width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    if letter in _BROADEST:
        return _BROAD
    return _CAPITAL if letter.isupper() else 1.0


def breakable(text: str, letters: float) -> str:
    """Return text whose words that are longer than a line may be broken anywhere; all others stay whole.

    >>> breakable("a WWWW", 5.0).split(_MAY_BREAK)
    ['a W', 'W', 'W', 'W']
    """
    return " ".join(_MAY_BREAK.join(word) if width(word) > letters else word for word in text.split(" "))


def shares(rows: Sequence[Sequence[str]], letters: int = LETTERS) -> tuple[int, ...]:
    """Return the width of each column in letters: its longest word, then more where most lines would stand.

    Args:
        rows: of cells, the headers among them; all of one length.
        letters: that the line holds.
    """
    columns = list(zip(*rows, strict=True))
    found = [max(_longest_word(cell) for cell in column) for column in columns]
    left = letters - sum(found) - BESIDE * len(columns)
    while left > 0:
        lines = [[max(math.ceil(width(cell) / found[i]), 1) for cell in column] for i, column in enumerate(columns)]
        tallest = [max(row) for row in zip(*lines, strict=True)]
        # A column helps where it alone makes a row as tall as it is; a row of one line needs no help.
        gain = [sum(tall for own, tall in zip(column, tallest, strict=True) if own == tall > 1) for column in lines]
        if not any(gain):
            break
        found[gain.index(max(gain))] += 1
        left -= 1
    if left > 0:
        found = [each + left // len(found) for each in found]
    return tuple(each + BESIDE for each in found)


def _longest_word(cell: str) -> int:
    return math.ceil(min(max((width(word) for word in cell.split()), default=1.0), LONGEST_WORD))
