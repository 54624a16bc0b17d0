"""What holds for every highest rate and every job, whatever was measured."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decide.decide import decide
from core.decide.job import job_answer
from core.decide.throughput import best_throughput, unbound
from core.fit.fit import fit_stages
from core.model.answer import Status
from core.model.metric import Metric
from core.model.target import Target
from core.model.workload import Job
from tests.laws.test_capacity_laws import stages

FEWER = settings(max_examples=40)
"""Every example fits a whole sweep."""

RATES = ("achieved_rate", "output_tok_s", "total_tok_s")


def best(levels, targets=()):
    fit = fit_stages(levels)
    return fit, best_throughput(fit, (decide(fit, targets) if targets else unbound(fit)).capacity, targets)


def numbers(found):
    yield found.at
    for interval in (found.rate, found.enough):
        if interval:
            yield from (interval.low, interval.mid, interval.high)


@FEWER
@given(stages())
def test_no_level_is_better_than_the_highest_rate(levels):
    fit, found = best(levels)
    if found.rate is None:
        assert found.status is Status.CANNOT_TELL
        return
    usable = fit.rates_over(
        found.rate_name, np.array([x for x in fit.levels if x <= fit.rate_band(found.rate_name).load[-1]])
    )
    assert found.rate.mid >= usable.mid.max() * (1 - 1e-9)
    assert found.rate.low >= usable.low.max() * (1 - 1e-9)


@FEWER
@given(stages())
def test_it_is_a_measured_load_and_the_range_holds_the_middle(levels):
    fit, found = best(levels)
    assert all(value is None or (math.isfinite(value) and value > 0) for value in numbers(found))
    if found.rate is None:
        return
    assert any(math.isclose(found.at, level) for level in fit.levels)
    assert found.rate.low <= found.rate.mid <= (found.rate.high or math.inf)
    assert found.rate.low < (found.rate.high or math.inf)
    assert (found.rate.high is None) == (found.status is Status.AT_LEAST)
    if found.enough:
        ends = [x for x in (found.enough.low, found.enough.mid, found.enough.high) if x is not None]
        assert ends == sorted(ends)
        assert found.enough.mid <= found.at * (1 + 1e-9)


@FEWER
@given(stages(), st.floats(0.001, 1000.0))
def test_scaling_the_rates_scales_the_answer(levels, factor):
    scaled = [
        replace(level, **{name: getattr(level, name) * factor for name in RATES if getattr(level, name) is not None})
        for level in levels
    ]
    (_, one), (_, other) = best(levels), best(scaled)
    assert one.status is other.status
    if one.rate:
        assert other.rate.mid == pytest.approx(one.rate.mid * factor, rel=1e-6)
        assert other.rate.low == pytest.approx(one.rate.low * factor, rel=1e-6)
        # Two levels may share the highest rate to the last digit; rounding then picks either.
        assert other.at == pytest.approx(one.at) or other.rate.mid == pytest.approx(one.rate.mid * factor, rel=1e-9)


@FEWER
@given(stages(), st.integers(1, 10**7), st.integers(0, 10**7))
def test_a_longer_job_never_ends_sooner(levels, requests, more):
    fit, found = best(levels)
    short = job_answer(fit, found, Job(requests=requests)).completion_s
    long = job_answer(fit, found, Job(requests=requests + more)).completion_s
    if short is None:
        return
    assert long is not None
    for name in ("low", "mid", "high"):
        assert getattr(long, name) >= getattr(short, name)
    assert 0.0 < short.low <= short.mid <= short.high < math.inf


@FEWER
@given(stages(), st.floats(0.5, 2.0), st.floats(0.5, 2.0))
def test_longer_requests_never_end_a_job_sooner(levels, one, other):
    known = [replace(level, input_tokens_mean=100.0, output_tokens_mean=100.0) for level in levels]
    fit, found = best(known)
    small, large = sorted((one, other))
    first = job_answer(fit, found, Job(requests=10**6, output_tokens=100.0 * small)).completion_s
    second = job_answer(fit, found, Job(requests=10**6, output_tokens=100.0 * large)).completion_s
    if first is None or second is None:
        return
    for name in ("low", "mid", "high"):
        assert getattr(second, name) >= getattr(first, name) * (1 - 1e-9)


@FEWER
@given(stages(), st.floats(1e-3, 10.0))
def test_a_target_never_raises_the_rate_nor_the_load(levels, limit):
    _, free = best(levels)
    fit, bound = best(levels, (Target(Metric.TPOT, "mean", limit),))
    if free.rate is None or bound.rate is None:
        return
    assert bound.rate.mid <= free.rate.mid * (1 + 1e-9)
    capacity = decide(fit, (Target(Metric.TPOT, "mean", limit),)).capacity
    assert capacity.status is not Status.WITHIN or bound.at <= capacity.safe
