"""Scenarios and the links to them.

Types are plain ones and names are written out: this file stays as it is when the tables move on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "scenario",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("payload_sha256", sa.String(64), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("app_version", sa.String(64), nullable=False),
        sa.Column("method_version", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_scenario"),
        sa.UniqueConstraint("id", "version", name="uq_scenario_id_version"),
    )
    op.create_table(
        "share",
        sa.Column("token_sha256", sa.String(64), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("scenario_key", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("token_sha256", name="pk_share"),
        sa.ForeignKeyConstraint(["scenario_key"], ["scenario.key"], name="fk_share_scenario_key_scenario"),
    )
    live = sa.text("revoked_at IS NULL")
    op.create_index(
        "uq_share_live_scenario_key",
        "share",
        ["scenario_key"],
        unique=True,
        sqlite_where=live,
        postgresql_where=live,
    )
