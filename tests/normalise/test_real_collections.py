"""Collections of LLMPerf, LMBenchmark, genai-bench and InferenceX become the runs that they are."""

from __future__ import annotations

import json
from collections import Counter
from statistics import fmean

import pytest

from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of


def runs_in(root, *patterns):
    paths = sorted(path for pattern in patterns for path in root.glob(pattern) if path.is_file())
    return runs_of([read_file(Upload(path.relative_to(root).as_posix(), path.read_bytes())) for path in paths])


@pytest.mark.parametrize(
    ("folder", "levels"),
    [("lmbenchmark/llama8B-long-input-high-qps", 16), ("exp-4", 28), ("exp-0", 6)],
)
def test_two_deployments_with_files_of_equal_names_are_two_sweeps_of_rates(shared_data, folder, levels):
    runs = runs_in(shared_data / "public/lmbenchmark_per_request_csv/llm-d__llm-d-benchmark", f"{folder}/**/*.csv")
    assert [len(run.stages) for run in runs] == [levels, levels]
    assert {run.load_axis for run in runs} == {"request_rate"}
    for run in runs:
        rates = [stage.asked_rate for stage in run.stages]
        assert len(set(rates)) == levels


def test_a_multi_turn_table_is_one_run_per_parallelism_and_offloading(shared_data):
    (path,) = (shared_data / "public/inferencemax_multiturn_csv").rglob("summary.csv")
    runs = runs_in(path.parent, "summary.csv")
    # 51 rows: three are of another configuration, two levels of TP 8 were measured twice.
    assert sorted((run.conditions.tp, len(run.stages)) for run in runs) == [(4, 12), (4, 12), (8, 11), (8, 11)]
    assert sum(stage.replicates or 1 for run in runs for stage in run.stages) == 51 - 3


def test_an_experiment_summary_is_eight_runs(shared_data):
    (path,) = (shared_data / "public/inferencemax_multiturn_csv").rglob("*experiment_summary.csv")
    runs = runs_in(path.parent, path.name)
    assert Counter(run.conditions.tp for run in runs) == {1: 2, 2: 2, 4: 2, 8: 2}
    assert sum(len(run.stages) for run in runs) == 46


def test_aggregates_of_two_lengths_are_two_runs(shared_data):
    runs = runs_in(shared_data / "public/inferencemax_agg_json", "*/*.json")
    assert sorted([stage.load for stage in run.stages] for run in runs) == [[4.0], [32.0, 64.0]]


def test_a_sweep_of_llmperf_and_its_reduced_table_are_one_run(shared_data):
    runs = runs_in(shared_data / "public/llmperf_json/philschmid__llmperf-bench", "*.json")
    assert [[stage.load for stage in run.stages] for run in runs] == [[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]] * 2
    assert all(Metric.TPOT not in stage.statistics for run in runs for stage in run.stages)


@pytest.mark.parametrize("service", ["anyscale_7b", "groq_70b"])
def test_responses_and_summary_of_a_service_are_one_level_with_tpot(shared_data, service):
    root = shared_data / "public/llmperf_json/ray-project__llmperf-leaderboard"
    responses = json.loads((root / f"individual__{service}.json").read_text(encoding="utf-8"))
    (run,) = runs_in(root, f"*__{service}.json")
    (stage,) = run.stages
    assert (stage.asked_concurrency, stage.requests_good) == (5.0, 150)
    wanted = fmean((r["end_to_end_latency_s"] - r["ttft_s"]) / (r["number_output_tokens"] - 1) for r in responses)
    assert stage.statistics[Metric.TPOT].mean == pytest.approx(wanted)
    assert run.conditions.model is not None


def test_a_folder_of_genai_bench_is_one_run_that_knows_its_server(shared_data):
    (run,) = runs_in(shared_data / "generated/tools/genai-bench-0.0.5", "closed_mns8/*.json")
    assert [stage.load for stage in run.stages] == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    assert (run.conditions.engine, run.conditions.engine_version, run.conditions.tool_version) == (
        "vLLM",
        "0.32.0",
        "0.0.5",
    )
