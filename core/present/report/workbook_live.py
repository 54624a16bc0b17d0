"""Amounts on sheets beside that of the costs, as formulas over its cells."""

from __future__ import annotations

from core.present.report.workbook_ledger import Cell
from core.present.report.workbook_page import UNKNOWN, Book
from core.price.formula import HOURS_PER_MONTH

MONTH = ("hours_per_month", HOURS_PER_MONTH)
"""The hours of a month as formulas write them, and how many they are as saved."""


def hourly(month: Cell, book: Book) -> Cell:
    """Return the bill of an hour, from that of a month."""
    hour = month.value / HOURS_PER_MONTH if isinstance(month.value, float | int) else None
    return Cell(f'IF(ISNUMBER({month.place}),{month.place}/{MONTH[0]},"{book.say(UNKNOWN)}")', hour)


def priced(place: str, count: float | None, bill: Cell, book: Book, *, hours: tuple[str, float] = ("1", 1.0)) -> Cell:
    """Return what so many replicas cost for some hours, from the bill of one for an hour.

    Args:
        place: of the cell with the replicas.
        count: what it holds, None where it is empty.
        bill: of one replica and hour.
        book: whose word for "unknown" stands where one of the two is.
        hours: as formulas write them, and how many they are.
    """
    formula = f'IF(AND(ISNUMBER({place}),ISNUMBER({bill.place})),{place}*{bill.place}*{hours[0]},"{book.say(UNKNOWN)}")'
    each = bill.value if isinstance(bill.value, float | int) else None
    return Cell(formula, None if count is None or each is None else count * each * hours[1])
