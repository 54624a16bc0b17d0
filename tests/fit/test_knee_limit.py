"""The server's own batch limit caps the knee, by whichever way it is told."""

from __future__ import annotations

import json

import pytest

from core.edits import Edits, edited
from core.fit.fit import fit_run, fit_stages
from core.ingest.raw import Upload
from core.ingest.stage_json import read_line
from core.pipeline import load
from tests.ingest.bench_files import VLLM

LIMIT = 14
LOADS = (1, 4, 12, 32, 64)


def served(load, batch=16, step=0.02, tokens=100):
    """Rate, TTFT, time per token and E2E of a server that runs 16 at once, the rest waiting."""
    running = min(load, batch)
    service = tokens * step * (1 + running / batch)
    rate = running / service
    ttft = 0.05 + (load - running) / rate
    return rate, ttft, service / tokens, ttft + service


def vllm_files(**more):
    found = []
    for at in LOADS:
        rate, ttft, tpot, e2e = served(at)
        document = VLLM | {
            "max_concurrency": at,
            "num_prompts": 1000,
            "completed": 1000,
            "failed": 0,
            "duration": 1000 / rate,
            "request_throughput": rate,
            "output_throughput": 100 * rate,
            "total_token_throughput": 200 * rate,
            "total_input_tokens": 100_000,
            "total_output_tokens": 100_000,
            **{f"{name}_ttft_ms": ttft * 1e3 for name in ("mean", "median", "p99")},
            **{f"{name}_tpot_ms": tpot * 1e3 for name in ("mean", "p99")},
            **{f"{name}_itl_ms": tpot * 1e3 for name in ("mean", "p99")},
            **{f"{name}_e2el_ms": e2e * 1e3 for name in ("mean", "p99")},
            **more,
        }
        found.append(Upload(f"c{at}.json", json.dumps(document).encode()))
    return found


def table(**more):
    head = ["concurrency", "request_throughput", "ttft_mean_s", "tpot_mean_s", "e2e_mean_s", *more]
    rows = [",".join(f"{value:g}" for value in (at, *served(at), *more.values())) for at in LOADS]
    return [Upload("sweep.csv", "\n".join([",".join(head), *rows]).encode())]


def lines(**more):
    stages = [
        {
            "asked_concurrency": at,
            "achieved_rate": rate,
            "statistics": {"ttft": {"mean": ttft}, "tpot": {"mean": tpot}, "e2e": {"mean": e2e}},
            **more,
        }
        for at in LOADS
        for rate, ttft, tpot, e2e in (served(at),)
    ]
    target = {"metric": "tpot", "statistic": "mean", "limit": 0.05}
    return json.dumps({"id": "q", "stages": stages, "target_sets": [[target]]}).encode()


def knee_of(files, edits=None):
    (run,) = load(files).runs
    return fit_run(edited(run, edits or Edits())).knee


@pytest.mark.parametrize("files", [vllm_files, table])
def test_a_limit_in_the_files_caps_the_knee(files):
    assert knee_of(files()) == pytest.approx(16.0, rel=0.05)
    assert knee_of(files(max_num_seqs=LIMIT)) == LIMIT


@pytest.mark.parametrize("files", [vllm_files, table])
def test_a_limit_that_a_person_supplies_caps_it_too_but_never_against_the_files(files):
    assert knee_of(files(), Edits(conditions={"max_num_seqs": LIMIT})) == LIMIT
    assert knee_of(files(max_num_seqs=LIMIT), Edits(conditions={"max_num_seqs": 12})) == LIMIT


def test_a_limit_of_the_levels_of_a_batch_line_caps_it():
    assert fit_stages(read_line(lines()).stages).knee == pytest.approx(16.0, rel=0.05)
    assert fit_stages(read_line(lines(max_num_seqs=LIMIT)).stages).knee == LIMIT


def test_the_limit_is_that_of_one_replica_and_the_knee_that_of_all():
    assert knee_of(table(max_num_seqs=3, replicas=4)) == 12
    assert knee_of(table(max_num_seqs=4, replicas=2), Edits(conditions={"replicas": 4})) == 8
    assert knee_of(table(max_num_seqs=3), Edits(conditions={"replicas": 4})) == 12


def test_a_limit_above_the_knee_changes_nothing():
    assert knee_of(table(max_num_seqs=256)) == knee_of(table())
