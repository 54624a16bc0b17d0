"""NVIDIA `trtllm-bench throughput` and `latency`: the JSON of --report_json, one report a file.

Details: docs/formats/trtllm_bench.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.trtllm_level import level_of
from core.model.run import Kind

FORMAT_ID = "trtllm_bench"
LABEL = "NVIDIA trtllm-bench (JSON)"

_STAMPS = {"engine", "world_info", "request_info", "performance"}
_INSIDE = {"world_info.tp_size", "request_info.num_requests", "performance.request_throughput_req_s"}


def match(head: Head) -> float:
    """0.95 for the parts that the tool's report has."""
    return 0.95 if json_paths(head.sample) >= _STAMPS | _INSIDE else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a report.

    Raises:
        RefusedFileError: not JSON, cut off, not such a report, or text in place of a number.
    """
    document = json_document(upload)
    if not isinstance(document, Mapping) or not document.keys() >= _STAMPS:
        raise refusal(
            "ingest.missing_field",
            t("This is not a report of trtllm-bench: its requests or its performance are missing"),
            upload.name,
            t("Send the file again as the tool wrote it"),
        )
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(level_of(Fields(document, Place(upload.name)), alone=True),),
    )
