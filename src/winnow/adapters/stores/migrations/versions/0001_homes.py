"""Homes and their parts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "homes",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("imported_at", sa.Float, nullable=False),
    )
    op.create_table(
        "imports",
        sa.Column("home_id", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("imported_at", sa.Float, nullable=False),
        sa.Column("devices", sa.Integer, nullable=False),
    )
    _part("floors", _text("name"), _json("aliases"), sa.Column("level", sa.Integer))
    _part("rooms", _text("name"), _json("aliases"), sa.Column("floor_id", sa.String))
    _part("profiles", _json("commands"), _json("attributes"))
    _part(
        "devices",
        _text("name"),
        _text("profile_id"),
        _json("kinds"),
        _json("aliases"),
        sa.Column("room_id", sa.String),
        _json("categories"),
        _json("tags"),
        _json("states"),
        sa.Column("available", sa.Boolean, nullable=False),
    )
    _part("scenes", _text("name"), _text("command_id"), _json("aliases"), sa.Column("room_id", sa.String))
    _part("groups", _text("name"), _json("members"), _json("aliases"))


def downgrade() -> None:
    for name in ("groups", "scenes", "devices", "profiles", "rooms", "floors", "imports", "homes"):
        op.drop_table(name)


def _part(name: str, *columns: sa.Column[object]) -> None:
    op.create_table(
        name,
        sa.Column("home_id", sa.String, sa.ForeignKey("homes.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        *columns,
    )


def _text(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.String, nullable=False)


def _json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON, nullable=False)
