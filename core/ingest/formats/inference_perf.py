"""inference-perf (kubernetes-sigs): stage_N_lifecycle_metrics, one load level each. docs/formats/inference_perf.md.

Seen: late 2025 (no `benchmark_time_seconds`), 0.5, 0.7, main of 2026; JSON, and the same as YAML.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.formats.inference_perf_level import level_of
from core.ingest.peek import json_paths, yaml_paths
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.yaml_text import json_or_yaml
from core.model.run import Kind

FORMAT_ID = "inference_perf"
LABEL = "inference-perf"

_STAGE_NAME = re.compile(r"stage_\d+_lifecycle_metrics\.(?:json|ya?ml)", re.IGNORECASE)
_LOADS = ("load_summary.requested_rate", "load_summary.concurrency")
_SEND_AGAIN = t("Send the file again as the tool wrote it")


def is_report(paths: frozenset[str]) -> bool:
    """Return whether keys are those of a lifecycle report, of a stage or of anything else."""
    return "load_summary" in paths and any(f"successes.{key}" in paths for key in ("count", "latency", "throughput"))


def match(head: Head) -> float:
    """Recognise a report that names its load, or is named after its stage; pools of stages do neither."""
    paths = json_paths(head.sample) or yaml_paths(head.sample)
    if not is_report(paths) or "successes.rate" in paths:
        return 0.0
    named = _STAGE_NAME.fullmatch(PurePosixPath(head.name.replace("\\", "/")).name)
    return 0.95 if named or (any(load in paths for load in _LOADS) and not of_adapter(head.name)) else 0.0


def of_adapter(name: str) -> bool:
    """Return whether a report is of the requests of one adapter, which are a part of each level."""
    return PurePosixPath(name.replace("\\", "/")).name.startswith("adapter_")


def read(upload: Upload) -> RawFile:
    """Return the one level of a stage.

    Raises:
        RefusedFileError: cut off, a part of an unknown shape, or a value that is not a number.
    """
    document = json_or_yaml(upload)
    report = document if isinstance(document, Mapping) else {}
    for part in ("load_summary", "successes", "failures"):
        if not isinstance(report.get(part), Mapping):
            what = t("The report of a stage lacks {part}", part=part)
            raise refusal("ingest.missing_field", what, upload.name, _SEND_AGAIN, field=part)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(level_of(Fields(report, Place(upload.name))),),
    )
