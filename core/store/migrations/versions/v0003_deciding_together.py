"""Scenarios that are named, tagged and found; links with conditions; comments, people, teams, drafts, blobs.

Types are plain ones and names are written out: this file stays as it is when the tables move on.
"""

from __future__ import annotations

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables, and give each scenario of before its head."""
    _versions_and_heads()
    _fill_heads()
    _shares()
    _comments()
    _people()
    _blobs()


def _versions_and_heads() -> None:
    op.add_column("scenario", sa.Column("author_id", sa.String(255), nullable=True))
    op.add_column("scenario", sa.Column("author_name", sa.String(200), nullable=True))
    op.add_column("scenario", sa.Column("message", sa.Text(), nullable=True))
    op.add_column("scenario", sa.Column("based_on", sa.Integer(), nullable=True))
    op.add_column("scenario", sa.Column("summary", sa.Text(), nullable=True))
    op.create_table(
        "head",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("latest", sa.Integer(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("created_by", sa.String(255), nullable=True),
        sa.Column("saved_at", TIME, nullable=False),
        sa.Column("archived_at", TIME, nullable=True),
        sa.Column("deleted_at", TIME, nullable=True),
        sa.Column("forked_from", sa.String(32), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_head"),
    )
    op.create_index("ix_head_saved_at", "head", ["saved_at"])


def _fill_heads() -> None:
    names = ("key", "id", "version", "name", "saved_at")
    scenario = sa.table("scenario", *(sa.column(name) for name in names))
    head_names = ("id", "name", "tags", "words", "latest", "created_at", "saved_at")
    head = sa.table("head", *(sa.column(name) for name in head_names))
    last = sa.select(sa.func.max(scenario.c.version)).where(scenario.c.id == sa.literal_column("s.id"))
    s = scenario.alias("s")
    first = sa.select(sa.func.min(scenario.c.saved_at)).where(scenario.c.id == s.c.id).scalar_subquery()
    newest = sa.select(s.c.id, s.c.name, sa.literal("[]"), s.c.name, s.c.version, first, s.c.saved_at).where(
        s.c.version == last.scalar_subquery()
    )
    op.execute(sa.insert(head).from_select(list(head_names), newest))
    # SQLite's own lower() knows ASCII alone, and the search folds as Python does.
    connection = op.get_bind()
    for key, name in connection.execute(sa.select(head.c.id, head.c.name)).all():
        connection.execute(sa.update(head).where(head.c.id == key).values(words=folded(name)))


def folded(text: str) -> str:
    """Return text as the search of this revision compares it."""
    return unicodedata.normalize("NFKC", text).casefold()


def _shares() -> None:
    op.drop_index("uq_share_live_scenario_key", table_name="share")
    op.create_index("ix_share_scenario_key", "share", ["scenario_key"])
    op.add_column("share", sa.Column("expires_at", TIME, nullable=True))
    op.add_column("share", sa.Column("hide_prices", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("share", sa.Column("public", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("share", sa.Column("label", sa.String(120), server_default="", nullable=False))
    op.add_column("share", sa.Column("created_by", sa.String(255), nullable=True))
    op.add_column("share", sa.Column("created_name", sa.String(200), nullable=True))
    op.add_column("share", sa.Column("views", sa.Integer(), server_default="0", nullable=False))
    op.add_column("share", sa.Column("last_view_at", TIME, nullable=True))


def _comments() -> None:
    op.create_table(
        "comment",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("scenario_id", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.String(255), nullable=False),
        sa.Column("author_name", sa.String(200), nullable=False),
        sa.Column("said_at", TIME, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("deleted_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("key", name="pk_comment"),
        sa.UniqueConstraint("id", name="uq_comment_id"),
        sa.ForeignKeyConstraint(["scenario_id"], ["head.id"], name="fk_comment_scenario_id_head"),
    )
    op.create_index("ix_comment_scenario_id", "comment", ["scenario_id"])


def _people() -> None:
    op.create_table(
        "person",
        sa.Column("id", sa.String(255), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("email", sa.String(254), nullable=True),
        sa.Column("first_seen", TIME, nullable=False),
        sa.Column("last_seen", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
    )
    op.create_index("ix_person_email", "person", ["email"])
    op.create_table(
        "team",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("created_by", sa.String(255), nullable=False),
        sa.Column("deleted_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_team"),
    )
    op.create_table(
        "member",
        sa.Column("team_id", sa.String(32), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("added_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("team_id", "email", name="pk_member"),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name="fk_member_team_id_team"),
    )
    op.create_table(
        "access",
        sa.Column("scenario_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("given_at", TIME, nullable=False),
        sa.Column("given_by", sa.String(255), nullable=True),
        sa.PrimaryKeyConstraint("scenario_id", "kind", "subject", name="pk_access"),
        sa.ForeignKeyConstraint(["scenario_id"], ["head.id"], name="fk_access_scenario_id_head"),
    )
    op.create_index("ix_access_subject", "access", ["subject"])
    op.create_table(
        "event",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("actor_id", sa.String(255), nullable=False),
        sa.Column("actor_name", sa.String(200), nullable=False),
        sa.Column("act", sa.String(40), nullable=False),
        sa.Column("scenario_id", sa.String(32), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_event"),
    )
    op.create_index("ix_event_at", "event", ["at"])
    op.create_index("ix_event_scenario_id", "event", ["scenario_id"])
    op.create_table(
        "preference",
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("saved_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("owner", "name", name="pk_preference"),
    )


def _blobs() -> None:
    op.create_table(
        "blob",
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=True),
        sa.Column("saved_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_blob"),
    )
    op.create_table(
        "blob_use",
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("kind", "holder", "sha256", name="pk_blob_use"),
    )
    op.create_index("ix_blob_use_sha256", "blob_use", ["sha256"])
    op.create_table(
        "draft",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("parent", sa.String(64), nullable=True),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("saved_at", TIME, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("payload_sha256", sa.String(64), nullable=False),
        sa.Column("based_on", sa.String(32), nullable=True),
        sa.Column("based_on_version", sa.Integer(), nullable=True),
        sa.Column("discarded_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_draft"),
    )
    op.create_index("ix_draft_parent", "draft", ["parent"])
    op.create_index("ix_draft_owner", "draft", ["owner"])
    op.create_table(
        "original",
        sa.Column("file_sha256", sa.String(64), nullable=False),
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("blob", sa.String(64), nullable=False),
        sa.Column("stripped", sa.Boolean(), nullable=False),
        sa.Column("saved_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("file_sha256", name="pk_original"),
    )
