"""Turns and open questions of each person apart, in one session too.

What was kept before does not tell whose it was, so nobody may be shown it: both tables begin empty, which
forgets the last turns of each session.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    _made_anew("user", "session")


def downgrade() -> None:
    _made_anew("session")


def _made_anew(*whose: str) -> None:
    for name in ("turns", "questions"):
        op.drop_table(name)
    op.create_table(
        "turns",
        *_key("tenant", "home_id", *whose),
        sa.Column("position", sa.Integer, primary_key=True),
        *_texts("role", "content"),
        sa.Column("device_ids", sa.JSON, nullable=False),
    )
    op.create_table(
        "questions",
        *_key("tenant", "home_id", *whose),
        *_texts("id"),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("utterance", sa.JSON, nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        *_texts("mark"),
        sa.UniqueConstraint("tenant", "id", name="one_question_an_id_of_a_tenant"),
    )


def _key(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, primary_key=True) for name in names]


def _texts(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.String, nullable=False) for name in names]
