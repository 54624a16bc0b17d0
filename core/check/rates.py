"""Rates against the counts and lengths that they follow from, and requests that nobody counted."""

from __future__ import annotations

from core.check.levels import Measured, judged, listed, mean, pairs_with, percent, place, quotient, stages
from core.check.samples import lost_share
from core.check.units import little_ratio
from core.i18n import Text, t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind, Run
from core.model.stage import Stage

# A window that leaves out filling and draining moves a rate by a few per cent, on a short level by more.
OFF = 0.15
NEAR = 0.05
# Of a level that lasts ten stays, the last requests are still on their way when sending ends: a tenth.
VANISHED = 0.20
FAILED = 0.05
FASTER = 0.02
LEVELS = 3
_MINUTE = 60.0


def check_rates(run: Run) -> tuple[Finding, ...]:
    """Return findings about rates that do not follow from their counts, and about requests that are missing."""
    if run.kind is Kind.SIMULATED:
        return ()
    return (*_tokens(run), *_count(run), *_vanished(run), *_survivors(run), *_load_is_rate(run))


def _tokens(run: Run) -> list[Finding]:
    off: Measured = [(s, r) for s in judged(run) if (r := _token_ratio(s)) and abs(r - 1.0) > OFF]
    if not off:
        return []
    worst, ratio = max(off, key=lambda pair: abs(pair[1] - 1.0))
    return [
        Finding(
            code="rate.tokens_disagree",
            severity=Severity.WARNING,
            where=place(worst, "output_throughput"),
            what=t(
                "At load {levels}, output tokens/s are {share} of requests/s x output tokens at {worst}",
                levels=listed(stages(off)),
                share=percent(ratio),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("Cost per token is wrong by this factor, if it is the tokens/s that are wrong"),
            fix=_why_tokens(run, worst, ratio),
        )
    ]


def _token_ratio(stage: Stage) -> float | None:
    rate, tokens = stage.achieved_rate, stage.output_tokens_mean
    return quotient(stage.output_tok_s or 0.0, (rate or 0.0) * (tokens or 0.0))


def _why_tokens(run: Run, stage: Stage, ratio: float) -> Text:
    gpus = run.conditions.accelerator_count
    if gpus and gpus > 1 and abs(ratio * gpus - 1.0) < NEAR:
        return t("They are per accelerator: multiply by {count}", count=gpus)
    tokens, prompt = stage.output_tokens_mean or 0.0, stage.input_tokens_mean or 0.0
    if prompt and abs(ratio / ((tokens + prompt) / tokens) - 1.0) < NEAR:
        return t("They count input tokens too: use output tokens alone")
    return t("Check whether they are per accelerator, per user, per minute, or count input tokens too")


def _count(run: Run) -> list[Finding]:
    off: Measured = [(s, r) for s in judged(run) if (r := _count_ratio(s)) and abs(r - 1.0) > OFF]
    if not off:
        return []
    worst, ratio = max(off, key=lambda pair: abs(pair[1] - 1.0))
    minutes = abs(ratio / _MINUTE - 1.0) < NEAR
    return [
        Finding(
            code="rate.count_disagrees",
            severity=Severity.WARNING,
            where=place(worst, "request_throughput"),
            what=t(
                "At load {levels}, requests/s are {share} of completed requests over the duration at {worst}",
                levels=listed(stages(off)),
                share=percent(ratio),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("Throughput and cost per token are wrong by this factor"),
            fix=t("The rate seems to be per minute") if minutes else t("Check the duration, the count and the rate"),
        )
    ]


def _count_ratio(stage: Stage) -> float | None:
    good, duration, rate = stage.requests_good, stage.duration_s, stage.achieved_rate
    if not good or not duration or not rate or stage.replicates > 1:
        return None
    return quotient(rate * duration, good)


def _vanished(run: Run) -> list[Finding]:
    """Requests that were due by rate and duration and are in no count: nobody says what became of them."""
    members: Measured = []
    for stage in judged(run):
        if stage.asked_rate is None or not stage.duration_s or stage.requests_good is None or stage.at_ceiling:
            continue
        told = stage.requests_sent is not None or stage.requests_failed is not None or stage.applied_rate is not None
        missing = 1.0 - (quotient(stage.requests_good, stage.asked_rate * stage.duration_s) or 1.0)
        if not told and missing > VANISHED:
            members.append((stage, missing))
    if not members:
        return []
    worst, share = max(members, key=lambda pair: pair[1])
    return [
        Finding(
            code="sample.vanished",
            severity=Severity.WARNING,
            where=place(worst, "requests"),
            what=t(
                "At load {levels}, fewer requests are in the file than were due: {share} are missing at {worst}",
                levels=listed(stages(members)),
                share=percent(share),
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("What never came back is in no figure: the level looks faster than it was"),
            fix=t("Send the count of requests sent, or the records of those that failed"),
        )
    ]


def _survivors(run: Run) -> list[Finding]:
    members = [
        upper
        for lower, upper in pairs_with(judged(run), Metric.E2E)
        if (lost_share(upper) or 0.0) > FAILED
        and (lost_share(lower) or 0.0) < (lost_share(upper) or 0.0)
        and mean(upper, Metric.E2E) < (1.0 - FASTER) * mean(lower, Metric.E2E)
    ]
    if not members:
        return []
    return [
        Finding(
            code="sample.survivors",
            severity=Severity.ERROR,
            where=place(members[0], "failed"),
            what=t(
                "At load {levels}, requests failed and the others look faster than at less load", levels=listed(members)
            ),
            consequence=t("The slow requests are the ones that failed; the level must not be trusted"),
            fix=t("Keep these levels out, or measure them again without failures"),
        )
    ]


def _load_is_rate(run: Run) -> list[Finding]:
    """A column of "concurrency" that holds requests/s: what was answered equals it, and what was in flight does not."""
    known = [stage for stage in judged(run) if stage.asked_concurrency and stage.achieved_rate and not stage.open_loop]
    hit = [
        stage
        for stage in known
        if abs((quotient(stage.achieved_rate or 0.0, stage.asked_concurrency or 1.0) or 0.0) - 1.0) < NEAR
        and abs((little_ratio(stage) or 1.0) - 1.0) > OFF
    ]
    if len(hit) < LEVELS or 2 * len(hit) < len(known):
        return []
    return [
        Finding(
            code="load.looks_like_rate",
            severity=Severity.ERROR,
            where=place(hit[0], "concurrency"),
            what=t("At load {levels}, the concurrency equals the requests answered per second", levels=listed(hit)),
            consequence=t("The column seems to hold a request rate; every answer in concurrent requests is wrong"),
            fix=t("Name the column request rate, and load the file again"),
        )
    ]
