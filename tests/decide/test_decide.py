"""Statuses, numbers and reasons, each as the contract words it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.decide.decide import decide
from core.errors import Place
from core.fit.fit import fit_stages
from core.model.answer import Status
from core.model.stage import Requests, Stage
from core.model.target import parse_target
from tests.fit.sweeps import stage, sweep

LOADS = (1, 2, 4, 8, 16, 32)
TPOT = (0.010, 0.011, 0.013, 0.018, 0.030, 0.060)


def answer(stages, *targets):
    return decide(fit_stages(stages), [parse_target(text) for text in targets]).capacity


def test_a_crossing_between_levels_is_within():
    capacity = answer(sweep(LOADS, TPOT), "tpot mean <= 40 ms")
    assert capacity.status is Status.WITHIN
    assert 16 <= capacity.concurrency.mid <= 32
    assert capacity.concurrency.low <= capacity.safe <= capacity.concurrency.mid < capacity.concurrency.high
    assert capacity.doubt is not None
    assert capacity.binding == parse_target("tpot mean <= 40 ms")


def test_far_above_the_largest_value_the_answer_is_at_least_the_largest_level():
    capacity = answer(sweep(LOADS, TPOT), "tpot mean <= 120 ms")
    assert capacity.status is Status.AT_LEAST
    assert (capacity.concurrency.low, capacity.concurrency.mid, capacity.concurrency.high) == (32.0, None, None)
    assert capacity.safe == 32


@pytest.mark.parametrize("limit", ["8 s", "50 s", "500 s"])
def test_far_above_a_steep_curve_the_answer_is_at_least_the_largest_level_too(limit):
    stages = sweep([4, 8, 16, 32, 64], [0.1, 0.12, 0.18, 0.6, 5.0], statistic="p99")
    capacity = answer(stages, f"tpot p99 <= {limit}")
    assert capacity.status is Status.AT_LEAST
    assert capacity.safe == 64
    assert capacity.reasons == ()


def test_a_limit_that_only_the_lowest_level_keeps_says_that_the_range_leaves_what_was_measured():
    stages = sweep([4, 8, 16, 32, 64], [0.1, 0.12, 0.18, 0.6, 5.0], statistic="p99")
    capacity = answer(stages, "tpot p99 <= 100 ms")
    assert capacity.concurrency.mid >= 4.0
    assert "load.bottom_within_noise" in capacity.reasons


@pytest.mark.parametrize(
    ("requests", "share", "status"),
    [
        (1000, "99%", Status.AT_LEAST),
        (20, "99%", Status.CANNOT_TELL),
        (300, "99.9%", Status.CANNOT_TELL),
        (1000, "100%", Status.CANNOT_TELL),
    ],
)
def test_a_level_that_lost_nothing_never_fails_a_success_rate(requests, share, status):
    stages = [replace(s, requests_good=requests, requests_failed=0) for s in sweep(LOADS, TPOT)]
    capacity = answer(stages, f"success_rate value >= {share}")
    assert capacity.status is status
    assert status is Status.AT_LEAST or "sample.too_few_for_quantile" in capacity.reasons


def test_a_table_of_nothing_but_p99_can_still_be_too_restless():
    values = [0.1, 0.4, 0.1, 0.6, 0.2, 0.9]
    capacity = answer(sweep([8, 16, 32, 64, 128, 256], values, statistic="p99"), "tpot p99 <= 500 ms")
    assert capacity.status is Status.CANNOT_TELL
    assert "noise.sweep_wide" in capacity.reasons


def test_a_p99_of_forty_sent_requests_cannot_be_told_even_if_nobody_counted_the_good_ones():
    found = sweep([8, 16, 32], [0.1, 0.2, 0.9], statistic="p99")
    bare = [
        replace(
            s, requests_good=None, requests_sent=40, statistics={m: replace(v, n=None) for m, v in s.statistics.items()}
        )
        for s in found
    ]
    assert "sample.too_few_for_quantile" in answer(bare, "tpot p99 <= 500 ms").reasons


def test_levels_that_all_lost_their_requests_are_not_called_unrecorded():
    stages = [replace(s, requests_failed=s.requests_good) for s in sweep(LOADS, TPOT)]
    capacity = answer(stages, "tpot mean <= 40 ms")
    assert capacity.status is Status.CANNOT_TELL
    assert capacity.reasons == ("sample.failed_requests",)


def test_a_limit_within_the_noise_of_the_top_level_leaves_the_upper_end_open():
    capacity = answer(sweep(LOADS, TPOT), "tpot mean <= 60.1 ms")
    assert capacity.status is Status.WITHIN
    assert capacity.concurrency.high is None
    assert capacity.safe <= 32
    assert "load.top_within_noise" in capacity.reasons


@pytest.mark.parametrize("limit", ["59.5 ms", "60.5 ms"])
def test_a_top_level_that_misses_or_passes_within_noise_says_how_unlikely_much_more_is(limit):
    capacity = answer(sweep(LOADS, TPOT), f"tpot mean <= {limit}")
    assert capacity.concurrency.high is None
    # ln TPOT rises as ln load there: 90 % of the doubt about 60 ms is nowhere near a factor of two.
    assert 32.0 < capacity.beyond < 64.0


@pytest.mark.parametrize("limit", ["40 ms", "120 ms"])
def test_where_an_end_was_measured_or_the_top_clearly_passes_nothing_is_continued(limit):
    assert answer(sweep(LOADS, TPOT), f"tpot mean <= {limit}").beyond is None


def test_of_several_targets_the_nearest_end_counts_and_a_measured_one_closes_the_range():
    stages = [
        stage(load, n=1000, tpot={"mean": value, "p90": 1.1 * value}) for load, value in zip(LOADS, TPOT, strict=True)
    ]
    texts = ("tpot mean <= 60.5 ms", "tpot p90 <= 65.5 ms")
    alone = [answer(stages, text).beyond for text in texts]
    assert answer(stages, *texts).beyond == min(alone)
    assert answer(stages, texts[0], "tpot p90 <= 44 ms").beyond is None


def test_under_the_smallest_value_the_answer_is_below_the_smallest_level():
    capacity = answer(sweep(LOADS, TPOT), "tpot mean <= 5 ms")
    assert capacity.status is Status.BELOW
    assert (capacity.concurrency.low, capacity.concurrency.mid, capacity.concurrency.high) == (None, None, 1.0)
    assert capacity.safe is None


def test_a_lowest_level_that_fails_under_one_that_passes_cannot_be_told():
    capacity = answer(sweep(LOADS, (0.050, 0.011, 0.013, 0.018, 0.030, 0.060)), "tpot mean <= 20 ms")
    assert capacity.status is Status.CANNOT_TELL
    assert capacity.reasons[0] == "order.lowest_fails"
    assert capacity.safe is None


def test_a_p99_of_eighty_requests_cannot_be_told_but_p90_can():
    stages = [
        stage(load, n=80, tpot={"p50": 0.8 * value, "p90": 0.9 * value, "p99": value})
        for load, value in zip(LOADS, TPOT, strict=True)
    ]
    capacity = answer(stages, "tpot p99 <= 40 ms")
    assert capacity.status is Status.CANNOT_TELL
    assert "sample.too_few_for_quantile" in capacity.reasons
    assert capacity.supported.binding == parse_target("tpot p90 <= 40 ms")
    assert capacity.supported.status is Status.WITHIN


def test_a_p99_of_two_hundred_requests_is_told_as_weak():
    capacity = answer(sweep(LOADS, TPOT, statistic="p99", n=200), "tpot p99 <= 40 ms")
    assert capacity.status is Status.WITHIN
    assert "sample.weak_quantile" in capacity.reasons


def test_a_p99_of_three_hundred_requests_is_not_weak():
    capacity = answer(sweep(LOADS, TPOT, statistic="p99", n=300), "tpot p99 <= 40 ms")
    assert "sample.weak_quantile" not in capacity.reasons


def test_a_mean_never_stands_in_for_a_percentile():
    capacity = answer(sweep(LOADS, TPOT), "tpot p99 <= 40 ms")
    assert capacity.status is Status.CANNOT_TELL
    assert capacity.reasons == ("sample.no_such_statistic",)
    assert capacity.supported is None


def test_two_levels_give_the_bracket_only():
    capacity = answer(sweep((4, 16), (0.010, 0.040)), "tpot mean <= 20 ms")
    assert capacity.status is Status.CANNOT_TELL
    assert "levels.bracket_only" in capacity.reasons
    assert (capacity.concurrency.low, capacity.concurrency.mid, capacity.concurrency.high) == (4.0, None, 16.0)


def test_one_level_that_passes_clearly_is_at_least_that_level():
    capacity = answer(sweep((4,), (0.010,)), "tpot mean <= 20 ms")
    assert (capacity.status, capacity.safe) == (Status.AT_LEAST, 4)


def test_three_levels_answer_and_say_so():
    capacity = answer(sweep((1, 4, 16), (0.010, 0.015, 0.040)), "tpot mean <= 20 ms")
    assert capacity.status is Status.WITHIN
    assert "levels.three" in capacity.reasons


def test_a_bracket_wider_than_four_is_named():
    capacity = answer(sweep((1, 2, 20, 40), (0.010, 0.012, 0.040, 0.080)), "tpot mean <= 20 ms")
    assert "levels.wide_bracket" in capacity.reasons


def test_levels_that_contradict_each_other_by_more_than_a_fifth_cannot_be_told():
    capacity = answer(sweep(LOADS, (0.010, 0.030, 0.012, 0.040, 0.015, 0.060)), "tpot mean <= 20 ms")
    assert capacity.status is Status.CANNOT_TELL
    assert capacity.reasons[0] == "noise.sweep_wide"


def test_a_pass_above_a_fail_is_named_and_never_promised():
    capacity = answer(sweep((4, 8, 16, 32), (0.010, 0.0215, 0.019, 0.060)), "tpot mean <= 20 ms")
    assert "order.pass_above_fail" in capacity.reasons
    assert capacity.safe < 8


def test_the_tightest_target_binds():
    stages = [
        stage(load, tpot={"mean": value}, ttft={"mean": 0.01 * load}) for load, value in zip(LOADS, TPOT, strict=True)
    ]
    both = answer(stages, "tpot mean <= 40 ms", "ttft mean <= 100 ms")
    alone = answer(stages, "ttft mean <= 100 ms")
    assert both.binding == parse_target("ttft mean <= 100 ms")
    assert both.concurrency == alone.concurrency
    assert alone.concurrency.low < 10.0 < alone.concurrency.high


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (("tpot mean <= 5 ms", "tpot mean <= 40 ms"), Status.BELOW),
        (("tpot mean <= 40 ms", "ttft mean <= 1 s"), Status.CANNOT_TELL),
        (("tpot mean <= 5 ms", "ttft mean <= 1 s"), Status.BELOW),
        (("tpot mean <= 40 ms", "tpot mean <= 120 ms"), Status.WITHIN),
        (("tpot mean <= 120 ms", "tpot mean <= 130 ms"), Status.AT_LEAST),
    ],
)
def test_the_status_of_a_set(limits, status):
    assert answer(sweep(LOADS, TPOT), *limits).status is status


def test_a_rate_per_user_is_the_inverse_of_time_per_token():
    rate, time = (answer(sweep(LOADS, TPOT), text) for text in ("tok_s_user mean >= 25", "tpot mean <= 40 ms"))
    assert rate.concurrency == time.concurrency
    assert rate.binding == parse_target("tok_s_user mean >= 25")


def with_failures(load, failed, n=1000):
    return replace(stage(load, n=n - failed, tpot={"mean": 0.01}), requests_failed=failed)


def test_a_success_rate_is_crossed_where_failures_reach_the_share():
    # 0.2 %, 0.4 %, 0.8 %, 1.6 %, 3.2 %: proportional to load, so 1 % is reached at 5.
    stages = [with_failures(load, failed) for load, failed in ((1, 2), (2, 4), (4, 8), (8, 16), (16, 32))]
    capacity = answer(stages, "success_rate value >= 0.99")
    assert capacity.status is Status.WITHIN
    assert capacity.concurrency.mid == pytest.approx(5.0, rel=0.02)


def test_unknown_failures_cannot_be_told():
    stages = [replace(level, requests_failed=None) for level in sweep(LOADS, TPOT)]
    capacity = answer(stages, "success_rate value >= 0.99")
    assert capacity.status is Status.CANNOT_TELL
    assert capacity.reasons == ("sample.failures_unknown",)


def test_a_level_that_lost_a_tenth_of_its_requests_is_no_point_of_a_p99():
    stages = [*sweep(LOADS[:-1], TPOT[:-1], statistic="p99")]
    broken = replace(stage(32, n=900, tpot={"p99": 0.031}), requests_failed=100)
    capacity = answer([*stages, broken], "tpot p99 <= 40 ms")
    assert capacity.status is Status.WITHIN
    assert capacity.concurrency.high == 32.0
    assert capacity.safe <= 16
    assert "sample.failed_requests" in capacity.reasons


def recorded(load, slow, n=1000):
    """A level of which `slow` requests of n had a TTFT of 2 s, the others of 0.1 s."""
    ttft = np.where(np.arange(n) < slow, 2.0, 0.1)
    requests = Requests(
        start_s=np.arange(n, dtype=float),
        ttft_s=ttft,
        tpot_s=np.full(n, 0.02),
        e2e_s=ttft + 1.0,
        input_tokens=np.full(n, 10.0),
        output_tokens=np.full(n, 50.0),
        good=np.ones(n, bool),
    )
    return Stage(where=Place(), asked_concurrency=load, requests_good=n, requests_failed=0, requests=requests)


def test_goodput_counts_requests_where_they_are_recorded():
    # Slow ones in proportion to load: 5 % at 10.
    stages = [recorded(load, 5 * load) for load in (1, 2, 4, 8, 16, 32)]
    capacity = answer(stages, "goodput value >= 0.95", "ttft p50 <= 1 s")
    alone = decide(fit_stages(stages), [parse_target("goodput value >= 0.95"), parse_target("ttft p50 <= 1 s")])
    assert alone.per_target[0].capacity.concurrency.mid == pytest.approx(10.0, rel=0.02)
    assert capacity.binding == parse_target("goodput value >= 0.95")


def test_goodput_from_percentiles_alone_gives_bounds_only():
    stages = [stage(load, ttft={"p50": 0.05 * load, "p90": 0.1 * load, "p99": 0.2 * load}) for load in (1, 2, 4, 8, 16)]
    decision = decide(fit_stages(stages), [parse_target("goodput value >= 0.95"), parse_target("ttft p50 <= 1 s")])
    goodput = decision.per_target[0].capacity
    # p99 <= 1 s up to 4 (0.8 s): at least 99 % are in. At 16, p90 is 1.6 s: at most 90 % are in.
    assert goodput.status is Status.CANNOT_TELL
    assert (goodput.concurrency.low, goodput.concurrency.high) == (4.0, 16.0)
    assert "goodput.only_bounds" in goodput.reasons


def test_a_simulated_sweep_without_counts_is_answered_with_a_range():
    capacity = answer(sweep(LOADS, TPOT, n=None), "tpot mean <= 40 ms")
    assert capacity.status is Status.WITHIN
    assert "sample.size_unknown" in capacity.reasons
    assert capacity.concurrency.low < capacity.concurrency.high


def test_a_level_that_answered_nothing_bounds_the_answer_from_above():
    dead = replace(stage(64, n=0), excluded="sample.none_completed")
    capacity = answer([*sweep(LOADS, TPOT), dead], "tpot mean <= 120 ms")
    assert capacity.status is Status.WITHIN
    assert (capacity.concurrency.mid, capacity.concurrency.high) == (32.0, 64.0)
    assert capacity.safe <= 32
