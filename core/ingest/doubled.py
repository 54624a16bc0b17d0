"""Stream events that a client counted twice: times per token that are half of the truth.

E2E = TTFT + (tokens - 1) x TPOT holds for the means of every level. A client that counts two tokens
where one came (a start-of-sequence token added to each chunk) halves TPOT and ITL and puts a gap of
nothing between every two real ones, so that p99 of its gaps is p98 of the real ones.
"""

from __future__ import annotations

from core.errors import Place
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.raw import Reading
from core.ingest.statistic_block import mean_s
from core.model.finding import Finding, Severity
from core.model.metric import Metric

NEAR_TWO = (1.6, 2.6)
"""Ratio of the identity's time per token to the one given: 1.84 (speculation) to 2.13 were seen."""

FEW_TOKENS = 4.0
"""Below this length the identity says little about the time per token."""


def lengths_vary(block: Fields) -> bool:
    """Return whether answers differ so much in length that means of requests and of tokens part ways."""
    low, high = block.not_negative("p10"), block.not_negative("p90")
    return low is not None and high is not None and low < 0.8 * high


def without_doubled(report: Fields, readings: list[Reading], tokens: float | None, *, vary: bool) -> list[Reading]:
    """Return the readings without those of TPOT and ITL that were halved, with a finding where any were.

    The mean of TPOT then follows from E2E, TTFT and the length, unless lengths vary much.

    Args:
        report: takes the finding.
        readings: of one level, each in its own unit.
        tokens: output tokens per request, as the client that measured counted them.
        vary: whether answers differ much in length.
    """
    e2e, ttft = mean_s(readings, Metric.E2E), mean_s(readings, Metric.TTFT)
    if e2e is None or ttft is None or tokens is None or tokens < FEW_TOKENS or e2e <= ttft:
        return readings
    per_token = (e2e - ttft) / (tokens - 1.0)
    given = {metric: mean_s(readings, metric) for metric in (Metric.TPOT, Metric.ITL)}
    halved = [metric for metric, mean in given.items() if mean and NEAR_TWO[0] <= per_token / mean <= NEAR_TWO[1]]
    if not halved:
        return readings
    report.findings.append(_finding(report.place, halved, per_token / (given[halved[0]] or per_token)))
    kept = [reading for reading in readings if reading.metric not in halved]
    if Metric.TPOT in halved and not vary:
        field = "(request_latency - time_to_first_token) / (output_len - 1)"
        kept.append(Reading(Metric.TPOT, "mean", per_token, "s", field))
    return kept


def _finding(place: Place, halved: list[Metric], ratio: float) -> Finding:
    return Finding(
        code="ingest.events_counted_twice",
        severity=Severity.WARNING,
        where=Place(
            place.file, place.line, "time_per_output_token" if Metric.TPOT in halved else "inter_token_latency"
        ),
        what=t(
            "E2E, TTFT and the length of answers give {ratio} times the mean {metrics} of the file",
            ratio=f"{ratio:.3g}",
            metrics=", ".join(metric.value.upper() for metric in halved),
        ),
        consequence=t(
            "Stream events were counted twice: its percentiles are those of halved times, so none of them is used"
        ),
        fix=t("Measure again with a newer version, or judge the targets on TTFT and E2E"),
    )
