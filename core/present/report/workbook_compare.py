"""The sheet of the runs side by side: who leads, the multiples with what they stand on, the seven conditions."""

from __future__ import annotations

from collections.abc import Mapping

from xlsxwriter.worksheet import Worksheet

from core.compare.compare import Comparison
from core.i18n import t
from core.model.scenario import Scenario
from core.present.compare_files import (
    cost_rows,
    multiples_file,
    quantities_file,
    runs_file,
    value_columns,
    verdicts_file,
)
from core.present.compare_notes import hidden_note
from core.present.compare_scenario import said_of, study_of
from core.present.compare_table import matrix_table, open_table
from core.present.compare_words import next_step
from core.present.report.workbook_blocks import Blocks
from core.present.report.workbook_cost import RunCells
from core.present.report.workbook_ledger import Cell
from core.present.report.workbook_page import Book
from core.present.study import evidence_table


def write_compare(
    book: Book,
    sheet: Worksheet,
    scenario: Scenario,
    found: Comparison,
    cells: Mapping[str, RunCells],
    *,
    prices_hidden: bool = False,
) -> None:
    """Write the sheet; amounts that the cost sheet works out point at it, by the id of the run."""
    say, language = book.say, book.language
    blocks, change = Blocks(book, sheet), study_of(scenario)
    said = said_of(found, change, language)
    blocks.title(say(t("The runs side by side")))
    if said:
        blocks.words(said.sentence, "first")
        note = hidden_note(found) if prices_hidden else None
        blocks.words(f"{say(note)}." if note else None)
        for line in (said.why, next_step(found, language), *said.multiples, said.accepted, said.study):
            blocks.words(line)
    blocks.heading(say(t("Numbers, in the order of the files")))
    blocks.frame(runs_file(found, language))
    blocks.row += 1
    blocks.frame(quantities_file(found, language), _pointed(found, cells, language))
    blocks.words(say(t("Ranges are those of nine chances in ten.")), "quiet")
    if found.multiples:
        blocks.heading(say(t("How many times")))
        blocks.frame(multiples_file(found, language))
        if said:
            blocks.words(said.accepted)
        follows = t("Chances and multiples stay as they are when you type another price.")
        blocks.words(say(follows), "quiet")
    blocks.heading(say(t("Who leads in what")))
    blocks.frame(verdicts_file(found, language))
    blocks.heading(say(t("The seven conditions")))
    blocks.frame(matrix_table(found, language))
    open_ = open_table(found, language)
    if len(open_):
        blocks.heading(say(t("What differs or is unknown")))
        blocks.frame(open_)
    if change:
        blocks.heading(say(t("Before and after a change")))
        blocks.frame(evidence_table(change, language))


def _pointed(found: Comparison, cells: Mapping[str, RunCells], language: str) -> dict[tuple[int, str], Cell]:
    """Return the cells of the cost at the safe number, by row and column."""
    at_safe = {answer.run.id for answer in found.answers if answer.batch is None and answer.run.id in cells}
    return {
        (row, name): cells[run].output[end]
        for row, run in cost_rows(found).items()
        if run in at_safe
        for end, name in value_columns(language).items()
    }
