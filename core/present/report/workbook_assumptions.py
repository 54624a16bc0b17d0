"""The last sheet: what the numbers rest on, what could change them, and who says so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from xlsxwriter.worksheet import Worksheet

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.price import Price, price_for, quoted_in
from core.model.run import Kind, Run
from core.model.scenario import Scenario
from core.present.assumptions import HIDDEN, price_source
from core.present.bill import PAID_FOR, basis_text
from core.present.doubts import doubt_text, named_reasons
from core.present.fleet_said import fleet_said
from core.present.headline import promise
from core.present.measure import next_text
from core.present.names import target_text
from core.present.numbers import plain
from core.present.replicas import demand_text
from core.present.report.frames import CANDIDATE
from core.present.report.memo_parts import SavedAs
from core.present.report.workbook_page import UNKNOWN, Book
from core.present.traffic import traffic_text
from core.present.users import active_users


def write_assumptions(
    book: Book, sheet: Worksheet, scenario: Scenario, saved: SavedAs, link: str | None, *, prices_hidden: bool = False
) -> None:
    """Write one row for each thing that the numbers rest on."""
    widths = (38, 110)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, width)
    for column, head in enumerate((t("What"), t("How it is"))):
        book.put(sheet, 0, column, book.say(head), "head")
    hidden = [(book.say(t("Price")), book.say(HIDDEN))] if prices_hidden else []
    rows = [*hidden, *_scenario(book, scenario, saved, link), *_runs(book, scenario, saved)]
    for row, (name, said) in enumerate(((n, s) for n, s in rows if s), start=1):
        book.put(sheet, row, 0, name, "wrapped", bold=True)
        book.put(sheet, row, 1, said, "wrapped")
        book.tall(sheet, row, (name, said), widths)
    sheet.freeze_panes(1, 1)
    sheet.repeat_rows(0)


def _scenario(book: Book, scenario: Scenario, saved: SavedAs, link: str | None) -> Iterator[tuple[str, str | None]]:
    say, language = book.say, book.language
    candidates = [answer.run.label for answer in scenario.answers if answer.run.kind is Kind.SIMULATED]
    yield say(t("Scenario")), scenario.name
    yield say(t("Candidate, not confirmed")), ", ".join(candidates) or None
    yield say(t("Notes")), scenario.notes or None
    yield say(t("Targets")), "\n".join(target_text(target, language) for target in scenario.targets) or None
    demand = scenario.demand
    yield say(t("Demand at its peak")), demand_text(demand, language) if demand else None
    currency = quoted_in(scenario.price)
    yield say(t("Fleet")), fleet_said(scenario.fleet, currency, language) if scenario.fleet else None
    think = scenario.think_time_s
    pause = t("Pause of a user between an answer and the next request (s)")
    yield say(pause), None if think is None else plain(think, language)
    yield say(t("Your own traffic")), traffic_text(scenario.traffic, language) if scenario.traffic else None
    yield say(t("Saved")), f"{saved.when.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC" if saved.when else None
    yield say(t("Version")), None if saved.version is None else str(saved.version)
    yield say(t("Method")), scenario.method_version
    yield say(t("Constants")), scenario.constants_version or say(UNKNOWN)
    yield "Plimsoll", scenario.app_version
    yield say(t("Link")), link
    yield say(t("How cost is worked out")), say(_COST)
    if not scenario.price or not scenario.price.by_run:
        for name, value in price_source(scenario.price, language, today=saved.read_on):
            yield say(name), value


def _runs(book: Book, scenario: Scenario, saved: SavedAs) -> Iterator[tuple[str, str | None]]:
    """Yield what holds for each run alone."""
    for answer in scenario.answers:
        for name, said in (*_run(book, answer, scenario.think_time_s), *_paid(book, answer.run, scenario.price, saved)):
            yield f"{answer.run.label}: {name}", said


def _paid(book: Book, run: Run, price: Price | None, saved: SavedAs) -> Iterator[tuple[str, str | None]]:
    """Yield what a run is paid with, where runs have prices of their own."""
    if price and price.by_run:
        yield book.say(PAID_FOR), basis_text(run, price, book.language)
        for name, value in price_source(price_for(price, run.id), book.language, today=saved.read_on):
            yield book.say(name), value


def _run(book: Book, answer: RunAnswer, think_s: float | None) -> Iterator[tuple[str, str | None]]:
    say, language = book.say, book.language
    if answer.run.kind is Kind.SIMULATED:
        yield say(t("where the numbers come from")), say(CANDIDATE)
    yield say(t("what the number promises")), say(promise(answer.capacity)) if answer.per_target else None
    users = None if think_s is None else active_users(answer, think_s)
    yield say(t("active users")), None if users is None else plain(users, language, digits=2)
    doubts = (doubt_text(answer.capacity.doubt, language), *named_reasons(answer, language))
    yield say(t("what weakens it")), " ".join(part for part in doubts if part) or None
    yield say(t("what to measure next")), next_text(answer, language) or None
    files = ", ".join(file.name for file in answer.run.files)
    yield say(t("files")), files or None


_COST: Text = t(
    "Each figure puts the whole bill on its tokens, so that figures are never added; only the weighted pair adds up. "
    "Idle hours and spares are not in them, and taxes only where the price says so."
)
