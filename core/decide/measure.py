"""The one run that would narrow the answer most (fit.md 4.9)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.decide.command import commands_for
from core.decide.decide import Decision
from core.decide.expected import widths
from core.decide.requests import PER_LEVEL, duration, enough, requests_for, round_up
from core.decide.single import as_latency
from core.fit.fit import Fit
from core.i18n import Text, t
from core.model.answer import Capacity, NextMeasurement, Status, TargetAnswer
from core.model.run import Kind, Run
from core.model.target import Target

NARROW = 1.05
"""A range whose ends are nearer than this is not worth another run. With 1.15 the safe number, unconfirmed, was over
the limit in 4 % of the simulated cases after two advised runs in place of 2 %."""

_SAME = 0.1
"""An estimate nearer than this to a level, on the log axis, counts as measured: next, what lies below is confirmed."""


def next_measurement(run: Run, fit: Fit, decision: Decision, targets: Sequence[Target]) -> NextMeasurement | None:
    """Return the next level worth measuring, None where nothing would help or no level is known.

    Args:
        run: its conditions go into the command.
        fit: the same run, fitted.
        decision: the answer for `targets`.
        targets: the whole set.
    """
    if not fit.levels:
        return None
    capacity = decision.capacity
    deciding = _deciding(decision)
    wanted = requests_for(targets, 1.0)
    if run.kind is Kind.SIMULATED and capacity.safe:
        why = t("These numbers are simulated: a benchmark of this configuration at the safe load confirms them")
        return _plan(run, fit, float(capacity.safe), wanted, why)
    if capacity.status is Status.BELOW:
        return _below(run, fit, wanted)
    if capacity.status is Status.AT_LEAST:
        why = t("Every level passes: one at twice the largest shows where it stops")
        return _plan(run, fit, 2.0 * fit.levels[-1], wanted, why)
    if deciding.capacity.status is Status.CANNOT_TELL:
        return _untold(run, fit, deciding, wanted)
    others = [each.target for each in decision.per_target if each is not deciding]
    return _within(run, fit, deciding, wanted, missed=any(_misses_at_top(fit, target) for target in others))


def with_widths(
    run: Run, fit: Fit, decision: Decision, targets: Sequence[Target], found: NextMeasurement
) -> NextMeasurement:
    """Return the measurement with the width of the range now and as expected after it.

    Costs some refits, and is therefore left to whoever shows it. A measured level never joins a simulated curve.
    """
    if run.kind is Kind.SIMULATED:
        return found
    base = requests_for(targets, found.concurrency)
    told = widths(fit, decision, targets, found.concurrency, (found.requests, base))
    return replace(found, width_now=told[0], width_after=told[1]) if told else found


def _deciding(decision: Decision) -> TargetAnswer:
    """Return the target whose answer is worth narrowing: the untold one, else the one that binds."""
    for answer in decision.per_target:
        if answer.capacity.status is Status.CANNOT_TELL:
            return answer
    binding = [a for a in decision.per_target if a.target == decision.capacity.binding]
    return binding[0] if binding else decision.per_target[0]


def _below(run: Run, fit: Fit, wanted: int) -> NextMeasurement | None:
    lowest = fit.levels[0]
    if lowest <= 1.0:
        return None
    why = t("No level passes: a smaller one shows whether anything is carried")
    return _plan(run, fit, max(1.0, math.floor(lowest / 2.0)), wanted, why)


def _untold(run: Run, fit: Fit, deciding: TargetAnswer, wanted: int) -> NextMeasurement | None:
    """Ask for what is missing: requests at the bracket, a repeat of the lowest level, or a level between."""
    reasons = deciding.capacity.reasons
    if "goodput.only_bounds" in reasons:
        why = t("Percentiles only bound how many requests are inside all limits: keep one record per request")
        return _plan(run, fit, _middle(fit), wanted, why)
    if "sample.no_such_statistic" in reasons or "sample.failures_unknown" in reasons:
        why = t("The files do not hold this statistic: record it, or keep one record per request")
        return _plan(run, fit, _middle(fit), wanted, why)
    if deciding.capacity.concurrency is None and {"load.saturated", "sample.failed_requests"} & set(reasons):
        why = t("Every level fell behind its rate or lost too many requests: a lower load shows what is carried")
        return _plan(run, fit, max(1.0, math.floor(fit.levels[0] / 2.0)), wanted, why)
    if "order.lowest_fails" in reasons:
        why = t("The lowest level fails while a higher one passes: repeat it with more requests and a warm-up")
        return _plan(run, fit, fit.levels[0], max(wanted, 4 * _requests_at(fit, fit.levels[0])), why)
    if "sample.too_few_for_quantile" in reasons:
        load = _bracket_load(fit, deciding.target)
        why = t("Too few requests for this percentile at the levels around the limit")
        return _plan(run, fit, load, wanted, why)
    if "noise.sweep_wide" in reasons:
        load = _bracket_load(fit, deciding.target)
        why = t("The levels contradict each other: repeat this one on a quiet machine")
        return _plan(run, fit, load, max(wanted, 4 * _requests_at(fit, load)), why)
    bracket = deciding.capacity.concurrency
    if bracket and bracket.low and bracket.high:
        why = t("Fewer than three levels: one between the passing and the failing one allows an estimate")
        return _plan(run, fit, math.sqrt(bracket.low * bracket.high), wanted, why)
    return _plan(run, fit, 2.0 * fit.levels[-1], wanted, t("Fewer than three levels: one more allows an estimate"))


def _within(run: Run, fit: Fit, deciding: TargetAnswer, wanted: int, *, missed: bool) -> NextMeasurement | None:
    """Return a level at the estimate or below it; one above all where it may lie there and none `missed` a target."""
    capacity = deciding.capacity
    span = capacity.concurrency
    if span is None or span.mid is None:
        return None
    if span.high is None and not missed:
        return _plan(run, fit, 1.5 * fit.levels[-1], wanted, _open_above(fit, deciding.target))
    if _is_narrow(capacity):
        return None
    load, why = span.mid, t("A level at the estimate tells most about this limit")
    if span.low and _has_level_near(fit, span.mid):
        load = span.mid * math.sqrt(max(span.low, 0.1 * span.mid) / span.mid)
        why = t("A level halfway between the estimate and the low end confirms what you promise")
    read = as_latency(deciding.target)
    fewest = max(wanted, round_up(PER_LEVEL * max(1, round(load))))
    return _plan(run, fit, load, enough(fit.points(read.metric, read.statistic), load, fewest), why)


def _open_above(fit: Fit, target: Target) -> Text:
    """Return why a larger level decides: the largest one is too near the limit to either side of it."""
    if _misses_at_top(fit, target):
        return t("The largest level misses the limit, but not beyond noise: one half as large again decides it")
    return t("The largest level passes, but not beyond noise: one half as large again decides it")


def _misses_at_top(fit: Fit, target: Target) -> bool:
    """Return whether the largest level misses a target as measured, however little."""
    read = as_latency(target)
    points = fit.points(read.metric, read.statistic)
    value = points.value if points.raw is None else points.raw
    return bool(points.load.size and value[-1] > read.limit)


def _is_narrow(capacity: Capacity) -> bool:
    span = capacity.concurrency
    if span is None or span.low is None or span.mid is None or span.high is None or span.low <= 0.0:
        return False
    return span.high / span.low < NARROW or math.floor(span.low) == math.floor(span.high)


def _has_level_near(fit: Fit, load: float) -> bool:
    return any(abs(math.log(level / load)) < _SAME for level in fit.levels)


def _middle(fit: Fit) -> float:
    return fit.levels[len(fit.levels) // 2]


def _bracket_load(fit: Fit, target: Target) -> float:
    """Return the measured level nearest below the crossing, the smallest where there is none."""
    read = as_latency(target)
    points = fit.points(read.metric, read.statistic)
    if not points.load.size:
        return _middle(fit)
    at = int(np.searchsorted(points.log_fit, math.log(read.limit), side="right")) - 1
    return float(points.load[max(at, 0)])


def _requests_at(fit: Fit, load: float) -> int:
    at = int(np.argmin(np.abs(fit.sweep.load - load)))
    good = fit.sweep.good[at]
    return int(good) if np.isfinite(good) else 0


def _plan(run: Run, fit: Fit, load: float, wanted: int, why: Text) -> NextMeasurement:
    """Write one measurement: a whole concurrency, ten requests a slot or what the quantile needs."""
    concurrency = max(1, round(load))
    requests = max(wanted, round_up(PER_LEVEL * concurrency))
    rate = rate_for(run, load) if run.load_axis == "request_rate" else None
    commands = commands_for(run, concurrency, requests, rate)
    return NextMeasurement(
        concurrency=float(concurrency),
        requests=requests,
        why=why,
        command=commands[0].command if commands[0].tool == run.format_id else None,
        rate=rate,
        commands=commands,
        duration_s=duration(fit, concurrency, requests, rate),
    )


def rate_for(run: Run, load: float) -> float | None:
    """Return the requests/s to ask for so that about `load` are in flight, None where no level tells.

    A measured level keeps the rate that was asked for, so that its repeat is the same level. Between
    levels the achieved rate is interpolated, to three digits; beyond them it grows with the load as at
    the nearest level, by Little's law with that level's time.

    Args:
        run: its levels in use that were sent at a rate are read.
        load: requests in flight wanted, > 0.
    """
    used = [stage for stage in run.stages if stage.excluded is None and stage.open_loop]
    pairs = [(stage.load, stage.achieved_rate or stage.asked_rate, stage.asked_rate) for stage in used]
    known = sorted((at, rate, asked) for at, rate, asked in pairs if at and rate and asked)
    if not known:
        return None
    same = [asked for at, _, asked in known if math.isclose(at, load)]
    if same:
        return same[0]
    loads, rates = [at for at, _, _ in known], [rate for _, rate, _ in known]
    found = float(np.interp(load, loads, rates)) * load / min(max(load, loads[0]), loads[-1])
    return float(f"{found:.3g}")
