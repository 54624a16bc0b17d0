"""The cost sheet: every amount is a formula over cells that can be changed; docs/reports.md lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xlsxwriter.worksheet import Worksheet

from core.i18n import Text, t
from core.model.answer import Cost, Interval, LoadPoint, RunAnswer
from core.model.price import Price
from core.model.scenario import DemandKind, Scenario
from core.present.bill import UPPER_BOUND
from core.present.names import requests_text
from core.present.numbers import concurrency
from core.present.replicas import DEMANDS
from core.present.report.frames import CANDIDATE, has_candidates, kind_cell
from core.present.report.workbook_demand import HOURS_PER_MONTH, write_demand
from core.present.report.workbook_formulas import Formulas
from core.present.report.workbook_ledger import MONEY, Cell, Ledger
from core.present.report.workbook_page import NUMBER, SMALL_MONEY, UNKNOWN, WHOLE, Book
from core.price.formula import SECONDS_PER_HOUR
from core.price.inputs import CostInputs, billed, cost_inputs

ONE_ACCELERATOR, WHOLE_DEPLOYMENT = t("one accelerator"), t("the whole deployment")

_SHARE = "0.0##%"


@dataclass(frozen=True, kw_only=True)
class RunCells:
    """What other sheets point at. None where the cost sheet has no such line.

    Attributes:
        output: cost per million output tokens, "low", "mid" and "high": at the safe number, for a batch at its
            highest throughput. job: cost of the whole job.
    """

    output: Mapping[str, Cell]
    job: Mapping[str, Cell] | None = None
    replicas: Cell | None = None
    monthly: Cell | None = None


def write_cost(book: Book, sheet: Worksheet, scenario: Scenario) -> tuple[RunCells, ...]:
    """Write the sheet and return where its results stand, one for each answer."""
    price, say = scenario.price, book.say
    ledger = Ledger(book=book, sheet=sheet, currency=price.currency if price else "")
    sheet.set_column(0, 0, 62)
    sheet.set_column(1, 3, 16)
    sheet.set_column(4, 4, 24)
    ledger.line(say(t("Cost")), "title")
    ledger.line(say(t("Yellow cells are yours to change; every amount in this workbook follows them.")), "quiet")
    if has_candidates(scenario):
        ledger.line(say(CANDIDATE), "badge")
    _shared(ledger, scenario, price)
    return tuple(_run(ledger, scenario, place) for place in range(len(scenario.answers)))


def _shared(ledger: Ledger, scenario: Scenario, price: Price | None) -> None:
    """Write what holds for every run."""
    say, demand = ledger.book.say, scenario.demand
    known = price or Price(amount=1.0, per_accelerator=True)
    basis = ONE_ACCELERATOR if known.per_accelerator else WHOLE_DEPLOYMENT
    ledger.row += 1
    ledger.heading(say(t("What holds for every run")))
    ledger.given("price_per_hour", t("Price per hour"), price.amount if price else None, unit=MONEY)
    ledger.choice("price_basis", t("The price is for"), say(basis), (say(ONE_ACCELERATOR), say(WHOLE_DEPLOYMENT)))
    ledger.given("currency", t("Currency"), price.currency if price else None)
    weight, cached = known.output_weight, known.cached_weight
    ledger.given("output_weight", t("Input tokens that cost as much as one output token"), weight, number="General")
    ledger.given("cached_weight", t("Price of a cached input token over that of another"), cached, number="General")
    ledger.given("hours_per_month", t("Hours per month"), HOURS_PER_MONTH, unit="h", number=WHOLE)
    if demand:
        unit = say(DEMANDS[demand.kind])
        ledger.given("demand_peak", t("Demand at its peak"), demand.peak, unit=unit, number="General")
    if demand and demand.kind is DemandKind.USERS:
        pause = t("Pause of a user between an answer and the next request")
        ledger.given("think_time_s", pause, scenario.think_time_s, unit="s", number="General")


def _run(ledger: Ledger, scenario: Scenario, place: int) -> RunCells:
    """Write the blocks of one run, `place` counted from 0."""
    answer, price, say = scenario.answers[place], scenario.price, ledger.book.say
    batch, name = answer.batch, f"run_{place + 1}"
    paid = answer.cost or answer.cost_at_estimate or (batch.cost if batch else None)
    count = billed(answer.run, price, paid)
    ledger.row += 1
    ledger.heading(f"{answer.run.label} ({kind_cell(answer.run, ledger.book.language)})")
    ledger.given(f"{name}_accelerators", t("Number of accelerators"), count, number="General")
    words = Formulas(run=name, unknown=say(UNKNOWN), one=say(ONE_ACCELERATOR))
    bill = ledger.worked_out(t("Bill per hour"), words.bill(), _per_hour(price, count), unit=MONEY)
    words = Formulas(run=name, unknown=say(UNKNOWN), one=say(ONE_ACCELERATOR), hour=bill.here)
    block = _Block(ledger=ledger, words=words, scenario=scenario, answer=answer, bill=bill)
    output = block.cost("safe", _safe_title(answer, ledger.book.language), answer.at_capacity, answer.cost)
    copies = monthly = job = None
    if scenario.demand:
        copies, monthly = write_demand(ledger, words, answer, scenario.demand, scenario.think_time_s, bill)
    if answer.at_estimate:
        title = t("At the estimate: {requests}", requests=_requests(answer.at_estimate, ledger.book.language))
        block.cost("estimate", title, answer.at_estimate, answer.cost_at_estimate)
    if batch:
        best = batch.throughput.point
        title = t("At the highest throughput: {requests}", requests=_requests(best, ledger.book.language))
        output = block.cost("highest", title, best, batch.cost)
        job = block.job(batch.job.completion_s, batch.job.cost) if batch.job else None
    if paid and paid.upper_bound_of_good:
        ledger.line(say(UPPER_BOUND), "quiet")
    return RunCells(output=output, job=job, replicas=copies, monthly=monthly)


def _per_hour(price: Price | None, count: float | None) -> float | None:
    if price is None or not price.per_accelerator:
        return float(price.amount) if price else None
    return None if count is None else float(price.amount * count)


def _safe_title(answer: RunAnswer, language: str) -> Text:
    if not answer.at_capacity:
        return t("At the safe number: there is none")
    return t("At the safe number: {requests}", requests=_requests(answer.at_capacity, language))


def _requests(point: LoadPoint | None, language: str) -> str:
    return requests_text(concurrency(point.at, language), language) if point else UNKNOWN.render(language)


@dataclass(frozen=True, kw_only=True)
class _Block:
    """One run while its loads are written."""

    ledger: Ledger
    words: Formulas
    scenario: Scenario
    answer: RunAnswer
    bill: Cell

    def cost(self, at: str, title: Text, point: LoadPoint | None, cost: Cost | None) -> dict[str, Cell]:
        """Write what one load is worked out from and every amount at it; return those per million output tokens."""
        load, words = f"{self.words.run}_{at}", self.words
        self.ledger.ends(self.ledger.book.say(title))
        targets, price = self.scenario.targets, self.scenario.price
        found = cost_inputs(point, self.answer.run, targets, price, cost) if point else None
        self._inputs(load, found)
        one, every = (cost.per_million_output, cost.per_million_total) if cost else (None, None)
        out, into = (cost.per_million_weighted_output, cost.per_million_weighted_input) if cost else (None, None)
        output = self._row(t("Cost per million output tokens"), words.per_million(load, "output"), one)
        self._row(t("Cost per million tokens, input and output"), words.per_million(load, "total"), every)
        weighted = self._row(t("Cost per million output tokens, weighted"), words.weighted(load), out)
        divided = {end: words.of_weighted(cell.here) for end, cell in weighted.items()}
        self._row(t("Cost per million input tokens, weighted"), divided, into)
        requests = self._request_cost(found)
        self._row(t("Cost per answered request"), words.per_request(load), requests, SMALL_MONEY)
        return output

    def job(self, time: Interval | None, cost: Interval | None) -> dict[str, Cell]:
        """Write what the whole job of a batch costs."""
        self.ledger.given_range(f"{self.words.run}_job_s", t("Time of the job"), time, unit="s", number=WHOLE)
        return self._row(t("Cost of the job"), self.words.job(), cost)

    def _row(
        self, label: Text, formulas: Mapping[str, str], amounts: Interval | None, number: str = NUMBER
    ) -> dict[str, Cell]:
        values = {end: getattr(amounts, end) if amounts else None for end in formulas}
        return self.ledger.worked_out_range(label, formulas, values, unit=MONEY, number=number)

    def _inputs(self, load: str, found: CostInputs | None) -> None:
        ledger, per_s = self.ledger, self.ledger.book.say(t("tokens/s"))
        ledger.given_range(f"{load}_output", t("Output tokens/s"), found.output if found else None, unit=per_s)
        ledger.given_range(f"{load}_input", t("Input tokens/s"), found.input if found else None, unit=per_s)
        ledger.given_range(f"{load}_total", t("Total tokens/s"), found.total if found else None, unit=per_s)
        rate = ledger.book.say(DEMANDS[DemandKind.REQ_S])
        ledger.given_range(f"{load}_requests", t("Requests/s"), found.requests if found else None, unit=rate)
        for key, label, share in (
            ("good_output", t("Share of the output tokens that count"), found.share_output if found else None),
            ("good_input", t("Share of the input tokens that count"), found.share_input if found else None),
            ("good_total", t("Share of all tokens that count"), found.share_total if found else None),
        ):
            ledger.given(f"{load}_{key}", label, share, number=_SHARE)
        cached = t("Share of the input from the prefix cache (empty: unknown, all of it counts)")
        ledger.given(f"{load}_cached", cached, found.cached if found else None, number=_SHARE)

    def _request_cost(self, found: CostInputs | None) -> Interval | None:
        per_hour, rates = self.bill.value, found.requests if found else None
        if not isinstance(per_hour, float) or rates is None:
            return None
        low, mid, high = (
            per_hour / (SECONDS_PER_HOUR * rate) if rate else None for rate in (rates.high, rates.mid, rates.low)
        )
        return Interval(low=low, mid=mid, high=high)
