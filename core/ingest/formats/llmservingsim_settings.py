"""What LLMServingSim's bench ran: meta.json beside its requests.jsonl. docs/formats/llmservingsim.md.

Paths of data sets are not kept. `device_count` is of the machine, not of what the engine used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.ingest.decode import json_document
from core.ingest.fields import Fields
from core.ingest.formats.llmservingsim_bench import FORMAT_ID as BENCH
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.model.run import Kind

FORMAT_ID = BENCH
LABEL = "LLMServingSim bench settings"

_MARKS = frozenset({"schema_version", "model", "vllm_version", "engine_kwargs", "num_requests"})


def match(head: Head) -> float:
    """0.95 where every key that tells the format is there."""
    return 0.95 if json_paths(head.sample, 1) >= _MARKS else 0.0


def read(upload: Upload) -> RawFile:
    """Return the conditions of the results in the file's folder; it has no level of its own.

    Raises:
        RefusedFileError: cut off, or a count that is no number.
    """
    document = json_document(upload)
    meta = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    engine, hardware = meta.inner("engine_kwargs"), meta.inner("hardware")
    model, revision = model_in(meta.text("model"))
    tp, dp = engine.count("tensor_parallel_size"), engine.count("data_parallel_size")
    said: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "precision": _said(engine.text("dtype")),
        "kv_precision": _said(engine.text("kv_cache_dtype")),
        "accelerator": hardware.text("device_name"),
        "accelerator_count": tp * dp if tp and dp else None,
        "tp": tp,
        "dp": dp,
        "engine": "vLLM",
        "engine_version": meta.text("vllm_version"),
        "max_num_seqs": engine.count("max_num_seqs"),
    }
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="settings",
        kind=Kind.MEASURED,
        levels=(),
        about={name: value for name, value in said.items() if value is not None},
        about_format=FORMAT_ID,
    )


def _said(value: str | None) -> str | None:
    return None if value == "auto" else value
