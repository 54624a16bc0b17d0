"""What a deployment is for: it decides which number leads, concurrency within limits or the end of a job."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum

from core.errors import UsageError
from core.i18n import t

MOST_REQUESTS = 10**12
"""More than this is a slip of the finger."""

_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|s)\s*", re.IGNORECASE)
_SECONDS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0}
_LONGEST_S = 1e9


class WorkloadKind(StrEnum):
    """Kinds of workload. Stored and printed: never rename one."""

    CHAT = "chat"
    API = "api"
    BATCH = "batch"
    VOICE = "voice"


class Verdict(StrEnum):
    """Whether something promised is kept. A failure to measure is not a miss. Printed: never rename one."""

    MET = "met"
    MISSED = "missed"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work that is given once and is to be done.

    Attributes:
        requests: how many, >= 1.
        input_tokens, output_tokens: mean of one request, > 0; None where they are as in the run.
        deadline_s: seconds in which it has to be done, > 0, None where there is none.
    """

    requests: int
    input_tokens: float | None = None
    output_tokens: float | None = None
    deadline_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Kind, and for a batch the job where one is given."""

    kind: WorkloadKind
    job: Job | None = None


def parse_duration(text: str) -> float:
    """Return seconds of a time as people write it: a number with d, h, min or s, several may follow each other.

    Raises:
        UsageError: "job.deadline_unreadable".

    >>> parse_duration("4h"), parse_duration("1 h 30 min"), parse_duration("90s")
    (14400.0, 5400.0, 90.0)
    """
    parts = _PART.findall(text.strip())
    found = sum(float(number) * _SECONDS[unit[0].lower()] for number, unit in parts)
    if _PART.sub("", text.strip()) or not parts or not 0.0 < found <= _LONGEST_S:
        raise UsageError(
            "job.deadline_unreadable",
            t('Cannot read the time "{text}"', text=text),
            fix=t("Write a number with its unit, such as 4h, 90min or 1h 30min"),
        )
    return found


def workload_of(
    kind: str | None,
    *,
    requests: int | None = None,
    deadline: str | None = None,
    input_tokens: float | None = None,
    output_tokens: float | None = None,
) -> Workload | None:
    """Return the workload that a command asks for, None where it says nothing about it.

    Raises:
        UsageError: "job.not_batch" where a job is given for another kind, "job.requests_missing" where a
            deadline or lengths stand without a number of requests, "job.out_of_range",
            "job.deadline_unreadable".
    """
    job = (requests, deadline, input_tokens, output_tokens)
    if kind is None and not any(part is not None for part in job):
        return None
    if kind != WorkloadKind.BATCH and any(part is not None for part in job):
        raise UsageError(
            "job.not_batch",
            t("A job with an end belongs to a batch workload"),
            fix=t("Add --workload batch, or leave the job out"),
        )
    if requests is None:
        if any(part is not None for part in job):
            raise UsageError(
                "job.requests_missing",
                t("The job does not say how many requests it has"),
                fix=t("Add --job-requests with a whole number"),
            )
        return Workload(kind=WorkloadKind(kind)) if kind else None
    return Workload(kind=WorkloadKind.BATCH, job=_job(requests, deadline, input_tokens, output_tokens))


def _job(requests: int, deadline: str | None, input_tokens: float | None, output_tokens: float | None) -> Job:
    if not 1 <= requests <= MOST_REQUESTS or not all(_is_length(x) for x in (input_tokens, output_tokens)):
        raise UsageError(
            "job.out_of_range",
            t("A number of the job is out of range"),
            fix=t("Requests and tokens are numbers above zero"),
        )
    limit = parse_duration(deadline) if deadline is not None else None
    return Job(requests=requests, input_tokens=input_tokens, output_tokens=output_tokens, deadline_s=limit)


def _is_length(tokens: float | None) -> bool:
    return tokens is None or (math.isfinite(tokens) and 0.0 < tokens <= MOST_REQUESTS)
