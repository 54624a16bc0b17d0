"""What persons said the columns of tables mean, kept by name.

Types are plain ones and names are written out: this file stays as it is when the tables move on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "mapping",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("payload_sha256", sa.String(64), nullable=False),
        sa.Column("app_version", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_mapping"),
        sa.UniqueConstraint("id", name="uq_mapping_id"),
    )
