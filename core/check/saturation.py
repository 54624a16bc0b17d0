"""Which levels that were sent at a rate fell behind it: latency there grows with the run and has no steady value.

Two signs. Fewer requests were answered than were asked for, beyond what the last requests of a run explain, and the
others waited. Or, where every request is recorded: both the requests in flight and the time to the first token grow
over the run, beyond chance and by half (after GuideLLM, which stops a run by the slopes of the same two).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.model.metric import Metric
from core.model.stage import FloatArray, Stage

IntArray = npt.NDArray[np.intp]

ACHIEVED = 0.95
"""A rate that is missed by more is not the rate of the level any more (formats.md 0.2, 5)."""

WAITED = 0.25
"""Share of the time that a run lasted too long by which its mean stay is at least longer, where a queue was why."""

GREW = 0.5
"""Growth over the run, as a share of the mean, that is more than a rate near the limit wanders."""

_BLOCKS = 8
_PER_BLOCK = 5
_CERTAIN = 2.45
"""Student's t of 6 degrees of freedom that one chance in forty exceeds. Requests near each other share their queue, so
that means of eight stretches are compared and not single requests."""


def saturated(stages: Sequence[Stage]) -> tuple[bool, ...]:
    """Return which levels fell behind the rate that they were sent at, in the order given.

    Args:
        stages: all levels of one run in use: the idlest tells how long the end of a run takes.
    """
    idle_s = idle_stay(stages)
    return tuple(fell_behind(stage, idle_s) or grew(stage) for stage in stages)


def idle_stay(stages: Sequence[Stage]) -> float:
    """Return the mean stay (s) at the idlest level sent at a rate, 0 where none is known.

    The stay of an idle server, not of the level itself: a queue must not excuse itself.
    """
    stays = [stay for stage in stages if _at_rate(stage) and (stay := stage.value(Metric.E2E, "mean"))]
    return min(stays, default=0.0)


def fell_behind(stage: Stage, idle_s: float) -> bool:
    """Return True where less than 95 % of the rate was answered, and requests waited for it.

    Random arrivals miss their rate by chance: by a tenth in a hundred requests. A queue that grows to the end of a
    run makes requests wait half of what the run lasted too long; half of that again is asked for.
    """
    share = answered(stage, idle_s)
    if share is None or share >= ACHIEVED:
        return False
    stay, duration_s = stage.value(Metric.E2E, "mean"), stage.duration_s
    sent = sum(count or 0 for count in (stage.requests_good, stage.requests_failed, stage.requests_cut_off))
    if not (stay and duration_s and sent and idle_s):
        return True
    too_long_s = (duration_s - sent / _sent_at(stage)) / stage.replicates - idle_s
    return stay - idle_s >= WAITED * too_long_s


def answered(stage: Stage, idle_s: float) -> float | None:
    """Return the share of the rate that was answered, without the stay of the last requests; None if not sent at one.

    A failed request was answered too: failures are another finding.
    """
    if not _at_rate(stage) or stage.achieved_rate is None:
        return None
    asked = _sent_at(stage)
    ending = idle_s * stage.replicates / stage.duration_s if stage.duration_s else 0.0
    good, failed = stage.requests_good or 0, stage.requests_failed or 0
    rate = stage.achieved_rate * (1.0 + failed / good if good else 1.0)
    return rate / (asked * max(1.0 - ending, 0.5))


def grew(stage: Stage) -> bool:
    """Return True where requests in flight and TTFT both grew over the run; False too where no record tells."""
    requests = stage.requests
    if requests is None or not _at_rate(stage) or stage.replicates > 1:
        return False
    known = np.isfinite(requests.start_s) & np.isfinite(requests.e2e_s) & np.isfinite(requests.ttft_s)
    order = np.argsort(requests.start_s[known])
    start, stay, first = (a[known][order] for a in (requests.start_s, requests.e2e_s, requests.ttft_s))
    if not start.size:
        return False
    # While the first requests are still in, their number grows in any system.
    used = start >= start[0] + np.median(stay)
    if used.sum() < _BLOCKS * _PER_BLOCK:
        return False
    gone = np.searchsorted(np.sort(start + stay), start, side="right")
    flight = np.arange(1.0, start.size + 1.0) - gone
    return all(_rises(start[used], values[used]) for values in (flight, first))


def _rises(at_s: FloatArray, values: FloatArray) -> bool:
    """Return True where values rise with time beyond chance, by `GREW` of their middle over the whole time."""
    parts = np.array_split(np.arange(at_s.size), _BLOCKS)
    # Clocks of any file: a time of 1e300 s is not told from rising, nor does it stop the check.
    with np.errstate(over="ignore", invalid="ignore"):
        return _rises_over(parts, at_s, values)


def _rises_over(parts: list[IntArray], at_s: FloatArray, values: FloatArray) -> bool:
    time, value = (np.array([series[part].mean() for part in parts]) for series in (at_s, values))
    off = time - time.mean()
    spread = float(off @ off)
    if not 0.0 < spread < float("inf"):
        return False
    slope = float(off @ value) / spread
    rest = value - value.mean() - slope * off
    error = float(np.sqrt(rest @ rest / (_BLOCKS - 2) / spread))
    return slope > _CERTAIN * error and slope * (at_s[-1] - at_s[0]) > GREW * abs(float(value.mean()))


def _at_rate(stage: Stage) -> bool:
    """Return True where nothing but the rate limited what was sent: with a ceiling the queue waits in the client."""
    asked = stage.asked_rate
    return stage.asked_concurrency is None and asked is not None and 0.0 < asked < float("inf")


def _sent_at(stage: Stage) -> float:
    """Return requests/s asked for, or really sent where that is less."""
    rates = [stage.asked_rate, stage.applied_rate]
    requests = stage.requests
    if requests is not None and stage.replicates == 1:
        start = requests.start_s[np.isfinite(requests.start_s)]
        window = float(np.ptp(start)) if start.size > 1 else 0.0
        rates.append((start.size - 1) / window if window > 0.0 else None)
    return min(rate for rate in rates if rate)
