"""What EvalScope was told: benchmark_args.json beside a level's results, which lack it. docs/formats/evalscope.md.

Addresses, keys, headers and prompts in it are not kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.ingest.decode import json_document
from core.ingest.fields import Fields
from core.ingest.formats import evalscope_level
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Upload
from core.model.run import Kind

FORMAT_ID = evalscope_level.FORMAT_ID
LABEL = "EvalScope settings"

_OURS = frozenset({"model", "parallel", "number", "api", "log_every_n_query", "query_template"})


def match(head: Head) -> float:
    """Recognise settings that only this tool has together."""
    return 1.0 if json_paths(head.sample) >= _OURS else 0.0


def read(upload: Upload) -> RawFile:
    """Return the conditions that hold for the results in the file's folder; it has no level of its own.

    Raises:
        RefusedFileError: cut off, or a rate that is not a number.
    """
    document = json_document(upload)
    top = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    model, revision = model_in(top.text("model"))
    said = {"model": model, "model_revision": revision, "arrival": _arrival(top), "tool": "EvalScope"}
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="settings",
        kind=Kind.MEASURED,
        levels=(),
        findings=tuple(top.findings),
        about={name: value for name, value in said.items() if value is not None},
        about_format=FORMAT_ID,
    )


def _arrival(top: Fields) -> str | None:
    """Return how requests arrived; a list of rates is a sweep and says nothing of one level."""
    if isinstance(top.values.get("rate"), list):
        return None
    rate = top.number("rate")
    return None if rate is None else "poisson" if rate > 0.0 else "closed loop"
