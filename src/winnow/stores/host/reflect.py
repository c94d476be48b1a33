"""The columns of a host's table as its database describes them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import mysql, postgresql

from winnow.stores.host.vector_types import Vector
from winnow.types.history import HostTable

Kind = Literal["text", "integer", "number", "uuid", "bytes", "time", "flag", "json", "vector", "other"]
_KINDS: tuple[tuple[type[Any], Kind], ...] = (
    (Vector, "vector"),
    (sa.Boolean, "flag"),
    (postgresql.ENUM, "other"),  # compared with a text, it raises
    (postgresql.DOMAIN, "other"),
    (mysql.BIT, "integer"),
    (sa.Uuid, "uuid"),
    (sa.JSON, "json"),
    (sa.String, "text"),
    (sa.Integer, "integer"),
    (sa.Float, "number"),
    (sa.Numeric, "number"),
    (sa.DateTime, "time"),
    (sa.Date, "time"),
    (sa.LargeBinary, "bytes"),
    (sa.BINARY, "bytes"),
    (sa.VARBINARY, "bytes"),
    (mysql.TINYBLOB, "bytes"),
    (mysql.MEDIUMBLOB, "bytes"),
    (mysql.LONGBLOB, "bytes"),
)
"""Type of SQLAlchemy -> what it is here; the first that fits counts."""
_CHARSETS = sa.text(
    "SELECT column_name, character_set_name, collation_name FROM information_schema.columns"
    " WHERE table_name = :table AND table_schema = COALESCE(:schema, DATABASE())"
)


@dataclass(frozen=True, slots=True)
class Link:
    """The table of conversations, which says whose they are: rows lead there by ``via``, to its ``key``."""

    table: str
    schema: str
    via: str
    key: str

    def reached(self, condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
        """That a row leads to one of that table for which the condition holds."""
        there = sa.table(self.table, schema=self.schema or None)
        keys: sa.Select[Any] = sa.select(sa.column(self.key)).select_from(there).where(condition)
        return sa.column(self.via).in_(keys)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name as the database spells it, what it holds, and its type in words."""

    name: str
    kind: Kind
    type: str
    length: int = 0
    """Of a text of fixed or limited length, or the dimension of a vector; 0: none is known."""
    charset: str = ""
    collation: str = ""
    """Encoding and order of a text in MySQL; empty: those of the connection will do."""
    link: Link | None = None
    """How its table is reached, where it is not that of the messages."""

    @property
    def sql(self) -> sa.ColumnClause[Any]:
        """It in a statement; its values come as the driver gives them."""
        return sa.column(self.name)


Columns = Mapping[str, Column]
"""Name -> column."""


def columns(db: sa.Connection, table: str, schema: str = "") -> Columns:
    """The columns of a table or a view; empty where there is no such thing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sa.exc.SAWarning)  # types that it does not know, such as vector
        try:
            found = sa.inspect(db).get_columns(table, schema=schema or None)
        except sa.exc.NoSuchTableError:
            return {}
    told: dict[str, Column] = {}
    for column in found:
        kind: sa.types.TypeEngine[Any] = column["type"]
        text = "" if isinstance(kind, sa.types.NullType) else kind.compile(db.dialect).lower()
        ours: Kind = next((name for known, name in _KINDS if isinstance(kind, known)), "other")
        told[column["name"]] = Column(column["name"], ours, text, getattr(kind, "length", None) or 0)
    return _encoded(db, table, schema, told) if db.dialect.name in {"mysql", "mariadb"} else told


def _encoded(db: sa.Connection, table: str, schema: str, told: Columns) -> Columns:
    """The columns of MySQL: those that hold texts have encodings of their own."""
    found = db.execute(_CHARSETS, {"table": table, "schema": schema or None})
    texts = {name: replace(told[name], charset=c, collation=order) for name, c, order in found if c}
    return {**told, **texts}


def tables(db: sa.Connection, schema: str = "") -> tuple[str, ...]:
    """The tables and views, by name; empty where there is no such schema."""
    look, where = sa.inspect(db), schema or None
    kept = look.get_materialized_view_names(where) if db.dialect.name == "postgresql" else ()
    return tuple(sorted({*look.get_table_names(where), *look.get_view_names(where), *kept}))


def linked(db: sa.Connection, table: HostTable, other: str) -> Link | None:
    """How the rows lead to another table: by the one foreign key, else from the conversation to its key."""
    look, schema = sa.inspect(db), table.schema or None
    keys = [k for k in look.get_foreign_keys(table.table, schema) if k["referred_table"] == other]
    pairs = [(k["constrained_columns"], k["referred_columns"]) for k in keys]
    if not pairs and table.columns.conversation:
        pairs = [([table.columns.conversation], primary_key(db, other, table.schema))]
    single = [(via[0], key[0]) for via, key in pairs if len(via) == len(key) == 1]
    return Link(other, table.schema, *single[0]) if len(single) == 1 else None


def primary_key(db: sa.Connection, table: str, schema: str = "") -> list[str]:
    """The columns of the primary key."""
    return list(sa.inspect(db).get_pk_constraint(table, schema or None)["constrained_columns"])
