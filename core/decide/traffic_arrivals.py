"""Requests that arrive at random: how many may be in flight on average so that a steady number is rarely exceeded.

With requests arriving at random and each taking its time whatever the others do (M/G/infinity), the number in
flight is Poisson: its variance is its mean. With gaps of squared coefficient of variation b >= 1 the variance is at
most b times the mean (heavy traffic limit, equal service times). A load generator's closed loop does not vary: b = 0.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from core.model.metric import fraction
from core.model.run import Run
from core.model.traffic import Arrivals, Traffic

Z_OF_MEAN = 1.0
"""Standard deviations for a mean, which a rare swing moves less than a percentile."""

CLOSED = "closed loop"
POISSON = "poisson"
CONSTANT = "constant"
_GAMMA = "gamma, burstiness "


def steady_mean(carried: float, z: float, measured: float, yours: float) -> float:
    """Return the mean in flight whose upper swing is that of the measured load.

    Solves N + z sqrt(yours N) = carried + z sqrt(measured carried) for N.

    Args:
        carried: requests in flight that were carried, >= 0.
        z: standard deviations of the swing, >= 0.
        measured: variance over mean of the number in flight of the run: 0 closed loop, 1 at random, more in bursts.
        yours: the same of the service.

    >>> steady_mean(100.0, 0.0, 0.0, 1.0), round(steady_mean(110.0, 1.0, 0.0, 1.0), 6)
    (100.0, 100.0)
    """
    top = carried + z * math.sqrt(measured * carried)
    swing = z * math.sqrt(yours)
    root = math.sqrt(0.25 * swing**2 + top) - 0.5 * swing
    return root * root if swing else top


def z_of(statistic: str) -> float:
    """Return the standard deviations that a statistic has to outlast: those of its own quantile.

    >>> round(z_of("p99"), 3), z_of("mean"), z_of("p50")
    (2.326, 1.0, 0.0)
    """
    q = fraction(statistic)
    return Z_OF_MEAN if q is None else max(NormalDist().inv_cdf(q), 0.0)


def measured_arrivals(run: Run) -> tuple[str | None, float | None]:
    """Return how the run's requests arrived, in its own word, and the variance of that; None is unknown."""
    said = run.conditions.arrival
    if said is None:
        return (CLOSED, 0.0) if run.load_axis == "concurrency" else (None, None)
    if said in (CLOSED, CONSTANT):
        return said, 0.0
    if said == POISSON:
        return said, 1.0
    head, told, shape = said.partition(_GAMMA)
    if told and not head and shape.replace(".", "", 1).isdecimal() and float(shape) > 0.0:
        return said, 1.0 / float(shape)
    return said, None


def own_arrivals(traffic: Traffic) -> tuple[str | None, float | None]:
    """Return how the service's requests arrive and the variance of that; people who think are at random."""
    match traffic.arrivals:
        case Arrivals.CLOSED:
            return CLOSED, 0.0
        case Arrivals.POISSON:
            return POISSON, 1.0
        case Arrivals.BURSTY:
            return Arrivals.BURSTY.value, traffic.burst
        case _ if traffic.users is not None and traffic.think_s is not None:
            # So many people, each waiting for the answer, vary less than arrivals at random, never more.
            return (POISSON, 1.0) if traffic.think_s > 0.0 else (CLOSED, 0.0)
        case _:
            return None, None
