"""A mapping held against the table it is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches

import sqlalchemy as sa

from winnow.errors import ConfigError, Phrase, Problem
from winnow.stores.host.naming import FITTING, near
from winnow.stores.host.reflect import Column, columns, tables
from winnow.stores.host.words import listed
from winnow.types.history import Columns, HostTable

_MOST = 40
"""Names that are told at most."""


def mapped(db: sa.Connection, table: HostTable) -> Mapping[str, Column]:
    """Field of ``Columns`` -> the column it names. Raises ConfigError with all that does not fit."""
    present = columns(db, table.table, table.schema)
    if found := problems(db, table, present):
        raise ConfigError(found)
    return {field: present[name] for field, name in named(table.columns).items()}


def problems(db: sa.Connection, table: HostTable, present: Mapping[str, Column]) -> tuple[Problem, ...]:
    """All that keeps the table, whose columns are ``present``, from being read as it is mapped."""
    if not present:
        return (_no_table(db, table),)
    return tuple(_misfits(table.columns, present))


def named(mapping: Columns) -> Mapping[str, str]:
    """Field -> name of its column, of those that are mapped."""
    told = {f.name: getattr(mapping, f.name) for f in fields(Columns)}
    return {field: name for field, name in told.items() if name}


def _misfits(mapping: Columns, present: Mapping[str, Column]) -> Iterator[Problem]:
    told = named(mapping)
    for field in listed("needed"):
        if field not in told:
            yield Problem("", f"columns.{field}", "must name a column")
    for field, name in told.items():
        if name not in present:
            yield Problem("", f"columns.{field}", _no_column(field, name, present))
        elif present[name].kind not in FITTING[field]:
            yield Problem("", f"columns.{field}", _misfit(present[name]))


def _misfit(column: Column) -> str:
    return Phrase("{name} is of the type {type}, which cannot be that", name=column.name, type=column.type)


def _no_column(field: str, name: str, present: Mapping[str, Column]) -> str:
    known = tuple(present)[:_MOST]
    if meant := near(field, name, present):
        return Phrase(
            "there is no column {name}; did you mean {near}? There are {known}",
            name=name,
            near=meant,
            known=known,
        )
    return Phrase("there is no column {name}; there are {known}", name=name, known=known)


def _no_table(db: sa.Connection, table: HostTable) -> Problem:
    known = tables(db, table.schema)
    close = get_close_matches(table.table, known, 1, 0.5)
    return Problem("", "table", _no_such(table.table, close[0] if close else "", known[:_MOST]))


def _no_such(name: str, meant: str, known: tuple[str, ...]) -> str:
    if meant:
        return Phrase(
            "there is no table {name}; did you mean {near}? There are {known}",
            name=name,
            near=meant,
            known=known,
        )
    if known:
        return Phrase("there is no table {name}; there are {known}", name=name, known=known)
    return Phrase("there is no table {name}, and no other", name=name)
