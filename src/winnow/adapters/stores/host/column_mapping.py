"""The columns of a host's table, and the mapping of message fields to them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import mysql, postgresql

from winnow.adapters.stores.host.connection import VectorType
from winnow.errors import ConfigError, Phrase, Problem
from winnow.language.tables import table
from winnow.types.message import HostColumns, HostTable

ColumnKind = Literal["text", "integer", "number", "uuid", "bytes", "time", "flag", "json", "vector", "other"]
_KINDS: tuple[tuple[type[Any], ColumnKind], ...] = (
    (VectorType, "vector"),
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
class TableLink:
    """The table of conversations, which says whose they are: rows lead there by ``via``, to its ``key``."""

    table: str
    schema: str
    via: str
    key: str

    def leads_to(self, condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
        """That a row leads to one of that table for which the condition holds."""
        there = sa.table(self.table, schema=self.schema or None)
        keys: sa.Select[Any] = sa.select(sa.column(self.key)).select_from(there).where(condition)
        return sa.column(self.via).in_(keys)


@dataclass(frozen=True, slots=True)
class HostColumn:
    """One column: its name as the database spells it, what it holds, and its type in words."""

    name: str
    kind: ColumnKind
    type: str
    length: int = 0
    """Of a text of fixed or limited length, or the dimension of a vector; 0: none is known."""
    charset: str = ""
    collation: str = ""
    """Encoding and order of a text in MySQL; empty: those of the connection will do."""
    link: TableLink | None = None
    """How its table is reached, where it is not that of the messages."""

    @property
    def sql(self) -> sa.ColumnClause[Any]:
        """It in a statement; its values come as the driver gives them."""
        return sa.column(self.name)


ColumnsByName = Mapping[str, HostColumn]
"""Name -> column."""


def host_columns(db: sa.Connection, table: str, schema: str = "") -> ColumnsByName:
    """The columns of a table or a view; empty where there is no such thing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sa.exc.SAWarning)  # types that it does not know, such as vector
        try:
            found = sa.inspect(db).get_columns(table, schema=schema or None)
        except sa.exc.NoSuchTableError:
            return {}
    told: dict[str, HostColumn] = {}
    for column in found:
        kind: sa.types.TypeEngine[Any] = column["type"]
        text = "" if isinstance(kind, sa.types.NullType) else kind.compile(db.dialect).lower()
        ours: ColumnKind = next((name for known, name in _KINDS if isinstance(kind, known)), "other")
        told[column["name"]] = HostColumn(column["name"], ours, text, getattr(kind, "length", None) or 0)
    return _with_charsets(db, table, schema, told) if db.dialect.name in {"mysql", "mariadb"} else told


def _with_charsets(db: sa.Connection, table: str, schema: str, told: ColumnsByName) -> ColumnsByName:
    """The columns of MySQL: those that hold texts have encodings of their own."""
    found = db.execute(_CHARSETS, {"table": table, "schema": schema or None})
    texts = {name: replace(told[name], charset=c, collation=order) for name, c, order in found if c}
    return {**told, **texts}


def host_tables(db: sa.Connection, schema: str = "") -> tuple[str, ...]:
    """The tables and views, by name; empty where there is no such schema."""
    look, where = sa.inspect(db), schema or None
    kept = look.get_materialized_view_names(where) if db.dialect.name == "postgresql" else ()
    return tuple(sorted({*look.get_table_names(where), *look.get_view_names(where), *kept}))


def table_link(db: sa.Connection, table: HostTable, other: str) -> TableLink | None:
    """How the rows lead to another table: by the one foreign key, else from the conversation to its key."""
    look, schema = sa.inspect(db), table.schema or None
    keys = [k for k in look.get_foreign_keys(table.table, schema) if k["referred_table"] == other]
    pairs = [(k["constrained_columns"], k["referred_columns"]) for k in keys]
    if not pairs and table.columns.conversation:
        pairs = [([table.columns.conversation], primary_key(db, other, table.schema))]
    single = [(via[0], key[0]) for via, key in pairs if len(via) == len(key) == 1]
    return TableLink(other, table.schema, *single[0]) if len(single) == 1 else None


def primary_key(db: sa.Connection, table: str, schema: str = "") -> list[str]:
    """The columns of the primary key."""
    return list(sa.inspect(db).get_pk_constraint(table, schema or None)["constrained_columns"])


# What applications call things, as data: ``names.yaml``.


@cache
def word_list(name: str) -> tuple[str, ...]:
    """One of the lists."""
    return tuple(str(word) for word in table("winnow.adapters.stores.host", "names.yaml")[name])


@cache
def column_names() -> Mapping[str, tuple[str, ...]]:
    """Field of ``HostColumns`` -> what such a column is called, the commonest first."""
    return {
        field: tuple(names)
        for field, names in table("winnow.adapters.stores.host", "names.yaml")["columns"].items()
    }


@cache
def role_names() -> Mapping[str, str]:
    """Stored role -> ours."""
    return dict(table("winnow.adapters.stores.host", "names.yaml")["roles"])


# Which column may be meant: by what such a column is usually called, and by how names are spelt.

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IDS: frozenset[ColumnKind] = frozenset({"text", "integer", "number", "uuid", "bytes", "other"})
FIELD_KINDS: Mapping[str, frozenset[ColumnKind]] = {
    "id": _IDS,
    "user": _IDS,
    "tenant": _IDS,
    "conversation": _IDS,
    "role": _IDS | {"flag"},
    "content": frozenset({"text", "json", "bytes", "other"}),
    "created_at": frozenset({"time", "integer", "number", "text"}),
    "edited_at": frozenset({"time", "integer", "number", "text"}),
    "deleted": frozenset({"time", "integer", "number", "text", "flag", "other"}),
    "vector": frozenset({"vector", "other"}),  # of a schema that is not searched, it is not recognised
}
"""Field of ``HostColumns`` -> what its column may hold."""


def snake_case(name: str) -> str:
    """``createdAt`` and ``Created-At`` as ``created_at``."""
    return re.sub(r"\W+", "_", _HUMP.sub("_", name)).strip("_").lower()


def likely_column(
    field: str, columns: Iterable[HostColumn], taken: Collection[str] = ()
) -> HostColumn | None:
    """The column most probably meant by a field of ``HostColumns``, by its usual name and type."""
    names = column_names()[field]
    fit = [c for c in columns if c.name not in taken and snake_case(c.name) in names and fits_field(field, c)]
    return min(fit, key=lambda column: names.index(snake_case(column.name)), default=None)


def fits_field(field: str, column: HostColumn) -> bool:
    """Whether a column may be that field by what it holds.

    One of no type, as SQLite allows, may hold anything.
    """
    if not column.type:
        return True
    if snake_case(column.name) in word_list("states"):
        return column.kind in {"text", "other"}
    return column.kind in FIELD_KINDS[field]


def nearest_column(field: str, name: str, columns: Mapping[str, HostColumn]) -> str:
    """The column that may have been meant by a name that is not there; empty: none."""
    by_case = [known for known in columns if snake_case(known) == snake_case(name)]
    spelt = get_close_matches(name, columns, 1, 0.75)
    usual = likely_column(field, columns.values())
    loosely = get_close_matches(name, columns, 1, 0.5)
    return next(iter([*by_case, *spelt, *([usual.name] if usual else []), *loosely]), "")


# A mapping held against the table it is of.

LINKABLE_FIELDS = ("user", "tenant")
"""Fields whose column may be one of the table of conversations."""
_MAX_NAMES = 40
"""Names that are told at most."""


def mapped_columns(db: sa.Connection, table: HostTable) -> Mapping[str, HostColumn]:
    """Field of ``HostColumns`` -> the column it names. Raises ConfigError with all that does not fit."""
    present = host_columns(db, table.table, table.schema)
    found, wrong = check_mapping(db, table, present)
    if wrong:
        raise ConfigError(wrong)
    return found


def check_mapping(
    db: sa.Connection, table: HostTable, present: Mapping[str, HostColumn]
) -> tuple[Mapping[str, HostColumn], Sequence[Problem]]:
    """The columns that are mapped and there, and all that keeps the table from being read as it is mapped.

    ``present``: the columns of the table.
    """
    if not present:
        return {}, [Problem("", "messages.table", _no_table_text(db, table.schema, table.table))]
    names = mapped_names(table.columns)
    lacking = {field: "must name a column" for field in word_list("needed") if field not in names}
    answers = {field: _mapped_column(db, table, present, field, name) for field, name in names.items()}
    wrong = lacking | {field: why for field, why in answers.items() if isinstance(why, str)}
    found = {field: column for field, column in answers.items() if isinstance(column, HostColumn)}
    return found, [Problem("", f"messages.columns.{field}", why) for field, why in wrong.items()]


def mapped_names(mapping: HostColumns) -> Mapping[str, str]:
    """Field -> name of its column, of those that are mapped."""
    told = {f.name: getattr(mapping, f.name) for f in fields(HostColumns)}
    return {field: name for field, name in told.items() if name}


def _mapped_column(
    db: sa.Connection, table: HostTable, present: Mapping[str, HostColumn], field: str, name: str
) -> HostColumn | str:
    """The column a field means, or why there is none."""
    other = field in LINKABLE_FIELDS and name not in present and "." in name
    found = (
        _linked_column(db, table, present, field, name) if other else _own_column(field, name, present, table)
    )
    if isinstance(found, HostColumn) and found.type and found.kind not in FIELD_KINDS[field]:
        return Phrase("{name} is of the type {type}, which cannot be that", name=name, type=found.type)
    return found


def _own_column(
    field: str, name: str, present: Mapping[str, HostColumn], table: HostTable
) -> HostColumn | str:
    """The column, or what may be meant among those that nothing else is mapped to."""
    if name in present:
        return present[name]
    known = tuple(present)[:_MAX_NAMES]
    taken = mapped_names(table.columns).values()
    if meant := nearest_column(
        field, name, {name: column for name, column in present.items() if name not in taken}
    ):
        return Phrase(
            "there is no column {name}; did you mean {near}? There are {known}",
            name=name,
            near=meant,
            known=known,
        )
    return Phrase("there is no column {name}; there are {known}", name=name, known=known)


def _linked_column(
    db: sa.Connection, table: HostTable, present: Mapping[str, HostColumn], field: str, name: str
) -> HostColumn | str:
    """The column of another table that the rows lead to: ``conversations.user_id``; or why there is none."""
    other, _, column = name.rpartition(".")
    there = host_columns(db, other, table.schema)
    if not there:
        return _no_table_text(db, table.schema, other)
    found = _own_column(field, column, there, table)
    link = table_link(db, table, other)
    if isinstance(found, HostColumn) and (link is None or link.via not in present):
        return Phrase(
            "no foreign key leads from {table} to {other}; map messages.columns.conversation, which does",
            table=table.table,
            other=other,
        )
    return replace(found, link=link) if isinstance(found, HostColumn) else found


def _no_table_text(db: sa.Connection, schema: str, name: str) -> str:
    """That there is no such table, which may have been meant, and those that are there."""
    all_of_them = host_tables(db, schema)
    known, meant = all_of_them[:_MAX_NAMES], get_close_matches(name, all_of_them, 1, 0.5)
    if meant:
        return Phrase(
            "there is no table {name}; did you mean {near}? There are {known}",
            name=name,
            near=meant[0],
            known=known,
        )
    if known:
        return Phrase("there is no table {name}; there are {known}", name=name, known=known)
    return Phrase("there is no table {name}, and no other", name=name)
