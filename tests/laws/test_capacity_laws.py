"""What holds for every answer, whatever was measured."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from core.decide.decide import decide
from core.decide.point import point_at
from core.errors import Place
from core.fit.fit import fit_stages
from core.model.answer import Status
from core.model.metric import Metric
from core.model.stage import Stage, Statistics
from core.model.target import Target

ORDER = {Status.BELOW: 0, Status.CANNOT_TELL: 0, Status.WITHIN: 1, Status.AT_LEAST: 2}


class Levels(list):
    """A sweep that is not printed in full when a law breaks."""

    def __repr__(self):
        return f"{len(self)} levels, loads {[level.load for level in self]}"


STYLES = ("rising", "tangled", "tied", "flat", "wild")


@st.composite
def stages(draw, least=1, most=16, styles=STYLES):
    """Levels with any positive latencies: rising, tangled, tied, flat, wild.

    A seed is drawn and the numbers come from it: forty levels drawn one by one would be slow.
    """
    size, style = draw(st.integers(least, most)), draw(st.sampled_from(styles))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    whole = bool(rng.integers(2))
    loads = np.sort(rng.choice(np.arange(1, 5001), size, replace=False)).astype(float)
    loads = loads if whole else loads * rng.uniform(0.3, 1.0)
    return Levels(_stage(rng, float(load), style, rank / size) for rank, load in enumerate(loads))


def _latencies(rng, style, rank, count):
    if style == "wild":
        return 10.0 ** rng.uniform(-6, 4, count)
    if style == "tied":
        return rng.choice([0.01, 0.02, 0.05, 1.0], count)
    if style == "flat":
        return np.full(count, 0.02)
    spread = 0.05 if style == "rising" else 0.8
    return np.exp(3.0 * rank + spread * rng.normal(size=count)) * 0.01


def _stage(rng, load, style, rank):
    def perhaps(value):
        return None if rng.integers(4) == 0 else value

    n = perhaps(int(10 ** rng.uniform(0, 5)))
    found = {}
    for metric in (Metric.TTFT, Metric.TPOT, Metric.E2E):
        mean, sd, *tail = _latencies(rng, style, rank, 5).tolist()
        quantiles = dict(zip((0.5, 0.9, 0.99), sorted(tail), strict=True))
        found[metric] = Statistics(mean=mean, sd=perhaps(sd), n=n, quantiles=quantiles)
    # A steady sweep obeys Little's law; a wild one does not even do that.
    rate = 10.0 ** rng.uniform(-3, 5) if style == "wild" else load / found[Metric.E2E].mean
    return Stage(
        where=Place(),
        asked_concurrency=load,
        achieved_concurrency=perhaps(load),
        achieved_rate=perhaps(rate),
        requests_good=n,
        requests_failed=perhaps(int(rng.integers(4))),
        output_tok_s=perhaps(10.0 ** rng.uniform(-3, 7)),
        statistics=found,
    )


targets = st.builds(
    Target,
    st.sampled_from([Metric.TTFT, Metric.TPOT, Metric.E2E]),
    st.sampled_from(["mean", "p50", "p90", "p99"]),
    st.one_of(st.floats(1e-6, 1e4), st.floats(0.008, 0.2), st.sampled_from([0.01, 0.02, 0.05, 1.0])),
)
shares = st.builds(Target, st.just(Metric.SUCCESS_RATE), st.just("value"), st.floats(0.5, 1.0))


def finite(interval):
    values = [value for value in (interval.low, interval.mid, interval.high) if value is not None]
    return all(math.isfinite(value) for value in values)


@given(stages(most=40), st.lists(st.one_of(targets, shares), min_size=1, max_size=4))
def test_every_answer_is_ordered_finite_and_never_of_zero_width(levels, wanted):
    decision = decide(fit_stages(levels), wanted)
    top = max(level.load for level in levels)
    for capacity in (decision.capacity, *(answer.capacity for answer in decision.per_target)):
        span = capacity.concurrency
        assert span is None or finite(span)
        if capacity.status is Status.WITHIN:
            assert 0.0 <= span.low <= capacity.safe <= span.mid <= top
            assert span.low < span.mid or span.high is None or span.mid < span.high
            assert span.high is None or span.mid <= span.high <= top
            assert math.isclose(sum(dataclasses.astuple(capacity.doubt)), 1.0)
            assert all(share >= 0.0 for share in dataclasses.astuple(capacity.doubt))
        elif capacity.status is Status.AT_LEAST:
            assert (span.mid, span.high) == (None, None)
            assert capacity.safe <= span.low <= top
        else:
            assert capacity.safe is None


@given(stages(), targets, st.floats(0.05, 1.0))
def test_a_tighter_limit_never_raises_the_answer(levels, target, factor):
    fit = fit_stages(levels)
    tighter = dataclasses.replace(target, limit=target.limit * factor)
    loose, tight = (decide(fit, [t]).capacity for t in (target, tighter))
    assume(Status.CANNOT_TELL not in (loose.status, tight.status))
    assert ORDER[tight.status] <= ORDER[loose.status]
    assert (tight.safe or 0) <= (loose.safe or 0)
    if tight.status is loose.status is Status.WITHIN:
        assert tight.concurrency.low <= loose.concurrency.low
        assert tight.concurrency.mid <= loose.concurrency.mid
        assert (tight.concurrency.high or math.inf) <= (loose.concurrency.high or math.inf)


@given(stages(least=3), st.lists(targets, min_size=1, max_size=3), targets)
def test_one_more_target_never_raises_the_answer(levels, wanted, another):
    fit = fit_stages(levels)
    fewer, more = decide(fit, wanted).capacity, decide(fit, [*wanted, another]).capacity
    assume(Status.CANNOT_TELL not in (fewer.status, more.status))
    assert ORDER[more.status] <= ORDER[fewer.status]
    assert (more.safe or 0) <= (fewer.safe or 0)
    if Status.BELOW not in (fewer.status, more.status):
        assert more.concurrency.low <= fewer.concurrency.low
        assert (more.concurrency.mid or math.inf) <= (fewer.concurrency.mid or math.inf)
        assert (more.concurrency.high or math.inf) <= (fewer.concurrency.high or math.inf)


@given(stages(least=3, most=12), targets, st.sampled_from([1e-3, 1e3]))
def test_the_unit_of_time_does_not_matter(levels, target, factor):
    """Milliseconds instead of seconds everywhere: the same number of concurrent requests."""
    scaled = [_scaled(level, factor) for level in levels]
    one = decide(fit_stages(levels), [target]).capacity
    other = decide(fit_stages(scaled), [dataclasses.replace(target, limit=target.limit * factor)]).capacity
    assume(not any(math.isclose(target.limit, value, rel_tol=1e-9) for value in _every(levels)))
    assert one.status is other.status
    if one.status is Status.WITHIN:
        assert math.isclose(one.concurrency.mid, other.concurrency.mid, rel_tol=1e-6)
        assert abs(one.safe - other.safe) <= 1


def _every(levels):
    for level in levels:
        for found in level.statistics.values():
            yield from (found.mean, *found.quantiles.values())


def _scaled(level, factor):
    statistics = {
        metric: Statistics(
            mean=found.mean * factor,
            sd=None if found.sd is None else found.sd * factor,
            n=found.n,
            quantiles={q: value * factor for q, value in found.quantiles.items()},
        )
        for metric, found in level.statistics.items()
    }
    rate = None if level.achieved_rate is None else level.achieved_rate / factor
    return dataclasses.replace(level, statistics=statistics, achieved_rate=rate)


@given(stages(least=2, most=12), targets, st.randoms(use_true_random=False))
def test_the_order_of_the_levels_does_not_matter(levels, target, random):
    shuffled = list(levels)
    random.shuffle(shuffled)
    assert decide(fit_stages(levels), [target]) == decide(fit_stages(shuffled), [target])


@given(stages(least=3, styles=("rising",)), st.sampled_from(["mean", "p50", "p90"]), st.floats(0.0, 1.0))
def test_the_band_of_the_chart_is_the_range_of_the_answer(levels, statistic, position):
    """Where nothing cuts the range off, its ends are where the band's edges reach the limit."""
    fit = fit_stages(levels)
    values = [level.value(Metric.TTFT, statistic) for level in levels]
    target = Target(Metric.TTFT, statistic, values[0] + position * (values[-1] - values[0]))
    capacity = decide(fit, [target]).capacity
    curve = fit.curve(target.metric, target.statistic)
    assume(capacity.status is Status.WITHIN and curve is not None)
    band = curve.band(points=400)
    assert (np.diff(band.load_mid) >= 0).all()
    assert (band.load_low <= band.load_mid).all()
    assert (band.load_mid <= band.load_high).all()
    low, _, mid, high = (float(row[0]) for row in curve.capacity(np.array([target.limit])))
    span, top = capacity.concurrency, max(fit.levels)
    cut = {float(capacity.safe), *fit.levels, curve.points.ceiling}
    assert span.mid == min(mid, top) or span.mid in cut
    assert span.low == low or span.low in cut
    assert span.high is None or span.high == high or span.high in cut


@given(stages(least=2), st.lists(targets, max_size=3), st.floats(0.1, 6000.0))
def test_fitted_values_are_ordered_and_finite_at_any_load(levels, wanted, load):
    point = point_at(fit_stages(levels), load, wanted)
    for value in (*point.metrics.values(), point.output_tok_s, point.req_s, point.tok_s_user):
        if value is not None:
            assert finite(value)
            ends = [end for end in (value.low, value.mid, value.high) if end is not None]
            assert ends == sorted(ends)
            assert ends[0] < ends[-1]
