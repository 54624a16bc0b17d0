"""LMBenchmark (multi-round QA, used by llm-d and fmperf): a CSV with one finished request per row.

Seen: May 2025. Seconds; `generation_time` excludes TTFT. The rate stands in the file's name only.
Requests that did not finish have no row, so a level that misses rows hides its slowest ones.
Details: docs/formats/lmbenchmark.md.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.names import all_from_name, concurrency_in, rate_in
from core.ingest.notices import no_load
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.table import Table, header_of, number_text, table_of
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.model.stage import FloatArray

FORMAT_ID = "lmbenchmark"
LABEL = "LMBenchmark CSV"

_COLUMNS = ("prompt_tokens", "generation_tokens", "ttft", "generation_time", "launch_time", "finish_time")
_NAME = re.compile(r"(?:LMBench_)?(?P<workload>.+?)_output_(?P<rate>\d+(?:\.\d+)?)\.csv", re.IGNORECASE)
_MISSING = 0.05
"""Share of the due requests that may lack before it is said: the ends of the window are ragged."""
_CLOCK_S = 0.01
"""What finish - launch may differ from TTFT + generation time: two clocks were read (0.04 ms seen)."""


def match(head: Head) -> float:
    """0.95 where every column is there: no other tool names these six together."""
    return 0.95 if set(_COLUMNS) <= set(header_of(head)) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a file of requests; its rate comes from the file's name.

    Raises:
        RefusedFileError: a damaged table, a cell that is not a number, a last row that was cut off.
    """
    table = table_of(upload)
    columns = {name: _numbers(table, name) for name in _COLUMNS}
    _whole(table, columns)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(_level(columns, upload.name),),
    )


def _level(columns: dict[str, FloatArray], name: str) -> RawLevel:
    place = Place(name)
    rate, concurrency, workload, findings = _said_by_name(place)
    requests = _requests(columns)
    launched = columns["launch_time"][np.isfinite(columns["launch_time"])]
    window_s = float(launched.max() - launched.min()) if launched.size else 0.0
    short = _missing(place, rate, window_s, launched.size)
    return RawLevel(
        place=place,
        asked_rate=rate,
        asked_concurrency=concurrency,
        # Where rows lack, how many were launched is not known.
        applied_rate=(launched.size - 1) / window_s if rate and window_s > 0.0 and not short else None,
        requests_good=int(requests.good.sum()),
        requests=requests,
        conditions={"tool": "LMBenchmark"},
        identity={"workload": workload} if workload else {},
        findings=(*findings, *short, *_disagreeing(place, columns)),
    )


def _requests(columns: dict[str, FloatArray]) -> RawRequests:
    tokens, launch = columns["generation_tokens"], columns["launch_time"]
    e2e = columns["finish_time"] - launch
    good = np.isfinite(e2e)
    ttft = columns["ttft"]
    gaps = np.where(tokens >= 2.0, tokens - 1.0, np.nan)
    return RawRequests(
        unit="s",
        good=good,
        ttft=np.where(ttft > 0.0, ttft, np.nan),
        e2e=e2e,
        start=launch - float(launch[good].min()) if good.any() else launch,
        input_tokens=columns["prompt_tokens"],
        output_tokens=tokens,
        tpot=columns["generation_time"] / gaps,
    )


def _said_by_name(place: Place) -> tuple[float | None, float | None, str | None, tuple[Finding, ...]]:
    """Return rate, concurrency and workload that the file's name tells, and what says so."""
    found = _NAME.fullmatch((place.file or "").replace("\\", "/").rsplit("/", 1)[-1])
    rate = (float(found["rate"]) if found else rate_in(place.file or "")) or None
    concurrency = None if rate else concurrency_in(place.file or "")
    if not rate and not concurrency:
        return None, None, None, (no_load(place),)
    said: dict[str, float | str] = {"asked_rate": rate} if rate else {"asked_concurrency": concurrency or 0.0}
    workload = found["workload"] if found else None
    if workload:
        said["workload"] = workload
    return rate, concurrency, workload, (all_from_name(place, said),)


def _missing(place: Place, rate: float | None, window_s: float, rows: int) -> tuple[Finding, ...]:
    due = rate * window_s + 1.0 if rate else 0.0
    if rows >= due * (1.0 - _MISSING):
        return ()
    return (
        Finding(
            code="lmbenchmark.requests_missing",
            severity=Severity.WARNING,
            where=place,
            what=t(
                "{rows} requests are in the file; {rate} a second for {seconds} s would be {due}",
                rows=rows,
                rate=f"{rate:g}",
                seconds=f"{window_s:.1f}",
                due=round(due),
            ),
            consequence=t(
                "The others did not finish, or were never sent because their user still waited."
                " Only the faster ones are left, so p99 looks better than it is"
            ),
            fix=t("Treat this level as overloaded; measure below the rate at which rows begin to lack"),
        ),
    )


def _numbers(table: Table, name: str) -> FloatArray:
    """Return a column, NaN where a cell is empty.

    Raises:
        RefusedFileError: a cell that is not a number; with its line.
    """
    index = table.header.index(name)
    mark = table.decimal_marks[index]
    values = np.full(len(table.rows), np.nan)
    for position, row in enumerate(table.rows):
        text, _ = number_text(row.cells[index], mark)
        if text.lower() in ("", "nan", "none"):
            continue
        try:
            value = float(text)
        except ValueError:
            raise _not_a_number(Place(table.name, row.line, name), text) from None
        values[position] = value if abs(value) < 1e300 else np.nan
    return values


def _whole(table: Table, columns: dict[str, FloatArray]) -> None:
    """Refuse a last row whose last number was cut short: it ends at another time than its parts say."""
    if table.complete:
        return
    if not _off(columns)[-1] <= _CLOCK_S:
        raise RefusedFileError(
            "ingest.truncated",
            t("The last row ends in the middle of a number"),
            fix=t("Send the file again as the tool wrote it"),
            place=Place(table.name, table.rows[-1].line, "finish_time"),
        )


def _off(columns: dict[str, FloatArray]) -> FloatArray:
    """Return by how many seconds each row ends at another time than its parts say, NaN where one is unknown."""
    parts = columns["launch_time"] + columns["ttft"] + columns["generation_time"]
    return np.abs(columns["finish_time"] - parts)


def _disagreeing(place: Place, columns: dict[str, FloatArray]) -> tuple[Finding, ...]:
    count = int((_off(columns) > _CLOCK_S).sum())
    if not count:
        return ()
    return (
        Finding(
            code="lmbenchmark.times_disagree",
            severity=Severity.WARNING,
            where=Place(place.file, None, "finish_time"),
            what=t(
                "{count} of {total} requests end at another time than launch, TTFT and generation time add up to",
                count=count,
                total=columns["finish_time"].size,
            ),
            consequence=t("One of their numbers is wrong, and nothing tells which: all are read as they stand"),
            fix=t("Compare these rows with the original file"),
        ),
    )


def _not_a_number(place: Place, text: str) -> RefusedFileError:
    return RefusedFileError(
        "ingest.not_a_number",
        t('{field} should be a number and is "{value}"', field=place.field or "", value=text[:40]),
        fix=t("Check the file: it may have been edited or mixed with another"),
        place=place,
    )
