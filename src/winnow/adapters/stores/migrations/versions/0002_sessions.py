"""Sessions with their open questions, use by person, and learned words."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "turns",
        *_key("home_id", "session"),
        sa.Column("position", sa.Integer, primary_key=True),
        *_texts("role", "content"),
        sa.Column("device_ids", sa.JSON, nullable=False),
    )
    op.create_table(
        "questions",
        *_key("home_id", "session"),
        *_texts("id"),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("utterance", sa.JSON, nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        *_texts("mark"),
        sa.UniqueConstraint("id", name="one_question_an_id"),
    )
    op.create_table(
        "usage",
        *_key("home_id", "user", "device_id"),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("last_used", sa.Float, nullable=False),
    )
    op.create_table(
        "lessons",
        *_key("home_id"),
        sa.Column("position", sa.Integer, primary_key=True),
        *_texts("surface", "slot", "device_id", "device_kind", "action", "source"),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "lexicon_entries",
        *_key("home_id"),
        sa.Column("number", sa.Integer, primary_key=True),
        *_texts("surface", "kind", "target", "status"),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("against", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    for name in ("lexicon_entries", "lessons", "usage", "questions", "turns"):
        op.drop_table(name)


def _key(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, primary_key=True) for name in names]


def _texts(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]
