"""What a person said the columns of a table mean: plain data, saved with a name and used again.

A mapping is for every table with the same headers, whatever their order, case and blanks. It wins
over recognition, and what it says is checked against the cells like anything else that is read.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from core.errors import UsageError
from core.i18n import t
from core.model.metric import Metric

TIME_UNITS = ("s", "ms", "us", "ns")
_MOST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMeaning:
    """What one column holds.

    Attributes:
        role: one of `core.ingest.roles.ROLES`, such as "asked_concurrency", "latency", "requests_good",
            "conditions.model", "setting" (tells configurations apart) or "ignored".
        metric: of a latency; None elsewhere.
        statistic: of a latency: "mean", "sd", or a quantile such as "p99"; None is read as the mean, with a warning.
        unit: "s", "ms", "us", "ns", "%", "/min"; None where the cells carry it or there is none.
        inverse: True where the cells hold 1 / metric (RTFx); the statistic is that of the metric.
    """

    role: str
    metric: Metric | None = None
    statistic: str | None = None
    unit: str | None = None
    inverse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMapping:
    """What every column of a kind of table holds.

    Attributes:
        name: by which a person finds it again.
        headers: of the tables that it is for, as `core.ingest.mapping.preview_of` shows them (after turning).
        columns: by header; an unnamed column is "#3" for the third. A header that is missing here is ignored.
        transposed: True where load levels are columns and metrics are rows.
        sheet: only tables of this sheet of a workbook; None for any.
    """

    name: str
    headers: tuple[str, ...]
    columns: Mapping[str, ColumnMeaning] = field(default_factory=dict)
    transposed: bool = False
    sheet: str | None = None

    @property
    def leaves_out(self) -> bool:
        """True where no column is needed: the table is not to be read."""
        return all(meaning.role == "ignored" for meaning in self.columns.values())


def column_key(headers: Sequence[str], index: int) -> str:
    """Return the name of a column in a mapping: its header, "#3" for an unnamed third one.

    >>> column_key(("a", ""), 0), column_key(("a", ""), 1)
    ('a', '#2')
    """
    return headers[index] or f"#{index + 1}"


def plain_header(header: str) -> str:
    """Return a header in one case, one width of letters and single blanks.

    >>> plain_header(" TTFT  (ms)")
    'ttft (ms)'
    """
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", header)).strip().casefold()


def same_headers(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two tables have the same headers; order, case and blanks do not matter.

    >>> same_headers(("TTFT  (ms)", "conc"), ("Conc", "ttft (ms)")), same_headers(("a",), ("a", "b"))
    (True, False)
    """
    return sorted(map(plain_header, one)) == sorted(map(plain_header, other))


def content_hash(mapping: TableMapping) -> str:
    """Return the SHA-256 of what a mapping says; renaming it changes nothing."""
    plain = msgspec.json.encode(msgspec.to_builtins(mapping) | {"name": ""}, order="sorted")
    return hashlib.sha256(plain).hexdigest()


def mappings_json(mappings: Sequence[TableMapping]) -> bytes:
    """Return mappings as indented JSON, to be edited by hand and read by `mappings_of_json`."""
    plain = [
        {
            "name": each.name,
            "headers": each.headers,
            "columns": {key: _spare(meaning) for key, meaning in each.columns.items()},
            "transposed": each.transposed,
            "sheet": each.sheet,
        }
        for each in mappings
    ]
    return msgspec.json.format(msgspec.json.encode(plain), indent=1)


def mappings_of_json(data: bytes) -> tuple[TableMapping, ...]:
    """Return the mappings of a JSON text: a list of them, or a single one.

    Raises:
        UsageError: "mapping.unreadable" where it is something else, with the field named.
    """
    try:
        found = msgspec.json.decode(data)
        listed = found if isinstance(found, list) else [found]
        if not 0 < len(listed) <= _MOST:
            raise ValueError(f"{len(listed)} mappings")
        return tuple(msgspec.convert(each, TableMapping) for each in listed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise UsageError(
            "mapping.unreadable",
            t("The mapping cannot be read: {reason}", reason=str(error)),
            fix=t("Write one with: {command}", command="python -m core mapping FILE"),
        ) from error


def _spare(meaning: ColumnMeaning) -> dict[str, object]:
    """Only what is said, so that a person who edits it sees the few words that matter."""
    every = msgspec.to_builtins(meaning)
    return {key: value for key, value in every.items() if value not in (None, False)}
