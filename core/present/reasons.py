"""One clause for each reason that weakens an answer or keeps a level out of it.

The codes are given by `core.decide` and `core.check`; a test compares the lists.
"""

from __future__ import annotations

import re

from core.i18n import Text, t

REASONS: dict[str, Text] = {
    "admission.batch_limit_unknown": t("the files do not say how many requests the engine runs at once"),
    "admission.batch_limit_varied": t("the levels ran with different batch limits"),
    "admission.below_one_per_replica": t("there are more replicas than requests that may be promised"),
    "admission.pools": t("prefill and decode run apart"),
    "admission.ranks": t("the server splits its work over several ranks"),
    "admission.replicas_unknown": t("the files do not say how many replicas were measured"),
    "admission.waits_in_engine": t("some requests wait inside the engine at that load"),
    "bind.close_second": t("another target may be the one that stops it"),
    "curve.flat": t("the value hardly rises with load near the limit, so a small change moves the answer far"),
    "goodput.no_other_limit": t("goodput counts requests within the other targets, and there are none"),
    "goodput.only_bounds": t("without per-request records the share is only known between bounds"),
    "interval.wide": t("the range is wider than a factor of 3"),
    "itl.between_chunks": t(
        "several tokens come in one piece here, so that ITL is the gap between pieces and not between tokens: set a "
        "limit on TPOT for the time per token"
    ),
    "job.lengths_differ": t("its requests are longer or shorter than those measured, so the range is wider"),
    "job.lengths_far": t("its requests are more than twice as long as those measured, or less than half"),
    "job.lengths_unknown": t("the files do not say how long the measured requests were"),
    "job.request_rate_unknown": t("the files give no requests per second"),
    "job.smaller_than_load": t("it has fewer requests than the load that it would run at"),
    "levels.bracket_only": t("fewer than three levels tell it, and the limit lies between two of them"),
    "levels.three": t("it rests on three levels only"),
    "levels.wide_bracket": t("the levels around the limit are more than a factor of 4 apart"),
    "load.saturated": t("a level fell behind the rate it was asked for"),
    "load.bottom_within_noise": t("the range reaches below the lowest level, where nothing was measured"),
    "load.top_within_noise": t("the highest level is too near the limit to tell the two apart"),
    "noise.raised": t("the levels scatter by more than 10% around a rising curve"),
    "noise.sweep_wide": t("the levels scatter by more than 20% around a rising curve"),
    "order.lowest_fails": t("the lowest level misses it while a higher one keeps it"),
    "order.pass_above_fail": t("a level keeps it above one that misses it"),
    "reasoning.first_token": t(
        "the model reasons before it answers, so that TTFT ends with the first token of any kind and the answer itself "
        "begins later: judge E2E for the whole answer"
    ),
    "sample.failed_requests": t("a level lost too many of its requests"),
    "sample.failures_unknown": t("the files do not record how many requests failed"),
    "sample.no_such_statistic": t("no level gives it"),
    "sample.too_few_for_quantile": t("too few requests were sent at the levels around the limit"),
    "sample.size_unknown": t("it is not known how many requests the values rest on"),
    "sample.weak_quantile": t("few requests were sent for so high a percentile"),
    "traffic.arrivals_calmer": t("your requests swing less than the measured ones, so that more may be carried"),
    "traffic.arrivals_swing": t("your requests do not arrive as evenly as the measured ones and need room for swings"),
    "traffic.arrivals_too_far": t("so few requests in flight swing too much where they arrive at random"),
    "traffic.arrivals_unknown": t("the files do not say how their requests arrived"),
    "traffic.beyond_levels": t(
        "for your requests the estimate lies above the highest level measured, so only its low end is told"
    ),
    "traffic.hit_rate_assumed": t("the files do not say how much of their prompts the prefix cache held"),
    "traffic.hit_rate_unsaid": t("your traffic does not say how much of its prompts a prefix cache would hold"),
    "traffic.not_carried_over": t("this target cannot be carried over to other requests"),
    "traffic.not_measured": t("for your requests the limit may lie outside the loads measured"),
    "traffic.run_unknown": t("the files do not say what their requests were like"),
    "traffic.spread_assumed": t("the files do not say how much their lengths vary"),
    "traffic.tail_unlike": t("it follows how lengths vary and how requests bunch up, and the run had neither"),
    "traffic.too_far": t("your requests differ from the measured ones by more than a factor of 2"),
    "traffic.too_many_users": t("your users keep more requests in flight than is safe"),
    "traffic.users_fit": t("your users keep no more requests in flight than is safe"),
    "traffic.widened": t("your requests differ from the measured ones, which widens the range"),
    "throughput.below_levels": t("the targets allow less load than any that was measured"),
    "throughput.few_levels": t("fewer than three levels give a throughput, so nothing shows where it stops rising"),
    "throughput.rising": t("throughput still rises at the largest load"),
    "throughput.targets": t("the targets leave no load, or it cannot be told which"),
    "throughput.unknown": t("fewer than two levels give a throughput"),
}
"""Clauses without a full stop, by code; each reads well alone and after "Cannot tell TTFT p99:"."""

EXCLUSIONS: dict[str, Text] = {
    "load.littles_law": t("left out: rate, time and requests in flight contradict each other"),
    "load.never_reached": t("left out: the load that was asked for was never reached"),
    "load.unknown": t("left out: its load is not known"),
    "load.unbounded": t("left out: requests were sent all at once, without a load to hold"),
    "sample.none_completed": t("left out: no request was answered"),
    "sweep.warm_up": t("left out: the first level was still warming up"),
}
"""Why a rule keeps a level out of the fit, by code."""

_CODE = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)+")


def reason_text(code: str) -> Text:
    """Return the clause of a code; an unknown one is named, so that it can be looked up."""
    known = REASONS.get(code)
    return known if known else t("the data do not support it ({code})", code=code)


def exclusion_text(reason: str) -> Text:
    """Return why a level is left out: a rule's clause, or what a person wrote, as it is."""
    known = EXCLUSIONS.get(reason)
    if known:
        return known
    if _CODE.fullmatch(reason):
        return t("left out by rule ({code})", code=reason)
    return t("left out: {reason}", reason=reason)
