"""The calibrated numbers of the method, from a versioned data file (docs/method.md says how they are made)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from core.errors import Place, UsageError
from core.fit.method import VERSION
from core.i18n import t
from core.model.metric import Metric, fraction
from core.settings import DATA

RISKS = (0.05, 0.1, 0.95)
"""Quantiles of capacity that are kept: the ends of the 90 % range, and the safe number's."""

FLAT, FLAT_BELOW = "flat", 0.3
"""Where a curve rises slower (d ln value / d ln load), ranges have a stretch of their own, "<class>_flat"."""

NEAR, NEAR_GAP = 0.25, 0.4
"""By how much ranges are wider in a narrow bracket, falling with ln of its ratio over `NEAR_GAP`: such levels are
chosen where the others said the crossing lies, so their errors hang together. Chosen so that ranges hold after advised
runs (`python -m benchmarks.accuracy.advice`); without it they held in 86 % there."""

OPEN_LOOP_WIDTH = 1.2
"""By how much ranges are wider where levels were sent at rates: the network learned from levels held in flight.
Chosen on 24 simulated deployments (seed 11), checked on 24 others (`python -m benchmarks.accuracy.open_loop`)."""

TERMS = ("requests", "run", "gap", "interpolants", "bend", "rough", "restless")
"""Names of the terms of the scale model, in order (see `core.fit.scale`)."""


class RateScale(msgspec.Struct, frozen=True, kw_only=True):
    """Width of the throughput band, as `core.fit.rate` reads it.

    Attributes:
        floor, gap, bend, rough: weights of the run-to-run change, of the distance to the nearest
            levels, of the change of slope there, and of the noise of the sweep.
        low, high: 5 % and 95 % quantiles of ln(true / expected) / scale.
    """

    floor: float
    gap: float
    bend: float
    rough: float
    low: float
    high: float


class Constants(msgspec.Struct, frozen=True, kw_only=True):
    """What calibration found.

    Attributes:
        version: of this file's form.
        terms: weight of each squared term of the scale, by name.
        quantiles: by class of statistic, the quantiles `RISKS` of ln(true / estimate) / scale,
            for metrics that the network did not learn.
        stretch: by class, steep and flat, by how much each bound of `RISKS` is moved away from the estimate,
            so that ranges hold as often as they say on deployments that were not learned from; None: no network.
        network: fingerprint of the network that the stretch was measured on (`core.fit.edition`).
    """

    version: str
    terms: dict[str, float]
    quantiles: dict[str, tuple[float, float, float]]
    rate: RateScale
    stretch: dict[str, tuple[float, float, float]] | None = None
    network: str = ""


@cache
def shipped() -> Constants:
    """Return the constants that come with Plimsoll."""
    return read_constants(DATA / "method" / f"constants-{VERSION}.json")


def read_constants(path: Path) -> Constants:
    """Read a constants file.

    Raises:
        UsageError: unreadable, or of another form.
    """
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Constants)
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(
            "method.constants_unreadable",
            t("Cannot read the constants of the method: {error}", error=str(error)),
            fix=t("Use the file that came with Plimsoll, or make one with benchmarks/accuracy/calibrate.py"),
            place=Place(path.name),
        ) from error
    if set(found.terms) != set(TERMS) or found.version != VERSION:
        raise UsageError(
            "method.constants_version",
            t("The constants file is of another version of the method"),
            fix=t("Make it anew with benchmarks/accuracy/calibrate.py"),
            place=Place(path.name),
        )
    return found


def class_of(metric: Metric, statistic: str) -> str:
    """Return the class whose quantiles apply: middle, p90, p99, or the tail of itl.

    >>> class_of(Metric.TTFT, "p95")
    'p99'
    """
    q = fraction(statistic)
    if q is None or q <= 0.75:
        return "middle"
    if metric is Metric.ITL:
        return "itl_tail"
    return "p90" if q <= 0.925 else "p99"
