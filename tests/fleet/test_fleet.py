"""A fleet by hand: the arithmetic stands beside each number."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.fleet.cautions import stacked
from core.fleet.served import Served
from core.fleet.serving import parts_of
from core.fleet.size import Caution, copies
from core.model.answer import Interval, LoadPoint, TrafficAnswer
from core.model.demand_curve import Curve
from core.model.difference import Difference, Match
from core.model.fleet import ApiPrice, Fleet
from core.model.fleet_text import fleet_text, parse_fleet
from core.model.owned import Owned
from core.model.price import Price
from core.model.traffic import Profile, Traffic
from core.present.fleet_tables import break_even_texts
from core.price.replicas import Untold
from tests.fleet.fleet_build import CAPACITY, DAY, answer, concurrent, named, plan, rate, users


def test_each_kind_of_demand_comes_to_requests_in_flight():
    # A request takes 40 / 10 = 4 s. 100 requests/s keep 400 in flight; 1,000 users who pause 36 s 1000 * 4 / 40 = 100.
    assert plan(concurrent(400)).pools[0].in_flight.mid == 400
    assert plan(rate(100)).pools[0].in_flight.mid == pytest.approx(400)
    assert plan(users(1000), think_s=36.0).pools[0].in_flight.mid == pytest.approx(100)
    # 400 / 40 = 10; 400 / 50 = 8; 400 / 32 = 12.5.
    found = plan(concurrent(400))
    assert (found.replicas.count, found.replicas.fewest, found.replicas.most) == (10, 8, 13)
    # Eight accelerators each at $2.50: 10 * 20 * 730.
    assert found.accelerators.count == 80
    assert (found.month.low, found.month.mid, found.month.high) == (116_800.0, 146_000.0, 189_800.0)


def test_cautions_one_after_the_other():
    # 400 in flight. Estimate 45: ceil(8.89) = 9. Safe 40: 10. Growth 1.1^2 = 1.21: 12.1 -> 13. Burst 1.5: 18.15 -> 19.
    # Ceiling 0.8: 22.6875 -> 23. One spare: 24. 4 % out: 24 / 0.96 = 25.
    fleet = Fleet(growth=0.1, ahead=2, burst=1.5, ceiling=0.8, spares=1, out_share=0.04)
    found = plan(concurrent(400), fleet)
    assert found.replicas.count == 25
    assert [(each.caution.value, each.stacked) for each in found.added] == [
        ("safe_number", 1),
        ("growth_room", 3),
        ("burst", 6),
        ("ceiling", 4),
        ("spares", 1),
        ("out_of_service", 1),
    ]
    # Alone, to the estimate's 8.89: growth 10.8 -> 11, burst 13.3 -> 14, ceiling 11.1 -> 12, spare 10, out 9.4 -> 10.
    assert [each.alone for each in found.added] == [1, 2, 5, 3, 1, 1]
    assert stacked(found.added) == (
        (Caution.SAFE, Caution.CEILING),
        (Caution.BURST, Caution.CEILING),
        (Caution.SPARES, Caution.OUT),
        (Caution.GROWTH, Caution.CEILING),
    )


def test_a_zone_that_may_be_lost_and_whole_nodes():
    # Ten replicas over three zones: each two left have to hold ten, so five each, fifteen.
    assert copies(400, 40, Fleet(zones=3)) == 15
    # It covers the spare too: not sixteen.
    assert copies(400, 40, Fleet(zones=3, spares=1)) == 15
    assert copies(400, 40, Fleet(zones=2)) == 20
    # Replicas of eight in nodes of twelve: one each, so ten nodes, 120 accelerators at 2.50.
    found = plan(concurrent(400), Fleet(node=12))
    assert (found.pools[0].nodes.count, found.accelerators.count) == (10, 120)
    assert found.month.mid == 120 * 2.5 * 730
    assert found.added[-1].caution is Caution.NODES
    assert found.added[-1].stacked == pytest.approx(5.0)  # 120 accelerators are 15 replicas' worth


def test_the_waterfall_from_a_full_machine_to_the_bill():
    # At the safe number 2,000 tok/s for 20 an hour: 20e6 / 3600 / 2000 = 2.7778. The best level, of 32, yields
    # 3,200 / (1 + 32 / 256) = 2,844.4 tok/s: 1.9531. The day's mean is half its peak. 10.25 -> 11, a spare -> 12.
    found = plan(concurrent(410), Fleet(curve=DAY, spares=1)).effective
    names = [stage.name for stage in found.stages]
    assert names == ["peak", "slo", "day", "whole_replicas", "spares"]
    costs = [stage.cost for stage in found.stages]
    assert costs == pytest.approx([1.953125, 2.777778, 5.555556, 5.962060, 6.504065], rel=1e-6)
    # Used: 205 of 12 * 40.
    assert found.used == pytest.approx(205 / 480)
    assert found.full.mid == pytest.approx(2.777778, rel=1e-6)
    # The bill: 240 an hour over 205 * 50 tok/s.
    assert found.cost.mid == pytest.approx(240e6 / 3600 / (205 * 50), rel=1e-9)


def test_deepseeks_published_day():
    """226.75 nodes in the mean, 278 at the peak, 8 H800 at $2: $87,072 a day for 168 billion output tokens."""
    day = Curve(points=(278.0, 278.0, 200.0, 151.0), step_s=6 * 3600.0)  # 907 / 4 = 226.75
    assert day.mean_share == pytest.approx(226.75 / 278)  # 0.816
    tokens_s = 168e9 / 86_400
    point = LoadPoint(
        at=40.0,
        output_tok_s=Interval(low=None, mid=40.0 * tokens_s / (226.75 * 40.0), high=None),
        req_s=Interval(low=10.0, mid=10.0, high=10.0),
    )
    one = answer(at_capacity=point, capacity=replace(CAPACITY, concurrency=Interval(low=40.0, mid=40.0, high=40.0)))
    price = Price(amount=2.0, per_accelerator=True)
    found = plan(concurrent(278 * 40), Fleet(curve=day), price=price, served=(Served(answer=one),))
    assert found.replicas.count == 278
    over = found.over_time
    assert over.mean_needed.mid == 226.75
    assert over.month_needed.mid / 730 * 24 == pytest.approx(87_072)
    assert found.month.mid / 730 * 24 == pytest.approx(106_752)
    # The perfect autoscaler's million: 87,072 / 168,000 = 0.518; that of a fixed fleet 106,752 / 168,000 = 0.635.
    assert found.effective.full.mid == pytest.approx(0.51829, abs=5e-6)
    assert found.effective.cost.mid == pytest.approx(0.63543, abs=5e-6)


def test_an_autoscaler_pays_while_a_replica_starts():
    # 4 h steps of 2, 2, 4, 8, 6, 2 replicas: 24 / 6 = 4 in the mean. Starts: +2, +4, none, none; each an hour early.
    found = plan(concurrent(320), Fleet(curve=DAY, start_s=3600.0)).over_time
    assert found.needed.tolist() == [2, 2, 4, 8, 6, 2]
    assert found.mean_needed.mid == 4.0
    # Extra: 2 and 4 replicas for a quarter of a step: (2 + 4) / 4 / 6 = 0.25.
    assert found.mean_scaled.mid == pytest.approx(4.25)
    assert found.rise == 4
    # A floor of four: 4, 4, 4, 8, 6, 4 = 30 / 6, and the rise of four an hour early.
    floored = plan(concurrent(320), Fleet(curve=DAY, start_s=3600.0, floor=4)).over_time
    assert floored.mean_scaled.mid == pytest.approx(5.0 + 4 / 4 / 6)


def test_headroom_and_the_month_that_uses_it():
    # 380 in flight: ceil(9.5) = 10 carry 400: 400 / 380 - 1 = 5.26 %. At 2 %: 1.02^2 = 1.0404, 1.02^3 = 1.0612.
    found = plan(concurrent(380), Fleet(growth=0.02)).growth
    assert found.headroom.mid == pytest.approx(20 / 380)
    assert found.month.count == 3
    # At worst each carries 32: 320 / 380 - 1 < 0, now; at best 50: 500 / 380 = 1.3158, 1.02^14 = 1.3195.
    assert (found.month.fewest, found.month.most) == (0, 14)
    # Built ten months ahead: 1.02^10 = 1.219, 463.2 in flight, 12 replicas, 480: 1.2632 = 1.02^11.8.
    assert plan(concurrent(380), Fleet(growth=0.02, ahead=10)).growth.month.count == 12


def test_reservations_by_the_hours_that_a_replica_is_needed():
    # 20 an hour rented, 8 * 1.5 = 12 reserved: 60 % of the hours. Needed: 2, 2, 4, 8, 6, 2 in six steps; the first two
    # in all of them, the third and fourth in half: two are reserved.
    found = plan(concurrent(320), Fleet(curve=DAY, start_s=0.0, reserved=1.5))
    split = next(way for way in found.ways if way.name == "reserve_base")
    assert split.base == 2
    # 2 * 12 always, and 0, 0, 2, 6, 4, 0 = 12 / 6 = 2 rented at 20 in the mean.
    assert split.month.mid == pytest.approx(730 * (2 * 12 + 2 * 20))
    assert next(way for way in found.ways if way.name == "reserve").month.mid == pytest.approx(730 * 8 * 12)
    assert next(each for each in found.break_even if each.name == "reserve").share == pytest.approx(0.6)


def test_bought_hardware_pays_for_itself():
    # Ten replicas of eight: 80 * 30,000 = 2.4 million. Running: 80 * 1,200 / 12 = 8,000 a month. Rent 146,000 a month:
    # 2,400,000 / 138,000 = 17.4 months. Of eight replicas, or thirteen, purchase and rent are so much less, or more.
    owned = Owned(capex=30_000.0, years=4.0, operations=1200.0)
    (own,) = plan(concurrent(400), Fleet(owned=owned)).break_even
    assert (own.month.count, own.month.fewest, own.month.most) == (18, 18, 18)
    assert own.month_fixed is own.grown is None
    # 8,700 a year are 0.99315 an hour, 39.7 % of 2.50: what a replica carries in that share of 730 hours.
    assert own.share == pytest.approx(8700 / 8760 / 2.5)
    # An annuity without interest: 80 * (7,500 + 1,200) / 12.
    way = next(way for way in plan(concurrent(400), Fleet(owned=owned)).ways if way.name == "own")
    assert way.month.mid == pytest.approx(80 * 8700 / 8760 * 730)


def test_the_perfect_autoscaler_follows_the_steps_that_a_trace_has():
    # 40 requests/s for 6 minutes of each hour, else nothing. A request takes 4 s: 160 in flight, 160 / 40 = 4 replicas
    # for a tenth of the time: 0.4 in the mean, and never fewer than one of those that are kept.
    busy = Curve(points=tuple(1.0 if minute < 6 else 0.0 for minute in range(60)), step_s=60.0)
    found = plan(rate(40), Fleet(curve=busy, start_s=0.0)).over_time
    assert sorted(set(found.needed)) == [0.0, 4.0]
    assert found.mean_needed.mid == pytest.approx(0.4)
    assert found.mean_scaled.mid >= found.mean_needed.mid
    # Ordered five minutes ahead it is paid for in eleven of sixty minutes, one replica in all others.
    ahead = plan(rate(40), Fleet(curve=busy, start_s=300.0, floor=1)).over_time
    assert ahead.mean_scaled.mid == pytest.approx((11 * found.scaled.max() + 49) / 60)


def test_bought_hardware_is_held_against_both_rents_where_there_are_two():
    # Autoscaled the fleet of 8 needs 4 in the mean: half the rent, 58,400 a month. Capital 64 * 30,000 = 1.92 million,
    # running 6,400: 1,920,000 / 52,000 = 36.9 months, and against the fixed 116,800: 17.4.
    owned = Owned(capex=30_000.0, years=4.0, operations=1200.0)
    found = plan(concurrent(320), Fleet(curve=DAY, start_s=0.0, owned=owned))
    assert found.over_time.month_scaled.mid == pytest.approx(58_400)
    (own,) = found.break_even
    assert (own.month.count, own.month_fixed.count) == (37, 18)
    short = plan(concurrent(320), Fleet(curve=DAY, start_s=0.0, owned=replace(owned, years=2.0))).break_even[0]
    assert (short.month.count, short.month_fixed.count, short.why) == (None, 18, "never")
    (said,) = break_even_texts(found)
    assert "Against the autoscaled rented fleet it has paid for itself after 37" in said
    assert (
        "Against the fixed rented fleet it has paid for itself after 18 months (the same over the whole range)" in said
    )
    # What an autoscaler takes has a range, and with it the month.
    assert own.month.fewest < own.month.count <= own.month.most


@pytest.mark.parametrize("growth", [0.01, 0.03, 0.05])
def test_bought_in_stages_the_purchases_of_a_growing_fleet_are_held_against_its_rents(growth):
    owned = Owned(capex=30_000.0, years=4.0, operations=1200.0)
    found = plan(concurrent(400), Fleet(owned=owned, growth=growth))
    (own,) = found.break_even
    needed = [max(math.ceil(400 * (1.0 + growth) ** month / 40 - 1e-9), 10) for month in range(36)]
    assert needed == [row.replicas.count for row in found.purchases.months]
    lasting = _lasting(needed)
    assert own.grown.count == lasting
    assert lasting is None or lasting >= own.month.count
    # At either end of the range the same replicas are bought and rented.
    ends = [_lasting([getattr(row.replicas, end) for row in found.purchases.months]) for end in ("fewest", "most")]
    if lasting is not None and None not in ends:
        assert (own.grown.fewest, own.grown.most) == (min(lasting, *ends), max(lasting, *ends))
    elif lasting is not None:
        assert own.grown.most is None


def _lasting(needed):
    """The month from which all purchases stay below all rents, by hand: 8 accelerators each, 20 an hour."""
    spent = rented = held = 0.0
    cheaper = []
    for count in needed:
        spent += (count - held) * 8 * 30_000 + count * 8 * 100
        rented, held = rented + count * 20 * 730, count
        cheaper.append(spent <= rented)
    return next((month + 1 for month in range(len(needed)) if all(cheaper[month:])), None)


def test_what_a_replica_has_to_carry_for_a_reservation_to_pay():
    # Reserved at 60 % of the rent; a replica carries its requests/s at the safe number in that share of 730 hours: in
    # the middle the part of it that is planned with, at the ends those of the rate itself.
    found = plan(rate(18), Fleet(reserved=1.5))
    (even,) = found.break_even
    at_safe = found.pools[0].answer.at_capacity.req_s
    assert even.each.mid == pytest.approx(at_safe.mid * found.pools[0].sure_share * 0.6 * 3600 * 730)
    assert even.each.low == pytest.approx(min(at_safe.low * 0.6 * 3600 * 730, even.each.mid))
    assert even.each.high == pytest.approx(at_safe.high * 0.6 * 3600 * 730)
    assert "as it is planned that is" in break_even_texts(found)[0]


@pytest.mark.parametrize(("fleet", "factor"), [(Fleet(ceiling=0.5), 0.5), (Fleet(burst=1.25, ceiling=0.8), 0.64)])
def test_what_a_replica_carries_in_the_hours_that_pay_is_as_it_is_loaded(fleet, factor):
    plain, loaded = (plan(rate(18), replace(each, reserved=1.5)).break_even[0].each for each in (Fleet(), fleet))
    for end in ("low", "mid", "high"):
        assert getattr(loaded, end) == pytest.approx(getattr(plain, end) * factor)


def test_the_fleet_against_an_api():
    # A request has 200 output and 1,000 input tokens: 0.0005 + 0.0003 = 0.0008 at 0.5 in, 1.5 out a million.
    api = ApiPrice(input=0.5, output=1.5)
    found = plan(rate(100), Fleet(api=api, growth=0.05))
    assert found.volume.requests.mid == 100 * 730 * 3600
    assert (found.volume.input_tokens, found.volume.output_tokens) == (1000, 200)
    way = next(way for way in found.ways if way.name == "api")
    assert way.month.mid == pytest.approx(262_800_000 * 0.0008)  # 210,240 against 146,000
    (even,) = found.break_even
    # One replica does 10 requests/s, of which 0.95^0.7791 = 0.9608 are sure: 25.25 million a month for 14,600, cheaper
    # from 14,600 / 0.0008 = 18.25 million on. Two are from 25.25 million on and pay from 36.5, three from 50.50 and pay
    # from 54.75; four from 75.75, where the API costs 60,600 and they 58,400. From there on it lasts.
    assert even.first == pytest.approx(18_250_000)
    assert even.volume.mid == pytest.approx(54_750_000)
    assert even.month.count == 0
    # 40 requests/s are 105.12 million a month; 18 are 47.3 million, the third is needed from 50.50 on: 2 pay there, and
    # that does not last. 1.05^2 times as many are 52.2 million, 1.05^3 54.76.
    soon = plan(rate(18), Fleet(api=api, growth=0.05)).break_even[0]
    assert (soon.volume.mid, soon.month.count) == (pytest.approx(54_750_000), 3)
    # Ten times as cheap an API: 26.28 million cost 2,102 there, never as much as a replica.
    never = plan(rate(100), Fleet(api=ApiPrice(input=0.05, output=0.15))).break_even[0]
    assert (never.volume.mid, never.why) == (None, "never")


MIX = Traffic(
    profiles=(
        Profile(input_tokens=1000.0, output_tokens=200.0, share=3.0),
        Profile(input_tokens=8000.0, output_tokens=500.0, share=1.0),
    )
)


def test_a_mix_goes_to_the_runs_that_were_named():
    first, second = parts_of(MIX, ("a", "b"), ("a", "b"), "a")
    assert (first.run_id, first.share, second.run_id, second.share) == ("a", 0.75, "b", 0.25)
    assert second.traffic.profiles[0].share is None
    # Nobody named, or a run that is gone: the run in view serves it, and both kinds make one mix.
    assert [part.run_id for part in parts_of(MIX, ("gone", ""), ("a", "b"), "b")] == ["b"]
    assert parts_of(MIX, (), ("a", "b"), "a")[0].traffic is MIX


def test_pools_share_a_demand_by_requests_not_by_time():
    # Requests of a take 4 s, of b 8 s (5 requests/s at 40). 10 requests/s, three quarters to a: 30 and 20 in flight.
    slow = LoadPoint(at=40.0, req_s=Interval(low=4.75, mid=5.0, high=5.25))
    served = (
        Served(answer=named("a"), share=0.75, kinds=(0,)),
        Served(answer=named("b", at_capacity=slow), share=0.25, kinds=(1,)),
    )
    found = plan(rate(10), served=served)
    assert [pool.in_flight.mid for pool in found.pools] == pytest.approx([30.0, 20.0])
    # 50 concurrent requests are those of 10 requests/s; 110 users who pause 6 s: R = 5, 110 / 11 = 10 requests/s.
    assert [p.in_flight.mid for p in plan(concurrent(50), served=served).pools] == pytest.approx([30.0, 20.0])
    assert [p.in_flight.mid for p in plan(users(110), think_s=6.0, served=served).pools] == pytest.approx([30.0, 20.0])


def test_other_lengths_leave_a_rate_untold_and_equal_ones_do_not():
    def own(**matches):
        known = {"input_tokens": Match.EQUAL, "output_tokens": Match.EQUAL, "arrivals": Match.DIFFERENT} | matches
        rows = tuple(Difference(condition=name, measured=1.0, yours=1.0, match=match) for name, match in known.items())
        return TrafficAnswer(traffic=Traffic(), differences=rows, capacity=replace(CAPACITY, safe=20), per_target=())

    like, unlike = answer(for_traffic=own()), answer(for_traffic=own(output_tokens=Match.DIFFERENT))
    # 100 requests/s of 4 s are 400 in flight, 400 (10/9.5)^0.7791 = 416.3 in nine cases of ten: 416.3/20 = 20.8.
    assert plan(rate(100), served=(Served(answer=like),)).replicas.count == 21
    told = plan(rate(100), served=(Served(answer=unlike),))
    assert (told.untold, told.replicas.count, told.month) == (Untold.OWN_TRAFFIC, None, None)
    assert plan(concurrent(100), served=(Served(answer=unlike),)).replicas.count == 5
    missed = answer(for_traffic=own(hit_rate=Match.NOT_MEASURED))
    assert plan(rate(100), served=(Served(answer=missed),)).untold is Untold.OWN_TRAFFIC
    # One of two pools that cannot be told leaves the whole untold.
    both = (Served(answer=named("a"), share=0.5), Served(answer=unlike, share=0.5))
    assert plan(rate(100), served=both).untold is Untold.OWN_TRAFFIC


def test_without_a_price_the_fleet_is_told_and_the_bill_is_not():
    found = plan(concurrent(400), Fleet(curve=DAY, api=ApiPrice(input=1.0, output=1.0)), price=None)
    assert found.replicas.count == 10
    assert (found.month, found.effective, found.ways, found.break_even) == (None, None, (), ())
    assert found.over_time.month_scaled is None
    # A price for an accelerator, and nobody said how many there are.
    bare = answer(run=replace(answer().run, conditions=replace(answer().run.conditions, accelerator_count=None)))
    blind = plan(concurrent(400), served=(Served(answer=bare),))
    assert (blind.unpriced, blind.month, blind.accelerators.count) == (True, None, None)


def test_a_fleet_is_written_and_read_back():
    text = "growth=5% ahead=6 burst=1.5 ceiling=80% spares=1 zones=3 out=2% node=8 api=0.5/1.5/0.1 budget=50000"
    said = parse_fleet(text + " own=capex:30000,years:4 day=office")
    assert (said.fleet.growth, said.fleet.api.cached, said.fleet.owned.years, said.day) == (0.05, 0.1, 4.0, "office")
    assert parse_fleet(fleet_text(said.fleet, said.day)) == said


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("growth", "fleet.unreadable"),
        ("speed=3", "fleet.unreadable"),
        ("growth=-1%", "fleet.out_of_range"),
        ("own=capex:-4,years:3", "fleet.out_of_range"),
        ("spares=1.5", "fleet.unreadable"),
        ("spares=nan", "fleet.unreadable"),
        ("api=1", "fleet.unreadable"),
        ("own=years:4", "fleet.unreadable"),
        ("ceiling=0%", "fleet.out_of_range"),
        ("ceiling=120%", "fleet.out_of_range"),
        ("burst=0.5", "fleet.out_of_range"),
        ("zones=99", "fleet.out_of_range"),
        ("own=capex:1000,years:0", "fleet.out_of_range"),
    ],
)
def test_what_no_fleet_has_is_refused(text, code):
    from core.errors import UsageError

    with pytest.raises(UsageError) as refused:
        parse_fleet(text)
    assert refused.value.code == code
