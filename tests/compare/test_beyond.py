"""How unlikely much more than the highest level is, where that level misses or passes within its noise."""

from __future__ import annotations

import math

import pytest
from scipy.stats import norm

from core.compare.belief import CONTINUED, Belief, belief_of, scaled
from core.compare.compare import LOST, Verdict, compare
from core.compare.conditions import FIELDS
from core.compare.lead import leads
from core.compare.quantity import Quantity, Question, figure_of
from core.model.answer import Capacity, Interval, Status
from core.model.price import Price
from core.model.scenario import Demand, DemandKind
from core.model.target import parse_target
from core.model.traffic_text import parse_traffic
from core.pipeline import answer_run, compared, load
from core.present.compare_table import numbers_table
from tests.compare.test_lead_laws import MC, NORMAL, normal

SURE = 1.6448536
TOOLS = ("vllm_benchmark_serving_json", "inferencemax_benchmark_serving_seconds_json")
TARGETS = tuple(parse_target(text) for text in ("ttft p99 <= 2 s", "tpot p99 <= 90 ms"))


def open_above(low=80.0, mid=100.0, beyond=150.0):
    return Belief(low=low, mid=mid, high=None, beyond=beyond)


@pytest.mark.parametrize("rival", [150.0, 300.0, 900.0])
def test_more_than_the_highest_level_is_as_unlikely_as_the_curve_says_twice_as_wide(rival):
    # By hand: one standard deviation upwards is 2 ln 1.5 / 1.645; the rival is known to a ten-thousandth.
    found = leads((open_above(), normal(rival, 1e-4)), shape=NORMAL)[0]
    unit = CONTINUED * math.log(1.5) / SURE
    assert found.high == pytest.approx(1.0 - norm.cdf(math.log(rival / 100.0) / unit), abs=MC)
    assert found.low == pytest.approx(0.0, abs=1e-9)


def test_the_side_above_is_never_narrower_than_that_below():
    wide = open_above(low=25.0, beyond=101.0)
    found = leads((wide, normal(300.0, 1e-4)), shape=NORMAL)[0]
    assert found.high == pytest.approx(1.0 - norm.cdf(math.log(3.0) / (CONTINUED * math.log(4.0) / SURE)), abs=MC)


def test_where_nothing_tells_an_open_end_stays_open():
    assert leads((Belief(low=80.0, mid=100.0), normal(900.0, 1e-4)), shape=NORMAL)[0].high == pytest.approx(0.5, abs=MC)


def test_of_an_estimate_above_every_level_the_low_end_is_a_bound_and_the_rest_unlikely():
    above = Belief(low=25.0, beyond=400.0)
    # Surely won: what the bound alone wins. Possibly: half of the draws end at the middle, 100, the rest beyond it.
    low, high = (leads((above, normal(rival, 1e-4)), shape=NORMAL)[0] for rival in (20.0, 800.0))
    assert low.low == pytest.approx(leads((Belief(low=25.0), normal(20.0, 1e-4)), shape=NORMAL)[0].low, abs=1e-9)
    assert high.high == pytest.approx(1.0 - norm.cdf(math.log(8.0) / (CONTINUED * math.log(4.0) / SURE)), abs=MC)


def test_the_end_beyond_is_scaled_with_the_rest_and_left_out_where_an_end_was_measured():
    assert scaled(open_above(), 0.5).beyond == 75.0
    within = Capacity(
        status=Status.WITHIN, concurrency=Interval(low=1.0, mid=2.0, high=3.0), safe=1, binding=None, beyond=9.0
    )
    assert belief_of(within).beyond is None


@pytest.fixture(scope="module")
def four(shared_data, upload):
    """Two runs of 16 accelerators, 1,024 tokens in and out, and two of 8 with answers of 128 tokens."""
    vllm, seconds = (shared_data / "public" / tool / "SemiAnalysisAI__InferenceX" for tool in TOOLS)
    files = [*sorted(vllm.glob("minimax-m2.5_16gpu_1p1d/*.json")), *sorted(vllm.glob("gpt-oss-120b_16gpu_1p1d/*.json"))]
    files += sorted(seconds.glob("minimax-m2.5/minimax_m25_vllm_tep8_isl1024_*.json"))
    files += sorted(seconds.glob("glm-5/glm5_fp8_vllm_tp8_isl1024_*.json"))
    return load([upload(path) for path in files]).runs


def priced(runs):
    amounts = zip(runs, (5000.0, 3500.0, 4000.0, 5000.0), strict=True)
    return Price(
        amount=5000.0,
        currency="KRW",
        per_accelerator=True,
        accelerators=tuple((run.id, 8) for run in runs[2:]),
        by_run=tuple((run.id, Price(amount=each, currency="KRW", per_accelerator=True)) for run, each in amounts),
    )


def test_a_run_would_have_to_carry_three_times_a_level_that_it_misses_to_lead(four):
    """Levels of the third end at 64, which misses: TPOT p99 94 ms. Per won it leads with 231 in flight, or 182."""
    every = tuple(field for fields in FIELDS.values() for field in fields)
    found = compared(four, TARGETS, Question(price=priced(four)), every)
    standing = found.of(Quantity.USERS_PER_MONEY)
    assert found.answers[2].capacity.concurrency.high is None
    assert 64.0 < found.answers[2].capacity.beyond < 128.0
    assert standing.verdict is Verdict.LEADS
    assert standing.leader == 1
    assert standing.chances[2].high <= LOST


def test_of_ones_own_traffic_nothing_above_the_levels_is_read_and_it_makes_no_rival(four):
    """Longer answers: as measured the fourth leads in less than 1 of 100, and no level says that it does now."""
    asked = Question(price=priced(four))
    own = tuple(answer_run(run, TARGETS, asked.price, traffic=parse_traffic(("isl=1024 osl=512",))) for run in four)
    for answer in own[2:]:
        span = answer.for_traffic.capacity.concurrency
        assert all(end is None or end <= 64.0 for end in (span.low, span.mid, span.high))
    assert own[2].for_traffic.capacity.concurrency.mid is None
    every = tuple(field for fields in FIELDS.values() for field in fields)
    found = compare(own, asked, every)
    chances = found.of(Quantity.USERS_PER_MONEY).chances
    assert chances[3].high < 0.25
    table = numbers_table(found)
    assert list(table["Estimate (90% range)"])[2] == "36 or more"
    assert list(table["Answer"])[2] == "at least"


@pytest.mark.parametrize("kind", DemandKind)
def test_a_fleet_is_drawn_with_the_same_end(four, kind):
    answer = answer_run(four[2], TARGETS, None)
    demand = Demand(peak=1000.0, kind=kind)
    belief = figure_of(answer, Quantity.REPLICAS, Question(demand=demand, think_s=20.0)).belief
    capacity = answer.capacity
    assert belief.beyond / belief.mid == pytest.approx(capacity.beyond / capacity.concurrency.mid)
