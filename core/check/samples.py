"""How many requests a figure rests on, and which requests are missing from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter

from core.check.levels import NONE_COMPLETED, Measured, judged, listed, percent, place, stages
from core.i18n import Text, t
from core.model.finding import Finding, Severity
from core.model.metric import quantile_name
from core.model.run import Kind, Run
from core.model.stage import Stage

# Below 1/(1 - q) requests a quantile q is the largest value; below three times that it is weak
# (contract of the command line; fit.md 1 for its width). formats.md 0.3: flag above about 1 % errors.
# Above 10 % the survivors are no sample of the load any more (FMBench: mean falls from 44 to 35 s).
WEAK = 3.0
FAILED = 0.01
TOO_MANY_FAILED = 0.10
TAIL, JUDGED_QUANTILES = 0.9, 0.99
"""Higher quantiles are judged when a target asks for one."""


def check_samples(run: Run) -> tuple[Finding, ...]:
    """Return findings about sample sizes, failures and requests that were cut off."""
    return (*_quantiles(run), *_none_completed(run), *_failed(run), *_cut_off(run))


def lost_share(stage: Stage) -> float | None:
    """Return failed requests over all that ended, None where failures are unknown."""
    if stage.requests_failed is None or stage.requests_good is None:
        return None
    ended = stage.requests_good + stage.requests_failed + (stage.requests_cut_off or 0)
    return stage.requests_failed / ended if ended else None


def none_completed(stage: Stage) -> bool:
    """Return True if not one request came back."""
    return stage.requests_good == 0


def _quantiles(run: Run) -> list[Finding]:
    if run.kind is Kind.SIMULATED:
        return []
    largest: dict[float, Measured] = defaultdict(list)
    weak: dict[float, Measured] = defaultdict(list)
    for stage in judged(run):
        for q, n in _fewest(stage).items():
            beyond = n * (1.0 - q) + 1e-9
            if beyond < WEAK:
                (largest if beyond < 1.0 else weak)[q].append((stage, n))
    return [
        *_rests_on(
            largest,
            "sample.too_few_for_quantile",
            Severity.WARNING,
            t("Each is the slowest request of its level, and no target on it can be judged there"),
        ),
        *_rests_on(
            weak,
            "sample.weak_quantile",
            Severity.INFO,
            t("These are rough figures; the range of the answer is wider for them"),
        ),
    ]


def _fewest(stage: Stage) -> dict[float, int]:
    """Return by tail quantile the smallest number of requests that it rests on in any metric."""
    fewest: dict[float, int] = {}
    for statistics in stage.statistics.values():
        for q in statistics.quantiles:
            if statistics.n is not None and TAIL <= q <= JUDGED_QUANTILES:
                fewest[q] = min(statistics.n, fewest.get(q, statistics.n))
    return fewest


def _rests_on(by_quantile: dict[float, Measured], code: str, severity: Severity, so: Text) -> list[Finding]:
    if not by_quantile:
        return []
    told = [
        t("{quantile} at {levels} ({count} requests)", quantile=quantile_name(q), levels=_loads(m), count=_span(m))
        for q, m in sorted(by_quantile.items())
    ]
    highest = max(by_quantile)
    return [
        Finding(
            code=code,
            severity=severity,
            where=place(by_quantile[highest][0][0], "requests"),
            what=t("Few requests behind {told}", told=_joined(told)),
            consequence=so,
            fix=t("Send at least {count} requests per level", count=round(WEAK / (1.0 - highest))),
        )
    ]


def _joined(texts: Sequence[Text]) -> Text:
    first, *others = texts
    return t("{first}; {others}", first=first, others=_joined(others)) if others else first


def _loads(members: Measured) -> str:
    return listed(stages(members))


def _span(members: Measured) -> str:
    fewest, most = (pick(int(n) for _, n in members) for pick in (min, max))
    return str(fewest) if fewest == most else f"{fewest}–{most}"


def _none_completed(run: Run) -> list[Finding]:
    members = [stage for stage in run.stages if none_completed(stage)]
    if not members:
        return []
    return [
        Finding(
            code=NONE_COMPLETED,
            severity=Severity.ERROR,
            where=place(members[0], "completed"),
            what=t("At load {levels}, not one request was completed", levels=listed(members) or "?"),
            consequence=t("The level says nothing about latency and is kept out"),
            fix=t("Look at the server's log for this level and measure it again"),
        )
    ]


def _failed(run: Run) -> list[Finding]:
    lost = [(stage, share) for stage in judged(run) if (share := lost_share(stage)) is not None]
    shares = [(stage, share) for stage, share in lost if share > FAILED and not none_completed(stage)]
    if not shares:
        return []
    worst, highest = max(shares, key=itemgetter(1))
    too_many = highest > TOO_MANY_FAILED
    return [
        Finding(
            code="sample.failed_requests",
            severity=Severity.ERROR if too_many else Severity.WARNING,
            where=place(worst, "failed"),
            what=t(
                "At load {levels}, requests failed, {share} of them at {worst}",
                levels=listed(stages(shares)),
                share=percent(highest),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("Failed requests are in no latency, so these levels look faster than they are"),
            fix=t("Find out why they failed, and measure the levels again"),
        )
    ]


def _cut_off(run: Run) -> list[Finding]:
    shares: Measured = []
    for stage in judged(run):
        cut, good = stage.requests_cut_off, stage.requests_good
        if cut and good is not None:
            shares.append((stage, cut / (cut + good + (stage.requests_failed or 0))))
    shares = [(stage, share) for stage, share in shares if share > FAILED]
    if not shares:
        return []
    worst, highest = max(shares, key=itemgetter(1))
    return [
        Finding(
            code="sample.cut_off",
            severity=Severity.WARNING,
            where=place(worst, "cut_off"),
            what=t(
                "At load {levels}, requests were cut off at the end of the run, {share} of them at {worst}",
                levels=listed(stages(shares)),
                share=percent(highest),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("The slowest requests are the ones that are missing: high percentiles read too low"),
            fix=t("Let the run end by its number of requests, or give it more time to finish them"),
        )
    ]
