r"""Text of strangers as one can look at it: without letters that act instead of being seen.

A control character ends a file of XML or moves a terminal's cursor, half a character ends an encoding, a mark of
direction makes a name read as another, and piled marks cover the lines above. Everything else is left as it is.
"""

from __future__ import annotations

import re
import unicodedata

MOST_MARKS = 8
"""Marks on one letter: more than any script sets, fewer than reach into the next line."""

# Bidi_Control of Unicode's PropList.txt, and what Unicode 15.1, 23.3, deprecates for being unseen and acting.
_ACTING = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb"
_NO_LETTERS = r"\ufdd0-\ufdef" + "".join(
    f"\\U{plane << 16 | 0xFFFE:08x}\\U{plane << 16 | 0xFFFF:08x}" for plane in range(17)
)
_UNSEEN = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff{_ACTING}{_NO_LETTERS}]")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters by their category, and nothing to see."""


def seen(text: str) -> str:
    r"""Return text without letters that act unseen; tabs and ends of lines stay.

    >>> seen("a\x00\u202eb\tc")
    'ab\tc'
    """
    return text if text.isascii() and text.isprintable() else _unpiled(_UNSEEN.sub("", text))


def flat(text: str) -> str:
    r"""Return text without letters that act unseen, on one line.

    >>> flat(" a\tb\u202e ")
    ' a b '
    """
    if text.isascii() and text.isprintable():
        return text
    return seen("".join(" " if letter.isspace() else letter for letter in text))


def one_line(text: str) -> str:
    r"""Return text without letters that act unseen, on one line, without space around it.

    >>> one_line(" a\tb\u202e ")
    'a b'
    """
    return flat(text).strip()


def flatten(thing: object, *names: str) -> None:
    """Let texts of a frozen dataclass be `flat`, at its birth."""
    for name in names:
        value = getattr(thing, name)
        if isinstance(value, str) and (kept := flat(value)) is not value:
            object.__setattr__(thing, name, kept)


def clean_text(text: str) -> str:
    r"""Return text of several lines without letters that act unseen; every line ends alike.

    >>> clean_text("one\r\ntwo\x00\u202e")
    'one\ntwo'
    """
    return seen(text.replace("\r\n", "\n").replace("\r", "\n"))


def is_blank(text: str) -> bool:
    r"""Return True where a reader would see nothing.

    >>> is_blank(" \u200b\u3164"), is_blank("a")
    (True, False)
    """
    return not any(letter.isprintable() and not letter.isspace() and letter not in _BLANK for letter in text)


def _unpiled(text: str) -> str:
    """Return text with at most `MOST_MARKS` marks on a letter."""
    if text.isascii():
        return text
    marks, kept = 0, []
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
