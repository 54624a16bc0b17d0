"""Laws of the cost sheet: whatever the answer, its formulas come to what Plimsoll computed."""

from __future__ import annotations

import io
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xlsxwriter.workbook import Workbook

from core.fleet.plan import fleet_for
from core.model.answer import Interval, LoadPoint
from core.model.metric import Metric
from core.model.owned import Owned
from core.model.price import Exchange, Price, RunPrice, Tax, price_for
from core.model.scenario import Demand, DemandKind
from core.model.stage import Requests
from core.model.target import Target
from core.present.replicas import replicas
from core.present.report.workbook_cost import write_cost
from core.present.report.workbook_page import Book, options
from core.price.cost import cost_at
from core.price.good import GoodShare
from core.price.terms import Terms, with_terms
from tests.fleet.fleet_build import any_fleet
from tests.present.builders import answer_of, run_of, stage_at
from tests.present.report.report_build import scenario_of
from tests.present.report.sheet_formulas import Sheets

NAMES = ("per_million_output", "per_million_total", "per_million_weighted_output", "per_million_weighted_input")
ENDS = {"low": "B", "mid": "C", "high": "D"}

amounts = st.floats(1e-3, 1e5)
rates = st.floats(1e-2, 1e6)


@st.composite
def intervals(draw, *, open_ends=True):
    low, mid, high = sorted(draw(st.lists(rates, min_size=3, max_size=3)))
    if open_ends and draw(st.booleans()):
        high = None
    return Interval(low=low, mid=mid, high=high)


@st.composite
def points(draw):
    """Throughput at a load: what is not known is left open, in every combination."""
    known = {name: draw(st.none() | intervals()) for name in ("output_tok_s", "input_tok_s", "req_s")}
    total = draw(st.none() | intervals())
    return LoadPoint(at=41.0, total_tok_s=total, audio_s_s=draw(st.none() | intervals()), **known)


@st.composite
def records(draw, load):
    """Requests of one level, some of them too slow for the target."""
    count = draw(st.integers(1, 6))
    times = draw(st.lists(st.floats(0.01, 1.0), min_size=count, max_size=count))
    tokens = [draw(st.lists(st.integers(1, 500), min_size=count, max_size=count)) for _ in range(2)]
    requests = Requests(
        start_s=np.zeros(count),
        ttft_s=np.array(times),
        tpot_s=np.full(count, 0.01),
        e2e_s=np.full(count, 2.0),
        input_tokens=np.array(tokens[0], float),
        output_tokens=np.array(tokens[1], float),
        good=np.ones(count, bool),
    )
    return stage_at(load, requests=requests)


@st.composite
def terms(draw):
    """What goes with a price, in every combination."""
    owned = draw(st.none() | st.builds(Owned, capex=amounts, years=st.floats(1, 9), interest=st.floats(0, 0.3)))
    run = run_of()
    return Terms(
        output_weight=draw(st.floats(0.5, 10)),
        cached_weight=draw(st.floats(0, 1)),
        discount=draw(st.floats(0, 0.9)),
        exchange=draw(st.none() | st.builds(Exchange, quoted=st.just("EUR"), rate=st.floats(0.01, 2000))),
        tax=draw(st.none() | st.builds(Tax, rate=st.floats(0, 0.3), quoted_with=..., counted=...)),
        owned=owned,
        pools=draw(st.just(()) | st.tuples(st.tuples(st.just(run.id), st.integers(1, 64), st.integers(1, 64)))),
        power_kw=draw(st.none() | st.floats(0.1, 5)),
    )


@st.composite
def prices(draw):
    price = Price(
        amount=draw(amounts),
        per_accelerator=draw(st.booleans()),
        currency=draw(st.sampled_from(["USD", "KRW", "=1+1"])),
    )
    price = with_terms(price, draw(terms()))
    return draw(st.sampled_from([price, *own_of(price)]))


def own_of(price):
    """The same price as that of the run alone, with nothing or another one for the rest."""
    own = RunPrice(amount=price.amount, per_accelerator=price.per_accelerator, owned=price.owned)
    shared = replace(price, by_run=((run_of().id, own),))
    other = replace(shared, amount=7.0, owned=None, per_accelerator=not price.per_accelerator)
    discounted = replace(other, discount=0.5, by_run=((run_of().id, replace(own, discount=price.discount)),))
    return (shared, discounted, replace(other, amount=None))


def price_cell(price):
    return "run_1_price_per_hour" if price.by_run else "price_per_hour"


@st.composite
def scenarios(draw):
    """One run with or without records, hit rate and accelerators, priced at its safe number."""
    has_records = draw(st.booleans())
    stages = [draw(records(load)) if has_records else stage_at(load) for load in (32.0, 64.0)]
    count, hit = draw(st.none() | st.integers(1, 64)), draw(st.none() | st.floats(0, 1))
    run = run_of(stages=stages, accelerator_count=count, cache_hit_rate=hit)
    targets = (Target(Metric.TTFT, "p90", 0.5),)
    price, point = draw(prices()), draw(points())
    answer = answer_of(run, at_capacity=point, cost=cost_at(point, run, price, targets))
    return scenario_of(answer, targets=targets, price=price, think_time_s=draw(st.none() | st.floats(0, 60)))


def cost_sheet(scenario):
    """The cost sheet alone: the others take longer and say nothing of these laws."""
    out = io.BytesIO()
    file = Workbook(out, options("en"))
    book = Book(file=file, language="en")
    write_cost(book, file.add_worksheet("Cost"), scenario)
    file.close()
    return Sheets(out.getvalue())


def row_of(sheets, label):
    (row,) = [c.row for (c,) in sheets.book["Cost"]["A1:A120"] if c.value == label]
    return row


def found(sheets):
    """What the sheet says of the four figures, "unknown" as None."""
    labels = (
        "Cost per million output tokens",
        "Cost per million tokens, input and output",
        "Cost per million output tokens, weighted",
        "Cost per million input tokens, weighted",
    )
    values = [[sheets.value(("Cost", f"{c}{row_of(sheets, label)}")) for c in ENDS.values()] for label in labels]
    return [[None if value == "unknown" else value for value in row] for row in values]


def wanted(cost):
    every = [getattr(cost, name) if cost else None for name in NAMES]
    return [[getattr(one, end) if one else None for end in ENDS] for one in every]


def alike(one, other):
    return [
        [a == b if a is None or b is None else a == pytest.approx(b, rel=1e-9) for a, b in zip(x, y, strict=True)]
        for x, y in zip(one, other, strict=True)
    ] == [[True] * 3] * 4


@settings(max_examples=40)
@given(scenarios())
def test_the_formulas_come_to_the_cost_of_the_answer(scenario):
    sheets = cost_sheet(scenario)
    assert alike(found(sheets), wanted(scenario.answers[0].cost))
    for place in sheets.formulas():
        value, shown = sheets.value(place), sheets.cached(place)
        assert value == (pytest.approx(shown, rel=1e-9) if isinstance(shown, float | int) else shown or "")


@settings(max_examples=15)
@given(scenarios(), st.floats(0.01, 100))
def test_every_figure_is_proportional_to_the_price(scenario, factor):
    sheets = cost_sheet(scenario)
    before = found(sheets)
    price = scenario.price
    sheets.set(price_cell(price), price_for(price, scenario.answers[0].run.id).amount * factor)
    assert alike(found(sheets), [[None if v is None else v * factor for v in row] for row in before])


shares = st.floats(0.05, 1.0)


@settings(max_examples=15)
@given(scenarios(), st.builds(GoodShare, output=shares, input=shares, total=shares))
def test_what_another_method_saved_is_not_changed_by_this_one(scenario, share):
    """Its shares of good tokens were others: they are read back from its costs."""
    answer, price = scenario.answers[0], scenario.price
    with mock.patch("core.price.cost.good_share", return_value=share):
        old = cost_at(answer.at_capacity, answer.run, price, scenario.targets)
    saved = replace(scenario, answers=(replace(answer, cost=old),))
    assert alike(found(cost_sheet(saved)), wanted(old))


@given(
    st.integers(0, 500),
    st.floats(0.1, 1e4),
    st.sampled_from(list(DemandKind)),
    st.none() | st.floats(0, 100),
    st.none() | st.floats(0.1, 100),
    st.none() | st.floats(0.1, 100),
)
@settings(max_examples=15)
def test_replicas_on_the_sheet_are_those_of_the_program(safe, peak, kind, think, whole, rate):
    metrics = {} if whole is None else {"e2e mean": Interval(low=None, mid=whole, high=None)}
    requests = None if rate is None else Interval(low=None, mid=rate, high=None)
    point = LoadPoint(at=float(safe), req_s=requests, metrics=metrics) if safe else None
    base = answer_of()
    answer = replace(base, capacity=replace(base.capacity, safe=safe), at_capacity=point)
    demand = Demand(peak=peak, kind=kind)
    sheets = cost_sheet(scenario_of(answer, demand=demand, think_time_s=think))
    value = sheets.value(("Cost", f"C{row_of(sheets, 'Replicas at the peak, without spares')}"))
    assert value == (replicas(answer, demand, think) or "unknown")
    for place in sheets.formulas():
        shown = sheets.cached(place)
        assert sheets.value(place) == (pytest.approx(shown) if isinstance(shown, float | int) else shown or "")


@given(st.integers(1, 500), st.floats(0.1, 1e4), any_fleet(curve=st.none()))
@settings(max_examples=25)
def test_the_cautions_of_a_fleet_are_formulas_that_come_to_the_fleet(safe, peak, fleet):
    base = answer_of()
    found = Interval(low=safe * 0.8, mid=safe * 1.1, high=safe * 1.3)
    answer = replace(base, capacity=replace(base.capacity, safe=safe, concurrency=found))
    demand, price = Demand(peak=peak), Price(amount=2.5, per_accelerator=True)
    told = fleet_for(answer, demand, None, fleet, price)
    sheets = cost_sheet(scenario_of(answer, demand=demand, fleet=fleet, price=price))
    row = row_of(sheets, "Cost per month")
    ends = [sheets.value(("Cost", f"{column}{row}")) for column in "BCD"]
    assert ends == pytest.approx([told.month.low, told.month.mid, told.month.high])
    label = "Replicas at the peak, without spares" if fleet.plain else "Replicas with every caution"
    assert sheets.value(("Cost", f"C{row_of(sheets, label)}")) == told.replicas.count
