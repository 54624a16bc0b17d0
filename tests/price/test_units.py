"""Every unit of one bill, against figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.catalogue.hardware import accelerator
from core.model.answer import BatchAnswer, Interval, JobAnswer, Status, Throughput
from core.model.owned import Owned
from core.model.price import Price
from core.model.run import Conditions
from core.model.workload import Workload, WorkloadKind
from core.price.cost import cost_at
from core.price.divided import deepseek_day, divided
from core.price.energy import PowerBasis, energies
from core.price.units import (
    Gap,
    Unit,
    UnitCost,
    inside_share,
    jobs_per_accelerator_hour,
    unit_costs,
    users_at,
)
from tests.present.builders import answer_of, run_of
from tests.price.price_build import exact, point, run

WHOLE = Price(amount=36.0, per_accelerator=False, cached_weight=0.25)


def answered(at, *, price=WHOLE, kind=None, **conditions):
    own = run_of(accelerator_count=8, **conditions)
    cost = cost_at(at, own, price, ()) if price else None
    workload = Workload(kind=kind) if kind else None
    return replace(answer_of(own, at_capacity=at, cost=cost), workload=workload)


def amounts(answer, price=WHOLE, think_s=None):
    return {found.unit: found for found in unit_costs(answer, price, think_s)}


def test_one_bill_in_every_unit_of_a_chat():
    """36 an hour is 0.01 a second; at 41 in flight 1,000 output and 4,000 input tokens/s, half cached, 10 requests/s.

    Output 0.01 / 1,000 x 10^6 = 10; all 0.01 / 5,000 = 2. Weighted: 2,000 new + 2,000 x 0.25 = 2,500 / 4 = 625, so
    0.01 / 1,625 = 6.153846; input a quarter of that, 1.538462; cached a quarter of that, 0.384615.
    A request 0.01 / 10 = 0.001. Users: 41 + 10 x 20 s = 241; 36 x 730 / 241 = 109.045643 a month.
    """
    at = point(at=41.0, output_tok_s=exact(1000.0), input_tok_s=exact(4000.0), req_s=exact(10.0))
    found = amounts(answered(at, cache_hit_rate=0.5), think_s=20.0)
    wanted = {
        Unit.MILLION_OUTPUT: 10.0,
        Unit.MILLION_TOTAL: 2.0,
        Unit.MILLION_WEIGHTED_OUTPUT: 6.153846,
        Unit.MILLION_WEIGHTED_INPUT: 1.538462,
        Unit.MILLION_WEIGHTED_CACHED: 0.384615,
        Unit.REQUEST: 0.001,
        Unit.USER_MONTH: 109.045643,
    }
    assert {unit: one.amount.mid for unit, one in found.items()} == pytest.approx(wanted, abs=1e-6)


def test_ranges_come_from_the_rates_bound_by_bound():
    at = point(at=41.0, output_tok_s=exact(1000.0), req_s=Interval(low=8.0, mid=10.0, high=12.5))
    found = amounts(answered(at), think_s=20.0)
    request, user = found[Unit.REQUEST].amount, found[Unit.USER_MONTH].amount
    # 0.01 over 12.5, 10 and 8; 36 x 730 = 26,280 over 41 + 250, 41 + 200 and 41 + 160.
    assert (request.low, request.mid, request.high) == pytest.approx((0.0008, 0.001, 0.00125))
    assert (user.low, user.mid, user.high) == pytest.approx((26_280 / 291, 26_280 / 241, 26_280 / 201))


def test_the_share_that_counts_is_read_from_the_amount():
    """Three quarters of 1,000 output tokens/s at 36 an hour: 0.01 / 750 x 10^6 = 13.3333."""
    found = UnitCost(unit=Unit.MILLION_OUTPUT, amount=exact(40 / 3), rate=exact(1000.0))
    cost = answered(point(output_tok_s=exact(1000.0))).cost
    assert inside_share(found, cost) == pytest.approx(0.75)
    assert inside_share(replace(found, amount=None), cost) is None


def test_the_time_of_a_request_tells_users_where_the_files_give_it():
    """N (R + Z) / R = 41 x (4 + 20) / 4 = 246."""
    at = point(at=41.0, metrics={"e2e mean": Interval(low=2.0, mid=4.0, high=5.0)})
    assert users_at(answered(at), 20.0) == Interval(low=41 + 41 * 4.0, mid=246.0, high=41 + 410.0)


def test_sound_is_what_leads_for_voice():
    """41 streams at a mean RTF of 0.5 make 82 s of sound a second: 36 / 82 an hour."""
    at = point(at=41.0, audio_s_s=exact(82.0), req_s=exact(5.0))
    found = unit_costs(answered(at, kind=WorkloadKind.VOICE), WHOLE)
    assert [one.unit for one in found] == [Unit.AUDIO_HOUR, Unit.REQUEST, Unit.USER_MONTH]
    assert found[0].amount.mid == pytest.approx(36 / 82)


def test_a_job_is_what_leads_for_a_batch():
    """Half an hour of 36 is 18; eight accelerators do two such jobs an hour, a quarter each."""
    at = point(at=64.0, output_tok_s=exact(1000.0))
    base = answered(at, kind=WorkloadKind.BATCH)
    job = JobAnswer(completion_s=Interval(low=1440.0, mid=1800.0, high=3600.0), cost=exact(18.0), currency="USD")
    best = Throughput(status=Status.WITHIN, rate_name="output_tok_s", at=64.0, rate=exact(1000.0), point=at)
    batch = replace(base, batch=BatchAnswer(throughput=best, job=job, cost=base.cost))
    found = unit_costs(batch, WHOLE)
    assert (found[0].unit, found[0].amount.mid) == (Unit.JOB, 18.0)
    jobs = jobs_per_accelerator_hour(batch, WHOLE)
    assert (jobs.low, jobs.mid, jobs.high) == pytest.approx((0.125, 0.25, 0.3125))


@pytest.mark.parametrize(
    ("at", "price", "think_s", "unit", "gap"),
    [
        (point(output_tok_s=exact(1.0)), None, None, Unit.MILLION_OUTPUT, Gap.PRICE),
        (None, WHOLE, None, Unit.MILLION_OUTPUT, Gap.LOAD),
        (point(), WHOLE, None, Unit.MILLION_OUTPUT, Gap.OUTPUT),
        (point(output_tok_s=exact(1.0)), WHOLE, None, Unit.MILLION_TOTAL, Gap.INPUT),
        (point(output_tok_s=exact(1.0), input_tok_s=exact(1.0)), WHOLE, None, Unit.MILLION_WEIGHTED_CACHED, Gap.CACHED),
        (point(output_tok_s=exact(1.0)), WHOLE, None, Unit.REQUEST, Gap.REQUESTS),
        (point(output_tok_s=exact(1.0)), WHOLE, None, Unit.USER_MONTH, Gap.THINK_TIME),
        (point(output_tok_s=exact(1.0)), WHOLE, 20.0, Unit.USER_MONTH, Gap.USERS),
    ],
)
def test_what_is_unknown_says_why_and_is_never_zero(at, price, think_s, unit, gap):
    answer = answered(at, price=price) if at else replace(answered(point()), at_capacity=None, cost=None)
    found = amounts(answer, price, think_s)[unit]
    assert (found.amount, found.gap) == (None, gap)


def test_a_count_that_nobody_said_makes_every_unit_unknown():
    each = Price(amount=2.5, per_accelerator=True)
    at = point(output_tok_s=exact(1.0))
    own = replace(answer_of(run_of(accelerator_count=None)), at_capacity=at, cost=None)
    assert {found.gap for found in unit_costs(own, each)} == {Gap.COUNT}


def test_the_published_day_divided_four_ways():
    """cost.md 1.4: 87,072 over 168, 776, 608 / 4 + 168 = 320 and 266 / 4 + 168 = 234.5 billion tokens.

    0.518286, 0.112206, 0.272100 and 0.371309 per million; the largest is 4.6 times the smallest.
    """
    found = divided(deepseek_day())
    ways = (found.per_output, found.per_total, found.weighted, found.weighted_uncached)
    assert ways == pytest.approx((0.518286, 0.112206, 0.272100, 0.371309), abs=1e-6)
    assert ways[0] / ways[1] == pytest.approx(4.619, abs=1e-3)


def test_electricity_says_which_power_it_counts():
    """Eight H100 SXM at 4,000 output tokens/s.

    All-in 1.73 kW: 8 x 1.73 x 10^6 / (3,600 x 4,000) = 0.961111 kWh a million. The chips alone, 0.7 kW: 0.388889.
    A person's 1.2 kW goes first: 0.666667.
    """
    own = run(conditions=Conditions(accelerator="NVIDIA H100 80GB HBM3", accelerator_count=8))
    at = point(output_tok_s=Interval(low=3200.0, mid=4000.0, high=5000.0))
    price = Price(amount=1.0, per_accelerator=True, power_kw=1.2)
    found = energies(at, own, price)
    assert [one.power.basis for one in found] == [PowerBasis.GIVEN, PowerBasis.ALL_IN, PowerBasis.CHIP]
    assert [one.kwh_per_million_output.mid for one in found] == pytest.approx([0.666667, 0.961111, 0.388889], abs=1e-6)
    assert found[1].kwh_per_million_output.high == pytest.approx(0.961111 * 4000 / 3200, abs=1e-6)
    assert found[1].power.figure == accelerator("H100-SXM").figures["all_in_power"][0]


def test_the_power_that_the_bill_of_bought_machines_counts_is_known():
    """1.2 kW of each of eight at a PUE of 1.25: 8 x 1.5 x 10^6 / (3,600 x 4,000) = 0.833333 kWh a million."""
    own = run(conditions=Conditions(accelerator_count=8))
    at = point(output_tok_s=exact(4000.0))
    owned = Owned(capex=30_000.0, years=4.0, power_kw=1.2, pue=1.25, tariff=0.1)
    (found,) = energies(at, own, Price(amount=owned.per_hour, per_accelerator=True, owned=owned))
    assert (found.power.basis, found.power.kw) == (PowerBasis.OWNED, pytest.approx(1.5))
    assert found.kwh_per_million_output.mid == pytest.approx(0.833333, abs=1e-6)
    # The same machines bought as one: 9.6 kW together.
    whole = Owned(capex=240_000.0, years=4.0, power_kw=9.6, pue=1.25, tariff=0.1)
    (same,) = energies(at, own, Price(amount=whole.per_hour, per_accelerator=False, owned=whole))
    assert same.kwh_per_million_output.mid == pytest.approx(0.833333, abs=1e-6)
    typed = Price(amount=owned.per_hour, per_accelerator=True, owned=owned, power_kw=2.0)
    assert [one.power.basis for one in energies(at, own, typed)] == [PowerBasis.GIVEN]


@pytest.mark.parametrize("name", [None, "H100", "Trainium2", "something else"])
def test_power_that_nobody_published_is_unknown(name):
    """Three parts are called H100; Trainium2 has a guess of a third party only."""
    own = run(conditions=Conditions(accelerator=name, accelerator_count=8))
    assert energies(point(output_tok_s=exact(1000.0)), own, None) == ()
