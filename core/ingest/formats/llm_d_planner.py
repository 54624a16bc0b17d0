"""llm-d-planner: its data of performance per deployment, made up by its own word; docs/formats/llm_d_planner.md.

Source: the three files of the planner's repository. Milliseconds. Nothing in a row says that it was not measured:
only `_metadata` (or `metadata`) of the file does ("synthetic", "estimated", "interpolated"), so its words are shown.
`requests_per_second` is what such a deployment serves; which tokens `tokens_per_second` counts is not said.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document
from core.ingest.fields import Fields
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.simulated import candidate
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "llm_d_planner"
LABEL = "llm-d-planner data"

_MARKS = frozenset(
    {"benchmarks.[].hardware_count", "benchmarks.[].requests_per_second", "benchmarks.[].ttft_p95"}
    | {"benchmarks.[].itl_p95", "benchmarks.[].e2e_p95"}
)
_READING = re.compile(r"(ttft|itl|e2e)_(mean|p\d{1,2})")
_METRICS = {"ttft": Metric.TTFT, "itl": Metric.ITL, "e2e": Metric.E2E}
_SAID = ("description", "source", "variation", "method", "estimation_method", "generation_method", "disclaimer")
_WORDS = 400


def match(head: Head) -> float:
    """0.95 where a first row has every column that tells the format."""
    return 0.95 if json_paths(head.sample) >= _MARKS else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per row.

    Raises:
        RefusedFileError: cut off, a field that is no number, or more rows than are read.
    """
    document = json_document(upload)
    root = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.SIMULATED,
        levels=tuple(_level(row) for row in root.each("benchmarks")),
        findings=(_made_up(root), candidate(upload.name)),
    )


def _level(row: Fields) -> RawLevel:
    model, revision = model_in(row.text("model_hf_repo") or row.text("model_id"))
    conditions: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "accelerator": row.text("hardware") or row.text("hardware_type") or row.text("gpu_type"),
        "accelerator_count": row.count("hardware_count"),
        "tp": row.count("tensor_parallel"),
        "engine": row.text("framework"),
        "engine_version": row.text("framework_version"),
    }
    asked = {key: row.number(key) for key in ("prompt_tokens", "output_tokens")}
    got = [row.not_negative(f"mean_{side}_tokens") for side in ("input", "output")]
    return RawLevel(
        place=row.place,
        request_rate=row.not_negative("requests_per_second") or None,
        input_tokens_mean=asked["prompt_tokens"] if got[0] is None else got[0],
        output_tokens_mean=asked["output_tokens"] if got[1] is None else got[1],
        readings=_readings(row),
        conditions={name: value for name, value in conditions.items() if value is not None},
        identity={name: value for name, value in asked.items() if value is not None},
        findings=tuple(row.findings),
    )


def _readings(row: Fields) -> tuple[Reading, ...]:
    found = []
    for key in row.values:
        named = _READING.fullmatch(key)
        value = row.not_negative(key) if named else None
        if named and value:
            found.append(Reading(_METRICS[named[1]], named[2], value, "ms", key))
    return tuple(found)


def _made_up(root: Fields) -> Finding:
    """Return what the file says of itself; even where it says nothing, nobody measured it."""
    key = "_metadata" if "_metadata" in root.values else "metadata"
    about = root.inner(key)
    words = "; ".join(text.rstrip(".") for name in _SAID if (text := about.text(name)))[:_WORDS]
    return Finding(
        code="simulated.made_up",
        severity=Severity.WARNING,
        where=Place(root.place.file, field=key),
        what=t('The file says of its own numbers: "{words}"', words=words)
        if words
        else t("The file does not say where its numbers come from"),
        consequence=t("They describe no deployment that ran, and single percentiles may contradict each other"),
        fix=t("Use them to choose what to measure, not to promise a target"),
    )
