"""Was the load that was asked for really applied?"""

from __future__ import annotations

from operator import itemgetter

from core.check.levels import NEVER_REACHED, Measured, judged, listed, percent, place, stages
from core.check.saturation import ACHIEVED, answered, fell_behind, grew, idle_stay
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage

SATURATED = "load.saturated"
SHORT = 3.0
"""Stays of one request that sending at a rate lasts at least: in fewer nothing becomes steady."""

CHANCE = 2.0
"""Standard deviations of the count of random arrivals that are allowed for on top."""

# fit.md 4.8: levels compare only if requests per slot follow one rule, such as 10 N.
SAME_RULE = 2.0


def check_load(run: Run) -> tuple[Finding, ...]:
    """Return findings about levels whose load was not reached or not comparable."""
    every = (_never_reached, _client_limited, _saturated, _short, _ceiling, _requests_rule)
    return tuple(finding for check in every for finding in check(run))


def never_reached(stage: Stage) -> bool:
    """Return True if fewer requests were sent than were to be in flight at once."""
    asked, sent = stage.asked_concurrency, _sent(stage)
    return not stage.open_loop and asked is not None and sent is not None and 0 < sent < asked * stage.replicates


def _sent(stage: Stage) -> int | None:
    if stage.requests_sent is not None or stage.requests_good is None:
        return stage.requests_sent
    return stage.requests_good + (stage.requests_failed or 0) + (stage.requests_cut_off or 0)


def _never_reached(run: Run) -> list[Finding]:
    members = [stage for stage in judged(run) if never_reached(stage)]
    if not members:
        return []
    worst = members[-1]
    return [
        Finding(
            code=NEVER_REACHED,
            severity=Severity.ERROR,
            where=place(worst, "requests"),
            what=t(
                "At load {levels}, fewer requests were sent than should be in flight: {sent} at {worst}",
                levels=listed(members),
                sent=_sent(worst) or 0,
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("The level never reached its load and is kept out"),
            fix=t("Send at least ten requests per concurrent slot"),
        )
    ]


def _client_limited(run: Run) -> list[Finding]:
    stages_ = judged(run)
    idle_s = idle_stay(stages_)
    members = [(stage, share) for stage in stages_ if (share := _sent_share(stage, idle_s)) is not None]
    if not members:
        return []
    worst, share = min(members, key=itemgetter(1))
    return [
        Finding(
            code="load.client_limited",
            severity=Severity.WARNING,
            where=place(worst, "applied_rate"),
            what=t(
                "At load {levels}, the load generator sent too few requests: {share} of the rate asked for at {worst}",
                levels=listed(stages(members)),
                share=percent(share),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("The generator was the limit, not the server; the level is placed by what was in flight"),
            fix=t("Give the load generator more workers, or spread it over several machines"),
        )
    ]


def _sent_share(stage: Stage, idle_s: float) -> float | None:
    """Return the share of the rate that was sent, None where it was sent or nobody knows.

    Where the file does not say what was sent: a rate that was missed beyond chance although no request waited.
    """
    if stage.asked_rate and stage.applied_rate:
        share = stage.applied_rate / stage.asked_rate
        return share if share < ACHIEVED else None
    answer = answered(stage, idle_s)
    if answer is None or fell_behind(stage, idle_s) or not stage.requests_good:
        return None
    return answer if answer < ACHIEVED - CHANCE / stage.requests_good**0.5 else None


def _saturated(run: Run) -> list[Finding]:
    stages_ = judged(run)
    idle_s = idle_stay(stages_)
    behind: Measured = [(s, share) for s in stages_ if fell_behind(s, idle_s) and (share := answered(s, idle_s))]
    grown = [stage for stage in stages_ if grew(stage) and not fell_behind(stage, idle_s)]
    return [*([_behind(behind)] if behind else []), *([_grown(grown)] if grown else [])]


def _behind(members: Measured) -> Finding:
    worst, _ = min(members, key=itemgetter(1))
    return Finding(
        code=SATURATED,
        severity=Severity.WARNING,
        where=place(worst, "request_throughput"),
        what=t(
            "At {levels} requests in flight the rate was not achieved: {achieved} of {asked} requests/s at {worst}",
            levels=listed(stages(members)),
            achieved=f"{worst.achieved_rate or 0.0:.3g}",
            asked=f"{worst.asked_rate or 0.0:.3g}",
            worst=f"{worst.load:.4g}",
        ),
        consequence=t("The queue grew all the time: latency there depends on how long the run lasted"),
        fix=t("Read the last rate before it as the limit, or measure with a fixed concurrency"),
    )


def _grown(members: list[Stage]) -> Finding:
    return Finding(
        code=SATURATED,
        severity=Severity.WARNING,
        where=place(members[-1], "ttft"),
        what=t(
            "At {levels} requests in flight both their number and TTFT grew from the start to the end of the run",
            levels=listed(members),
        ),
        consequence=t("The queue grew all the time: latency there depends on how long the run lasted"),
        fix=t("Read the last rate before it as the limit, or measure with a fixed concurrency"),
    )


def _short(run: Run) -> list[Finding]:
    members = [(stage, stays) for stage in judged(run) if (stays := _stays(stage)) and stays < SHORT]
    if not members:
        return []
    worst, fewest = min(members, key=itemgetter(1))
    return [
        Finding(
            code="load.short_run",
            severity=Severity.WARNING,
            where=place(worst, "duration"),
            what=t(
                "At {levels} requests in flight sending lasted less than three times as long as one request:"
                " {stays} times at {worst}",
                levels=listed(stages(members)),
                stays=f"{fewest:.2g}",
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("The requests in flight were still becoming more: at that rate a longer run is slower"),
            fix=t("Send at each rate for at least ten times as long as one request takes"),
        )
    ]


def _stays(stage: Stage) -> float | None:
    """Return for how many mean stays requests were sent at a rate, None where that is not known."""
    stay, sent = stage.value(Metric.E2E, "mean"), _sent(stage)
    if not stage.open_loop or not stage.asked_rate or not stay or not sent:
        return None
    return sent / stage.replicates / stage.asked_rate / stay


def _ceiling(run: Run) -> list[Finding]:
    members = [stage for stage in judged(run) if stage.at_ceiling]
    if not members:
        return []
    return [
        Finding(
            code="load.at_ceiling",
            severity=Severity.INFO,
            where=place(members[-1], "max_concurrency"),
            what=t(
                "At load {levels}, the ceiling on requests in flight was reached before the rate",
                levels=listed(members),
            ),
            consequence=t("The other requests waited in the load generator: the level counts as a fixed concurrency"),
        )
    ]


def _requests_rule(run: Run) -> list[Finding]:
    shares: Measured = [
        (stage, stage.requests_good / (stage.asked_concurrency * stage.replicates))
        for stage in judged(run)
        if stage.requests_good and stage.asked_concurrency and not stage.open_loop
    ]
    if not shares:
        return []
    (fewest, least), (_, most) = min(shares, key=itemgetter(1)), max(shares, key=itemgetter(1))
    if most <= SAME_RULE * least:
        return []
    return [
        Finding(
            code="load.requests_rule",
            severity=Severity.INFO,
            where=place(fewest, "requests"),
            what=t(
                "Levels have between {fewest} and {most} requests per slot",
                fewest=_figure(least),
                most=_figure(most),
            ),
            consequence=t("The start-up burst weighs more where there are few: high levels look slower than they are"),
            fix=t("Send the same number of requests per slot at every level, such as ten times the concurrency"),
        )
    ]


def _figure(value: float) -> str:
    """Return a number of requests as people write it.

    >>> _figure(12.25), _figure(49_900.0)
    ('12.2', '49,900')
    """
    return f"{value:,.0f}" if value >= 100.0 else f"{value:.3g}"
