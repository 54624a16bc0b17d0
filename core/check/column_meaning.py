"""What a column can mean: TTFT of answers in one piece, tokens counted twice, a time per token of the whole server."""

from __future__ import annotations

from collections.abc import Sequence

from core.check.levels import Measured, judged, listed, place, quotient, stages
from core.check.units import decode_ratio
from core.i18n import Text, t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind, Run
from core.model.stage import Stage

COUNTED_TWICE = "itl.counted_twice"
OF_SYSTEM = "tpot.of_system"
EXPLAINED = frozenset({COUNTED_TWICE, OF_SYSTEM})
"""Findings that say why E2E is not TTFT + (tokens - 1) x TPOT, so that nobody has to say that it is not."""

# formats.md 5: 2.1 in 42 stages, 1.84 with several tokens a step, and a median gap of almost nothing.
TWICE = (1.7, 2.5)
EMPTY_GAP = 0.25
# formats.md 11: a time per token of the whole server is the client's over the level; the law itself may be off.
NEAR_LEVEL = (0.6, 1.6)
FROM_LEVEL = 4.0
ONE_PIECE = 1e-3
# Pooled gaps have the wider tail and spread: a request's mean smooths its own. Unequal lengths blur that.
SWAPPED_TAIL, SWAPPED_SPREAD, SWAPPED_ALONE = 1.1, 1.3, 1.5
ENOUGH_TOKENS = 8.0


def check_column_meaning(run: Run) -> tuple[Finding, ...]:
    """Return findings about columns that hold something else than their header says."""
    if run.kind is Kind.SIMULATED:
        return ()
    every = (_one_piece, _late_first_token, _counted_twice, _of_system, _swapped)
    return (*(finding for check in every for finding in check(run)), *_scope(run))


def counts_twice(stage: Stage) -> bool:
    """Return True where each token shows as two events: half the gaps are nothing, and their mean is half of TPOT."""
    ratio, found = decode_ratio(stage, Metric.ITL), stage.statistics.get(Metric.ITL)
    if ratio is None or found is None or found.mean is None or not TWICE[0] < ratio < TWICE[1]:
        return False
    median = found.quantiles.get(0.5)
    return median is None or median < EMPTY_GAP * found.mean


def _one_piece(run: Run) -> list[Finding]:
    pairs = [(s, *both) for s in judged(run) if (both := _means(s, Metric.TTFT, Metric.E2E))]
    same = [stage for stage, ttft, e2e in pairs if abs(ttft - e2e) <= ONE_PIECE * e2e and _many_tokens(stage)]
    return _about(
        same,
        "ttft.equals_e2e",
        Severity.ERROR,
        "ttft",
        t("TTFT equals E2E at {levels}: the answers came in one piece", levels=listed(same)),
        t("TTFT was not measured; what stands there is the whole request"),
        t("Measure again with streaming switched on"),
    )


def _many_tokens(stage: Stage) -> bool:
    return stage.output_tokens_mean is None or stage.output_tokens_mean > 1.5


def _late_first_token(run: Run) -> list[Finding]:
    wrong = []
    for stage in judged(run):
        ttft, e2e = stage.statistics.get(Metric.TTFT), stage.statistics.get(Metric.E2E)
        if ttft is None or e2e is None:
            continue
        pairs = [(ttft.mean, e2e.mean), *((ttft.quantiles[q], e2e.quantiles.get(q)) for q in ttft.quantiles)]
        if any(first is not None and whole is not None and first > whole * (1.0 + ONE_PIECE) for first, whole in pairs):
            wrong.append(stage)
    return _about(
        wrong,
        "latency.ttft_above_e2e",
        Severity.ERROR,
        "ttft",
        t("At load {levels}, the first token comes later than the end of the request", levels=listed(wrong)),
        t("TTFT and E2E are mixed up, in different units, or of different runs"),
        t("Check which column is which, and that all of them are of one run"),
    )


def _counted_twice(run: Run) -> list[Finding]:
    hit = [stage for stage in judged(run) if counts_twice(stage)]
    return _about(
        hit,
        COUNTED_TWICE,
        Severity.ERROR,
        "itl",
        t("At load {levels}, the mean ITL is half of (E2E - TTFT) / (tokens - 1)", levels=listed(hit)),
        t("Each token was counted as two events of the stream: mean and median of ITL and TPOT are half of the truth"),
        t("Judge E2E and TTFT, or measure ITL with another load generator"),
    )


def _of_system(run: Run) -> list[Finding]:
    known: Measured = [
        (s, r) for s in judged(run) if (r := decode_ratio(s, Metric.TPOT)) and (s.load or 0) >= FROM_LEVEL
    ]
    hit = [(s, r) for s, r in known if NEAR_LEVEL[0] < r / (s.load or 1.0) < NEAR_LEVEL[1]]
    loads = [stage.load or 1.0 for stage, _ in hit]
    if len(hit) < 2 or len(hit) < len(known) or max(loads) < 2.0 * min(loads):
        return []
    return _about(
        stages(hit),
        OF_SYSTEM,
        Severity.ERROR,
        "tpot",
        t("At load {levels}, TPOT is too small by the number of requests in flight", levels=listed(stages(hit))),
        t("It is the time per token of the whole server, not what one user waits for"),
        t("Use (E2E - TTFT) / (tokens - 1), or a load generator that measures it per request"),
    )


def _swapped(run: Run) -> list[Finding]:
    known = [(stage, ratios) for stage in judged(run) if (ratios := _tails(stage))]
    hit = [stage for stage, (tail, spread) in known if tail > SWAPPED_TAIL and spread > SWAPPED_SPREAD]
    if len(hit) < 2 or 2 * len(hit) < len(known):
        return []
    return _about(
        hit,
        "itl.swapped",
        Severity.WARNING,
        "tpot",
        t("At load {levels}, TPOT spreads more than ITL, up to its p99", levels=listed(hit)),
        t("Single gaps have the wider tail, so the two columns seem to be in each other's place"),
        t("Check which column is which"),
    )


def _tails(stage: Stage) -> tuple[float, float] | None:
    """Return p99 and standard deviation of TPOT over those of ITL; an unknown spread does not speak against."""
    itl, tpot = stage.statistics.get(Metric.ITL), stage.statistics.get(Metric.TPOT)
    if itl is None or tpot is None or (stage.output_tokens_mean or ENOUGH_TOKENS) < ENOUGH_TOKENS:
        return None
    tail = quotient(tpot.quantiles.get(0.99) or 0.0, itl.quantiles.get(0.99) or 0.0)
    spread = quotient(tpot.sd or 0.0, itl.sd or 0.0)
    if tail is None:
        return None
    return (tail, spread) if spread else (tail * SWAPPED_TAIL / SWAPPED_ALONE, float("inf"))


def _scope(run: Run) -> list[Finding]:
    timed = [stage for stage in judged(run) if Metric.TTFT in stage.statistics]
    if not timed or run.conditions.ttft_scope is not None:
        return []
    return _about(
        timed[:1],
        "ttft.scope_unknown",
        Severity.INFO,
        "ttft",
        t("The files do not say what TTFT includes: the queue, the network, and where it was measured"),
        t("It cannot be compared with the TTFT of another tool"),
        t("Say it once under Conditions on the Data page"),
    )


def _means(stage: Stage, one: Metric, other: Metric) -> tuple[float, float] | None:
    first, second = stage.value(one, "mean"), stage.value(other, "mean")
    if first is None or second is None:
        first, second = stage.value(one, "p50"), stage.value(other, "p50")
    return (first, second) if first and second else None


def _about(
    hit: Sequence[Stage], code: str, severity: Severity, field: str, what: Text, so: Text, fix: Text
) -> list[Finding]:
    if not hit:
        return []
    return [Finding(code=code, severity=severity, where=place(hit[0], field), what=what, consequence=so, fix=fix)]
