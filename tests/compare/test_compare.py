"""A comparison from answers: figures by hand, when a leader is named, and when nothing may be ranked."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.compare.compare import Verdict, Why, compare
from core.compare.conditions import Group
from core.compare.pareto import points_of, region_of
from core.compare.quantity import Quantity, Question, figure_of
from core.ingest.raw import Upload
from core.model.answer import Interval
from core.model.price import Price
from core.model.run import Kind
from core.model.scenario import Demand, DemandKind
from core.model.target import parse_target
from core.pipeline import answer_run, load
from tests.compare.compare_build import table
from tests.fleet import fleet_build

TARGETS = (parse_target("tpot p99 <= 30ms"), parse_target("ttft p99 <= 800ms"))
EVERYTHING = tuple(group.value for group in Group)
PRICE = Price(amount=2.5, per_accelerator=True)


def answers_of(*sweeps: dict, targets=TARGETS, price=PRICE):
    uploads = [Upload(f"{'abcdef'[i]}.csv", table(**sweep).encode()) for i, sweep in enumerate(sweeps)]
    return tuple(answer_run(run, targets, price) for run in load(uploads).runs)


@pytest.fixture(scope="module")
def three():
    return answers_of({}, {"gpu": "8xMI300X", "slower": 1.3}, {"gpu": "8xH200", "slower": 0.9, "isl": 8192})


def test_the_faster_of_three_leads_once_the_differences_are_accepted(three):
    found = compare(three, Question(price=PRICE, demand=Demand(peak=500.0)), EVERYTHING)
    assert found.deciding.quantity is Quantity.MONTH
    assert found.deciding.verdict is Verdict.LEADS
    assert found.answers[found.deciding.leader].run.conditions.accelerator == "H200"
    assert sum(chance.low for chance in found.deciding.chances) == pytest.approx(1.0, abs=1e-9)
    assert "accelerator" in [line.field for line in found.matrix.accepted]


def test_nothing_is_ranked_and_no_multiple_is_said_before(three):
    found = compare(three, Question(price=PRICE))
    assert found.deciding.verdict is Verdict.NOT_COMPARABLE
    assert found.multiples == ()
    assert all(not standing.chances for standing in found.standings)
    # The numbers themselves stand side by side all the same.
    assert all(figure.shown is not None for figure in found.of(Quantity.CAPACITY).figures)


def test_one_difference_that_is_not_accepted_is_enough(three):
    others = tuple(name for name in EVERYTHING if name != Group.LENGTHS.value)
    found = compare(three, Question(price=PRICE), (*others, "length_distribution", "output_tokens_mean"))
    assert [line.field for line in found.matrix.open] == ["input_tokens_mean"]
    assert found.multiples == ()


def test_figures_follow_from_the_answer_by_hand(three):
    found = compare(three, Question(price=PRICE, demand=Demand(peak=500.0)), EVERYTHING)
    answer = found.answers[0]
    capacity = answer.capacity
    # 8 accelerators at 2.50 make 20 an hour.
    money = found.of(Quantity.USERS_PER_MONEY).figures[0].shown
    assert money.mid == pytest.approx(capacity.concurrency.mid / 20.0)
    assert money.low == pytest.approx(capacity.concurrency.low / 20.0)
    # cost = 20 x 1e6 / (3600 x tokens/s).
    cost = found.of(Quantity.COST).figures[0].shown
    assert cost.mid == pytest.approx(20e6 / (3600.0 * answer.at_capacity.output_tok_s.mid))
    needed = found.of(Quantity.ACCELERATORS).figures[0].shown
    assert needed.mid == 8 * math.ceil(500 / capacity.safe)
    assert needed.low == 8 * math.ceil(500 / capacity.concurrency.high)
    assert needed.high == 8 * math.ceil(500 / capacity.concurrency.low)
    copies = found.of(Quantity.REPLICAS).figures[0].shown
    assert (copies.low, copies.mid, copies.high) == (needed.low / 8, needed.mid / 8, needed.high / 8)
    month = found.of(Quantity.MONTH).figures[0].shown
    assert month.mid == pytest.approx(copies.mid * 20.0 * 730.0)
    assert month.low == pytest.approx(copies.low * 20.0 * 730.0)
    assert month.high == pytest.approx(copies.high * 20.0 * 730.0)
    rate = found.of(Quantity.THROUGHPUT).figures[0].shown
    assert rate.mid == pytest.approx(answer.at_capacity.output_tok_s.mid / 8)


def test_accelerators_for_a_rate_are_drawn_from_the_rate_at_the_limit(three):
    """The time of a request grows with what is in flight: drawn together, capacity and time would say it twice."""
    answer = three[0]
    rate = answer.at_estimate.req_s
    figure = figure_of(answer, Quantity.ACCELERATORS, Question(demand=Demand(peak=900.0, kind=DemandKind.REQ_S)))
    assert (figure.belief.low, figure.belief.mid, figure.belief.high) == (rate.low, rate.mid, rate.high)
    assert figure.shown.low == 8 * math.ceil(900 / rate.high)
    assert figure.shown.high == 8 * math.ceil(900 / rate.low)
    # One that was drawn at the estimate needs 900 over the rate there.
    drawn = figure.belief.steps(np.log([rate.mid]))
    assert drawn == pytest.approx(-np.log([8 * math.ceil(900 / rate.mid)]))
    whole = figure_of(answer, Quantity.ACCELERATORS, Question(demand=Demand(peak=900.0))).belief
    assert whole.mid == answer.capacity.concurrency.mid


def test_users_count_their_pauses(three):
    plain = compare(three, Question(price=PRICE), EVERYTHING).of(Quantity.USERS_PER_MONEY).figures[0].shown
    users = (
        compare(three, Question(price=PRICE, think_s=20.0), EVERYTHING).of(Quantity.USERS_PER_MONEY).figures[0].shown
    )
    answer = three[0]
    time = answer.capacity.safe / answer.at_capacity.req_s.mid
    assert users.mid == pytest.approx(plain.mid * (time + 20.0) / time, rel=1e-6)


def test_a_currency_changes_no_chance(three):
    dollars = compare(three, Question(price=PRICE), EVERYTHING)
    won = compare(three, Question(price=Price(amount=2.5 * 1400, per_accelerator=True, currency="KRW")), EVERYTHING)
    for a, b in zip(dollars.deciding.chances, won.deciding.chances, strict=True):
        assert a.low == pytest.approx(b.low, abs=2e-3)


def test_a_dearer_leader_may_lose():
    both = answers_of({}, {"gpu": "8xH200", "slower": 0.9})
    cheap, dear = both[0].run.id, both[1].run.id
    price = Price(amount=2.5, per_accelerator=True, accelerators=((cheap, 8), (dear, 16)))
    found = compare(both, Question(price=price), EVERYTHING)
    assert found.of(Quantity.CAPACITY).leader == 1
    assert found.of(Quantity.USERS_PER_MONEY).leader == 0
    assert found.deciding.verdict is Verdict.LEADS


def test_what_is_too_close_is_not_told_apart():
    found = compare(answers_of({}, {"gpu": "8xH200", "slower": 0.995}), Question(), EVERYTHING)
    assert found.deciding.quantity is Quantity.CAPACITY
    assert found.deciding.verdict is Verdict.CANNOT_TELL
    assert found.deciding.why is Why.CLOSE
    assert 0.4 < found.deciding.chances[0].low < 0.6


def test_two_bounds_are_not_told_apart():
    targets = (parse_target("tpot p99 <= 90ms"),)
    found = compare(answers_of({}, {"gpu": "8xH200", "slower": 0.5}, targets=targets), Question(), EVERYTHING)
    assert found.deciding.verdict is Verdict.CANNOT_TELL
    assert found.deciding.why is Why.BOUNDS
    assert (found.deciding.chances[0].low, found.deciding.chances[0].high) == (0.0, 1.0)


@pytest.mark.parametrize("kind", list(DemandKind))
def test_accelerators_of_bounds_make_no_multiple_surer_than_the_rows(kind):
    # Both pass every level up to 128: "so many or fewer" accelerators each, so of neither is a least number known.
    both = answers_of({}, {"gpu": "8xH200", "slower": 0.2}, targets=(parse_target("tpot p99 <= 90ms"),))
    asked = Question(demand=Demand(peak=900.0, kind=kind), think_s=10.0)
    found = compare(both, asked, EVERYTHING)
    for figure in found.of(Quantity.ACCELERATORS).figures:
        assert figure.shown.low is None or figure.shown.low == 8
        # What is drawn ends where the row ends.
        drawn = math.exp(-float(figure.belief.steps(np.log([figure.belief.low]))[0])) if figure.belief.low else None
        assert drawn is None or drawn == pytest.approx(figure.shown.high)
    rows = {a.run.id: f.shown for a, f in zip(both, found.of(Quantity.ACCELERATORS).figures, strict=True)}
    for each in (m for m in found.multiples if m.quantity is Quantity.ACCELERATORS):
        assert rows[each.other].low is not None
        assert each.times.low <= rows[each.other].low / rows[each.one].high


def test_a_bound_far_above_a_range_leads_as_far_as_it_is_known():
    # A: half as slow, passes every level up to 128. B: stops near 63.
    both = answers_of({"slower": 0.5}, {"gpu": "8xH200"}, targets=(parse_target("tpot p99 <= 30ms"),))
    found = compare(both, Question(), EVERYTHING)
    assert both[0].capacity.status.value == "at_least"
    assert found.deciding.verdict is Verdict.LEADS
    chance = found.deciding.chances[0]
    assert 0.95 < chance.low < 0.98
    assert chance.high == 1.0
    times = next(m for m in found.multiples if m.quantity is Quantity.CAPACITY).times
    assert times.mid is None
    assert times.low < 128 / both[1].capacity.concurrency.mid


def test_a_precision_that_changed_forbids_multiples_until_quality_is_typed():
    both = answers_of({}, {"precision": "bf16", "slower": 1.3})
    assert compare(both, Question(), EVERYTHING).multiples == ()
    typed = tuple(replace(a, run=replace(a.run, conditions=replace(a.run.conditions, quality="MMLU 81"))) for a in both)
    assert compare(typed, Question(), EVERYTHING).multiples


def test_one_run_alone_leads_nobody(three):
    found = compare(three[:1], Question(price=PRICE), EVERYTHING)
    assert found.deciding.verdict is Verdict.ALONE
    assert found.multiples == ()


def test_points_are_derived_from_their_level_and_frontiers_keep_kinds_apart(three):
    asked = Question(price=PRICE)
    simulated = tuple(replace(a, run=replace(a.run, kind=Kind.SIMULATED)) if i == 1 else a for i, a in enumerate(three))
    points = points_of(simulated, asked)
    assert len(points) == 24
    first = points[0]
    stage = three[0].run.stages[0]
    # TPOT 10.25 ms at one request in flight: 97.6 tokens/s; cost and rate of 8 accelerators.
    assert first.per_user == pytest.approx(1000.0 / 10.25)
    assert first.per_accelerator == pytest.approx(stage.output_tok_s / 8)
    assert first.cost == pytest.approx(20e6 / (3600 * stage.output_tok_s))
    for kind in Kind:
        mine = [p for p in points if p.kind is kind]
        best = [p for p in mine if p.is_best]
        assert best
        for p in mine:
            rivals = [q for q in mine if q.inside and q is not p]
            beaten = any(q.per_user >= p.per_user and q.per_accelerator >= p.per_accelerator for q in rivals)
            assert p.is_best is (p.inside and not beaten)


def test_a_level_is_inside_only_where_every_target_is_kept(three):
    for point in points_of(three, Question()):
        stage = next(s for s in three[point.place].run.stages if s.load == point.load)
        kept = all(stage.value(t.metric, t.statistic) <= t.limit for t in TARGETS)
        assert point.inside is kept


def test_what_misses_a_target_or_may_miss_it_is_on_no_front_and_beats_nothing(three):
    tight = tuple(
        answer_run(a.run, (parse_target("tpot mean <= 12 ms"), parse_target("success_rate value >= 0.99")), PRICE)
        for a in three
    )
    points = points_of(tight, Question(price=PRICE))
    # TPOT 10 + 0.25 N ms, all requests good: the first run keeps 12 ms at 1, 2, 4 and 8 in flight.
    assert {p.load for p in points if p.place == 0 and p.inside} == {1.0, 2.0, 4.0, 8.0}
    assert any(p.is_best for p in points)
    assert all(p.inside for p in points if p.is_best or p.is_cheapest)
    # 128 in flight cost least of all, and miss: the cheapest is the best of those that keep.
    least = min((p for p in points if p.inside), key=lambda p: p.cost)
    assert least.is_cheapest
    assert least.cost > min(p.cost for p in points)
    lost = tuple(answer_run(a.run, (parse_target("tpot mean <= 5 ms"),), PRICE) for a in three)
    assert not any(p.is_best or p.is_cheapest for p in points_of(lost, Question(price=PRICE)))
    untold = tuple(answer_run(a.run, (*TARGETS, parse_target("goodput value >= 0.9")), PRICE) for a in three)
    assert not any(p.is_best for p in points_of(untold, Question(price=PRICE)))


def test_a_level_at_which_every_request_failed_misses_a_share_of_good_ones(three):
    asked = (parse_target("success_rate value >= 0.99"),)
    run = three[0].run
    lost = replace(run, stages=tuple(replace(s, requests_good=0, requests_failed=10) for s in run.stages))
    answers = [replace(three[0], run=each, per_target=answer_run(run, asked, PRICE).per_target) for each in (run, lost)]
    points = points_of(answers, Question(price=PRICE))
    assert {p.inside for p in points if p.place == 0} == {True}
    assert {p.inside for p in points if p.place == 1} == {False}


def test_the_target_region_is_the_inverse_of_the_limit():
    assert region_of(TARGETS).per_user == pytest.approx(1.0 / 0.030)
    assert region_of((parse_target("ttft p99 <= 800ms"),)) is None
    # The speed of a level is a mean: only a mean is kept wherever it is.
    assert not region_of(TARGETS).is_exact
    assert region_of((parse_target("tpot mean <= 30ms"),)).is_exact
    assert region_of((parse_target("tok_s_user p50 >= 25"), TARGETS[0])).per_user == pytest.approx(1.0 / 0.030)


def test_no_run_leads_whose_number_reads_worse_than_another():
    """Planned with 30 of a carried 60 to 90, B needs 17 replicas of eight; A, planned with 40 of 32 to 50, needs 13."""
    found = Interval(low=60.0, mid=80.0, high=90.0)
    wide = fleet_build.named("b", capacity=replace(fleet_build.CAPACITY, concurrency=found, safe=30))
    both = compare((fleet_build.named("a"), wide), Question(demand=Demand(peak=500.0)), EVERYTHING)
    needed = both.of(Quantity.ACCELERATORS)
    assert [figure.shown.mid for figure in needed.figures] == [104.0, 136.0]
    assert needed.chances[1].low > 0.9
    assert (needed.verdict, needed.why, needed.leader) == (Verdict.CANNOT_TELL, Why.UNEVEN, None)
    assert both.of(Quantity.CAPACITY).leader == 1
