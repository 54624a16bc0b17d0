"""The batch limit from one saturated row, on published tables and on made-up queues."""

from __future__ import annotations

import dataclasses
import gzip
import json

import numpy as np
import pytest

from core.fit.fit import fit_run, fit_stages
from core.fit.knee import find_knee
from core.fit.sweep import sweep_of
from core.ingest.stage_json import stage_of
from core.model.metric import Metric
from core.model.run import Conditions, Kind, Run
from tests.fit.sweeps import drawn, stage


@pytest.fixture(scope="module")
def nim(root):
    """NVIDIA's table for Llama 3.3 70B on two H100, 5000/500 tokens, v1.8: every level but 5."""
    path = root / "benchmarks" / "accuracy" / "data" / "real" / "tasks.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        record = next(r for r in map(json.loads, lines) if r["id"] == "nim/nim70b_5000_500_v18-without-5")
    return [stage_of(level) for level in record["stages"]]


@pytest.mark.parametrize("saturated", [100.0, 150.0, 200.0, 250.0])
def test_any_one_saturated_row_tells_the_same_batch_limit(nim, saturated):
    """fit.md 1: N = 100, 150, 200, 250 give 87.0, 87.3, 87.4, 87.5 by hand."""
    levels = [level for level in nim if level.load <= 50.0 or level.load == saturated]
    assert 86.5 <= find_knee(sweep_of(levels)) <= 88.0


def queue(load, batch=16, step=0.02, tokens=100):
    """A server that runs `batch` at once, each request taking tokens x step, the rest waiting."""
    running = min(load, batch)
    service = tokens * step * (1 + running / batch)
    rate = running / service
    wait = (load - running) / rate
    return stage(
        load, rate=rate, ttft={"mean": 0.05 + wait}, e2e={"mean": service + wait}, tpot={"mean": service / tokens}
    )


def test_the_knee_of_a_plain_queue_is_its_batch_limit():
    levels = [queue(n) for n in (1, 4, 12, 32, 64)]
    assert find_knee(sweep_of(levels)) == pytest.approx(16.0, rel=0.02)


def test_the_knee_is_never_above_the_servers_own_limit():
    levels = [queue(n) for n in (1, 4, 12, 32, 64)]
    assert find_knee(sweep_of(levels), max_num_seqs=14) == 14.0


def test_without_a_queue_there_is_no_knee():
    levels = [queue(n) for n in (1, 2, 4, 8, 16)]
    assert find_knee(sweep_of(levels)) is None


def test_without_rates_there_is_no_knee():
    levels = [stage(n, ttft={"mean": 0.1 * n}) for n in (1, 2, 4)]
    assert find_knee(sweep_of(levels)) is None


def test_tpot_is_flat_beyond_the_knee_so_the_crossing_lies_before_it():
    """TPOT is 20 ms (1 + n/16) up to 16, then 40 ms; 37.5 ms is reached at 14, not between 12 and 64."""
    fit = fit_stages([queue(n) for n in (1, 4, 12, 64)])
    assert drawn(fit, Metric.TPOT, 0.0375) == pytest.approx(14.0, rel=0.03)
    low, _, mid, high = fit.curve(Metric.TPOT, "mean").capacity(np.array([0.0375]))[:, 0]
    assert low < 14.0 < high
    assert mid < 20.0  # straight lines say 38


def test_the_limit_of_one_replica_counts_as_often_as_there_are_replicas():
    """Two replicas of 8: the endpoint's batch is full at 16, where the levels alone say more."""
    run = Run(
        id="a",
        label="a",
        kind=Kind.MEASURED,
        format_id="vllm_bench",
        format_version=None,
        files=(),
        conditions=Conditions(max_num_seqs=8, replicas=2),
        stages=tuple(queue(n) for n in (1, 4, 12, 64)),
    )
    assert fit_run(run).knee == pytest.approx(16.0, rel=0.02)
    alone = dataclasses.replace(run, conditions=Conditions(max_num_seqs=8))
    assert fit_run(alone).knee == 8.0
