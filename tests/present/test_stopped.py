"""What stops a run is said alike in the list of scenarios, on Compare, in the memo and in files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.compare.compare import compare
from core.compare.quantity import Question
from core.model.answer import Capacity, Interval, Status, TargetAnswer, TrafficAnswer
from core.model.cause import Cause, CauseKind, Confidence
from core.model.traffic import Profile, Traffic
from core.present.causes import sureness, told_of
from core.present.compare_table import numbers_table
from core.present.listed import listed_text
from core.present.report.frames import answers_frame
from core.present.report.memo_table import tables
from core.present.stopped import stop_cell
from core.store.summary import summary_from, summary_of
from tests.present.builders import TPOT_P99, TTFT_P99, WITHIN, answer_of
from tests.present.report.report_build import named, scenario_of
from tests.present.test_headline import AT_LEAST, BELOW

UNTOLD = Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TPOT_P99)
BOUNDED = (
    TargetAnswer(target=TPOT_P99, capacity=UNTOLD),
    TargetAnswer(target=TTFT_P99, capacity=replace(WITHIN, concurrency=Interval(low=35.7, mid=46.9, high=53.2))),
)
KINDS = (
    (answer_of(capacity=WITHIN), "TTFT p99", "stopped by TTFT p99"),
    (answer_of(capacity=BELOW), "TTFT p99", "stopped by TTFT p99"),
    (answer_of(capacity=AT_LEAST), "nothing up to 512", None),
    (replace(answer_of(capacity=UNTOLD), per_target=BOUNDED[:1]), "cannot tell", None),
    (
        replace(answer_of(capacity=UNTOLD), per_target=BOUNDED),
        "TTFT p99 at the latest",
        "stopped by TTFT p99 at the latest",
    ),
)


@pytest.mark.parametrize(("answer", "cell", "line"), KINDS)
def test_list_table_memo_and_file_name_the_same(answer, cell, line):
    scenario = scenario_of(answer, named(answer, 2, "another"))
    (kept, _) = summary_from(summary_of(scenario))
    said = listed_text(kept.status, kept.safe, kept.estimate, kept.binding, kept.cost, kept.currency, bound=kept.bound)
    parts = [part for part in said.split(" · ") if part.startswith("stopped by")]
    assert parts == ([line] if line else [])
    assert stop_cell(answer) == cell
    (memo,) = tables(scenario, "en", "there", prices_hidden=False)
    assert memo.rows[0][memo.headers.index("Stopped by")] == cell
    assert answers_frame(scenario)["Stopped by"][0] == cell
    assert numbers_table(compare(scenario.answers, Question()))["Stopped by"][0] == cell


def test_of_other_traffic_compare_names_what_stops_that():
    """The safe number beside it is that of the traffic."""
    own = replace(WITHIN, binding=TPOT_P99, safe=20)
    traffic = TrafficAnswer(
        traffic=Traffic(profiles=(Profile(input_tokens=2000, output_tokens=400),)),
        differences=(),
        capacity=own,
        per_target=(TargetAnswer(target=TPOT_P99, capacity=own),),
    )
    answers = (replace(answer_of(), for_traffic=traffic), named(answer_of(), 2, "another"))
    frame = numbers_table(compare(answers, Question()))
    assert (frame["Safe number"][0], frame["Stopped by"][0]) == ("20", "TPOT p99")


@pytest.mark.parametrize("confidence", [Confidence.CLEAR, Confidence.LIKELY])
def test_a_cause_is_never_surer_than_the_answer(confidence):
    cause = Cause(kind=CauseKind.QUEUE, confidence=confidence, at=47.0)
    told, untold = answer_of(cause=cause), answer_of(capacity=UNTOLD, cause=cause)
    assert sureness(told) is confidence
    assert sureness(untold) is Confidence.CANNOT_TELL
    sentence = told_of(untold).sentence
    assert sentence.startswith("What stops it cannot be told, as the answer cannot. What the files show: ")
    assert sentence.endswith(told_of(told).sentence)
    assert sureness(answer_of()) is None
