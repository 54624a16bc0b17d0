"""What a reader should know about an answer that was carried over to other traffic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.errors import Place
from core.fit.fit import Fit
from core.i18n import Text, t
from core.model.answer import Capacity
from core.model.difference import Difference, Match
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.traffic import Traffic

_LENGTHS = frozenset({"input_tokens", "output_tokens"})


def findings_of(
    fit: Fit, traffic: Traffic, differences: Sequence[Difference], capacity: Capacity
) -> tuple[Finding, ...]:
    """Return what was assumed, what the run does not say, and whether the people fit."""
    found = [*_unknown(differences), *_assumed(differences), *_demand(fit, traffic, capacity)]
    return tuple(found)


def _unknown(differences: Sequence[Difference]) -> Iterator[Finding]:
    lost = [each for each in differences if each.match is Match.NOT_MEASURED]
    if any(each.condition in _LENGTHS for each in lost):
        yield _finding(
            "traffic.run_unknown",
            Severity.WARNING,
            t("The files do not say how long their requests were"),
            t("Nothing can be told for requests of another length"),
            t("Give the lengths of the run on the Data page, or send files with per-request records"),
        )
    if any(each.condition == "arrivals" for each in lost):
        yield _finding(
            "traffic.arrivals_unknown",
            Severity.WARNING,
            t("The files do not say how their requests arrived"),
            t("Nothing can be told for requests that arrive otherwise"),
            t("Give the arrival of requests on the Data page"),
        )


def _assumed(differences: Sequence[Difference]) -> Iterator[Finding]:
    by_name = {each.condition: each for each in differences}
    hits = by_name.get("hit_rate")
    if hits and hits.match is Match.NOT_MEASURED:
        yield _finding(
            "traffic.hit_rate_assumed",
            Severity.WARNING,
            t("The files do not say how much of their prompts the prefix cache held"),
            t("It is assumed to be no more than in your traffic; if it was more, the answer is too high"),
            t("Read the hit rate from the server's metrics during the run, or send prompts that share nothing"),
        )
    if hits and hits.match is Match.NOT_SAID and float(hits.measured or 0.0) > 0.0:
        yield _finding(
            "traffic.hit_rate_unsaid",
            Severity.INFO,
            t("The run found prompts in its prefix cache; your traffic does not say how many it would find"),
            t("The low end assumes none"),
            t("Give the hit rate of your traffic"),
        )
    for name in ("input_p95", "output_p95"):
        spread = by_name.get(name)
        if spread and spread.match is Match.NOT_MEASURED:
            yield _finding(
                "traffic.spread_assumed",
                Severity.INFO,
                t("The files do not say how much their lengths vary"),
                t("The range reaches from lengths all alike to lengths that vary as yours do"),
                t("Send files with per-request records"),
            )
            return


def _demand(fit: Fit, traffic: Traffic, capacity: Capacity) -> Iterator[Finding]:
    """Compare the people with the safe number: users x R / (R + Z) are in flight (R: time of a request)."""
    safe = capacity.safe
    if not safe or traffic.users is None or traffic.think_s is None:
        return
    whole = fit.value(Metric.E2E, "mean", float(safe)) or fit.value(Metric.E2E, "mean", max(fit.levels[0], 1.0))
    if whole is None or not whole.mid:
        return
    flying = traffic.users * whole.mid / (whole.mid + traffic.think_s)
    said = t(
        "{users} people keep about {flying} requests in flight", users=f"{traffic.users:,.0f}", flying=f"{flying:,.0f}"
    )
    if flying > safe:
        yield _finding(
            "traffic.too_many_users",
            Severity.WARNING,
            said,
            t("That is more than the safe number for your traffic"),
            t("Plan for more replicas, or for a looser target"),
        )
    else:
        yield _finding(
            "traffic.users_fit", Severity.INFO, said, t("That is within the safe number for your traffic"), None
        )


def _finding(code: str, severity: Severity, what: Text, consequence: Text, fix: Text | None) -> Finding:
    return Finding(code=code, severity=severity, where=Place(), what=what, consequence=consequence, fix=fix)
