"""Uploaded files themselves: kept only where a setting says so, without prompts and answers unless it says more.

A file is kept once, by the hash that it came with; versions and drafts that rest on it need its blob, and it goes with
the last of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, Select, String, and_, cast, or_, select
from sqlalchemy.orm import Session

from core import settings
from core.errors import StoreError
from core.i18n import Text, t
from core.ingest.containers import expanded
from core.ingest.raw import Upload
from core.ingest.redact import stripped
from core.ingest.source import OnDisk
from core.model.person import Person, Role
from core.settings import LIMITS, MEGABYTE
from core.store.access import require, require_somebody
from core.store.blobs import Blobs
from core.store.draft_limits import DRAFT
from core.store.engine import told, writing
from core.store.tables import ScenarioRow
from core.store.tables_blobs import BlobRow, BlobUseRow, DraftRow, OriginalRow
from core.store.versions import HOLDER, opened, version_row

_ORIGINAL = "original"
_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A file that is kept with a version.

    Attributes:
        sha256: of the file as it came. size: bytes of what is kept of it.
        stripped: prompts and answers were taken out.
    """

    name: str
    sha256: str
    size: int
    stripped: bool


class Originals:
    """The originals of one database, as one person may use them."""

    def __init__(self, engine: Engine, who: Person, blobs: Blobs) -> None:
        self._engine, self._who, self._blobs = engine, who, blobs

    def keep(self, uploads: Sequence[Upload | OnDisk], used: Collection[str]) -> tuple[Text, ...]:
        """Keep files as PLIMSOLL_KEEP_ORIGINALS says, and say of each that cannot be kept why.

        Args:
            uploads: as they arrived, archives among them.
            used: hashes of the files that were read; others are never kept.

        Raises:
            StoreError: "store.sign_in_needed", "store.unavailable".
        """
        how = settings.originals()
        if how == "off":
            return ()
        require_somebody(self._who)
        not_kept = []
        for source in expanded(uploads).uploads:
            size = len(source.data) if isinstance(source, Upload) else source.path.stat().st_size
            if size > LIMITS.file_bytes:
                limit = LIMITS.file_bytes // MEGABYTE
                not_kept.append(
                    t('The file "{name}" is not kept: it is larger than {limit} MB', name=source.name, limit=limit)
                )
                continue
            upload = source if isinstance(source, Upload) else Upload(source.name, source.path.read_bytes())
            sha256 = hashlib.sha256(upload.data).hexdigest()
            if sha256 not in used:
                continue
            data = upload.data if how == "whole" else stripped(upload)
            if data is None:
                not_kept.append(
                    t('The file "{name}" is not kept: prompts and answers cannot be taken out of it', name=upload.name)
                )
                continue
            self._keep(upload.name, sha256, data, less=how != "whole")
        return tuple(not_kept)

    def of(self, scenario_id: str, version: int) -> tuple[Original, ...]:
        """Return the files that are kept with a version, in the order of its runs. For editors.

        Raises:
            StoreError: "store.not_found", "store.not_allowed".
        """
        with told(), Session(self._engine) as session:
            return tuple(found for found, _ in self._of(session, scenario_id, version))

    def open(self, scenario_id: str, version: int, sha256: str) -> bytes:
        """Return what is kept of a file. For editors.

        Raises:
            StoreError: "store.not_found", "store.not_allowed", "store.no_original", "store.damaged".
        """
        with told(), Session(self._engine) as session:
            kept = {found.sha256: blob for found, blob in self._of(session, scenario_id, version)}
            if sha256 not in kept:
                raise StoreError(
                    "store.no_original",
                    t("This file is not kept with the scenario"),
                    fix=t("Look at the files that are listed"),
                )
            return self._blobs.get(session, kept[sha256])

    def _of(self, session: Session, scenario_id: str, version: int) -> list[tuple[Original, str]]:
        require(session, self._who, scenario_id, Role.EDITOR)
        row = version_row(session, scenario_id, version)
        scenario = opened(row, self._blobs.getter(session))
        files = {file.sha256 for run in scenario.runs for file in run.files}
        wanted = (
            select(OriginalRow, BlobRow.size)
            .join(BlobUseRow, BlobUseRow.sha256 == OriginalRow.blob)
            .join(BlobRow, BlobRow.sha256 == OriginalRow.blob)
            .where(BlobUseRow.kind == HOLDER, BlobUseRow.holder == str(row.key))
            .order_by(OriginalRow.name, OriginalRow.file_sha256)
        )
        return [
            (Original(name=one.name, sha256=one.file_sha256, size=size, stripped=one.stripped), one.blob)
            for one, size in session.execute(wanted)
            if one.file_sha256 in files  # another file may come to the same without its texts
        ]

    def _keep(self, name: str, sha256: str, data: bytes, *, less: bool) -> None:
        blob = hashlib.sha256(data).hexdigest()
        self._blobs.put({blob: data})
        with told(), Session(writing(self._engine)) as session:
            if session.get(OriginalRow, sha256) is None:
                session.add(
                    OriginalRow(
                        file_sha256=sha256,
                        name=name[-LIMITS.name_chars :],
                        blob=blob,
                        stripped=less,
                        saved_at=datetime.now(UTC),
                    )
                )
                # Nobody needs it yet: the draft that is about to be written will, and has an hour for that.
                self._blobs.add(session, {blob: data}, _ORIGINAL, sha256)
                self._blobs.release(session, _ORIGINAL, [sha256])
                session.commit()


def link_draft(session: Session, blobs: Blobs, draft_id: str, files: Collection[str]) -> None:
    """Note that a draft needs the originals, where they are kept, of the files that were uploaded into it."""
    for some in _batches(files):
        wanted = select(OriginalRow.blob).where(OriginalRow.file_sha256.in_(some))
        _hold(session, blobs, wanted, DRAFT, draft_id)


def link_version(session: Session, blobs: Blobs, who: Person, row: ScenarioRow, files: Collection[str]) -> None:
    """Note that a version needs the originals of its files, where its author may have them.

    That is so where the author uploaded them (a draft of the author's has them), or an earlier version of the scenario
    has them: a copy of what somebody may only read must not open the files behind it.
    """
    drafts = select(DraftRow.id).where(DraftRow.owner == who.id)
    versions = select(cast(ScenarioRow.key, String)).where(ScenarioRow.id == row.id)
    theirs = select(BlobUseRow.sha256).where(
        or_(
            and_(BlobUseRow.kind == DRAFT, BlobUseRow.holder.in_(drafts)),
            and_(BlobUseRow.kind == HOLDER, BlobUseRow.holder.in_(versions)),
        )
    )
    for some in _batches(files):
        wanted = select(OriginalRow.blob).where(OriginalRow.file_sha256.in_(some), OriginalRow.blob.in_(theirs))
        _hold(session, blobs, wanted, HOLDER, str(row.key))


def _hold(session: Session, blobs: Blobs, wanted: Select[str], kind: str, holder: str) -> None:
    for blob in session.scalars(wanted).all():
        blobs.hold(session, [blob], kind, holder)


def _batches(hashes: Collection[str]) -> list[list[str]]:
    every = sorted(set(hashes))
    return [every[at : at + _AT_ONCE] for at in range(0, len(every), _AT_ONCE)]
