"""Any table with one row per request: JSON Lines, CSV or TSV, Parquet. docs/formats/generic_requests.md.

For logs that people's own scripts write. Files of any size are read in blocks; a load column parts a file
into levels, and settings into configurations.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.latency_unit import SECONDS
from core.ingest.names import all_from_name, concurrency_in, rate_in
from core.ingest.notices import no_load, none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.ingest.request_columns import OUTCOMES, claims
from core.ingest.request_csv import CsvRequests
from core.ingest.request_json import JsonRequests
from core.ingest.request_levels import Key, Levels, Rows
from core.ingest.request_notes import file_findings
from core.ingest.request_parquet import MAGIC, ParquetRequests
from core.ingest.source import Stream
from core.ingest.table import header_of
from core.model.finding import Finding
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "generic_requests"
LABEL = "table with one row per request (JSON Lines, CSV, Parquet)"
GENERIC = True

_SURE, _MAGIC = 0.25, 0.2
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_WHOLE = frozenset({"accelerator_count", "tp", "pp", "ep", "dp", "replicas", "max_num_seqs"})


def match(head: Head) -> float:
    """0.25 for a mark of single requests beside a latency; any Parquet file, to say what it lacks."""
    if head.sample.startswith(MAGIC):
        return _MAGIC
    bare = head.sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    if bare.startswith(b"{"):
        first = bare.split(b"\n", 1)[0]
        names = [path for path in json_paths(first, depth=1) if "." not in path]
        return _SURE if claims(names) else 0.0
    return _SURE if claims(header_of(head)) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the levels of an upload; as `read_stream`."""
    if upload.data.startswith(_UTF_16):
        upload = Upload(upload.name, text_of(upload).encode())
    with Stream(upload) as stream:
        return read_stream(stream)


def read_stream(stream: Stream) -> RawFile:
    """Return one level per load and configuration.

    Raises:
        RefusedFileError: a damaged row, no latency, a latency without a unit, two columns of one meaning, or
            beyond a limit; with its place.
    """
    rows = _rows(stream)
    levels = Levels(rows, stream.name)
    levels.read()
    if not levels.log.sent.sum():
        levels.log.close()
        raise refusal(
            "ingest.no_rows",
            t("No request is in the file, beside those of a warm-up"),
            stream.name,
            t("Send the file again as the tool wrote it"),
        )
    raw = tuple(_level(levels, rows, number, stream.name) for number in _in_order(levels))
    itl = levels.column("itl") and not levels.column("tpot")
    return RawFile(
        name=stream.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=raw,
        findings=file_findings(levels, rows, stream.name),
        calls={Metric.TPOT: "ITL"} if itl else {},
    )


def _rows(stream: Stream) -> Rows:
    if stream.start.startswith(MAGIC):
        return ParquetRequests(stream)
    if stream.start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return JsonRequests(stream)
    return CsvRequests(stream)


def _in_order(levels: Levels) -> list[int]:
    """Return the numbers of the levels that have requests, by load."""

    def load(number: int) -> tuple[float, float]:
        key = dict(levels.keys[number])
        found = (key.get("concurrency"), key.get("rate"))
        return tuple(float(value) if isinstance(value, float) else -1.0 for value in found)  # type: ignore[return-value]  # two of them

    return sorted((n for n in range(len(levels.keys)) if n < levels.log.sent.size and levels.log.sent[n]), key=load)


def _level(levels: Levels, rows: Rows, number: int, name: str) -> RawLevel:
    key, place = levels.keys[number], Place(name)
    conditions, identity = _settings(key)
    if len(levels.keys) > 1 and (levels.column("concurrency") or levels.column("rate")):
        # A file that holds a sweep stands for itself: nothing says that a second one is the same deployment.
        identity["file"] = name
    concurrency, rate, found = _load(dict(key), place, name)
    log = levels.log
    sent, good, cut_off = int(log.sent[number]), int(log.good[number]), int(log.cut_off[number])
    # A log may leave out what failed; only one that tells outcomes, or holds a bad row, counts failures.
    told = sent > good or any(column.role in OUTCOMES for column in rows.plan.columns)
    if not good:
        found.append(none_completed(place))
    kept, spilled = log.requests(number, levels.unit)
    e2e, ttft = (None if mean is None else mean * SECONDS[levels.unit] for mean in log.means(number))
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests_sent=sent if told else None,
        requests_good=good,
        requests_failed=sent - good - cut_off if told else None,
        requests_cut_off=cut_off if told else None,
        requests=kept,
        spilled=spilled,
        conditions=conditions,
        identity=identity,
        run_key=f"{good}|{e2e or 0.0:.6g}|{ttft or 0.0:.6g}" if good else None,
        findings=tuple(found),
    )


def _load(key: Mapping[str, Scalar], place: Place, name: str) -> tuple[float | None, float | None, list[Finding]]:
    """Return concurrency and rate of a level: of its rows, else of the file's name, else none with a finding."""
    concurrency, rate = key.get("concurrency"), key.get("rate")
    if isinstance(concurrency, float) or isinstance(rate, float):
        known = (float(value) if isinstance(value, float) and value > 0.0 else None for value in (concurrency, rate))
        return (*known, [])  # type: ignore[return-value]  # two of them
    named, by_rate = concurrency_in(name), rate_in(name)
    told = {"asked_concurrency": named, "asked_rate": None if named else by_rate}
    stated = {field: value for field, value in told.items() if value is not None}
    finding = all_from_name(place, stated) if stated else no_load(place)
    return told["asked_concurrency"], told["asked_rate"], [finding]


def _settings(key: Key) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    conditions: dict[str, Scalar] = {}
    identity: dict[str, Scalar] = {}
    for name, value in key:
        group, _, rest = name.partition(".")
        if value is None or group not in ("conditions", "setting"):
            continue
        if group == "setting":
            identity[rest] = value
        elif rest in _WHOLE:
            conditions[rest] = int(float(value)) if str(value).replace(".", "", 1).isdigit() else None
        else:
            conditions[rest] = value
    return {field: value for field, value in conditions.items() if value is not None}, identity
