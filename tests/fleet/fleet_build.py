"""Hand-made fleets: one replica of eight accelerators carries 40 requests, 50 at best, 32 at worst."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from core.fleet.plan import fleet_of
from core.fleet.served import Served
from core.model.answer import Capacity, Interval, LoadPoint, Status
from core.model.demand_curve import Curve
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand, DemandKind
from tests.present.builders import TTFT_P99, answer_of, run_of

CAPACITY = Capacity(
    status=Status.WITHIN, concurrency=Interval(low=32.0, mid=45.0, high=50.0), safe=40, binding=TTFT_P99
)
PRICE = Price(amount=2.5, per_accelerator=True)
"""20 an hour for a replica of eight."""

DAY = Curve(points=(2.0, 2.0, 4.0, 8.0, 6.0, 2.0), step_s=4 * 3600.0, name="six steps")
"""Mean over peak: 24 / 6 / 8 = 0.5."""


def answer(**changes):
    """An answer whose requests take 4 s (10 requests/s at 40 in flight) and yield 200 output tokens each."""
    point = LoadPoint(
        at=40.0,
        output_tok_s=Interval(low=1900.0, mid=2000.0, high=2100.0),
        input_tok_s=Interval(low=9500.0, mid=10_000.0, high=10_500.0),
        req_s=Interval(low=9.5, mid=10.0, high=10.5),
    )
    run = changes.pop("run", None) or run_of(levels=(8.0, 16.0, 32.0), accelerator_count=8)
    return answer_of(run, **{"capacity": CAPACITY, "at_capacity": point, **changes})


def named(name, **changes):
    return answer(run=replace(run_of(levels=(8.0, 16.0, 32.0), accelerator_count=8), id=name, label=name), **changes)


def plan(demand, fleet=None, *, price=PRICE, think_s=None, served=None):
    rows = served or (Served(answer=answer()),)
    return fleet_of(rows, demand, think_s, fleet or Fleet(), price)


def concurrent(peak):
    return Demand(peak=peak)


def rate(peak):
    return Demand(peak=peak, kind=DemandKind.REQ_S)


def users(peak):
    return Demand(peak=peak, kind=DemandKind.USERS)


curves = st.lists(st.floats(0.0, 1e6), min_size=1, max_size=48).filter(lambda p: max(p) > 1e-3).map(tuple)


def any_curve():
    return st.builds(Curve, points=curves, step_s=st.sampled_from([900.0, 3600.0, 14_400.0]))


def any_fleet(**fixed):
    parts = {
        "curve": st.none() | any_curve(),
        "growth": st.floats(0.0, 0.5),
        "ahead": st.integers(0, 24),
        "burst": st.floats(1.0, 10.0),
        "ceiling": st.floats(0.1, 1.0),
        "spares": st.integers(0, 20),
        "zones": st.integers(1, 6),
        "out_share": st.floats(0.0, 0.5),
        "node": st.none() | st.integers(1, 72),
        "floor": st.integers(0, 5),
        "start_s": st.floats(0.0, 86_400.0),
    }
    return st.builds(Fleet, **{name: fixed.get(name, part) for name, part in parts.items()})


demands = st.builds(Demand, peak=st.floats(0.1, 1e5), kind=st.sampled_from(DemandKind))
