"""What was done, chained, and what may be done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]


def _key(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String, primary_key=True) for name in names]


def upgrade() -> None:
    op.create_table(
        "audit",
        *_key("tenant", "home_id"),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        *_texts("user", "kind", "act", "body", "previous", "hash"),
        sqlite_with_rowid=False,
    )
    op.create_index("audit_of_acts", "audit", ["tenant", "home_id", "act"])
    op.create_table(
        "chains",
        *_key("tenant", "home_id"),
        *_texts("name"),
        sa.Column("first", sa.Integer, nullable=False),
        *_texts("after"),
        sa.Column("number", sa.Integer, nullable=False),
        *_texts("hash", "seal"),
    )
    op.create_table(
        "plans",
        *_key("tenant", "home_id", "user", "session", "id"),
        *_texts("state", "token_hash"),
        sa.Column("ends", sa.Float, nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
    )
    op.create_index("plans_by_end", "plans", ["tenant", "ends", "id"])
    op.create_index("plans_of_tokens", "plans", ["tenant", "token_hash"])


def downgrade() -> None:
    for name in ("plans", "chains", "audit"):
        op.drop_table(name)
