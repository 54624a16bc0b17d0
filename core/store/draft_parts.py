"""The large parts of a draft as blobs: files, opened runs and tables, each written once while it stays the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.errors import StoreError
from core.i18n import t
from core.ingest.raw import RawFile, Upload
from core.ingest.redact import without_texts
from core.model.run import Run
from core.settings import MEGABYTE, draft_bytes
from core.store.records import Packed, packed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    """One thing that lies in blobs: `sha256` is the blob that gives it back, `needs` are those that it refers to."""

    thing: object
    sha256: str
    needs: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """What of a session's work lies in blobs already. The things are known by identity: they never change."""

    parts: tuple[_Part, ...] = ()

    def find(self, thing: object) -> _Part | None:
        """Return the blobs of a thing, None where it was not written."""
        return next((part for part in self.parts if part.thing is thing), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The blobs of a draft.

    Attributes:
        files, opened: hash of the blob, "" where there is nothing. tables: name and hash of each.
        new: contents to be written. before: hashes of what was written before.
        written: for the next draft.
    """

    files: str
    opened: str
    tables: tuple[tuple[str, str], ...]
    new: Mapping[str, bytes]
    before: tuple[str, ...]
    written: Written


def parts_of(
    files: tuple[RawFile, ...], opened: tuple[Run, ...], tables: tuple[Upload, ...], written: Written | None
) -> Parts:
    """Return the blobs of what a session holds; what is in `written` is neither packed nor hashed again.

    Tables lose prompts and answers, as anything that is kept; where they cannot be taken out, the table is left out.

    Raises:
        StoreError: "store.draft_too_large", "store.unwritable".
    """
    known = written or Written()
    new: dict[str, bytes] = {}
    every: list[_Part] = []

    def put(thing: object, make: Callable[[], Packed | None]) -> str:
        part = known.find(thing)
        if part is None:
            done = _or_too_large(make)
            if done is None:
                return ""
            part, contents = _part(thing, done)
            new.update(contents)
        every.append(part)
        return part.sha256

    kept = [(upload.name, put(upload, lambda upload=upload: _table(upload))) for upload in tables]  # type: ignore[misc]  # mypy knows no lambda with a default
    parts = Parts(
        files=put(files, lambda: packed(files, draft_bytes())) if files else "",
        opened=put(opened, lambda: packed(opened, draft_bytes())) if opened else "",
        tables=tuple((name, sha256) for name, sha256 in kept if sha256),
        new=new,
        before=tuple(sha256 for part in every for sha256 in part.needs if sha256 not in new),
        written=Written(tuple(every)),
    )
    if sum(part.size for part in every) > draft_bytes():
        raise too_large()
    return parts


def too_large() -> StoreError:
    """Return (not raise) the error of work that is too large to be kept unasked."""
    return StoreError(
        "store.draft_too_large",
        t("These files come to more than {limit} MB and are kept in this browser tab only", limit=_megabytes()),
        fix=t("Save the scenario before you close it, or send the tools' summary files instead"),
    )


def _or_too_large(make: Callable[[], Packed | None]) -> Packed | None:
    try:
        return make()
    except StoreError as error:
        if error.code == "store.too_large":
            raise too_large() from error
        raise


def _megabytes() -> int:
    return draft_bytes() // MEGABYTE


def _table(upload: Upload) -> Packed | None:
    kept = without_texts(upload)
    return None if kept is None else Packed(payload=kept, tables={})


def _part(thing: object, done: Packed) -> tuple[_Part, dict[str, bytes]]:
    sha256 = hashlib.sha256(done.payload).hexdigest()
    contents = {**done.tables, sha256: done.payload}
    return _Part(thing=thing, sha256=sha256, needs=tuple(contents), size=sum(map(len, contents.values()))), contents
