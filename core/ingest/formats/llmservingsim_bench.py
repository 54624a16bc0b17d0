"""The measured side of LLMServingSim: requests.jsonl of its vLLM bench, one request per line; seconds.

Source: files of the tool's examples (vLLM 0.19.0), docs/formats/llmservingsim.md. These are MEASURED on a
real engine. The stamps are the engine's own, on its own clock: from the queue to the last token, without
client and network. `arrival_time` is of another clock and is not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from core.errors import Place
from core.ingest.named_load import named_load
from core.ingest.notices import none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.record_lines import records_in
from core.model.run import Kind
from core.model.stage import FloatArray

FORMAT_ID = "llmservingsim_bench"
LABEL = "LLMServingSim bench (measured on vLLM)"

_MARKS = frozenset({"request_id", "input_toks", "output_toks", "queued_ts", "first_token_ts", "last_token_ts"})
_NUMBERS = ("input_toks", "output_toks", "queued_ts", "first_token_ts", "last_token_ts")


def match(head: Head) -> float:
    """0.95 where the first line has every field that tells the format."""
    return 0.95 if json_paths(head.sample.split(b"\n", 1)[0]) >= _MARKS else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level with every request.

    Raises:
        RefusedFileError: a line that is no such record, or a field that is no number; with its line.
    """
    columns, _ = records_in(upload, _MARKS, _NUMBERS, "request_id")
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(_level(upload.name, columns),),
    )


def _level(name: str, columns: Mapping[str, FloatArray]) -> RawLevel:
    place = Place(name)
    concurrency, rate, findings = named_load(place)
    queued, first, last = (columns[key] for key in ("queued_ts", "first_token_ts", "last_token_ts"))
    good = np.isfinite(last) & np.isfinite(queued)
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests=RawRequests(
            unit="s",
            good=good,
            ttft=first - queued,
            e2e=last - queued,
            start=queued,
            input_tokens=columns["input_toks"],
            output_tokens=columns["output_toks"],
        ),
        conditions={"ttft_scope": "engine, from the queue on", "tool": "LLMServingSim bench"},
        findings=findings if good.any() else (*findings, none_completed(place)),
    )
