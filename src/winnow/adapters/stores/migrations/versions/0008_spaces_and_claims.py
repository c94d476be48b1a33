"""Which spaces a tenant has vectors of, what was counted of each, and what is being embedded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
COUNTED = (
    "asked",
    "memory",
    "store",
    "joined",
    "made",
    "damaged",
    "unkept",
    "calls",
    "failed",
    "questions",
    "evicted",
)


def upgrade() -> None:
    op.create_table(
        "spaces",
        *_key("tenant", "space", "version"),
        sa.Column("dimension", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False, server_default="0") for name in COUNTED),
    )
    op.create_table(
        "claims",
        *_key("tenant", "space", "version", "key"),
        sa.Column("batch", sa.String, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.execute(
        "INSERT INTO spaces (tenant, space, version, dimension)"
        " SELECT DISTINCT tenant, space, version, dimension FROM vectors"
    )


def downgrade() -> None:
    for name in ("claims", "spaces"):
        op.drop_table(name)


def _key(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, primary_key=True) for name in names]
