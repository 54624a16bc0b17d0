"""What AIPerf's sums of server metrics give to the run in their folder, and when they give nothing."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.normalise.runs import runs_of
from tests.ingest.golden_files import changed, golden_bytes

FULL = "aiperf_server/by_hand_full_cache"
RUN = golden_bytes("aiperf/json_0_13")


def counters(name: str):
    return read_file(Upload(name, golden_bytes(FULL)))


def result(name: str):
    return read_file(Upload(name, RUN))


def test_the_run_in_the_same_folder_gets_its_cache_use_and_the_server_its_size():
    (run,) = runs_of([counters("c8/server_metrics_export.json"), result("c8/profile_export_aiperf.json")])
    (stage,) = run.stages
    assert (stage.kv_used_fraction, stage.cache_hit_rate) == (0.99, 0.25)
    assert run.conditions.kv_cache_tokens == 31_840
    assert "engine_log.preempted" in {finding.code for finding in run.findings}


def test_another_folders_run_gets_no_use_of_a_cache():
    (run,) = runs_of([counters("all/server_metrics_export.json"), result("all/c8/profile_export_aiperf.json")])
    assert run.stages[0].kv_used_fraction is None
    assert run.conditions.kv_cache_tokens == 31_840


def test_a_folder_with_two_loads_leaves_it_open_which_run_was_meant():
    other = json.loads(RUN)
    phase = other["input_config"]
    changed_load = json.dumps(phase).replace('"concurrency": ', '"concurrency": 1')
    other["input_config"] = json.loads(changed_load)
    files = [counters("c/server_metrics_export.json"), result("c/a.json")]
    twin = read_file(Upload("c/b.json", json.dumps(other).encode()))
    assert twin.levels[0].asked_concurrency != files[1].levels[0].asked_concurrency
    stages = [stage for run in runs_of([*files, twin]) for stage in run.stages]
    assert {stage.kv_used_fraction for stage in stages} == {None}


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(metrics_phase="warmup"),
        lambda d: d.update(metrics={"process_open_fds": {"series": []}}),
        lambda d: d.update(metrics={}),
    ],
)
def test_counters_that_tell_nothing_are_refused_with_the_file_to_send(change):
    with pytest.raises(RefusedFileError) as caught:
        changed(FULL, change, name="server_metrics_export.json")
    assert caught.value.code == "ingest.by_product"
    assert "profile_export_aiperf.json" in str(caught.value.fix)


def test_a_share_above_one_is_none():
    def broken(document):
        for series in document["metrics"]["vllm:gpu_cache_usage_perc"]["series"]:
            series["stats"]["max"] = 97.0

    assert "kv_used_fraction" not in changed(FULL, broken).measured


def test_addresses_are_not_kept():
    assert "10.0.0.1" not in repr(counters("server_metrics_export.json"))
