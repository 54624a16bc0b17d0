"""How wide the columns of a table on paper have to be for its rows to be as low as they can."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

LETTERS = 128
"""Letters of average width that a line across the page holds."""

LONGEST_WORD = 16
"""A word beyond this is broken, unless it is a number."""

LONGEST_NUMBER = 21
"""A range beyond this may be broken behind its dash; a number never is."""

NARROW, NARROWEST, SQUEEZED = 12, 6, 0.82
"""Letters that a column of words keeps while the line holds them, and those that it keeps at last; share of its counted
width in which a word beyond `NARROW` still stands: letters are counted wide, those of numbers are not."""

OVER = 0.08
"""Share of the line by which letters that are counted wide may go beyond it."""

BESIDE = 3
"""Letters that the space between two columns takes."""

_WIDE, _BROAD, _CAPITAL = 1.75, 1.7, 1.25
_BROADEST = frozenset("WM@%—…")
MAY_BREAK = "\u200b"
"""Takes no room; a line may end there."""
_ONE = r"[-\u2212+\u2264\u2265\u00b1]?[^\s\d(),.\u2013]{0,4}\d{1,3}(?:,?\d{3}){0,6}(?:\.\d{1,9})?[^\s\d(),.\u2013]{0,3}"
_NUMBER = re.compile(rf"\(?{_ONE}(?:\u2013{_ONE})?\)?[,;:.]?")
"""A number with its sign or unit, or a range of two, in brackets or not: "($572,000\u2013$654,000)"."""


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
    """Return text whose words that are longer than a line may be broken anywhere; all others and numbers stay whole.

    >>> breakable("a WWWW", 5.0).split(MAY_BREAK)
    ['a W', 'W', 'W', 'W']
    >>> breakable("$613,000 ($572,000–$654,000)", 5.0)
    '$613,000 ($572,000–$654,000)'
    """
    return " ".join(MAY_BREAK.join(word) if _is_broken(word, letters) else word for word in text.split(" "))


def in_column(text: str, share: int) -> str:
    """Return the words of a cell as they stand in a column that has this share of the line (`shares`)."""
    return breakable(text, share - BESIDE)


def _is_broken(word: str, letters: float) -> bool:
    wide = width(word)
    return wide > letters and not is_number(word) and (wide > LONGEST_WORD or SQUEEZED * wide > letters)


def is_number(word: str) -> bool:
    """Return True for a number or a range of numbers, with what stands at it: none of them is broken.

    >>> [is_number(word) for word in ("1,200", "(36–53)", "($6.15–$7.12)", "h100_sxm", "20261130120000", "1" * 40)]
    [True, True, True, False, True, False]
    """
    return _NUMBER.fullmatch(word) is not None


def shares(rows: Sequence[Sequence[str]], letters: int = LETTERS) -> tuple[int, ...]:
    """Return the width of each column in letters: its longest word, then more where most lines would stand.

    Where that is more than the line holds, columns of words give way: theirs can be broken, numbers cannot.

    Args:
        rows: of cells, the headers among them; all of one length.
        letters: that the line holds.
    """
    columns = list(zip(*rows, strict=True))
    found = [max(_longest_word(cell) for cell in column) for column in columns]
    left = letters - sum(found) - BESIDE * len(columns)
    numbers = [max(map(_longest_number, column)) for column in columns]
    words = [max(math.ceil(SQUEEZED * each), min(each, NARROW)) for each in found]
    for floors in (words, [NARROW] * len(columns), [NARROWEST] * len(columns)):
        least = [max(pair) for pair in zip(floors, numbers, strict=True)]
        while left < -OVER * letters and any(own > floor for own, floor in zip(found, least, strict=True)):
            widest = max(range(len(found)), key=lambda place: found[place] - least[place])
            found[widest] -= 1
            left += 1
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
    words = (min(width(word), LONGEST_WORD) for word in cell.split())
    return max(math.ceil(max(words, default=1.0)), _longest_number(cell))


def _longest_number(cell: str) -> int:
    return math.ceil(min(max((width(word) for word in cell.split() if is_number(word)), default=1.0), LONGEST_NUMBER))
