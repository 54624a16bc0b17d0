"""AWS FMBench: per_inference_request_results.csv, one request per row, seconds; docs/formats/fmbench.md.

The only file of the tool that true percentiles can be had from. It says neither when a request was sent nor of
which payload file it is, so requests of all lengths stand together. Prompts and answers are not kept.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict

import numpy as np
import numpy.typing as npt

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.formats.fmbench_conditions import conditions_of, sent_in_groups
from core.ingest.notices import none_completed
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Scalar, Upload
from core.ingest.request_table import UNKNOWN, numbers_in
from core.ingest.table import Table, header_of, table_of
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.model.stage import FloatArray

FORMAT_ID = "fmbench_records"
LABEL = "AWS FMBench requests"

_MARKS = frozenset({"endpoint_name", "prompt_tokens", "completion_tokens", "latency", "experiment_name", "concurrency"})
Rows = npt.NDArray[np.int64]
_KEYS = ("experiment_name", "instance_type", "instance_count")
_TTFT, _TPOT = "time_to_first_token", "time_per_output_token"


def claims(header: tuple[str, ...]) -> bool:
    """Whether a header is that of FMBench's single requests."""
    return frozenset(header) >= _MARKS


def match(head: Head) -> float:
    """0.95 where every column that tells the format is there."""
    return 0.95 if claims(header_of(head)) else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per experiment, instance type and concurrency, with its requests.

    Raises:
        RefusedFileError: a damaged table, or a cell that is no number; with line and column.
    """
    table = table_of(upload)
    concurrency = numbers_in(table, "concurrency")
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, cells in enumerate(table.rows):
        if not concurrency[row] > 0.0:
            raise refusal(
                "ingest.no_load_value",
                t("The row has no load above zero"),
                upload.name,
                t("Send the file again as the tool wrote it"),
                line=cells.line,
                field="concurrency",
            )
        groups[(*_told(table, row).values(), f"{concurrency[row]:g}")].append(row)
    columns = {
        name: numbers_in(table, name) for name in ("latency", "prompt_tokens", "completion_tokens", _TTFT, _TPOT)
    }
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(_level(table, columns, float(concurrency[rows[0]]), np.array(rows)) for rows in groups.values()),
        findings=(sent_in_groups(upload.name), _mixed(upload.name)),
    )


def _told(table: Table, row: int) -> dict[str, str]:
    cells = dict(zip(table.header, table.rows[row].cells, strict=True))
    return {key: cells[key].strip()[:300] for key in _KEYS if cells.get(key, "").strip()}


def _level(table: Table, columns: dict[str, FloatArray], concurrency: float, rows: Rows) -> RawLevel:
    place = Place(table.name, table.rows[int(rows[0])].line)
    told = _told(table, int(rows[0]))
    latency, prompt, completion = (columns[key][rows] for key in ("latency", "prompt_tokens", "completion_tokens"))
    good = np.isfinite(latency) & np.isfinite(completion)
    identity: dict[str, Scalar] = {**told}
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        requests_sent=rows.size,
        requests=RawRequests(
            unit="s",
            good=good,
            ttft=columns[_TTFT][rows],
            e2e=latency,
            tpot=columns[_TPOT][rows] if np.isfinite(columns[_TPOT][rows]).any() else None,
            start=np.full(rows.size, UNKNOWN),
            input_tokens=prompt,
            output_tokens=completion,
        ),
        conditions=conditions_of(told.get("instance_type"), told.get("instance_count")),
        identity=identity,
        findings=() if good.any() else (none_completed(place),),
    )


def _mixed(name: str) -> Finding:
    return Finding(
        code="fmbench.payloads_mixed",
        severity=Severity.INFO,
        where=Place(name),
        what=t("The file does not say of which payload file a request is, so all lengths stand together"),
        consequence=t("Its percentiles are of that mixture"),
        fix=t("Run FMBench with one payload file to see the percentiles of one length"),
    )
