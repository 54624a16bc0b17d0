"""AISimulate's requests.jsonl (`--capture-per-request`): one simulated request per line; docs/formats/aisimulate.md.

Milliseconds. `itl_ms` is the mean gap of one request, so it is our TPOT. Only "completed" requests have times
that count; what the others are is in `terminal_status`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from core.errors import Place
from core.ingest.formats.aisimulate import FORMAT_ID as PREDICTION
from core.ingest.named_load import named_load
from core.ingest.names import without_load
from core.ingest.notices import none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.record_lines import records_in
from core.ingest.simulated import candidate
from core.model.metric import Metric
from core.model.run import Kind
from core.model.stage import FloatArray

FORMAT_ID = PREDICTION
LABEL = "NVIDIA AISimulate requests"

_MARKS = frozenset({"uuid", "terminal_status", "arrival_time_ms", "ttft_ms", "e2e_latency_ms", "output_length"})
_NUMBERS = ("arrival_time_ms", "ttft_ms", "e2e_latency_ms", "itl_ms", "input_length", "output_length")


def match(head: Head) -> float:
    """0.95 where the first line has every field that tells the format."""
    return 0.95 if json_paths(head.sample.split(b"\n", 1)[0], 1) >= _MARKS else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level with every request.

    Raises:
        RefusedFileError: a line that is no such record, or a field that is no number; with its line.
    """
    columns, status = records_in(upload, _MARKS, _NUMBERS, "terminal_status")
    good = np.array([each == "completed" for each in status], dtype=np.bool_)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="requests",
        kind=Kind.SIMULATED,
        levels=(_level(upload.name, columns, good),),
        findings=(candidate(upload.name),),
        calls={Metric.TPOT: "ITL"},
    )


def _level(name: str, columns: Mapping[str, FloatArray], good: npt.NDArray[np.bool_]) -> RawLevel:
    place = Place(name)
    concurrency, rate, findings = named_load(place)
    ttft, e2e, tpot = (columns[key] for key in ("ttft_ms", "e2e_latency_ms", "itl_ms"))
    folder, slash, _ = name.rpartition("/")
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests=RawRequests(
            unit="ms",
            good=good,
            ttft=ttft,
            e2e=e2e,
            # One token has no gap after it: its 0 is no measurement.
            tpot=np.where((columns["output_length"] >= 2.0) & (tpot > 0.0), tpot, np.nan),
            start=columns["arrival_time_ms"],
            input_tokens=columns["input_length"],
            output_tokens=columns["output_length"],
        ),
        conditions={"tool": "AISimulate"},
        identity={"folder": without_load(folder)},
        run_key=f"aisimulate|{folder}" if slash else None,
        findings=findings if good.any() else (*findings, none_completed(place)),
    )
