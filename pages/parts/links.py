"""What a person asks (targets, price, think time) as parameters of an address, and back.

A link is read by people too: `?t=ttft-p99-500ms&t=tpot-p99-16ms&price=2.5/gpu-h&gpus=run~16`.
Pure: nothing here knows Streamlit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from core.errors import PlimsollError
from core.fleet.days import day_of
from core.model.compared import NOTHING, Compared, compared_texts, parse_compared
from core.model.fleet import Fleet
from core.model.fleet_text import fleet_text, parse_fleet
from core.model.metric import Metric
from core.model.price import Price, RunPrice
from core.model.price_bounds import MOST_MONEY
from core.model.scenario import Demand, DemandKind
from core.model.target import Target, parse_target
from core.model.traffic import Traffic
from core.model.traffic_text import parse_traffic, traffic_texts
from core.model.workload import Workload, WorkloadKind, workload_of
from core.price.run_price import PER_ACCELERATOR, PER_DEPLOYMENT, parse_run_price, run_price_text
from core.price.terms import NO_TERMS, Terms, parse_terms, terms_texts, with_terms
from pages.parts import keys

MOST_TARGETS = 8
MOST_TERMS = 100
OWNED = "own"
"""In place of an amount: what is owned is worked out from its terms."""

CURRENCY_CHARS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A target as typed: its number in the unit beside it."""

    metric: Metric
    statistic: str
    value: float
    unit: str

    @property
    def target(self) -> Target:
        """The promise that the row means."""
        op = ">=" if self.metric.higher_is_better else "<="
        return parse_target(f"{self.metric.value} {self.statistic} {op} {self.value:.12g}{self.unit}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Everything a person asks, beside the files.

    Attributes:
        amount: price per hour, None where no price was given.
        per_accelerator: True if `amount` is for one accelerator.
        counts: accelerators by run id, where the person said so.
        terms: what goes with the price; hardware that is owned needs no amount.
        by_run: prices by run id, of the runs that have their own.
        think_s: seconds between an answer and a user's next request, None if not asked.
        traffic: what the service's own users send, None where nothing was said of it.
        workload: what the deployment is for, None where nobody said; a batch may have no rows.
        demand: what the service has to carry at its peak, None where nobody said.
        fleet: what else was said of the fleet, without a curve from a file, which is no part of an address.
        compared: differences between runs that may stand, and a study of before and after.
    """

    rows: tuple[Row, ...] = ()
    amount: float | None = None
    per_accelerator: bool = True
    currency: str = "USD"
    counts: tuple[tuple[str, int], ...] = ()
    think_s: float | None = None
    traffic: Traffic | None = None
    workload: Workload | None = None
    demand: Demand | None = None
    fleet: Fleet | None = None
    terms: Terms = NO_TERMS
    compared: Compared = NOTHING
    by_run: tuple[tuple[str, RunPrice], ...] = ()

    @property
    def is_batch(self) -> bool:
        """True where throughput leads: then no target is needed."""
        return self.workload is not None and self.workload.kind is WorkloadKind.BATCH

    @property
    def own_traffic(self) -> Traffic | None:
        """The service's traffic with the pause of its users."""
        if self.traffic is None or self.think_s is None:
            return self.traffic
        return replace(self.traffic, think_s=self.think_s)

    @property
    def targets(self) -> tuple[Target, ...]:
        """The promises, without repetition, in the order of the rows."""
        return tuple(dict.fromkeys(row.target for row in self.rows))

    @property
    def price(self) -> Price | None:
        """The price with those of single runs, None where there is none."""
        amount = self.terms.owned.per_hour if self.terms.owned else self.amount
        if amount is None and not self.by_run:
            return None
        price = Price(
            amount=amount,
            per_accelerator=self.per_accelerator,
            accelerators=self.counts,
            currency=self.currency,
            by_run=self.by_run,
        )
        return with_terms(price, self.terms)


def to_params(ask: Ask) -> dict[str, list[str]]:
    """Return the parameters that restore `ask`."""
    params: dict[str, list[str]] = {
        keys.Q_TARGET: [f"{row.metric.value}-{row.statistic}-{row.value:.12g}{row.unit}" for row in ask.rows],
        **_price_params(ask),
    }
    if ask.think_s is not None:
        params[keys.Q_THINK] = [f"{ask.think_s:.12g}"]
    if ask.traffic is not None:
        params[keys.Q_TRAFFIC] = list(traffic_texts(ask.traffic))
    if ask.demand is not None:
        params[keys.Q_DEMAND] = [f"{ask.demand.peak:.12g}-{ask.demand.kind.value}"]
    if ask.fleet is not None:
        params[keys.Q_FLEET] = [fleet_text(ask.fleet, ask.fleet.curve.name if ask.fleet.curve else "")]
    if told := compared_texts(ask.compared):
        params[keys.Q_COMPARED] = list(told)
    return params | _workload_params(ask.workload)


def _price_params(ask: Ask) -> dict[str, list[str]]:
    params: dict[str, list[str]] = {}
    if ask.amount is not None or ask.terms.owned:
        per = PER_ACCELERATOR if ask.per_accelerator else PER_DEPLOYMENT
        amount = OWNED if ask.amount is None else f"{ask.amount:.12g}"
        params[keys.Q_PRICE] = [f"{amount}/{per}"]
    if ask.by_run:
        params[keys.Q_RUN_PRICE] = [f"{quote(run, safe=_PLAIN)}={run_price_text(price)}" for run, price in ask.by_run]
    if params:
        params[keys.Q_CURRENCY] = [ask.currency]
    if said := terms_texts(ask.terms):
        params[keys.Q_TERMS] = list(said)
    if ask.counts:
        params[keys.Q_COUNT] = [f"{run}~{count}" for run, count in ask.counts]
    return params


def from_params(params: Mapping[str, list[str]], default: Ask) -> Ask:
    """Return what the parameters ask; whatever cannot be read is left at its default."""
    rows = tuple(_rows(params.get(keys.Q_TARGET, [])))
    amount, per_accelerator = _price(first(params, keys.Q_PRICE))
    currency = first(params, keys.Q_CURRENCY).strip().upper()[:CURRENCY_CHARS]
    workload = _workload(params)
    no_rows = workload is not None and workload.kind is WorkloadKind.BATCH
    return Ask(
        rows=rows if no_rows else rows or default.rows,
        amount=amount,
        per_accelerator=per_accelerator,
        currency=currency if currency.isalpha() else default.currency,
        counts=tuple(_counts(params.get(keys.Q_COUNT, []))),
        think_s=_number(first(params, keys.Q_THINK), least=0.0),
        traffic=_traffic(params.get(keys.Q_TRAFFIC, [])),
        workload=workload,
        demand=_demand(first(params, keys.Q_DEMAND)),
        fleet=_fleet(first(params, keys.Q_FLEET)),
        terms=terms_read(params.get(keys.Q_TERMS, []))[0],
        compared=parse_compared(tuple(params.get(keys.Q_COMPARED, [])[:MOST_TERMS])),
        by_run=tuple(_run_prices(params.get(keys.Q_RUN_PRICE, []))),
    )


def first(params: Mapping[str, list[str]], name: str) -> str:
    """Return the first value of a parameter, "" where it is absent."""
    return next(iter(params.get(name, [])), "")


def row_of(target: Target) -> Row:
    """Return a target as it would be typed: milliseconds below one second, seconds above."""
    if target.metric in (Metric.SUCCESS_RATE, Metric.GOODPUT):
        unit = "%"
    elif target.metric.is_time:
        unit = "ms" if target.limit < 1.0 else "s"
    else:
        unit = ""
    return Row(metric=target.metric, statistic=target.statistic, value=target.limit_in(unit), unit=unit)


def row_from(text: str) -> Row | None:
    """Return the row that one parameter means, such as "ttft-p99-500ms"; None if it means none."""
    parts = text.split("-", 2)
    if len(parts) != 3:
        return None
    number = parts[2].rstrip("%smuµ").strip()
    value = _number(number, least=0.0)
    try:
        row = Row(metric=Metric(parts[0]), statistic=parts[1], value=value or 0.0, unit=parts[2][len(number) :])
        return row if row.target else None
    except (ValueError, PlimsollError):
        return None


def _rows(texts: Iterable[str]) -> Iterable[Row]:
    found = (row_from(text) for text in list(texts)[:MOST_TARGETS])
    return dict.fromkeys(row for row in found if row)


def _price(text: str) -> tuple[float | None, bool]:
    number, _, per = text.partition("/")
    amount = _number(number, least=0.0)
    known = amount is not None and 0.0 < amount <= MOST_MONEY
    return (amount if known and per in (PER_ACCELERATOR, PER_DEPLOYMENT) else None), per != PER_DEPLOYMENT


_PLAIN = " /:~@+,()"
"""What may stand in a run's id as it is: everything but what parts it from its price."""


def _run_prices(texts: Iterable[str]) -> Iterable[tuple[str, RunPrice]]:
    """Return the prices of single runs; one that cannot be read leaves the others."""
    found: dict[str, RunPrice] = {}
    for text in list(texts)[:MOST_TERMS]:
        run, _, said = text.partition("=")
        with suppress(PlimsollError):
            found[unquote(run)] = parse_run_price(said)
    return found.items()


def _traffic(texts: list[str]) -> Traffic | None:
    try:
        return parse_traffic(texts) if texts else None
    except PlimsollError:
        return None


def terms_read(texts: Iterable[str]) -> tuple[Terms, list[str]]:
    """Return the terms of a price with the texts that tell them; one that cannot be read leaves the others."""
    found = NO_TERMS
    kept: list[str] = []
    for text in list(texts)[:MOST_TERMS]:
        try:
            found = parse_terms([*kept, text])
        except PlimsollError:
            continue
        kept.append(text)
    return found, kept


def _demand(text: str) -> Demand | None:
    number, _, kind = text.partition("-")
    peak = _number(number, least=0.0)
    known = kind in {each.value for each in DemandKind}
    return Demand(peak=peak, kind=DemandKind(kind)) if peak and known else None


def _fleet(text: str) -> Fleet | None:
    try:
        said = parse_fleet(text)
    except PlimsollError:
        return None
    fleet = replace(said.fleet, curve=day_of(said.day))
    return None if fleet.plain else fleet


def _workload_params(workload: Workload | None) -> dict[str, list[str]]:
    if workload is None:
        return {}
    job = workload.job
    parts = {
        keys.Q_WORKLOAD: workload.kind.value,
        keys.Q_JOB: f"{job.requests}" if job else None,
        keys.Q_DEADLINE: f"{job.deadline_s:.12g}s" if job and job.deadline_s is not None else None,
        keys.Q_JOB_INPUT: f"{job.input_tokens:.12g}" if job and job.input_tokens is not None else None,
        keys.Q_JOB_OUTPUT: f"{job.output_tokens:.12g}" if job and job.output_tokens is not None else None,
    }
    return {name: [text] for name, text in parts.items() if text is not None}


def _workload(params: Mapping[str, list[str]]) -> Workload | None:
    """Return the workload that the parameters ask for; a job that makes no sense leaves its kind."""
    kind, job = first(params, keys.Q_WORKLOAD), first(params, keys.Q_JOB)
    if kind not in {each.value for each in WorkloadKind}:
        return None
    if kind != WorkloadKind.BATCH or not (job.isascii() and job.isdigit()):
        return Workload(kind=WorkloadKind(kind))
    try:
        return workload_of(
            kind,
            requests=int(job[:20]),
            deadline=first(params, keys.Q_DEADLINE) or None,
            input_tokens=_number(first(params, keys.Q_JOB_INPUT), least=0.0),
            output_tokens=_number(first(params, keys.Q_JOB_OUTPUT), least=0.0),
        )
    except PlimsollError:
        return Workload(kind=WorkloadKind(kind))


def _counts(texts: Iterable[str]) -> Iterable[tuple[str, int]]:
    for text in texts:
        run, mark, count = text.rpartition("~")
        if mark and count.isascii() and count.isdigit() and int(count[:7]) > 0:
            yield run, int(count[:7])


def _number(text: str, least: float) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= least else None
