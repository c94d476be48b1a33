"""Documents of persons and of tenants, their passages, and the index made of those."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
INDEXED = {"passages_of_documents": "document", "passages_of_segments": "segment"}


def upgrade() -> None:
    _documents()
    _passages()
    _index()


def downgrade() -> None:
    for name in ("marks", "segments", "passages", "documents", "shelves"):
        op.drop_table(name)


def _documents() -> None:
    op.create_table(
        "shelves",
        *_key(),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        *_texts("mark"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "documents",
        *_key("id"),
        sa.Column("position", sa.Integer, nullable=False),
        *_texts("title", "kind", "collection", "domain", "source"),
        sa.Column("importance", sa.Float, nullable=False),
        sa.Column("credibility", sa.Float, nullable=False),
        sa.Column("at", sa.DateTime),
        *_texts("digest", "text"),
    )


def _passages() -> None:
    op.create_table(
        "passages",
        *_key("id"),
        *_texts("document", "segment", "folded"),
        sa.Column("also", sa.JSON, nullable=False),
        sa.Column("headings", sa.JSON, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("marks", sa.LargeBinary, nullable=False),
        *_texts("text"),
    )
    for name, column in INDEXED.items():
        op.create_index(name, "passages", ["tenant", "user", "tier", column])


def _index() -> None:
    op.create_table(
        "segments",
        *_key("id"),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("dead", sa.JSON, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "marks",
        *_key(),
        sa.Column("mark", sa.BigInteger, primary_key=True),
        sa.Column("passage", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )


def _key(*more: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, primary_key=True) for name in ("tenant", "user", "tier", *more)]


def _texts(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]
