"""The answer for the service's own traffic, beside the answer for the traffic that was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from core.decide.decide import Decision, combined
from core.decide.traffic_bounds import carried_over
from core.decide.traffic_findings import findings_of
from core.decide.traffic_next import BEYOND_LEVELS, next_for_traffic
from core.decide.traffic_shift import Shift, shift_of
from core.fit.fit import Fit
from core.model.answer import Capacity, Interval, Status, TargetAnswer, TrafficAnswer
from core.model.difference import Difference, Effect, Match
from core.model.run import Run
from core.model.target import Target
from core.model.traffic import Traffic


def answer_traffic(
    run: Run, fit: Fit, decision: Decision, targets: Sequence[Target], traffic: Traffic | None
) -> TrafficAnswer | None:
    """Return the answer for the service's traffic, None where nothing is known of it.

    Args:
        run: its conditions and records are compared.
        fit: the same run, fitted.
        decision: the answer as measured.
        targets: the whole set, at least one.
        traffic: what the service's users send.
    """
    if traffic is None or traffic.unknown or not targets:
        return None
    shift, differences = shift_of(run, traffic)
    answers = _answers(fit, targets, shift)
    capacity = _of_set(answers)
    told = tuple(_told(fit, targets, shift, decision.capacity, each) for each in differences)
    differ = any(each.match in (Match.DIFFERENT, Match.NOT_MEASURED) for each in told)
    return TrafficAnswer(
        traffic=traffic,
        differences=told,
        capacity=capacity,
        per_target=answers,
        widened=_widened(decision.capacity, capacity),
        findings=findings_of(fit, traffic, told, capacity),
        next_measurement=(
            next_for_traffic(run, fit, targets, traffic, shift, (decision.capacity, capacity)) if differ else None
        ),
    )


def _answers(fit: Fit, targets: Sequence[Target], shift: Shift) -> tuple[TargetAnswer, ...]:
    return tuple(
        TargetAnswer(target=target, capacity=_as_far_as_measured(fit, carried_over(fit, target, targets, shift)))
        for target in targets
    )


def _of_set(answers: Sequence[TargetAnswer]) -> Capacity:
    """Return the answer of the whole set; it has an estimate where one target has it, however far the others reach."""
    found = combined(answers)
    if found.concurrency is None or found.concurrency.mid is None:
        return found
    return replace(found, reasons=tuple(code for code in found.reasons if code != BEYOND_LEVELS))


def _as_far_as_measured(fit: Fit, capacity: Capacity) -> Capacity:
    """Return the answer without what lies above every level: nothing is extrapolated.

    There the upper end is open, and an estimate is none: what is known is the low end, as a bound.
    """
    span = capacity.concurrency
    if span is None or not fit.levels or max(span.mid or 0.0, span.high or 0.0) <= fit.levels[-1]:
        return capacity
    beyond = capacity.beyond if span.high is None else span.high
    if span.mid is None or span.mid <= fit.levels[-1]:
        return replace(capacity, concurrency=replace(span, high=None), beyond=beyond)
    reasons = (*capacity.reasons, BEYOND_LEVELS)
    return replace(capacity, concurrency=replace(span, mid=None, high=None), beyond=beyond, reasons=reasons)


def _told(fit: Fit, targets: Sequence[Target], shift: Shift, measured: Capacity, found: Difference) -> Difference:
    """Return a difference with what it does on its own."""
    only = shift.alone(found.condition)
    if found.match is Match.EQUAL or only.nothing:
        return replace(found, safe=measured.safe)
    alone = _of_set(_answers(fit, targets, only))
    return replace(found, effect=_effect(measured, alone), safe=alone.safe)


def _effect(measured: Capacity, alone: Capacity) -> Effect:
    if alone.status is Status.CANNOT_TELL and measured.status is not Status.CANNOT_TELL:
        return Effect.UNTOLD
    if (alone.safe or 0) < (measured.safe or 0):
        return Effect.LOWERS
    return Effect.NONE if alone.concurrency == measured.concurrency else Effect.WIDENS


def _widened(measured: Capacity, yours: Capacity) -> float | None:
    """Return the share of the squared ln width that the difference of traffic adds, None where an end is open."""
    before, after = _width(measured.concurrency), _width(yours.concurrency)
    if before is None or after is None:
        return None
    return max(1.0 - (before / after) ** 2, 0.0) if after > 0.0 else 0.0


def _width(found: Interval | None) -> float | None:
    if found is None or not found.low or not found.high or found.low <= 0.0:
        return None
    return math.log(found.high / found.low)
