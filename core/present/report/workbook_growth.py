"""The sheet of growth: the replicas and the bill of each month as the demand grows, one block for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from core.fleet.answer import FleetAnswer
from core.i18n import t
from core.present.fleet_purchases import ACCELERATORS, BILL, REPLICAS, SO_FAR, purchases_table, purchases_text
from core.present.report.workbook_blocks import Blocks
from core.present.report.workbook_cost import RunCells
from core.present.report.workbook_ledger import Cell
from core.present.report.workbook_live import MONTH, priced
from core.present.report.workbook_page import UNKNOWN, Book


def write_growth(book: Book, sheet: Worksheet, fleets: Sequence[FleetAnswer], cells: Mapping[str, RunCells]) -> None:
    """Write the sentence and the months of each run; the bills follow the sheet of costs."""
    say, blocks = book.say, Blocks(book, sheet)
    blocks.title(say(t("Bought as the demand grows, month by month")))
    follows = t("Change the price on the sheet of costs, and the bills here follow; the replicas stay as they are.")
    blocks.words(say(follows), "quiet")
    for found in fleets:
        frame = purchases_table(found, book.language)
        if frame is None:
            continue
        answer = found.pools[0].answer
        blocks.heading(answer.run.label)
        blocks.words(f"{purchases_text(found, book.language)}.")
        own = cells.get(answer.run.id)
        blocks.frame(frame, _bills(found, frame, own, blocks) if own else None)


def has_growth(fleets: Sequence[FleetAnswer]) -> bool:
    """Return True where the demand of any fleet grows."""
    return any(found.purchases is not None and not found.untold for found in fleets)


def _bills(found: FleetAnswer, frame: pd.DataFrame, own: RunCells, blocks: Blocks) -> dict[tuple[int, str], Cell]:
    """Return the cells of the bill of each month and of the sum so far, both ends of each."""
    book, names, bought = blocks.book, list(frame.columns), found.purchases
    if bought is None or BILL[0].render(book.language) not in names:
        return {}
    cells: dict[tuple[int, str], Cell] = {}
    counted, each = REPLICAS, 1.0
    if found.fleet.node is not None and ACCELERATORS[1].render(book.language) in names:
        # Whole nodes are paid for: their accelerators are counted, not those that the replicas use.
        counted, each = ACCELERATORS, float(found.pools[0].accelerators or 1)
    for count, bill, so_far in zip(counted, BILL, SO_FAR, strict=True):
        place = names.index(book.say(count))
        column = names.index(book.say(bill))
        for row, value in enumerate(frame[book.say(count)]):
            at, known = blocks.row + 1 + row, None if pd.isna(value) else float(value) / each
            where = xl_rowcol_to_cell(at, place) if each == 1.0 else f"({xl_rowcol_to_cell(at, place)}/{each:g})"
            cells[row, book.say(bill)] = priced(where, known, own.bill, book, hours=MONTH)
            total = frame[book.say(so_far)].iloc[row]
            cells[row, book.say(so_far)] = _sum(
                book, xl_rowcol_to_cell(at, column), xl_rowcol_to_cell(at - 1, column + 3) if row else None, total
            )
    return cells


def _sum(book: Book, bill: str, before: str | None, total: float | None) -> Cell:
    """Return the bills up to a month: its own and the sum before it."""
    value = None if total is None or pd.isna(total) else float(total)
    summed = f"{before}+{bill}" if before else bill
    return Cell(f'IF(ISNUMBER({bill}),{summed},"{book.say(UNKNOWN)}")', value)
