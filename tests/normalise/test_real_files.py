"""Real result files, against the tools' own summaries and an independent reader's table."""

from __future__ import annotations

import csv
import gzip
import json

import numpy as np
import pytest

from core.ingest.read import read_file
from core.model.metric import Metric, fraction
from core.model.run import Kind
from core.normalise.runs import runs_of

VLLM = "generated/tools/vllm-bench-0.32.0"
NAMES = {"ttft": Metric.TTFT, "tpot": Metric.TPOT, "itl": Metric.ITL, "e2el": Metric.E2E}
PASSES = ("pass1", "pass2")
STATISTICS = ("mean", "std", "p50", "p90", "p95", "p99")


@pytest.fixture
def runs_in(shared_data, upload):
    """Reads every file of some folders into runs."""

    def load(*folders, ending=".json"):
        paths = [p for name in folders for p in sorted((shared_data / name).rglob("*")) if ending in p.name]
        return runs_of([read_file(upload(path)) for path in paths])

    return load


@pytest.mark.parametrize("folder", ["closed_mns8_detailed", "dense_emulator_mns16", "open_emulator_mns16"])
def test_our_statistics_of_vllms_records_are_vllms_own(shared_data, upload, folder):
    compared = 0
    for path in sorted((shared_data / VLLM / folder).iterdir()):
        data = path.read_bytes()
        own = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
        (run,) = runs_of([read_file(upload(path))])
        (stage,) = run.stages
        for name, metric in NAMES.items():
            found = stage.statistics[metric]
            assert found.rule == "linear"
            for statistic in STATISTICS:
                told = own.get(f"{statistic}_{name}_ms")
                ours = found.sd if statistic == "std" else found.value(statistic)
                if told is not None:
                    assert ours == pytest.approx(told / 1e3, rel=1e-6, abs=1e-12), (path.name, name, statistic)
                    compared += 1
        assert stage.achieved_rate == pytest.approx(own["request_throughput"], rel=1e-6)
        assert [finding.code for finding in run.findings] == []
    assert compared > 100


def test_our_percentiles_are_numpys(shared_data, upload):
    path = shared_data / VLLM / "closed_mns8_detailed" / "openai-concurrency8-tiny-llama.json"
    own = json.loads(path.read_text())
    (run,) = runs_of([read_file(upload(path))])
    for metric, values in ((Metric.TTFT, own["ttfts"]), (Metric.ITL, np.concatenate(own["itls"]))):
        for q, value in run.stages[0].statistics[metric].quantiles.items():
            assert value == pytest.approx(float(np.percentile(values, 100 * q)), rel=1e-12)


def rows_of(shared_data, tool, sweep):
    with (shared_data / "generated" / "tools" / "summary.tsv").open(newline="") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["tool"] == tool and row["sweep"] == sweep]
    assert rows
    return rows


@pytest.mark.parametrize("sweep", ["closed_mns8_summary", "dense_mns8", "dense_mns8_quiet"])
def test_stages_agree_with_an_independent_reader(shared_data, runs_in, sweep):
    (run,) = runs_in(f"{VLLM}/{sweep}")
    by_load = {stage.asked_concurrency: stage for stage in run.stages}
    rows = rows_of(shared_data, "vllm-bench-0.32.0", sweep)
    assert len(rows) == len(by_load)
    for row in rows:
        stage = by_load[float(row["conc"])]
        assert (stage.requests_good, stage.requests_failed) == (int(row["ok"]), int(row["failed"]))
        for column in ("ttft_mean", "ttft_p50", "ttft_p99", "tpot_mean", "itl_mean", "itl_p99", "e2e_mean", "e2e_p99"):
            metric, statistic = column.split("_")
            # The table keeps three decimals of a millisecond.
            assert stage.value(Metric(metric), statistic) * 1e3 == pytest.approx(float(row[column]), abs=6e-4)
        assert stage.achieved_rate == pytest.approx(float(row["req_s"]), abs=6e-4)
        assert stage.output_tok_s == pytest.approx(float(row["out_tok_s"]), abs=6e-4)
        assert stage.duration_s == pytest.approx(float(row["duration_s"]), abs=6e-4)


def test_two_passes_are_pooled_and_more_requests_stand_behind_them(shared_data, runs_in):
    (run,) = runs_in(f"{VLLM}/dense_mns16_128_64_pass1", f"{VLLM}/dense_mns16_128_64_pass2")
    assert len(run.stages) == 36
    for stage in run.stages:
        name = f"c{stage.load:02.0f}.json"
        both = [json.loads((shared_data / VLLM / f"dense_mns16_128_64_{each}" / name).read_text()) for each in PASSES]
        assert stage.replicates == 2
        assert stage.requests_good == sum(own["completed"] for own in both)
        weighted = sum(own["completed"] * own["mean_ttft_ms"] for own in both) / stage.requests_good
        assert stage.value(Metric.TTFT, "mean") * 1e3 == pytest.approx(weighted, rel=1e-9)


def test_a_vllm_sweep_folder_and_its_summary_are_one_run(runs_in):
    (run,) = runs_in(f"{VLLM}/sweep_emulator")
    assert [(stage.load, stage.requests_good, stage.replicates) for stage in run.stages] == [(2.0, 20, 1), (8.0, 80, 1)]


def test_aiperfs_three_files_of_a_level_are_one_stage(shared_data, upload):
    folder = shared_data / "generated/tools/aiperf-0.13.0/concurrency_sweep_mns8"
    paths = [p for p in sorted(folder.rglob("profile_export*")) if "concurrency_" in p.parent.name]
    paths = [p for p in paths if p.name.removesuffix(".gz").endswith((".jsonl", "aiperf.csv", "aiperf.json"))]
    (run,) = runs_of([read_file(upload(path)) for path in paths])
    assert [stage.load for stage in run.stages] == [1, 2, 4, 8, 16, 32]
    assert {stage.replicates for stage in run.stages} == {1}
    for stage, row in zip(run.stages, rows_of(shared_data, "aiperf-0.13.0", "concurrency_sweep_mns8"), strict=True):
        assert stage.statistics[Metric.TTFT].rule == "linear"
        for name in ("ttft_mean", "ttft_p50", "ttft_p99", "e2e_mean", "e2e_p99"):
            metric, statistic = name.split("_")
            assert stage.value(Metric(metric), statistic) * 1e3 == pytest.approx(float(row[name]), rel=1e-4)


def test_two_published_models_in_one_drop_are_two_runs(runs_in):
    runs = runs_in("public/vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX")
    assert [run.label for run in runs] == ["gpt-oss-120b · × 16", "MiniMax-M2.5 · × 16"]
    for run in runs:
        assert [stage.load for stage in run.stages] == [4, 8, 16, 32, 64, 128, 256, 512]
        assert run.kind is Kind.MEASURED
        assert run.conditions.accelerator_count == 16
        assert run.conditions.input_tokens_mean == run.conditions.output_tokens_mean == 1024.0
    # Figures as the files write them, in milliseconds.
    first = [stage.value(Metric.TTFT, "p99") * 1e3 for stage in runs[0].stages]
    assert first[:5] == pytest.approx([987.5, 312, 688, 1554, 685], abs=1.0)
    assert all(set(found.quantiles) == {0.5, 0.9, 0.99, 0.999} for found in runs[0].stages[0].statistics.values())
    assert fraction("p99.9") in runs[0].stages[0].statistics[Metric.TTFT].quantiles
