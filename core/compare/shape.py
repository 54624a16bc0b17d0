"""The calibrated numbers of a comparison, from a versioned data file (docs/compare.md says how they are made)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from core.errors import Place, UsageError
from core.i18n import t
from core.settings import DATA

VERSION = "1"
"""Of the form of the file and of the method that reads it."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """How answers err, between and beyond the ends of their ranges, and together.

    Attributes:
        version: of this file's form.
        score: standard normal scores, ascending.
        error: at each score, ln(true / estimate) in units of that side's range over 1.645, ascending.
        method: share of the doubt that is not of too few requests which two answers about one deployment, measured by
            the same levels, have in common.
        pairs: how many pairs it was found on.
    """

    version: str
    score: tuple[float, ...]
    error: tuple[float, ...]
    method: float
    pairs: int


@cache
def shipped() -> Shape:
    """Return the numbers that come with Plimsoll."""
    return read_shape(DATA / "method" / f"compare-{VERSION}.json")


def read_shape(path: Path) -> Shape:
    """Read a file of such numbers.

    Raises:
        UsageError: "compare.shape_unreadable": missing, of another form, or not ascending.
    """
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Shape)
    except (OSError, msgspec.MsgspecError) as error:
        raise _unreadable(path, str(error)) from error
    ascending = all(list(row) == sorted(row) for row in (found.score, found.error))
    if found.version != VERSION or len(found.score) != len(found.error) or len(found.score) < 3 or not ascending:
        raise _unreadable(path, "version, order or length")
    return found


def _unreadable(path: Path, why: str) -> UsageError:
    return UsageError(
        "compare.shape_unreadable",
        t("Cannot read the numbers that comparisons rest on: {why}", why=why),
        fix=t("Use the file that came with Plimsoll, or make one with benchmarks/compare/run.py"),
        place=Place(path.name),
    )
