"""A budget turned into a promise: read off the fitted curve, and never more than is paid for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.fit.fit import fit_run
from core.fleet.inverse import Wanted, affordable
from core.fleet.plan import fleet_for
from core.ingest.raw import Upload
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand, DemandKind
from core.model.target import Target, parse_target
from core.pipeline import answer_run, load, sensitivity_of
from core.present.fleet_budget import promise_texts
from tests.present.builders import run_of

PRICE = Price(amount=1.0, per_accelerator=False)
MONTH = 730.0
TARGETS = (parse_target("ttft p99 <= 500ms"), parse_target("tpot p99 <= 50ms"))


@pytest.fixture(scope="module")
def run():
    return run_of()


@pytest.fixture(scope="module")
def fit(run):
    return fit_run(run)


def found(run, fit, budget, demand=1000.0, **fleet):
    answer = answer_run(run, TARGETS, PRICE, fit)
    wanted = Wanted(demand=Demand(peak=demand), think_s=None, fleet=Fleet(budget=budget, **fleet), price=PRICE)
    return answer, affordable(answer, sensitivity_of(answer, fit, PRICE), fit, wanted)


def test_the_budget_buys_what_it_pays_for_and_not_one_more(run, fit):
    answer, one = found(run, fit, 12.5 * MONTH, spares=1)
    assert one.bought == 12
    # Eleven at work, each with the safe number.
    assert one.demand == pytest.approx(11 * answer.capacity.safe)
    same = fleet_for(answer, Demand(peak=one.demand), None, Fleet(spares=1), PRICE)
    assert same.replicas.count == 12


def test_whole_nodes_are_bought_whole(run, fit):
    # A replica of 16 accelerators takes two nodes of twelve: 24 are paid for, one and a half replicas.
    _, one = found(run, fit, 12.5 * MONTH, node=12)
    assert one.bought == 8


def test_whether_it_fits_is_told_by_the_whole_range(run, fit):
    answer, _ = found(run, fit, 1.0)
    month = fleet_for(answer, Demand(peak=1000.0), None, Fleet(), PRICE).month
    assert found(run, fit, month.high)[1].fits is True
    assert found(run, fit, month.low * 0.99)[1].fits is False
    assert found(run, fit, month.mid)[1].fits is None


def test_the_promise_is_the_tightest_that_the_budget_pays_for(run, fit):
    before = None
    for replicas in (8, 12, 20, 40, 120):
        _, one = found(run, fit, replicas * MONTH)
        promise = next(each for each in one.promises if each.target == TARGETS[0])
        if promise.limit is None:
            assert before is None
            continue
        assert promise.month.high <= replicas * MONTH
        moved = answer_run(run, (Target(*_moved(promise)), TARGETS[1]), PRICE, fit)
        again = fleet_for(moved, Demand(peak=1000.0), None, Fleet(), PRICE)
        assert again.replicas.count == promise.replicas.count
        if before is not None:
            assert promise.limit <= before
        before = promise.limit
    assert before is not None


@pytest.fixture(scope="module")
def measured(root):
    """The sample, whose levels have requests/s: what a demand in rates or users needs."""
    files = sorted((root / "data" / "samples" / "vllm_cpu").glob("*.json"))
    (run,) = load([Upload(path.name, path.read_bytes()) for path in files]).runs
    return run, fit_run(run)


@pytest.mark.parametrize("kind", list(DemandKind))
def test_no_tighter_limit_that_was_read_fits_too(measured, kind):
    """By hand, limit by limit: whatever a demand counts, what is found by halving is the first that fits."""
    run, fit = measured
    answer = answer_run(run, TARGETS, PRICE, fit)
    demand, tried = Demand(peak={DemandKind.REQ_S: 200.0}.get(kind, 1000.0), kind=kind), 0
    sensitivities = sensitivity_of(answer, fit, PRICE)
    for place, one in enumerate(sensitivities):
        bills = []
        for step in one.steps:
            targets = tuple(replace(t, limit=step.limit) if i == place else t for i, t in enumerate(TARGETS))
            month = fleet_for(answer_run(run, targets, PRICE, fit), demand, 5.0, Fleet(), PRICE).month
            bills.append(None if month is None else month.high)
        for budget in {bill for bill in bills if bill}:
            wanted = Wanted(demand=demand, think_s=5.0, fleet=Fleet(budget=budget), price=PRICE)
            promise = affordable(answer, sensitivities, fit, wanted).promises[place]
            first = next(step.limit for step, bill in zip(one.steps, bills, strict=True) if bill and bill <= budget)
            assert promise.limit <= first
            assert promise.month.high <= budget
            tried += 1
    assert tried > 5


def test_a_limit_a_little_tighter_than_the_promise_is_not_paid_for(run, fit):
    """What is told is the edge itself, not the next of some limits that were tried."""
    tried = 0
    for replicas in (12, 20, 40):
        _, one = found(run, fit, replicas * MONTH)
        promise = next(each for each in one.promises if each.target == TARGETS[0])
        if promise.limit is None or promise.end:
            continue
        tried += 1
        tighter = Target(promise.target.metric, promise.target.statistic, promise.limit * 0.97)
        again = fleet_for(answer_run(run, (tighter, TARGETS[1]), PRICE, fit), Demand(peak=1000.0), None, Fleet(), PRICE)
        assert again.month is None or again.month.high is None or again.month.high > replicas * MONTH
    assert tried


def test_a_promise_and_whether_it_fits_are_told_by_one_rule(run, fit):
    answer, _ = found(run, fit, 1.0)
    month = fleet_for(answer, Demand(peak=1000.0), None, Fleet(), PRICE).month
    told = set()
    for budget in np.linspace(month.low * 0.05, month.high, 40):
        _, one = found(run, fit, float(budget))
        for promise in one.promises:
            if promise.limit is None:
                told.add(promise_texts(one, "USD")[one.promises.index(promise)].split(" ")[0])
                # What is not told of any limit read is not denied of the present one, which is among them.
                assert one.fits is not None or promise.open
            else:
                assert promise.month.high <= budget
    assert told == {"Cannot", "No"}


def _moved(promise):
    return promise.target.metric, promise.target.statistic, promise.limit


def test_a_budget_below_one_replica_buys_none(run, fit):
    _, one = found(run, fit, 0.5 * MONTH)
    assert (one.bought, one.demand) == (0, 0.0)
    assert all(promise.limit is None for promise in one.promises if promise.month is None)


def test_what_is_unknown_stays_so(run, fit):
    answer = answer_run(run, TARGETS, None, fit)
    blind = Price(amount=1.0, per_accelerator=True)
    bare = replace(answer, run=replace(run, conditions=replace(run.conditions, accelerator_count=None)))
    wanted = Wanted(demand=Demand(peak=10.0), think_s=None, fleet=Fleet(budget=100.0), price=blind)
    one = affordable(bare, (), fit, wanted)
    assert (one.month, one.fits, one.bought, one.promises) == (None, None, None, ())
