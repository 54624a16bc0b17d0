"""Seconds taken for milliseconds: a factor of 1000 against a law or against the neighbouring level."""

from __future__ import annotations

from core.check.levels import judged, listed, mean, pairs_with, place, quotient
from core.i18n import Text, t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage

# fit.md 4.8: "a ratio near 1000 or 0.001 = unit mistake". Near: within a factor of two, since the
# law itself may be off as well. Between levels a real step never comes near a factor of 300.
NEAR = 2.0
STEP = 300.0
FAILED_SHARE = 0.01

LATENCIES = (Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E)


def check_units(run: Run) -> tuple[Finding, ...]:
    """Return findings about a unit that differs from what the other figures say."""
    stages = judged(run)
    by_little = [s for s in stages if (ratio := little_ratio(s)) and factor_1000(ratio)]
    by_identity = [s for s in stages if _identity_off(s)]
    found = []
    if by_little:
        found.append(_mistake(by_little, "e2e", t("request rate x E2E is 1000 times off the concurrency")))
    if by_identity:
        found.append(_mistake(by_identity, "tpot", t("E2E is 1000 times off TTFT + (tokens - 1) x TPOT")))
    for metric in LATENCIES:
        steps = [pair for pair in pairs_with(stages, metric) if _jumps(*pair, metric)]
        if steps:
            what = t("the mean {metric} jumps by a factor near 1000 between levels", metric=metric.value.upper())
            found.append(_mistake([upper for _, upper in steps], metric.value, what))
    return tuple(found)


def little_ratio(stage: Stage) -> float | None:
    """Return rate x mean E2E over the asked concurrency, else measured in flight over asked.

    None in open loop, where something is unknown, and where so many requests failed that the
    good ones alone do not fill the slots.
    """
    asked = stage.asked_concurrency
    if stage.open_loop or not asked or _failed_share(stage) > FAILED_SHARE:
        return None
    e2e, rate = stage.value(Metric.E2E, "mean"), stage.achieved_rate
    if e2e is not None and rate is not None and e2e * rate > 0.0:
        return rate * e2e / asked
    return stage.achieved_concurrency / asked if stage.achieved_concurrency else None


def identity_ratio(stage: Stage) -> float | None:
    """Return mean E2E over TTFT + (tokens - 1) x TPOT of the means, None where one is unknown."""
    e2e, ttft = stage.value(Metric.E2E, "mean"), stage.value(Metric.TTFT, "mean")
    tpot, tokens = stage.value(Metric.TPOT, "mean"), stage.output_tokens_mean
    if e2e is None or ttft is None or tpot is None or tokens is None or tokens < 2.0:
        return None
    expected = ttft + (tokens - 1.0) * tpot
    return e2e / expected if expected > 0.0 and e2e > 0.0 else None


def decode_ratio(stage: Stage, metric: Metric) -> float | None:
    """Return E2E - TTFT over (tokens - 1) x the mean of ITL or TPOT, None where one is unknown."""
    e2e, ttft = stage.value(Metric.E2E, "mean"), stage.value(Metric.TTFT, "mean")
    per_token, tokens = stage.value(metric, "mean"), stage.output_tokens_mean
    if e2e is None or ttft is None or not per_token or tokens is None or tokens < 2.0 or e2e <= ttft:
        return None
    return quotient(e2e - ttft, (tokens - 1.0) * per_token)


def _identity_off(stage: Stage) -> bool:
    """Whether E2E or the time per token is 1000 times off; a long TTFT hides the latter in their sum."""
    return any(ratio and factor_1000(ratio) for ratio in (identity_ratio(stage), decode_ratio(stage, Metric.TPOT)))


def factor_1000(ratio: float) -> bool:
    """Return True if a ratio is near 1000 or near 1/1000.

    >>> factor_1000(980.0), factor_1000(0.0011), factor_1000(3.0)
    (True, True, False)
    """
    return any(factor / NEAR < ratio < factor * NEAR for factor in (1000.0, 0.001))


def _failed_share(stage: Stage) -> float:
    lost = (stage.requests_failed or 0) + (stage.requests_cut_off or 0)
    return lost / (lost + stage.requests_good) if stage.requests_good else 0.0


def _jumps(lower: Stage, upper: Stage, metric: Metric) -> bool:
    ratio = mean(upper, metric) / mean(lower, metric)
    growth = max((upper.load or 1.0) / (lower.load or 1.0), 1.0)
    # A queue may grow in proportion to the load, and somewhat faster.
    return ratio > STEP * growth or ratio < 1.0 / STEP


def _mistake(stages: list[Stage], field: str, what: Text) -> Finding:
    return Finding(
        code="unit.factor_1000",
        severity=Severity.ERROR,
        where=place(stages[0], field),
        what=t("At load {levels}: {what}", levels=listed(stages), what=what),
        consequence=t("Seconds and milliseconds are mixed; answers on this metric are wrong by that factor"),
        fix=t("Correct the unit of this column and load the file again"),
    )
