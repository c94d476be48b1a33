"""What people say of what they were given, and what is counted of turns where that is switched on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    for name, kept in (("feedback", "given"), ("accounts", "account")):
        op.create_table(
            name,
            *(sa.Column(part, sa.String, primary_key=True) for part in ("tenant", "user", "id")),
            sa.Column("at", sa.Float, nullable=False),
            sa.Column(kept, sa.JSON, nullable=False),
        )
    op.create_table(
        "totals",
        *(sa.Column(part, sa.String, primary_key=True) for part in ("tenant", "name")),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("sum", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("totals", "accounts", "feedback"):
        op.drop_table(name)
