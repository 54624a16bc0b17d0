"""What a person decides about runs: merged, split, renamed, kept out, and nothing of it lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.metric import Metric
from core.model.run import Kind
from core.normalise.partings import Parting
from core.normalise.regrouping import Act, Named, Regrouping, Step
from core.normalise.runs import arranged, runs_of
from tests.normalise.raw_build import codes, file, summary


def two(**more):
    """Two runs that differ in tp, three levels each."""
    return [
        file(summary(n, ttft, conditions={"model": "m", "tp": tp}, name=f"tp{tp}/c{n}.json", **more))
        for tp, ttft in ((4, 200.0), (8, 100.0))
        for n in (4, 8, 16)
    ]


def keys_of(files, *positions):
    found = arranged(files)
    runs = [found.runs[i] for i in positions] if positions else found.runs
    return tuple(sorted(key for run in runs for stage in found.members[run.id] for key in stage))


def loads(run):
    return [stage.load for stage in run.stages]


def test_members_name_the_raw_levels_of_every_stage():
    files = [file(summary(4, 100.0, name="a/pass1/c4.json")), file(summary(4, 110.0, name="a/pass2/c4.json"))]
    found = arranged(files)
    (run,) = found.runs
    assert found.members == {run.id: (tuple(f"{each.sha256}#0" for each in files),)}


def test_merging_makes_one_run_and_says_what_differs():
    files = two()
    (run,) = arranged(files, Regrouping(steps=(Step(act=Act.MERGE, levels=keys_of(files)),))).runs
    assert loads(run) == [4.0, 8.0, 16.0]
    assert [stage.replicates for stage in run.stages] == [2, 2, 2]
    assert run.conditions.tp is None
    (told,) = [finding for finding in run.findings if finding.code == "group.merged_by_hand"]
    assert "tp" in str(told.consequence)


def test_merging_what_differs_in_nothing_known_is_a_note():
    files = [file(summary(n, ttft, name=f"{x}/c{n}.json")) for x, ttft in (("a", 100.0), ("b", 150.0)) for n in (4, 8)]
    (run,) = arranged(files, Regrouping(steps=(Step(act=Act.MERGE, levels=keys_of(files)),))).runs
    (told,) = [finding for finding in run.findings if finding.code == "group.merged_by_hand"]
    assert (told.severity.value, told.consequence) == ("info", None)
    assert "group.by_folder" not in codes(run)


def test_measured_and_simulated_are_never_merged():
    files = [file(summary(4)), file(summary(8)), file(summary(16), kind=Kind.SIMULATED)]
    runs = arranged(files, Regrouping(steps=(Step(act=Act.MERGE, levels=keys_of(files)),))).runs
    assert [(run.kind, loads(run)) for run in runs] == [(Kind.MEASURED, [4.0, 8.0]), (Kind.SIMULATED, [16.0])]


@pytest.mark.parametrize(
    ("by", "names"),
    [
        (Parting.FILE, ["m · h100_c4", "m · h100_c8", "m · l40_c4", "m · l40_c8"]),
        (Parting.NAME, ["m · h100", "m · l40"]),
        (Parting.FOLDER, ["m"]),
    ],
)
def test_a_run_is_split_by_what_its_files_are_called(by, names):
    files = [
        file(summary(n, ttft, name=f"{x}_c{n}.json")) for x, ttft in (("h100", 90.0), ("l40", 200.0)) for n in (4, 8)
    ]
    assert [run.label for run in runs_of(files)] == ["m"]
    runs = arranged(files, Regrouping(steps=(Step(act=Act.SPLIT, levels=keys_of(files)[:1], by=by),))).runs
    assert sorted(run.label for run in runs) == names
    assert sum(stage.replicates for run in runs for stage in run.stages) == 4


def test_a_run_is_split_by_folder():
    files = [file(summary(n, ttft, name=f"pass{x}/c{n}.json")) for x, ttft in ((1, 90.0), (2, 95.0)) for n in (4, 8)]
    assert len(runs_of(files)) == 1
    runs = arranged(files, Regrouping(steps=(Step(act=Act.SPLIT, levels=keys_of(files), by=Parting.FOLDER),))).runs
    assert [(run.label, loads(run)) for run in runs] == [("m · pass1", [4.0, 8.0]), ("m · pass2", [4.0, 8.0])]
    assert all("group.split_by_hand" in codes(run) for run in runs)


def test_a_merged_run_is_split_by_a_setting():
    files = two()
    steps = (
        Step(act=Act.MERGE, levels=keys_of(files)),
        Step(act=Act.SPLIT, levels=keys_of(files), by=Parting.SETTING, setting="tp"),
    )
    runs = arranged(files, Regrouping(steps=steps)).runs
    assert [(run.label, run.conditions.tp) for run in runs] == [("m · tp 4", 4), ("m · tp 8", 8)]


def test_chosen_levels_become_a_run_of_their_own():
    files = two()
    chosen = (f"{files[0].sha256}#0",)
    runs = arranged(files, Regrouping(steps=(Step(act=Act.SPLIT, levels=chosen, by=Parting.CHOSEN),))).runs
    assert sorted(loads(run) for run in runs) == [[4.0], [4.0, 8.0, 16.0], [8.0, 16.0]]


def test_a_name_stays_with_its_levels_and_the_id_does_not_follow_it():
    files = two()
    before = arranged(files).runs
    named = Regrouping(names=(Named(levels=keys_of(files, 0), label="Old rack"),))
    after = arranged(files, named).runs
    assert [run.label for run in after] == ["Old rack", "m · tp 8"]
    assert [run.id for run in after] == [run.id for run in before]
    more = [*files, file(summary(32, conditions={"model": "m", "tp": 4}, name="tp4/c32.json"))]
    assert [run.label for run in arranged(more, named).runs] == ["Old rack", "m · tp 8"]
    merged = replace(named, steps=(Step(act=Act.MERGE, levels=keys_of(files)),))
    assert [run.label for run in arranged(files, merged).runs] == ["Old rack"]


def test_names_that_are_the_same_are_told_apart():
    files = two()
    names = tuple(Named(levels=keys_of(files, i), label="rack") for i in (0, 1))
    assert [run.label for run in arranged(files, Regrouping(names=names)).runs] == ["rack (1)", "rack (2)"]


def test_a_level_is_kept_out_with_its_reason_and_nothing_else_is():
    files = two()
    key = f"{files[1].sha256}#0"
    runs = arranged(files, Regrouping(excluded={key: "another job ran"})).runs
    assert [stage.excluded for stage in runs[0].stages] == [None, "another job ran", None]
    assert [stage.excluded for stage in runs[1].stages] == [None, None, None]
    (told,) = [finding for finding in runs[0].findings if finding.code == "level.left_out"]
    assert str(told.what) == "Left out by hand at 8: another job ran"
    assert "level.left_out" not in codes(runs[1])


def test_a_level_kept_out_is_not_pooled_with_its_repetition():
    files = [file(summary(4, ttft, name=f"pass{x}/c4.json")) for x, ttft in ((1, 90.0), (2, 200.0))]
    (run,) = arranged(files, Regrouping(excluded={f"{files[1].sha256}#0": "cold cache"})).runs
    assert [(stage.load, stage.replicates, stage.excluded) for stage in run.stages] == [
        (4.0, 1, None),
        (4.0, 1, "cold cache"),
    ]
    assert run.stages[0].value(Metric.TTFT, "mean") == pytest.approx(0.09)


def test_a_copy_of_a_level_kept_out_does_not_bring_it_back():
    one, copy = file(summary(4), name="b/c4.json"), file(summary(4), summary(8), name="a/all.json")
    excluded = {f"{one.sha256}#0": "cold cache"}
    for files in ([one], [one, copy], [copy, one]):
        (run,) = arranged(files, Regrouping(excluded=excluded)).runs
        assert run.stages[0].excluded == "cold cache"


def test_decisions_about_files_that_are_not_there_do_nothing():
    files = two()
    gone = Regrouping(
        steps=(Step(act=Act.MERGE, levels=("x#0", "y#1")), Step(act=Act.SPLIT, levels=("x#0",), by=Parting.FILE)),
        names=(Named(levels=("x#0",), label="gone"),),
        excluded={"x#0": "gone"},
    )
    assert repr(arranged(files, gone).runs) == repr(arranged(files).runs)


def test_a_level_that_arrives_later_joins_the_merged_run():
    files = two()
    decided = Regrouping(steps=(Step(act=Act.MERGE, levels=keys_of(files)),))
    more = [*files, file(summary(32, conditions={"model": "m", "tp": 4}, name="tp4/c32.json"))]
    (run,) = arranged(more, decided).runs
    assert loads(run) == [4.0, 8.0, 16.0, 32.0]


def test_the_words_of_a_tool_come_with_the_run():
    told = replace(file(summary(4), format_id="aiperf"), calls={Metric.TPOT: "ITL"})
    (run,) = runs_of([told, file(summary(8), format_id="aiperf")])
    assert run.calls == {Metric.TPOT: "ITL"}
    assert runs_of([file(summary(8))])[0].calls == {}
