"""The difference of two scenarios in words, against sentences written by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answer_diff import words_of
from core.model.answer import Capacity, Interval, Status, TrafficAnswer
from core.model.change import Part, Word
from core.model.compared import NOTHING
from core.model.metric import Metric
from core.model.run import FileRef
from core.model.scenario import DecisionColumn, Demand, DemandKind
from core.model.target import Target
from core.model.traffic import Traffic
from core.model.workload import Job, Workload, WorkloadKind
from core.present.diff import (
    answers_table,
    change_text,
    difference_document,
    inputs_table,
    notes_lines,
    summary_text,
)
from core.scenario_diff import scenario_difference
from tests.model.rich_scenario import RICH, changed
from tests.present.builders import TPOT_P99, TTFT_P99, answer_of, cost_of, run_of

ONE, OTHER = RICH.runs


def sentences(after, before=RICH, language="en"):
    found = scenario_difference(before, after)
    return [change_text(change, language, several=True) for change in found.inputs]


def within(low, mid, high, safe=None):
    return Capacity(
        status=Status.WITHIN, concurrency=Interval(low=low, mid=mid, high=high), safe=safe, binding=TTFT_P99
    )


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (replace(RICH, name="Review"), "Name: Launch → Review"),
        (replace(RICH, targets=(Target(Metric.TTFT, "p99", 0.3), TPOT_P99)), "TTFT p99: ≤ 500 ms → ≤ 300 ms"),
        (
            replace(RICH, targets=(*RICH.targets, Target(Metric.GOODPUT, "value", 0.95))),
            "Goodput share: added ≥ 95%",
        ),
        (replace(RICH, price=replace(RICH.price, amount=1.95)), "Price per hour: 2.5 → 1.95"),
        (replace(RICH, price=replace(RICH.price, currency="EUR")), "Currency: KRW → EUR"),
        (replace(RICH, think_time_s=None), "Think time of a user: removed 30 s"),
        (
            replace(RICH, workload=Workload(kind=WorkloadKind.BATCH, job=Job(requests=2500, deadline_s=60.0))),
            "Requests of the job: 1,000 → 2,500",
        ),
        (replace(RICH, demand=Demand(peak=450.0, kind=DemandKind.USERS)), "Demand at the peak: 300 → 450"),
        (
            replace(RICH, runs=(replace(ONE, label="New rack"), OTHER)),
            "Name of the run: gpt-oss-120b 16 GPUs → New rack",
        ),
        (
            replace(RICH, runs=(ONE, replace(OTHER, files=(*OTHER.files, FileRef("x.json", "7" * 64))))),
            "other: File: added x.json",
        ),
        (
            replace(RICH, runs=(ONE, replace(OTHER, conditions=replace(OTHER.conditions, precision="fp8")))),
            "other: Precision: added fp8",
        ),
        (
            replace(
                RICH,
                runs=(
                    ONE,
                    replace(OTHER, stages=(replace(OTHER.stages[0], excluded="another job ran"), *OTHER.stages[1:])),
                ),
            ),
            "other: Level at 2: use: in use → left out: another job ran",
        ),
        (
            replace(RICH, runs=(replace(ONE, gpu_busy=0.72), OTHER)),
            "gpt-oss-120b 16 GPUs: Accelerator busy, from a profile: 60% → 72%",
        ),
        (
            replace(RICH, decision=(*RICH.decision, DecisionColumn(name="Rack power"))),
            "Column of your own: added Rack power",
        ),
        (
            replace(RICH, traffic=replace(RICH.traffic, users=400.0)),
            "Users at once of your traffic: added 400",
        ),
        (replace(RICH, notes="first line\nthird line"), "Notes: second line → third line"),
        (replace(RICH, constants_version="xyz"), "Constants of the method: abc → xyz"),
    ],
)
def test_one_change_is_one_plain_sentence(after, said):
    assert sentences(after) == [said]


def test_a_run_that_came_is_named_once():
    base = replace(RICH, runs=(ONE,), decision=(), price=None, compared=NOTHING)
    assert sentences(replace(base, runs=(ONE, OTHER)), base) == ["Run: added other"]


def test_notes_are_told_line_by_line():
    lines = notes_lines("a\nb\nc", "a\nx\nc\nd")
    assert [(line.sign, line.text) for line in lines] == [
        (" ", "a"),
        ("-", "b"),
        ("+", "x"),
        (" ", "c"),
        ("+", "d"),
    ]
    assert notes_lines("same", "same") == ()


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (within(36, 47, 53), within(36, 47, 53), Word.SAME),
        (within(36, 47, 53), within(40, 50, 58), Word.WITHIN),
        # 47 is not in 48–58, although 50 is in 36–53: not each other's doubt, yet both may be 48 to 53.
        (within(36, 47, 53), within(48, 50, 58), Word.UNTOLD),
        (within(36, 47, 53), within(53, 70, 80), Word.UNTOLD),
        (within(36, 47, 53), within(53.5, 70, 80), Word.CHANGED),
        (within(36, 47, 53), within(60, 70, 80), Word.CHANGED),
        (within(36, 47, None), within(90, 100, None), Word.UNTOLD),
        (within(36, None, None), within(90, None, None), Word.UNTOLD),
        (within(36, None, 50), within(90, None, None), Word.CHANGED),
    ],
)
def test_an_estimate_within_the_other_s_range_is_within_the_doubt(old, new, word):
    there, back = (words_of(answer_of(capacity=a), answer_of(capacity=b)) for a, b in ((old, new), (new, old)))
    assert there[Part.ESTIMATE] is back[Part.ESTIMATE] is word


def test_the_safe_number_is_judged_by_the_ranges_too():
    old, new, far = within(36, 47, 53, safe=41), within(40, 50, 58, safe=44), within(60, 70, 80, safe=63)
    # 50 as the safe number lies in 36–53, yet 41 does not lie in 49–58; the ranges meet from 49 to 53.
    near = within(49, 54, 58, safe=50)
    words = [words_of(answer_of(capacity=old), answer_of(capacity=each))[Part.SAFE] for each in (new, near, far)]
    assert words == [Word.WITHIN, Word.UNTOLD, Word.CHANGED]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (within(36, 47, 53, safe=41), within(60, 70, 80, safe=63), "the answers differ by more than their doubt"),
        (within(36, 47, 53, safe=41), within(40, 50, 58, safe=44), "the answers stay within their doubt"),
        (
            within(36, 47, 53, safe=41),
            within(49, 54, 58, safe=50),
            "the ranges of the answers meet: whether they changed cannot be told",
        ),
        (
            within(36, 47, 53, safe=41),
            replace(within(40, 50, 58, safe=44), binding=TPOT_P99),
            "the answers changed, but no number by more than its doubt",
        ),
    ],
)
def test_the_sentence_says_more_than_doubt_only_where_no_ranges_meet(old, new, said):
    found = scenario_difference(
        replace(RICH, answers=(answer_of(capacity=old),)), replace(RICH, answers=(answer_of(capacity=new),))
    )
    assert summary_text(found) == f"No input differs; {said}"


ENDS = st.lists(st.integers(1, 200), min_size=3, max_size=3, unique=True).map(sorted)


@given(old=ENDS, new=ENDS)
@settings(max_examples=60)
def test_no_overlapping_ranges_are_ever_said_to_differ_by_more_than_their_doubt(old, new):
    sides = [replace(RICH, answers=(answer_of(capacity=within(*ends, safe=ends[0])),)) for ends in (old, new)]
    apart = old[2] < new[0] or new[2] < old[0]
    found = scenario_difference(*sides)
    assert ("more than" in summary_text(found)) is apart
    assert sum("beyond the doubt" in cell for cell in answers_table(found.answers).get("Difference", [])) == 2 * apart


def test_how_far_a_number_moved_stands_in_its_unit_and_as_a_share():
    def step(old, new, part):
        sides = [replace(RICH, answers=(each,)) for each in (old, new)]
        table = answers_table(scenario_difference(*sides).answers)
        return table[table["What"] == part].iloc[0]["Difference"]

    before, after = answer_of(capacity=within(36, 47, 53, safe=41)), answer_of(capacity=within(16, 21, 25, safe=20))
    # 41 − 20 = 21, 21 ÷ 41 = 51.2 %; 47 − 21 = 26, 26 ÷ 47 = 55.3 %.
    assert step(before, after, "Safe number") == "41 → 20: 21 fewer (−51.2%), beyond the doubt"
    assert step(before, after, "Estimate (range)") == "47 → 21: 26 fewer (−55.3%), beyond the doubt"
    # 21 ÷ 20 = 105 %.
    assert step(after, before, "Safe number") == "20 → 41: 21 more (+105%), beyond the doubt"
    dollars, euros = answer_of(cost=cost_of()), answer_of(cost=cost_of(currency="EUR"))
    assert step(dollars, euros, "Cost per million output tokens") == "changed"


def test_money_of_another_currency_has_changed_whatever_its_range():
    old = answer_of(cost=cost_of())
    euro = answer_of(cost=cost_of(currency="EUR"))
    assert words_of(old, euro)[Part.COST] is Word.CHANGED
    assert words_of(old, answer_of(cost=cost_of(0.8, 0.85, 0.91)))[Part.COST] is Word.WITHIN


def test_what_only_one_side_can_tell_is_new_or_gone():
    known, unknown = (
        answer_of(),
        answer_of(capacity=Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TTFT_P99)),
    )
    assert words_of(unknown, known)[Part.SAFE] is Word.ADDED
    assert words_of(known, unknown)[Part.ESTIMATE] is Word.REMOVED
    assert words_of(known, unknown)[Part.STATUS] is Word.CHANGED


def test_the_answers_stand_side_by_side_as_on_the_other_screens():
    old = answer_of(capacity=within(35.7, 46.9, 53.2, safe=41), cost=cost_of())
    new = answer_of(capacity=within(40, 50, 58, safe=44), cost=cost_of(0.5, 0.6, 0.7))
    found = scenario_difference(replace(RICH, answers=(old,)), replace(RICH, answers=(new,)))
    rows = answers_table(found.answers).to_dict("records")
    run = "gpt-oss-120b 16 GPUs"
    assert rows == [
        {
            "Run": run,
            "What": "Safe number",
            "Before": "41",
            "After": "44",
            "Difference": "41 → 44: 3 more (+7.32%), within the doubt",
        },
        {
            "Run": run,
            "What": "Estimate (range)",
            "Before": "47 (36–53)",
            "After": "50 (40–58)",
            "Difference": "47 → 50: 3 more (+6.38%), within the doubt",
        },
        {
            "Run": run,
            "What": "Cost per million output tokens",
            "Before": "$0.83 ($0.78–$0.90)",
            "After": "$0.60 ($0.50–$0.70)",
            # 0.83 − 0.60 = 0.23, 0.23 ÷ 0.83 = 27.7 %; 0.70 is below 0.78.
            "Difference": "$0.83 → $0.60: $0.23 less (−27.7%), beyond the doubt",
        },
    ]
    assert summary_text(found) == "No input differs; 1 of the 3 numbers that differ do so by more than their doubt"


def test_what_a_person_asked_otherwise_is_no_noise_between_measurements():
    """22 and 18 of the same sweep at two limits: the ranges meet, and yet nothing was left to chance."""
    old, new = (answer_of(capacity=found) for found in (within(20, 24, 28, safe=22), within(16, 20, 24, safe=18)))
    looser = replace(RICH, answers=(old,))
    tighter = replace(RICH, targets=(Target(Metric.TTFT, "p99", 0.3), TPOT_P99), answers=(new,))
    found = scenario_difference(looser, tighter)
    assert summary_text(found) == "1 input differs: the same measurements answer another question"
    cells = answers_table(found.answers, asked_otherwise=found.asked_otherwise)["Difference"]
    assert "22 → 18: 4 fewer (−18.2%), asked otherwise" in list(cells)
    # Another measurement beside it: then both may be chance.
    moved = replace(tighter, runs=(replace(RICH.runs[0], stages=RICH.runs[0].stages[:-1]), *RICH.runs[1:]))
    assert not scenario_difference(looser, moved).asked_otherwise


def test_the_answer_for_own_traffic_is_compared_too():
    def answered(capacity):
        return answer_of(
            for_traffic=TrafficAnswer(traffic=Traffic(users=5.0), differences=(), capacity=capacity, per_target=())
        )

    words = words_of(answered(within(36, 47, 53, safe=41)), answered(within(60, 70, 80, safe=63)))
    assert (words[Part.TRAFFIC_SAFE], words[Part.TRAFFIC_ESTIMATE]) == (Word.CHANGED, Word.CHANGED)
    assert words[Part.SAFE] is Word.SAME


def test_the_document_holds_what_the_model_holds():
    after = replace(RICH, targets=(Target(Metric.TTFT, "p99", 0.3), TPOT_P99), answers=(RICH.answers[0],))
    found = json.loads(json.dumps(difference_document(scenario_difference(RICH, after))))
    assert found["inputs"] == [
        {"about": "target", "name": "ttft p99", "run": None, "at": None, "before": 0.5, "after": 0.3}
    ]
    assert found["answers"][0]["run"] == {"before": "other", "after": None}
    assert found["answers"][0]["parts"]["safe"] == {"before": 41, "after": None, "word": "removed"}


@pytest.mark.parametrize("language", ["en", "ko"])
@given(data=st.data())
@settings(max_examples=25)
def test_every_difference_can_be_said_in_every_language(language, data):
    """Whatever is changed: no sentence fails, none is empty, and the table has a row for each."""
    found = scenario_difference(RICH, changed(data.draw, RICH))
    for change in found.inputs:
        assert len(change_text(change, language, several=True)) > 2
    assert len(inputs_table(found.inputs, language)) == len(found.inputs)
    answers_table(found.answers, language)
    assert summary_text(found, language)
    json.dumps(difference_document(found))


def test_nothing_is_said_of_what_is_the_same():
    found = scenario_difference(RICH, RICH)
    assert summary_text(found) == "Both say the same"
    assert inputs_table(found.inputs).empty
    assert answers_table(found.answers).empty


def test_a_run_measured_again_is_one_answer_that_changed_and_not_two():
    again = replace(run_of(), files=(FileRef("new.json", "9" * 64),))
    found = scenario_difference(RICH, replace(RICH, runs=(again, OTHER), answers=(answer_of(again), RICH.answers[1])))
    assert [(each.run.before, each.run.after) for each in found.answers] == [
        ("gpt-oss-120b 16 GPUs", "gpt-oss-120b 16 GPUs")
    ]
