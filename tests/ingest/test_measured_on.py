"""The day of measuring as the files say it: read from each tool's own moment, kept to the study of a change."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.day import day_in
from core.ingest.raw import Upload
from core.model.compared import Layer, Study
from core.pipeline import load
from core.present.study import day_of, origin_table
from tests.compare.test_study import EVERYTHING, pair, studied


def vllm(concurrency, date, **more):
    """A result of vLLM's benchmark with a moment of its own."""
    return {
        "date": date,
        "backend": "vllm",
        "model_id": "m",
        "num_prompts": 100,
        "request_rate": "inf",
        "max_concurrency": concurrency,
        "duration": 50.0,
        "completed": 100,
        "total_input_tokens": 10_000,
        "total_output_tokens": 10_000,
        "request_throughput": 2.0,
        "output_throughput": 200.0,
        "mean_ttft_ms": 50.0 + concurrency,
        "p99_ttft_ms": 90.0 + concurrency,
        **more,
    }


def runs_of(*results):
    return load([Upload(f"{i}.json", json.dumps(each).encode()) for i, each in enumerate(results)]).runs


def test_a_run_says_from_which_to_which_day_its_levels_in_use_were_measured():
    (run,) = runs_of(vllm(4, "20260329-101500"), vllm(1, "20260327-235959"), vllm(8, "20260328-000001"))
    assert [stage.measured_on for stage in run.stages] == ["2026-03-27", "2026-03-29", "2026-03-28"]
    assert run.measured_on == "2026-03-27 – 2026-03-29"
    last = replace(run, stages=(replace(run.stages[0], excluded="warm-up"), *run.stages[1:]))
    assert last.measured_on == "2026-03-28 – 2026-03-29"


def test_executions_that_are_one_level_have_the_first_day_and_none_has_none():
    pooled = runs_of(vllm(4, "20260329-101500"), vllm(4, "20260327-101500", duration=51.0), vllm(8, "never"))
    (run,) = pooled
    assert [stage.measured_on for stage in run.stages] == ["2026-03-27", None]
    assert run.measured_on == "2026-03-27"
    (untold,) = runs_of(vllm(4, None), vllm(8, "20269999-101500"))
    assert untold.measured_on is None


def test_aiperf_says_when_it_began(root):
    data = (root / "tests" / "golden" / "aiperf" / "json_0_13" / "input.json").read_bytes()
    (run,) = load([Upload("input.json", data)]).runs
    assert run.measured_on == json.loads(data)["start_time"][:10]


@pytest.mark.parametrize("version", ["v1_poisson", "v2_concurrent"])
def test_guidellm_says_when_it_began_in_seconds(root, version):
    said = json.loads((root / "tests" / "golden" / "guidellm" / version / "input.json").read_bytes())
    (run,) = load([Upload("input.json", json.dumps(said).encode())]).runs
    assert run.measured_on is None  # its clock says 1970
    # 14 August 2026, 04:09 UTC by `date -u -d @1786680547`.
    for benchmark in said["benchmarks"]:
        benchmark |= {"start_time": 1_786_680_547.0, "end_time": 1_786_680_607.0}
    (run,) = load([Upload("input.json", json.dumps(said).encode())]).runs
    assert run.measured_on == "2026-08-14"


def test_a_study_takes_the_day_of_the_files_where_nobody_says_another():
    before, after = pair()
    stages = tuple(replace(stage, measured_on="2026-03-27") for stage in before.run.stages)
    before = replace(before, run=replace(before.run, stages=stages))
    study = Study(layer=Layer.ENGINE)
    found = studied(before, after, study, None, EVERYTHING)
    assert list(origin_table(found, study)["Day of measuring"]) == ["2026-03-27", "unknown"]
    said = replace(study, dates=((before.run.id, "2026-04-01"),))
    assert day_of(before.run, said) == "2026-04-01"


@given(st.text(max_size=20) | st.floats(allow_nan=True) | st.none())
def test_whatever_stands_there_a_day_is_one_or_none(said):
    day = day_in(said)
    assert day is None or "2015" <= day[:4] <= "2100"
