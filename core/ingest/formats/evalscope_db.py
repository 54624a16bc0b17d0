"""EvalScope's database of one level: benchmark_data.db, SQLite, a row per request. docs/formats/evalscope.md.

Prompts and answers are in it; they are never selected. A database can be made to harm its reader, so that only
columns of the one known table are allowed, no view or trigger is trusted, and the work is bounded.
"""

from __future__ import annotations

import hashlib
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

import msgspec
import numpy as np

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.formats import evalscope_level as level
from core.ingest.notices import no_load, none_completed, not_measured
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.model.metric import Metric
from core.model.run import Kind
from core.model.stage import FloatArray
from core.settings import LIMITS

FORMAT_ID = level.FORMAT_ID
LABEL = "EvalScope database"

_MAGIC = b"SQLite format 3\x00"
_TABLE = "result"
_NUMBERS = ("start_time", "latency", "first_chunk_latency", "prompt_tokens", "completion_tokens")
_GAPS, _TIMES, _SUCCESS, _STREAMED = "inter_token_latencies", "chunk_times", "success", "is_stream"
_STEPS, _MOST = 10_000, 100_000
"""SQLite calls back after so many steps of its machine, and is stopped after so many calls."""
_SEND_AGAIN = t("Send the file again as the tool wrote it")
_LIST = msgspec.json.Decoder(list[float])
_GOOD = frozenset({1, "1", "true", "True"})


@dataclass(slots=True)
class _Columns:
    numbers: dict[str, array[float]] = field(default_factory=lambda: {name: array("d") for name in _NUMBERS})
    good: list[bool] = field(default_factory=list)
    streamed: list[bool] = field(default_factory=list)
    gaps: array[float] = field(default_factory=lambda: array("d"))
    gap_counts: list[int] = field(default_factory=list)


def match(head: Head) -> float:
    """Recognise a SQLite file whose first page describes the tool's table."""
    return 1.0 if head.sample.startswith(_MAGIC) and b"first_chunk_latency" in head.sample else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a database; its load comes from the folder's name.

    Raises:
        RefusedFileError: cut off, damaged, without the known table, too large, or a value that is not a number.
    """
    _whole(upload)
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            columns = _columns(database, upload)
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
        raise _damaged(upload.name) from error
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="database",
        kind=Kind.MEASURED,
        levels=(_level(columns, upload.name),),
    )


def _whole(upload: Upload) -> None:
    """Refuse a file that is shorter than its header says."""
    header = upload.data[:100]
    size = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    if len(header) < 100 or len(upload.data) < pages * (65_536 if size == 1 else size):
        raise refusal("ingest.truncated", t("The database is cut off"), upload.name, _SEND_AGAIN)


def _columns(database: sqlite3.Connection, upload: Upload) -> _Columns:
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LIMITS.line_bytes)
    database.execute("PRAGMA trusted_schema = OFF")
    database.deserialize(upload.data)
    database.execute("PRAGMA query_only = ON")
    # After so many steps somebody is being made to wait.
    calls = iter(range(_MOST))
    database.set_progress_handler(lambda: next(calls, None) is None, _STEPS)
    known = _known(database, upload.name)
    database.set_authorizer(_only_the_table)
    gaps = _GAPS if _GAPS in known else _TIMES
    wanted = [name for name in (*_NUMBERS, _SUCCESS, gaps, _STREAMED) if name in known]
    found = _Columns()
    for number, row in enumerate(_rows(database, wanted), start=1):
        if number > LIMITS.csv_rows:
            raise refusal("ingest.too_large", t("The table is too large"), upload.name, _SEND_AGAIN)
        _add(found, dict(zip(wanted, row, strict=True)), Place(upload.name, number, _TABLE))
    return found


def _known(database: sqlite3.Connection, name: str) -> frozenset[str]:
    """Return the columns of the tool's table."""
    plain = database.execute(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE TABLE%'", (_TABLE,)
    ).fetchone()
    known = frozenset(row[1] for row in database.execute(f"PRAGMA table_info({_TABLE})"))
    if plain != (1,) or not {"latency", "first_chunk_latency", _SUCCESS} <= known:
        raise refusal("ingest.no_levels", t("The database holds no table of EvalScope's requests"), name, _SEND_AGAIN)
    return known


def _only_the_table(action: int, table: str | None, *_: str | None) -> int:
    allowed = action == sqlite3.SQLITE_SELECT or (action == sqlite3.SQLITE_READ and table == _TABLE)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _rows(database: sqlite3.Connection, wanted: Sequence[str]) -> Iterator[tuple[object, ...]]:
    # The names are our own, never the file's.
    return database.execute(f"SELECT {', '.join(wanted)} FROM {_TABLE}")  # noqa: S608 - see above


def _add(columns: _Columns, row: dict[str, object], place: Place) -> None:
    good = row.get(_SUCCESS) in _GOOD and isinstance(row.get("latency"), int | float)
    columns.good.append(good)
    columns.streamed.append(bool(row.get(_STREAMED, 1)))
    for name in _NUMBERS:
        columns.numbers[name].append(_number(row.get(name), place, name))
    gaps = _gaps(row, place) if good else []
    columns.gaps.extend(gaps)
    columns.gap_counts.append(len(gaps))


def _number(value: object, place: Place, name: str) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, int | float):
        return float(value) if 0.0 <= value < 1e30 else float("nan")
    raise _not_a_number(place, name)


def _gaps(row: dict[str, object], place: Place) -> list[float]:
    """Return the gaps between chunks of one answer; old versions keep the times instead."""
    name = _GAPS if _GAPS in row else _TIMES
    text = row.get(name)
    if text is None:
        return []
    if not isinstance(text, str):
        raise _not_a_number(place, name)
    try:
        values = _LIST.decode(text)
    except msgspec.DecodeError as error:
        raise _not_a_number(place, name) from error
    return values if name == _GAPS else np.diff(np.array(values)).tolist()


def _level(columns: _Columns, name: str) -> RawLevel:
    where, place = level.where_of(name, "benchmark_data"), Place(name)
    good = np.array(columns.good, dtype=np.bool_)
    numbers = {key: np.array(values) for key, values in columns.numbers.items()}
    findings = [*where.findings]
    if where.concurrency is None and where.rate is None:
        findings.append(no_load(place))
    if not good.any():
        findings.append(none_completed(place))
    ttft = _first_token(numbers, np.array(columns.streamed, dtype=np.bool_))
    if good.any() and not np.isfinite(ttft[good]).any():
        findings.append(not_measured(Place(name, field="first_chunk_latency"), Metric.TTFT))
    gaps = np.array(columns.gaps)
    sound = bool(np.isfinite(gaps).all() and (gaps >= 0.0).all())
    count = int(good.sum())
    return RawLevel(
        place=place,
        asked_concurrency=where.concurrency,
        asked_rate=where.rate,
        requests_sent=good.size,
        requests_good=count,
        requests_failed=good.size - count,
        requests=RawRequests(
            unit="s",
            good=good,
            ttft=ttft,
            e2e=numbers["latency"],
            start=numbers["start_time"],
            input_tokens=numbers["prompt_tokens"],
            output_tokens=numbers["completion_tokens"],
            gaps=gaps if sound else np.empty(0),
            gap_counts=np.array(columns.gap_counts, dtype=np.int64) if sound else None,
        ),
        conditions={"tool": "EvalScope"},
        run_key=where.run_key,
        findings=tuple(findings),
    )


def _first_token(numbers: dict[str, FloatArray], streamed: np.ndarray) -> FloatArray:
    """Return times to the first token, NaN where an answer came in one piece: the tool then repeats the latency."""
    ttft, e2e = numbers["first_chunk_latency"], numbers["latency"]
    known = np.isfinite(ttft) & np.isfinite(e2e)
    if known.any() and (ttft[known] == e2e[known]).all():
        streamed = np.zeros_like(streamed)
    return np.where(streamed, ttft, np.nan)


def _not_a_number(place: Place, name: str) -> RefusedFileError:
    what = t("Request {number} holds something else than numbers in {field}", number=place.line or 0, field=name)
    return refusal("ingest.not_a_number", what, place.file or "", _SEND_AGAIN, line=place.line, field=name)


def _damaged(name: str) -> RefusedFileError:
    return refusal(
        "evalscope.damaged_database", t("The database is damaged, or more than a list of requests"), name, _SEND_AGAIN
    )
