"""What a looser limit is worth: the sentences, the chart and the rows, on numbers made by hand."""

from __future__ import annotations

from dataclasses import replace

import plotly.graph_objects as go
import pytest

from core.model.answer import Cost, Interval, Reach, Relaxed, Sensitivity, Status, Step
from core.model.metric import Metric
from core.model.target import Target
from core.present.sensitivity import sensitivity_figure
from core.present.sensitivity_document import sensitivity_document
from core.present.worth import relaxed_table, to_show, worth_line, worth_texts
from tests.present.builders import TPOT_P99, TTFT_P99, WITHIN, answer_of

TOP = Reach(status=Status.AT_LEAST, concurrency=Interval(low=512.0, mid=None, high=None), safe=512, binding=TTFT_P99)
NOW = Reach(status=Status.WITHIN, concurrency=WITHIN.concurrency, safe=41, binding=TTFT_P99)
BILL = Cost(
    currency="USD",
    per_hour=20.0,
    per_million_output=Interval(low=0.4, mid=0.47, high=0.5),
    per_million_total=None,
    per_million_weighted_output=None,
    per_million_weighted_input=None,
)


def reach(safe, low, mid, high, binding=TTFT_P99):
    return Reach(status=Status.WITHIN, concurrency=Interval(low=low, mid=mid, high=high), safe=safe, binding=binding)


def relaxed(factor, limit, safe, more, cost=None):
    whole = reach(safe, 40.0, 52.9, 60.0)
    return Relaxed(factor=factor, limit=limit, whole=whole, more_safe=safe - 41, more=more, cost=cost)


SIX = Interval(low=2.0, mid=6.0, high=11.0)
NONE = Interval(low=0.0, mid=0.0, high=0.0)
CHEAPER = Interval(low=0.38, mid=0.41, high=0.45)
TTFT = Sensitivity(
    target=TTFT_P99,
    steps=(
        Step(limit=0.3, alone=reach(20, 19.0, 24.0, 30.0), whole=reach(20, 19.0, 24.0, 30.0)),
        Step(limit=0.5, alone=NOW, whole=NOW),
        Step(limit=0.62, alone=reach(50, 48.0, 60.0, 70.0), whole=reach(50, 44.0, 55.0, 62.0, TPOT_P99)),
        Step(limit=2.0, alone=TOP, whole=reach(50, 44.0, 55.0, 62.0, TPOT_P99)),
    ),
    relaxed=(relaxed(1.1, 0.55, 46, SIX, CHEAPER), relaxed(1.2, 0.6, 49, SIX, CHEAPER)),
    lowest=0.04,
    at_least_from=2.0,
    free_from=0.62,
    then=TPOT_P99,
)
TPOT = Sensitivity(
    target=TPOT_P99,
    steps=(Step(limit=0.05, alone=reach(50, 44.0, 55.0, 62.0), whole=NOW),),
    relaxed=(relaxed(1.1, 0.055, 41, NONE), relaxed(1.2, 0.06, 41, NONE)),
    free_from=0.045,
    then=TTFT_P99,
)


def answer(**changes):
    return replace(answer_of(cost=BILL), sensitivity=(TTFT, TPOT), **changes)


def test_the_gain_is_said_with_its_range_its_cost_and_its_end():
    assert worth_texts(answer(), (TTFT,), TTFT) == (
        "Relaxing TTFT p99 from 500 ms to 550 ms would carry 46 safely instead of 41; the estimate grows by 6 (2–11).",
        "A million output tokens would cost $0.41 ($0.38–$0.45) instead of $0.47.",
        "By the estimate, TPOT p99 ≤ 50 ms stops it from 620 ms on.",
        "From 2 s on, TTFT p99 allows every load measured; more is not known.",
    )


def test_the_target_worth_relaxing_is_named_where_there_is_a_choice():
    assert worth_texts(answer(), (TTFT, TPOT), TTFT)[0] == "Of the targets, this one is worth relaxing first."
    assert worth_texts(answer(), (TTFT, TPOT), TPOT) == (
        "TTFT p99 ≤ 500 ms is worth relaxing first.",
        "Relaxing TPOT p99 by 20%, to 60 ms, promises no more requests.",
        "TPOT p99 does not stop it; it would only at 45 ms or tighter.",
    )
    assert to_show(answer(), (TPOT, TTFT)) is TTFT
    assert to_show(answer(), (replace(TTFT, relaxed=()), TPOT)).target == TTFT_P99


def test_the_target_that_the_answer_names_is_never_said_not_to_stop_it():
    named = answer(capacity=replace(answer().capacity, binding=TPOT.target))
    assert not any("does not stop it" in line for line in worth_texts(named, (TTFT, TPOT), TPOT))


def test_a_step_that_gains_nothing_is_said_before_the_one_that_does():
    late = replace(TTFT, relaxed=(relaxed(1.1, 0.55, 41, NONE), relaxed(1.2, 0.6, 42, SIX)))
    said = worth_texts(answer(), (late,), late)
    assert said[0] == "Relaxing TTFT p99 by 10%, to 550 ms, promises no more requests."
    assert said[1].startswith("Relaxing TTFT p99 from 500 ms to 600 ms would carry 42 safely instead of 41")


def test_a_limit_that_lets_all_levels_pass_claims_no_estimate():
    whole = replace(TTFT.relaxed[0], whole=TOP, more_safe=471, more=None)
    said = worth_texts(answer(), (one := replace(TTFT, relaxed=(whole,)),), one)
    assert said[0] == ("With TTFT p99 relaxed from 500 ms to 550 ms every load measured would do: 512 safely, not 41.")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.CANNOT_TELL, "What a looser limit is worth cannot be told while the answer cannot."),
        (Status.AT_LEAST, "Every load measured is within the targets: a looser limit shows nothing more."),
    ],
)
def test_nothing_is_promised_where_there_is_no_crossing(status, said):
    capacity = replace(WITHIN, status=status)
    assert worth_texts(answer(capacity=capacity), (TTFT,), TTFT)[0] == said
    assert worth_line(answer(capacity=capacity)) == ""


def test_below_the_smallest_level_the_limit_that_it_needs_is_said():
    capacity = replace(WITHIN, status=Status.BELOW, safe=None)
    tight = replace(TTFT, target=replace(TTFT_P99, limit=0.03))
    said = worth_texts(answer(capacity=capacity), (tight,), tight)
    assert said == ("The smallest load measured needs TTFT p99 at 40 ms or looser.",)
    assert worth_texts(answer(capacity=capacity), (TTFT,), TTFT) == ("TTFT p99 ≤ 500 ms does not stop it.",)


def test_the_rows_hold_every_target_and_step():
    frame = relaxed_table(answer(), (TTFT, TPOT))
    assert frame["Target relaxed"].tolist() == ["TTFT p99"] * 2 + ["TPOT p99"] * 2
    assert frame["more, safely"].tolist() == [5, 8, 0, 0]
    assert frame["more, estimate (range)"].tolist() == ["6 (2–11)", "6 (2–11)", "0", "0"]
    assert frame["Cost of a million output tokens"].tolist()[0] == "$0.41 ($0.38–$0.45)"
    assert "Cost of a million output tokens" not in relaxed_table(answer_of(), (TPOT,)).columns


def test_the_terminal_gets_the_gain_of_the_target_worth_most():
    assert worth_line(answer()).startswith("Relaxing TTFT p99 from 500 ms to 550 ms")
    assert worth_line(replace(answer(), sensitivity=())) == ""


def test_the_chart_obeys_plotly_and_its_mark_stands_at_the_answer():
    figure = sensitivity_figure(answer(), TTFT)
    go.Figure(figure.chart.to_dict())
    marks = [trace for trace in figure.chart.data if trace.legendgroup == "mark"]
    assert {(trace.x[0], trace.y[0]) for trace in marks} == {(500.0, 41.0)}
    safe = next(trace for trace in figure.chart.data if trace.name == "safe number")
    assert list(safe.x) == [300.0, 500.0, 620.0, 2000.0]
    assert list(safe.y) == [20.0, 41.0, 50.0, 50.0]
    assert figure.alt == (
        "gpt-oss-120b 16 GPUs: with TTFT p99 at 300 ms it safely carries 20, at 2 s 50 concurrent requests. "
        "At the present 500 ms it is 41."
    )
    assert figure.table["Safe concurrent requests"].tolist() == [20, 41, 50, 50]


def test_a_gap_that_cannot_be_told_is_no_line():
    untold = Reach(status=Status.CANNOT_TELL, concurrency=None, safe=None)
    steps = (TTFT.steps[0], Step(limit=0.4, alone=untold, whole=untold), *TTFT.steps[1:])
    figure = sensitivity_figure(answer(), replace(TTFT, steps=steps))
    parts = [list(trace.x) for trace in figure.chart.data if trace.name == "safe number"]
    assert parts == [[300.0], [500.0, 620.0, 2000.0]]


def test_without_anything_told_there_is_no_chart():
    untold = Reach(status=Status.CANNOT_TELL, concurrency=None, safe=None)
    assert sensitivity_figure(answer(), replace(TTFT, steps=(Step(limit=0.5, alone=untold, whole=untold),))) is None


def test_the_document_is_small_and_names_the_first():
    found = sensitivity_document((TTFT, TPOT))
    assert found["first"]["metric"] == "ttft"
    assert found["targets"][0]["relaxed"][0]["more"] == {"low": 2.0, "mid": 6.0, "high": 11.0, "level": 0.9}
    assert found["targets"][0]["steps"][3]["alone"] == {
        "status": "at_least",
        "safe": 512,
        "low": 512.0,
        "mid": None,
        "high": None,
    }
    assert sensitivity_document(()) is None


def test_a_floor_on_speed_is_looser_further_down():
    target = Target(Metric.TOK_S_USER, "p95", 25.0)
    one = replace(TTFT, target=target, relaxed=(), free_from=20.0, at_least_from=None, lowest=30.0)
    assert worth_texts(answer(), (one,), one) == ("By the estimate, TPOT p99 ≤ 50 ms stops it from 20 tok/s on.",)
