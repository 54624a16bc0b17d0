"""Laws of a fleet: they hold for any demand, any cautions, any shape of the day."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.compare.quantity import Quantity, Question, figure_of
from core.fleet.growth import exceeded
from core.fleet.pools import paid, sized
from core.fleet.served import Served
from core.fleet.size import EVERY, NONE, Caution, at_work, copies, manned, nodes
from core.model.answer import Interval
from core.model.fleet import Fleet
from core.model.price import Exchange
from core.model.scenario import DemandKind
from core.price.replicas import replicas_for
from tests.fleet.fleet_build import (
    CAPACITY,
    PRICE,
    answer,
    any_curve,
    any_fleet,
    concurrent,
    demands,
    named,
    plan,
)

few = settings(max_examples=40)
"""A whole fleet takes some milliseconds."""

THINK = 36.0
ENDS = ("fewest", "count", "most")


@few
@given(demands, any_fleet(), st.floats(1.0, 50.0))
def test_more_demand_never_needs_fewer(demand, fleet, more):
    few = plan(demand, fleet, think_s=THINK)
    many = plan(replace(demand, peak=demand.peak * more), fleet, think_s=THINK)
    for end in ENDS:
        assert getattr(many.replicas, end) >= getattr(few.replicas, end)
    assert many.month.mid >= few.month.mid


@few
@given(demands, any_fleet(), st.integers(1, 5))
def test_one_more_spare_is_never_fewer_and_is_at_most_that_many_more_at_work(demand, fleet, more):
    few = plan(demand, fleet, think_s=THINK).replicas
    many = plan(demand, replace(fleet, spares=fleet.spares + more), think_s=THINK).replicas
    assert all(getattr(many, end) >= getattr(few, end) for end in ENDS)
    if fleet.out_share == 0.0:
        assert many.count <= few.count + more


@few
@given(demands, any_fleet())
def test_every_caution_only_ever_adds(demand, fleet):
    neutral = {"growth": 0.0, "burst": 1.0, "ceiling": 1.0, "spares": 0, "zones": 1, "out_share": 0.0}
    whole = plan(demand, fleet, think_s=THINK)
    for name, value in neutral.items():
        less = plan(demand, replace(fleet, **{name: value}), think_s=THINK)
        assert less.replicas.count <= whole.replicas.count
    assert all(each.alone >= 0.0 and each.stacked >= -1e-9 for each in whole.added)


WITHOUT = {
    Caution.GROWTH: {"growth": 0.0},
    Caution.BURST: {"burst": 1.0},
    Caution.CEILING: {"ceiling": 1.0},
    Caution.SPARES: {"spares": 0, "zones": 1},
    Caution.OUT: {"out_share": 0.0},
    Caution.NODES: {"node": None},
}


@few
@given(demands, any_fleet(curve=st.none()))
def test_what_a_caution_saves_is_what_the_bill_falls_by_where_that_one_is_not_asked_for(demand, fleet):
    found = plan(demand, fleet, think_s=THINK)
    for each in found.added:
        if each.caution in WITHOUT:
            less = plan(demand, replace(fleet, **WITHOUT[each.caution]), think_s=THINK)
            assert each.saved_month == pytest.approx(found.month.mid - less.month.mid, rel=1e-9, abs=1e-6)


@few
@given(demands, any_fleet())
def test_what_the_cautions_add_sums_to_the_fleet(demand, fleet):
    found = plan(demand, fleet, think_s=THINK)
    (pool,) = found.pools
    bare, whole = sized(pool, fleet, NONE), paid(pool, found.replicas.count, fleet)
    assert bare + sum(each.stacked for each in found.added) == pytest.approx(whole, rel=1e-9)
    money = 730.0 * pool.each_hour * (whole - bare)
    assert sum(each.stacked_month for each in found.added) == pytest.approx(money, rel=1e-9, abs=1e-6)


@given(demands, st.floats(0.0, 600.0))
def test_a_fleet_of_which_nothing_was_said_is_the_demand_over_the_safe_number(demand, think):
    found, known = plan(demand, think_s=think).replicas, replicas_for(answer(), demand, think)
    assert (found.count, found.fewest, found.most) == (known.count, known.fewest, known.most)


@few
@given(demands, any_fleet())
def test_compare_counts_the_accelerators_of_the_fleet(demand, fleet):
    found = plan(demand, fleet, think_s=THINK).accelerators
    asked = Question(price=PRICE, demand=demand, think_s=THINK, fleet=fleet)
    figure = figure_of(answer(), Quantity.ACCELERATORS, asked)
    assert (figure.shown.low, figure.shown.mid, figure.shown.high) == (found.fewest, found.count, found.most)
    # What is drawn at the ends of what one replica carries is the fleet at the ends of its range.
    ends = np.log([figure.belief.low, figure.belief.high])
    most, fewest = np.exp(-figure.belief.steps(ends))
    assert (fewest, most) == (pytest.approx(found.fewest), pytest.approx(found.most))


@few
@given(demands, any_fleet())
def test_ranges_hold_their_middle(demand, fleet):
    found = plan(demand, fleet, think_s=THINK)
    assert found.replicas.fewest <= found.replicas.count <= found.replicas.most
    assert found.growth.headroom.low <= found.growth.headroom.mid <= found.growth.headroom.high
    spans = [found.month, found.effective.cost, found.effective.full]
    spans += [way.month for way in found.ways]
    if found.over_time:
        spans += [found.over_time.mean_needed, found.over_time.mean_scaled]
    for span in spans:
        assert span.low <= span.mid * (1 + 1e-9)
        assert span.mid <= span.high * (1 + 1e-9)


@few
@given(demands, any_fleet(curve=any_curve()))
def test_perfect_is_at_most_autoscaled_and_that_at_most_fixed(demand, fleet):
    """Where the floor asks for no more than the fixed fleet has: an idle floor may cost more than a fleet."""
    found = plan(demand, fleet, think_s=THINK)
    over, (pool,) = found.over_time, found.pools
    assert (over.needed <= over.scaled + 1e-9).all()
    for end in ("low", "mid", "high"):
        assert getattr(over.mean_needed, end) <= getattr(over.mean_scaled, end) + 1e-9
    if fleet.floor <= found.replicas.count:
        most = paid(pool, found.replicas.count, fleet)
        assert over.scaled.max() <= most + 1e-9
        assert over.mean_scaled.mid <= most + 1e-9


@few
@given(demands, any_fleet(curve=any_curve()), st.floats(0.0, 80_000.0))
def test_waiting_longer_for_a_replica_never_costs_less(demand, fleet, longer):
    slow = replace(fleet, start_s=min(fleet.start_s + longer, 86_400.0))
    one, other = (plan(demand, each, think_s=THINK).over_time.mean_scaled.mid for each in (fleet, slow))
    assert other >= one - 1e-9


@few
@given(demands, any_fleet(), st.floats(0.01, 1000.0))
def test_money_scales_with_the_currency_and_nothing_else_does(demand, fleet, factor):
    other = replace(PRICE, currency="KRW", exchange=Exchange(quoted="USD", rate=factor))
    mine = plan(demand, replace(fleet, reserved=1.5), think_s=THINK)
    theirs = plan(demand, replace(fleet, reserved=1.5), think_s=THINK, price=other)
    assert theirs.replicas == mine.replicas
    assert theirs.month.mid == pytest.approx(factor * mine.month.mid, rel=1e-9)
    assert theirs.effective.cost.mid == pytest.approx(factor * mine.effective.cost.mid, rel=1e-9)
    assert [stage.factor for stage in theirs.effective.stages] == pytest.approx(
        [stage.factor for stage in mine.effective.stages], rel=1e-9
    )
    for ours, others in zip(mine.ways, theirs.ways, strict=True):
        assert others.month.mid == pytest.approx(factor * ours.month.mid, rel=1e-9)


@few
@given(demands, any_fleet())
def test_the_cost_of_a_token_is_inverse_in_utilisation(demand, fleet):
    """Full-load cost over the share of the fleet that is used is what a token costs, where nodes waste nothing."""
    found = plan(demand, replace(fleet, node=None), think_s=THINK).effective
    assert found.cost.mid == pytest.approx(found.full.mid / found.used, rel=1e-9)
    assert 0.0 < found.used <= 1.0 + 1e-12


@few
@given(demands, any_fleet())
def test_the_stages_multiply_to_the_effective_cost(demand, fleet):
    found = plan(demand, fleet, think_s=THINK).effective
    product = found.stages[0].cost
    for stage in found.stages[1:]:
        product *= stage.factor
        assert stage.factor >= 1.0 - 1e-9
    assert product == pytest.approx(found.cost.mid, rel=1e-9)


@few
@given(demands, any_fleet())
def test_the_headroom_is_what_the_fleet_still_carries(demand, fleet):
    """A demand inside the headroom needs no more replicas, one beyond it needs more."""
    fleet = replace(fleet, ahead=0, node=None)
    found = plan(demand, fleet, think_s=THINK)
    room = found.growth.headroom.mid
    assume(demand.kind is not DemandKind.USERS or demand.peak < 1e4)
    inside, beyond = (
        plan(replace(demand, peak=demand.peak * (1.0 + room) * way), fleet, think_s=THINK) for way in (0.999, 1.001)
    )
    assert inside.replicas.count <= found.replicas.count < beyond.replicas.count


@given(st.floats(0.0, 20.0), st.floats(1e-3, 1.0))
def test_growth_passes_the_headroom_in_the_month_that_is_told(headroom, growth):
    month = exceeded(headroom, growth)
    assume(month is not None)
    assert (1.0 + growth) ** month > (1.0 + headroom) * (1.0 - 1e-8)
    assert (1.0 + growth) ** (month - 1) <= (1.0 + headroom) * (1.0 + 1e-8)


@few
@given(demands, any_fleet(growth=st.floats(0.001, 0.3)), st.floats(0.0, 0.3))
def test_more_growth_never_makes_a_bill_smaller(demand, fleet, more):
    slow = plan(demand, fleet, think_s=THINK).purchases
    fast = plan(demand, replace(fleet, growth=fleet.growth + more), think_s=THINK).purchases
    for one, other in zip(slow.months, fast.months, strict=True):
        assert all(getattr(other.replicas, end) >= getattr(one.replicas, end) for end in ENDS)
        assert all(getattr(other.bill, end) >= getattr(one.bill, end) for end in ("low", "mid", "high"))
    assert all(getattr(fast.total, end) >= getattr(slow.total, end) for end in ("low", "mid", "high"))


@few
@given(demands, any_fleet(growth=st.floats(0.001, 0.3)))
def test_the_fleet_stays_until_it_is_exceeded_and_no_longer(demand, fleet):
    found = plan(demand, fleet, think_s=THINK)
    months, full = found.purchases.months, found.growth.month.count
    kept = months if full is None else months[:full]
    assert all(row.replicas.count == found.replicas.count for row in kept)
    assert kept[0].bill == found.month
    assert kept[0].replicas == found.replicas
    assert full is None or full >= len(months) or months[full].replicas.count > found.replicas.count
    assert months[-1].so_far.mid == pytest.approx(sum(row.bill.mid for row in months), rel=1e-9)


@few
@given(demands, any_fleet(growth=st.floats(0.001, 0.1)), st.integers(0, 12))
def test_a_later_month_has_the_fleet_of_its_own_demand_where_that_is_larger(demand, fleet, month):
    found = plan(demand, fleet, think_s=THINK)
    row = found.purchases.months[month]
    later = plan(replace(demand, peak=row.demand), replace(fleet, ahead=0), think_s=THINK)
    for end in ENDS:
        assert getattr(row.replicas, end) == max(getattr(found.replicas, end), getattr(later.replicas, end))


@given(st.integers(0, 500), any_fleet())
def test_standing_by_and_at_work_are_each_other_s_inverse(count, fleet):
    work = at_work(count, fleet)
    assert manned(work, fleet) <= count
    assert manned(work + 1, fleet) > count


@given(st.integers(1, 500), st.integers(1, 100), st.integers(1, 100))
def test_whole_nodes_hold_the_replicas_and_no_node_is_idle(count, each, node):
    held = nodes(count, each, node)
    assert held * node >= count * each
    if each <= node:
        assert (held - 1) * (node // each) < count
    else:
        assert (held - count) * node < count * each


@given(st.floats(0.1, 1e5), st.floats(0.5, 500.0), any_fleet(), st.sets(st.sampled_from(Caution)))
def test_a_fleet_is_never_empty_under_load_and_never_larger_for_fewer_cautions(load, each, fleet, some):
    assert 1 <= copies(load, each, fleet, some) <= copies(load, each, fleet, EVERY)


@given(st.floats(1.0, 1e4), st.floats(0.05, 0.95), any_fleet(node=st.none(), curve=st.none()))
def test_two_pools_of_the_same_run_carry_what_one_does(peak, share, fleet):
    """The demand divides; each part is made whole, so that two pools may need a few more, and never fewer."""
    served = (Served(answer=named("a"), share=share), Served(answer=named("b"), share=1.0 - share))
    for kind in DemandKind:
        demand = replace(concurrent(peak), kind=kind)
        apart = plan(demand, fleet, think_s=THINK, served=served)
        whole = plan(demand, fleet, think_s=THINK)
        load = sum(pool.in_flight.mid for pool in apart.pools)
        assert load == pytest.approx(whole.pools[0].in_flight.mid, rel=1e-9)
        assert apart.replicas.count >= whole.replicas.count - (fleet.zones > 1) - (fleet.out_share > 0) * 2


@few
@given(demands, any_fleet(), st.floats(1.0, 3.0))
def test_a_surer_capacity_never_widens_the_fleet(demand, fleet, wider):
    span = CAPACITY.concurrency
    unsure = replace(CAPACITY, concurrency=Interval(low=span.low / wider, mid=span.mid, high=span.high * wider))
    sure, open_ = (
        plan(demand, fleet, think_s=THINK, served=(Served(answer=answer(capacity=each)),)).replicas
        for each in (CAPACITY, unsure)
    )
    assert sure.count == open_.count
    assert open_.fewest <= sure.fewest
    assert open_.most >= sure.most


@given(st.integers(1, 5000), st.integers(2, 20))
def test_a_fleet_survives_its_fullest_zone_and_one_replica_fewer_would_not(base, zones):
    """The fewest are told: N less ceil(N / z), the fullest of evenly filled zones, is enough, and N - 1 is not."""
    count = manned(base, Fleet(zones=zones))
    assert count - math.ceil(count / zones) >= base
    assert (count - 1) - math.ceil((count - 1) / zones) < base
    assert zones == 2 or count <= manned(base, Fleet(zones=zones - 1))
