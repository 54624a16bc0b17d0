"""genai-bench's experiment_metadata.json: which server the results beside it are of. docs/formats/genai_bench.md.

It holds no level. The command and the address stay unread: they may hold a key or name a machine.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.model.run import Kind

FORMAT_ID = "genai_bench"
LABEL = "genai-bench metadata"

_MARKS = frozenset({"server_engine", "traffic_scenario", "max_time_per_run_s"})


def match(head: Head) -> float:
    """1 where the server's engine stands beside the traffic scenarios of an experiment."""
    return float(json_paths(head.sample, depth=1) >= _MARKS)


def read(upload: Upload) -> RawFile:
    """Return what the file says of the results in its folder.

    Raises:
        RefusedFileError: not JSON, or cut off.
    """
    document = json_document(upload)
    if not isinstance(document, Mapping):
        raise refusal(
            "ingest.unexpected",
            t("The file does not hold one JSON object"),
            upload.name,
            t("Send the file again as the tool wrote it"),
        )
    said = Fields(document, Place(upload.name))
    model, revision = model_in(said.text("model") or said.text("api_model_name"))
    about: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "engine": said.text("server_engine"),
        "engine_version": said.text("server_version"),
        "accelerator": said.text("server_gpu_type"),
        "accelerator_count": _count(said),
        "tool_version": said.text("benchmark_version"),
    }
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=said.text("benchmark_version"),
        kind=Kind.MEASURED,
        levels=(),
        findings=tuple(said.findings),
        about={name: value for name, value in about.items() if value is not None},
        about_format=FORMAT_ID,
    )


def _count(said: Fields) -> int | None:
    """Return the number of accelerators, which the tool takes as text; any other text says none."""
    value = str(said.values.get("server_gpu_count")).strip()
    return int(value) or None if re.fullmatch(r"\d{1,6}", value) else None
