"""SplitwiseSim: detailed/<application>.csv, one simulated request per row, seconds; docs/formats/splitwise_sim.md.

Source: the scheduler that writes it and its documentation. The file says neither when a request came
nor at which rate: the trace's name does, and a folder may. `tbt_times` divides by all output tokens and is not used.
"""

from __future__ import annotations

import numpy as np

from core.errors import Place
from core.ingest.named_load import named_load
from core.ingest.names import without_load
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.request_table import UNKNOWN, numbers_in
from core.ingest.simulated import requests_file
from core.ingest.table import Table, header_of

FORMAT_ID = "splitwise_sim"
LABEL = "SplitwiseSim requests"

_MARKS = frozenset({"request_ids", "response_times", "queue_times", "ttft_times", "prompt_sizes", "token_sizes"})


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
    e2e = numbers_in(table, "response_times")
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests=RawRequests(
            unit="s",
            good=np.isfinite(e2e),
            ttft=numbers_in(table, "ttft_times"),
            e2e=e2e,
            start=np.full(len(table.rows), UNKNOWN),
            input_tokens=numbers_in(table, "prompt_sizes"),
            output_tokens=numbers_in(table, "token_sizes"),
        ),
        conditions={"tool": "SplitwiseSim"},
        # The file names no hardware: two folders are two simulations, but for the load in their names.
        identity={"folder": without_load(table.name.rpartition("/")[0])},
        findings=findings,
    )
