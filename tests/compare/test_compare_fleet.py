"""What the demand needs of each run and costs a month: the numbers of the Fleet page, and what they decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.compare.compare import Verdict, compare
from core.compare.quantity import Quantity, Question, figure_of
from core.fleet.plan import fleet_for
from core.model.answer import Interval
from core.model.fleet import Fleet
from core.model.metric import Metric
from core.model.price import Price, RunPrice
from core.model.run import Conditions
from core.model.scenario import Demand, DemandKind
from core.model.stage import Statistics
from tests.compare.test_compare import EVERYTHING, answers_of
from tests.fleet import fleet_build
from tests.fleet.fleet_build import PRICE, concurrent

CAREFUL = Fleet(growth=0.05, ahead=6, burst=1.2, ceiling=0.8, spares=1, zones=3, out_share=0.05, node=16)
WHOLE = Price(amount=21.0, per_accelerator=False)
"""Of the whole deployment, however many accelerators it has."""


def uncounted(name: str):
    made = fleet_build.named(name)
    return replace(made, run=replace(made.run, conditions=Conditions()))


def thrice(price: Price):
    """Three runs of one speed at three prices."""
    paid = tuple(
        (name, RunPrice(amount=each, per_accelerator=False)) for name, each in zip("abc", (20, 30, 45), strict=True)
    )
    return tuple(fleet_build.named(name) for name in "abc"), replace(price, by_run=paid)


@pytest.mark.parametrize("fleet", [None, CAREFUL])
@pytest.mark.parametrize("kind", list(DemandKind))
@pytest.mark.parametrize(("answer", "price"), [(fleet_build.answer(), PRICE), (uncounted("a"), WHOLE)])
def test_replicas_and_bill_are_those_of_the_fleet_page(answer, price, kind, fleet):
    demand = Demand(peak=900.0, kind=kind)
    asked = Question(price=price, demand=demand, think_s=10.0, fleet=fleet)
    whole = fleet_for(answer, demand, 10.0, fleet, price)
    copies, month = (figure_of(answer, each, asked) for each in (Quantity.REPLICAS, Quantity.MONTH))
    ends = (whole.replicas.fewest, whole.replicas.count, whole.replicas.most)
    assert (copies.shown.low, copies.shown.mid, copies.shown.high) == ends
    assert month.shown == whole.month
    # What is drawn ends where the row ends: the same cautions, nodes and bill.
    low, high = (
        float(np.exp(-month.belief.steps(np.log([end])))[0]) for end in (copies.belief.high, copies.belief.low)
    )
    assert (low, high) == pytest.approx((month.shown.low, month.shown.high))


def test_without_a_count_of_accelerators_replicas_and_bill_are_known_and_accelerators_are_not():
    asked = Question(price=WHOLE, demand=concurrent(500.0))
    found = {each: figure_of(uncounted("a"), each, asked).shown for each in Quantity}
    # 500 over 40: 13 replicas at 21 an hour.
    assert found[Quantity.REPLICAS].mid == 13.0
    assert found[Quantity.MONTH].mid == pytest.approx(13 * 21.0 * 730.0)
    assert found[Quantity.ACCELERATORS] is None
    per_accelerator = figure_of(uncounted("a"), Quantity.MONTH, replace(asked, price=PRICE))
    assert (per_accelerator.shown, per_accelerator.belief.is_unknown) == (None, True)


def test_the_bill_of_the_month_decides_a_demand_with_prices():
    answers, price = thrice(PRICE)
    found = compare(answers, Question(price=price, demand=concurrent(500.0)), EVERYTHING)
    assert found.deciding.quantity is Quantity.MONTH
    assert (found.deciding.verdict, found.deciding.leader) == (Verdict.LEADS, 0)
    times = [each.times.mid for each in found.multiples if each.quantity is Quantity.MONTH]
    assert times == pytest.approx([1.5, 2.25])
    # As many replicas of each: by them nobody leads.
    assert found.of(Quantity.REPLICAS).verdict is Verdict.CANNOT_TELL


def test_a_bill_follows_the_cautions_where_a_price_alone_does_not():
    """A carries twice as much for 1.9 times the money; of one node each the demand needs no more of B."""
    big = fleet_build.named(
        "a",
        capacity=replace(fleet_build.CAPACITY, concurrency=Interval(low=78.0, mid=82.0, high=85.0), safe=80),
    )
    small = fleet_build.named(
        "b",
        capacity=replace(fleet_build.CAPACITY, concurrency=Interval(low=39.0, mid=41.0, high=42.5), safe=40),
    )
    paid = tuple((name, RunPrice(amount=each, per_accelerator=False)) for name, each in (("a", 19.0), ("b", 10.0)))
    found = compare((big, small), Question(price=replace(PRICE, by_run=paid), demand=concurrent(30.0)), EVERYTHING)
    assert (
        found.of(Quantity.USERS_PER_MONEY).figures[0].shown.mid
        > found.of(Quantity.USERS_PER_MONEY).figures[1].shown.mid
    )
    assert found.deciding.quantity is Quantity.MONTH
    assert found.deciding.leader == 1


def test_without_prices_accelerators_decide_where_all_are_known_else_replicas_else_capacity():
    both = (fleet_build.named("a"), fleet_build.named("b"))
    blind = (both[0], uncounted("b"))
    assert compare(both, Question(demand=concurrent(500.0)), EVERYTHING).deciding.quantity is Quantity.ACCELERATORS
    assert compare(blind, Question(demand=concurrent(500.0)), EVERYTHING).deciding.quantity is Quantity.REPLICAS
    assert compare(both, Question(), EVERYTHING).deciding.quantity is Quantity.CAPACITY


def test_a_demand_that_no_answer_can_turn_into_replicas_leaves_the_question_of_money():
    """Users whose pauses nobody said."""
    both, asked = (fleet_build.named("a"), fleet_build.named("b")), Question(demand=fleet_build.users(500.0))
    assert compare(both, replace(asked, price=PRICE), EVERYTHING).deciding.quantity is Quantity.USERS_PER_MONEY
    assert compare(both, asked, EVERYTHING).deciding.quantity is Quantity.CAPACITY


def test_the_speed_of_a_user_is_told_wherever_the_trade_off_chart_tells_it():
    """Files with a median TPOT and no mean: the chart draws 1 / p50, so the row reads it between the same levels."""
    (made,) = answers_of({})
    point = replace(made.at_capacity, tok_s_user=None)

    def median(stage):
        own = stage.statistics[Metric.TPOT]
        return replace(stage, statistics={**stage.statistics, Metric.TPOT: Statistics(n=own.n, quantiles={0.5: 0.02})})

    run = replace(made.run, stages=tuple(median(stage) for stage in made.run.stages))
    figure = figure_of(replace(made, run=run, at_capacity=point), Quantity.PER_USER, Question())
    assert figure.shown == Interval(low=None, mid=pytest.approx(50.0), high=None)
    assert not figure.belief.is_told
