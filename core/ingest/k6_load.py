"""The load of a k6 test: virtual users, if they were as many all the time, and what each of them did."""

from __future__ import annotations

from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.names import concurrency_in, from_name
from core.ingest.notices import no_load
from core.model.finding import Finding, Severity


def load_of(fields: Fields, least: float | None, most: float | None) -> tuple[float | None, str | None]:
    """Return concurrency as asked, and the arrival process.

    Args:
        fields: of the test; its place is that of the file. Findings are left there.
        least: virtual users at the quietest moment of the test; None where unknown.
        most: virtual users at the busiest.
    """
    if most and least == most:
        return most, "closed loop"
    named = concurrency_in(fields.place.file or "")
    if named is not None:
        fields.findings.append(from_name(fields.place, "asked_concurrency", named))
        return named, "closed loop"
    if most and least is not None:
        fields.findings.append(_ramped(fields, least, most))
    else:
        fields.findings.append(no_load(fields.place))
    return None, None


def several_requests(fields: Fields, requests: int | None, iterations: int | None) -> None:
    """Leave a finding where each iteration sent more than one request: its statistics mix them."""
    if not requests or not iterations or requests <= iterations:
        return
    fields.findings.append(
        Finding(
            code="k6.several_requests",
            severity=Severity.WARNING,
            where=fields.at("http_reqs"),
            what=t("Each iteration sent {count} requests", count=f"{requests / iterations:.3g}"),
            consequence=t("Where they go to different addresses, their response times are mixed up"),
            fix=t("Send one kind of request per test, or look at it alone"),
        )
    )


def _ramped(fields: Fields, least: float, most: float) -> Finding:
    return Finding(
        code="k6.users_change",
        severity=Severity.WARNING,
        where=fields.at("vus"),
        what=t("The number of virtual users went from {least} to {most}", least=f"{least:g}", most=f"{most:g}"),
        consequence=t("This is not one load level: it is placed by what was in flight, if at all"),
        fix=t("Run one test per level with constant virtual users"),
    )


def no_first_token(fields: Fields) -> None:
    """Leave the finding that nothing in the test measured a first token."""
    fields.findings.append(
        Finding(
            code="k6.no_first_token",
            severity=Severity.INFO,
            where=fields.at("http_req_waiting"),
            what=t("k6 measures the first byte of an answer (http_req_waiting), not its first token"),
            consequence=t("TTFT stays unknown: many servers send the first byte of a streamed answer before a token"),
            fix=t("Measure the first token in the script, in a Trend whose name is ttft_ms"),
        )
    )
