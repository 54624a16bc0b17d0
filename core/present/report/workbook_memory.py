"""The sheet of what memory allows by first principles, for runs whose model a person gave (a config.json, a log)."""

from __future__ import annotations

from collections.abc import Sequence

from xlsxwriter.worksheet import Worksheet

from core.i18n import t
from core.limits.told import reached
from core.model.answer import RunAnswer
from core.present.memory_lines import limits_for
from core.present.memory_tables import floors_table, log_table, parts_table, room_table
from core.present.memory_words import beside, copies_text, gap_texts, impossible, lead, parting_text, reached_texts
from core.present.report.workbook_blocks import Blocks
from core.present.report.workbook_page import Book


def write_memory(book: Book, sheet: Worksheet, answers: Sequence[RunAnswer]) -> None:
    """Write a block for each run with the tables of the screen; reckoned, not measured, is said first."""
    say, language = book.say, book.language
    blocks = Blocks(book, sheet)
    blocks.title(say(t("Memory and floors, reckoned from the model and the hardware")))
    for answer in answers:
        found = limits_for(answer)
        if found is None:
            continue
        memory, targets = found.memory, [each.target for each in answer.per_target]
        blocks.heading(answer.run.label)
        blocks.words(lead(memory, language), "first")
        lines = (
            beside(memory, answer, language),
            copies_text(memory, language),
            parting_text(found.compared, language),
        )
        told = (*lines, *impossible(found, targets, language), *reached_texts(reached(answer.run), language))
        for line in (*told, *gap_texts(memory.unknown, language)):
            blocks.words(line)
        tables = (parts_table(memory, language), room_table(memory, language), floors_table(found, language))
        for frame in (*tables, log_table(found, language)):
            if frame is not None and len(frame):
                blocks.frame(frame)
                blocks.row += 1
