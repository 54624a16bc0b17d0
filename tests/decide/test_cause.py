"""What stops a run: servers that can be worked out in the head, and laws that hold for any levels."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decide.cause import cause_of
from core.decide.decide import decide
from core.errors import Place
from core.fit.fit import fit_run
from core.model.cause import CauseKind, Confidence
from core.model.metric import Metric
from core.model.run import Conditions, Kind, Run
from core.model.stage import Stage, Statistics
from core.model.target import parse_target
from core.pipeline import checked

TOKENS = 101
"""Output tokens of every request: 100 gaps."""


def level(load, rate, ttft, tpot, *, tail=1.02, n=2000, **more):
    """A level whose E2E is TTFT + 100 gaps; every p99 is `tail` times its mean."""
    means = {Metric.TTFT: ttft, Metric.TPOT: tpot, Metric.ITL: tpot, Metric.E2E: ttft + (TOKENS - 1) * tpot}
    found = {m: Statistics(mean=x, sd=0.1 * x, n=n, quantiles={0.5: x, 0.99: tail * x}) for m, x in means.items()}
    return Stage(
        where=Place("a.json"),
        statistics=found,
        **{"asked_concurrency": load} | more,
        achieved_concurrency=rate * (ttft + (TOKENS - 1) * tpot),
        achieved_rate=rate,
        requests_good=n,
        requests_failed=0,
        output_tokens_mean=TOKENS,
    )


def run_of(stages, *, gpu_busy=None, **conditions):
    return Run(
        id="a",
        label="a",
        kind=Kind.MEASURED,
        format_id="x",
        format_version=None,
        files=(),
        conditions=Conditions(**conditions),
        stages=tuple(stages),
        gpu_busy=gpu_busy,
    )


def cause(run, *slos):
    usable = checked(run)
    fit = fit_run(usable)
    return cause_of(usable, fit, decide(fit, [parse_target(slo) for slo in slos]))


def codes(found):
    return {sign.code for sign in found.evidence}


def full_at_eight(load):
    """A server with eight places; a request takes 1 s, of which 20 ms to the first token. The rest wait."""
    rate = min(load, 8.0)
    return level(load, rate, 0.02 + max(load - 8.0, 0.0) / rate, 0.0098)


QUEUE = [full_at_eight(load) for load in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)]
WAITS = "ttft mean <= 300 ms"


def test_a_batch_that_ends_at_its_setting_is_a_queue():
    found = cause(run_of(QUEUE, max_num_seqs=8), WAITS)
    assert found.kind is CauseKind.QUEUE
    assert {"cause.waiting", "cause.knee_at_limit"} <= codes(found)
    # Each request beyond eight adds an eighth of a second: 280 ms are 2.24 of them.
    assert found.at == pytest.approx(10.24, rel=0.1)


def test_a_batch_that_ends_below_its_setting_is_short_of_memory():
    found = cause(run_of(QUEUE, max_num_seqs=256), WAITS)
    assert found.kind is CauseKind.KV_MEMORY
    assert "cause.knee_below_limit" in codes(found)


def test_a_full_cache_is_memory_and_a_roomy_one_is_not():
    for used, kind in ((0.97, CauseKind.KV_MEMORY), (0.3, CauseKind.QUEUE)):
        stages = [replace(stage, kv_used_fraction=used) for stage in QUEUE]
        assert cause(run_of(stages), WAITS).kind is kind


def test_without_setting_and_cache_both_limits_are_named():
    found = cause(run_of(QUEUE), WAITS)
    assert found.kind is CauseKind.QUEUE_OR_KV_MEMORY
    assert "cause.either_limit" in codes(found)


def test_a_first_token_that_waits_for_prompts_is_prefill():
    # A prompt takes 100 ms: at 9.5 requests/s the server reads prompts nine tenths of the time.
    rows = [(1.0, 0.9, 0.11, 0.01), (2.0, 1.7, 0.15, 0.0105), (4.0, 3.2, 0.2, 0.0108), (8.0, 5.5, 0.33, 0.0113)]
    rows += [(16.0, 8.0, 0.7, 0.013), (32.0, 9.3, 1.5, 0.0195)]
    found = cause(run_of([level(*row, tail=3.0) for row in rows]), "ttft mean <= 1 s")
    assert (found.kind, found.confidence) == (CauseKind.PREFILL, Confidence.CLEAR)
    assert "cause.prompt_time" in codes(found)


def decoding(load):
    """A server that needs 10 ms and 0.2 ms per request for a token, and next to nothing for a prompt."""
    tpot = 0.01 + 0.0002 * load
    ttft = 1.2 * tpot
    return level(load, load / (ttft + 100 * tpot), ttft, tpot)


DECODE = [decoding(load) for load in (1.0, 4.0, 16.0, 64.0, 128.0)]
SLOW = "tpot mean <= 18 ms"


def test_slow_tokens_are_bandwidth_or_launch_until_a_profile_tells():
    found = cause(run_of(DECODE), SLOW)
    assert (found.kind, found.confidence) == (CauseKind.BANDWIDTH_OR_LAUNCH, Confidence.CLEAR)
    assert cause(run_of(DECODE, gpu_busy=0.95), SLOW).kind is CauseKind.BANDWIDTH
    launch = cause(run_of(DECODE, gpu_busy=0.2), SLOW)
    assert launch.kind is CauseKind.LAUNCH
    assert "cause.gpu_busy" in codes(launch)


def test_half_busy_tells_neither():
    found = cause(run_of(DECODE, gpu_busy=0.5), SLOW)
    assert (found.kind, found.confidence) == (CauseKind.UNKNOWN, Confidence.CANNOT_TELL)
    assert set(found.also_possible) == {CauseKind.BANDWIDTH, CauseKind.LAUNCH}


def test_a_generator_that_holds_twenty_is_the_cause_where_no_target_is_missed():
    stages = [full_at_eight(load) for load in (1.0, 2.0, 4.0)]
    stages += [replace(full_at_eight(5.0), asked_concurrency=load) for load in (8.0, 16.0, 32.0)]
    found = cause(run_of(stages), WAITS)
    assert (found.kind, found.confidence) == (CauseKind.CLIENT, Confidence.CLEAR)
    assert "cause.not_in_flight" in codes(found)


def test_a_generator_that_falls_behind_its_rate_is_the_cause():
    rates = ((1.0, 1.0), (2.0, 2.0), (4.0, 4.0), (7.0, 5.0))
    stages = [
        level(None, sent, 0.02, 0.0098, asked_rate=asked, applied_rate=sent, asked_concurrency=None)
        for asked, sent in rates
    ]
    found = cause(run_of(stages), WAITS)
    assert found.kind is CauseKind.CLIENT
    assert codes(found) == {"cause.rate_not_sent"}


def test_a_generator_that_gives_out_beyond_the_limit_is_not_the_cause():
    capped = [replace(full_at_eight(64.0), asked_concurrency=load) for load in (128.0, 256.0)]
    assert cause(run_of([*QUEUE, *capped], max_num_seqs=8), WAITS).kind is CauseKind.QUEUE


def test_where_nothing_is_missed_nothing_is_claimed():
    found = cause(run_of(DECODE), "tpot mean <= 1 s")
    assert found.confidence is Confidence.CANNOT_TELL
    assert codes(found) == {"cause.nothing_missed"}


def test_a_target_that_is_no_latency_is_told_as_such():
    stages = [replace(stage, requests_failed=int(10 * (stage.load or 0.0))) for stage in DECODE]
    found = cause(run_of(stages), "success_rate value >= 0.9")
    assert found.kind is CauseKind.UNKNOWN


def test_without_levels_there_is_no_cause():
    assert cause(run_of([]), SLOW) is None


positive = st.floats(1e-3, 10.0)


@st.composite
def sweeps(draw):
    """Levels of any numbers, as hostile as a file may be, and a limit somewhere among them."""
    loads = sorted(draw(st.sets(st.integers(1, 512), min_size=1, max_size=7)))
    stages = [
        level(float(load), draw(positive) * load, draw(positive), draw(positive) * 0.1, tail=draw(st.floats(1.0, 9.0)))
        for load in loads
    ]
    return stages, draw(st.sampled_from(["ttft mean", "ttft p99", "tpot p99", "itl p99", "e2e mean"])), draw(positive)


@settings(max_examples=60, deadline=None)
@given(sweeps())
def test_launch_overhead_is_claimed_from_a_profile_only(drawn):
    stages, statistic, limit = drawn
    found = cause(run_of(stages), f"{statistic} <= {limit:.6f}s")
    assert found is None or found.kind not in (CauseKind.LAUNCH, CauseKind.BANDWIDTH)


@settings(max_examples=60, deadline=None)
@given(sweeps(), st.randoms())
def test_the_order_of_levels_does_not_matter(drawn, rng):
    stages, statistic, limit = drawn
    shuffled = list(stages)
    rng.shuffle(shuffled)
    slo = f"{statistic} <= {limit:.6f}s"
    assert cause(run_of(shuffled), slo) == cause(run_of(stages), slo)


def faster(stage, factor):
    """The same level on a clock that runs `factor` times as fast."""
    scaled = {
        metric: replace(
            s, mean=s.mean / factor, sd=s.sd / factor, quantiles={q: x / factor for q, x in s.quantiles.items()}
        )
        for metric, s in stage.statistics.items()
    }
    return replace(stage, statistics=scaled, achieved_rate=stage.achieved_rate * factor)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([(QUEUE, 2.0, "ttft mean"), (DECODE, 0.018, "tpot mean")]), st.floats(0.2, 5.0))
def test_a_machine_that_is_faster_in_everything_is_stopped_by_the_same(case, factor):
    stages, limit, statistic = case
    found = cause(run_of([faster(stage, factor) for stage in stages]), f"{statistic} <= {limit / factor:.9f}s")
    plain = cause(run_of(stages), f"{statistic} <= {limit}s")
    assert (found.kind, found.confidence) == (plain.kind, plain.confidence)


@settings(max_examples=60, deadline=None)
@given(sweeps(), st.one_of(st.none(), st.floats(0.01, 1.0)))
def test_a_cause_is_unknown_exactly_where_nothing_is_claimed(drawn, busy):
    stages, statistic, limit = drawn
    found = cause(run_of(stages, gpu_busy=busy), f"{statistic} <= {limit:.6f}s")
    assert found is None or (found.kind is CauseKind.UNKNOWN) == (found.confidence is Confidence.CANNOT_TELL)
    assert found is None or "nan" not in " ".join(str(sign.text) for sign in found.evidence).lower()
