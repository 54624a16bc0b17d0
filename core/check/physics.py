"""Laws that hold whatever the hardware: Little's law, E2E = TTFT + TPOT, the order of percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.check.levels import LITTLES_LAW, Measured, judged, listed, percent, place, stages
from core.check.load import never_reached
from core.check.units import decode_ratio, factor_1000, identity_ratio, little_ratio
from core.i18n import Text, t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind, Run
from core.model.stage import Stage, Statistics

# Thresholds of fit.md 4.8: Little 5 % note, 10 % warn, 25 % exclude; 40 % was seen where a level
# has hardly more requests than slots, hence at least five requests per slot.
NOTE, WARN, EXCLUDE = 0.05, 0.10, 0.25
REQUESTS_PER_SLOT = 5
IDENTITY = 0.10
IDENTITY_CODE = "latency.identity"
SAME_VALUE = 10
"""From this many requests on, equal percentiles are no coincidence."""
LEAST_SPREAD = 0.22
"""Standard deviation over p90 - p10 that no values can be below: the root of 0.1 x 0.1 / 0.2."""


def check_physics(run: Run) -> tuple[Finding, ...]:
    """Return findings about laws that a level breaks."""
    return (*_little(run), *_identity(run), *_order(run), *_mean_above(run), *_no_spread(run), *_impossible_spread(run))


def breaks_little(stage: Stage) -> bool:
    """Return True if rate x E2E misses the asked concurrency by more than 25 %, on enough requests."""
    ratio = little_ratio(stage)
    return ratio is not None and abs(ratio - 1.0) > EXCLUDE and _enough(stage)


def _enough(stage: Stage) -> bool:
    good, asked = stage.requests_good, stage.asked_concurrency
    return good is None or asked is None or good >= REQUESTS_PER_SLOT * asked * stage.replicates


def _little(run: Run) -> list[Finding]:
    if run.kind is Kind.SIMULATED:
        return []
    bands: dict[Severity, Measured] = {severity: [] for severity in Severity}
    short: Measured = []
    for stage in judged(run):
        ratio = little_ratio(stage)
        if ratio is None or abs(ratio - 1.0) <= NOTE or factor_1000(ratio) or never_reached(stage):
            continue
        off = abs(ratio - 1.0)
        if not _enough(stage):
            short.extend([(stage, ratio)] if off > EXCLUDE else [])
            continue
        severity = Severity.ERROR if off > EXCLUDE else Severity.WARNING if off > WARN else Severity.INFO
        bands[severity].append((stage, ratio))
    found = [_off_little(severity, members) for severity, members in bands.items() if members]
    return [*found, *([_short(short)] if short else [])]


def _off_little(severity: Severity, members: Measured) -> Finding:
    worst, ratio = max(members, key=lambda pair: abs(pair[1] - 1.0))
    out = severity is Severity.ERROR
    return Finding(
        code=LITTLES_LAW,
        severity=severity,
        where=place(worst, "concurrency"),
        what=t(
            "At load {levels}: request rate x E2E gives {share} of the concurrency asked for at {worst}",
            levels=listed(stages(members)),
            share=percent(ratio),
            worst=f"{worst.load:.4g}",
        ),
        consequence=t("The level is kept out: that many requests were not in flight")
        if out
        else t("The load of the level is less sure than it looks"),
        fix=t("Check the unit of E2E and whether the load generator could hold the concurrency"),
    )


def _short(members: Measured) -> Finding:
    return Finding(
        code="load.short_level",
        severity=Severity.WARNING,
        where=place(members[0][0], "requests"),
        what=t(
            "At load {levels}, fewer than {count} requests per slot were sent, so that filling and draining weigh in",
            levels=listed(stages(members)),
            count=REQUESTS_PER_SLOT,
        ),
        consequence=t("Throughput reads too low at these levels"),
        fix=t("Send at least ten requests per concurrent slot"),
    )


def _identity(run: Run) -> list[Finding]:
    members = [(s, r) for s in judged(run) if (r := identity_ratio(s)) and abs(r - 1.0) > IDENTITY]
    members = [
        (s, r) for s, r in members if not factor_1000(r) and not factor_1000(decode_ratio(s, Metric.TPOT) or 1.0)
    ]
    if not members:
        return []
    worst, ratio = max(members, key=lambda pair: abs(pair[1] - 1.0))
    if ratio > 1.0:
        cause = t("Tokens that are not counted (reasoning), or TPOT that was divided by too many tokens")
    else:
        cause = t("ITL in the TPOT column, E2E that ends early, or an output length that was asked but not got")
    return [
        Finding(
            code=IDENTITY_CODE,
            severity=Severity.WARNING,
            where=place(worst, "tpot"),
            what=t(
                "At load {levels}: E2E is {share} of TTFT + (tokens - 1) x TPOT at {worst}",
                levels=listed(stages(members)),
                share=percent(ratio),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("One of the three columns, or the output length, does not mean what it says"),
            fix=cause,
        )
    ]


def _each(run: Run) -> list[tuple[Stage, Metric, Statistics]]:
    return [(stage, metric, found) for stage in judged(run) for metric, found in stage.statistics.items()]


def _order(run: Run) -> list[Finding]:
    wrong = []
    for stage, metric, found in _each(run):
        values = [value for _, value in sorted(found.quantiles.items())]
        if any(high < low * (1.0 - 1e-9) for low, high in pairwise(values)):
            wrong.append((stage, metric))
    return _about(
        wrong,
        "latency.percentile_order",
        Severity.ERROR,
        t("a higher percentile is smaller than a lower one"),
        t("Columns are mixed up; no percentile of these levels can be trusted"),
    )


def _mean_above(run: Run) -> list[Finding]:
    wrong = []
    for stage, metric, found in _each(run):
        p99 = found.quantiles.get(0.99)
        if p99 is not None and found.mean is not None and found.mean > p99 * (1.0 + 1e-9):
            wrong.append((stage, metric))
    return _about(
        wrong,
        "latency.mean_above_p99",
        Severity.WARNING,
        t("the mean is above p99"),
        t("A few extreme requests rule the mean, or the columns are of different runs"),
    )


def _no_spread(run: Run) -> list[Finding]:
    if run.kind is Kind.SIMULATED:
        return []
    wrong = []
    for stage, metric, found in _each(run):
        if metric is Metric.RTF or (found.n or 0) < SAME_VALUE:
            continue
        values = set(found.quantiles.values())
        if found.sd == 0.0 or (len(found.quantiles) >= 3 and len(values) == 1):
            wrong.append((stage, metric))
    return _about(
        wrong,
        "latency.no_spread",
        Severity.WARNING,
        t("every request took exactly the same time"),
        t("Measured latencies always differ: the figures are rounded, copied or calculated"),
    )


def _impossible_spread(run: Run) -> list[Finding]:
    """A tenth of the values lies below p10 and a tenth above p90, so that sd is at least 0.22 of their distance."""
    wrong = []
    for stage, metric, found in _each(run):
        low, high = found.quantiles.get(0.1, found.quantiles.get(0.05)), found.quantiles.get(0.9)
        if low is None or high is None or found.sd is None or not found.sd > 0.0:
            continue
        # With p05 the law is weaker; half of the bound leaves room for how percentiles are interpolated.
        if found.sd < 0.5 * LEAST_SPREAD * (high - low):
            wrong.append((stage, metric))
    return _about(
        wrong,
        "latency.impossible_spread",
        Severity.WARNING,
        t("the standard deviation is too small for the percentiles"),
        t("It is in another unit or of other requests; noise reads too small and the range too narrow"),
    )


def _about(wrong: Sequence[tuple[Stage, Metric]], code: str, severity: Severity, what: Text, so: Text) -> list[Finding]:
    if not wrong:
        return []
    metrics = ", ".join(sorted({metric.value.upper() for _, metric in wrong}))
    return [
        Finding(
            code=code,
            severity=severity,
            where=place(wrong[0][0], wrong[0][1].value),
            what=t("{metrics} at {levels}: {what}", metrics=metrics, levels=listed(stages(wrong)), what=what),
            consequence=so,
            fix=t("Check which column is which, and that all of them are of one run"),
        )
    ]
