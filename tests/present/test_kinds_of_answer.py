"""Every kind of sweep that an answer must handle, from the levels to the words of the first screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from core.model.answer import Status
from core.model.target import parse_target
from core.pipeline import answer_run, checked
from core.present.account import account
from core.present.doubts import reasons_text
from core.present.headline import headline
from tests.fit.sweeps import stage, sweep
from tests.present.builders import run_of

LOADS = (1, 2, 4, 8, 16, 32)
RISING = (0.010, 0.011, 0.013, 0.018, 0.030, 0.060)
MEAN = "tpot mean <= 20 ms"


def losing(*pairs):
    """Levels that lost so many of 1000 requests."""
    return [
        replace(stage(load, n=1000 - lost, tpot={"mean": 0.01}), requests_failed=lost, requests_sent=1000)
        for load, lost in pairs
    ]


def with_ttft(rows):
    return [stage(load, tpot={"mean": tpot}, ttft={"mean": ttft}) for load, tpot, ttft in rows]


@dataclass(frozen=True)
class Case:
    stages: list
    targets: tuple[str, ...]
    status: Status
    reason: str | None
    first: str
    clause: str | None = None
    stops: str | None = None


CASES = {
    "one level that passes": Case(
        sweep((4,), (0.010,)), (MEAN,), Status.AT_LEAST, None,
        "At least 4 concurrent requests (the highest load measured)",
    ),
    "one level that fails": Case(
        sweep((4,), (0.100,)), (MEAN,), Status.BELOW, None,
        "Below 4 concurrent requests (the lowest load measured)",
    ),
    "two levels": Case(
        sweep((4, 16), (0.010, 0.040)), (MEAN,), Status.CANNOT_TELL, "levels.bracket_only",
        "The limit lies between 4 and 16 concurrent requests.", "Fewer than three levels tell it",
    ),
    "three levels": Case(
        sweep((1, 4, 16), (0.010, 0.015, 0.040)), (MEAN,), Status.WITHIN, "levels.three",
        "concurrent request", "It rests on three levels only",
    ),
    "a p99 of forty requests": Case(
        sweep(LOADS, RISING, statistic="p99", n=40), ("tpot p99 <= 20 ms",), Status.CANNOT_TELL,
        "sample.too_few_for_quantile", "it rests on 40 requests and is in effect the largest of them",
        "Too few requests were sent",
    ),
    "a p99 of two hundred requests": Case(
        sweep(LOADS, RISING, statistic="p99", n=200), ("tpot p99 <= 20 ms",), Status.WITHIN, "sample.weak_quantile",
        "concurrent requests, safely", "Few requests were sent for so high a percentile",
    ),
    "a flat curve": Case(
        sweep(LOADS, (0.0199, 0.01995, 0.0200, 0.02005, 0.0201, 0.02015)), ("tpot mean <= 20.02 ms",),
        Status.WITHIN, "curve.flat", "request", "The value hardly rises with load near the limit",
    ),
    "a pass above a fail": Case(
        sweep((4, 8, 16, 32), (0.010, 0.0215, 0.019, 0.060)), (MEAN,), Status.WITHIN, "order.pass_above_fail",
        "concurrent requests, safely", "A level keeps it above one that misses it",
    ),
    "every level passes": Case(
        sweep(LOADS, RISING), ("tpot mean <= 120 ms",), Status.AT_LEAST, None,
        "At least 32 concurrent requests (the highest load measured)", stops="no target was missed",
    ),
    "no level passes": Case(
        sweep(LOADS, RISING), ("tpot mean <= 5 ms",), Status.BELOW, None,
        "Below 1 concurrent request (the lowest load measured)", stops="no measured load keeps TPOT mean ≤ 5 ms",
    ),
    "the tightest of several": Case(
        with_ttft([(load, tpot, 0.01 * load) for load, tpot in zip(LOADS, RISING, strict=True)]),
        ("tpot mean <= 50 ms", "ttft mean <= 50 ms"), Status.WITHIN, None,
        "concurrent requests, safely", stops="stopped by TTFT mean",
    ),
    "one of several that no level gives": Case(
        sweep(LOADS, RISING), (MEAN, "ttft mean <= 1 s"), Status.CANNOT_TELL, "sample.no_such_statistic",
        "Cannot tell TTFT mean: no level gives it.", "No level gives it",
    ),
    "a success rate": Case(
        losing((1, 2), (2, 4), (4, 8), (8, 16), (16, 32)), ("success_rate value >= 99%",), Status.WITHIN, None,
        "concurrent request", stops="stopped by Success rate",
    ),
    "a success rate without counts": Case(
        [replace(each, requests_failed=None) for each in sweep(LOADS, RISING)], ("success_rate value >= 99%",),
        Status.CANNOT_TELL, "sample.failures_unknown", "the files do not record how many requests failed",
        "The files do not record how many requests failed",
    ),
    "goodput from statistics alone": Case(
        [stage(load, tpot={"p50": v, "p90": 1.1 * v, "p99": 1.2 * v}) for load, v in zip(LOADS, RISING, strict=True)],
        ("goodput value >= 95%", "tpot p50 <= 20 ms"), Status.CANNOT_TELL, "goodput.only_bounds",
        "The limit lies between", "Without per-request records the share is only known between bounds",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_kind_has_its_status_its_reason_and_its_words(case):
    run = checked(run_of(stages=case.stages))
    answer = answer_run(run, [parse_target(text) for text in case.targets], None)
    said = headline(answer)
    assert answer.capacity.status is case.status
    assert case.first in said.safe
    if case.reason is not None:
        assert case.reason in answer.capacity.reasons
    if case.clause is not None:
        assert any(sentence.startswith(case.clause) for sentence in reasons_text(answer.capacity))
    if case.stops is not None:
        assert case.stops in (said.stopped_by or "")
    assert said.safe in account(answer)
    assert headline(answer, "ko").safe != said.safe


def test_few_levels_are_a_finding_too():
    codes = {
        count: {finding.code for finding in checked(run_of(stages=sweep(LOADS[:count], RISING[:count]))).findings}
        for count in (1, 2, 3)
    }
    assert "sweep.few_levels" in codes[1] & codes[2]
    assert "sweep.few_levels" not in codes[3]
