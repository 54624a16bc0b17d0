"""GuideLLM reports: JSON, or the same as YAML, one level per entry of `benchmarks`. docs/formats/guidellm.md.

Seen: 0.2 (no version in the file), 0.5 (metadata.version 1), 0.8 (metadata.version 2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.formats.guidellm_level import level_of
from core.ingest.formats.guidellm_settings import planned
from core.ingest.peek import json_paths, yaml_paths
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.yaml_text import json_or_yaml
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "guidellm"
LABEL = "GuideLLM JSON or YAML"

EARLY = "0.2"
"""Stands for the versions that do not name themselves."""

CALLS = {Metric.TPOT: "ITL"}
"""Its inter_token_latency is one value per request; its own "TPOT" is none of our metrics and is not read."""

_SENT_AS_WRITTEN = t("Send the JSON report as GuideLLM wrote it")


def match(head: Head) -> float:
    """Recognise a version stamp, or levels of GuideLLM's own type; in YAML the stamp comes last."""
    paths = json_paths(head.sample)
    if not paths:
        seen = yaml_paths(head.sample)
        return (
            0.95 if "benchmarks.metrics" in seen and {"benchmarks.run_id", "benchmarks.config.run_id"} & seen else 0.0
        )
    if "metadata.guidellm_version" in paths:
        return 1.0
    return 1.0 if "benchmarks.[].type_" in paths and b'"generative_benchmark"' in head.sample else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per strategy that ended; prompts and answers are not kept.

    Raises:
        RefusedFileError: no level in the file, a part of an unknown shape, or a value that is not a number.
    """
    document = json_or_yaml(upload)
    if not isinstance(document, Mapping):
        what = t("The file does not hold one JSON object")
        raise refusal("ingest.unexpected", what, upload.name, _SENT_AS_WRITTEN)
    return file_of(upload, Fields(document, Place(upload.name)), FORMAT_ID)


def file_of(upload: Upload, top: Fields, format_id: str) -> RawFile:
    """Return the levels of a report, whichever file held it.

    Args:
        upload: the file, for its name and bytes.
        top: the report in the shape of its JSON.
        format_id: of the importer that read it.

    Raises:
        RefusedFileError: no level in the file, a part of an unknown shape, or a value that is not a number.
    """
    benchmarks = top.each("benchmarks")
    if not benchmarks:
        raise refusal("ingest.no_levels", t("The file holds no level"), upload.name, _SENT_AS_WRITTEN)
    number = top.inner("metadata").number("version")
    version = f"{number:g}" if number is not None else EARLY
    # YAML is in the order of the alphabet, so that a file cut off at a line end lacks its version.
    if version == EARLY and any("config" in benchmark.values for benchmark in benchmarks):
        what = t("The report ends before its metadata, or lacks it")
        raise refusal("ingest.truncated", what, upload.name, _SENT_AS_WRITTEN, field="metadata")
    levels = tuple(level_of(top, benchmark, early=version == EARLY) for benchmark in benchmarks)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=format_id,
        format_version=version,
        kind=Kind.MEASURED,
        levels=levels,
        findings=(
            *top.findings,
            *_newer(top.place, version),
            *_unfinished(top.place, planned(benchmarks), len(benchmarks)),
            _tpot_not_used(top.place, version),
        ),
        calls=CALLS,
    )


def _newer(place: Place, version: str) -> tuple[Finding, ...]:
    if version in (EARLY, "1", "2"):
        return ()
    return (
        Finding(
            code="guidellm.newer_schema",
            severity=Severity.WARNING,
            where=place,
            what=t("The report has version {version}; Plimsoll knows versions up to 2", version=version),
            consequence=t("It was read like version 2, so a changed meaning would go unnoticed"),
            fix=t("Compare the values with those of GuideLLM's own table"),
        ),
    )


def _unfinished(place: Place, wanted: int | None, held: int) -> tuple[Finding, ...]:
    if wanted is None or wanted <= held:
        return ()
    return (
        Finding(
            code="guidellm.levels_missing",
            severity=Severity.WARNING,
            where=place,
            what=t("{wanted} levels were planned and {held} are in the file", wanted=wanted, held=held),
            consequence=t("The highest loads may be missing"),
            fix=t("Run the missing levels"),
        ),
    )


def _tpot_not_used(place: Place, version: str) -> Finding:
    """Say once per file which of the tool's two times per token was used."""
    early = t("GuideLLM's own time per output token is not used: it divides by the first token too")
    later = t("GuideLLM's own time per output token is not used: the time to the first token is in it")
    return Finding(
        code="guidellm.tpot_not_used",
        severity=Severity.INFO,
        where=Place(place.file, None, "time_per_output_token_ms"),
        what=early if version == EARLY else later,
        consequence=t("TPOT comes from the requests, or from inter_token_latency_ms where they are not kept"),
    )
