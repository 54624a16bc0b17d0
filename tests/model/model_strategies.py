"""Any Run, RunAnswer, Target, Price or Scenario, made from the annotations of the model itself.

A field that is added to the model is thereby part of every law here.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from core.errors import UsageError
from core.i18n import Text
from core.ingest.raw import Upload
from core.limits.architecture import read_architecture
from core.model.architecture import Architecture
from core.model.compared import Layer, Study
from core.model.demand_curve import Curve, CurveKind
from core.model.fleet import ApiPrice, Fleet
from core.model.metric import Metric
from core.model.owned import Owned
from core.model.scenario import DecisionColumn, Demand, DemandKind, Scenario, clean_name
from core.model.sizing import Logged, Sizing
from core.model.stage import Requests
from core.model.target import Target
from core.model.traffic import Arrivals, Profile, Traffic
from tests.limits.configs import LLAMA_8B

LEAVES = {
    float: st.floats(allow_nan=False, allow_infinity=False),
    int: st.integers(-(2**63), 2**63 - 1),
    bool: st.booleans(),
    str: st.text(max_size=8),
    type(None): st.none(),
}


@st.composite
def texts(draw, depth=1):
    value = st.one_of(LEAVES[str], LEAVES[int], LEAVES[float], *([texts(depth - 1)] if depth else []))
    return Text(draw(LEAVES[str]), draw(st.dictionaries(LEAVES[str], value, max_size=2)))


@st.composite
def any_requests(draw):
    n = draw(st.integers(0, 4))
    numbers = st_numpy.arrays(np.float64, n, elements=st.floats())
    columns = {f.name: draw(numbers) for f in fields(Requests) if f.name != "good"}
    return Requests(**columns, good=draw(st_numpy.arrays(np.bool_, n)))


def named(text):
    try:
        return clean_name(text)
    except UsageError:
        return "a name"


@st.composite
def any_scenario(draw):
    values = {name: draw(of(kind)) for name, kind in typing.get_type_hints(Scenario).items() if name != "name"}
    return Scenario(name=draw(LEAVES[str].map(named)), **values)


@cache
def of(kind):
    """Return a strategy for an annotation of the model."""
    if kind in LEAVES:
        return LEAVES[kind]
    special = {Text: texts, Requests: any_requests, Scenario: any_scenario, Target: any_target, Traffic: any_traffic}
    special |= {Demand: any_demand, DecisionColumn: any_column, Profile: any_profile}
    special |= {Study: any_study}
    special |= {Fleet: any_fleet, Curve: any_curve, ApiPrice: any_api}
    special |= {Sizing: any_sizing, Logged: any_logged}
    if kind in special:
        return special[kind]()
    if getattr(kind, "__module__", "") == Architecture.__module__ and is_dataclass(kind):
        return st.sampled_from(parts_of(kind, a_model()))
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(of(one) for one in inner))
    if origin is tuple:
        repeated = len(inner) == 2 and inner[1] is Ellipsis
        return st.lists(of(inner[0]), max_size=2).map(tuple) if repeated else st.tuples(*(of(one) for one in inner))
    if origin is Mapping:
        return st.dictionaries(of(inner[0]), of(inner[1]), max_size=2)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    assert is_dataclass(kind), kind
    hints = typing.get_type_hints(kind)
    built = {f.name: st.deferred(lambda h=hints[f.name]: of(h)) for f in fields(kind)}
    if kind.__name__ == "Capacity":
        built["supported"] = st.none()
    return st.builds(kind, **built)


@st.composite
def any_traffic(draw):
    """Traffic as it may be stated: lengths with a p95 not below the mean, shares in a mix, bursts that are bursty."""
    count = draw(st.integers(0, 3))
    profiles = tuple(draw(any_profile(mixed=count > 1)) for _ in range(count))
    arrivals = draw(st.sampled_from([None, *Arrivals]))
    burst = draw(st.floats(0.1, 50)) if arrivals is Arrivals.BURSTY else None
    users, think = (draw(st.none() | st.floats(1, 1e6)) for _ in range(2))
    return Traffic(profiles=profiles, arrivals=arrivals, burst=burst, users=users, think_s=think)


@st.composite
def any_profile(draw, *, mixed=False):
    lengths = {}
    for mean, p95 in (("input_tokens", "input_p95"), ("output_tokens", "output_p95")):
        lengths[mean] = draw(st.none() | st.floats(1, 1e5))
        lengths[p95] = draw(st.none() | st.floats(1, 8)) if lengths[mean] else None
        if lengths[p95]:
            lengths[p95] *= lengths[mean]
    share = draw(st.floats(1e-3, 1e3)) if mixed else None
    return Profile(**lengths, hit_rate=draw(st.none() | st.floats(0, 1)), share=share)


def any_study():
    runs = st.lists(LEAVES[str], max_size=2)
    return st.builds(
        Study,
        before=LEAVES[str],
        after=LEAVES[str],
        layer=st.none() | st.sampled_from(list(Layer)),
        dates=runs.map(lambda names: tuple((name, f"2026-11-{i + 1:02}") for i, name in enumerate(names))),
        kv_transfer_s=runs.map(lambda names: tuple((name, 0.5 * i) for i, name in enumerate(names))),
        worker_loads=runs.map(lambda names: tuple((name, f"{i}, 1.5, 7") for i, name in enumerate(names))),
    )


@cache
def a_model():
    """A published model: sizes that fit each other are not made by chance."""
    return read_architecture(Upload("config.json", json.dumps(LLAMA_8B).encode()))


def parts_of(kind, value):
    """Return every part of a value that is of a kind, itself among them."""
    found = [value] if type(value) is kind else []
    if is_dataclass(value):
        found += [part for f in fields(value) for part in parts_of(kind, getattr(value, f.name))]
    elif isinstance(value, tuple):
        found += [part for each in value for part in parts_of(kind, each)]
    return found


def any_sizing():
    ranks, tokens = st.none() | st.integers(1, 4096), st.none() | st.floats(1.0, 1e6)
    words = st.none() | LEAVES[str]
    return st.builds(
        Sizing,
        architecture=st.none(),
        accelerator=words,
        tp=ranks,
        pp=ranks,
        dp=ranks,
        ep=ranks,
        engine=words,
        fraction=st.none() | st.floats(0.01, 1.0),
        runtime_gib=st.none() | st.floats(0.0, 1e3),
        longest=ranks,
        input_tokens=tokens,
        output_tokens=tokens,
        logged=st.none() | any_logged(),
    )


def any_logged():
    counts, amounts = st.none() | st.integers(1, 10**6), st.none() | st.floats(0.1, 1e6)
    return st.builds(Logged, engine=st.none() | LEAVES[str], kv_gib=amounts, kv_tokens=counts, times=amounts)


def any_api():
    amount = st.floats(0.001, 1e6)
    return st.builds(ApiPrice, input=amount, output=amount, cached=st.none() | amount)


def any_curve():
    points = st.lists(st.floats(0.0, 1e9), min_size=1, max_size=4).filter(lambda p: max(p) > 0.0).map(tuple)
    return st.builds(
        Curve,
        points=points,
        step_s=st.floats(1.0, 1e5),
        kind=st.sampled_from(list(CurveKind)),
        name=LEAVES[str],
        peak=st.none() | st.floats(1e-3, 1e9),
        inside=st.none() | st.floats(1.0, 50.0),
        missing=st.integers(0, 99),
        said=LEAVES[str],
    )


def any_fleet():
    money = st.none() | st.floats(0.01, 1e9)
    return st.builds(
        Fleet,
        curve=st.none() | any_curve(),
        growth=st.floats(0.0, 0.4),
        ahead=st.integers(0, 36),
        burst=st.floats(1.0, 9.0),
        ceiling=st.floats(0.1, 1.0),
        spares=st.integers(0, 9),
        zones=st.integers(1, 5),
        out_share=st.floats(0.0, 0.5),
        node=st.none() | st.integers(1, 72),
        floor=st.integers(0, 9),
        start_s=st.floats(0.0, 3600.0),
        reserved=money,
        owned=st.none() | st.builds(Owned, capex=st.floats(1.0, 1e6), years=st.floats(1.0, 9.0)),
        api=st.none() | any_api(),
        budget=money,
        reserved_as_of=any_day(),
        owned_as_of=any_day(),
        api_as_of=any_day(),
        served_by=st.lists(LEAVES[str], max_size=2).map(tuple),
    )


def any_day():
    return st.just("") | st.dates().map(lambda day: day.isoformat()) | st.just("2026-07")


def any_demand():
    return st.builds(Demand, peak=st.floats(1e-300, 1e300), kind=st.sampled_from(list(DemandKind)))


def any_column():
    values = st.dictionaries(LEAVES[str], LEAVES[str], max_size=2)
    return st.builds(DecisionColumn, name=LEAVES[str].map(named), values=values)


def any_target():
    limits = st.floats(0, exclude_min=True, allow_infinity=False)
    statistics = st.sampled_from(["mean", "value", "p50", "p99.9"])
    rates, shares = st.floats(1e-300, 1e300), st.floats(0.0, 1.0, exclude_min=True)
    own = {Metric.TOK_S_USER: rates, Metric.SUCCESS_RATE: shares, Metric.GOODPUT: shares}
    return st.sampled_from(list(Metric)).flatmap(
        lambda metric: st.builds(Target, st.just(metric), statistics, own.get(metric, limits))
    )


def differences(one, other, path=""):
    """Return where two values of the model differ, NaN and arrays compared by content."""
    if type(one) is not type(other):
        return [f"{path}: {type(one)} and {type(other)}"]
    if is_dataclass(one):
        pairs = [(f.name, getattr(one, f.name), getattr(other, f.name)) for f in fields(one)]
    elif isinstance(one, Mapping):
        if list(one) != list(other):
            return [f"{path}: keys {list(one)} and {list(other)}"]
        pairs = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, tuple) and len(one) == len(other):
        pairs = [(i, a, b) for i, (a, b) in enumerate(zip(one, other, strict=True))]
    elif isinstance(one, np.ndarray):
        same = one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
        return [] if same else [f"{path}: arrays"]
    else:
        return [] if repr(one) == repr(other) else [f"{path}: {one!r} and {other!r}"]
    return [found for name, a, b in pairs for found in differences(a, b, f"{path}.{name}")]
