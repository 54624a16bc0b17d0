"""Whether words in a colour can be read on another: contrast as WCAG defines it."""

from __future__ import annotations

LEAST = 4.5
"""Of words to their ground (WCAG 2.2, 1.4.3)."""

_STEPS = 100


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours "#rrggbb", from 1 to 21.

    Sources:
        W3C, WCAG 2.2, relative luminance and contrast ratio.

    >>> contrast("#000000", "#ffffff"), contrast("#767676", "#ffffff") > 4.5 > contrast("#777777", "#ffffff")
    (21.0, True)
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, ground: str) -> str:
    """Return a colour, made darker on a light ground or lighter on a dark one until words in it can be read.

    >>> readable("#0067a8", "#ffffff"), contrast(readable("#ffff00", "#ffffff"), "#ffffff") >= 4.5
    ('#0067a8', True)
    """
    towards = 0 if _luminance(ground) > 0.18 else 255
    for step in range(_STEPS + 1):
        share = step / _STEPS
        mixed = tuple(round(part + (towards - part) * share) for part in _parts(colour))
        found = "#" + "".join(f"{part:02x}" for part in mixed)
        if contrast(found, ground) >= LEAST:
            return found
    return "#000000" if towards == 0 else "#ffffff"


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(part / 255.0) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
