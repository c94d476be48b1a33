"""Whose learned words are, and of which persons everything was deleted.

Lessons of before do not tell who said their words, so they go: nobody could have them deleted. Words that a
home has accepted stay, as the home's.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.execute("DELETE FROM lessons")
    for name in ("lessons", "lexicon_entries"):
        op.add_column(name, sa.Column("user", sa.String, nullable=False, server_default=""))
    op.create_table(
        "removals",
        sa.Column("tenant", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("removals")
    for name in ("lessons", "lexicon_entries"):
        op.drop_column(name, "user")
