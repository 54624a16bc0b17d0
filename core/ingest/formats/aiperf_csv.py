"""AIPerf's summary as a table: profile_export_aiperf.csv, one level per file. docs/formats/aiperf.md.

Tables are stacked: distributions, single values, then the accelerators where telemetry was on.
Neither the model nor the asked load is in it.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Sequence

from core.errors import Place
from core.i18n import t
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.decode import refusal, text_of
from core.ingest.fields import Fields
from core.ingest.formats import aiperf_names as names
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = names.FORMAT_ID
LABEL = "AIPerf CSV"

# GenAI-Perf's table begins alike but counts its percentiles down from p99.
_DISTRIBUTIONS = re.compile(rb"(?:\xef\xbb\xbf)?Metric,avg,min,max,(?:sum,)?p1,p5,")
_VALUES = re.compile(rb"(?:\xef\xbb\xbf)?Metric,Value\r?\n")
_OURS = (b"Error Request Count,", b"Request Count,", b"Benchmark Duration (sec),")
_METRIC = re.compile(r"(?P<name>.*?)(?: \((?P<unit>[^()]*)\))?")
_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")

Row = tuple[int, list[str]]
"""Line number from 1 and cells."""


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
    tables = _tables(upload)
    stats = {name: row for table in tables for name, row in _stats(table, upload.name).items()}
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


def _tables(upload: Upload) -> list[list[Row]]:
    """Return the stacked tables: each a header and its rows."""
    text = text_of(upload)
    if not text.endswith(("\n", "\r")):
        raise _cut_off(upload.name, text.count("\n") + 1)
    tables: list[list[Row]] = []
    before = True
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        for cells in reader:
            if len(cells) > LIMITS.csv_columns or reader.line_num > LIMITS.csv_rows:
                raise refusal("ingest.too_large", t("The table is too large"), upload.name, _SEND_AGAIN)
            if before and any(cells):
                tables.append([])
            if any(cells):
                tables[-1].append((reader.line_num, cells))
            before = not any(cells)
    except csv.Error as error:
        raise _cut_off(upload.name, reader.line_num) from error
    return tables


def _stats(table: Sequence[Row], name: str) -> dict[str, Fields]:
    """Return rows by AIPerf's metric name; a single value stands as its average."""
    _, header = table[0]
    if header[0] != "Metric":
        return {}
    keys = ["avg" if key == "Value" else key for key in header[1:]]
    found = {}
    for line, cells in table[1:]:
        if len(cells) != len(header):
            raise _cut_off(name, line)
        parts = _METRIC.fullmatch(cells[0])
        if parts:
            values: dict[str, object] = dict(zip(keys, map(_plain, cells[1:]), strict=True))
            values["unit"] = parts["unit"]
            key = parts["name"].lower().replace(" ", "_")
            found[names.CSV_NAMES.get(key, key)] = Fields(values, Place(name, line, cells[0][:80]))
    return found


def _devices(tables: Sequence[Sequence[Row]]) -> dict[str, dict[str, str]]:
    """Return one row per accelerator of the telemetry table; it is a bare header where telemetry was off."""
    found = {}
    for (_, header), *rows in tables:
        if "GPU_UUID" in header:
            for _, cells in rows:
                row = dict(zip(header, cells, strict=False))
                found[row.get("GPU_UUID", "")] = row
    return found


def _plain(cell: str) -> str:
    return cell.replace(",", "") if _THOUSANDS.fullmatch(cell) else cell


def _complete(stats: names.Stats, name: str) -> None:
    """Refuse a table that ends between its rows: AIPerf always writes count and rate beside latencies."""
    if "request_latency" in stats and not {"request_count", "request_throughput"} <= set(stats):
        raise _cut_off(name, None)


_SEND_AGAIN = t("Send the file again as the tool wrote it")


def _cut_off(name: str, line: int | None) -> Exception:
    return refusal(
        "ingest.truncated", t("The table is cut off, or a row does not fit its header"), name, _SEND_AGAIN, line=line
    )
