"""The first sheet: the decision in a sentence, then the runs side by side; every amount points at the cost sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
from xlsxwriter.worksheet import Worksheet

from core.i18n import Text, t
from core.model.answer import Capacity, RunAnswer
from core.model.scenario import Scenario
from core.present.batch import batch_columns
from core.present.demand import replicas_columns, replicas_header
from core.present.headline import headline
from core.present.names import target_text
from core.present.report.frames import CANDIDATE, HIDDEN_HERE, KIND, RUN, decided, has_candidates, kind_cell
from core.present.report.workbook_cost import RunCells
from core.present.report.workbook_ledger import CURRENCY, Cell, write_formula
from core.present.report.workbook_page import LINE, LOAD, NUMBER, WHOLE, Book, lines_of, wide
from core.present.status import status_of
from core.present.stopped import stop_cell
from core.present.users import active_users

_WIDE = 120
"""Width of the sentences in digits."""

_WIDEST = 30

_LAST_COLUMN = 9

Value = float | int | str | Cell | None


@dataclass(frozen=True, kw_only=True)
class _Column:
    """One column of the table: its head, one cell a run, how numbers are shown; None for words."""

    head: str
    cells: Sequence[Value]
    number: str | None = None

    @property
    def width(self) -> int:
        """Return how wide it is, in digits."""
        words = [cell for cell in self.cells if isinstance(cell, str)]
        return min(wide(self.head, words, number=self.number is not None), _WIDEST)


def write_summary(
    book: Book, sheet: Worksheet, scenario: Scenario, cells: Sequence[RunCells], *, prices_hidden: bool = False
) -> None:
    """Write the sheet: name, one sentence for each run, the table."""
    say, language = book.say, book.language
    book.put(sheet, 0, 0, scenario.name, "title")
    targets = " · ".join(target_text(target, language) for target in scenario.targets)
    book.put(sheet, 1, 0, say(t("Within the targets: {targets}", targets=targets)) if targets else None, "quiet")
    row = 2
    badges = [CANDIDATE] if has_candidates(scenario) else []
    for badge in (*badges, HIDDEN_HERE) if prices_hidden else badges:
        book.put(sheet, row, 0, say(badge), "badge")
        row += 1
    for answer in scenario.answers:
        row = _sentence(book, sheet, row + 1, answer, scenario)
    columns = _columns(book, scenario, cells)
    _table(book, sheet, row + 1, columns)
    hint = t("The amounts are formulas: change the price on the sheet of costs, and they follow.")
    book.put(sheet, row + len(scenario.answers) + 3, 0, say(hint), "quiet")


def _sentence(book: Book, sheet: Worksheet, row: int, answer: RunAnswer, scenario: Scenario) -> int:
    """Write what is said of one run, without the money in it; return the next free row."""
    think = scenario.think_time_s
    users = None if think is None else active_users(answer, think)
    said = headline(answer, book.language, users=users)
    first = " ".join(part for part in (said.lead, said.safe) if part)
    label = f"{answer.run.label}: " if len(scenario.answers) > 1 else ""
    doubt = " · ".join(part for part in (said.estimate, said.stopped_by, said.throughput, *said.beside) if part)
    notes = (doubt, said.measured, said.widened, *said.meaning, said.source, said.caution)
    for text, style in ((label + first, "first"), *((note, "wrapped") for note in notes if note)):
        sheet.merge_range(row, 0, row, _LAST_COLUMN, "", book.style(style))
        book.put(sheet, row, 0, text, style)
        tall = 1.25 if style == "first" else 1.0
        sheet.set_row(row, LINE * tall * lines_of(text, int(_WIDE / tall)))
        row += 1
    return row


def _columns(book: Book, scenario: Scenario, cells: Sequence[RunCells]) -> list[_Column]:
    """Return the table, column by column; one that says nothing of any run is left out."""
    answers, say = scenario.answers, book.say
    words = [
        _Column(head=say(RUN), cells=[answer.run.label for answer in answers]),
        _Column(head=say(KIND), cells=[kind_cell(answer.run, book.language) for answer in answers]),
        _Column(head=say(t("Answer")), cells=[say(status_of(a.capacity)) for a in answers]),
        *_capacities(book, answers, lambda answer: answer.capacity, t("Safe number"), t("Range from"), t("Range to")),
        _Column(head=say(t("Stopped by")), cells=[stop_cell(answer, book.language) for answer in answers]),
        *_capacities(
            book,
            answers,
            lambda answer: answer.for_traffic.capacity if answer.for_traffic else None,
            t("Safe number for your traffic"),
            t("For your traffic, range from"),
            t("For your traffic, range to"),
        ),
    ]
    if any(answer.batch for answer in answers):
        said = batch_columns(answers, book.language)[:2]
        words += [_Column(head=say(name), cells=list(column)) for name, column in said]
    own = [_Column(head=name, cells=said) for name, said in decided(scenario, book.language)]
    every = [*words, *_amounts(book, scenario, cells), *own]
    return [column for column in every if any(cell is not None for cell in column.cells)]


def _capacities(
    book: Book,
    answers: Sequence[RunAnswer],
    of: Callable[[RunAnswer], Capacity | None],
    safe: Text,
    start: Text,
    end: Text,
) -> list[_Column]:
    found = [of(answer) for answer in answers]
    ranges = [capacity.concurrency if capacity else None for capacity in found]
    return [
        _Column(head=book.say(safe), cells=[one.safe if one else None for one in found], number=WHOLE),
        _Column(head=book.say(t("Estimate")), cells=[one.mid if one else None for one in ranges], number=LOAD),
        _Column(head=book.say(start), cells=[one.low if one else None for one in ranges], number=LOAD),
        _Column(head=book.say(end), cells=[one.high if one else None for one in ranges], number=LOAD),
    ]


def _amounts(book: Book, scenario: Scenario, cells: Sequence[RunCells]) -> list[_Column]:
    """Return the columns that point at the cost sheet."""
    say = book.say
    heads = {
        "mid": t("Cost per million output tokens"),
        "low": t("Cost, range from"),
        "high": t("Cost, range to"),
    }
    columns = [
        _Column(head=say(head), cells=[cell.output[end] for cell in cells], number=NUMBER)
        for end, head in heads.items()
    ]
    label = scenario.price.currency if scenario.price else ""
    columns.append(_Column(head=say(t("Currency")), cells=[Cell(CURRENCY, label) for _ in cells]))
    if any(cell.job for cell in cells):
        job = [cell.job["mid"] if cell.job else None for cell in cells]
        columns.append(_Column(head=say(t("Cost of the job")), cells=job, number=NUMBER))
    if scenario.demand:
        head = replicas_header(scenario.demand, book.language)
        columns.append(_Column(head=head, cells=[cell.replicas for cell in cells], number=WHOLE))
        demand, think, fleet = scenario.demand, scenario.think_time_s, scenario.fleet
        ends = replicas_columns(scenario.answers, demand, think, book.language, fleet=fleet)[1:]
        columns += [
            _Column(
                head=say(t("{name} (before any change of yours)", name=name)),
                cells=[None if pd.isna(one) else int(one) for one in counts],
                number=WHOLE,
            )
            for name, counts in ends
        ]
        months = {
            "mid": t("Cost per month"),
            "low": t("Cost per month, range from"),
            "high": t("Cost per month, range to"),
        }
        columns += [
            _Column(
                head=say(title), cells=[cell.monthly[end] if cell.monthly else None for cell in cells], number=NUMBER
            )
            for end, title in months.items()
        ]
    return columns


def _table(book: Book, sheet: Worksheet, top: int, columns: Sequence[_Column]) -> None:
    rows, widths = len(columns[0].cells), [column.width for column in columns]
    for row in range(rows + 1):
        cells = [column.cells[row - 1] if row else column.head for column in columns]
        book.tall(sheet, top + row, [cell if isinstance(cell, str) else "" for cell in cells], widths)
    for place, column in enumerate(columns):
        book.head(sheet, top, place, column.head, number=column.number is not None)
        sheet.set_column(place, place, column.width)
        shown = column.number or "General"
        for row, value in enumerate(column.cells, start=top + 1):
            if isinstance(value, Cell):
                write_formula(book, sheet, (row, place), value.place, value.value, shown)
            else:
                book.put(sheet, row, place, value, "cell" if isinstance(value, str) else "text", num_format=shown)
    sheet.autofilter(top, 0, top + max(rows, 1), len(columns) - 1)
    sheet.freeze_panes(0, 1)
