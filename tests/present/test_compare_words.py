"""A comparison in words: numbers with their doubt, multiples with their quantity, the way out, in both languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import plotly.graph_objects as go
import pytest

from core.compare.compare import compare
from core.compare.lead import Lead
from core.compare.pareto import points_of
from core.compare.quantity import Quantity, Question
from core.compare.study import studied
from core.model.answer import Interval, Status
from core.model.compared import Compared, Layer, Study
from core.model.fleet import Fleet
from core.model.price import Price, RunPrice
from core.model.scenario import Demand, DemandKind, Scenario
from core.model.target import parse_target
from core.pipeline import answer_run
from core.present.compare_document import compare_document
from core.present.compare_notes import Typed, hidden_note, number_notes
from core.present.compare_scenario import compare_part, compare_said
from core.present.compare_table import (
    cell,
    header,
    matrix_in_view,
    matrix_table,
    numbers_table,
    open_table,
    whole_csv,
    with_ends,
)
from core.present.compare_words import (
    accepted_text,
    chance_text,
    headline,
    multiple_texts,
    next_step,
    times_text,
    why_text,
)
from core.present.pareto_chart import cost_pareto, pareto_gap, pareto_notes, throughput_pareto
from core.present.study import evidence_table, verdict_text, walk
from tests.compare.test_compare import EVERYTHING, PRICE, TARGETS, answers_of


@pytest.fixture(scope="module")
def three():
    return answers_of({}, {"gpu": "8xMI300X", "slower": 1.3}, {"gpu": "8xH200", "slower": 0.9, "isl": 8192})


ASKED = Question(price=PRICE, demand=Demand(peak=500.0))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_everything_is_said_in_both_languages(three, language):
    found = compare(three, ASKED, EVERYTHING)
    said = [headline(found, language), *multiple_texts(found, language), accepted_text(found, language)]
    assert all(said)
    assert len(multiple_texts(found, language)) == 2 * len(Quantity)
    assert numbers_table(found, language).shape[0] == 3
    assert matrix_table(found, language).shape[0] == 7
    figure = throughput_pareto(found, TARGETS, language)
    assert figure.alt
    go.Figure(figure.chart.to_dict())
    assert len(figure.table) == 24
    assert cost_pareto(found, TARGETS, language).alt
    if language == "ko":
        assert "앞섭니다" in headline(found, language)


def test_the_file_equals_the_screen_and_names_what_is_accepted(three):
    found = compare(three, ASKED, EVERYTHING)
    shown, whole = numbers_table(found), whole_csv(found)
    assert whole.iloc[:3][list(shown.columns)].equals(shown)
    lines = whole.iloc[3:, 0].tolist()
    assert lines[0] == headline(found)
    assert lines[1:-1] == list(multiple_texts(found))
    assert lines[-1] == accepted_text(found)


def test_a_difference_says_what_it_does_and_the_way_out(three):
    found = compare(three, ASKED)
    frame = open_table(found).set_index("Condition")
    row = frame.loc["Input tokens, mean"]
    assert row["What it does"].startswith("Longer prompts take longer to the first token")
    assert row["Way out"] == "Remeasure llama-3.1-70b · 8 × H200 at 1k/256"
    assert "Data page" in frame.loc["Network"]["Way out"]
    assert next_step(found) == (
        "Remeasure llama-3.1-70b · 8 × H200 at 1k/256. Then still open: Model and quality, Lengths, Load, "
        "What TTFT includes, Statistics and errors, Hardware and engine"
    )
    assert multiple_texts(found) == ()


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.93, 0.93, "93 chances in 100"),
        (0.9999, 0.9999, "more than 99 chances in 100"),
        (0.001, 0.001, "less than 1 chance in 100"),
        (0.95, 1.0, "at least 95 chances in 100"),
        (0.0, 1.0, "not known"),
        (0.0, 0.4, "at most 40 chances in 100"),
        (0.2, 0.6, "20 to 60 chances in 100"),
    ],
)
def test_a_chance_is_never_said_surer_than_it_is(low, high, said):
    assert str(chance_text(Lead(low=low, high=high))) == said


def test_bounds_read_as_bounds():
    assert times_text(Interval(low=4.0, mid=None, high=None)) == "at least 4×"
    assert times_text(Interval(low=1.81, mid=2.3, high=2.9)) == "2.3× (1.81–2.9)"
    assert with_ends(Interval(low=512.0, mid=None, high=None), str) == "512.0 or more"
    assert with_ends(Interval(low=None, mid=None, high=4.0), str) == "below 4.0"
    assert with_ends(Interval(low=2.0, mid=2.0, high=2.0), str) == "2.0 (the same over the whole range)"


def test_what_is_accepted_is_a_state_where_a_telephone_has_no_column_for_it(three):
    states = matrix_in_view(compare(three, ASKED, EVERYTHING)).set_index("Condition")["State"]
    assert states["Hardware and engine"] == "different, accepted"
    part = matrix_in_view(compare(three, ASKED, ("accelerator",))).set_index("Condition")["State"]
    assert part["Hardware and engine"] == "different, accepted in part"
    assert "accepted" not in part["Lengths"]


def test_whole_ones_are_written_as_on_the_fleet_page(three):
    found = compare(three, ASKED)

    def said(low, mid, high, language="en"):
        return cell(found, Quantity.ACCELERATORS, Interval(low=low, mid=mid, high=high), language)

    assert said(64.0, 64.0, 64.0) == "64 (the same over the whole range)"
    assert said(None, 2.0, 6.0) == "2 (6 or fewer)"
    assert said(None, 2.0, 6.0, "ko") == "2(6 이하)"


def test_accelerators_say_which_cautions_are_counted_in(three):
    found = compare(three, ASKED)
    name = "Accelerators for 500 concurrent requests at the peak, without growth, ceiling and spares"
    assert name in numbers_table(found).columns
    careful = compare(three, replace(ASKED, fleet=Fleet(growth=0.05, ahead=6, spares=1, node=8)))
    name = "Accelerators for 500 concurrent requests at the peak, with room for growth, spare replicas, whole nodes"
    assert name in numbers_table(careful).columns


def test_the_multiple_of_two_costs_is_the_quotient_of_the_two_that_are_written(three):
    found = compare(three, ASKED, EVERYTHING)
    costs = {a.run.id: f.shown for a, f in zip(three, found.of(Quantity.COST).figures, strict=True)}
    for each in (m for m in found.multiples if m.quantity is Quantity.COST):
        assert each.times.mid == pytest.approx(costs[each.other].mid / costs[each.one].mid)
        assert each.times.low <= each.times.mid <= each.times.high


def test_what_is_accepted_unknown_does_not_read_as_known_of_none(three):
    said = accepted_text(compare(three, ASKED, EVERYTHING))
    assert "Accepted although not known for all runs: " in said


def test_an_unknown_count_says_why_and_where_it_is_typed(three):
    blind = replace(three[1], run=replace(three[1].run, conditions=replace(three[1].run.conditions, **NO_COUNT)))
    both = (three[0], blind)
    (panel,) = number_notes(compare(both, ASKED))
    assert panel.startswith(f"Accelerators unknown of {blind.run.label}: the files do not say how many there are. ")
    assert panel.endswith('panel "Price", field "Accelerators of" the run')
    (data,) = number_notes(compare(both, replace(ASKED, price=replace(PRICE, per_accelerator=False))))
    assert "Data page" in data
    (flag,) = number_notes(compare(both, ASKED), typed=Typed.FLAGS)
    assert f"--gpus RUN=N beside a price, RUN being {blind.run.id}" in flag
    (read,) = number_notes(compare(both, ASKED), typed=Typed.NOWHERE)
    assert read.endswith("how many there are")
    assert panel in whole_csv(compare(both, ASKED)).iloc[:, 0].tolist()
    assert number_notes(compare(three, ASKED)) == ()


def test_users_without_pauses_say_why_no_replicas_are_told(three):
    asked = Question(price=PRICE, demand=Demand(peak=500.0, kind=DemandKind.USERS))
    (note,) = number_notes(compare(three, asked))
    assert note.startswith("Replicas unknown of ")
    assert note.endswith("how long users pause between requests is not given")


def test_a_view_without_prices_says_that_money_ranks_nothing(three):
    bare = Question(demand=Demand(peak=500.0))
    said = str(hidden_note(compare(three, bare, EVERYTHING)))
    assert "the accelerators that the demand needs" in said
    assert hidden_note(compare(three, bare)) is None


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_number_that_is_not_at_the_safe_number_says_so(three, language):
    found = compare(three, ASKED)
    for each in (Quantity.REPLICAS, Quantity.USERS_PER_MONEY, Quantity.COST, Quantity.PER_USER, Quantity.THROUGHPUT):
        name = header(found, each, language).render(language)
        at = ("safe number", "estimate") if language == "en" else ("안전", "추정치")
        assert any(word in name for word in at), name


def test_a_run_that_cannot_be_told_says_what_and_why():
    # As where the files give no counts of requests.
    both = answers_of({}, {"gpu": "8xH200"})
    capacity = replace(
        both[1].capacity, status=Status.CANNOT_TELL, concurrency=None, safe=None, reasons=("sample.size_unknown",)
    )
    found = compare((both[0], replace(both[1], capacity=capacity, per_target=())), Question(), EVERYTHING)
    assert str(why_text(found, found.deciding)) == (
        "llama-3.1-70b · 8 × H200: the concurrent requests that one deployment carries cannot be told, "
        "it is not known how many requests the values rest on"
    )


def test_the_way_out_names_the_control_that_lets_a_difference_stand():
    found = compare(answers_of({}, {"engine_version": "0.12.0"}), Question())
    ways = open_table(found)["Way out"].tolist()
    assert any(way.endswith('or choose "Let stand" for Hardware and engine') for way in ways)


def test_what_is_chosen_between_is_accepted_by_name_not_remeasured_as_the_other():
    found = compare(answers_of({}, {"gpu": "8xMI300X"}), Question())
    frame = open_table(found)
    (way,) = frame[frame["Condition"] == "Accelerator"]["Way out"]
    assert way.startswith("If Accelerator is what you choose, the difference can be accepted by name")
    assert not any(way.startswith("Remeasure") and "MI300X" in way for way in frame["Way out"])


def test_a_scenario_prints_the_multiple_only_with_what_is_accepted(three):
    scenario = Scenario(
        name="s",
        runs=tuple(a.run for a in three),
        targets=TARGETS,
        price=PRICE,
        answers=three,
        method_version="m",
        app_version="a",
    )
    (unranked,) = compare_said(scenario).lines
    assert unranked.startswith("Not ranked: ")
    assert compare_part(scenario)["multiples"] == []
    from dataclasses import replace

    signed = replace(scenario, compared=Compared(accepted=tuple(f for f in compare_fields())))
    lines = compare_said(signed).lines
    assert "leads by" in lines[0]
    assert lines[-1].startswith("Accepted differences: ")
    part = compare_part(signed)
    assert part["multiples"]
    assert "accelerator" in part["accepted"]


def compare_fields():
    from core.compare.conditions import FIELDS

    return [field for names in FIELDS.values() for field in names]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_study_is_told_in_five_steps(language):
    before, after = answers_of({}, {"slower": 0.8, "engine_version": "0.12.0"})
    found = studied(before, after, Study(layer=Layer.ENGINE), None, EVERYTHING)
    assert len(walk(found, language)) == 5
    assert verdict_text(found, language) == walk(found, language)[-1][1]
    frame = evidence_table(found, language)
    # In the order of the targets.
    assert [name.split(",")[0] for name in frame.iloc[:2, 0]] == ["TPOT p99", "TTFT p99"]
    if language == "en":
        assert frame.iloc[1, 1:].tolist()[:2] == ["301 ms", "241 ms"]
        assert verdict_text(found).startswith("Engine or its version: more is carried within the targets")


def test_a_study_stands_in_memo_and_file():
    both = answers_of({}, {"slower": 0.8, "engine_version": "0.12.0"})
    study = Study(
        before=both[0].run.id, after=both[1].run.id, layer=Layer.ENGINE, dates=((both[0].run.id, "2026-11-03"),)
    )
    scenario = Scenario(
        name="s",
        runs=tuple(a.run for a in both),
        targets=TARGETS,
        price=None,
        answers=both,
        method_version="m",
        app_version="a",
        compared=Compared(accepted=tuple(compare_fields()), study=study),
    )
    part = compare_part(scenario)["study"]
    assert part["verdict"] == "better"
    assert part["dates"] == {both[0].run.id: "2026-11-03"}
    assert {each["measure"] for each in part["evidence"]} == {"ttft", "itl", "throughput_per_accelerator"}
    assert compare_said(scenario).lines[-1] == f"{part['sentence']}."


def test_no_frontier_is_drawn_of_runs_that_are_not_ranked_and_runs_without_a_point_are_named(three):
    blind = replace(three[1], run=replace(three[1].run, conditions=replace(three[1].run.conditions, **NO_COUNT)))
    found = compare((three[0], blind), Question())
    assert not [trace for trace in throughput_pareto(found, TARGETS).chart["data"] if "best of" in trace["name"]]
    missing, front, tail = pareto_notes(found, cost=False)
    assert missing.endswith(f"how many accelerators it has: {blind.run.label}")
    assert front.startswith("No line of the best")
    ranked = compare(three[:2], Question(), EVERYTHING)
    assert [trace for trace in throughput_pareto(ranked, TARGETS).chart["data"] if "best of" in trace["name"]]
    assert pareto_notes(ranked, cost=False) == (tail,)
    assert "pale points miss a target" in tail
    assert all(point["on_frontier"] is None for point in compare_document(found, TARGETS)["pareto"])


def test_a_line_of_the_best_joins_levels_that_keep_the_targets_only_and_is_left_out_without_one(three):
    found = compare(three[:2], Question(price=PRICE), EVERYTHING)
    for figure, cost in ((throughput_pareto(found, TARGETS), False), (cost_pareto(found, TARGETS), True)):
        (line,) = [trace for trace in figure.chart["data"] if "within the targets" in trace["name"]]
        kept = {p.per_user for p in points_of(found.answers, found.question) if p.inside}
        assert set(line["x"]) <= kept
        best = figure.table[figure.table["Keeps the targets, and no other is better"] == "yes"]
        assert set(best["Targets"]) == {"inside the targets"}
        assert pareto_notes(found, cost=cost)
    targets = (parse_target("tpot mean <= 5 ms"),)
    lost = compare([answer_run(a.run, targets, PRICE) for a in three[:2]], Question(price=PRICE), EVERYTHING)
    figure = throughput_pareto(lost, targets)
    assert not [trace for trace in figure.chart["data"] if "best of" in trace["name"]]
    assert "No level is known to keep every target." in figure.alt
    assert "No line of the best is drawn: no level is known to keep every target" in pareto_notes(lost, cost=False)


def test_a_trade_off_without_any_point_says_the_reason_that_holds(three):
    priced = Question(price=Price(amount=2.5, per_accelerator=True))
    blind = [
        replace(one, run=replace(one.run, conditions=replace(one.run.conditions, **NO_COUNT))) for one in three[:2]
    ]
    assert pareto_gap(compare(three[:2], Question()), cost=True).render() == "No price is given"
    for asked, cost in ((Question(), False), (priced, True)):
        said = pareto_gap(compare(blind, asked), cost=cost).render()
        assert said == "Nobody said how many accelerators there are"
    mixed = Question(price=Price(amount=None, per_accelerator=True, by_run=((blind[0].run.id, RunPrice(amount=2.5)),)))
    assert pareto_gap(compare(blind, mixed), cost=True).render().startswith("No run can be drawn")


NO_COUNT = {"accelerator_count": None, "tp": None}


def test_the_csv_marks_an_old_price_and_shows_no_amount_for_it():
    old = Price(amount=6.88, per_accelerator=True, as_of="2026-07-20")
    found = compare(answers_of({}, {"slower": 0.8}), Question(price=old))
    notes = whole_csv(found, today=date(2026, 11, 30)).iloc[:, 0].tolist()
    told = [line for line in notes if "old price: 133 days, more than 90" in line]
    assert len(told) == len(found.answers)
    assert not any("6.88" in line for line in told)
    assert not any("old price" in line for line in whole_csv(found, today=date(2026, 7, 21)).iloc[:, 0])
