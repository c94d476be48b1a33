"""Messages of persons, what each history looks like, and vectors of texts.

On SQLite the rows of one person stand side by side in the file, since they are read together.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "messages",
        *_key("tenant", "user", "id"),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        *_texts("role", "content", "conversation"),
        sqlite_with_rowid=False,
    )
    op.create_index("messages_in_time", "messages", ["tenant", "user", "at", "position"])
    op.create_table(
        "histories",
        *_key("tenant", "user"),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        *_texts("mark"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vectors",
        *_key("tenant", "key", "space", "version"),
        sa.Column("dimension", sa.Integer, primary_key=True),
        sa.Column("vector", sa.LargeBinary, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("vectors", "histories", "messages"):
        op.drop_table(name)


def _key(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, primary_key=True) for name in names]


def _texts(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]
