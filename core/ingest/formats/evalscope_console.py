"""What EvalScope prints: a summary and percentiles per level, and a report of all levels. docs/formats/evalscope.md.

Seen: lines of October 2024, tables of 2025, box-drawing tables of 2026; as a copy from the terminal, a page, or
benchmark.log. Where the levels' own files lie beside it, each level is the same execution (`run_key`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.formats import evalscope_level as level
from core.ingest.formats import evalscope_report as report
from core.ingest.formats.evalscope_text import Cells, Table, body_of, cut_off, header_of, parts_of
from core.ingest.names import model_in
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = level.FORMAT_ID
LABEL = "EvalScope console"

_SUMMARY, _REPORT = "Benchmarking summary:", "Performance Test Summary Report"
_OURS = (b"Number of concurrency", b"Total / Success / Failed")
_LINE = re.compile(r"(?:.*? - )?(?P<label>[A-Z][\w ()]{2,60}?): (?P<value>-?\d+(?:\.\d+)?)(?: seconds)?")
_PERCENTILES = re.compile(r"(?:.*? - )?Percentile of (?P<metric>time to first token|request latency):")
_AT = re.compile(r"(?:.*? - )?p(?P<q>\d{1,2}): (?P<value>\d+(?:\.\d+)?)")
_OF = {"time to first token": "ttft", "request latency": "latency"}
_MODEL = re.compile(r'"model": "(?P<model>[^"\\]{1,300})",?')
_COUNTS = "total / success / failed"
_SPLIT = ("Total requests", "Succeed requests", "Failed requests")


@dataclass(slots=True)
class _Section:
    """One level as it is printed."""

    line: int
    cells: list[tuple[str, object, int | None]] = field(default_factory=list)
    percentiles: dict[str, list[tuple[str, object, int | None]]] = field(default_factory=dict)
    of: str = ""


def match(head: Head) -> float:
    """Recognise the two headlines beside labels that only this tool prints."""
    if head.sample.lstrip()[:1] in (b"{", b"["):
        return 0.0
    summary = _SUMMARY.encode() in head.sample and any(label in head.sample for label in _OURS)
    return 0.95 if summary or _REPORT.encode() in head.sample else 0.0


def read(upload: Upload) -> RawFile:
    """Return a level per printed summary; where none is there, per level of the report.

    Raises:
        RefusedFileError: no result in it, a table that is cut off, or a value that is not a number.
    """
    sections: list[_Section] = []
    tables: list[Table] = []
    model: str | None = None
    for part in parts_of(upload):
        if isinstance(part, Table):
            tables.append(part)
            if sections:
                _add_table(sections[-1], part)
        else:
            found = _MODEL.fullmatch(part[1][0])
            model = found["model"] if found else model
            _add_line(sections, part)
    told = report.model_of(tables) or model
    named, revision = model_in(told)
    conditions: dict[str, Scalar] = {"model": named, "model_revision": revision}
    known = {key: value for key, value in conditions.items() if value is not None}
    said = [_said(section, upload.name, known) for section in sections if section.cells]
    said = said or report.levels_of(tables, upload.name, known)
    if not said or len(said) > LIMITS.levels:
        raise _without_result(upload.name)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="console",
        kind=Kind.MEASURED,
        levels=tuple(level.level_of(one) for one in _once(said)),
    )


def _add_line(sections: list[_Section], part: Cells) -> None:
    """Take a line of text: a headline, or a value as it was printed in 2024."""
    number, (text,) = part
    if _SUMMARY in text:
        if not sections or sections[-1].cells:
            sections.append(_Section(number))
        return
    if not sections:
        return
    section = sections[-1]
    percentiles, at, line = _PERCENTILES.fullmatch(text), _AT.fullmatch(text), _LINE.fullmatch(text)
    if percentiles:
        section.of = _OF[percentiles["metric"]]
    elif at and section.of:
        section.percentiles.setdefault(at["q"], []).append((section.of, at["value"], number))
    elif line and not section.of:
        section.cells.append((line["label"], line["value"], number))


def _add_table(section: _Section, table: Table) -> None:
    header = header_of(table)
    first = header[0] if header else ""
    if first in ("Percentile", "Percentiles"):
        for number, cells in body_of(table):
            section.percentiles[cells[0]] = _pairs(header[1:], cells[1:], number)
    elif first == "Metric" and any(level.statistic_of(label) for label in header[1:]):
        for number, cells in body_of(table):
            for label, value in zip(header[1:], cells[1:], strict=False):
                section.percentiles.setdefault(label, []).append((cells[0], value, number))
    elif len(header) == 2 and first in ("Key", "Metric") and not section.cells:
        for number, cells in body_of(table):
            section.cells += _counts(cells, number) if cells[0].lower() == _COUNTS else [(cells[0], cells[-1], number)]


def _pairs(labels: Iterable[str], cells: Iterable[str], line: int) -> list[tuple[str, object, int | None]]:
    return [(label, cell, line) for label, cell in zip(labels, cells, strict=False)]


def _counts(cells: tuple[str, ...], line: int) -> list[tuple[str, object, int | None]]:
    return _pairs(_SPLIT, (part.strip() for part in cells[-1].split("/")), line)


def _said(section: _Section, name: str, conditions: Mapping[str, Scalar]) -> level.Said:
    summary = level.Told(section.cells, name, section.line)
    if summary.known("e2e") is None and summary.known("good") != 0.0:
        raise cut_off(name, section.line)
    rows = {level.statistic_of(label): cells for label, cells in section.percentiles.items()}
    return level.Said(
        summary=summary,
        percentiles={
            statistic: level.Told(cells, name, section.line)
            for statistic, cells in rows.items()
            if statistic is not None
        },
        where=level.beside(name, summary),
        conditions=conditions,
    )


def _once(said: list[level.Said]) -> list[level.Said]:
    """Let two levels of one file that ask for the same be two executions."""
    keys = Counter(one.where.run_key for one in said)
    return [one if keys[one.where.run_key] == 1 else replace(one, where=level.Where()) for one in said]


def _without_result(name: str) -> Exception:
    return refusal(
        "ingest.no_levels",
        t("The benchmark's output ends before its result"),
        name,
        t("Wait until the benchmark has printed its result, or look in its output for an error"),
    )
