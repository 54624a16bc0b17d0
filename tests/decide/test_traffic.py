"""What differs between a run and a service, worked out by hand, and what that does to the answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.decide.decide import decide
from core.decide.single import answer_target
from core.decide.traffic import answer_traffic
from core.decide.traffic_arrivals import steady_mean, z_of
from core.decide.traffic_bounds import NOTHING, Corner, carried_over, corners
from core.decide.traffic_records import length_quantile, prompt_slope
from core.decide.traffic_shift import Factor, Shift, shift_of
from core.fit.fit import fit_run
from core.model.answer import Status
from core.model.difference import Effect, Match
from core.model.metric import Metric
from core.model.run import Conditions
from core.model.stage import Requests
from core.model.target import Target, parse_target
from core.model.traffic_text import parse_traffic
from tests.check.run_build import run, stage

KNOWN = Conditions(
    model="m", input_tokens_mean=1000.0, output_tokens_mean=101.0, arrival="closed loop", cache_hit_rate=0.0
)
TTFT = Target(Metric.TTFT, "p99", 0.2)
TIGHT, LOOSE = replace(TTFT, limit=0.16), replace(TTFT, limit=0.27)
TPOT = Target(Metric.TPOT, "mean", 0.012)


def measured(**conditions):
    """TTFT 100 ms + 2 ms a request in flight, TPOT 10 ms + 0.1 ms a request, levels 2 to 64."""
    levels = tuple(stage(load) for load in (2, 4, 8, 16, 32, 64))
    return run(*levels, conditions=replace(KNOWN, **conditions))


def answer(words, targets=(TTFT,), **conditions):
    found = measured(**conditions)
    fit = fit_run(found)
    decision = decide(fit, targets)
    return decision, answer_traffic(found, fit, decision, targets, parse_traffic([words]))


def test_factors_of_a_longer_prompt_by_hand():
    shift, _ = shift_of(measured(), parse_traffic(["isl=2000 osl=101 hit=0"]))
    assert (shift.prompt, shift.answer) == (2.0, 1.0)
    # (2000 + 101 / 2) / (1000 + 101 / 2) tokens are held, 2 x as many prompt tokens for each output token.
    assert shift.held.high == pytest.approx(2050.5 / 1050.5)
    assert shift.fresh == Factor(2.0, 2.0)
    assert shift.pressed == Factor(2.0, 2.0)


def test_cache_hits_take_from_the_prompt_what_is_not_computed():
    shift, _ = shift_of(measured(cache_hit_rate=0.2), parse_traffic(["isl=1000 osl=202 hit=0.6"]))
    assert shift.fresh.high == pytest.approx(0.4 / 0.8)
    assert shift.pressed.high == pytest.approx(0.25)


def test_corners_of_the_first_token_and_of_the_pace():
    fit = fit_run(measured())
    shift = Shift(prompt=2.0, input_tokens=1000.0, output_tokens=500.0)
    harsh, mild = corners(fit, TTFT, shift, answer_target(fit, TTFT, (TTFT,)))
    assert harsh == [NOTHING, Corner(2.0, 1.0), Corner(1.0, 1.8), Corner(1.0, 2.0)]
    assert max(each.load for each in mild) == 2.0
    assert NOTHING in mild
    harsh, _ = corners(fit, TPOT, shift, answer_target(fit, TPOT, (TPOT,)))
    assert {each.value for each in harsh} == {1.0}
    assert max(each.load for each in harsh) == 2.0


def test_the_whole_time_grows_by_its_two_parts():
    fit = fit_run(measured())
    target = Target(Metric.E2E, "mean", 1.5)
    found = answer_target(fit, target, (target,))
    harsh, mild = corners(fit, target, Shift(answer=1.5, input_tokens=1000.0, output_tokens=101.0), found)
    # TTFT is about a tenth of the whole time here, so a 1.5 x longer answer takes about 1.45 x as long.
    assert 1.40 < harsh[1].value < 1.47
    assert 1.40 < mild[0].value <= harsh[1].value


def test_swings_by_hand():
    # 100 in flight on average swing by 10: one standard deviation above is 110.
    assert steady_mean(110.0, 1.0, 0.0, 1.0) == pytest.approx(100.0)
    assert steady_mean(100.0, 1.0, 1.0, 0.0) == pytest.approx(110.0)
    assert z_of("p95") == pytest.approx(1.645, abs=1e-3)


def test_equal_traffic_is_the_measured_answer():
    decision, found = answer("isl=1010 osl=100 hit=0.02 arrivals=closed")
    assert found.capacity == decision.capacity
    assert {each.match for each in found.differences} == {Match.EQUAL}
    assert found.next_measurement is None


def test_heavier_traffic_lowers_the_safe_number_and_keeps_no_effect_in_the_range():
    decision, found = answer("isl=1400 osl=101 hit=0 arrivals=closed")
    assert found.capacity.status is Status.WITHIN
    assert found.capacity.safe < decision.capacity.safe
    assert found.capacity.concurrency.high >= decision.capacity.concurrency.high
    assert "traffic.widened" in found.capacity.reasons
    assert 0.0 < found.widened < 1.0
    effects = {each.condition: each.effect for each in found.differences}
    assert effects == {
        "input_tokens": Effect.LOWERS,
        "output_tokens": Effect.NONE,
        "hit_rate": Effect.NONE,
        "arrivals": Effect.NONE,
    }


def test_lighter_traffic_promises_no_more():
    decision, found = answer("isl=600 osl=101 hit=0 arrivals=closed", (TIGHT,))
    assert found.capacity.safe == decision.capacity.safe
    assert found.capacity.concurrency.low == pytest.approx(decision.capacity.concurrency.low)
    assert found.capacity.concurrency.high > decision.capacity.concurrency.high


def test_an_estimate_above_every_level_is_a_bound_and_the_highest_level_comes_next():
    # As measured the estimate lies between the levels 32 and 64; with answers four times as long, above 64.
    decision, found = answer("isl=1000 osl=400 hit=0 arrivals=closed", (replace(TTFT, limit=0.24),))
    own = found.capacity
    assert 32.0 < decision.capacity.concurrency.mid < 64.0
    assert (own.concurrency.mid, own.concurrency.high) == (None, None)
    assert own.concurrency.low <= own.safe <= decision.capacity.safe
    assert "traffic.beyond_levels" in own.reasons
    # What chances go by is a reading of the measured end, at the factor between the two.
    assert own.beyond > decision.capacity.concurrency.high
    assert found.next_measurement.concurrency == 64.0


def test_a_set_with_an_estimate_does_not_say_that_it_has_none():
    # Of TTFT the estimate lies above every level, of TPOT at about 37: that is the one of both.
    _, found = answer("isl=1000 osl=400 hit=0 arrivals=closed", (replace(TTFT, limit=0.24), TPOT))
    first, second = (each.capacity for each in found.per_target)
    assert "traffic.beyond_levels" in first.reasons
    assert found.capacity.concurrency.mid == second.concurrency.mid < 64.0
    assert "traffic.beyond_levels" not in found.capacity.reasons
    assert found.next_measurement.concurrency == round(second.concurrency.mid)


@pytest.mark.parametrize("limit", [0.15, 0.2, 0.21, 0.24, 0.3])
@pytest.mark.parametrize("words", ["isl=300", "osl=400", "isl=600 osl=300", "isl=1400", "arrivals=poisson"])
def test_nothing_that_is_shown_lies_above_the_levels(limit, words):
    _, found = answer(words, (replace(TTFT, limit=limit), TPOT))
    for capacity in (found.capacity, *(each.capacity for each in found.per_target)):
        span = capacity.concurrency
        ends = (span.low, span.mid, span.high) if span else ()
        assert max((end for end in (*ends, capacity.safe) if end is not None), default=0.0) <= 64.0


@pytest.mark.parametrize(
    ("words", "target", "conditions", "code"),
    [
        ("isl=8000 osl=1000", "ttft p99 <= 200ms", {}, "traffic.too_far"),
        ("isl=8000 osl=1000", "tpot mean <= 12ms", {}, "traffic.too_far"),
        ("isl=1500", "ttft p99 <= 200ms", {"input_tokens_mean": None}, "traffic.run_unknown"),
        ("isl=1500", "success_rate value >= 0.99", {}, "traffic.not_carried_over"),
        ("arrivals=bursty burst=4", "ttft p99 <= 200ms", {}, "traffic.tail_unlike"),
        ("osl=101 osl_p95=300", "tpot p99 <= 15ms", {}, "traffic.tail_unlike"),
        ("arrivals=poisson", "ttft p99 <= 139ms", {}, "traffic.arrivals_too_far"),
        ("isl=1000 osl=101", "ttft p99 <= 200ms", {"cache_hit_rate": 0.8}, "traffic.too_far"),
    ],
)
def test_what_cannot_be_told_says_why_and_what_to_measure(words, target, conditions, code):
    _, found = answer(words, (parse_target(target),), **conditions)
    assert found.capacity.status is Status.CANNOT_TELL
    assert code in found.capacity.reasons
    assert found.capacity.safe is None


def test_what_to_measure_has_the_services_lengths_and_arrivals():
    _, found = answer("isl=8000 osl=1000 arrivals=poisson")
    wanted = found.next_measurement
    assert "--random-input-len 8000 --random-output-len 1000" in wanted.command
    assert f"--request-rate {wanted.rate:g}" in wanted.command
    assert "8,000 input tokens, 1,000 output tokens, arrivals at random" in str(wanted.why)


def test_an_unknown_hit_rate_of_the_run_is_assumed_and_said():
    decision, found = answer("hit=0.3", (TIGHT,), cache_hit_rate=None)
    assert [finding.code for finding in found.findings] == ["traffic.hit_rate_assumed"]
    assert found.capacity.safe == decision.capacity.safe
    assert found.capacity.concurrency.high > decision.capacity.concurrency.high


def test_arrivals_at_random_leave_room_for_swings():
    target = parse_target("tpot mean <= 14ms")
    decision, found = answer("arrivals=poisson", (target,))
    safe, own = found.capacity.safe, decision.capacity.safe
    assert 0 < safe < own
    assert "traffic.arrivals_swing" in found.capacity.reasons


def test_users_who_think_arrive_at_random_and_are_counted():
    _, found = answer("users=100 think=10", (parse_target("tpot mean <= 14ms"),))
    arrivals = next(each for each in found.differences if each.condition == "arrivals")
    assert arrivals.yours == "poisson"
    # A request takes about 1.4 s here: 100 x 1.4 / 11.4 = 12 in flight.
    told = next(finding for finding in found.findings if finding.code == "traffic.users_fit")
    assert "about 1" in str(told.what)


def records(rng, load, count=400, power=0.7):
    inputs = np.exp(rng.normal(7.0, 0.5, count))
    ttft = 0.0005 * load * inputs**power * np.exp(0.05 * rng.normal(size=count))
    outputs = np.full(count, 101.0)
    return Requests(
        start_s=np.full(count, np.nan),
        ttft_s=ttft,
        tpot_s=np.full(count, 0.01),
        e2e_s=ttft + 1.0,
        input_tokens=inputs,
        output_tokens=outputs,
        good=np.ones(count, bool),
    )


def with_records(power=0.7):
    rng = np.random.default_rng(3)
    found = measured()
    levels = [replace(level, requests=records(rng, level.load, power=power)) for level in found.stages]
    return replace(found, stages=tuple(levels))


def test_records_tell_how_the_first_token_follows_the_prompt():
    slope = prompt_slope(with_records())
    assert slope.low < 0.7 < slope.high
    assert slope.high - slope.low < 0.02
    assert prompt_slope(measured()) is None


def test_records_hold_the_effect_of_a_prompt_between_nothing_and_proportional():
    flat, steep = prompt_slope(with_records(power=-0.5)), prompt_slope(with_records(power=1.5))
    assert (flat.low, flat.high) == (0.0, 0.0)
    assert (steep.low, steep.high) == (1.0, 1.0)


def test_records_tell_the_spread_and_lengths_all_alike_have_none():
    found = with_records()
    # Lognormal with sd 0.5: p95 over mean is exp(1.645 x 0.5 - 0.125).
    assert length_quantile(found, "input_tokens", 0.95) == pytest.approx(2.009, rel=0.05)
    assert length_quantile(found, "output_tokens", 0.95) == pytest.approx(1.0)


def test_records_replace_the_extremes_of_the_prompt():
    plain = measured()
    fit, shift = fit_run(plain), shift_of(plain, parse_traffic(["isl=1800 osl=101 hit=0"]))[0]
    told = replace(shift, slope=prompt_slope(with_records(power=0.2)))
    without, with_slope = (carried_over(fit, LOOSE, (LOOSE,), each) for each in (shift, told))
    assert without.safe < with_slope.safe <= answer_target(fit, LOOSE, (LOOSE,)).safe
