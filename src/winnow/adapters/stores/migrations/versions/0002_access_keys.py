"""Keys that programs come with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "access_keys",
        sa.Column("tenant", sa.String(), primary_key=True),
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("users", sa.JSON(), nullable=False),
        sa.Column("homes", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("ends_at", sa.Float()),
    )
