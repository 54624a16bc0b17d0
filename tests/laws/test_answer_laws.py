"""What is promised of every answer, for sweeps as servers give them and for hostile ones.

Each docstring says exactly what holds. "An answer" is what `decide` gives: status, the ends of the
90 % range, the estimate and the safe number. An open end counts as infinite, a missing safe number as 0.
"""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.decide.decide import decide
from core.decide.point import point_at
from core.fit.fit import fit_stages
from core.model.answer import Status
from core.model.metric import Metric
from core.model.stage import Statistics
from core.model.target import Target
from core.present.documents import capacity_document
from tests.laws.served import Sweep, asked_of, hostile, in_other_units, question, served, server_of, with_counts

RANK = {Status.BELOW: 0, Status.WITHIN: 1, Status.AT_LEAST: 2}
SLACK = 1e-9

any_sweep = st.one_of(served(), hostile(least=2))
share = st.builds(Target, st.just(Metric.SUCCESS_RATE), st.just("value"), st.floats(0.5, 1.0))


def answer(levels, *targets):
    return decide(fit_stages(levels), targets).capacity


def ends(capacity):
    """Low, estimate, high and safe as numbers that compare; what is not known below is 0, above infinite."""
    span = capacity.concurrency
    low, mid, high = (None, None, None) if span is None else (span.low, span.mid, span.high)
    top = math.inf if capacity.status is Status.AT_LEAST else 0.0
    return (
        0.0 if low is None else low,
        top if mid is None else mid,
        math.inf if high is None else high,
        float(capacity.safe or 0),
    )


def width(capacity):
    low, _, high, _ = ends(capacity)
    return math.inf if low <= 0.0 else math.log(high / low)


@given(question(any_sweep), st.data(), st.floats(0.05, 1.0))
def test_tightening_targets_never_raises_the_answer(asked, data, factor):
    """Lowering any limits of a set raises neither status, low, estimate, high nor the safe number.

    Where both answers can be told: a limit may be tightened into a region whose percentile rests on
    too few requests, and loosened into one, so `cannot_tell` is not on the scale.
    """
    levels, first = asked
    more = data.draw(st.lists(asked_of(levels), max_size=2))
    loose = [first, *more]
    chosen = data.draw(st.lists(st.booleans(), min_size=len(loose), max_size=len(loose)))
    tight = [dataclasses.replace(t, limit=t.limit * factor) if c else t for t, c in zip(loose, chosen, strict=True)]
    fit = fit_stages(levels)
    before, after = decide(fit, loose).capacity, decide(fit, tight).capacity
    assume(Status.CANNOT_TELL not in (before.status, after.status))
    assert RANK[after.status] <= RANK[before.status]
    assert all(a <= b * (1.0 + SLACK) for a, b in zip(ends(after), ends(before), strict=True))


@given(question(any_sweep), st.sampled_from([1e-3, 0.37, 60.0, 1e3]))
def test_units_change_nothing(asked, factor):
    """All times times k, all rates through k, the limit times k: the same answer, reasons and doubt."""
    levels, target = asked
    values = [v for level in levels for s in level.statistics.values() for v in (s.mean, *s.quantiles.values())]
    assume(not any(v and math.isclose(v, target.limit, rel_tol=1e-6) for v in values))
    one = answer(levels, target)
    scaled = [in_other_units(level, factor) for level in levels]
    other = answer(scaled, dataclasses.replace(target, limit=target.limit * factor))
    assert other.status is one.status
    assert other.reasons == one.reasons
    # A safe number is a whole one: dust at the floor may move it by one, and a low end that it holds.
    assert abs(ends(other)[3] - ends(one)[3]) <= 1.0
    for a, b in zip(ends(other)[1:3], ends(one)[1:3], strict=True):
        assert math.isclose(a, b, rel_tol=1e-5)
    if one.doubt and other.doubt:
        pairs = zip(dataclasses.astuple(one.doubt), dataclasses.astuple(other.doubt), strict=True)
        assert all(math.isclose(a, b, abs_tol=1e-4) for a, b in pairs)


@given(question(any_sweep), st.data())
def test_an_exact_copy_of_a_level_changes_nothing(asked, data):
    """Copies of any levels, figure for figure, leave every field of the answer as it was."""
    levels, target = asked
    copies = data.draw(st.lists(st.sampled_from(list(levels)), min_size=1, max_size=4))
    assert answer([*levels, *copies], target) == answer(levels, target)


@given(question(any_sweep), st.randoms(use_true_random=False))
def test_the_order_of_the_levels_changes_nothing(asked, random):
    """Levels in any order, several of one load among them: every field of the answer is the same."""
    levels, target = asked
    shuffled = list(levels)
    random.shuffle(shuffled)
    assert answer(shuffled, target) == answer(levels, target)


@given(question(any_sweep))
def test_the_safe_number_stays_within_what_was_measured(asked):
    """It is a whole number from 0 to the largest usable level, and not above the estimate."""
    levels, target = asked
    capacity = answer(levels, target)
    if capacity.safe is not None:
        assert isinstance(capacity.safe, int)
        usable = [level.load for level in levels if level.value(target.metric, target.statistic)]
        assert 0 <= capacity.safe <= max(usable)
        assert capacity.safe <= ends(capacity)[1] * (1.0 + SLACK)


@given(served(least=4, equal=False), st.data())
def test_the_safe_number_lies_below_a_level_that_failed_beyond_noise(levels, data):
    """A level at three times the limit, of 200 requests or more, is not promised, nor any above it.

    Whatever lies beside it: here all levels above it are made to pass, as a lucky run would.
    """
    statistic = data.draw(st.sampled_from(["mean", "p50", "p90"]))
    at = data.draw(st.integers(1, len(levels) - 1))
    ordered = sorted(levels, key=lambda level: level.load)
    good = 2.0 * ordered[0].value(Metric.TTFT, statistic)
    made = [_at(level, statistic, 3.1 * good if i == at else good / 2.0) for i, level in enumerate(ordered)]
    capacity = answer(made, Target(Metric.TTFT, statistic, good))
    assert (capacity.safe or 0) < ordered[at].load


def _at(level, statistic, value):
    """The level with its TTFT set so that one statistic has a value, the others in proportion."""
    old = level.statistics[Metric.TTFT]
    factor = value / old.value(statistic)
    new = Statistics(
        mean=old.mean * factor,
        sd=old.sd * factor,
        n=max(old.n, 200),
        quantiles={q: v * factor for q, v in old.quantiles.items()},
    )
    return dataclasses.replace(level, statistics={**level.statistics, Metric.TTFT: new})


def test_levels_that_agree_narrow_the_range():
    """Three more true levels inside the bracket, over 60 servers without noise: the range narrows by a tenth at least.

    In the middle of the ratios of widths; a single server may show its bend only with the new levels.
    """
    ratios = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        levels, target = _sparse(rng)
        before = answer(levels, target)
        if before.status is not Status.WITHIN or not math.isfinite(width(before)):
            continue
        loads = [level.load for level in levels]
        after = int(np.clip(np.searchsorted(loads, ends(before)[1]), 1, len(loads) - 1))
        inner = np.geomspace(loads[after - 1], loads[after], 5)[1:-1]
        more = answer([*levels, *(levels.server.level(rng, load, 2000) for load in inner)], target)
        assert more.status is Status.WITHIN
        ratios.append(width(more) / width(before))
    assert len(ratios) > 30
    assert np.median(ratios) < 0.9


def _sparse(rng):
    """Five true levels of a server that is full among them, and a limit on its mean TTFT or E2E."""
    server = dataclasses.replace(server_of(rng, 128.0, noisy=False), slots=float(rng.uniform(20, 80)))
    levels = Sweep((server.level(rng, float(load), 2000) for load in (1, 4, 16, 64, 128)), server)
    metric = Metric.TTFT if rng.integers(2) else Metric.E2E
    values = [level.value(metric, "mean") for level in levels]
    return levels, Target(metric, "mean", math.exp(rng.uniform(math.log(values[0]), math.log(values[-1]))))


@settings(max_examples=150)
@given(any_sweep, st.data())
def test_every_interval_holds_its_middle_and_has_a_width(levels, data):
    """Of the answer, of each target's, and of every fitted value at a measured load: mid inside, low < high.

    Where the largest level passes but not beyond noise, all three may be that level with the end open.
    """
    targets = data.draw(st.lists(st.one_of(asked_of(levels), share), min_size=1, max_size=3))
    fit = fit_stages(levels)
    decision = decide(fit, targets)
    spans = [each.capacity.concurrency for each in decision.per_target] + [decision.capacity.concurrency]
    for load in fit.levels:
        point = point_at(fit, load, targets)
        spans += [point.output_tok_s, point.total_tok_s, point.req_s, point.tok_s_user, *point.metrics.values()]
    for span in spans:
        if span is not None:
            known = [end for end in (span.low, span.mid, span.high) if end is not None]
            assert known == sorted(known)
            assert len(known) < 2 or known[0] < known[-1] or span.high is None


@settings(max_examples=150)
@given(any_sweep, st.data())
def test_no_answer_holds_a_number_that_is_none(levels, data):
    """Neither NaN nor an infinity stands in the printed answer or in a value at a load."""
    targets = data.draw(st.lists(st.one_of(asked_of(levels), share), min_size=1, max_size=3))
    fit = fit_stages(levels)
    decision = decide(fit, targets)
    for each in (decision.capacity, *(one.capacity for one in decision.per_target)):
        json.dumps(capacity_document(each), allow_nan=False)
    for load in fit.levels:
        json.dumps(dataclasses.asdict(point_at(fit, load, targets)), allow_nan=False)


@given(question(served(equal=False)), st.integers(2, 20))
def test_more_requests_at_every_level_never_widen(asked, factor):
    """As many times the requests at every level, at the same values: high / low does not grow."""
    levels, target = asked
    before = answer(levels, target)
    after = answer([with_counts(level, factor) for level in levels], target)
    assume(before.status is after.status is Status.WITHIN)
    assert width(after) <= width(before) * (1.0 + SLACK)


@given(question(served(equal=False)), st.data(), st.integers(2, 20))
def test_more_requests_at_one_level_never_widen(asked, data, factor):
    """The same at any one level."""
    levels, target = asked
    at = data.draw(st.integers(0, len(levels) - 1))
    before = answer(levels, target)
    after = answer([with_counts(level, factor) if i == at else level for i, level in enumerate(levels)], target)
    assume(before.status is after.status is Status.WITHIN)
    assert width(after) <= width(before) * (1.0 + SLACK)
