"""Tables stacked in one CSV file, parted by blank lines: how NVIDIA's two benchmark tools write a summary.

The first holds distributions (`Metric,avg,min,max,p1,…`), the second single values (`Metric,Value`), others
the accelerators. A unit stands in brackets behind the metric's title, thousands are parted by commas.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.fields import Fields
from core.ingest.raw import Upload
from core.settings import LIMITS

Row = tuple[int, list[str]]
"""Line number from 1 and cells."""

_TITLE = re.compile(r"(?P<name>.*?)(?: \((?P<unit>[^()]*)\))?")
_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SEND_AGAIN = t("Send the file again as the tool wrote it")


def tables_of(upload: Upload) -> list[list[Row]]:
    """Return the tables, each a header and its rows.

    Raises:
        RefusedFileError: too large, a quote that stays open, or no line break at the end.
    """
    text = text_of(upload)
    if not text.endswith(("\n", "\r")):
        raise cut_off(upload.name, text.count("\n") + 1)
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
        raise cut_off(upload.name, reader.line_num) from error
    return tables


def statistics_of(tables: Sequence[Sequence[Row]], name: str, aliases: Mapping[str, str]) -> dict[str, Fields]:
    """Return the rows of statistics by metric, "time_to_first_token"; a single value stands as its average.

    Args:
        tables: from `tables_of`; those that do not begin with "Metric" alone are left out.
        name: of the file.
        aliases: the metric's name where its title is another.

    Raises:
        RefusedFileError: a row that does not fit its header.
    """
    return {key: row for table in tables for key, row in _rows(table, name, aliases).items()}


def _rows(table: Sequence[Row], name: str, aliases: Mapping[str, str]) -> dict[str, Fields]:
    _, header = table[0]
    if header[0] != "Metric" or "GPU" in header:
        return {}
    keys = ["avg" if key == "Value" else key for key in header[1:]]
    found = {}
    for line, cells in table[1:]:
        if len(cells) != len(header):
            raise cut_off(name, line)
        key, unit = titled(cells[0])
        values: dict[str, object] = dict(zip(keys, map(plain, cells[1:]), strict=True))
        values["unit"] = unit
        found[aliases.get(key, key)] = Fields(values, Place(name, line, cells[0][:80]))
    return found


def titled(cell: str) -> tuple[str, str | None]:
    """Return a metric's name and unit.

    >>> titled("Time to First Token (ms)"), titled("Request Count")
    (('time_to_first_token', 'ms'), ('request_count', None))
    """
    parts = _TITLE.fullmatch(cell)
    name = parts["name"] if parts else cell
    return name.lower().replace(" ", "_"), parts["unit"] if parts else None


def plain(cell: str) -> str:
    """Return a number without the commas between its thousands.

    >>> plain("1,146.31"), plain("0,5")
    ('1146.31', '0,5')
    """
    return cell.replace(",", "") if _THOUSANDS.fullmatch(cell) else cell


def cut_off(name: str, line: int | None) -> RefusedFileError:
    """Return (not raise) the refusal of a table that ends early."""
    return refusal(
        "ingest.truncated", t("The table is cut off, or a row does not fit its header"), name, _SEND_AGAIN, line=line
    )
