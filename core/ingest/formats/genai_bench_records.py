"""The requests that a genai-bench file holds, and what its TPOT is over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.raw import RawRequests
from core.ingest.record_columns import column, records_in
from core.model.finding import Finding, Severity

_REQUESTS = "individual_request_metrics"
_NEAR = 0.01
"""How near a ratio has to be to a count of tokens to be it."""


def requests_of(top: Fields, good: int | None, failed: int | None, unit: str) -> tuple[RawRequests | None, bool | None]:
    """Return the requests of a file, None where it keeps none or only some, and whether its TPOT is over the gaps.

    The second is True where TPOT is (E2E - TTFT)/(n - 1), False where it is (E2E - TTFT)/n as in
    2024, None where neither a request nor equal lengths tell. Answers, error texts and codes are left unread.

    Raises:
        RefusedFileError: a request that is no object, a value that is not a number.
    """
    listed = top.values.get(_REQUESTS)
    records = records_in(listed, top.at(_REQUESTS)) if listed is not None else []
    by_gaps = _by_gaps(records)
    stats = top.inner("aggregated_metrics").inner("stats")
    by_gaps = _by_gaps_of_means(stats) if by_gaps is None else by_gaps
    if not records:
        return None, by_gaps
    if good is None or len(records) != good + (failed or 0):
        top.findings.append(_sampled(top.at(_REQUESTS), len(records), good))
        return None, by_gaps
    return _arrays(records, unit, by_gaps=bool(by_gaps)), by_gaps


def count_of(values: Fields) -> int | None:
    """Return how many requests stand behind a statistic: its sum over its mean, None where they do not say."""
    total, mean = values.not_negative("sum"), values.not_negative("mean")
    count = total / mean if total and mean else None
    return round(count) if count and abs(count - round(count)) <= _NEAR else None


def tpot_findings(place: Place, count: int | None, good: int | None, *, by_gaps: bool | None) -> tuple[Finding, ...]:
    """Return what has to be known about the file's TPOT: another definition, or requests without any."""
    if not by_gaps:
        return (_other_definition(place),)
    if count is None or good is None or count >= good:
        return ()
    return (
        Finding(
            code="genai_bench.tpot_of_some",
            severity=Severity.WARNING,
            where=place,
            what=t("Only {count} of {total} requests have a TPOT", count=count, total=good),
            consequence=t("The others came in one piece and are left out by genai-bench: TPOT is of the rest"),
            fix=t("Measure with streaming that sends each token by itself"),
        ),
    )


def _by_gaps(records: Sequence[Fields]) -> bool | None:
    for record in records:
        spent, tpot, tokens = (record.number(key) for key in ("output_latency", "tpot", "num_output_tokens"))
        if spent and tpot and tokens and tokens > 1.0:
            return _decided(spent / tpot, tokens)
    return None


def _by_gaps_of_means(stats: Fields) -> bool | None:
    """Decide by the means, which is possible where every answer is equally long."""
    tokens = stats.inner("num_output_tokens")
    spent, tpot = stats.inner("output_latency"), stats.inner("tpot")
    equal = tokens.number("min") is not None and tokens.number("min") == tokens.number("max")
    mean, each, n = spent.number("mean"), tpot.number("mean"), tokens.number("mean")
    if not equal or not mean or not each or not n or count_of(spent) != count_of(tpot):
        return None
    return _decided(mean / each, n)


def _decided(ratio: float, tokens: float) -> bool | None:
    if abs(ratio - (tokens - 1.0)) <= _NEAR:
        return True
    return False if abs(ratio - tokens) <= _NEAR else None


def _arrays(records: Sequence[Fields], unit: str, *, by_gaps: bool) -> RawRequests:
    ttft = column(records, "ttft")
    return RawRequests(
        unit=unit,
        good=np.array([record.values.get("error_code") is None for record in records], dtype=np.bool_),
        ttft=np.where(ttft > 0.0, ttft, np.nan),
        e2e=column(records, "e2e_latency"),
        start=np.full(len(records), np.nan),
        input_tokens=column(records, "num_input_tokens"),
        output_tokens=column(records, "num_output_tokens"),
        # Answers in one piece have no TPOT; another definition than ours is derived anew.
        tpot=column(records, "tpot") if by_gaps else None,
    )


def _sampled(place: Place, kept: int, total: int | None) -> Finding:
    return Finding(
        code="genai_bench.requests_sampled",
        severity=Severity.INFO,
        where=place,
        what=t(
            "Only {kept} of {total} requests are kept in the file", kept=kept, total="?" if total is None else total
        ),
        consequence=t("They are not used; the statistics are genai-bench's own"),
    )


def _other_definition(place: Place) -> Finding:
    return Finding(
        code="genai_bench.tpot_over_all_tokens",
        severity=Severity.WARNING,
        where=place,
        what=t("The file's TPOT divides by every output token, the first one included, or does not show by what"),
        consequence=t("It is not used; where all requests are in the file TPOT is worked out from them"),
        fix=t("Measure again with a newer genai-bench"),
    )
