"""GenAI-Perf's summary as a table: profile_export_genai_perf.csv, one level per file. docs/formats/genai_perf.md.

Tables are stacked: distributions counted down from p99, single values, then the accelerators where telemetry
was on. Neither the model nor the asked load is in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from core.errors import Place
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.fields import Fields
from core.ingest.formats import genai_perf_level as level
from core.ingest.formats.aiperf_names import load_from_name
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.stacked import Row, cut_off, plain, statistics_of, tables_of, titled
from core.model.run import Kind

FORMAT_ID = level.FORMAT_ID
LABEL = "GenAI-Perf CSV"

_DISTRIBUTIONS = re.compile(rb"(?:\xef\xbb\xbf)?Metric,avg,min,max,p99,p95,p90,p75,p50,p25\b")
_USED, _TOTAL = "gpu_memory_used", ("total_gpu_memory", "gpu_total_memory")


def match(head: Head) -> float:
    """Recognise the header whose percentiles run down."""
    return 1.0 if _DISTRIBUTIONS.match(head.sample) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a table; its load comes from the file's name.

    Raises:
        RefusedFileError: cut off, a row that does not fit its header, or a value that is not a number.
    """
    place = Place(upload.name)
    tables = tables_of(upload)
    stats = statistics_of(tables, upload.name, {})
    if "request_latency" in stats and "request_throughput" not in stats:
        raise cut_off(upload.name, None)
    concurrency, rate, findings = load_from_name(place, upload.name)
    fields = Fields({}, place)
    told = level.Told(
        asked_concurrency=concurrency,
        asked_rate=rate,
        memory_used_fraction=_memory_used(tables, upload.name),
        conditions=accelerators_from_name(fields, {"tool": "GenAI-Perf"}),
        findings=(*findings, *fields.findings),
    )
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="csv",
        kind=Kind.MEASURED,
        levels=(level.level_of(stats, place, told),),
        calls=level.calls_of(stats),
    )


def _memory_used(tables: Sequence[Sequence[Row]], name: str) -> float | None:
    """Return the share of memory in use on the fullest accelerator, 0 to 1; None where it is not known."""
    cells = {(metric, gpu): value for metric, gpu, value in _of_accelerators(tables, name)}
    shares = []
    for (metric, gpu), used in cells.items():
        total = next((cells[key, gpu] for key in _TOTAL if cells.get((key, gpu))), None)
        if metric == _USED and used is not None and total and used <= total:
            shares.append(used / total)
    return max(shares, default=None)


def _of_accelerators(tables: Sequence[Sequence[Row]], name: str) -> Iterator[tuple[str, str, float | None]]:
    """Yield (metric, accelerator, mean) of the tables of telemetry."""
    for (_, header), *rows in tables:
        if header[:2] != ["Metric", "GPU"] or len(header) < 3:
            continue
        for line, cells in rows:
            if len(cells) != len(header):
                raise cut_off(name, line)
            metric, _ = titled(cells[0])
            yield metric, cells[1], Fields({"avg": plain(cells[2])}, Place(name, line, cells[0][:80])).number("avg")
