"""The sheet of the fleets: how many, what each caution adds, ways to pay, autoscaling, the budget, break-even."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from xlsxwriter.worksheet import Worksheet

from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable
from core.i18n import Text, t
from core.model.scenario import Scenario
from core.present.fleet_budget import budget_notes, budget_text, promise_texts
from core.present.fleet_files import cautions_file, hardware_file, numbers_file, ways_file
from core.present.fleet_scenario import divided_text
from core.present.fleet_tables import HOUR, MONTH, REPLICAS, WAYS, break_even_texts, day_table
from core.present.fleet_words import fleet_words, scaling_note, stacked_texts
from core.present.report.workbook_blocks import Blocks
from core.present.report.workbook_cost import RunCells
from core.present.report.workbook_ledger import Cell
from core.present.report.workbook_page import UNKNOWN, Book
from core.price.formula import HOURS_PER_MONTH

MONTH_ENDS = {"low": t("A month, from"), "mid": t("A month"), "high": t("A month, to")}


def write_fleet(
    book: Book,
    sheet: Worksheet,
    scenario: Scenario,
    fleets: Sequence[FleetAnswer],
    bought: Sequence[Affordable],
    cells: Mapping[str, RunCells],
) -> None:
    """Write a block for each run; what the cost sheet works out points there, by the id of the run."""
    say, language = book.say, book.language
    blocks = Blocks(book, sheet)
    blocks.title(say(t("Fleet")))
    blocks.words(divided_text(scenario.fleet, language), "quiet")
    blocks.words(
        say(
            t(
                "Replicas, their cost per hour and per month, and the rent of a fixed fleet follow the sheet of costs; "
                "the ends of the range of replicas and all else are fixed, as saved."
            )
        ),
        "quiet",
    )
    for found in fleets:
        _one(blocks, found, cells)
    _budget(blocks, scenario, fleets, bought)
    for found in fleets[:1]:
        # The demand over time is that of every run; what serves it is told of the first.
        day = day_table(found, language)
        if day is not None and not found.untold:
            blocks.heading(say(t("Over the day: {run}", run=_label(found))))
            blocks.words(scaling_note(found, language), "quiet")
            blocks.frame(day)


def _one(blocks: Blocks, found: FleetAnswer, cells: Mapping[str, RunCells]) -> None:
    say, language = blocks.book.say, blocks.book.language
    said = fleet_words(found, language)
    blocks.heading(_label(found))
    blocks.words(said.first, "first")
    for line in (said.money, *said.lines, said.fix, said.caution, *stacked_texts(found, language)):
        blocks.words(line)
    if found.untold:
        return
    numbers = numbers_file(found, language)
    blocks.frame(numbers, _followed(found, cells, numbers, blocks.book))
    blocks.heading(say(t("What each caution adds")))
    blocks.frame(cautions_file(found, language))
    if found.ways:
        blocks.heading(say(t("Rent, reserve, own, or buy tokens")))
        frame = ways_file(found, language)
        blocks.frame(frame, _rent(found, cells, [str(name) for name in frame.iloc[:, 0]], language))
        for text in break_even_texts(found, language):
            blocks.words(f"{text}.")


def _budget(blocks: Blocks, scenario: Scenario, fleets: Sequence[FleetAnswer], bought: Sequence[Affordable]) -> None:
    """Write what the budget buys on each run, and which promise it pays for."""
    language, currency = blocks.book.language, scenario.price.currency if scenario.price else ""
    budget = scenario.fleet.budget if scenario.fleet else None
    if not bought or budget is None:
        return
    blocks.heading(blocks.book.say(t("This budget and this demand: which promise, which hardware")))
    blocks.frame(hardware_file(bought, currency, language))
    for one, found in zip(bought, fleets, strict=False):
        blocks.words(f"{one.answer.run.label}: {budget_text(one, found.demand, budget, currency, language)}.")
        for text in (*promise_texts(one, currency, language), *budget_notes(found, language)):
            blocks.words(f"{text}.")


def _followed(
    found: FleetAnswer, cells: Mapping[str, RunCells], numbers: pd.DataFrame, book: Book
) -> dict[tuple[int, str], Cell]:
    """Return the cells of the numbers that the cost sheet works out: replicas, and their bill an hour and a month."""
    own = cells.get(found.pools[0].answer.run.id)
    if own is None:
        return {}
    names, columns = [str(name) for name in numbers.iloc[:, 0]], [str(name) for name in numbers.columns]
    ends = dict(zip(("mid", "low", "high"), columns[1:4], strict=True))
    month = own.monthly or {}
    followed: tuple[tuple[Text, Mapping[str, Cell]], ...] = (
        (REPLICAS, {"mid": own.replicas} if own.replicas else {}),
        (MONTH, month),
        (HOUR, {end: _hourly(cell, book) for end, cell in month.items()}),
    )
    return {
        (names.index(book.say(name)), ends[end]): cell
        for name, by_end in followed
        if book.say(name) in names
        for end, cell in by_end.items()
    }


def _hourly(month: Cell, book: Book) -> Cell:
    """Return the bill of an hour, from that of a month."""
    unknown = book.say(UNKNOWN)
    hour = month.value / HOURS_PER_MONTH if isinstance(month.value, float | int) else None
    return Cell(f'IF(ISNUMBER({month.place}),{month.place}/hours_per_month,"{unknown}")', hour)


def _rent(
    found: FleetAnswer, cells: Mapping[str, RunCells], ways: Sequence[str], language: str
) -> dict[tuple[int, str], Cell]:
    """Return the cells of the bill of a fixed fleet that is rented."""
    own = cells.get(found.pools[0].answer.run.id)
    rent = WAYS["rent"].render(language)
    if own is None or own.monthly is None or rent not in ways:
        return {}
    return {(ways.index(rent), name.render(language)): own.monthly[end] for end, name in MONTH_ENDS.items()}


def _label(found: FleetAnswer) -> str:
    return found.pools[0].answer.run.label
