"""Small runs whose shares can be counted on the fingers."""

from __future__ import annotations

import numpy as np

from core.errors import Place
from core.model.answer import Interval, LoadPoint
from core.model.price import Listed
from core.model.run import Conditions, FileRef, Kind, Run
from core.model.stage import Requests, Stage

H200 = Listed(
    provider="A",
    sku="b",
    region="",
    accelerator="H200-SXM",
    commitment="on_demand",
    amount=3.0,
    currency="USD",
    as_of="2026-11-01",
    certainty="good",
    source="a list",
)


def exact(value):
    return Interval(low=value, mid=value, high=value)


def point(at=8.0, **values):
    return LoadPoint(at=at, **values)


def run(*stages, conditions=None, asked=()):
    return Run(
        id="r",
        label="R",
        kind=Kind.MEASURED,
        format_id="test",
        format_version=None,
        files=(FileRef("r.json", "0" * 64),),
        conditions=conditions or Conditions(),
        stages=stages,
        asked=asked,
    )


def stage(load, requests=None, **values):
    return Stage(where=Place(f"{load}.json"), asked_concurrency=load, requests=requests, **values)


def requests(ttft_s, output_tokens, *, input_tokens=None, tpot_s=None, good=None):
    n = len(ttft_s)
    return Requests(
        start_s=np.zeros(n),
        ttft_s=np.array(ttft_s, dtype=float),
        tpot_s=np.full(n, 0.01) if tpot_s is None else np.array(tpot_s, dtype=float),
        e2e_s=np.full(n, 1.0),
        input_tokens=np.full(n, 100.0) if input_tokens is None else np.array(input_tokens, dtype=float),
        output_tokens=np.array(output_tokens, dtype=float),
        good=np.ones(n, dtype=bool) if good is None else np.array(good),
    )
