"""A file without the prompts and answers in it, for whoever wants to keep what was uploaded.

Numbers stay as they are, and so do short labels; texts go by the name of their field, or because they read like
prose. What cannot be taken apart that way (Parquet, archives, workbooks, logs) has no version without texts.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.errors import RefusedFileError
from core.ingest.decode import json_document, json_lines, text_of, unpacked
from core.ingest.raw import RawFile, Scalar, Upload
from core.ingest.tables import tables_of

LONGEST = 200
"""Characters: a longer text is none of a file's labels or settings."""

MOST_WORDS = 8
"""Words: a text with more reads like prose. The longest name of a metric in the tools' own tables has seven."""

_TEXTS = """
    answer answers assistant body bodies chosen completion completions content contents conversation conversations
    errormessage errormsg errortext generatedtext generatedtexts generation history human input inputs inputtext
    instruction instructions message messages output outputs outputtext payload payloads prompt prompts prompttext
    query question questions rawrequest rawresponse reasoning reasoningcontent request requestbody requestdata
    requestinputs response responsebody responseoutputs responses responsetext result system systemprompt text texts
    thinking toolcalls transcript turns user userprompt 질문 답변 프롬프트 응답 提示 回答 问题 回复
"""
TEXTS = frozenset(_TEXTS.split())
"""Names of fields, folded, whose texts are prompts or answers: those that importers know and their kin."""

SETTINGS = frozenset({"model", "modelid", "modelname", "modelpath", "tokenizer", "tokenizerid", "tokenizerpath"})
"""Names of fields whose texts may be long: paths and names of models."""

_DELIMITED = (".csv", ".tsv")
_LINES = (".jsonl", ".ndjson")
_DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"\s*[-+]?[\d.,]+(e[-+]?\d+)?\s*%?\s*", re.IGNORECASE)


def without_texts(upload: Upload) -> bytes | None:
    """Return a table's bytes without prompts and answers; None where they cannot be taken out.

    A workbook, or a table in Markdown, comes back as it is where none of its columns is one of texts.
    """
    if _plain_name(upload).endswith((*_DELIMITED, ".json", *_LINES)):
        return stripped(upload)
    try:
        tables = tables_of(unpacked(upload))
    except RefusedFileError:
        return None
    cells = (cell for table in tables for row in table.rows for cell in row.cells)
    named = any(_is_texts(name) for table in tables for name in table.header)
    return None if not tables or named or any(_reads_like_prose(cell) for cell in cells) else upload.data


def stripped(upload: Upload) -> bytes | None:
    """Return a file's bytes without prompts and answers; None for what is neither JSON, JSON Lines nor CSV.

    The file is unpacked first where gzip or zstd packed it. Never raises.
    """
    try:
        plain = unpacked(upload)
        name = plain.name.casefold()
        if name.endswith(_DELIMITED):
            return _csv(text_of(plain), "\t" if name.endswith(".tsv") else None)
        if name.endswith(_LINES):
            return _lines(plain)
        return _json(json_document(plain)) if name.endswith(".json") else None
    except RefusedFileError:
        return _lines_of_json(upload)
    except (csv.Error, ValueError, RecursionError):
        return None


def settings_told_apart(file: RawFile) -> RawFile:
    """Return a file whose levels hold no text under a setting's name: a mark of it tells them apart as well."""
    if not any(_is_told(name, value) for level in file.levels for name, value in level.identity.items()):
        return file
    levels = (
        replace(level, identity={name: _mark(name, value) for name, value in level.identity.items()})
        for level in file.levels
    )
    return replace(file, levels=tuple(levels))


def _is_told(name: str, value: Scalar) -> bool:
    return isinstance(value, str) and bool(value) and (_is_texts(name) or len(value) > LONGEST)


def _mark(name: str, value: Scalar) -> Scalar:
    return hashlib.sha256(str(value).encode("utf-8", "replace")).hexdigest()[:12] if _is_told(name, value) else value


def _lines_of_json(upload: Upload) -> bytes | None:
    """Return a file that is named .json and holds a document a line, as several tools write it."""
    try:
        plain = unpacked(upload)
        return _lines(plain) if plain.name.casefold().endswith(".json") else None
    except (RefusedFileError, ValueError, RecursionError):
        return None


def _lines(upload: Upload) -> bytes:
    return b"".join(_json(document) + b"\n" for _, document in json_lines(upload))


def _json(document: object) -> bytes:
    return json.dumps(_kept(document, "", blank=False), ensure_ascii=False).encode("utf-8", "replace")


def _kept(value: object, name: str, *, blank: bool) -> object:
    """Return a value of JSON without texts; numbers, flags and the shape of everything stay."""
    match value:
        case str():
            long_is_fine = _folded(name) in SETTINGS
            return "" if blank or (not long_is_fine and _reads_like_prose(value)) else value
        case list():
            return [_kept(one, name, blank=blank) for one in value]
        case dict():
            return {_key(key): _kept(one, key, blank=blank or _is_texts(key)) for key, one in value.items()}
        case _:
            return value


def _key(key: str) -> str:
    # Somebody may have keyed results by the prompt itself.
    return "" if _reads_like_prose(key) and len(key) > LONGEST else key


def _csv(text: str, delimiter: str | None) -> bytes:
    """Return a delimited text without the cells of columns of texts, line by line as it was."""
    marks = delimiter or _delimiter(text)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=marks, lineterminator="\n")
    for row in _rows(csv.reader(io.StringIO(text, newline=""), delimiter=marks, strict=True)):
        writer.writerow(row)
    return out.getvalue().encode("utf-8", "replace")


def _rows(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the rows without texts. A file may hold several tables: a row that names columns begins another."""
    texts: frozenset[int] = frozenset()
    for row in rows:
        named = frozenset(i for i, cell in enumerate(row) if _is_texts(cell))
        if row and not any(_NUMBER.fullmatch(cell) for cell in row) and (named or not texts):
            texts = named
            yield [cell if len(cell) <= LONGEST else "" for cell in row]
        else:
            yield ["" if _goes(cell, i in texts) else cell for i, cell in enumerate(row)]


def _goes(cell: str, of_texts: bool) -> bool:  # noqa: FBT001 one of two questions of a cell, asked in one place
    return _NUMBER.fullmatch(cell) is None and (of_texts or _reads_like_prose(cell))


def _delimiter(text: str) -> str:
    first = text.lstrip("\ufeff\r\n").split("\n", 1)[0]
    return max(_DELIMITERS, key=first.count)


def _is_texts(name: str) -> bool:
    return _folded(name) in TEXTS


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _reads_like_prose(text: str) -> bool:
    return len(text) > LONGEST or len(text.split()) > MOST_WORDS


def _plain_name(upload: Upload) -> str:
    return upload.name.casefold().removesuffix(".gz").removesuffix(".zst")
