"""How many requests of a level were sent, came back whole, failed and were cut off."""

from __future__ import annotations

from dataclasses import dataclass

from core.ingest.raw import RawLevel
from core.model.stage import Requests


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Requests of one level; None is unknown."""

    sent: int | None
    good: int | None
    failed: int | None
    cut_off: int | None


def counts_of(raw: RawLevel, requests: Requests | None) -> Counts:
    """Return the counts that the file gives or that follow from them exactly.

    A log without a single failed row does not prove that none failed: some tools leave
    such rows out. So failures are counted in records only where there is a bad row, or
    where as many rows are there as requests were sent.
    """
    if requests is None or raw.requests is None:
        return _completed(raw.requests_sent, raw.requests_good, raw.requests_failed, raw.requests_cut_off)
    ended = raw.requests.cut_off
    cut_off = None if ended is None else int((ended & ~requests.good).sum())
    return counts_with(raw, len(requests), int(requests.good.sum()), cut_off)


def counts_with(raw: RawLevel, rows: int, good: int, ended: int | None) -> Counts:
    """Return the counts of a level whose records hold so many rows, good ones and ones that were cut off."""
    sent, failed, cut_off = raw.requests_sent, raw.requests_failed, raw.requests_cut_off
    cut_off = ended if cut_off is None else cut_off
    complete = rows > good or sent == rows
    if failed is None and complete:
        failed = max(rows - good - (cut_off or 0), 0)
    sent = rows if sent is None and complete else sent
    return _completed(sent, good, failed, cut_off)


def _completed(sent: int | None, good: int | None, failed: int | None, cut_off: int | None) -> Counts:
    if sent is not None and good is not None:
        lost = max(sent - good, 0)
        if failed is None and (cut_off is not None or lost == 0):
            failed = max(lost - (cut_off or 0), 0)
        if cut_off is None and failed is not None:
            cut_off = max(lost - failed, 0)
    elif sent is None and good is not None and failed is not None and cut_off is not None:
        sent = good + failed + cut_off
    elif good is None and sent is not None and failed is not None:
        # Whoever counts failures and no cut-off requests counts what was cut off among them.
        good = max(sent - failed - (cut_off or 0), 0)
    return Counts(sent=sent, good=good, failed=failed, cut_off=cut_off)
