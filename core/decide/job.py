"""How long a job takes at the load of the highest rate, and whether that is in time."""

from __future__ import annotations

import math

import numpy as np

from core.fit.fit import Fit
from core.model.answer import Interval, JobAnswer, LoadPoint, Status, Throughput
from core.model.workload import Job, Verdict

FAR = 2.0
"""Lengths that differ by more than this factor are another workload: nothing measured tells its time."""


def job_answer(fit: Fit, throughput: Throughput, job: Job) -> JobAnswer:
    """Return the time of a job, requests / rate, with its range.

    The last requests finish while fewer and fewer are in flight; the upper end has the time of one
    request (load / rate, Little's law) added for it. Where the job's requests are longer or shorter than
    those of the run, work is taken to grow between linearly (tokens) and quadratically (longer contexts
    make every token dearer, and fewer fit into memory) with each length.

    Args:
        fit: the run.
        throughput: of the same run; its load is the one the job runs at.
        job: number and lengths of requests, deadline.
    """
    point, reasons = throughput.point, throughput.reasons
    if point is None or throughput.at is None:
        return _untold(job, reasons)
    if job.requests < throughput.at:
        return _untold(job, (*reasons, "job.smaller_than_load"))
    rate = point.req_s or _from_tokens(fit, point)
    if rate is None or not rate.low or not rate.mid or not rate.high:
        return _untold(job, (*reasons, "job.request_rate_unknown"))
    lengths = _lengths(fit, throughput.at, job)
    if isinstance(lengths, str):
        return _untold(job, (*reasons, lengths))
    shortest, middle, longest = lengths
    completion = Interval(
        low=job.requests / rate.high * shortest,
        mid=job.requests / rate.mid * middle,
        high=(job.requests + throughput.at) / rate.low * longest,
        level=rate.level,
    )
    differ = ("job.lengths_differ",) if longest > shortest else ()
    more = throughput.status is Status.AT_LEAST
    return JobAnswer(
        completion_s=completion,
        deadline=_verdict(completion, job.deadline_s, more=more),
        reasons=(*reasons, *differ),
    )


def _untold(job: Job, reasons: tuple[str, ...]) -> JobAnswer:
    return JobAnswer(
        completion_s=None,
        deadline=Verdict.CANNOT_TELL if job.deadline_s is not None else None,
        reasons=tuple(dict.fromkeys(reasons)),
    )


def _verdict(completion: Interval, deadline_s: float | None, *, more: bool) -> Verdict | None:
    """Return whether the job is done in time; where more load may be faster, late is not yet missed."""
    if deadline_s is None or completion.low is None or completion.high is None:
        return None
    if completion.high <= deadline_s:
        return Verdict.MET
    return Verdict.MISSED if completion.low > deadline_s and not more else Verdict.CANNOT_TELL


def _from_tokens(fit: Fit, point: LoadPoint) -> Interval | None:
    """Return requests per second from output tokens per second, where a request's tokens are known."""
    each, rate = _at(fit, "output_tokens_mean", point.at), point.output_tok_s
    if rate is None or not each:
        return None
    low, mid, high = (None if x is None else x / each for x in (rate.low, rate.mid, rate.high))
    return Interval(low=low, mid=mid, high=high, level=rate.level)


def _lengths(fit: Fit, load: float, job: Job) -> tuple[float, float, float] | str:
    """Return by which factors the job's requests may take longer than the run's, or why that is not known."""
    ratios = []
    for name, wanted in (("input_tokens_mean", job.input_tokens), ("output_tokens_mean", job.output_tokens)):
        own = _at(fit, name, load)
        if wanted is not None and not own:
            return "job.lengths_unknown"
        ratios.append(wanted / own if wanted is not None and own else 1.0)
    least, most = min(ratios), max(ratios)
    if most > FAR or least < 1.0 / FAR:
        return "job.lengths_far"
    return least * min(least, 1.0), math.sqrt(least * most), most * max(most, 1.0)


def _at(fit: Fit, name: str, load: float) -> float | None:
    """Return a field of the levels on a straight line between them, the nearest level's outside; None where unknown."""
    value = fit.sweep.field(name)
    known = np.isfinite(value) & (value > 0.0)
    return float(np.interp(load, fit.sweep.load[known], value[known])) if known.any() else None
