"""Files become runs: what belongs together, what is the same twice, in which order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from core.model.metric import Metric
from core.model.run import Kind
from core.normalise.runs import runs_of
from tests.normalise.raw_build import codes, file, level, readings, records, summary


def loads(run):
    return [stage.load for stage in run.stages]


def test_levels_of_several_files_are_one_run_in_order_of_load():
    (run,) = runs_of([file(summary(16)), file(summary(4)), file(summary(64))])
    assert loads(run) == [4.0, 16.0, 64.0]
    assert [ref.name for ref in run.files] == ["c16.json", "c4.json", "c64.json"]
    assert (run.id, run.label, run.kind, run.format_id) == ("m", "m", Kind.MEASURED, "vllm_bench")
    assert codes(run) == []


def test_two_models_are_two_runs_in_the_order_of_their_first_file():
    files = [
        file(summary(8, conditions={"model": "b"}), name="b8.json"),
        file(summary(4, conditions={"model": "a"}), name="a4.json"),
        file(summary(4, conditions={"model": "b"}), name="b4.json"),
    ]
    assert [(run.label, loads(run)) for run in runs_of(files)] == [("b", [4.0, 8.0]), ("a", [4.0])]


@pytest.mark.parametrize("setting", ["tp", "precision", "engine_version", "tool_version", "accelerator_count"])
def test_a_condition_that_differs_separates_runs(setting):
    files = [file(summary(4, conditions={"model": "m", setting: value}), name=f"{value}.json") for value in ("1", "2")]
    if setting in ("tp", "accelerator_count"):
        files = [file(summary(4, conditions={"model": "m", setting: value}), name=f"{value}.json") for value in (1, 2)]
    labels = [run.label for run in runs_of(files)]
    assert len(set(labels)) == 2


def test_labels_say_what_differs_and_ids_are_slugs():
    files = [
        file(summary(4, conditions={"model": "org/big-model", "accelerator_count": 8, "tp": tp}), name=f"{tp}.json")
        for tp in (4, 8)
    ]
    runs = runs_of(files)
    assert [run.label for run in runs] == ["big-model · × 8 · tp 4", "big-model · × 8 · tp 8"]
    assert [run.id for run in runs] == ["big-model-8-tp-4", "big-model-8-tp-8"]


def test_settings_that_differ_are_in_the_label_with_their_name():
    files = [
        file(summary(4, identity={"block_size": size, "chat": chat}), name=f"{size}{chat}.json")
        for size, chat in (("16", True), ("32", True), ("32", False))
    ]
    assert [run.label for run in runs_of(files)] == [
        "m · block size 16",
        "m · block size 32 · chat",
        "m · block size 32 · no chat",
    ]


def test_a_version_is_told_with_what_it_is_of():
    files = [file(summary(4, conditions={"model": "m", "engine_version": v}), name=f"{v}.json") for v in ("0.5", "0.6")]
    assert [run.label for run in runs_of(files)] == ["m · engine version 0.5", "m · engine version 0.6"]


def test_an_accelerator_with_a_name_is_in_the_label():
    (run,) = runs_of([file(summary(4, conditions={"model": "m", "accelerator_count": 8, "accelerator": "H100"}))])
    assert run.label == "m · 8 × H100"


def test_a_run_without_a_model_is_named_after_its_folder_or_file():
    (run,) = runs_of([file(summary(4, conditions={}), name="monday/c4.json")])
    assert run.label == "monday"
    (run,) = runs_of([file(summary(4, conditions={}), name="c4.json.gz")])
    assert run.label == "c4"


def test_settings_outside_the_conditions_separate_runs_too():
    files = [file(summary(4, identity={"backend": name}), name=f"{name}.json") for name in ("openai", "openai-chat")]
    assert len(runs_of(files)) == 2


def test_a_condition_known_in_one_file_is_taken_for_the_others():
    files = [file(summary(4, conditions={"model": "m", "tp": 8})), file(summary(8)), file(summary(16))]
    (run,) = runs_of(files)
    assert run.conditions.tp == 8
    assert loads(run) == [4.0, 8.0, 16.0]


def test_a_file_that_fits_two_configurations_is_a_run_of_its_own():
    files = [
        file(summary(4, conditions={"model": "m", "tp": 4}), name="x/a.json"),
        file(summary(4, conditions={"model": "m", "tp": 8}), name="y/b.json"),
        file(summary(16), name="c.json"),
    ]
    runs = runs_of(files)
    assert [run.conditions.tp for run in runs] == [4, 8, None]
    assert codes(runs[2]) == ["group.ambiguous"]


def test_its_folder_tells_which_configuration_a_file_belongs_to():
    files = [
        file(summary(4, conditions={"model": "m", "tp": 4}), name="x/a.json"),
        file(summary(4, conditions={"model": "m", "tp": 8}), name="y/b.json"),
        file(summary(16), name="y/c.json"),
    ]
    assert [(run.conditions.tp, loads(run)) for run in runs_of(files)] == [(4, [4.0]), (8, [4.0, 16.0])]


def test_measured_and_simulated_never_share_a_run():
    runs = runs_of([file(summary(4)), file(summary(8), kind=Kind.SIMULATED)])
    assert [run.kind for run in runs] == [Kind.MEASURED, Kind.SIMULATED]


def test_open_and_closed_loop_never_share_a_run():
    opened = replace(summary(8, asked_rate=3.0, name="r3.json"), asked_concurrency=None)
    assert [run.load_axis for run in runs_of([file(summary(4)), file(opened)])] == ["concurrency", "request_rate"]


def test_the_load_axis_is_that_of_the_levels_in_use():
    (run,) = runs_of([file(replace(summary(8, asked_rate=3.0, name="r3.json"), asked_concurrency=None))])
    (opened,) = run.stages
    closed = replace(opened, asked_rate=None, asked_concurrency=1.0)
    left_out = replace(opened, excluded="load.unknown")
    assert replace(run, stages=(closed, opened)).load_axis == "request_rate"
    assert replace(run, stages=(closed, left_out)).load_axis == "concurrency"
    assert replace(run, stages=()).load_axis == "concurrency"


@pytest.mark.parametrize(
    ("model", "label"),
    [
        ("org/name", "name"),
        ("a/b/name", "name"),
        ('=HYPERLINK("http://x")', '=HYPERLINK("http://x")'),
        ("in/out test", "in/out test"),
        ("name (a/b)", "name (a/b)"),
    ],
)
def test_only_a_path_is_cut_to_its_last_part(model, label):
    (run,) = runs_of([file(summary(4, conditions={"model": model}))])
    assert run.label == label


def test_a_count_alone_is_a_sign_that_needs_no_language():
    (run,) = runs_of([file(summary(4, conditions={"model": "m", "accelerator_count": 1}))])
    assert run.label == "m · × 1"


def test_a_run_keeps_the_backend_that_its_levels_share():
    (run,) = runs_of([file(summary(4, identity={"backend": "openai-chat"}))])
    assert run.backend == "openai-chat"
    assert runs_of([file(summary(4))])[0].backend is None


def test_a_sweep_of_rates_keeps_its_single_level_and_loses_its_burst():
    single = summary(1, conditions={"model": "m", "arrival": "closed loop"})
    rates = [
        replace(
            summary(n), asked_concurrency=None, asked_rate=float(n), conditions={"model": "m", "arrival": "constant"}
        )
        for n in (4, 8)
    ]
    burst = replace(summary(50), asked_concurrency=None, conditions={"model": "m", "arrival": "unbounded"})
    (run,) = runs_of([file(single, *rates, burst, name="sweep.json")])
    assert run.conditions.arrival == "constant"
    assert [(round(stage.load), stage.excluded) for stage in run.stages] == [
        (1, None),
        (4, None),
        (8, None),
        (50, "load.unbounded"),
    ]


def test_a_batch_limit_that_follows_the_load_is_one_run():
    files = [file(summary(n, conditions={"model": "m", "max_num_seqs": n})) for n in (4, 8, 16)]
    (run,) = runs_of(files)
    assert run.conditions.max_num_seqs is None
    files = [file(summary(n, conditions={"model": "m", "max_num_seqs": 16 if n < 8 else 32})) for n in (4, 8, 16)]
    assert len(runs_of(files)) == 2


def test_a_file_given_twice_counts_once():
    twice = [file(summary(4)), file(summary(8)), file(summary(4), name="copy of c4.json", content="c4.json")]
    (run,) = runs_of(twice)
    assert loads(run) == [4.0, 8.0]
    assert run.stages[0].requests_good == 400
    assert codes(run) == ["ingest.duplicate_file"]


def test_a_level_filed_twice_counts_once():
    (run,) = runs_of([file(summary(4), name="a/c4.json"), file(summary(4), summary(8), name="b/all.json")])
    assert [stage.requests_good for stage in run.stages] == [400, 400]
    assert codes(run) == ["pool.duplicate_level"]


def test_summary_and_records_of_one_execution_are_one_stage():
    requests = records([0.1, 0.3], [1.1, 1.3])
    told = {"run_key": "20261129-1", "requests_good": 2}
    detailed = level(requests=requests, name="d.jsonl", **told)
    short = level(readings=readings(ttft_mean=0.2, ttft_p90=9.9, itl_mean=0.05), duration_s=2.0, name="s.json", **told)
    for files in permutations([file(detailed, format_id="aiperf_records"), file(short, format_id="aiperf")]):
        (run,) = runs_of(files)
        (stage,) = run.stages
        assert stage.value(Metric.TTFT, "p90") == pytest.approx(0.28)
        assert stage.value(Metric.ITL, "mean") == 0.05
        assert (stage.requests_good, stage.replicates) == (2, 1)
        assert len(run.files) == 2
        assert codes(run) == ["same_run.merged"]


def test_a_summary_that_contradicts_its_records_is_told():
    detailed = level(requests=records([0.1, 0.3], [1.1, 1.3]), run_key="k", name="d.jsonl")
    short = level(readings=readings(ttft_mean=0.25), run_key="k", name="s.json")
    (run,) = runs_of([file(detailed), file(short)])
    assert sorted(codes(run)) == ["same_run.disagree", "same_run.merged"]
    assert run.stages[0].value(Metric.TTFT, "mean") == pytest.approx(0.2)


def test_a_record_file_without_a_level_takes_it_from_its_summary():
    detailed = level(None, requests=records([0.1], [1.1]), run_key="k", name="d.jsonl", conditions={})
    short = level(16.0, readings=readings(ttft_mean=0.1), run_key="k", name="s.json")
    (run,) = runs_of([file(detailed), file(short)])
    assert loads(run) == [16.0]
    assert run.conditions.model == "m"


def test_one_key_at_two_levels_is_two_executions():
    (run,) = runs_of([file(summary(4, run_key="k")), file(summary(8, run_key="k"))])
    assert loads(run) == [4.0, 8.0]


def test_clearly_different_lengths_are_different_runs():
    short = [file(summary(n, name=f"s{n}.json", input_tokens_mean=1000.0)) for n in (4, 8)]
    long = [file(summary(n, 300.0, name=f"l{n}.json", input_tokens_mean=8000.0)) for n in (4, 8)]
    assert [loads(run) for run in runs_of([*short, *long])] == [[4.0, 8.0], [4.0, 8.0]]
    assert sorted(run.label for run in runs_of([*short, *long])) == ["m · 1000 in, 101 out", "m · 8000 in, 101 out"]


def test_answers_of_free_length_stay_one_run():
    # Of 20 requests with lengths as scattered as their mean, one mean in three is 22 % off.
    files = [
        file(summary(n, n=20, name=f"c{n}.json", output_tokens_mean=tokens)) for n, tokens in ((2, 80.0), (4, 101.0))
    ]
    (run,) = runs_of(files)
    assert run.conditions.output_tokens_mean is None


def test_lengths_within_ten_per_cent_are_one_condition():
    (run,) = runs_of(
        [file(summary(4, n=100, output_tokens_mean=100.0)), file(summary(8, n=300, output_tokens_mean=104.0))]
    )
    # (100 x 100 + 300 x 104) / 400
    assert run.conditions.output_tokens_mean == pytest.approx(103.0)


def test_one_level_with_two_results_from_two_folders_is_two_runs():
    files = [
        file(summary(n, ttft, name=f"{where}/c{n}.json")) for where, ttft in (("a", 100), ("b", 200)) for n in (4, 8)
    ]
    runs = runs_of(files)
    assert [(run.label, loads(run)) for run in runs] == [("m · a", [4.0, 8.0]), ("m · b", [4.0, 8.0])]
    assert [codes(run) for run in runs] == [["group.by_folder"], ["group.by_folder"]]


def test_a_folder_per_level_below_the_telling_folder_does_not_tear_a_sweep():
    files = [
        file(summary(n, ttft, name=f"{where}/level_{n}/out.json"))
        for where, ttft in (("a", 100), ("b", 200))
        for n in (4, 8)
    ]
    assert [loads(run) for run in runs_of(files)] == [[4.0, 8.0], [4.0, 8.0]]


@pytest.mark.parametrize("names", [("pass1", "pass2"), ("sweep_run_1", "sweep_run_2"), ("trial_0001", "trial_0002")])
def test_folders_that_count_repetitions_are_pooled(names):
    results = zip(names, (100, 110), strict=True)
    files = [file(summary(n, ttft, name=f"{where}/c{n}.json")) for where, ttft in results for n in (4, 8)]
    (run,) = runs_of(files)
    assert [stage.replicates for stage in run.stages] == [2, 2]


def test_levels_without_any_load_come_last_and_are_kept_out():
    (run,) = runs_of([file(level(None, name="x.json", readings=readings(ttft_mean=1.0)))])
    assert [(stage.load, stage.excluded) for stage in run.stages] == [(None, "load.unknown")]
    assert codes(run) == ["load.unknown"]


def test_the_same_finding_of_many_levels_is_one():
    noted = [file(level(4.0 + n, name=f"c{n}.json", requests=records([-1.0], [1.0]))) for n in range(5)]
    (run,) = runs_of(noted)
    assert codes(run) == ["records.implausible"]
    assert "and 4 more" in str(run.findings[0].what)


def test_no_files_are_no_runs():
    assert runs_of([]) == ()
    assert runs_of([file(name="empty.json")]) == ()


def test_ids_do_not_depend_on_the_order_of_files():
    files = [
        file(summary(4, ttft, name=f"{where}/c4.json")) for where, ttft in (("a", 100), ("b", 200), ("c", 300))
    ] + [file(summary(4, conditions={"model": "other"}), name="d/c4.json")]
    expected = {run.files[0].name: (run.id, run.label) for run in runs_of(files)}
    for order in permutations(files):
        assert {run.files[0].name: (run.id, run.label) for run in runs_of(order)} == expected


def test_no_part_of_a_label_is_said_twice():
    files = [
        file(level(n, name=f"vllm-70b/{where}/c{n}.json", conditions={}, requests_good=count))
        for where, count in (("vllm-70b", 10), ("other", 20))
        for n in (4, 8)
    ]
    labels = [run.label for run in runs_of(files)]
    assert len(labels) == len(set(labels)) == 2
    for label in labels:
        parts = label.split(" · ")
        assert len(parts) == len(set(parts)), label
