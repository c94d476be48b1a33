"""The tables of the store. The home's id comes first in every key; nested lists are JSON columns."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

HEAD = "0002"
"""Newest schema revision; ``migrations/versions`` must end there (tested)."""

metadata = MetaData()


def _part(name: str, *columns: Column[object]) -> Table:
    """A table whose rows belong to one home and keep the order they were imported in."""
    return Table(
        name,
        metadata,
        Column("home_id", String, ForeignKey("homes.id", ondelete="CASCADE"), primary_key=True),
        Column("id", String, primary_key=True),
        Column("position", Integer, nullable=False),
        *columns,
    )


def _json(name: str) -> Column[object]:
    return Column(name, JSON, nullable=False)


homes = Table(
    "homes",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("source", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("imported_at", Float, nullable=False),
)

imports = Table(
    "imports",
    metadata,
    Column("home_id", String, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("imported_at", Float, nullable=False),
    Column("devices", Integer, nullable=False),
)
"""One row per import, kept when the home is deleted: a version number is never used twice."""

floors = _part("floors", Column("name", String, nullable=False), _json("aliases"), Column("level", Integer))
rooms = _part("rooms", Column("name", String, nullable=False), _json("aliases"), Column("floor_id", String))
profiles = _part("profiles", _json("commands"), _json("attributes"))
devices = _part(
    "devices",
    Column("name", String, nullable=False),
    Column("profile_id", String, nullable=False),
    _json("kinds"),
    _json("aliases"),
    Column("room_id", String),
    _json("categories"),
    _json("tags"),
    _json("states"),
    Column("available", Boolean, nullable=False),
)
scenes = _part(
    "scenes",
    Column("name", String, nullable=False),
    Column("command_id", String, nullable=False),
    _json("aliases"),
    Column("room_id", String),
)
groups = _part("groups", Column("name", String, nullable=False), _json("members"), _json("aliases"))

PARTS: dict[str, Table] = {t.name: t for t in (floors, rooms, profiles, devices, scenes, groups)}
"""Field of ``Home`` -> its table."""


def _key(*names: str) -> list[Column[object]]:
    """Text columns of a primary key, in order."""
    return [Column(name, String, primary_key=True) for name in names]


# What is remembered about a home outlives its next import, so nothing here hangs on the homes table.
turns = Table(
    "turns",
    metadata,
    *_key("home_id", "session"),
    Column("position", Integer, primary_key=True),
    Column("role", String, nullable=False),
    Column("content", String, nullable=False),
    _json("device_ids"),
)
questions = Table(
    "questions",
    metadata,
    *_key("home_id", "session"),
    Column("id", String, nullable=False),
    Column("version", Integer, nullable=False),
    _json("utterance"),
    Column("asked_at", Float, nullable=False),
    Column("mark", String, nullable=False),
    UniqueConstraint("id", name="one_question_an_id"),
)
"""The open question of a session, one at most."""
usage = Table(
    "usage",
    metadata,
    *_key("home_id", "user", "device_id"),
    Column("count", Integer, nullable=False),
    Column("last_used", Float, nullable=False),
)
lessons = Table(
    "lessons",
    metadata,
    *_key("home_id"),
    Column("position", Integer, primary_key=True),
    *(
        Column(name, String, nullable=False)
        for name in ("surface", "slot", "device_id", "device_kind", "action", "source")
    ),
    Column("at", Float, nullable=False),
)
lexicon_entries = Table(
    "lexicon_entries",
    metadata,
    *_key("home_id"),
    Column("number", Integer, primary_key=True),
    *(Column(name, String, nullable=False) for name in ("surface", "kind", "target", "status")),
    Column("count", Integer, nullable=False),
    Column("against", Integer, nullable=False),
)
REMEMBERED = (turns, questions, usage, lessons, lexicon_entries)
"""Deleted with their home."""
