"""The evidence of a cause in words, each observation with its measured numbers."""

from __future__ import annotations

from core.decide.relief import Relief, read_together
from core.decide.signs import Signs
from core.i18n import t
from core.model.cause import Sign
from core.model.metric import Metric, fraction
from core.model.stage import Stage
from core.model.target import Target

_TAIL = 1.5
"""A p99 that is this far above the mean is worth a sentence."""


def evidence(signs: Signs, relief: Relief, target: Target) -> tuple[Sign, ...]:
    """Return what speaks for the split of a latency, what accounts for most of it first."""
    found: list[tuple[float, Sign | None]] = [
        (relief.places, _waiting(signs)),
        (relief.prefill, _prompts(signs)),
        (relief.prefill - 1e-6, _tail(signs, target)),
        (relief.decode, _steps(signs)),
        (relief.decode - 1e-6, _busy(signs)),
    ]
    ordered = sorted(found, key=lambda pair: -pair[0])
    return tuple(sign for _, sign in ordered if sign)


def _waiting(signs: Signs) -> Sign | None:
    if signs.knee is None:
        return Sign(code="cause.no_queue", text=t("No level shows requests that wait for a place in the batch"))
    if not signs.waiting_s:
        text = t("Requests wait for a place only from about {knee} in flight on", knee=f"{signs.knee:.3g}")
        return Sign(code="cause.no_queue_yet", text=text)
    return Sign(
        code="cause.waiting",
        text=t(
            "Of {load} requests in flight about {knee} run and the rest wait, {wait} each; throughput no longer rises",
            load=f"{signs.load:.3g}",
            knee=f"{signs.knee:.3g}",
            wait=_time(signs.waiting_s),
        ),
    )


def _prompts(signs: Signs) -> Sign | None:
    if signs.prefill_share is None:
        return None
    if signs.apart or read_together(signs):
        return _first_token(signs)
    return Sign(
        code="cause.prompt_time",
        text=t(
            "Reading prompts takes about {share} of the server's time: {rate} requests/s, each of which took {first}"
            " beyond one decode step at the lowest level",
            share=_percent(min(signs.prefill_share, 1.0)),
            rate=f"{signs.rate or 0.0:.3g}",
            first=_time(max((signs.ttft_first_s or 0.0) - (signs.tpot_first_s or 0.0), 0.0)),
        ),
    )


def _first_token(signs: Signs) -> Sign | None:
    """Say what is known where a share of time would be none: prompts are read apart, or together."""
    if not signs.ttft_s or not signs.tpot_s or not signs.ttft_first_s:
        return None
    text = t(
        "A first token takes {now} there, as long as {steps} decode steps, and {first} at the lowest level",
        now=_time(signs.ttft_s),
        steps=f"{signs.ttft_s / signs.tpot_s:.2g}",
        first=_time(signs.ttft_first_s),
    )
    return Sign(code="cause.first_token_time", text=text)


def _tail(signs: Signs, target: Target) -> Sign | None:
    gaps = target.metric is Metric.ITL
    tail = signs.gap_tail if gaps else signs.tpot_tail
    if fraction(target.statistic) is None or tail is None or tail < _TAIL or target.metric not in _PER_TOKEN:
        return None
    ratio = f"{tail:.3g}"
    text = (
        t(
            "The longest gaps between tokens (p99) are {ratio} times the mean gap: prompts are read in between",
            ratio=ratio,
        )
        if gaps
        else t("The slowest requests (p99) take {ratio} times the mean time per token", ratio=ratio)
    )
    return Sign(code="cause.tail", text=text)


_PER_TOKEN = frozenset({Metric.ITL, Metric.TPOT})


def _steps(signs: Signs) -> Sign | None:
    if signs.tpot_s is None or not signs.tpot_first_s:
        return None
    return Sign(
        code="cause.step_time",
        text=t(
            "A token takes {now} there and {first} at the lowest level",
            now=_time(signs.tpot_s),
            first=_time(signs.tpot_first_s),
        ),
    )


def _busy(signs: Signs) -> Sign | None:
    if signs.gpu_busy is None:
        return None
    text = t("By the profile the accelerator computes {share} of the time", share=_percent(signs.gpu_busy))
    return Sign(code="cause.gpu_busy", text=text)


def nothing_missed(load: float) -> Sign:
    """Say that the sweep ends before anything stops it."""
    text = t("No target was missed up to {load}, the highest load measured", load=f"{load:.3g}")
    return Sign(code="cause.nothing_missed", text=text)


def too_little() -> Sign:
    """Say what a cause needs."""
    text = t("A cause needs the request rate, TTFT and time per token of the levels, and a target on a latency")
    return Sign(code="cause.too_little", text=text)


def no_idle_level(signs: Signs) -> Sign:
    """Say that nothing shows what a request takes that meets no others."""
    text = t(
        "The lowest level has {first} requests in flight already, so it is not known what a prompt takes on an idle"
        " server. To know, measure concurrency 1",
        first=f"{signs.first:.3g}",
    )
    return Sign(code="cause.no_idle_level", text=text)


def near_knee(signs: Signs) -> Sign:
    """Say that the limit lies where a queue is about to begin."""
    text = t(
        "At {load} requests in flight the batch is nearly full, at about {knee}: bursts wait for a place already",
        load=f"{signs.load:.3g}",
        knee=f"{signs.knee or 0.0:.3g}",
    )
    return Sign(code="cause.near_knee", text=text)


def prompts_together(signs: Signs) -> Sign:
    """Say that the time of one prompt does not add up."""
    text = t(
        "A prompt takes {first} on its own; at the highest rate measured that would be {share} of the time. So prompts"
        " are read together, or wait for something else, and their part of the tokens' time is not known",
        first=_time(max((signs.ttft_first_s or 0.0) - (signs.tpot_first_s or 0.0), 0.0)),
        share=_percent(signs.prefill_peak or 0.0),
    )
    return Sign(code="cause.prompts_together", text=text)


def either_limit() -> Sign:
    """Say what would tell the two limits of the batch apart."""
    text = t(
        "The files do not say whether the number of places (max_num_seqs) or the KV cache fills the batch: the"
        " server's setting, or the share of its cache in use, would tell"
    )
    return Sign(code="cause.either_limit", text=text)


def cache_used(share: float) -> Sign:
    """Say how full the cache is."""
    return Sign(code="cause.cache_used", text=t("The KV cache is {share} full there", share=_percent(share)))


def knee_at_limit(signs: Signs) -> Sign:
    """Say that the batch ends where the server was told to end it."""
    text = t(
        "The batch is full at about {knee} requests, and max_num_seqs is {limit}",
        knee=f"{signs.knee or 0.0:.3g}",
        limit=f"{signs.max_num_seqs or 0.0:.4g}",
    )
    return Sign(code="cause.knee_at_limit", text=text)


def knee_below_limit(signs: Signs) -> Sign:
    """Say that the batch ends before the server was told to end it."""
    text = t(
        "The batch is full at about {knee} requests although max_num_seqs allows {limit}: something else fills it",
        knee=f"{signs.knee or 0.0:.3g}",
        limit=f"{signs.max_num_seqs or 0.0:.4g}",
    )
    return Sign(code="cause.knee_below_limit", text=text)


def evictions(signs: Signs) -> Sign:
    """Say what looks like requests that lose their place in the cache and are computed again."""
    text = t(
        "Beyond that load throughput falls by {fall} and the slowest requests' time per token changes by a factor of"
        " {growth}, as where requests lose their place in the cache and are computed again",
        fall=_percent(signs.rate_fall or 0.0),
        growth=f"{signs.tail_growth or 1.0:.3g}",
    )
    return Sign(code="cause.evictions", text=text)


def rate_not_sent(stage: Stage) -> Sign:
    """Say that the generator sent less than it was asked for."""
    text = t(
        "The load generator sent {applied} requests/s where {asked} were asked for",
        applied=f"{stage.applied_rate or 0.0:.3g}",
        asked=f"{stage.asked_rate or 0.0:.3g}",
    )
    return Sign(code="cause.rate_not_sent", text=text)


def not_in_flight(stage: Stage, ratio: float) -> Sign:
    """Say that a level did not hold its load although the server was no slower."""
    asked = stage.asked_concurrency or 0.0
    text = t(
        "Where {asked} requests should be in flight, rate × time in the system gives only {flight}, and they were"
        " answered no slower than at the level below",
        asked=f"{asked:.4g}",
        flight=f"{asked * ratio:.3g}",
    )
    return Sign(code="cause.not_in_flight", text=text)


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"


def _percent(share: float) -> str:
    return f"{share * 100:.2g} %" if share < 0.995 else f"{share * 100:.0f} %"
