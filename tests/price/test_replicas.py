"""Replicas by hand, and laws: more demand never needs fewer, and the range holds the count."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fleet.plan import fleet_for
from core.model.answer import Capacity, Interval, LoadPoint, Status, TrafficAnswer
from core.model.scenario import Demand, DemandKind
from core.model.traffic import Traffic
from core.present.replicas import replicas as counted
from core.price.replicas import Untold, replicas_for, response_time
from tests.present.builders import TTFT_P99, WITHIN, answer_of

USERS, RATE = DemandKind.USERS, DemandKind.REQ_S


def test_requests_in_flight_over_the_safe_number_rounded_up():
    # Safe 41, range 35.7 to 53.2: 500/41 = 12.2, 500/53.2 = 9.4, 500/35.7 = 14.006.
    found = replicas_for(answer_of(), Demand(peak=500), None)
    assert (found.count, found.fewest, found.most) == (13, 10, 15)
    assert replicas_for(answer_of(), Demand(peak=41), None).count == 1
    assert replicas_for(answer_of(), Demand(peak=42), None).count == 2


def test_users_pause_between_requests():
    # Each request takes 4.1 s (3.5 to 4.6), users pause 36.9 s: a tenth of them is in flight.
    found = replicas_for(answer_of(), Demand(peak=5000, kind=USERS), 36.9)
    assert found.in_flight.mid == pytest.approx(500.0)
    assert found.in_flight.low == pytest.approx(5000 * 3.5 / 40.4)
    assert found.in_flight.high == pytest.approx(5000 * 4.6 / 41.5)
    # In nine cases of ten (1.2816 over 1.6449) 500 (554.2/500)^0.7791 = 541.8 are in flight, 541.8/41 = 13.2;
    # 433.2/53.2 = 8.1; 554.2/35.7 = 15.5.
    assert (found.count, found.fewest, found.most) == (14, 9, 16)


def test_a_rate_is_divided_by_the_rate_at_the_safe_number():
    # 10 requests/s (9 to 11) at 41 in flight: each takes 4.1 s by Little's law, 3.73 to 4.56.
    found = replicas_for(answer_of(), Demand(peak=125, kind=RATE), None)
    assert found.in_flight.mid == pytest.approx(125 * 4.1)
    assert found.count == 14  # 10 (9/10)^0.7791 = 9.21 requests/s in nine cases of ten, 125/9.21 = 13.6
    assert found.fewest == 9  # 125 * 41 / 11 / 53.2 = 8.76
    assert found.most == 16  # 125 * 41 / 9 / 35.7 = 15.95


AT_LIMIT = LoadPoint(at=46.9, req_s=Interval(low=8.5, mid=10.8, high=12.0))


def test_where_the_rate_at_the_limit_is_known_its_range_counts_and_not_the_time_at_the_safe_number():
    """A replica carries 35.7 to 53.2 in flight and 8.5 to 12 requests/s there: its own doubt, not counted twice."""
    answer = answer_of(at_estimate=AT_LIMIT)
    found = replicas_for(answer, Demand(peak=125, kind=RATE), None)
    # 10.8 (8.5/10.8)^0.7791 = 8.96 requests/s in nine cases of ten, below the 10 at the safe number: 125/8.96 = 13.9.
    assert found.count == 14
    assert (found.fewest, found.most) == (11, 15)  # 125 / 12 = 10.4, 125 / 8.5 = 14.7
    found = replicas_for(answer, Demand(peak=5000, kind=USERS), 36.9)
    # 46.9 + 10.8 * 36.9 = 445.4 users, 445.4 (349.35/445.4)^0.7791 = 368.6 in nine cases of ten: 5000/368.6 = 13.6.
    # 53.2 + 12 * 36.9 = 496 users, 5000 / 496 = 10.08; 35.7 + 8.5 * 36.9 = 349.35 users, 5000 / 349.35 = 14.3.
    assert (found.count, found.fewest, found.most) == (14, 11, 15)
    found = replicas_for(answer, Demand(peak=500), None)
    assert (found.count, found.fewest, found.most) == (13, 10, 15)


@pytest.mark.parametrize("demand", [Demand(peak=500), Demand(peak=125, kind=RATE), Demand(peak=5000, kind=USERS)])
@pytest.mark.parametrize("point", [None, AT_LIMIT])
def test_a_fleet_without_cautions_is_the_same_number_with_the_same_range(demand, point):
    answer = answer_of(at_estimate=point)
    told, fleet = replicas_for(answer, demand, 36.9), fleet_for(answer, demand, 36.9, None, None).replicas
    assert (fleet.count, fleet.fewest, fleet.most) == (told.count, told.fewest, told.most)


def test_what_is_not_known_is_said_and_never_counted():
    under = Capacity(
        status=Status.BELOW, concurrency=Interval(low=None, mid=None, high=4.0), safe=None, binding=TTFT_P99
    )
    assert replicas_for(answer_of(capacity=under), Demand(peak=9), None).untold is Untold.NO_SAFE_NUMBER
    none = replace(WITHIN, safe=0)
    assert replicas_for(answer_of(capacity=none), Demand(peak=9), None).untold is Untold.NONE_PROMISED
    assert replicas_for(answer_of(), Demand(peak=9, kind=USERS), None).untold is Untold.THINK_TIME
    blind = answer_of(at_capacity=LoadPoint(at=41.0))
    for kind in (USERS, RATE):
        found = replicas_for(blind, Demand(peak=9, kind=kind), 1.0)
        assert (found.count, found.fewest, found.most, found.untold) == (None, None, None, Untold.RESPONSE_TIME)
    assert response_time(blind) is None


def test_an_open_end_stays_open():
    lowest = Capacity(
        status=Status.AT_LEAST, concurrency=Interval(low=512.0, mid=None, high=None), safe=512, binding=None
    )
    found = replicas_for(answer_of(capacity=lowest), Demand(peak=1000), None)
    assert (found.count, found.fewest, found.most) == (2, None, 2)
    # Where one is enough, fewer cannot be.
    found = replicas_for(answer_of(capacity=lowest), Demand(peak=500), None)
    assert (found.count, found.fewest, found.most) == (1, 1, 1)


def test_own_traffic_has_its_own_number_and_no_time_of_a_request():
    own = TrafficAnswer(traffic=Traffic(), differences=(), capacity=replace(WITHIN, safe=20), per_target=())
    answer = answer_of(for_traffic=own)
    assert replicas_for(answer, Demand(peak=100), None).count == 5
    assert replicas_for(answer, Demand(peak=100, kind=RATE), None).untold is Untold.OWN_TRAFFIC


DEMANDS = st.builds(Demand, peak=st.floats(0.01, 1e7), kind=st.sampled_from(DemandKind))


@given(demand=DEMANDS, think=st.floats(0, 600), safe=st.integers(1, 5000), spread=st.floats(1.0, 9.0))
def test_the_range_holds_the_count_and_the_other_reports_count_the_same(demand, think, safe, spread):
    found = Interval(low=safe / spread, mid=safe * 1.1, high=safe * spread)
    answer = answer_of(capacity=replace(WITHIN, safe=safe, concurrency=found))
    told = replicas_for(answer, demand, think)
    assert 1 <= told.fewest <= told.count <= told.most
    assert told.count == counted(answer, demand, think)


@given(demand=DEMANDS, think=st.floats(0, 600), doubt=st.floats(1.0, 3.0), more=st.floats(1.0, 3.0))
def test_a_plan_is_never_surer_than_the_doubt_about_the_rate(demand, think, doubt, more):
    """The wider the range of the rate at the limit, the more replicas; those in flight are counted as before."""

    def planned(width):
        rate = Interval(low=10.8 / width, mid=10.8, high=10.8 * width)
        return replicas_for(answer_of(at_estimate=replace(AT_LIMIT, req_s=rate)), demand, think).count

    assert planned(doubt * more) >= planned(doubt)
    if demand.kind is DemandKind.CONCURRENCY:
        assert planned(doubt) == replicas_for(answer_of(), demand, None).count


@given(demand=DEMANDS, more=st.floats(1.0, 100.0), think=st.floats(0, 600))
def test_more_demand_never_needs_fewer(demand, more, think):
    few, many = (replicas_for(answer_of(), d, think) for d in (demand, replace(demand, peak=demand.peak * more)))
    assert many.count >= few.count
    assert many.most >= few.most
