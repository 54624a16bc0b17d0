"""Vidur: request_metrics.csv, one simulated request per row, seconds; docs/formats/vidur.md.

Source: the metrics store that writes it and its documentation (microsoft/vidur, and the fork that adds stamps).
The arrival rate stands only in config.json or the folder's name; what came is summed up from
`request_inter_arrival_delay`. The file's own time per token divides by all output tokens and is not used.
"""

from __future__ import annotations

import numpy as np

from core.errors import Place
from core.ingest.named_load import named_load
from core.ingest.notices import none_completed
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.request_table import UNKNOWN, numbers_in
from core.ingest.simulated import requests_file
from core.ingest.table import Table, header_of
from core.model.stage import FloatArray

FORMAT_ID = "vidur"
LABEL = "Vidur requests"

_MARKS = frozenset({"Request Id", "request_e2e_time", "prefill_e2e_time", "request_num_prefill_tokens"})


def match(head: Head) -> float:
    """0.95 where every column that tells the format is there."""
    return 0.95 if frozenset(header_of(head)) >= _MARKS else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level with every request.

    Raises:
        RefusedFileError: a damaged table, or a cell that is no number; with line and column.
    """
    return requests_file(upload, FORMAT_ID, _level)


def _level(table: Table) -> RawLevel:
    place = Place(table.name)
    concurrency, rate, findings = named_load(place)
    e2e = numbers_in(table, "request_e2e_time")
    # A request that was still running when the simulation ended has no time.
    good = np.isfinite(e2e) & (e2e > 0.0)
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests_sent=len(table.rows),
        requests_cut_off=int((~good).sum()),
        requests=RawRequests(
            unit="s",
            good=good,
            cut_off=~good,
            ttft=numbers_in(table, "prefill_e2e_time"),
            e2e=e2e,
            start=_arrivals(table),
            input_tokens=numbers_in(table, "request_num_prefill_tokens"),
            output_tokens=numbers_in(table, "request_num_decode_tokens"),
        ),
        conditions={"tool": "Vidur"},
        findings=findings if good.any() else (*findings, none_completed(place)),
    )


def _arrivals(table: Table) -> FloatArray:
    """Return when requests came, seconds: as stamped, else the sum of the delays in the order of their ids."""
    if "arrived_at" in table.header:
        return numbers_in(table, "arrived_at")
    delays, ids = numbers_in(table, "request_inter_arrival_delay"), numbers_in(table, "Request Id")
    if not (np.isfinite(delays).all() and np.isfinite(ids).all()):
        return np.full(len(table.rows), UNKNOWN)
    order = np.argsort(ids, kind="stable")
    arrivals = np.empty_like(delays)
    arrivals[order] = np.cumsum(delays[order])
    return arrivals
