"""What the memo says of the target that stops a run, and of those that do not."""

from __future__ import annotations

from dataclasses import replace

from core.model.answer import Capacity, Interval, Status, TargetAnswer
from core.model.target import parse_target
from core.present.doubts import named_reasons
from core.present.report.memo_chart import chart_of
from tests.present.builders import answer_of
from tests.present.report.memo_build import TAILS, runs_of, scenario_of

TTFT, TPOT = parse_target("ttft p99 <= 500ms"), parse_target("tpot p99 <= 50ms")


def capacity(target, low, high, *reasons):
    found = Interval(low=low, mid=95.0, high=high)
    return Capacity(status=Status.WITHIN, concurrency=found, safe=90, binding=target, reasons=reasons)


def test_a_weakness_of_a_target_that_does_not_stop_the_run_names_that_target():
    parts = (
        TargetAnswer(target=TTFT, capacity=capacity(TTFT, 90.0, 100.0, "sample.weak_quantile")),
        TargetAnswer(target=TPOT, capacity=capacity(TPOT, 50.0, 400.0, "interval.wide", "sample.weak_quantile")),
    )
    both = capacity(TTFT, 90.0, 100.0, "sample.weak_quantile", "interval.wide")
    answer = replace(answer_of(), capacity=both, per_target=parts)
    assert named_reasons(answer) == (
        "Few requests were sent for so high a percentile.",
        "TPOT p99: The range is wider than a factor of 3.",
    )
    stopped = replace(answer, capacity=replace(both, binding=TPOT))
    assert named_reasons(stopped)[1] == "The range is wider than a factor of 3."


def test_only_runs_that_the_drawn_target_stops_have_a_mark_and_the_others_are_told_below():
    scenario, fits = scenario_of(runs_of("emulator", "vllm_cpu"), TAILS)
    marks = len(_marks(chart_of(scenario, fits, "en")))
    assert marks == 2
    first, second = scenario.answers
    other = replace(second, capacity=replace(second.capacity, binding=TPOT))
    chart = chart_of(replace(scenario, answers=(first, other)), fits, "en")
    (mark,) = _marks(chart)
    assert tuple(mark["x"]) == (float(first.capacity.safe),)
    assert f"Without a mark, since TPOT p99 stops it: (2) {second.capacity.safe}" in chart.note


def _marks(chart):
    spec = chart.figure.chart.to_plotly_json()
    return [
        each for each in spec["data"] if each.get("legendgroup") == "mark" and each["marker"]["symbol"] == "circle-open"
    ]
