"""Goodput against a count by hand, request by request, and its bounds where only statistics are left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decide.decide import decide
from core.decide.inside import share_inside
from core.errors import Place
from core.fit.fit import fit_stages
from core.model.answer import Status
from core.model.metric import Metric
from core.model.stage import Requests, Stage, Statistics
from core.model.target import Target, parse_target

_TIME = st.floats(0.001, 10.0)
_ONE = st.tuples(_TIME, _TIME, _TIME, st.integers(1, 5), st.booleans())
_LIMIT = st.one_of(
    st.builds(
        Target, st.sampled_from([Metric.TTFT, Metric.TPOT, Metric.E2E]), st.sampled_from(["mean", "p50", "p99"]), _TIME
    ),
    st.builds(Target, st.just(Metric.TOK_S_USER), st.just("p95"), _TIME),
)
_LIMITS = st.lists(_LIMIT, min_size=1, max_size=4)
_QUANTILES = (0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


def level_of(rows, unseen=0, load=8.0):
    """A level of requests (ttft, tpot, e2e, tokens, good); `unseen` more were sent that no record shows."""
    ttft, tpot, e2e, tokens, good = (np.array(column) for column in zip(*rows, strict=True))
    requests = Requests(
        start_s=np.arange(len(rows), dtype=float),
        ttft_s=ttft.astype(float),
        tpot_s=np.where(tokens > 1, tpot, np.nan),
        e2e_s=e2e.astype(float),
        input_tokens=np.full(len(rows), 10.0),
        output_tokens=tokens.astype(float),
        good=good.astype(bool),
    )
    n_good = int(good.sum())
    return Stage(
        where=Place(),
        asked_concurrency=load,
        requests=requests,
        requests_sent=len(rows) + unseen,
        requests_good=n_good,
        requests_failed=len(rows) + unseen - n_good,
    )


def keeps(row, limit):
    """Whether one request keeps one limit, as a person would say it."""
    ttft, tpot, e2e, tokens, _ = row
    if limit.metric is Metric.TTFT:
        return ttft <= limit.limit
    if limit.metric is Metric.E2E:
        return e2e <= limit.limit
    if tokens == 1:
        return True
    return tpot <= (limit.limit if limit.metric is Metric.TPOT else 1.0 / limit.limit)


def counted(rows, limits, unseen=0):
    inside = sum(1 for row in rows if row[4] and all(keeps(row, limit) for limit in limits))
    return inside / (len(rows) + unseen)


@given(st.lists(_ONE, min_size=1, max_size=40), _LIMITS, st.integers(0, 5))
def test_the_share_is_what_counting_gives(rows, limits, unseen):
    share = share_inside(level_of(rows, unseen), limits)
    assert share.least == share.most == pytest.approx(counted(rows, limits, unseen), abs=1e-12)


@given(st.lists(_ONE, min_size=1, max_size=40), _LIMITS)
def test_the_bounds_of_the_statistics_hold_the_true_share(rows, limits):
    # Every request has two tokens or more here: statistics of TPOT are of those only.
    rows = [(*row[:3], row[3] + 1, row[4]) for row in rows]
    level = level_of(rows)
    requests, good = level.requests, level.requests.good
    columns = {Metric.TTFT: requests.ttft_s, Metric.TPOT: requests.tpot_s, Metric.E2E: requests.e2e_s}
    statistics = {
        metric: Statistics(n=int(good.sum()), quantiles={q: float(np.quantile(values[good], q)) for q in _QUANTILES})
        for metric, values in columns.items()
        if good.any()
    }
    share = share_inside(replace(level, requests=None, statistics=statistics), limits)
    assert 0.0 <= share.least <= counted(rows, limits) + 1e-12
    assert counted(rows, limits) - 1e-12 <= share.most <= 1.0


@given(st.lists(_ONE, min_size=1, max_size=40), _LIMITS, _LIMIT)
def test_one_more_limit_never_raises_the_share(rows, limits, another):
    level = level_of(rows)
    assert share_inside(level, [*limits, another]).most <= share_inside(level, limits).most


def test_a_value_that_no_record_holds_is_neither_kept_nor_missed():
    level = level_of([(0.1, 0.01, 1.0, 5, True)] * 4)
    unknown = replace(level.requests, tpot_s=np.array([0.01, np.nan, np.nan, 0.9]))
    share = share_inside(replace(level, requests=unknown), [parse_target("tpot p99 <= 50ms")])
    assert (share.least, share.most) == (0.25, 0.75)


def test_records_without_the_metric_leave_goodput_untold():
    levels = [level_of([(0.1, 0.01, 1.0, 5, True)] * 200, load=load) for load in (1.0, 2.0, 4.0)]
    blind = [replace(s, requests=replace(s.requests, tpot_s=np.full(200, np.nan))) for s in levels]
    targets = [parse_target("goodput value >= 95%"), parse_target("tpot p99 <= 50ms")]
    found = decide(fit_stages(blind), targets).per_target[0].capacity
    assert found.status is Status.CANNOT_TELL
    assert found.reasons == ("goodput.only_bounds",)
