"""The two samples that come with the app: read without refusal, one deployment each, with a clear knee."""

import pytest

from core.check.checks import check_run
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.finding import Severity
from core.model.metric import Metric
from core.normalise.runs import runs_of

KNEES = {"emulator": 16, "vllm_cpu": 8}


def runs_in(folder):
    paths = sorted(folder.glob("*.json"))
    return runs_of([read_file(Upload(f"{folder.name}/{path.name}", path.read_bytes())) for path in paths])


@pytest.fixture(scope="module")
def folders(root):
    return sorted(path for path in (root / "data" / "samples").iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def runs(folders):
    return {folder.name: runs_in(folder) for folder in folders}


def test_every_sample_is_one_deployment_that_is_told_from_the_other(folders, runs):
    assert {name: len(found) for name, found in runs.items()} == dict.fromkeys(KNEES, 1)
    every = runs_of(
        [read_file(Upload(f"{p.parent.name}/{p.name}", p.read_bytes())) for f in folders for p in f.glob("*.json")]
    )
    assert len({run.label for run in every}) == len(KNEES)


def test_samples_have_enough_levels_and_requests_for_a_p99(runs):
    for (run,) in runs.values():
        assert 6 <= len(run.stages) <= 9
        assert all(stage.requests_good >= 200 for stage in run.stages)
        assert all(stage.requests_failed == 0 for stage in run.stages)


def test_samples_raise_no_warning(runs):
    for (run,) in runs.values():
        assert [f.code for f in (*run.findings, *check_run(run)) if f.severity is not Severity.INFO] == []


def test_the_knee_lies_where_the_batch_is_full(runs):
    for name, (run,) in runs.items():
        loads = [stage.load for stage in run.stages]
        waits = [stage.value(Metric.TTFT, "mean") for stage in run.stages]
        rates = [stage.output_tok_s for stage in run.stages]
        below = [i for i, load in enumerate(loads) if load <= KNEES[name]]
        top = rates[-1]
        assert waits[-1] > 5 * waits[below[-1]]
        assert rates[below[0]] < 0.6 * top
        assert all(rate > 0.9 * top for rate, load in zip(rates, loads, strict=True) if load >= 1.5 * KNEES[name])


def test_the_emulator_keeps_to_its_known_step_time(runs):
    (run,) = runs["emulator"]
    for stage in run.stages:
        known = (20 + 0.8 * min(stage.load, 16)) / 1000
        assert stage.value(Metric.ITL, "p50") == pytest.approx(known, rel=0.03)


def test_samples_are_small_and_say_where_they_come_from(folders):
    size = sum(path.stat().st_size for folder in folders for path in folder.iterdir())
    assert size < 300_000
    for folder in folders:
        origin = (folder.parent / "origin.md").read_text(encoding="utf-8")
        assert all(word in origin for word in ("Apache-2.0", "Not a GPU", "vllm bench serve"))
        texts = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.json"))
        assert '"generated_texts"' not in texts
