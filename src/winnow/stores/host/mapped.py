"""A mapping held against the table it is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches

import sqlalchemy as sa

from winnow.errors import ConfigError, Phrase, Problem
from winnow.stores.host.naming import FITTING, near
from winnow.stores.host.reflect import Column, columns, linked, tables
from winnow.stores.host.words import listed
from winnow.types.history import Columns, HostTable

LINKED = ("user", "tenant")
"""Fields whose column may be one of the table of conversations."""
_MOST = 40
"""Names that are told at most."""


def mapped(db: sa.Connection, table: HostTable) -> Mapping[str, Column]:
    """Field of ``Columns`` -> the column it names. Raises ConfigError with all that does not fit."""
    present = columns(db, table.table, table.schema)
    found, wrong = held_against(db, table, present)
    if wrong:
        raise ConfigError(wrong)
    return found


def held_against(
    db: sa.Connection, table: HostTable, present: Mapping[str, Column]
) -> tuple[Mapping[str, Column], Sequence[Problem]]:
    """The columns that are mapped and there, and all that keeps the table from being read as it is mapped.

    ``present``: the columns of the table.
    """
    if not present:
        return {}, [Problem("", "messages.table", _no_such(db, table.schema, table.table))]
    names = named(table.columns)
    lacking = {field: "must name a column" for field in listed("needed") if field not in names}
    answers = {field: _held(db, table, present, field, name) for field, name in names.items()}
    wrong = lacking | {field: why for field, why in answers.items() if isinstance(why, str)}
    found = {field: column for field, column in answers.items() if isinstance(column, Column)}
    return found, [Problem("", f"messages.columns.{field}", why) for field, why in wrong.items()]


def named(mapping: Columns) -> Mapping[str, str]:
    """Field -> name of its column, of those that are mapped."""
    told = {f.name: getattr(mapping, f.name) for f in fields(Columns)}
    return {field: name for field, name in told.items() if name}


def _held(
    db: sa.Connection, table: HostTable, present: Mapping[str, Column], field: str, name: str
) -> Column | str:
    """The column a field means, or why there is none."""
    other = field in LINKED and name not in present and "." in name
    found = _elsewhere(db, table, present, field, name) if other else _here(field, name, present, table)
    if isinstance(found, Column) and found.type and found.kind not in FITTING[field]:
        return Phrase("{name} is of the type {type}, which cannot be that", name=name, type=found.type)
    return found


def _here(field: str, name: str, present: Mapping[str, Column], table: HostTable) -> Column | str:
    """The column, or what may be meant among those that nothing else is mapped to."""
    if name in present:
        return present[name]
    known = tuple(present)[:_MOST]
    taken = named(table.columns).values()
    if meant := near(field, name, {name: column for name, column in present.items() if name not in taken}):
        return Phrase(
            "there is no column {name}; did you mean {near}? There are {known}",
            name=name,
            near=meant,
            known=known,
        )
    return Phrase("there is no column {name}; there are {known}", name=name, known=known)


def _elsewhere(
    db: sa.Connection, table: HostTable, present: Mapping[str, Column], field: str, name: str
) -> Column | str:
    """The column of another table that the rows lead to: ``conversations.user_id``; or why there is none."""
    other, _, column = name.rpartition(".")
    there = columns(db, other, table.schema)
    if not there:
        return _no_such(db, table.schema, other)
    found = _here(field, column, there, table)
    link = linked(db, table, other)
    if isinstance(found, Column) and (link is None or link.via not in present):
        return Phrase(
            "no foreign key leads from {table} to {other}; map messages.columns.conversation, which does",
            table=table.table,
            other=other,
        )
    return replace(found, link=link) if isinstance(found, Column) else found


def _no_such(db: sa.Connection, schema: str, name: str) -> str:
    """That there is no such table, which may have been meant, and those that are there."""
    all_of_them = tables(db, schema)
    known, meant = all_of_them[:_MOST], get_close_matches(name, all_of_them, 1, 0.5)
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
