"""Was the load that was asked for really applied?"""

from __future__ import annotations

from operator import itemgetter

from core.check.levels import NEVER_REACHED, Measured, judged, listed, percent, place, stages
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage

# A rate that is missed by 5 % is not the rate of the level any more (formats.md 0.2, 5); the end
# of a run, when nothing is sent and the last requests finish, is allowed for.
ACHIEVED = 0.95
# fit.md 4.8: levels compare only if requests per slot follow one rule, such as 10 N.
SAME_RULE = 2.0


def check_load(run: Run) -> tuple[Finding, ...]:
    """Return findings about levels whose load was not reached or not comparable."""
    return (*_never_reached(run), *_client_limited(run), *_saturated(run), *_requests_rule(run))


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
                "At {levels} fewer requests were sent than should be in flight: {sent} at {worst}",
                levels=listed(members),
                sent=_sent(worst) or 0,
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("The level never reached its load and is kept out"),
            fix=t("Send at least ten requests per concurrent slot"),
        )
    ]


def _client_limited(run: Run) -> list[Finding]:
    members = [
        (stage, stage.applied_rate / stage.asked_rate)
        for stage in judged(run)
        if stage.asked_rate and stage.applied_rate and stage.applied_rate < ACHIEVED * stage.asked_rate
    ]
    if not members:
        return []
    worst, share = min(members, key=itemgetter(1))
    return [
        Finding(
            code="load.client_limited",
            severity=Severity.WARNING,
            where=place(worst, "applied_rate"),
            what=t(
                "At {levels} the load generator sent too few requests: {share} of the rate asked for at {worst}",
                levels=listed(stages(members)),
                share=percent(share),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("The generator was the limit, not the server; the level is placed by what was in flight"),
            fix=t("Give the load generator more workers, or spread it over several machines"),
        )
    ]


def _saturated(run: Run) -> list[Finding]:
    sent_at_rate = [stage for stage in judged(run) if stage.asked_rate and stage.achieved_rate]
    stays = [stay for stage in sent_at_rate if (stay := stage.value(Metric.E2E, "mean"))]
    # The stay of an idle server, not of this level: a queue must not excuse itself.
    idle_s = min(stays, default=0.0)
    members = [(stage, share) for stage in sent_at_rate if (share := _achieved(stage, idle_s)) < ACHIEVED]
    if not members:
        return []
    worst, _ = min(members, key=itemgetter(1))
    return [
        Finding(
            code="load.saturated",
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
    ]


def _achieved(stage: Stage, idle_s: float) -> float:
    """Return the share of the rate that was achieved; the last requests' stay is taken out of the window."""
    asked = min(rate for rate in (stage.asked_rate, stage.applied_rate) if rate)
    ending = idle_s / stage.duration_s if stage.duration_s else 0.0
    return (stage.achieved_rate or 0.0) / (asked * max(1.0 - ending, 0.5))


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
                fewest=f"{least:.3g}",
                most=f"{most:.3g}",
            ),
            consequence=t("The start-up burst weighs more where there are few: high levels look slower than they are"),
            fix=t("Send the same number of requests per slot at every level, such as ten times the concurrency"),
        )
    ]
