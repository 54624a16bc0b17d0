"""The slides of what only some scenarios ask: which one, and how many for how much a month."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pandas as pd
from pptx.slide import Slide

from core.compare.compare import Comparison
from core.fleet.amounts import amounts
from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable
from core.i18n import t
from core.model.scenario import Scenario
from core.present.assumptions import HIDDEN
from core.present.compare_notes import hidden_note
from core.present.compare_scenario import comparison_of, said_of, study_of
from core.present.compare_table import matrix_table, numbers_table
from core.present.compare_words import accepted_parts, multiple_texts, next_step
from core.present.dated import UNDATED, Dated
from core.present.fleet_budget import budget_notes, budget_text, hardware_table, promise_texts
from core.present.fleet_purchases import purchases_text
from core.present.fleet_scenario import bought_of, divided_text, fleets_of
from core.present.fleet_tables import break_even_texts, cautions_table, ways_table
from core.present.fleet_words import fleet_words, scaling_note, stacked_texts
from core.present.report.memo_parts import Table
from core.present.report.memo_sentence import leading
from core.present.report.memo_widths import shares
from core.present.report.series import Fits
from core.present.report.slides_page import ACROSS, BOTTOM, LEFT, QUIET, TOP, Box, clean, say
from core.present.report.slides_table import add_table, parts
from core.present.report.slides_text import Line, high

NewSlide = Callable[[str], Slide]

FEW, MOST_FLEETS = 5, 4
"""Runs that stand as columns of a table; fleets that have slides of their own."""
_SIZES = (18, 16, 14, 13, 12)


def compare_slides(new: NewSlide, scenario: Scenario, language: str, *, prices_hidden: bool = False) -> None:
    """Add who leads and how sure that is, each multiple with all that it stands on, the numbers, the conditions."""
    found = comparison_of(scenario)
    if found is None:
        return
    title = t("Which one?").render(language)
    spread(new, title, list(_said(found, scenario, language, prices_hidden=prices_hidden)))
    numbers = numbers_table(found, language)
    upright = numbers.set_index(numbers.columns[0]).T.rename_axis("").reset_index()
    side = t("Numbers, in the order of the files").render(language)
    place(new, side, upright if len(numbers) <= FEW and upright.columns.is_unique else numbers)
    place(new, t("The seven conditions").render(language), matrix_table(found, language))


def _said(found: Comparison, scenario: Scenario, language: str, *, prices_hidden: bool) -> Iterator[Line]:
    said = said_of(found, study_of(scenario), language)
    if said is None:
        return
    yield Line(said.sentence or "", 1.35, bold=True)
    note = hidden_note(found) if prices_hidden else None
    for text in (f"{note.render(language)}." if note else None, said.why, next_step(found, language)):
        if text:
            yield Line(text)
    for text in multiple_texts(found, language):
        yield Line(f"{text}.", bullet=True)
    different, unknown = accepted_parts(found, language)
    if different or unknown:
        yield Line(
            t("Accepted differences, on which the ranking and every multiple stand:").render(language), bold=True
        )
    for text in different:
        yield Line(text, 0.9, bullet=True)
    if unknown:
        names = t("Accepted although not known for all runs: {names}.", names=", ".join(unknown))
        yield Line(names.render(language), 0.9, bullet=True)
    if said.study:
        yield Line(said.study)


def fleet_slides(
    new: NewSlide,
    scenario: Scenario,
    fits: Fits,
    language: str,
    *,
    dated: Dated = UNDATED,
    prices_hidden: bool = False,
) -> None:
    """Add each run's fleet with its ways to pay and what each caution adds, then what the budget buys.

    Of more runs than have slides of their own the one that leads is among those that do. `dated` tells old prices.
    """
    fleets = fleets_of(scenario)
    led = leading(scenario)
    shown = [*range(len(fleets))][:MOST_FLEETS]
    if fleets and led not in shown:
        shown = [*shown[:-1], led]
    for at in shown:
        _fleet(new, scenario, fleets[at], language, dated=dated, prices_hidden=prices_hidden)
    bought = bought_of(scenario, fits)
    if bought:
        _budget(new, scenario, fleets, bought, language, dated=dated)


def _fleet(
    new: NewSlide, scenario: Scenario, found: FleetAnswer, language: str, *, dated: Dated, prices_hidden: bool
) -> None:
    said = fleet_words(found, language)
    money = HIDDEN.render(language) if said.money and prices_hidden else said.money
    title = t("Fleet: {run}", run=found.pools[0].answer.run.label).render(language)
    notes = (*said.lines, said.fix, said.caution, *stacked_texts(found, language), scaling_note(found, language))
    told = (*break_even_texts(found, language, dated), purchases_text(found, language))
    ends = [Line(f"{text}.", bullet=True) for text in told if text]
    divided = divided_text(scenario.fleet, language)
    lines = [Line(said.first, 1.35, bold=True), Line(money or "", 1.1, bold=True)]
    spread(new, title, [*lines, *(Line(text) for text in (divided, *notes) if text), *ends])
    if found.untold:
        return
    if found.ways:
        place(new, t("Rent, reserve, own, or buy tokens").render(language), ways_table(found, language, dated), title)
    if found.added:
        place(new, t("What each caution adds").render(language), cautions_table(found, language), title)


def _budget(
    new: NewSlide,
    scenario: Scenario,
    fleets: Sequence[FleetAnswer],
    bought: Sequence[Affordable],
    language: str,
    *,
    dated: Dated,
) -> None:
    fleet, price = scenario.fleet, scenario.price
    budget = amounts(fleet, price).budget if fleet and price else None
    if budget is None or price is None:
        return
    currency = price.currency
    title = t("This budget and this demand: which promise, which hardware").render(language)
    place(new, title, hardware_table(bought, currency, language, dated))
    lines = []
    for one, found in zip(bought, fleets, strict=False):
        told = budget_text(one, found.demand, budget, currency, language)
        lines.append(Line(f"{one.answer.run.label}: {told}.", bold=True))
        lines += [Line(f"{text}.", bullet=True) for text in promise_texts(one, currency, language)]
        lines += [Line(f"{text}.", 0.9, colour=QUIET) for text in budget_notes(found, language)]
    spread(new, title, lines)


def spread(new: NewSlide, title: str, lines: Sequence[Line]) -> None:
    """Write paragraphs over as many slides as they need: none of them is cut."""
    tall = BOTTOM - TOP
    kept = [line for line in lines if line.text]
    size = next((each for each in _SIZES if _tall(kept, each) <= tall), _SIZES[-1])
    while kept:
        count = len(kept)
        while count > 1 and _tall(kept[:count], size) > tall:
            count -= 1
        say(new(title), kept[:count], Box(LEFT, TOP, ACROSS, tall), (size, 11, 10, 9, 8))
        kept = kept[count:]


def _tall(lines: Sequence[Line], size: float) -> float:
    return sum(high(Line(clean(e.text), e.scale, e.bold, e.colour, e.bullet), ACROSS, size) for e in lines)


def place(new: NewSlide, title: str, frame: pd.DataFrame, over: str | None = None) -> None:
    """Add a table of words, on as many slides as it needs; `over` says what it is of."""
    names = tuple(str(name) for name in frame.columns)
    rows = tuple(tuple("" if pd.isna(cell) else str(cell) for cell in row) for row in frame.itertuples(index=False))
    head = f"{over} · {title}" if over else title
    table = Table(title=head, headers=names, rows=rows, numeric=(False,) * len(names), widths=shares([names, *rows]))
    box = Box(LEFT, TOP, ACROSS, BOTTOM - TOP)
    for part in parts(table, box):
        add_table(new(head), part, box)
