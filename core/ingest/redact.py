"""A file without the prompts and answers in it, for whoever wants to keep what was uploaded.

Numbers stay as they are; a text stays where it is known to be harmless (`core.ingest.harmless`), and nowhere else. What
cannot be taken apart that way (Parquet, archives, workbooks, logs) has no version without texts.

A table of a draft is another matter: somebody has yet to say what its columns are, so that short labels under names
that nobody knows stay with it, until the draft goes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from core.errors import RefusedFileError
from core.ingest.decode import json_document, json_lines, text_of, unpacked
from core.ingest.execution import NUMBERS
from core.ingest.harmless import (
    LONGEST,
    MODELS,
    folded,
    is_harmless,
    is_known,
    is_label,
    is_name,
    is_number,
    is_setting,
    is_texts,
    reads_like_prose,
)
from core.ingest.raw import RawFile, RawLevel, Scalar, Upload
from core.ingest.tables import tables_of

_DELIMITED = (".csv", ".tsv")
_LINES = (".jsonl", ".ndjson")
_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
_FAILED = frozenset({"error", "errors"})
_A_FAILURE = "error"
"""Stands for the words of a failure: that there are some tells a request that failed."""


class _Stays(Protocol):
    def __call__(self, name: str, text: str, /) -> bool: ...


class _Rule(NamedTuple):
    """What stays: a text of a field, a field's name, and a name in a row that only looks like a header."""

    text: _Stays
    name: _Stays
    below: _Stays


_HARMLESS = _Rule(is_harmless, lambda _, name: is_name(name), lambda _, name: is_known(name))
_LABELS = _Rule(is_label, lambda _, name: len(name) <= LONGEST, lambda _, name: len(name) <= LONGEST)


def without_texts(upload: Upload) -> bytes | None:
    """Return a table's bytes without prompts and answers; None where they cannot be taken out.

    A workbook, or a table in Markdown, comes back as it is where none of its columns is one of texts.
    """
    if _plain_name(upload).endswith((*_DELIMITED, ".json", *_LINES)):
        return _less(upload, _LABELS)
    try:
        tables = tables_of(unpacked(upload))
    except RefusedFileError:
        return None
    cells = (cell for table in tables for row in table.rows for cell in row.cells)
    named = any(is_texts(name) for table in tables for name in table.header)
    return None if not tables or named or any(reads_like_prose(cell) for cell in cells) else upload.data


def stripped(upload: Upload) -> bytes | None:
    """Return a file's bytes without prompts and answers; None for what is neither JSON, JSON Lines nor CSV.

    The file is unpacked first where gzip or zstd packed it. Never raises.
    """
    return _less(upload, _HARMLESS)


def _less(upload: Upload, rule: _Rule) -> bytes | None:
    try:
        plain = unpacked(upload)
        name = plain.name.casefold()
        if name.endswith(_DELIMITED):
            return _csv(text_of(plain), "\t" if name.endswith(".tsv") else None, rule)
        if name.endswith(_LINES):
            return _lines(plain, rule)
        return _json(json_document(plain), rule) if name.endswith(".json") else None
    except RefusedFileError:
        return _lines_of_json(upload, rule)
    except (csv.Error, ValueError, RecursionError):
        return None


def settings_told_apart(file: RawFile) -> RawFile:
    """Return a file whose levels hold no text under a setting's name: a mark of it tells them apart as well."""
    return replace(file, levels=tuple(map(_told_apart, file.levels)))


def _told_apart(level: RawLevel) -> RawLevel:
    key, told = level.run_key, [name for name, value in level.identity.items() if _is_told(name, value)]
    # Where no id was given, what names an execution is all that its row says.
    long = key is not None and len(key) > LONGEST
    if not told and not long:
        return level
    marks = {name: _mark(str(level.identity[name])) for name in told}
    marked = f"{NUMBERS if key.startswith(NUMBERS) else ''}{_mark(key)}" if key is not None and long else key
    return replace(level, identity={**level.identity, **marks}, run_key=marked)


def _is_told(name: str, value: Scalar) -> bool:
    return isinstance(value, str) and bool(value) and (is_texts(name) or len(value) > LONGEST or _holds_texts(value))


def _holds_texts(value: str) -> bool:
    """Return True for JSON, as some tools write a setting, with a prompt or an answer somewhere in it."""
    if value.lstrip()[:1] not in ("{", "["):
        return False
    with suppress(ValueError, RecursionError):
        return _has_text(json.loads(value), below=False)
    return True


def _has_text(value: object, *, below: bool) -> bool:
    """Return True where a text stands below the name of a field of texts."""
    match value:
        case dict():
            return any(_has_text(one, below=below or is_texts(key)) for key, one in value.items())
        case list():
            return any(_has_text(one, below=below) for one in value)
        case _:
            return below and isinstance(value, str) and bool(value)


def _mark(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()[:12]


def _lines_of_json(upload: Upload, rule: _Rule) -> bytes | None:
    """Return a file that is named .json and holds a document a line, as several tools write it."""
    try:
        plain = unpacked(upload)
        return _lines(plain, rule) if plain.name.casefold().endswith(".json") else None
    except (RefusedFileError, ValueError, RecursionError):
        return None


def _lines(upload: Upload, rule: _Rule) -> bytes:
    return b"".join(_json(document, rule) + b"\n" for _, document in json_lines(upload))


def _json(document: object, rule: _Rule) -> bytes:
    return json.dumps(_kept(document, "", rule, blank=False), ensure_ascii=False).encode("utf-8", "replace")


def _kept(value: object, name: str, rule: _Rule, *, blank: bool) -> object:
    """Return a value of JSON without texts; numbers, flags and the shape of everything stay."""
    match value:
        case str():
            return "" if blank else _kept_text(value, name, rule)
        case list():
            return [_kept(one, name, rule, blank=blank) for one in value]
        case dict():
            return {
                # Somebody may have keyed results by the prompt itself.
                (key if rule.name("", key) else ""): _kept(one, _field(name, key), rule, blank=blank or is_texts(key))
                for key, one in value.items()
            }
        case _:
            return value


def _field(above: str, key: str) -> str:
    """Return what a key is the field of: the name of a model stands under the model."""
    return above if folded(key) in ("name", "items") and folded(above) in MODELS else key


def _kept_text(text: str, name: str, rule: _Rule) -> str:
    """Return a text of a field: whole where it may stay, without its own texts where it is JSON, else nothing."""
    if text.lstrip()[:1] in ("{", "[") and not is_texts(name):
        with suppress(ValueError, RecursionError):
            return json.dumps(_kept(json.loads(text), name, rule, blank=False), ensure_ascii=False)
    if rule.text(name, text):
        return text
    return _A_FAILURE if folded(name) in _FAILED else ""


def _csv(text: str, delimiter: str | None, rule: _Rule) -> bytes:
    """Return a delimited text without the cells of columns of texts, line by line as it was."""
    marks = delimiter or _delimiter(text)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=marks, lineterminator="\n")
    for row in _rows(csv.reader(io.StringIO(text, newline=""), delimiter=marks, strict=True), rule):
        writer.writerow(row)
    return out.getvalue().encode("utf-8", "replace")


def _rows(rows: Iterable[list[str]], rule: _Rule) -> Iterator[list[str]]:
    """Yield the rows without texts. A file may hold several tables, each with a header of several rows."""
    names: list[str] = []
    first, below = True, False
    for row in rows:
        if first or _looks_like_header(row):
            names = _joined(names, row) if below else row
            yield [cell if _stays_above(cell, rule, first=first) else "" for cell in row]
            below, first = True, first and not any(row)
            continue
        below = False
        of_row = row[0] if row and is_setting(row[0]) else ""  # a table may be turned
        named = [*names, *[""] * (len(row) - len(names))]
        yield [
            _kept_text(cell, of_row if of_row and not is_known(name) else name, rule)
            for cell, name in zip(row, named, strict=False)
        ]


def _stays_above(cell: str, rule: _Rule, *, first: bool) -> bool:
    """Return True for a cell of a header that may stay; the first row of a file names its columns, whatever it says."""
    return len(cell) <= LONGEST if first else rule.below("", cell)


def _looks_like_header(row: list[str]) -> bool:
    """Return True for a row without numbers in which most of the names, or that of a text, are known."""
    said = [cell for cell in row if cell.strip()]
    if not said or any(map(is_number, said)):
        return False
    return any(map(is_texts, said)) or 2 * sum(map(is_known, said)) > len(said)


def _joined(above: list[str], row: list[str]) -> list[str]:
    """Return the names of columns whose header has one more row: the lowest that says something."""
    wide = [*above, *[""] * (len(row) - len(above))]
    return [cell or (wide[at] if at < len(wide) else "") for at, cell in enumerate(row)]


def _delimiter(text: str) -> str:
    first = _QUOTED.sub("", text.lstrip("\ufeff\r\n").split("\n", 1)[0])
    return max(_DELIMITERS, key=first.count)


def _plain_name(upload: Upload) -> str:
    return upload.name.casefold().removesuffix(".gz").removesuffix(".zst")
