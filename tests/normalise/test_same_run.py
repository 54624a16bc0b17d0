"""Reports of one execution that name its load in part, or know its settings in part."""

from __future__ import annotations

from itertools import permutations

import pytest

from core.errors import Place
from core.ingest.notices import no_load
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.normalise.raw_build import codes, file, level, readings, records


def report(concurrency, rate, name, **more):
    return level(concurrency, name, asked_rate=rate, run_key="k", readings=readings(e2e_mean=1.0), **more)


@pytest.mark.parametrize(
    "loads",
    [
        [(64.0, 5.0), (64.0, None)],
        [(64.0, 5.0), (None, 5.0)],
        [(64.0, 5.0), (64.0, None), (None, 5.0), (None, None)],
    ],
)
def test_reports_that_name_a_part_of_the_load_are_of_the_one_that_names_all(loads):
    files = [file(report(*load, f"{index}.json"), name=f"{index}.json") for index, load in enumerate(loads)]
    for order in permutations(files):
        (run,) = runs_of(order)
        (stage,) = run.stages
        assert (stage.asked_concurrency, stage.asked_rate, stage.replicates) == (64.0, 5.0, 1)


def test_a_report_that_could_be_of_two_loads_is_of_neither():
    files = [
        file(report(*load, name), name=name)
        for name, load in (("a.json", (64.0, 5.0)), ("b.json", (64.0, 9.0)), ("c.json", (64.0, None)))
    ]
    assert sum(len(run.stages) for run in runs_of(files)) == 3


def test_a_ceiling_in_one_file_and_the_rate_in_another_make_an_open_loop():
    detailed = level(64.0, "d.jsonl", requests=records([0.1, 0.3], [1.1, 1.3]), run_key="k")
    summary = level(64.0, "s.json", asked_rate=0.5, readings=readings(ttft_mean=0.2), run_key="k")
    alone = level(64.0, "t.json", asked_rate=1.5, readings=readings(ttft_mean=0.3, e2e_mean=1.2), request_rate=1.4)
    (run,) = runs_of([file(detailed, name="d.jsonl"), file(summary, name="s.json"), file(alone, name="t.json")])
    assert {stage.asked_rate for stage in run.stages} == {0.5, 1.5}


def test_records_that_know_no_settings_do_not_part_their_level_from_the_others():
    settings = {"endpoint": "x", "isl_mean": 64.0}
    first = [
        file(level(1.0, "a.jsonl", requests=records([0.1], [1.1]), run_key="k"), name="a.jsonl"),
        file(level(1.0, "a.json", readings=readings(ttft_mean=0.1), run_key="k", identity=settings), name="a.json"),
    ]
    second = file(level(2.0, "b.json", readings=readings(ttft_mean=0.2), identity=settings), name="b.json")
    for order in permutations([*first, second]):
        (run,) = runs_of(order)
        assert [stage.load for stage in run.stages] == [1.0, 2.0]


def test_a_load_that_another_file_names_is_not_missed():
    unsaid = level(None, "d.csv", readings=readings(ttft_mean=0.2), run_key="k", findings=(no_load(Place("d.csv")),))
    named = level(8.0, "s.json", readings=readings(ttft_mean=0.2), run_key="k")
    (run,) = runs_of([file(unsaid, name="d.csv"), file(named, name="s.json")])
    assert codes(run) == ["same_run.merged"]
    assert run.stages[0].value(Metric.TTFT, "mean") == 0.2
