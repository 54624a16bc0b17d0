"""What holds for every curve of capacity against a limit, whatever was measured."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decide.decide import decide
from core.decide.sensitivity import FACTORS, MOST_STEPS, looser, sensitivities, worth_most
from core.decide.single import as_latency
from core.fit.fit import fit_stages
from core.model.answer import Reach, Status
from core.model.metric import Metric
from core.model.target import Target
from tests.laws.test_capacity_laws import shares, stages, targets

ORDER = {Status.BELOW: 0, Status.WITHIN: 1, Status.AT_LEAST: 2}
DUST = 1.0 + 1e-9
speeds = st.builds(Target, st.just(Metric.TOK_S_USER), st.sampled_from(["mean", "p99"]), st.floats(1.0, 200.0))
sets = st.lists(st.one_of(targets, shares, speeds), min_size=1, max_size=3, unique_by=lambda t: (t.metric, t.statistic))


def of(levels, wanted):
    decision = decide(fit_stages(levels), wanted)
    return decision, sensitivities(fit_stages(levels), decision)


def bounds(reach: Reach) -> tuple[float, float, float, float]:
    """Safe number, low, estimate, high; an open end is infinite, nothing carried is zero."""
    if reach.status is Status.BELOW:
        return 0.0, 0.0, 0.0, 0.0
    span = reach.concurrency
    mid = math.inf if span.mid is None else span.mid
    return reach.safe, span.low, mid, math.inf if span.high is None else span.high


def told(steps, which):
    return [getattr(step, which) for step in steps if getattr(step, which).status is not Status.CANNOT_TELL]


def not_above(tight, loose) -> bool:
    return all(a <= b * DUST for a, b in zip(bounds(tight), bounds(loose), strict=True))


@settings(max_examples=25)
@given(stages(), sets)
def test_a_looser_limit_never_lowers_what_is_carried(levels, wanted):
    for one in of(levels, wanted)[1]:
        for which in ("alone", "whole"):
            reached = told(one.steps, which)
            for tight, loose in pairwise(reached):
                assert ORDER[tight.status] <= ORDER[loose.status]
                assert not_above(tight, loose)


@settings(max_examples=25)
@given(stages(), sets)
def test_at_the_present_limit_the_curve_is_the_answer(levels, wanted):
    decision, found = of(levels, wanted)
    for one in found:
        now = next(step for step in one.steps if step.limit == one.target.limit)
        own = next(each.capacity for each in decision.per_target if each.target == one.target)
        for reach, capacity in ((now.alone, own), (now.whole, decision.capacity)):
            assert (reach.status, reach.concurrency, reach.safe, reach.binding) == (
                capacity.status,
                capacity.concurrency,
                capacity.safe,
                capacity.binding,
            )


@settings(max_examples=25)
@given(stages(), sets)
def test_the_set_carries_no_more_than_the_target_alone(levels, wanted):
    for one in of(levels, wanted)[1]:
        for step in one.steps:
            if Status.CANNOT_TELL not in (step.alone.status, step.whole.status):
                assert not_above(step.whole, step.alone)


@settings(max_examples=25)
@given(stages(), sets)
def test_nothing_reaches_beyond_the_largest_level_and_nothing_is_infinite(levels, wanted):
    top = max(level.load for level in levels)
    for one in of(levels, wanted)[1]:
        assert len(one.steps) <= MOST_STEPS
        for step in one.steps:
            assert math.isfinite(step.limit)
            for reach in (step.alone, step.whole):
                span = reach.concurrency
                ends = [end for end in (span.low, span.mid, span.high) if end is not None] if span else []
                assert all(math.isfinite(end) and end <= top * DUST for end in ends)


@settings(max_examples=25)
@given(stages(), sets)
def test_every_limit_is_looser_than_the_one_before(levels, wanted):
    for one in of(levels, wanted)[1]:
        limits = [step.limit for step in one.steps]
        ascending = limits[::-1] if one.target.metric.higher_is_better else limits
        assert all(a < b for a, b in pairwise(ascending))


@settings(max_examples=25)
@given(stages(), sets)
def test_a_gain_is_never_negative_and_its_range_holds_it(levels, wanted):
    decision, found = of(levels, wanted)
    for one in found:
        for relaxed in one.relaxed:
            assert (relaxed.more_safe or 0) >= 0
            if relaxed.more:
                assert 0.0 <= relaxed.more.low <= relaxed.more.mid * DUST
                assert relaxed.more.high is None or relaxed.more.mid <= relaxed.more.high * DUST
                assert relaxed.more.mid == pytest.approx(
                    relaxed.whole.concurrency.mid - decision.capacity.concurrency.mid
                )


@given(stages(least=2, styles=("rising", "flat", "tied")), targets)
def test_from_its_own_end_on_a_target_allows_every_load_and_before_it_does_not(levels, wanted):
    fit = fit_stages(levels)
    (one,) = sensitivities(fit, decide(fit, [wanted])) or (None,)
    if one is None or one.at_least_from is None:
        return

    def status(limit):
        return decide(fit, [looser(wanted, limit)]).capacity.status

    assert status(one.at_least_from) is Status.AT_LEAST
    assert status(one.at_least_from * 1.5) is Status.AT_LEAST
    assert status(one.at_least_from * (1 - 1e-5)) is not Status.AT_LEAST


@given(stages(least=4, styles=("rising",)), st.lists(targets, min_size=2, max_size=2, unique_by=lambda t: t.metric))
def test_from_where_it_is_free_on_another_target_stops_the_set(levels, wanted):
    fit = fit_stages(levels)
    for one in sensitivities(fit, decide(fit, wanted)):
        if one.free_from is None:
            continue
        other = next(target for target in wanted if target != one.target)
        assert one.then == other
        looser_set = [looser(t, one.free_from * 1.02) if t == one.target else t for t in wanted]
        freed = decide(fit, looser_set).capacity
        if freed.status is Status.WITHIN:
            alone = decide(fit, [other]).capacity
            assert freed.concurrency.mid == pytest.approx(alone.concurrency.mid)


@settings(max_examples=25)
@given(stages(), sets)
def test_what_is_worth_relaxing_gains_something(levels, wanted):
    _, found = of(levels, wanted)
    best = worth_most(found)
    gains = [relaxed.more_safe or 0 for one in found for relaxed in one.relaxed]
    assert (best is None) == (max(gains, default=0) <= 0)
    if best is not None:
        place = next(k for k in range(len(FACTORS)) if any((s.relaxed[k].more_safe or 0) > 0 for s in found))
        assert best.relaxed[place].more_safe == max(s.relaxed[place].more_safe or 0 for s in found)


def test_a_floor_on_speed_moves_down():
    assert looser(Target(Metric.TOK_S_USER, "p95", 20.0), 0.1).limit == 10.0
    assert looser(Target(Metric.SUCCESS_RATE, "value", 0.99), 0.02).limit == pytest.approx(0.98)
    assert as_latency(looser(Target(Metric.TTFT, "p99", 0.5), 0.55)).limit == 0.55
