"""What people say of the things of their homes, kept over every import."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "overrides",
        *(sa.Column(name, sa.String, primary_key=True) for name in ("tenant", "home_id", "thing_id")),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("aliases", sa.JSON, nullable=False),
        sa.Column("kinds", sa.JSON, nullable=False),
        sa.Column("room_id", sa.String, nullable=False),
        sa.Column("danger", sa.String, nullable=False),
        sa.Column("reach", sa.String),
    )


def downgrade() -> None:
    op.drop_table("overrides")
