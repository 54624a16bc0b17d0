"""How old the prices are that amounts rest on: which runs are paid with them, and a column for files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price, price_for
from core.present.names import SEPARATOR
from core.present.price_words import price_marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """What tells how old prices are.

    Attributes:
        today: the day on which it is read; None marks nothing.
        price: what the runs are paid with, None where there is none.
    """

    today: date | None = None
    price: Price | None = None


UNDATED = Dated()


def bill_marks(answers: Iterable[RunAnswer], dated: Dated, language: str = "en") -> tuple[str, ...]:
    """Return what is to be said of the prices that runs are paid with, each thing once."""
    if dated.today is None:
        return ()
    prices = [price_for(dated.price, answer.run.id) for answer in answers]
    return tuple(dict.fromkeys(mark for price in prices for mark in price_marks(price, dated.today, language)))


def with_marks(frame: pd.DataFrame, marks: Sequence[Sequence[str]], language: str = "en") -> pd.DataFrame:
    """Return a table for a file with what is to be said of the price of each row in a last column, where there is any.

    Args:
        frame: one row for each of `marks`.
        marks: of each row.
        language: "en" or "ko".
    """
    if not any(marks):
        return frame
    column = pd.Series([SEPARATOR.join(each) or None for each in marks], index=frame.index, dtype="str")
    return frame.assign(**{t("To mind about the price").render(language): column})
