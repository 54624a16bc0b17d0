"""GuideLLM's benchmarks.csv: a row per level. docs/formats/guidellm_csv.md.

0.2 and 0.3 write one header row, later versions three (group, field, statistic); both keep percentiles
as a list inside a cell. A row is brought into the shape of the JSON report and read like one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.fields import Fields
from core.ingest.formats.guidellm import file_of
from core.ingest.formats.guidellm_columns import early_header, header_of_three, report_of, shifted
from core.ingest.raw import Head, RawFile, Upload
from core.settings import LIMITS

FORMAT_ID = "guidellm_csv"
LABEL = "GuideLLM CSV"

_THREE = b"Run Info,Run Info,"
_THREE_OWN = (b"Request Latency", b"Inter Token Latency", b"Time to First Token")
_EARLY = (b"Type,Run Id,Id,Name,", b"Successful Requests")
_SEND_JSON = t("Send the benchmarks.json of the same run")


def match(head: Head) -> float:
    """Recognise the first header row of either layout."""
    first = head.sample.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    three = first.startswith(_THREE) and any(group in first for group in _THREE_OWN)
    return 0.95 if three or (first.startswith(_EARLY[0]) and _EARLY[1] in first) else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per row.

    Raises:
        RefusedFileError: cut off, a row that does not fit the header, or a value that is not a number.
    """
    lines = _rows(upload)
    three = lines[0][1][0] == "Run Info"
    if len(lines) < (4 if three else 2):
        raise refusal("ingest.no_rows", t("The table has a header and no rows"), upload.name, _SEND_JSON)
    header = header_of_three([cells for _, cells in lines[:3]]) if three else early_header(lines[0][1])
    rows = lines[3:] if three else lines[1:]
    for line, cells in rows:
        if len(cells) != len(header) or shifted(header, cells):
            raise _does_not_fit(upload.name, line)
    reports = [report_of(header, cells, Place(upload.name, line)) for line, cells in rows]
    return file_of(upload, _InRows(reports, Place(upload.name), [line for line, _ in rows]), FORMAT_ID)


class _InRows(Fields):
    """A report whose levels are rows: what stands once in the JSON stands in the first row here."""

    def __init__(self, reports: Sequence[Mapping[str, object]], place: Place, lines: Sequence[int]) -> None:
        shared = {key: value for key, value in reports[0].items() if key != "benchmark"}
        super().__init__(shared, place)
        self._levels = [
            Fields(levels, Place(place.file, line))
            for report, line in zip(reports, lines, strict=True)
            if isinstance(levels := report["benchmark"], Mapping)
        ]

    def each(self, key: str) -> list[Fields]:
        """Return the rows as the report's `benchmarks`."""
        return self._levels if key == "benchmarks" else super().each(key)


def _rows(upload: Upload) -> list[tuple[int, list[str]]]:
    """Return (line, cells) of every row that is not blank."""
    text = text_of(upload)
    if not text.endswith(("\n", "\r")):
        raise _cut_off(upload.name, text.count("\n") + 1)
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        for cells in reader:
            if len(cells) > LIMITS.csv_columns or len(rows) > LIMITS.levels:
                raise refusal("ingest.too_large", t("The table is too large"), upload.name, _SEND_JSON)
            if any(cells):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise _cut_off(upload.name, reader.line_num) from error
    return rows


def _cut_off(name: str, line: int) -> Exception:
    what = t("The table is cut off, or a row does not fit its header")
    return refusal("ingest.truncated", what, name, _SEND_JSON, line=line)


def _does_not_fit(name: str, line: int) -> Exception:
    """Up to 0.6 the header is that of the first level: a level with failures has columns of its own."""
    return refusal(
        "guidellm.columns_shifted",
        t("The row has other columns than the header: some of its requests ended otherwise than in the first level"),
        name,
        _SEND_JSON,
        line=line,
    )
