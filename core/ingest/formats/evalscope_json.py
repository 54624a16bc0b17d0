"""EvalScope's summary and percentiles: benchmark_summary.json, benchmark_percentile.json. docs/formats/evalscope.md.

Both lie in a folder per level and share nothing but that folder; each may be there without the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats import evalscope_level as level
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Upload
from core.model.run import Kind

FORMAT_ID = level.FORMAT_ID
LABEL = "EvalScope JSON"

_SUMMARIES = (
    frozenset({"Number of concurrency", "Succeed requests", "Average latency (s)"}),
    frozenset({"Concurrency", "Success Requests", "Avg Latency (s)"}),
)
_ROWS = re.compile(rb'\s*\[\s*\{\s*"Percentiles?"\s*:\s*"(?:[^"\\]*)"')
_COLUMNS = ("Percentiles", "Percentile")
_SEND_AGAIN = t("Send the file again as the tool wrote it")


def match(head: Head) -> float:
    """Recognise a summary by three of its labels, percentiles by theirs beside a latency."""
    if _ROWS.match(head.sample):
        return 1.0 if b'"Latency (s)"' in head.sample else 0.0
    paths = json_paths(head.sample)
    if any(labels <= paths for labels in _SUMMARIES):
        return 1.0
    return 1.0 if "Latency (s)" in paths and any(key in paths for key in _COLUMNS) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level that the file tells of.

    Raises:
        RefusedFileError: cut off, no percentile in it, or a value that is not a number.
    """
    document = json_document(upload)
    if isinstance(document, Mapping) and not any(key in document for key in _COLUMNS):
        version = "summary"
        summary = level.Told(((str(key), value, None) for key, value in document.items()), upload.name)
        said = level.Said(summary=summary, where=level.where_of(upload.name, "benchmark_summary"))
    else:
        version = "percentiles"
        said = level.Said(
            summary=level.Told((), upload.name),
            percentiles=_percentiles(document, upload.name),
            where=level.where_of(upload.name, "benchmark_percentile"),
        )
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=version,
        kind=Kind.MEASURED,
        levels=(level.level_of(said),),
    )


def _percentiles(document: object, name: str) -> dict[str, level.Told]:
    """Return the rows by statistic: the file is a list of rows, in older versions a list per column."""
    found = {}
    for row in _rows(document, name):
        label = next((row.text(key) for key in _COLUMNS if key in row.values), None)
        statistic = level.statistic_of(label or "")
        if statistic is not None:
            found[statistic] = level.Told(((key, value, None) for key, value in row.values.items()), name)
    if not found:
        raise refusal("ingest.no_levels", t("The file holds no percentile"), name, _SEND_AGAIN)
    return found


def _rows(document: object, name: str) -> list[Fields]:
    if isinstance(document, list):
        return Fields({"rows": document}, Place(name)).each("rows")
    columns = document if isinstance(document, Mapping) else {}
    lengths = {len(values) for values in columns.values() if isinstance(values, list)}
    if len(lengths) != 1 or not all(isinstance(values, list) for values in columns.values()):
        raise refusal("ingest.unexpected", t("The columns of percentiles are not of one length"), name, _SEND_AGAIN)
    (length,) = lengths
    return [
        Fields({str(key): values[index] for key, values in columns.items()}, Place(name, field=f"[{index}]"))
        for index in range(length)
    ]
