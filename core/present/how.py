"""How a number was worked out: its formula, with the values that it was given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from core.i18n import t


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """One number, ready to be shown; every text is in the reader's language.

    Attributes:
        name: what the number is, with its denominator. formula: in words and signs, no values.
        values: each thing in the formula with the value that it had; unknown is said in words.
        result: the number with its range, or why it is unknown.
        source: where the formula or a value comes from, None where it is the definition.
    """

    name: str
    formula: str
    values: tuple[tuple[str, str], ...] = ()
    result: str = ""
    source: str | None = None


def how_text(how: How) -> str:
    """Return it as plain lines, for a screen reader, a terminal or a note in a sheet.

    >>> values = (("way", "6 m"), ("time", "2 s"))
    >>> print(how_text(How(name="Speed", formula="way ÷ time", values=values, result="3 m/s")))
    Speed: way ÷ time = 3 m/s
    way: 6 m
    time: 2 s
    """
    result = f" = {how.result}" if how.result else ""
    lines = [f"{how.name}: {how.formula}{result}", *_values(how)]
    return "\n".join([*lines, *([how.source] if how.source else [])])


def how_table(hows: Iterable[How], language: str = "en") -> pd.DataFrame:
    """Return numbers with their formulas and values as a table, one row for each number."""
    rows = list(hows)

    def column(texts: Iterable[str]) -> pd.Series[str]:
        return pd.Series(list(texts), dtype="str")

    return pd.DataFrame(
        {
            t("Number").render(language): column(how.name for how in rows),
            t("Result").render(language): column(how.result for how in rows),
            t("Formula").render(language): column(how.formula for how in rows),
            t("Values").render(language): column("; ".join(_values(how)) for how in rows),
        }
    )


def _values(how: How) -> list[str]:
    given = how.values  # noqa: PD011 - a tuple of ours, nothing of pandas
    return [f"{name}: {value}" for name, value in given]
