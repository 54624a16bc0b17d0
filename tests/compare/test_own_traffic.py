"""A safe number for the service's own traffic stands beside no number of the traffic that was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.compare.compare import Why, compare
from core.compare.quantity import AT_SAFE, Quantity, Question, figure_of
from core.fleet.plan import fleet_for
from core.ingest.raw import Upload
from core.model.answer import Interval, TrafficAnswer
from core.model.difference import Difference, Match
from core.model.metric import Metric
from core.model.scenario import Demand, DemandKind
from core.model.traffic import Traffic
from core.model.traffic_text import parse_traffic
from core.pipeline import answer_run, load
from core.present.compare_files import cost_rows
from core.present.compare_notes import number_notes
from core.present.compare_table import numbers_table
from core.present.compare_words import next_step, why_text
from core.present.pareto_chart import pareto_notes
from core.present.report.memo_table import tables
from tests.compare.compare_build import table
from tests.compare.test_compare import EVERYTHING, PRICE, TARGETS
from tests.fleet import fleet_build
from tests.present.report.report_kinds import made

OTHER = ("isl=2000 osl=400",)
"""Longer prompts and answers than the 1,024 and 256 that were sent."""


@pytest.fixture(scope="module")
def two():
    uploads = [Upload(f"{name}.csv", table(gpu=gpu).encode()) for name, gpu in (("a", "8xH100"), ("b", "8xH200"))]
    return tuple(answer_run(run, TARGETS, PRICE, traffic=parse_traffic(OTHER)) for run in load(uploads).runs)


def own(safe, **matches):
    known = {"input_tokens": Match.EQUAL, "output_tokens": Match.EQUAL} | matches
    rows = tuple(Difference(condition=name, measured=1.0, yours=1.0, match=match) for name, match in known.items())
    capacity = replace(fleet_build.CAPACITY, safe=safe)
    return TrafficAnswer(traffic=Traffic(), differences=rows, capacity=capacity, per_target=())


QUESTIONS = [
    Question(price=PRICE, demand=Demand(peak=500.0, kind=kind), think_s=think)
    for kind in DemandKind
    for think in (None, 20.0)
]


@pytest.mark.parametrize("asked", QUESTIONS)
def test_no_number_of_the_traffic_as_measured_moves_one_of_your_own(two, asked):
    """Everything that was measured at the safe number becomes another: no number of the comparison follows."""
    answer = two[0]
    assert answer.for_traffic.capacity.safe < answer.capacity.safe
    tenth = replace(answer, at_capacity=None, at_estimate=None, cost=None, capacity=replace(answer.capacity, safe=3))
    for quantity in Quantity:
        as_measured, changed = (figure_of(each, quantity, asked).shown for each in (answer, tenth))
        assert as_measured == changed, quantity
        assert (as_measured is None) or quantity not in AT_SAFE


def test_what_is_left_is_of_your_own_traffic_and_the_rest_says_why_it_is_unknown(two):
    found = compare(two, Question(price=PRICE, demand=Demand(peak=500.0)), EVERYTHING)
    answer = two[0]
    capacity = answer.for_traffic.capacity
    carried = found.of(Quantity.USERS_PER_MONEY).figures[0].shown
    # 8 accelerators at 2.50 make 20 an hour.
    assert carried.mid == (pytest.approx(capacity.concurrency.mid / 20.0) if capacity.concurrency.mid else None)
    assert carried.low == pytest.approx(capacity.concurrency.low / 20.0)
    whole = fleet_for(answer, Demand(peak=500.0), None, None, PRICE)
    assert found.of(Quantity.MONTH).figures[0].shown == whole.month
    row = numbers_table(found).iloc[0]
    assert row["Safe number"] == str(capacity.safe)
    at_safe = [cell for name, cell in row.items() if name.endswith(", at the safe number") and "Replicas" not in name]
    assert at_safe == ["unknown"] * 3
    assert not any(each.quantity in AT_SAFE for each in found.multiples)
    assert cost_rows(found) == {}
    (said,) = [note for note in number_notes(found) if "your own traffic" in note]
    assert said.startswith("The safe number is that for your own traffic. Cost and speeds at it are unknown of llama")
    assert any("levels of the traffic as measured" in note for note in pareto_notes(found, cost=True))
    cost = found.of(Quantity.COST)
    assert cost.why is Why.UNKNOWN
    assert "is known of the traffic as measured only, not of your own" in str(why_text(found, cost))


def test_users_of_unlike_requests_are_unknown_and_the_step_is_to_measure_them(two):
    found = compare(two, Question(price=PRICE, think_s=20.0), EVERYTHING)
    assert [figure.shown for figure in found.of(Quantity.USERS_PER_MONEY).figures] == [None, None]
    assert next_step(found).startswith(f"Measure {two[0].run.label} with requests like your own: ")
    assert any(note.startswith("Active users unknown of ") for note in number_notes(found))


@pytest.mark.parametrize(
    ("traffic", "known"),
    [
        (own(40), True),
        (own(37), False),
        (own(40, output_tokens=Match.DIFFERENT), False),
        (own(37, arrivals=Match.NOT_MEASURED), False),
    ],
)
def test_what_was_measured_counts_where_it_is_your_own_traffic_at_your_own_number(traffic, known):
    speed = Interval(low=20.0, mid=21.0, high=22.0)
    made = fleet_build.answer()
    made = replace(made, at_capacity=replace(made.at_capacity, tok_s_user=speed), for_traffic=traffic)
    figures = [figure_of(made, each, Question(price=PRICE)).shown for each in (Quantity.PER_USER, Quantity.THROUGHPUT)]
    assert [figure is not None for figure in figures] == [known, known]


def test_the_caption_says_which_statistic_the_speeds_of_a_chart_are(two):
    def median(stage):
        held = stage.statistics[Metric.TPOT]
        return replace(
            stage, statistics={**stage.statistics, Metric.TPOT: replace(held, mean=None, quantiles={0.5: 0.02})}
        )

    first = replace(two[0], for_traffic=None)
    other = replace(first, run=replace(first.run, stages=tuple(median(stage) for stage in first.run.stages)))
    for answers, kind in (((first,), "means"), ((other,), "medians"), ((first, other), "means, of some runs medians")):
        said = pareto_notes(compare(answers, Question()), cost=False)
        assert f"since speeds here are {kind}: pale points" in said[-1]


def test_the_memo_holds_no_cost_of_the_traffic_as_measured_beside_your_own_number():
    scenario, _ = made("own_traffic")
    answer = replace(scenario.answers[0], for_traffic=own(20, output_tokens=Match.DIFFERENT))
    scenario = replace(scenario, answers=(answer,))
    assert answer.cost.per_million_output is not None
    (runs,) = tables(scenario, "en", "", prices_hidden=False)
    row = dict(zip(runs.headers, runs.rows[0], strict=True))
    assert row["Safe number"] == "20" != str(answer.capacity.safe)
    assert row["Cost per million output tokens (range)"] == "known of the traffic as measured only"
    as_measured = replace(scenario, answers=(replace(answer, for_traffic=None),))
    (runs,) = tables(as_measured, "en", "", prices_hidden=False)
    assert "$" in dict(zip(runs.headers, runs.rows[0], strict=True))["Cost per million output tokens (range)"]
