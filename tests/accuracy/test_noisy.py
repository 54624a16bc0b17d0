"""Sweeps recorded on an overloaded machine: they are warned of, and their ranges hold or no answer is given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.accuracy.noisy import SWEEPS, measured
from core.decide.decide import decide
from core.errors import Place
from core.fit.fit import fit_stages
from core.fit.wobble import wobble
from core.model.answer import Status
from core.model.metric import Metric
from core.model.stage import Requests, Stage, Statistics
from core.model.target import Target


@pytest.mark.parametrize("name", SWEEPS)
def test_a_disturbed_sweep_is_warned_of_and_its_ranges_hold_or_nothing_is_claimed(shared_data, name):
    figures = measured(shared_data / "generated" / "tools" / "vllm-bench-0.32.0" / name)
    assert figures["warned"] == 1.0
    assert figures["refused"] >= 0.95 or figures["coverage"] >= 0.85


def level(load, tpot_s):
    n = tpot_s.size
    stay = 0.1 + 100.0 * tpot_s
    return Stage(
        where=Place("c.json"),
        asked_concurrency=float(load),
        achieved_concurrency=float(load),
        achieved_rate=load / float(stay.mean()),
        requests_good=n,
        requests_failed=0,
        statistics={
            Metric.TPOT: Statistics(mean=float(tpot_s.mean()), sd=float(tpot_s.std()), n=n, quantiles={}),
            Metric.E2E: Statistics(mean=float(stay.mean()), sd=float(stay.std()), n=n, quantiles={}),
        },
        requests=Requests(
            start_s=np.arange(n) * 0.05,
            ttft_s=np.full(n, 0.1),
            tpot_s=tpot_s,
            e2e_s=stay,
            input_tokens=np.full(n, 10.0),
            output_tokens=np.full(n, 101.0),
            good=np.ones(n, bool),
        ),
    )


def steady(load, n=400):
    return level(load, 0.01 * (1 + load / 16) * np.random.default_rng(load).lognormal(0.0, 0.1, n))


def stalled(load, n=400):
    """One eighth of the requests meets a machine that is four times slower."""
    values = steady(load, n).requests.tpot_s.copy()
    values[n // 2 : n // 2 + n // 8] *= 4.0
    return level(load, values)


def test_scatter_from_request_to_request_is_no_wobble_and_a_stall_is():
    assert wobble([steady(load) for load in (1, 4, 16)]) < 0.02
    assert wobble([stalled(load) for load in (1, 4, 16)]) > 0.3


def test_a_stall_at_every_level_leaves_no_crossing_claimed():
    target = Target(Metric.TPOT, "mean", 0.02)
    quiet = [steady(load) for load in (1, 4, 8, 32, 64)]
    assert decide(fit_stages(quiet), [target]).capacity.status is Status.WITHIN
    disturbed = decide(fit_stages([stalled(load) for load in (1, 4, 8, 32, 64)]), [target]).capacity
    assert disturbed.status is Status.CANNOT_TELL
    assert "noise.sweep_wide" in disturbed.reasons


def test_without_requests_nothing_is_known_of_the_inside_of_a_level():
    assert wobble([replace(stalled(load), requests=None) for load in (1, 4, 16)]) == 0.0
