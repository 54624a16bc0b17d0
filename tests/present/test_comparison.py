"""Runs side by side: what decides comes first, nothing repeats, nobody wins."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from core.model.answer import Capacity, Interval, Status, TargetAnswer
from core.present.comparison import first_answered, runs_table, unknown_help
from tests.present.builders import TPOT_P99, TTFT_P99, WITHIN, answer_of, cost_of, run_of

UNTOLD = Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=None)
OPEN = Capacity(status=Status.AT_LEAST, concurrency=Interval(low=512.0, mid=None, high=None), safe=512, binding=None)
UNDER = Capacity(status=Status.BELOW, concurrency=Interval(low=None, mid=None, high=4.0), safe=None, binding=TTFT_P99)


def test_runs_stand_side_by_side_without_a_winner():
    bare = replace(run_of(accelerator_count=None, engine_version="0.9"), label="B")
    frame = runs_table([answer_of(cost=cost_of()), answer_of(bare)])
    assert frame.columns.tolist()[:5] == [
        "Run",
        "Safe number",
        "Estimate (range)",
        "Cost per million output tokens",
        "Stopped by",
    ]
    assert frame.columns[-1] == "Unknown conditions"
    assert frame["Run"].tolist() == ["gpt-oss-120b 16 GPUs", "B"]
    assert frame["Safe number"].tolist() == [41, 41]
    assert frame["Estimate (range)"][0] == "47 (36–53)"
    assert frame["Cost per million output tokens"][0] == "$0.83 ($0.78–$0.90)"
    assert pd.isna(frame["Cost per million output tokens"][1])
    assert frame["Stopped by"].tolist() == ["TTFT p99", "TTFT p99"]
    assert frame["Accelerators"][0] == 16
    assert pd.isna(frame["Accelerators"][1])
    assert frame["Unknown conditions"].tolist() == [3, 3]


def test_unknown_conditions_are_counted_and_what_is_counted_is_told():
    """Of the seven, a run here lacks precision and what TTFT includes; B lacks the number of accelerators too."""
    bare = replace(run_of(accelerator_count=None, engine_version="0.9"), label="B")
    full = run_of(precision="fp8", engine_version="0.9", ttft_scope="client")
    assert runs_table([answer_of(bare), answer_of(full)])["Unknown conditions"].tolist() == [3, 0]
    assert "Precision, Accelerator, Number of accelerators" in unknown_help()


def test_a_target_that_stops_nothing_is_not_named():
    """An open answer keeps every target at every load; an untold one knows at most which target gives a bound."""
    untold = replace(UNTOLD, binding=TPOT_P99, concurrency=Interval(low=None, mid=None, high=27.95))
    told = replace(WITHIN, concurrency=Interval(low=20.0, mid=24.0, high=27.95))
    both = (TargetAnswer(target=TTFT_P99, capacity=told), TargetAnswer(target=TPOT_P99, capacity=untold))
    answers = [
        answer_of(capacity=replace(OPEN, binding=TTFT_P99)),
        answer_of(capacity=replace(UNTOLD, binding=TTFT_P99)),
        answer_of(capacity=untold, per_target=both),
        answer_of(capacity=UNDER),
    ]
    frame = runs_table(answers)
    assert frame["Stopped by"].tolist() == ["nothing up to 512", "cannot tell", "TTFT p99 at the latest", "TTFT p99"]
    assert frame["Estimate (range)"][2] == "at most 27"


def test_what_every_run_says_alike_is_left_out():
    frame = runs_table([answer_of(), answer_of()])
    assert frame.columns.tolist() == ["Run", "Safe number", "Estimate (range)", "Stopped by", "Unknown conditions"]
    assert runs_table([]).columns.tolist() == ["Run", "Safe number", "Estimate (range)", "Unknown conditions"]


def test_bounds_are_written_as_bounds():
    frame = runs_table([answer_of(capacity=each) for each in (UNTOLD, OPEN, UNDER)])
    assert frame["Estimate (range)"].tolist()[1:] == ["512 or more", "below 4"]
    assert pd.isna(frame["Estimate (range)"][0])
    assert frame["Safe number"].isna().tolist() == [True, False, True]
    assert frame["Answer"].tolist() == ["cannot tell", "at least", "below the levels measured"]


def test_the_first_run_with_a_number_is_shown_first():
    untold, told = answer_of(capacity=UNTOLD), answer_of(capacity=OPEN)
    assert first_answered([untold, told, answer_of()]) is told
    assert first_answered([untold, answer_of(capacity=UNDER)]) is untold
