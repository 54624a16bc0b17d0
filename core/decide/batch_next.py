"""The one run that would tell more about a batch workload: a larger load, or the best level again."""

from __future__ import annotations

from collections.abc import Sequence

from core.decide.command import command_for
from core.decide.measure import rate_for
from core.decide.requests import requests_for
from core.fit.fit import Fit
from core.i18n import Text, t
from core.model.answer import JobAnswer, NextMeasurement, Status, Throughput
from core.model.run import Kind, Run
from core.model.target import Target
from core.model.workload import Verdict


def next_for_batch(
    run: Run, fit: Fit, throughput: Throughput, job: JobAnswer | None, targets: Sequence[Target]
) -> NextMeasurement | None:
    """Return the next level worth measuring, None where the answer needs none.

    Args:
        run: its conditions go into the command.
        fit: the same run.
        throughput: the highest rate found.
        job: the job's time, None where no job was given.
        targets: those that hold beside, possibly none.
    """
    if not fit.levels:
        return None
    if throughput.status is Status.AT_LEAST:
        why = t("Throughput still rises at the largest level: one at twice the load shows where it stops")
        return _plan(run, 2.0 * fit.levels[-1], targets, why)
    if throughput.at is None:
        return None
    if run.kind is Kind.SIMULATED:
        why = t("These numbers are simulated: a benchmark at the load of the highest throughput confirms them")
        return _plan(run, throughput.at, targets, why)
    if job and job.deadline is Verdict.CANNOT_TELL and job.completion_s:
        why = t("The deadline lies within the range: a long run at this load narrows it")
        return _plan(run, throughput.at, targets, why, times=4)
    return None


def _plan(run: Run, load: float, targets: Sequence[Target], why: Text, *, times: int = 1) -> NextMeasurement:
    concurrency = max(1, round(load))
    requests = times * requests_for(targets, concurrency)
    rate = rate_for(run, load) if run.load_axis == "request_rate" else None
    return NextMeasurement(
        concurrency=float(concurrency),
        requests=requests,
        why=why,
        command=command_for(run, concurrency, requests, rate),
        rate=rate,
    )
