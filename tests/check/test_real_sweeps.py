"""Sweeps that have to be warned of, and sweeps that have to be left in peace."""

from __future__ import annotations

import pytest

from core.check.checks import check_run, excluded_by_rule
from core.ingest.read import read_file
from core.model.finding import Severity
from core.normalise.runs import runs_of

VLLM = "generated/tools/vllm-bench-0.32.0"
PUBLIC = "public/vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX"


@pytest.fixture
def checked(shared_data, upload):
    """Reads the files of a folder into one run with its rules applied, and its findings by code."""

    def load(folder):
        paths = sorted(path for path in (shared_data / folder).iterdir() if ".json" in path.name)
        (run,) = runs_of([read_file(upload(path)) for path in paths])
        ruled = excluded_by_rule(run)
        return ruled, {finding.code: finding for finding in check_run(ruled)}

    return load


def warnings(findings):
    return {code for code, finding in findings.items() if finding.severity is not Severity.INFO}


MUST_WARN = [
    # Foreign load on the machine: TPOT reads 7.8, 12.1, 8.1, 5.9, 6.2, 11.2, 14.3, 7.8 ms for 1 to 8.
    ("dense_mns8", {"sweep.latency_falls", "sweep.throughput_falls"}),
    ("dense_mns16_128_64_pass1", {"sweep.unstable", "sweep.latency_falls"}),
    ("dense_mns16_128_64_pass2", {"sweep.unstable", "sweep.latency_falls"}),
    # Stalls of the machine: throughput falls by up to 35 % and comes back.
    ("dense_emulator_mns16", {"sweep.unstable", "sweep.latency_falls"}),
    # Another client at the same time, and 20 to 320 requests a level.
    ("closed_mns8_summary", {"sweep.latency_falls", "sample.too_few_for_quantile"}),
    ("faults_emulator_mns16", {"sample.failed_requests", "sweep.few_levels"}),
]


@pytest.mark.parametrize(("folder", "expected"), MUST_WARN)
def test_a_disturbed_sweep_is_warned_of(checked, folder, expected):
    _, findings = checked(f"{VLLM}/{folder}")
    assert expected <= warnings(findings)


def test_the_fall_of_the_emulator_is_told_with_its_numbers(checked):
    _, findings = checked(f"{VLLM}/dense_emulator_mns16")
    # 10.287 requests/s at 10, 6.655 at 11, by the independent reader's table.
    assert "from 10.3 to 6.65 requests/s between 10 and 11 (-35 %)" in str(findings["sweep.unstable"].what)


def test_each_fault_alone_is_warned_of(shared_data, upload):
    for path in sorted((shared_data / VLLM / "faults_emulator_mns16").iterdir()):
        (run,) = runs_of([read_file(upload(path))])
        failed = [f for f in check_run(run) if f.code == "sample.failed_requests"]
        # 10 of 80, 13 of 80 and 32 of 80 failed.
        assert [f.severity for f in failed] == [Severity.ERROR], path.name


def test_a_rate_beyond_what_the_emulator_carries_is_saturated(checked):
    _, findings = checked(f"{VLLM}/open_emulator_mns16")
    # Capacity is about 36 requests/s: 40 is not achieved, 35 is.
    assert "35.9 of 40 requests/s" in str(findings["load.saturated"].what)
    assert str(findings["load.saturated"].what).startswith("At 27.5 requests in flight")


@pytest.mark.parametrize("folder", ["gpt-oss-120b_16gpu_1p1d", "minimax-m2.5_16gpu_1p1d"])
def test_a_published_sweep_has_no_error(checked, folder):
    run, findings = checked(f"{PUBLIC}/{folder}")
    assert {finding.severity for finding in findings.values()} <= {Severity.INFO, Severity.WARNING}
    assert warnings(findings) <= {"sample.too_few_for_quantile", "sweep.warm_up"}
    # 40 and 80 requests at 4 and 8; 160 at 16 is enough to be weak only.
    assert "p99 at 4, 8 (40–80 requests)" in str(findings["sample.too_few_for_quantile"].what)
    assert "p99 at 16 (160 requests)" in str(findings["sample.weak_quantile"].what)
    assert len([stage for stage in run.stages if stage.excluded is None]) >= 7


def test_the_published_warm_up_level_is_kept_out(checked):
    run, findings = checked(f"{PUBLIC}/gpt-oss-120b_16gpu_1p1d")
    # Mean TTFT as the files write it: 330.8 ms at 4, 123.0 ms at 8.
    assert [(stage.load, stage.excluded) for stage in run.stages if stage.excluded] == [(4.0, "sweep.warm_up")]
    assert "331 ms" in str(findings["sweep.warm_up"].what)
    assert "123 ms" in str(findings["sweep.warm_up"].what)


def test_the_quiet_sweep_keeps_every_level_but_its_odd_first_one(checked):
    run, findings = checked(f"{VLLM}/dense_mns8_quiet")
    assert [stage.load for stage in run.stages if stage.excluded] == [1.0]
    assert Severity.ERROR not in {finding.severity for finding in findings.values()}
