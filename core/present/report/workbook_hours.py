"""The sheet of the demand over time: every step of every run, with the replicas and the bill of three fleets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from core.fleet.answer import FleetAnswer
from core.i18n import t
from core.present.fleet_tables import day_table
from core.present.report.workbook_cost import RunCells
from core.present.report.workbook_ledger import CURRENCY, Cell, write_formula
from core.present.report.workbook_live import hourly, priced
from core.present.report.workbook_page import NUMBER, UNKNOWN, WHOLE, Book

MOST_FORMULAS = 60_000
"""Amounts that follow the price: of a longer trace the sheet holds the replicas alone, and opens no slower."""

_FIXED, _SCALED, _NEEDED = 3, 4, 5
"""Columns of the replicas: behind run, hour and requests in flight."""

_AMOUNTS = (
    t("Cost per hour, fixed"),
    t("Cost per hour, autoscaled"),
    t("Cost per hour, perfect autoscaler"),
)


def write_hours(
    book: Book, sheet: Worksheet, fleets: Sequence[FleetAnswer], cells: Mapping[str, RunCells], currency: str
) -> None:
    """Write one row for each run and step, below each other, to be filtered by run; amounts follow the price.

    An amount is what the fleet costs an hour while it is as it is at the beginning of the step.
    """
    language = book.language
    tables = [(found, day) for found in fleets if (day := _day(found, language)) is not None]
    frame = pd.concat([day for _, day in tables], ignore_index=True)
    book.data(sheet, frame, frozen=2)
    if len(_AMOUNTS) * len(frame) > MOST_FORMULAS:
        return
    heads = [*(book.say(name) for name in _AMOUNTS), book.say(t("Currency"))]
    first = len(frame.columns)
    for place, head in enumerate(heads, start=first):
        book.head(sheet, 0, place, head, number=place < first + len(_AMOUNTS))
        sheet.set_column(place, place, 14)
    row = 0
    for found, day in tables:
        own = cells[found.pools[0].answer.run.id]
        for at in range(len(day)):
            row += 1
            if own.replicas:
                write_formula(book, sheet, (row, _FIXED), own.replicas.place, own.replicas.value, WHOLE)
            for place, cell in enumerate(_amounts(book, found, own, row, at), start=first):
                write_formula(book, sheet, (row, place), cell.place, cell.value, NUMBER)
            write_formula(book, sheet, (row, first + len(_AMOUNTS)), CURRENCY, currency, "General")
    sheet.autofilter(0, 0, max(len(frame), 1), first + len(heads) - 1)


def has_hours(fleets: Sequence[FleetAnswer]) -> bool:
    """Return True where the demand of any fleet moves over time."""
    return any(found.over_time is not None and not found.untold for found in fleets)


def _day(found: FleetAnswer, language: str) -> pd.DataFrame | None:
    """Return the steps of one run with its name before them."""
    day = None if found.untold else day_table(found, language)
    if day is None:
        return None
    label = found.pools[0].answer.run.label
    day.insert(0, t("Run").render(language), pd.Series([label] * len(day), dtype="str"))
    return day


def _amounts(book: Book, found: FleetAnswer, own: RunCells, row: int, at: int) -> Iterator[Cell]:
    """Yield the three amounts of a row for the step `at` of a fleet; the fixed one costs the same in every step."""
    over = found.over_time
    month = (own.monthly or {}).get("mid")
    yield hourly(month, book) if month else Cell(f'"{book.say(UNKNOWN)}"', None)
    for place, counts in ((_SCALED, over.scaled), (_NEEDED, over.needed)) if over else ():
        yield priced(xl_rowcol_to_cell(row, place), float(counts[at]), own.bill, book)
