"""What holds for every answer that is carried over to a service's own traffic, whatever was measured."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from core.decide.decide import decide
from core.decide.single import answer_target
from core.decide.traffic import answer_traffic
from core.decide.traffic_arrivals import steady_mean
from core.decide.traffic_bounds import carried_over
from core.decide.traffic_shift import Factor, Shift, shift_of
from core.fit.fit import fit_stages
from core.model.answer import Status
from core.model.difference import Effect
from core.model.run import Conditions, Kind, Run
from core.model.traffic import Arrivals, Profile, Traffic
from tests.laws.test_capacity_laws import shares, stages, targets
from tests.model.model_strategies import any_traffic

ANSWERED = (Status.WITHIN, Status.AT_LEAST)


def run_with(levels, **conditions):
    return Run(
        id="r",
        label="r",
        kind=Kind.MEASURED,
        format_id="vllm_bench",
        format_version=None,
        files=(),
        conditions=Conditions(**conditions),
        stages=tuple(levels),
    )


lengths = st.none() | st.floats(10, 1e4)
conditions = st.fixed_dictionaries(
    {
        "input_tokens_mean": lengths,
        "output_tokens_mean": lengths,
        "cache_hit_rate": st.none() | st.floats(0, 1),
        "arrival": st.sampled_from([None, "closed loop", "poisson", "constant", "gamma, burstiness 0.5", "odd"]),
    }
)


@st.composite
def near_shifts(draw):
    """Differences that are small enough to be carried over."""
    factor = st.floats(0.5, 2.0)
    ends = sorted((draw(factor), draw(factor)))
    return Shift(
        prompt=draw(factor),
        answer=draw(factor),
        missed=Factor(*ends),
        input_tokens=draw(lengths),
        output_tokens=draw(lengths),
        swing=draw(st.sampled_from([None, (0.0, 1.0), (1.0, 0.0), (0.0, 0.5)])),
    )


def checked(found, measured):
    """Every law of one answer against the measured one."""
    if found.status not in ANSWERED:
        assert found.safe is None
        assert measured.status is not Status.BELOW or found.status in (Status.BELOW, Status.CANNOT_TELL)
        return
    assert measured.status in ANSWERED
    assert isinstance(found.safe, int)
    assert 0 <= found.safe <= measured.safe
    low, mid, high = found.concurrency.low, found.concurrency.mid, found.concurrency.high
    assert low <= measured.concurrency.low
    ends = [end for end in (low, mid, high) if end is not None]
    assert all(type(end) is float and math.isfinite(end) for end in ends)
    assert ends == sorted(ends)
    assert mid is None or found.safe <= mid
    if high is not None and low > 0.0:
        own = measured.concurrency
        assert own.high is not None
        assert high / low >= own.high / own.low * (1.0 - 1e-9)


@given(stages(), targets, near_shifts())
def test_no_difference_promises_more_than_was_measured_nor_narrows_the_range(levels, target, shift):
    fit = fit_stages(levels)
    checked(carried_over(fit, target, (target,), shift), answer_target(fit, target, (target,)))


@given(stages(), st.lists(targets | shares, min_size=1, max_size=3, unique=True), conditions, any_traffic())
def test_any_traffic_keeps_the_laws_and_every_number_finite(levels, wanted, known, traffic):
    run, fit = run_with(levels, **known), fit_stages(levels)
    decision = decide(fit, wanted)
    found = answer_traffic(run, fit, decision, wanted, traffic)
    if found is None:
        assert traffic.unknown
        return
    for mine, theirs in zip(found.per_target, decision.per_target, strict=True):
        checked(mine.capacity, theirs.capacity)
    if found.capacity.safe is not None:
        assert found.capacity.safe <= decision.capacity.safe
    assert found.widened is None or 0.0 <= found.widened <= 1.0
    wanted_next = found.next_measurement
    assert wanted_next is None or (wanted_next.concurrency >= 1.0 and wanted_next.requests >= 1)
    assert wanted_next is None or wanted_next.rate is None or math.isfinite(wanted_next.rate)


@given(stages(), targets, st.floats(10, 1e4), st.floats(10, 1e4), st.floats(0, 0.99))
def test_the_traffic_that_was_measured_changes_nothing(levels, target, inputs, outputs, hits):
    run = run_with(
        levels, input_tokens_mean=inputs, output_tokens_mean=outputs, cache_hit_rate=hits, arrival="closed loop"
    )
    same = Traffic(
        profiles=(Profile(input_tokens=inputs, output_tokens=outputs, hit_rate=hits),), arrivals=Arrivals.CLOSED
    )
    fit = fit_stages(levels)
    decision = decide(fit, (target,))
    found = answer_traffic(run, fit, decision, (target,), same)
    assert found.capacity == decision.capacity
    assert found.next_measurement is None
    assert {each.effect for each in found.differences} == {Effect.NONE}
    assert not found.widened


@given(stages(), targets, conditions, st.none() | st.floats(0, 100))
def test_unknown_traffic_is_no_answer_of_its_own(levels, target, known, think):
    fit = fit_stages(levels)
    decision = decide(fit, (target,))
    assert answer_traffic(run_with(levels, **known), fit, decision, (target,), Traffic(think_s=think)) is None
    assert answer_traffic(run_with(levels, **known), fit, decision, (target,), None) is None


@given(stages(styles=("rising", "flat", "tied")), targets, st.floats(1.06, 2.0), st.floats(1.0, 1.9))
def test_longer_prompts_and_answers_never_carry_more(levels, target, factor, more):
    fit = fit_stages(levels)
    known = {"input_tokens": 1000.0, "output_tokens": 200.0}
    some, all_of_it = (
        carried_over(fit, target, (target,), Shift(prompt=f, answer=f, **known)) for f in (factor, factor * more)
    )
    if some.status in ANSWERED and all_of_it.status in ANSWERED:
        assert all_of_it.safe <= some.safe
        assert all_of_it.concurrency.low <= some.concurrency.low * (1.0 + 1e-9)
    if some.status is Status.CANNOT_TELL:
        assert all_of_it.status is Status.CANNOT_TELL


@given(st.just(0.0) | st.floats(1e-3, 1e6), st.floats(0, 5), st.floats(0, 10), st.floats(0, 10))
def test_more_swing_leaves_less_and_less_swing_more(carried, z, measured, yours):
    steady = steady_mean(carried, z, measured, yours)
    assert math.isfinite(steady)
    assert steady >= 0.0
    if yours >= measured:
        assert steady <= carried * (1.0 + 1e-9)
    else:
        assert steady >= carried * (1.0 - 1e-9)
    assert math.isclose(
        steady + z * math.sqrt(yours * steady), carried + z * math.sqrt(measured * carried), rel_tol=1e-6, abs_tol=1e-6
    )


@given(conditions, any_traffic())
def test_every_factor_is_a_pair_of_ordered_finite_bounds(known, traffic):
    shift, _ = shift_of(run_with((), **known), traffic)
    for factor in (shift.missed, shift.fresh, shift.held, shift.pressed, shift.prompt_tail, shift.answer_tail):
        assert 0.0 <= factor.low <= factor.high * (1.0 + 1e-12)
        assert math.isfinite(factor.high)
