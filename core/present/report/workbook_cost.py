"""The cost sheet: every amount is a formula over cells that can be changed; docs/reports.md lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from xlsxwriter.worksheet import Worksheet

from core.i18n import Text, t
from core.model.answer import Cost, Interval, LoadPoint, RunAnswer
from core.model.price import Price, price_for
from core.model.scenario import DemandKind, Scenario
from core.present.bill import UPPER_BOUND
from core.present.names import requests_text
from core.present.numbers import concurrency
from core.present.replicas import DEMANDS
from core.present.report.frames import CANDIDATE, HIDDEN_HERE, has_candidates, kind_cell
from core.present.report.workbook_demand import write_demand
from core.present.report.workbook_formulas import Formulas
from core.present.report.workbook_ledger import ENDS, MONEY, Cell, Ledger
from core.present.report.workbook_page import NUMBER, SMALL_MONEY, UNKNOWN, WHOLE, Book
from core.present.report.workbook_price import (
    ONE_ACCELERATOR,
    bill_of,
    write_basis,
    write_own,
    write_price,
    write_terms,
)
from core.present.units import JOBS
from core.price.energy import PowerBasis, kwh, powers
from core.price.formula import HOURS_PER_MONTH, SECONDS_PER_HOUR, over, per_request, scaled
from core.price.inputs import CostInputs, billed, cost_inputs
from core.price.units import users_at

_SHARE = "0.0##%"


@dataclass(frozen=True, kw_only=True)
class RunCells:
    """What other sheets point at. None where the cost sheet has no such line.

    Attributes:
        output: cost per million output tokens, "low", "mid" and "high": at the safe number, for a batch at its
            highest throughput. job: cost of the whole job. bill: of one replica and hour.
    """

    output: Mapping[str, Cell]
    bill: Cell
    job: Mapping[str, Cell] | None = None
    replicas: Cell | None = None
    monthly: Mapping[str, Cell] | None = None


def write_cost(
    book: Book, sheet: Worksheet, scenario: Scenario, *, prices_hidden: bool = False
) -> tuple[RunCells, ...]:
    """Write the sheet and return where its results stand, one for each answer."""
    price, say = scenario.price, book.say
    ledger = Ledger(book=book, sheet=sheet, currency=price.currency if price else "")
    sheet.set_column(0, 0, 62)
    sheet.set_column(1, 3, 16)
    sheet.set_column(4, 4, 24)
    ledger.line(say(t("Cost")), "title")
    yours = t("Yellow cells are yours to change: the amounts here follow, and other sheets say what follows there.")
    ledger.line(say(yours), "quiet")
    if prices_hidden:
        ledger.line(say(HIDDEN_HERE), "badge")
    if has_candidates(scenario):
        ledger.line(say(CANDIDATE), "badge")
    terms = _shared(ledger, scenario, price)
    return tuple(_run(ledger, scenario, place, terms) for place in range(len(scenario.answers)))


def _shared(ledger: Ledger, scenario: Scenario, price: Price | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write what holds for every run; return the factors of the bill, and the cells that may not be empty."""
    say, demand = ledger.book.say, scenario.demand
    known = price or Price(amount=1.0, per_accelerator=True)
    ledger.row += 1
    ledger.heading(say(t("What holds for every run")))
    write_price(ledger, price)
    write_basis(ledger, price)
    terms = write_terms(ledger, price)
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
    return terms


def _run(ledger: Ledger, scenario: Scenario, place: int, terms: tuple[tuple[str, ...], tuple[str, ...]]) -> RunCells:
    """Write the blocks of one run, `place` counted from 0."""
    answer, price, say = scenario.answers[place], scenario.price, ledger.book.say
    batch, name = answer.batch, f"run_{place + 1}"
    paid = answer.cost or answer.cost_at_estimate or (batch.cost if batch else None)
    count = billed(answer.run, price, paid)
    ledger.row += 1
    ledger.heading(f"{answer.run.label} ({kind_cell(answer.run, ledger.book.language)})")
    words = Formulas(run=name, unknown=say(UNKNOWN), one=say(ONE_ACCELERATOR), terms=terms[0], needed=terms[1])
    words = write_own(ledger, price, answer.run.id, words)
    _counted(ledger, words, answer, price, count)
    paid_by = price_for(price, answer.run.id)
    bill = ledger.worked_out(t("Bill per hour"), words.bill(), bill_of(paid_by, count), unit=MONEY)
    words = replace(words, hour=bill.here)
    powered = _power(ledger, words, answer, price)
    block = _Block(
        ledger=ledger, words=words, scenario=scenario, answer=answer, bill=bill, count=count, powered=powered
    )
    output = block.cost("safe", _safe_title(answer, ledger.book.language), answer.at_capacity, answer.cost)
    copies = monthly = job = None
    if scenario.demand:
        copies, monthly = write_demand(ledger, words, answer, scenario, bill)
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
    return RunCells(output=output, bill=bill, job=job, replicas=copies, monthly=monthly)


def _counted(ledger: Ledger, words: Formulas, answer: RunAnswer, price: Price | None, count: float | None) -> None:
    """Write how many accelerators are paid for: of the run, or of both its pools as the person confirmed them."""
    pools = next((pool for pool in price.pools if pool[0] == answer.run.id), None) if price else None
    label = t("Number of accelerators")
    if pools is None:
        ledger.given(f"{words.run}_accelerators", label, count, number="General")
        return
    ledger.given(f"{words.run}_prefill", t("Accelerators for prefill"), pools[1], number="General")
    ledger.given(f"{words.run}_decode", t("Accelerators for decode"), pools[2], number="General")
    cell = ledger.worked_out(label, words.pools(), float(pools[1] + pools[2]), unit="", number="General")
    ledger.book.file.define_name(f"{words.run}_accelerators", f"={cell.place}")


def _power(ledger: Ledger, words: Formulas, answer: RunAnswer, price: Price | None) -> float | None:
    """Write the power of one accelerator, as given or else as the catalogue models it; nothing where nobody knows."""
    known = [power for power in powers(answer.run, price) if power.basis is not PowerBasis.CHIP]
    if not known:
        return None
    given = known[0].figure is None
    label = t("Power of one accelerator, all-in") if given else t("Power of one accelerator, all-in (modelled)")
    ledger.given(f"{words.run}_power_kw", label, known[0].kw, unit="kW", number="General")
    return known[0].kw


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
    count: float | None = None
    powered: float | None = None

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
        inputs = self._row(t("Cost per million input tokens, weighted"), divided, into)
        hits = {end: words.cached(load, cell.here) for end, cell in inputs.items()}
        weight = price.cached_weight if price and found and found.cached is not None else None
        cached = scaled(into, weight) if into and weight is not None else None
        self._row(t("Cost per million cached input tokens, weighted"), hits, cached)
        requests = self._request_cost(found, cost)
        self._row(t("Cost per answered request"), words.per_request(load), requests, SMALL_MONEY)
        if point:
            self._others(load, point)
        return output

    def _others(self, load: str, point: LoadPoint) -> None:
        """Write what only some workloads have: users, sound, electricity."""
        words, bill, think = self.words, self.bill.value, self.scenario.think_time_s
        known = bill if isinstance(bill, float) else None
        users = users_at(self.answer, think) if think is not None and load.endswith("_safe") else None
        if users:
            self.ledger.given_range(f"{load}_users", t("Active users at the safe number"), users, unit="", number=WHOLE)
            amounts = over(known * HOURS_PER_MONTH, users) if known is not None else None
            self._row(t("Cost per active user and month"), words.over(f"{load}_users", "hours_per_month"), amounts)
        if point.audio_s_s:
            sound = point.audio_s_s
            self.ledger.given_range(f"{load}_sound", t("Hours of sound per hour"), sound, unit="")
            amounts = over(known, sound) if known is not None else None
            self._row(t("Cost per hour of sound"), words.over(f"{load}_sound"), amounts, SMALL_MONEY)
        if self.powered and point.output_tok_s:
            label = t("Electricity per million output tokens")
            values = None if self.count is None else over(kwh(self.powered, 1) * self.count, point.output_tok_s)
            ends = {end: getattr(values, end) if values else None for end in ENDS}
            self.ledger.worked_out_range(label, words.energy(load), ends, unit="kWh")

    def job(self, time: Interval | None, cost: Interval | None) -> dict[str, Cell]:
        """Write what the whole job of a batch costs."""
        self.ledger.given_range(f"{self.words.run}_job_s", t("Time of the job"), time, unit="s", number=WHOLE)
        jobs = over(SECONDS_PER_HOUR / self.count, time) if time and self.count else None
        ends = {end: getattr(jobs, end) if jobs else None for end in ENDS}
        self.ledger.worked_out_range(JOBS, self.words.jobs(), ends, unit="", number=SMALL_MONEY)
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
            ("good_requests", t("Share of the requests that count"), found.share_requests if found else None),
        ):
            ledger.given(f"{load}_{key}", label, share, number=_SHARE)
        cached = t("Share of the input from the prefix cache (empty: unknown, all of it counts)")
        ledger.given(f"{load}_cached", cached, found.cached if found else None, number=_SHARE)

    def _request_cost(self, found: CostInputs | None, cost: Cost | None) -> Interval | None:
        if cost and cost.per_request:
            return cost.per_request
        hour, rates = self.bill.value, found.requests if found else None
        if not isinstance(hour, float) or rates is None or found is None:
            return None
        return per_request(hour, scaled(rates, found.share_requests))
