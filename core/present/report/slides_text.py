"""Words that stay inside their box: which size they take, and where they are cut, with the cut said."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

POINTS = 72.0
LINE = 1.3
"""Height of a line over the size of its letters; set exactly, so that no program chooses its own."""

_NARROW = frozenset("iljtfrI.,:;'|!()[] ")
_BROAD = frozenset("mwMW@%—…≥≤×")
_SAFETY = 1.06
_ROUNDING = 1e-6
"""Inches: sums of heights that are equal on paper may differ by less."""


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph: its words, how large it is beside the others, and how it looks."""

    text: str
    scale: float = 1.0
    bold: bool = False
    colour: str | None = None
    bullet: bool = False


@dataclass(frozen=True, slots=True)
class Fitted:
    """Paragraphs at a size in points that stand in their box; `left` paragraphs do not and are not among them."""

    lines: tuple[Line, ...]
    size: float
    left: int = 0


def fitted(lines: Sequence[Line], width: float, height: float, sizes: Sequence[float]) -> Fitted:
    """Return the largest size at which all paragraphs fit; at the smallest those that fit, the last one cut.

    Args:
        lines: paragraphs in order of weight.
        width: of the box without its margins, inches.
        height: likewise.
        sizes: points, falling.
    """
    for size in sizes:
        if sum(high(line, width, size) for line in lines) <= height + _ROUNDING:
            return Fitted(tuple(lines), size)
    size, kept, room = sizes[-1], [], height
    for line in lines:
        tall = high(line, width, size)
        if tall > room + _ROUNDING:
            whole = int(room / (line.scale * size * LINE / POINTS) + 1e-9)
            if whole:
                kept.append(_cut(line, width, size, whole))
            break
        kept.append(line)
        room -= tall
    return Fitted(tuple(kept), size, len(lines) - len(kept))


def high(line: Line, width: float, size: float) -> float:
    """Return how high a paragraph stands, inches."""
    own = size * line.scale
    return len(wrapped(line.text, width * POINTS / own - (1.2 if line.bullet else 0.0), bold=line.bold)) * (
        own * LINE / POINTS
    )


def breaks(line: Line, wide: float, size: float) -> bool:
    """Return True where a word of a paragraph is longer than a line."""
    ems = wide * POINTS / (size * line.scale)
    return any(width(word, bold=line.bold) > ems for word in line.text.split(" "))


def wrapped(text: str, ems: float, *, bold: bool = False) -> list[str]:
    """Return a text in lines of a width in letters' heights; a word that is longer than a line is broken."""
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width(joined, bold=bold) <= ems:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and width(lines[-1] + letter, bold=bold) > ems:
                lines.append("")
            lines[-1] += letter
    return lines


def width(text: str, *, bold: bool = False) -> float:
    """Return about how wide a text is, in heights of its letters; never less than it is in the usual faces."""
    return sum(_em(letter) for letter in text) * _SAFETY * (1.08 if bold else 1.0)


def _em(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in _NARROW:
        return 0.38
    if letter in _BROAD:
        return 0.98
    return 0.72 if letter.isupper() else 0.6 if letter.isascii() else 0.8


def _cut(line: Line, wide: float, size: float, whole: int) -> Line:
    """Return a paragraph cut to so many lines, with a sign that it was; one that fits as it is."""
    ems = wide * POINTS / (size * line.scale) - (1.2 if line.bullet else 0.0)
    every = wrapped(line.text, ems, bold=line.bold)
    if len(every) <= whole:
        return line
    kept = " ".join(every[:whole])
    while kept and len(wrapped(f"{kept}…", ems, bold=line.bold)) > whole:
        kept = kept[:-1].rstrip()
    return Line(f"{kept}…", line.scale, line.bold, line.colour, line.bullet)
