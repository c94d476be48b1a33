"""Which table of a host's database holds messages, and in which columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import sqlalchemy as sa

from winnow.stores.host.connect import HostDatabase
from winnow.stores.host.naming import likely, snake
from winnow.stores.host.reflect import Column, columns, linked, primary_key, tables
from winnow.stores.host.words import listed
from winnow.types.history import Columns, HostTable
from winnow.types.host_report import LikelyTable

_ORDER = (
    "id",
    "user",
    "created_at",
    "content",
    "role",
    "conversation",
    "edited_at",
    "deleted",
    "vector",
    "tenant",
)
"""In which a column is taken for a field: what is surest first."""
_WORTH: Mapping[str, float] = {"id": 0.15, "user": 0.2, "content": 0.2, "created_at": 0.15, "role": 0.1}
_NAMED = 0.2
"""What the name of the table is worth."""
_LEAST = 0.6


def guess(url: str, schema: str = "", most: int = 5) -> tuple[LikelyTable, ...]:
    """The tables and views that look as if they held messages, likeliest first; empty: none does.

    Only names and types are looked at. Raises ConfigError, StoreError.
    """
    database = HostDatabase(url)
    with database.read() as db:
        there = {name: columns(db, name, schema) for name in tables(db, schema)}
        found = [_likely(db, HostTable(url, name, schema), there) for name in there]
    database.close()
    likeliest = sorted(found, key=lambda table: (-table.score, table.table.table))
    return tuple(table for table in likeliest if table.score >= _LEAST)[:most]


def table_names(url: str) -> tuple[str, ...]:
    """The tables and views that are there, by name. Raises ConfigError, StoreError."""
    database = HostDatabase(url)
    with database.read() as db:
        found = tables(db)
    database.close()
    return found


def _likely(db: sa.Connection, table: HostTable, there: Mapping[str, Mapping[str, Column]]) -> LikelyTable:
    """What one table would be mapped as."""
    taken = _named_fields(table.table, tuple(there[table.table].values()))
    key = primary_key(db, table.table, table.schema)
    if "id" not in taken and len(key) == 1:
        taken["id"] = key[0]
    if "user" not in taken and (owner := _owner(db, _mapped(table, taken), there)):
        taken["user"] = owner
    missing = tuple(field for field in listed("needed") if field not in taken)
    score = min(1.0, _named(table.table) + sum(worth for field, worth in _WORTH.items() if field in taken))
    return LikelyTable(_mapped(table, taken), round(score, 3), missing)


def _named_fields(table: str, present: Sequence[Column]) -> dict[str, str]:
    """Field -> the column of a usual name; of messages, the text is also the one that is left."""
    taken: dict[str, str] = {}
    for field in _ORDER:
        if column := likely(field, present, taken.values()):
            taken[field] = column.name
    left = [column.name for column in present if column.kind == "text" and column.name not in taken.values()]
    if "content" not in taken and _named(table) and len(left) == 1:
        taken["content"] = left[0]
    return taken


def _owner(db: sa.Connection, table: HostTable, there: Mapping[str, Mapping[str, Column]]) -> str:
    """The column of a table of conversations that says whose they are; empty: nothing leads to one."""
    talk = snake(table.columns.conversation).removesuffix("_id")
    keys = sa.inspect(db).get_foreign_keys(table.table, table.schema or None)
    foreign = {key["referred_table"] for key in keys}
    for other in there:
        named = bool(talk) and snake(other) in {talk, f"{talk}s"}
        user = likely("user", there[other].values()) if named or other in foreign else None
        if user and linked(db, table, other):
            return f"{other}.{user.name}"
    return ""


def _named(name: str) -> float:
    """What the name of a table tells."""
    return _NAMED if snake(name) in listed("tables") else _NAMED / 2 * ("message" in snake(name))


def _mapped(table: HostTable, taken: Mapping[str, str]) -> HostTable:
    return replace(table, columns=Columns(**{f.name: taken.get(f.name, "") for f in fields(Columns)}))
