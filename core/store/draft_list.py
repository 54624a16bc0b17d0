"""What a list shows of unsaved work: each piece of work once, whatever number of drafts say the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from core.store.tables_blobs import DraftRow

Question = Mapping[str, Sequence[str]]
"""Parameters of the address that ask what the person asks."""

NAMES_TOLD = 3
"""Names of files and of runs that a list shows of a draft; more are counted."""

Key = tuple[str, str]
"""What a piece of work is known by: its content, and its question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftEntry:
    """What a list shows of a draft.

    Attributes:
        files, runs: the first names of each. file_count, run_count: how many there are.
        saved_at: of the last change, time with zone UTC.
        question: parameters of the address that ask what the person asks.
        based_on: id of the scenario that was opened, None where it began with files. based_on_version: its version.
        based_on_name: its name now, None where the person may not know it any more.
    """

    id: str
    files: tuple[str, ...]
    file_count: int
    runs: tuple[str, ...]
    run_count: int
    saved_at: datetime
    question: Mapping[str, Sequence[str]] = field(default_factory=dict)
    based_on: str | None = None
    based_on_version: int | None = None
    based_on_name: str | None = None


class _Label(msgspec.Struct):
    """What a list shows, as it is kept.

    `content` is the hash of what is held, whatever it goes on from; "" in drafts from before it was kept.
    `settled` is the question under which it was saved, as JSON; None where it never was.
    """

    files: list[str] = []
    file_count: int = 0
    runs: list[str] = []
    run_count: int = 0
    content: str = ""
    settled: str | None = None


def label_of(files: Iterable[str], runs: Sequence[str], content: bytes, settled: str | None) -> str:
    """Return what a list needs of a draft, as JSON.

    Args:
        files: their names.
        runs: their names, as shown.
        content: what is held, written, whatever it goes on from.
        settled: the question under which nothing in it is unsaved, as `question_json` writes it.
    """
    names = list(dict.fromkeys(files))
    told = _Label(
        files=names[:NAMES_TOLD],
        file_count=len(names),
        runs=list(runs[:NAMES_TOLD]),
        run_count=len(runs),
        content=hashlib.sha256(content).hexdigest(),
        settled=settled,
    )
    return msgspec.json.encode(told).decode()


def settled_anew(label: str, question: str) -> str:
    """Return a label that says of saved work that it is saved under this question; of other work, as it was."""
    told = _read(label)
    if told.settled is None:
        return label
    return msgspec.json.encode(msgspec.structs.replace(told, settled=question)).decode()


def once_each(rows: Sequence[DraftRow], besides: str) -> list[DraftRow]:
    """Return of each piece of unsaved work the draft that says it last.

    Args:
        rows: every draft of one person, the newest first, also those that were put aside or followed.
        besides: id of a draft that is in view: what says the same is left out with it.
    """
    followed = {row.parent for row in rows}
    labels = {row.id: _read(row.label) for row in rows}
    known = {_key(row, labels[row.id], row.question) for row in rows if row.id == besides}
    saved = {
        (_key(row, label, label.settled), row.based_on) for row in rows if (label := labels[row.id]).settled is not None
    }
    # Work of its own is saved by whatever scenario holds the same; a change of one scenario only in that one.
    anywhere = {key for key, _ in saved}
    found = []
    for row in rows:
        key = _key(row, labels[row.id], row.question)
        if row.id in followed or row.id == besides or key in known:
            continue
        if key in anywhere and (row.based_on is None or (key, row.based_on) in saved):
            continue
        known.add(key)
        if row.discarded_at is None:
            found.append(row)
    return found


def same_work(rows: Iterable[DraftRow], row: DraftRow) -> list[str]:
    """Return the ids of the other drafts that hold and ask the very same as this one, but for changes of others."""
    key = _key(row, _read(row.label), row.question)
    return [
        other.id
        for other in rows
        if other.id != row.id
        and other.based_on in {None, row.based_on}
        and _key(other, _read(other.label), other.question) == key
    ]


def entry_of(row: DraftRow, names: Mapping[str, str]) -> DraftEntry:
    """Return a draft as a list shows it; `names` are those of scenarios that the person may know of."""
    label = _read(row.label)
    return DraftEntry(
        id=row.id,
        files=tuple(label.files),
        file_count=label.file_count,
        runs=tuple(label.runs),
        run_count=label.run_count,
        saved_at=row.saved_at,
        question=question_of(row.question),
        based_on=row.based_on,
        based_on_version=row.based_on_version,
        based_on_name=names.get(row.based_on or ""),
    )


def question_json(question: Question) -> str:
    """Return a question as it is kept: equal questions are equal texts."""
    told = {name: list(values) for name, values in sorted(question.items()) if values}
    return json.dumps(told, ensure_ascii=False)


def question_of(text: str) -> dict[str, list[str]]:
    """Return the question that was kept; what cannot be read asks nothing."""
    try:
        return msgspec.json.decode(text, type=dict[str, list[str]])
    except (msgspec.DecodeError, UnicodeError):
        return {}


def _key(row: DraftRow, label: _Label, question: str | None) -> Key:
    return label.content or row.payload_sha256, question_json(question_of(question or ""))


def _read(label: str) -> _Label:
    try:
        return msgspec.json.decode(label, type=_Label)
    except (msgspec.DecodeError, UnicodeError):
        return _Label()
