"""The run that would settle the answer for the service's traffic: its lengths and arrivals at the load in question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from core.decide.command import command_for
from core.decide.requests import requests_for
from core.decide.traffic_arrivals import CONSTANT, POISSON, own_arrivals
from core.decide.traffic_shift import Shift
from core.fit.fit import Fit
from core.i18n import Text, joined, t
from core.model.answer import Capacity, NextMeasurement
from core.model.run import Run
from core.model.target import Target
from core.model.traffic import Arrivals, Traffic

BEYOND_LEVELS = "traffic.beyond_levels"
"""Why an answer for the service's traffic is only a bound: the estimate lies above the highest level measured."""


def next_for_traffic(
    run: Run, fit: Fit, targets: Sequence[Target], traffic: Traffic, shift: Shift, answers: tuple[Capacity, Capacity]
) -> NextMeasurement | None:
    """Return the level to measure with the service's own requests.

    Args:
        run: names tool and model.
        fit: the same run, fitted.
        targets: say how many requests are needed.
        traffic: goes into the command.
        shift: how the two differ.
        answers: as measured, and for the service's traffic.
    """
    level = _level(fit, shift, *answers)
    if level is None:
        return None
    concurrency = max(1, round(level))
    wanted = requests_for(targets, float(concurrency))
    rate = _rate(fit, traffic, shift, level)
    like_yours = _with_traffic(run, traffic)
    return NextMeasurement(
        concurrency=float(concurrency),
        requests=wanted,
        why=t("The file was measured with other requests than yours: send {traffic}", traffic=_asked(traffic)),
        command=command_for(like_yours, concurrency, wanted, rate),
        rate=rate,
    )


def _level(fit: Fit, shift: Shift, measured: Capacity, yours: Capacity) -> float | None:
    """Return the estimate for the service's traffic; where there is none, the measured one over what each adds.

    Where the estimate lies above every level it is the highest of them: the first of which something is known.
    """
    if BEYOND_LEVELS in yours.reasons:
        return fit.levels[-1]
    for capacity, factor in ((yours, 1.0), (measured, max(shift.held.high, shift.fresh.high, shift.answer, 1.0))):
        found = capacity.concurrency
        for load in (found.mid, found.low, found.high) if found else ():
            if load:
                return load / factor
    return fit.levels[len(fit.levels) // 2] if fit.levels else None


def _rate(fit: Fit, traffic: Traffic, shift: Shift, level: float) -> float | None:
    """Return requests/s that put about so many in flight, for arrivals that are no closed loop."""
    arrivals, _ = own_arrivals(traffic)
    if arrivals is None or traffic.arrivals is Arrivals.CLOSED:
        return None
    found = fit.rate("req_s", min(max(level, fit.levels[0]), fit.levels[-1]))
    if found is None or not found.mid or not math.isfinite(found.mid):
        return None
    return float(f"{found.mid / max(shift.answer, 1.0):.3g}")


def _with_traffic(run: Run, traffic: Traffic) -> Run:
    """Return the run with the service's lengths and arrivals, for the writers of commands."""
    known, arrivals = run.conditions, run.conditions.arrival
    match traffic.arrivals:
        case Arrivals.POISSON:
            arrivals = POISSON
        case Arrivals.BURSTY:
            arrivals = f"gamma, burstiness {1.0 / (traffic.burst or 1.0):.4g}"
        case _ if arrivals == CONSTANT:
            arrivals = None
    return replace(
        run,
        conditions=replace(
            known,
            input_tokens_mean=traffic.input_tokens or known.input_tokens_mean,
            output_tokens_mean=traffic.output_tokens or known.output_tokens_mean,
            arrival=arrivals,
        ),
    )


def _asked(traffic: Traffic) -> Text:
    """Return the traffic in words for an engineer."""
    parts = []
    if traffic.input_tokens is not None:
        parts.append(t("{tokens} input tokens", tokens=f"{traffic.input_tokens:,.0f}"))
    if traffic.output_tokens is not None:
        parts.append(t("{tokens} output tokens", tokens=f"{traffic.output_tokens:,.0f}"))
    if traffic.hit_rate is not None:
        parts.append(t("{share} % of the prompt in the prefix cache", share=f"{100.0 * traffic.hit_rate:.3g}"))
    match traffic.arrivals:
        case Arrivals.POISSON:
            parts.append(t("arrivals at random"))
        case Arrivals.BURSTY:
            parts.append(t("arrivals in bursts"))
        case Arrivals.CLOSED:
            parts.append(t("a fixed number in flight"))
        case _:
            pass
    return joined(parts)
