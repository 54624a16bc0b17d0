"""The next measurement: where, how many requests, and when none is worth it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.decide.decide import decide
from core.decide.measure import next_measurement, rate_for
from core.decide.requests import duration, enough, requests_for
from core.fit.fit import fit_run, fit_stages
from core.fit.points import Points
from core.model.metric import Metric
from core.model.run import Conditions, Kind, Run
from core.model.target import parse_target
from tests.fit.sweeps import stage, sweep

LOADS = (1, 2, 4, 8, 16, 32)
TPOT = (0.010, 0.011, 0.013, 0.018, 0.030, 0.060)


def run_of(stages, kind=Kind.MEASURED):
    return Run(
        id="r",
        label="r",
        kind=kind,
        format_id="vllm_bench",
        format_version=None,
        files=(),
        conditions=Conditions(),
        stages=tuple(stages),
    )


def plan(stages, *texts, kind=Kind.MEASURED):
    run = run_of(stages, kind)
    targets = [parse_target(text) for text in texts]
    fit = fit_run(run)
    decision = decide(fit, targets)
    return decision.capacity, next_measurement(run, fit, decision, targets)


def test_first_a_level_at_the_estimate():
    capacity, found = plan(sweep((1, 4, 16, 64), (0.010, 0.012, 0.030, 0.3), n=10_000), "tpot mean <= 100 ms")
    assert found.concurrency == round(capacity.concurrency.mid)
    assert found.requests >= 10 * found.concurrency


def test_where_every_level_passes_twice_the_largest():
    _, found = plan(sweep(LOADS, TPOT), "tpot mean <= 1 s")
    assert (found.concurrency, found.requests) == (64.0, 640)


def test_where_no_level_passes_a_smaller_one():
    _, found = plan(sweep(LOADS[3:], TPOT[3:]), "tpot mean <= 1 ms")
    assert found.concurrency == 4.0


def test_where_one_request_alone_fails_nothing_helps():
    assert plan(sweep(LOADS, TPOT), "tpot mean <= 1 ms")[1] is None


def test_too_few_requests_for_p99_asks_for_three_hundred_at_the_bracket():
    stages = [stage(load, n=80, tpot={"p99": value}) for load, value in zip(LOADS, TPOT, strict=True)]
    _, found = plan(stages, "tpot p99 <= 40 ms")
    assert (found.concurrency, found.requests) == (16.0, 300)


def flat_tail(n):
    """A flat curve with a wide tail: sampling noise is what is uncertain."""
    values = (0.100, 0.103, 0.106, 0.109, 0.112, 0.115, 0.5, 5.0)
    return [
        stage(load, n=n, ttft={"p90": value, "p99": 4 * value})
        for load, value in zip((*LOADS, 64, 128), values, strict=True)
    ]


def test_where_noise_rules_four_times_the_requests_at_the_estimate():
    capacity, found = plan(flat_tail(100), "ttft p90 <= 110 ms")
    assert capacity.doubt.noise + capacity.doubt.requests > 0.6
    assert found.concurrency == round(capacity.concurrency.mid)
    assert found.requests == 4 * max(50, 10 * found.concurrency)


def test_requests_stop_where_runs_differ_more_than_samples():
    # By hand: 100 requests leave 0.05, so one leaves 0.5, and (0.5 / 0.02)^2 = 625 leave 0.02.
    points = Points(
        metric=Metric.TTFT,
        load=np.array([1.0, 10.0]),
        value=np.array([0.1, 0.2]),
        error=np.array([0.05, 0.05]),
        count=np.array([100.0, 100.0]),
        rate=np.array([1.0, 1.0]),
    )
    assert enough(points, 5.0, 300) == 630
    assert enough(points, 5.0, 1000) == 1000
    assert enough(points, 5.0, 100) == 400
    assert enough(replace(points, error=np.zeros(2)), 5.0, 300) == 300
    assert enough(replace(points, count=np.full(2, np.nan)), 5.0, 300) == 300


def test_where_a_level_lies_at_the_estimate_the_next_confirms_the_promise():
    values = zip((*LOADS, 64), (*TPOT, 0.150), strict=True)
    stages = [stage(load, n=50, tpot={"p90": value, "p99": 1.8 * value}) for load, value in values]
    capacity, found = plan(stages, "tpot p90 <= 30 ms")
    assert capacity.concurrency.mid == pytest.approx(16.0, rel=0.03)
    assert capacity.concurrency.low < found.concurrency < capacity.concurrency.mid


def test_the_command_of_the_tool_and_of_the_others():
    _, found = plan(sweep(LOADS, TPOT), "tpot mean <= 1 s")
    assert found.command == found.commands[0].command
    assert found.commands[0].tool == "vllm_bench"
    assert len(found.commands) == 5


@pytest.mark.parametrize(("load", "seconds"), [(16.0, 50.0), (64.0, 25.0), (128.0, 25.0)])
def test_the_time_that_a_level_takes(load, seconds):
    """By hand: 800 requests at 16/s and at 32/s; beyond the last level the throughput there is taken."""
    stages = [
        replace(one, achieved_rate=rate) for one, rate in zip(sweep((16, 64), (0.01, 0.05)), (16.0, 32.0), strict=True)
    ]
    fit = fit_stages(stages)
    assert duration(fit, load, 800, None) == pytest.approx(seconds)
    assert duration(fit, load, 800, 8.0) == pytest.approx(100.0)


def test_without_throughput_no_time_is_told():
    stages = [replace(one, achieved_rate=None) for one in sweep(LOADS, TPOT)]
    assert plan(stages, "tpot mean <= 1 s")[1].duration_s is None


def test_two_levels_ask_for_one_between_them():
    _, found = plan(sweep((4, 16), (0.010, 0.040)), "tpot mean <= 20 ms")
    assert found.concurrency == 8.0


def test_a_run_without_levels_has_no_next_measurement():
    assert plan([replace(stage(4), excluded="by hand")], "tpot mean <= 20 ms")[1] is None


@pytest.mark.parametrize(
    ("text", "load", "by_hand"),
    [("ttft p99 <= 1 s", 8, 300), ("ttft p99 <= 1 s", 40, 400), ("ttft mean <= 1 s", 2, 50)],
)
def test_requests_are_ten_a_slot_and_three_beyond_the_quantile(text, load, by_hand):
    assert requests_for([parse_target(text)], load) == by_hand


def open_run(*levels):
    """A run whose levels have a load, a rate that was asked for and one that was achieved."""
    stages = [
        replace(stage(load), asked_concurrency=None, achieved_concurrency=load, asked_rate=asked, achieved_rate=got)
        for load, asked, got in levels
    ]
    return Run(
        id="r",
        label="r",
        kind=Kind.MEASURED,
        format_id="vllm_bench",
        format_version=None,
        files=(),
        conditions=Conditions(),
        stages=tuple(stages),
    )


@pytest.mark.parametrize(
    ("load", "rate"),
    [
        (12.0, 3.0),  # halfway between (8, 2) and (16, 4)
        (16.0, 4.5),  # a measured level: the rate it was asked for
        (32.0, 8.0),  # beyond the last: 16 / 4 = 4 s in the system, 32 / 4 s
        (4.0, 1.0),  # below the first: 8 / 2 = 4 s, 4 / 4 s
    ],
)
def test_the_rate_of_a_load_is_read_from_the_levels(load, rate):
    assert rate_for(open_run((8.0, 2.1, 2.0), (16.0, 4.5, 4.0)), load) == rate


def test_a_level_left_out_tells_no_rate():
    run = open_run((8.0, 2.0, 2.0))
    assert rate_for(replace(run, stages=(replace(run.stages[0], excluded="load.warmup"),)), 8.0) is None


def test_an_open_loop_sweep_gets_an_open_loop_level():
    run = open_run(*((load, load / 4, load / 4) for load in LOADS))
    stages = [
        replace(one, statistics=other.statistics) for one, other in zip(run.stages, sweep(LOADS, TPOT), strict=True)
    ]
    _, found = plan(stages, "tpot mean <= 1 s")
    assert (found.concurrency, found.rate) == (64.0, 16.0)
    assert "--request-rate 16 " in found.command
    assert "--max-concurrency" not in found.command


def test_a_closed_loop_sweep_has_no_rate():
    assert plan(sweep(LOADS, TPOT), "tpot mean <= 1 s")[1].rate is None


def test_a_simulated_answer_asks_for_its_confirmation_at_the_safe_load():
    capacity, wanted = plan(sweep(LOADS, TPOT), "tpot mean <= 40 ms", kind=Kind.SIMULATED)
    assert wanted.concurrency == capacity.safe
    assert "simulated" in str(wanted.why)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("61 ms", "The largest level passes, but not beyond noise: one half as large again decides it"),
        ("59 ms", "The largest level misses the limit, but not beyond noise: one half as large again decides it"),
    ],
)
def test_a_largest_level_near_the_limit_is_said_to_pass_or_to_miss_as_it_does(limit, said):
    capacity, found = plan(sweep(LOADS, TPOT, n=300), f"tpot mean <= {limit}")
    assert capacity.concurrency.high is None
    assert (str(found.why), found.concurrency) == (said, 48.0)


def test_no_larger_level_is_asked_for_where_the_largest_misses_another_target():
    """TTFT binds and passes at 32 by a hair; TPOT misses there, so that a level at 48 would decide nothing."""
    stages = [
        stage(load, n=300, tpot={"mean": value}, ttft={"mean": 5.0 * value})
        for load, value in zip(LOADS, TPOT, strict=True)
    ]
    _, alone = plan(stages, "ttft mean <= 301 ms")
    assert alone.concurrency == 48.0
    run = run_of(stages)
    fit, targets = fit_run(run), [parse_target(text) for text in ("ttft mean <= 301 ms", "tpot mean <= 59.5 ms")]
    decision = decide(fit, targets)
    binds = replace(decision, capacity=replace(decision.capacity, binding=targets[0]))
    found = next_measurement(run, fit, binds, targets)
    assert found.concurrency <= 32.0
    assert "one half as large again" not in str(found.why)
