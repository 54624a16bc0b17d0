"""The sheet of the fleets: how many, what each caution adds, ways to pay, autoscaling, the budget, break-even."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from xlsxwriter.worksheet import Worksheet

from core.fleet.amounts import amounts
from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable
from core.i18n import Text, t
from core.model.scenario import Scenario
from core.present.assumptions import HIDDEN
from core.present.dated import UNDATED, Dated
from core.present.fleet_budget import budget_notes, budget_text, promise_texts
from core.present.fleet_files import cautions_file, hardware_file, numbers_file
from core.present.fleet_scenario import divided_text
from core.present.fleet_tables import HOUR, MONTH, REPLICAS, break_even_texts
from core.present.fleet_words import fleet_words, scaling_note, stacked_texts
from core.present.report.workbook_blocks import Blocks
from core.present.report.workbook_cost import RunCells
from core.present.report.workbook_ledger import Cell
from core.present.report.workbook_live import hourly
from core.present.report.workbook_page import Book
from core.present.report.workbook_ways import Numbers, break_even_file, write_ways


def write_fleet(
    book: Book,
    sheet: Worksheet,
    scenario: Scenario,
    fleets: Sequence[FleetAnswer],
    bought: Sequence[Affordable],
    cells: Mapping[str, RunCells],
    *,
    dated: Dated = UNDATED,
    prices_hidden: bool = False,
) -> None:
    """Write a block for each run; what the cost sheet works out points there, by the id of the run.

    `dated` tells which prices are old.
    """
    say, language = book.say, book.language
    blocks = Blocks(book, sheet)
    blocks.title(say(t("Fleet")))
    blocks.words(divided_text(scenario.fleet, language), "quiet")
    blocks.words(
        say(
            t(
                "Change the price on the sheet of costs, and every rent here follows. Change the demand there, and the "
                "replicas and the rent of the fixed fleet follow. Everything else here stays as it is, the ends of the "
                "range of replicas too."
            )
        ),
        "quiet",
    )
    for found in fleets:
        _one(blocks, found, cells, dated, prices_hidden=prices_hidden)
    _budget(blocks, scenario, fleets, bought, dated)


def _one(
    blocks: Blocks, found: FleetAnswer, cells: Mapping[str, RunCells], dated: Dated, *, prices_hidden: bool
) -> None:
    say, language = blocks.book.say, blocks.book.language
    said = fleet_words(found, language)
    money = say(HIDDEN) if said.money and prices_hidden else said.money
    blocks.heading(_label(found))
    blocks.words(said.first, "first")
    for line in (money, *said.lines, said.fix, said.caution, *stacked_texts(found, language)):
        blocks.words(line)
    if found.untold:
        return
    numbers = Numbers(frame=numbers_file(found, language, dated), top=blocks.row)
    blocks.frame(numbers.frame, _followed(found, cells, numbers.frame, blocks.book))
    blocks.heading(say(t("What each caution adds")))
    blocks.frame(cautions_file(found, language, dated))
    if found.ways:
        blocks.heading(say(t("Rent, reserve, own, or buy tokens")))
        write_ways(blocks, found, cells.get(found.pools[0].answer.run.id), numbers, dated)
    if found.break_even:
        blocks.heading(say(t("Where another way to pay costs the same")))
        blocks.frame(break_even_file(found, language))
        for text in break_even_texts(found, language, dated):
            blocks.words(f"{text}.")
    blocks.words(scaling_note(found, language), "quiet")


def _budget(
    blocks: Blocks,
    scenario: Scenario,
    fleets: Sequence[FleetAnswer],
    bought: Sequence[Affordable],
    dated: Dated,
) -> None:
    """Write what the budget buys on each run, and which promise it pays for."""
    fleet, price, language = scenario.fleet, scenario.price, blocks.book.language
    budget = amounts(fleet, price).budget if fleet and price else None
    if not bought or budget is None or price is None:
        return
    currency = price.currency
    blocks.heading(blocks.book.say(t("This budget and this demand: which promise, which hardware")))
    blocks.frame(hardware_file(bought, currency, language, dated))
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
        (HOUR, {end: hourly(cell, book) for end, cell in month.items()}),
    )
    return {
        (names.index(book.say(name)), ends[end]): cell
        for name, by_end in followed
        if book.say(name) in names
        for end, cell in by_end.items()
    }


def _label(found: FleetAnswer) -> str:
    return found.pools[0].answer.run.label
