"""A scenario with everything that a person may say, and the same with one thing changed, wherever that may be."""

from __future__ import annotations

import typing
from dataclasses import fields, is_dataclass, replace

from hypothesis import assume
from hypothesis import strategies as st

from core.errors import UsageError
from core.model.compared import Compared, Layer, Study
from core.model.demand_curve import Curve, CurveKind
from core.model.fleet import ApiPrice, Fleet
from core.model.owned import Owned
from core.model.price import Exchange, Listed, Price, Tax
from core.model.run import FileRef
from core.model.scenario import DecisionColumn, Demand, DemandKind, Scenario
from core.model.traffic import Arrivals, Profile, Traffic
from core.model.workload import Job, Workload, WorkloadKind
from tests.model.model_strategies import of
from tests.present.builders import TPOT_P99, TTFT_P99, answer_of, cost_of, run_of, stage_at

UNSEEN = {"where", "findings", "id", "schema_version"}
"""What no person sets: it follows from the files."""


OWNED = Owned(
    capex=30_000.0,
    years=4.0,
    residual=3000.0,
    interest=0.08,
    power_kw=1.2,
    pue=1.3,
    tariff=0.12,
    hosting=600.0,
    licence=4500.0,
    operations=900.0,
)

RICH_PRICE = Price(
    amount=2.5,
    per_accelerator=True,
    accelerators=(("gpt-oss-120b-16gpu", 16), ("other", 8)),
    currency="KRW",
    discount=0.1,
    exchange=Exchange(quoted="USD", rate=1380.0, as_of="2026-11-02"),
    tax=Tax(rate=0.1, counted=True),
    listed=Listed(
        provider="A cloud",
        sku="8 cards",
        region="here",
        accelerator="H100-SXM",
        commitment="on_demand",
        amount=2.5,
        currency="USD",
        as_of="2026-10-01",
        certainty="good",
        source="a list",
    ),
    pools=(("other", 2, 6),),
    power_kw=1.73,
    as_of="2026-10-01",
)

RICH_FLEET = Fleet(
    curve=Curve(points=(1.0, 4.0, 2.0), kind=CurveKind.FILE, name="day.csv", peak=4.0, said="hour, requests"),
    growth=0.05,
    ahead=6,
    burst=1.5,
    ceiling=0.8,
    spares=1,
    zones=3,
    out_share=0.02,
    node=8,
    floor=2,
    start_s=600.0,
    reserved=1.5,
    owned=OWNED,
    api=ApiPrice(input=0.5, output=1.5, cached=0.1),
    budget=50_000.0,
    reserved_as_of="2026-11-01",
    owned_as_of="2026-06",
    api_as_of="2026",
    served_by=("other",),
)


def a_rich_scenario():
    """Two runs and everything that a person may say of them."""
    one = replace(
        run_of(), files=(FileRef("c4.json", "0" * 64), FileRef("c8.json", "1" * 64)), asked=("engine",), gpu_busy=0.6
    )
    other = replace(run_of((2.0, 4.0, 8.0), label="other"), id="other", files=(FileRef("o.json", "2" * 64),))
    other = replace(other, stages=(*other.stages[:2], stage_at(8.0, excluded="warm-up")))
    return Scenario(
        name="Launch",
        notes="first line\nsecond line",
        runs=(one, other),
        targets=(TTFT_P99, TPOT_P99),
        price=RICH_PRICE,
        answers=(answer_of(one, cost=cost_of()), answer_of(other)),
        think_time_s=30.0,
        traffic=Traffic(
            profiles=(Profile(input_tokens=800.0, output_tokens=200.0, hit_rate=0.3),), arrivals=Arrivals.POISSON
        ),
        workload=Workload(kind=WorkloadKind.BATCH, job=Job(requests=1000, deadline_s=60.0)),
        decision=(
            DecisionColumn(name="Lead time", values={one.id: "12 weeks", "other": "now"}),
            DecisionColumn(name="Vendor", values={"other": "A"}),
        ),
        demand=Demand(peak=300.0, kind=DemandKind.USERS),
        fleet=RICH_FLEET,
        compared=Compared(
            accepted=("accelerator", "engine_version"),
            study=Study(
                before=one.id,
                after=other.id,
                layer=Layer.ROUTING,
                dates=((one.id, "2026-11-03"),),
                kv_transfer_s=((other.id, 0.02),),
                worker_loads=((one.id, "120, 98, 110"),),
            ),
        ),
        method_version="m/1",
        constants_version="abc",
        app_version="0.1.0",
    )


RICH = a_rich_scenario()


def changed(draw, value, kind=None):
    """The value with one thing in it changed, dropped or added, wherever that may be."""
    if is_dataclass(value):
        hints = typing.get_type_hints(type(value))
        name = draw(st.sampled_from([f.name for f in fields(value) if f.name not in UNSEEN]))
        old = getattr(value, name)
        empty = old is None or (
            is_dataclass(old) and type(None) in typing.get_args(hints[name]) and draw(st.booleans())
        )
        new = draw(of(hints[name])) if empty else changed(draw, old, hints[name])
        try:
            return replace(value, **{name: new})
        except (UsageError, ValueError):
            assume(False)
    if isinstance(value, tuple) and value and len(typing.get_args(kind)) == 2 and typing.get_args(kind)[1] is Ellipsis:
        at = draw(st.integers(0, len(value) - 1))
        inner = typing.get_args(kind)[0]
        how = draw(st.sampled_from(["change", "drop", "add", "turn"]))
        parts = {
            "change": lambda: (*value[:at], changed(draw, value[at], inner), *value[at + 1 :]),
            "drop": lambda: (*value[:at], *value[at + 1 :]),
            "add": lambda: (*value, draw(of(inner))),
            "turn": lambda: value[::-1],
        }
        return parts[how]()
    return draw(of(kind or type(value)))
