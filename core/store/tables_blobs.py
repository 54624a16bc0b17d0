"""The tables of what is large or passing: blobs by their content, drafts, original files."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from core.store.schema import ID, PERSON, Base, UtcTime


class BlobRow(Base):
    """Bytes by their SHA-256. `place` says where they lie; `data` holds them where that is the database."""

    __tablename__ = "blob"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    size: Mapped[int] = mapped_column(BigInteger)
    place: Mapped[str] = mapped_column(Text)
    data: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    saved_at: Mapped[datetime] = mapped_column(UtcTime)


class BlobUseRow(Base):
    """Who needs a blob: a version of a scenario ("scenario", its key), a draft, an original file."""

    __tablename__ = "blob_use"

    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    holder: Mapped[str] = mapped_column(String(64), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)


class DraftRow(Base):
    """Unsaved work: what a session held, under an unguessable id. Never changed but for its question.

    Attributes:
        parent: the draft that this one follows, None for the first.
        owner: id of the person whose work it is.
        question: parameters of the address, as JSON.
        label: what a list shows of it, as JSON.
        based_on, based_on_version: the scenario that was opened, None where it began with files.
    """

    __tablename__ = "draft"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    parent: Mapped[str | None] = mapped_column(String(64), index=True)
    owner: Mapped[str] = mapped_column(String(PERSON), index=True)
    saved_at: Mapped[datetime] = mapped_column(UtcTime)
    question: Mapped[str] = mapped_column(Text)
    label: Mapped[str] = mapped_column(Text)
    payload: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    payload_sha256: Mapped[str] = mapped_column(String(64))
    based_on: Mapped[str | None] = mapped_column(String(ID))
    based_on_version: Mapped[int | None]
    discarded_at: Mapped[datetime | None] = mapped_column(UtcTime)


class OriginalRow(Base):
    """A file as it was uploaded, where a setting says that files are kept.

    Attributes:
        file_sha256: of the file as it came. blob: of what is kept of it, which may be less.
        stripped: prompts and answers were taken out.
    """

    __tablename__ = "original"

    file_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(300))
    blob: Mapped[str] = mapped_column(String(64))
    stripped: Mapped[bool]
    saved_at: Mapped[datetime] = mapped_column(UtcTime)
