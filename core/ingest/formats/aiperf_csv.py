"""AIPerf's summary as a table: profile_export_aiperf.csv, one level per file. docs/formats/aiperf.md.

Tables are stacked: distributions, single values, then the accelerators where telemetry was on.
Neither the model nor the asked load is in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from core.errors import Place
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.fields import Fields
from core.ingest.formats import aiperf_names as names
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.ingest.stacked import Row, cut_off, statistics_of, tables_of
from core.model.run import Kind

FORMAT_ID = names.FORMAT_ID
LABEL = "AIPerf CSV"

# GenAI-Perf's table begins alike but counts its percentiles down from p99.
_DISTRIBUTIONS = re.compile(rb"(?:\xef\xbb\xbf)?Metric,avg,min,max,(?:sum,)?p1,p5,")
_VALUES = re.compile(rb"(?:\xef\xbb\xbf)?Metric,Value\r?\n")
_OURS = (b"Error Request Count,", b"Request Count,", b"Benchmark Duration (sec),")


def match(head: Head) -> float:
    """Recognise the header of the first table and a row that only AIPerf writes."""
    distributions = _DISTRIBUTIONS.match(head.sample)
    if not distributions and not _VALUES.match(head.sample):
        return 0.0
    return 1.0 if distributions or any(b"\n" + row in head.sample for row in _OURS) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a table; its load comes from the file's name.

    Raises:
        RefusedFileError: cut off, a row that does not fit its header, or a value that is not a number.
    """
    place = Place(upload.name)
    tables = tables_of(upload)
    stats = statistics_of(tables, upload.name, names.CSV_NAMES)
    concurrency, rate, findings = names.load_from_name(place, upload.name)
    gpus = [row["GPU_Name"] for row in _devices(tables).values() if row.get("GPU_Name")]
    accelerator = ", ".join(sorted(set(gpus)))[:300]
    conditions: dict[str, Scalar] = {"tool": "AIPerf"}
    if accelerator:
        conditions["accelerator"] = accelerator
    told = Fields({}, place)
    said = names.Said(
        asked_concurrency=concurrency,
        asked_rate=rate,
        conditions=accelerators_from_name(told, conditions),
        findings=(*findings, *told.findings, *names.seen_accelerators(place, gpus)),
    )
    level = names.level_of(stats, place, said)
    _complete(stats, upload.name)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="csv",
        kind=Kind.MEASURED,
        levels=(level,),
        calls=names.CALLS,
    )


def _devices(tables: Sequence[Sequence[Row]]) -> dict[str, dict[str, str]]:
    """Return one row per accelerator of the telemetry table; it is a bare header where telemetry was off."""
    found = {}
    for (_, header), *rows in tables:
        if "GPU_UUID" in header:
            for _, cells in rows:
                row = dict(zip(header, cells, strict=False))
                found[row.get("GPU_UUID", "")] = row
    return found


def _complete(stats: names.Stats, name: str) -> None:
    """Refuse a table that ends between its rows: AIPerf always writes count and rate beside latencies."""
    if "request_latency" in stats and not {"request_count", "request_throughput"} <= set(stats):
        raise cut_off(name, None)
