"""Doubts about grouping: each kind is asked where two readings are possible, and not where the files tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import RefusedFileError
from core.ingest.read import read_file
from core.model.run import Kind
from core.normalise.doubts import DoubtKind, chosen
from core.normalise.regrouping import Act, Regrouping, Step
from core.normalise.runs import arranged
from tests.normalise.raw_build import file, summary


def sweep(where, ttft, loads=(4, 8), **more):
    return [file(summary(n, ttft, name=f"{where}c{n}.json", **more)) for n in loads]


def kinds(files):
    return [doubt.kind for doubt in arranged(files).doubts]


def names(reading):
    return [run.name for run in reading.runs]


def test_two_folders_with_other_results_are_asked_about_with_both_readings():
    files = [*sweep("a/", 100.0), *sweep("b/", 150.0)]
    (doubt,) = arranged(files).doubts
    assert doubt.kind is DoubtKind.FOLDERS
    apart, one = doubt.readings
    assert (names(apart), [run.loads for run in apart.runs]) == (["a", "b"], [(4.0, 8.0), (4.0, 8.0)])
    assert [(run.loads, run.executions, run.requests) for run in one.runs] == [((4.0, 8.0), 4, 1600)]
    assert doubt.contrast.lower == "a"
    assert doubt.contrast.high / doubt.contrast.low == pytest.approx(1.5)
    assert doubt.files == ("a/c4.json", "a/c8.json", "b/c4.json", "b/c8.json")
    merged = arranged(files, chosen(Regrouping(), doubt, 1))
    assert [len(run.stages) for run in merged.runs] == [2]
    assert [(each.chosen, each.settled) for each in merged.doubts] == [(1, True)]


@pytest.mark.parametrize("where", [("pass1/", "pass2/"), ("a/", "a/deeper/")])
def test_counted_repetitions_and_one_result_of_each_level_are_not_asked_about(where):
    first, second = where
    loads = (4, 8) if "pass1/" in where else (16, 32)
    assert kinds([*sweep(first, 100.0), *sweep(second, 150.0, loads)]) == []


def test_an_answer_holds_when_more_files_come():
    files = [*sweep("a/", 100.0), *sweep("b/", 150.0)]
    decided = chosen(Regrouping(), arranged(files).doubts[0], 1)
    found = arranged([*files, *sweep("b/", 180.0, (16,))], decided)
    assert [[stage.load for stage in run.stages] for run in found.runs] == [[4.0, 8.0, 16.0]]
    assert [(doubt.chosen, doubt.settled) for doubt in found.doubts] == [(1, True)]


def test_merging_by_hand_settles_the_doubt_too():
    files = [*sweep("a/", 100.0), *sweep("b/", 150.0)]
    every = arranged(files).doubts[0].levels
    (doubt,) = arranged(files, Regrouping(steps=(Step(act=Act.MERGE, levels=every),))).doubts
    assert (doubt.chosen, doubt.settled) == (1, True)


def test_results_of_one_level_under_telling_names_are_asked_about():
    files = [*sweep("h100_", 90.0), *sweep("l40_", 200.0)]
    (doubt,) = arranged(files).doubts
    assert doubt.kind is DoubtKind.REPEATS
    assert (names(doubt.readings[0]), names(doubt.readings[1])) == ([""], ["h100", "l40"])
    split = arranged(files, chosen(Regrouping(), doubt, 1))
    assert [run.label for run in split.runs] == ["m · h100", "m · l40"]


@pytest.mark.parametrize(
    "files",
    [
        [*sweep("run1_", 90.0), *sweep("run2_", 200.0)],
        [*sweep("20260101_", 90.0), *sweep("20260102_", 200.0)],
        [*sweep("h100_", 100.0), *sweep("l40_", 104.0)],
        [*sweep("h100_", 100.0), *sweep("l40_", 200.0, (16, 32))],
    ],
)
def test_counters_dates_equal_results_and_single_results_are_not_asked_about(files):
    assert kinds(files) == []


def test_a_label_that_keeps_levels_apart_is_asked_about():
    files = [
        *sweep("a", 100.0, identity={"tag": "monday", "chat": True}),
        *sweep("b", 150.0, identity={"tag": "tuesday", "chat": True}),
    ]
    (doubt,) = arranged(files).doubts
    assert (doubt.kind, doubt.about) == (DoubtKind.SETTING, "tag")
    assert names(doubt.readings[0]) == ["monday", "tuesday"]
    assert len(arranged(files, chosen(Regrouping(), doubt, 1)).runs) == 1


def test_a_setting_that_parts_a_sweep_in_two_halves_is_asked_about_and_a_real_one_is_not():
    low = sweep("a", 100.0, identity={"block_size": 16})
    assert kinds([*low, *sweep("b", 150.0, (16, 32), identity={"block_size": 32})]) == [DoubtKind.SETTING]
    assert kinds([*low, *sweep("b", 150.0, identity={"block_size": 32})]) == []
    assert kinds([*low, *sweep("b", 150.0, (16, 32), identity={"block_size": 32, "chat": True})]) == []


def test_candidates_that_differ_in_a_setting_only_are_named_by_it():
    files = [
        *sweep("x/", 90.0, identity={"block_size": 16, "chat": True}),
        *sweep("y/", 95.0, identity={"block_size": 32, "chat": True}),
        file(summary(16), name="c16.json", format_id="vllm_bench_csv"),
    ]
    found = [doubt for doubt in arranged(files).doubts if doubt.kind is DoubtKind.AMBIGUOUS]
    assert [names(doubt.readings[0]) for doubt in found] == [["block size 16", "block size 32", ""]]


CONDITIONS = (
    *("isl", "osl", "mean_input_tokens", "prompt_tokens", "random-output-len", "isl_stddev", "inputLength"),
    *("num_gpus", "gpus", "n_gpus_per_node", "instances", "(d)workers", "replicas", "batch_size", "max_num_seqs"),
    *("tp", "prefill_tp", "(p)parallel", "tensor_parallel_size", "model_size", "kv_cache_dtype", "accelerator"),
)


@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("loads", [(4, 8), (16, 32)])
def test_a_setting_that_is_a_condition_is_never_taken_for_a_label(name, loads):
    files = [*sweep("a", 100.0, identity={name: 1024.0}), *sweep("b", 150.0, loads, identity={name: 8192.0})]
    assert kinds(files) == []


def test_a_whole_number_is_named_without_a_point():
    files = [*sweep("a", 100.0, identity={"seed_tag": 1024.0}), *sweep("b", 150.0, identity={"seed_tag": 8192.5})]
    (doubt,) = arranged(files).doubts
    assert names(doubt.readings[0]) == ["1024", "8192.5"]


def test_real_lengths_of_requests_are_never_asked_about(shared_data, upload):
    found = []
    for path in sorted((shared_data / "public/inferencemax_agg_json").rglob("*.json")):
        try:
            found.append(read_file(upload(path)))
        except RefusedFileError:
            continue
    assert found
    assert kinds(found) == []


def test_a_condition_that_differs_is_never_asked_about():
    files = [
        *sweep("a/", 90.0, conditions={"model": "m", "tp": 4}),
        *sweep("b/", 90.0, conditions={"model": "m", "tp": 8}),
    ]
    assert kinds(files) == []


@pytest.mark.parametrize(("longer", "asked"), [(105.0, []), (109.0, ["lengths"]), (115.0, ["lengths"]), (150.0, [])])
def test_lengths_near_the_border_are_asked_about(longer, asked):
    files = [
        *sweep("a", 100.0, n=2000, input_tokens_mean=100.0),
        *sweep("b", 150.0, n=2000, input_tokens_mean=longer),
    ]
    assert [doubt.kind.value for doubt in arranged(files).doubts if doubt.kind is DoubtKind.LENGTHS] == asked


def test_lengths_that_scatter_by_chance_are_not_asked_about():
    files = [*sweep("a", 100.0, (4,), n=50), *sweep("b", 150.0, (8,), n=50, output_tokens_mean=110.0)]
    assert kinds(files) == []


def test_two_tools_on_one_service_are_asked_about():
    ours = sweep("v", 100.0)
    theirs = [file(each.levels[0], format_id="aiperf") for each in sweep("a", 120.0, (16, 32))]
    (doubt,) = arranged([*ours, *theirs]).doubts
    assert doubt.kind is DoubtKind.FORMATS
    assert names(doubt.readings[0]) == ["aiperf", "vllm_bench"]
    other = [file(replace(each.levels[0], conditions={"model": "other"}), format_id="aiperf") for each in theirs]
    assert kinds([*ours, *other]) == []
    simulated = [file(each.levels[0], format_id="aiperf", kind=Kind.SIMULATED) for each in theirs]
    assert kinds([*ours, *simulated]) == []


def test_runs_of_three_tools_stay_apart_are_named_by_tool_and_nothing_is_asked():
    tools = (("vllm_bench", "vLLM bench serve"), ("aiperf", "AIPerf"), ("guidellm_json", "GuideLLM"))
    files = [
        file(each.levels[0], name=f"{format_id}/{each.name}", format_id=format_id)
        for format_id, tool in tools
        for each in sweep("", 100.0, conditions={"model": "m", "tool": tool})
    ]
    found = arranged(files)
    assert found.doubts == ()
    assert sorted(run.label for run in found.runs) == sorted(f"m · {tool}" for _, tool in tools)


def test_rates_and_concurrency_of_one_service_are_asked_about():
    rates = [file(replace(summary(n, name=f"r{n}.json"), asked_rate=float(n), asked_concurrency=None)) for n in (2, 4)]
    (doubt,) = arranged([*sweep("", 100.0), *rates]).doubts
    assert (doubt.kind, names(doubt.readings[0])) == (DoubtKind.AXIS, ["closed", "open"])


def test_a_file_that_fits_two_configurations_is_asked_about_with_each_as_a_reading():
    files = [
        *sweep("x/", 90.0, conditions={"model": "m", "tp": 4}),
        *sweep("y/", 95.0, conditions={"model": "m", "tp": 8}),
        file(summary(16), name="c16.json"),
    ]
    (doubt,) = arranged(files).doubts
    assert (doubt.kind, doubt.files, len(doubt.readings)) == (DoubtKind.AMBIGUOUS, ("c16.json",), 3)
    assert names(doubt.readings[0]) == ["tp 4", "tp 8", ""]
    joined = arranged(files, chosen(Regrouping(), doubt, 2))
    assert [(run.conditions.tp, [stage.load for stage in run.stages]) for run in joined.runs] == [
        (4, [4.0, 8.0]),
        (8, [4.0, 8.0, 16.0]),
    ]
