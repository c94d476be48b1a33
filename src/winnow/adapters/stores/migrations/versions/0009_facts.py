"""What is held to be true for a person, statement by statement; none takes the place of another."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "facts",
        *(sa.Column(name, sa.String, primary_key=True) for name in ("tenant", "user", "id")),
        sa.Column("position", sa.Integer, nullable=False),
        *_texts("text", "subject", "attribute", "value"),
        sa.Column("at", sa.DateTime),
        sa.Column("credibility", sa.Float, nullable=False),
        *_texts("source", "status", "replaced_by", "reason"),
        sqlite_with_rowid=False,
    )
    op.create_index("facts_in_order", "facts", ["tenant", "user", "position"])


def downgrade() -> None:
    op.drop_table("facts")


def _texts(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]
