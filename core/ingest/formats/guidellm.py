"""GuideLLM reports: JSON, one level per entry of `benchmarks`. docs/formats/guidellm.md.

Seen: 0.2 (no version in the file), 0.5 (metadata.version 1), 0.8 (metadata.version 2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats.guidellm_level import level_of
from core.ingest.formats.guidellm_settings import planned
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Upload
from core.model.finding import Finding, Severity
from core.model.run import Kind

FORMAT_ID = "guidellm"
LABEL = "GuideLLM JSON"

EARLY = "0.2"
"""Stands for the versions that do not name themselves."""

_SENT_AS_WRITTEN = t("Send the JSON report as GuideLLM wrote it")


def match(head: Head) -> float:
    """Recognise a version stamp, or levels of GuideLLM's own type."""
    paths = json_paths(head.sample)
    if "metadata.guidellm_version" in paths:
        return 1.0
    return 1.0 if "benchmarks.[].type_" in paths and b'"generative_benchmark"' in head.sample else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per strategy that ended; prompts and answers are not kept.

    Raises:
        RefusedFileError: no level in the file, a part of an unknown shape, or a value that is not a number.
    """
    document = json_document(upload)
    if not isinstance(document, Mapping):
        what = t("The file does not hold one JSON object")
        raise refusal("ingest.unexpected", what, upload.name, _SENT_AS_WRITTEN)
    top = Fields(document, Place(upload.name))
    benchmarks = top.each("benchmarks")
    if not benchmarks:
        raise refusal("ingest.no_levels", t("The file holds no level"), upload.name, _SENT_AS_WRITTEN)
    metadata = top.inner("metadata")
    number = metadata.number("version")
    version = f"{number:g}" if number is not None else EARLY
    levels = tuple(level_of(top, benchmark, early=version == EARLY) for benchmark in benchmarks)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=version,
        kind=Kind.MEASURED,
        levels=levels,
        findings=(
            *top.findings,
            *_newer(top.place, version),
            *_unfinished(top.place, planned(benchmarks), len(benchmarks)),
            _tpot_not_used(top.place, version),
        ),
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
