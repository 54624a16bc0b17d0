"""LLMServingSim 2.0: one simulated request per row of a CSV, nanoseconds; docs/formats/llmservingsim.md.

Source: a file of the tool's examples. `ITL` is a quoted list with every gap of the request, so the gaps of
all requests together are ours. `latency` starts at `arrival`, so waiting is in TTFT and latency.
"""

from __future__ import annotations

import numpy as np

from core.errors import Place
from core.ingest.named_load import named_load
from core.ingest.names import without_load
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Scalar, Upload
from core.ingest.request_table import list_in, numbers_in, texts_in
from core.ingest.simulated import requests_file
from core.ingest.table import Table, header_of

FORMAT_ID = "llmservingsim"
LABEL = "LLMServingSim requests"

_MARKS = frozenset({"instance id", "request id", "input", "output", "arrival", "end_time", "latency", "TTFT", "ITL"})


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
    gaps = [list_in(table, "ITL", row) for row in range(len(table.rows))]
    e2e = numbers_in(table, "latency")
    models = texts_in(table, "model")
    conditions: dict[str, Scalar] = {"tool": "LLMServingSim"}
    if len(models) == 1:
        conditions["model"] = next(iter(models))
    good = np.isfinite(e2e)
    kept = [gap for row, gap in enumerate(gaps) if good[row]]
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests=RawRequests(
            unit="ns",
            good=good,
            ttft=numbers_in(table, "TTFT"),
            e2e=e2e,
            start=numbers_in(table, "arrival"),
            input_tokens=numbers_in(table, "input"),
            output_tokens=numbers_in(table, "output"),
            gaps=np.concatenate([np.array(each) for each in kept]) if any(kept) else np.empty(0),
        ),
        conditions=conditions,
        # The file names no hardware: two folders are two simulations, but for the load in their names.
        identity={
            "instances": len(texts_in(table, "instance id")),
            "folder": without_load(table.name.rpartition("/")[0]),
        },
        findings=findings,
    )
