"""Doubts about runs and changes by hand in words: complete in both languages, and true to the decisions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.normalise.doubts import DoubtKind, chosen
from core.normalise.partings import Parting
from core.normalise.regrouping import Act, Regrouping, Step, excluding, renamed
from core.normalise.runs import arranged
from core.present.changes import changes_of
from core.present.grouping import (
    FEW_ROWS,
    alike,
    asked_of,
    question,
    reading_table,
    reading_title,
    told_apart,
    why,
)
from tests.normalise.raw_build import file, summary


def sweep(where, ttft, loads=(4, 8), **more):
    return [file(summary(n, ttft, name=f"{where}c{n}.json", **more)) for n in loads]


def rated():
    return [file(replace(summary(n, name=f"r{n}.json"), asked_rate=float(n), asked_concurrency=None)) for n in (2, 4)]


DROPS = {
    DoubtKind.FOLDERS: [*sweep("a/", 100.0), *sweep("b/", 150.0)],
    DoubtKind.REPEATS: [*sweep("h100_", 90.0), *sweep("l40_", 200.0)],
    DoubtKind.SETTING: [*sweep("a", 100.0, identity={"tag": "x"}), *sweep("b", 150.0, identity={"tag": "y"})],
    DoubtKind.LENGTHS: [
        *sweep("a", 100.0, n=2000, input_tokens_mean=100.0),
        *sweep("b", 150.0, n=2000, input_tokens_mean=115.0),
    ],
    DoubtKind.FORMATS: [
        *sweep("v", 100.0),
        *(file(each.levels[0], format_id="aiperf") for each in sweep("a", 120.0, (16, 32))),
    ],
    DoubtKind.AXIS: [*sweep("", 100.0), *rated()],
    DoubtKind.AMBIGUOUS: [
        *sweep("x/", 90.0, conditions={"model": "m", "tp": 4}),
        *sweep("y/", 95.0, conditions={"model": "m", "tp": 8}),
        file(summary(16), name="c16.json"),
    ],
}


@pytest.mark.parametrize("kind", list(DoubtKind))
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_doubt_is_a_question_with_answers_that_differ(kind, language):
    (doubt,) = arranged(DROPS[kind]).doubts
    assert doubt.kind is kind
    assert question(doubt, language).endswith(("?", "까?"))
    assert why(doubt, language)
    titles = [reading_title(doubt, i, language) for i in range(len(doubt.readings))]
    assert len(set(titles)) == len(titles)
    tables = [reading_table([doubt], i, language) for i in range(len(doubt.readings))]
    assert len({len(table) for table in tables}) > 1
    for table in tables:
        assert not table.isna().any().any()


def test_what_two_readings_disagree_about_is_said_with_its_numbers():
    (doubt,) = arranged(DROPS[DoubtKind.FOLDERS]).doubts
    assert "TTFT mean is 100 ms in a and 150 ms in b, 1.5 times as long" in why(doubt)
    (doubt,) = arranged(DROPS[DoubtKind.LENGTHS]).doubts
    assert "prompts differ by 15%; beyond 10%" in why(doubt)


def test_the_same_question_of_several_configurations_is_asked_once():
    files = [
        each
        for tp in (4, 8)
        for where, ttft in (("a/", 100.0), ("b/", 150.0))
        for each in sweep(where + f"tp{tp}", ttft * tp, conditions={"model": "m", "tp": tp})
    ]
    doubts = arranged(files).doubts
    assert [len(same) for same in alike(doubts)] == [2]
    assert len(reading_table(doubts, 0)) == 4


def many(count):
    return [
        each
        for tp in range(1, count + 1)
        for where, ttft in (("a/", 100.0), ("b/", 150.0))
        for each in sweep(where + f"tp{tp}", ttft * tp, conditions={"model": "m", "tp": tp, "engine": "vLLM"})
    ]


def test_each_row_of_a_question_about_several_configurations_names_its_configuration():
    doubts = arranged(many(2)).doubts
    runs = reading_table(doubts, 0)["Run"].tolist()
    assert runs == ["a · Tensor parallel (TP) 1", "b · Tensor parallel (TP) 1"] + [
        f"{where} · Tensor parallel (TP) 2" for where in "ab"
    ]
    assert asked_of(doubts, doubts) == "The same is asked of 2 configurations."
    assert asked_of(doubts[:1], doubts) == "It is asked of Tensor parallel (TP) 1."
    assert asked_of(doubts[:1], doubts[:1]) == ""


def test_a_long_list_of_runs_is_cut_and_counted():
    table = reading_table(arranged(many(9)).doubts, 0)
    assert len(table) == FEW_ROWS + 1
    assert table["Run"].tolist()[-1] == f"and {18 - FEW_ROWS} more"


def test_lengths_near_the_border_of_several_configurations_are_one_question():
    files = [
        each
        for tp in (4, 8)
        for where, length in (("a", 100.0), ("b", 110.0 + tp))
        for each in sweep(f"{where}{tp}", 100.0, n=2000, conditions={"model": "m", "tp": tp}, input_tokens_mean=length)
    ]
    (same,) = alike(arranged(files).doubts)
    assert len(same) == 2
    assert "prompts differ by 14%–18%; beyond 10%" in why(same[0], same=same)


def test_folders_are_named_by_what_differs_between_them():
    files = [*sweep("drop/tool/x/out/", 100.0), *sweep("drop/tool/y/out/", 150.0)]
    (doubt,) = arranged(files).doubts
    assert question(doubt) == "Are x, y the same run, measured again?"
    assert told_apart(["", "x/y"]) == {"": "", "x/y": "x/y"}
    assert set(told_apart(["s/a/t", "s/b/t", "s/a/b/t"]).values()) == {"a", "b", "a/b"}
    many_folders = [each for i in range(9) for each in sweep(f"d{i}/", 100.0 + 10 * i)]
    (doubt,) = arranged(many_folders).doubts
    assert question(doubt) == "Are d0, d1, d2, and 6 more the same run, measured again?"


def test_a_setting_that_is_no_label_is_not_called_one():
    low = sweep("a", 100.0, identity={"block_size": 16})
    (doubt,) = arranged([*low, *sweep("b", 150.0, (16, 32), identity={"block_size": 32})]).doubts
    assert "label" not in question(doubt)
    assert "block_size" in question(doubt)


def changes(files, decided):
    found = arranged(files, decided)
    return changes_of(decided, found.runs, found.members, found.doubts)


def test_every_decision_is_listed_and_can_be_taken_back_alone():
    files = DROPS[DoubtKind.FOLDERS]
    fresh = arranged(files)
    first = fresh.members[fresh.runs[0].id]
    decided = chosen(Regrouping(), fresh.doubts[0], 1)
    decided = renamed(decided, fresh.doubts[0].levels, "Both")
    decided = excluding(decided, first[0], "cold cache")
    listed = changes(files, decided)
    assert [each.text for each in listed] == [
        "Are a, b the same run, measured again? Yes, one run measured several times",
        "Renamed to Both",
        "Left out: level 4 of Both. cold cache",
    ]
    assert listed[0].without == replace(decided, steps=())
    assert listed[1].without == replace(decided, names=())
    assert listed[2].without == replace(decided, excluded={})


def test_merging_and_splitting_by_hand_and_a_run_left_out_as_a_whole_are_listed():
    files = [
        *sweep("a", 100.0, conditions={"model": "m", "tp": 4}),
        *sweep("b", 90.0, conditions={"model": "m", "tp": 8}),
    ]
    every = tuple(sorted(key for stages in arranged(files).members.values() for keys in stages for key in keys))
    merged = Regrouping(steps=(Step(act=Act.MERGE, levels=every),))
    assert [each.text for each in changes(files, merged)] == ["Put together: m"]
    (step,) = merged.steps
    told = Regrouping(steps=(replace(step, of=("m · tp 4", "m · tp 8")),))
    assert [each.text for each in changes(files, told)] == ["Put together: m · tp 4 + m · tp 8"]
    split = replace(merged, steps=(*merged.steps, Step(act=Act.SPLIT, levels=every, by=Parting.SETTING, setting="tp")))
    assert changes(files, split)[1].text == "Split by tp: m · tp 4, m · tp 8"
    assert [each.text for each in changes(files, excluding(merged, every, "wrong node"))][1:] == [
        "Left out: m as a whole. wrong node"
    ]
