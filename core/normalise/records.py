"""Per-request records: to seconds, and the exact statistics that they allow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.raw import RawRequests
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.sketch import ALPHA, Sketch
from core.model.stage import FloatArray, Requests, Statistics
from core.normalise.units import known_unit, seconds

QUANTILES = (0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99, 0.999)
"""What is computed from records, however few they are; whether one may be used is decided later."""


LARGEST = 1e12
"""No request takes so many seconds or tokens: a value beyond is not one."""


def requests_of(raw: RawRequests, place: Place) -> tuple[Requests | None, FloatArray, tuple[Finding, ...]]:
    """Return the records and the gaps between tokens in seconds, and what is wrong with them.

    Args:
        raw: arrays of shape (n,), gaps of shape (m,).
        place: file that they were read from.

    Returns:
        Records (None where the arrays do not fit together), gaps of shape (m,), findings.
    """
    columns = (raw.ttft, raw.e2e, raw.start, raw.input_tokens, raw.output_tokens, raw.tpot, raw.cut_off)
    if not known_unit(raw.unit) or any(c is not None and c.shape != raw.good.shape for c in columns):
        return None, np.empty(0), (_malformed(place),)
    ttft, e2e = _durations(raw.ttft, raw.unit), _durations(raw.e2e, raw.unit)
    output_tokens = _plausible(raw.output_tokens)
    tpot = _tpot(ttft, e2e, output_tokens) if raw.tpot is None else _durations(raw.tpot, raw.unit)
    start = seconds(np.where(np.abs(raw.start) <= 1e300, raw.start, np.nan).astype(np.float64), raw.unit)
    requests = Requests(
        start_s=start,
        ttft_s=ttft,
        tpot_s=tpot,
        e2e_s=e2e,
        input_tokens=_plausible(raw.input_tokens),
        output_tokens=output_tokens,
        good=raw.good,
    )
    gaps = _durations(raw.gaps, raw.unit)
    return requests, gaps[np.isfinite(gaps)], implausible(impossible(raw, requests), int(raw.good.sum()), place)


def statistics_of(requests: Requests, gaps_s: FloatArray) -> dict[Metric, Statistics]:
    """Return mean, sd and quantiles of every metric that the good requests have values of.

    n of itl is the number of good requests, not of gaps: gaps of one request are not
    independent (fit.md 4.2), so the requests are what its statistics rest on.

    Args:
        requests: records of one level.
        gaps_s: pooled gaps between output tokens of the good ones, seconds, shape (m,).
    """
    good = requests.good
    columns = {Metric.TTFT: requests.ttft_s, Metric.TPOT: requests.tpot_s, Metric.E2E: requests.e2e_s}
    found = {metric: exact(column[good]) for metric, column in columns.items()}
    found[Metric.ITL] = exact(gaps_s, n=int(good.sum()))
    return {metric: statistics for metric, statistics in found.items() if statistics is not None}


def gap_statistics(gaps_s: FloatArray, sketch: Sketch | None, unit: str, good: int) -> Statistics | None:
    """Return the statistics of gaps between tokens: exact, or of their sketch where they were too many to keep.

    Args:
        gaps_s: seconds, shape (m,).
        sketch: of gaps in `unit`.
        unit: of time.
        good: good requests, which the statistics rest on.
    """
    if sketch is not None and known_unit(unit):
        return sketch.statistics(QUANTILES, seconds(1.0, unit), good)
    return exact(gaps_s, n=good)


def sketched(place: Place) -> Finding:
    """Return the finding of gaps that were too many to keep."""
    return Finding(
        code="records.gaps_sketched",
        severity=Severity.INFO,
        where=place,
        what=t(
            "The pooled gaps between tokens are too many to keep: their percentiles are within {error} %",
            error=f"{ALPHA * 100:g}",
        ),
        consequence=t("Mean and standard deviation are exact"),
    )


def exact(values_s: FloatArray, n: int | None = None, quantiles: Sequence[float] = QUANTILES) -> Statistics | None:
    """Return the statistics of values, None where there is no finite one.

    Args:
        values_s: seconds, shape (n,); NaN is left out.
        n: what the statistics rest on, if that is not the number of values.
        quantiles: fractions.

    Returns:
        Mean, sd of the population (ddof 0, as the load generators write it), and quantiles by
        linear interpolation (numpy's default).

    >>> exact(np.array([1.0, 2.0, 3.0, np.nan])).quantiles[0.9]
    2.8
    """
    return exact_of(values_s[np.isfinite(values_s)], n, quantiles)


def exact_of(finite: FloatArray, n: int | None = None, quantiles: Sequence[float] = QUANTILES) -> Statistics | None:
    """Return the statistics of finite values as `exact` does; they are sorted in place, which saves a copy."""
    if finite.size == 0:
        return None
    mean, sd = float(finite.mean()), float(finite.std())
    # Sorting is half the work of selecting nine of them.
    finite.sort()
    return Statistics(
        mean=mean,
        sd=sd,
        n=int(finite.size) if n is None else n,
        quantiles=dict(zip(quantiles, _of_sorted(finite, np.array(quantiles)).tolist(), strict=True)),
        rule="linear",
    )


def _of_sorted(ordered: FloatArray, q: FloatArray) -> FloatArray:
    """Return quantiles of sorted values by the arithmetic of numpy's "linear", to the last bit."""
    rank = q * (ordered.size - 1)
    below = np.floor(rank).astype(np.int64)
    above = np.minimum(below + 1, ordered.size - 1)
    part, step = rank - below, ordered[above] - ordered[below]
    found: FloatArray = np.where(part >= 0.5, ordered[above] - step * (1.0 - part), ordered[below] + step * part)
    return found


def _durations(values: FloatArray, unit: str) -> FloatArray:
    return _plausible(seconds(values, unit))


def _plausible(values: FloatArray) -> FloatArray:
    # NaN is neither: where a value is unknown all are looked at one by one.
    if values.size and values.min() >= 0.0 and values.max() <= LARGEST:
        return values.astype(np.float64, copy=False)
    return np.where((values >= 0.0) & (values <= LARGEST), values, np.nan).astype(np.float64)


def _tpot(ttft_s: FloatArray, e2e_s: FloatArray, output_tokens: FloatArray) -> FloatArray:
    # One token has no gap after it, so its time per further token is unknown, not zero.
    gaps = np.where(output_tokens >= 2.0, output_tokens - 1.0, np.nan)
    tpot = (e2e_s - ttft_s) / gaps
    return np.where(tpot >= 0.0, tpot, np.nan).astype(np.float64)


def impossible(raw: RawRequests, requests: Requests) -> int:
    """Return how many good requests have a negative time or end before their first token."""
    with np.errstate(invalid="ignore"):
        negative = (raw.ttft < 0.0) | (raw.e2e < 0.0) | (requests.e2e_s < requests.ttft_s * (1.0 - 1e-6))
    return int((negative & raw.good).sum())


def implausible(count: int, good: int, place: Place) -> tuple[Finding, ...]:
    """Return the finding of impossible times among so many good requests, none where there are none."""
    if not count:
        return ()
    return (
        Finding(
            code="records.implausible",
            severity=Severity.WARNING,
            where=place,
            what=t(
                "{count} of {total} requests have a negative time or end before their first token",
                count=count,
                total=good,
            ),
            consequence=t("Their times are left out where they are impossible"),
            fix=t("Check the clock of the load generator"),
        ),
    )


def _malformed(place: Place) -> Finding:
    return Finding(
        code="records.malformed",
        severity=Severity.ERROR,
        where=place,
        what=t("The lists of requests have different lengths or an unknown unit"),
        consequence=t("The requests are not used, only the summary beside them"),
        fix=t("Send the file again as the tool wrote it"),
    )
