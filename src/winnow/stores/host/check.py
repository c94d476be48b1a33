"""A look at a host's table before anything relies on it: all that is wrong, and what would be better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import sqlalchemy as sa

from winnow.errors import ConfigError, Problem
from winnow.stores.host.advice import advised
from winnow.stores.host.connect import HostDatabase
from winnow.stores.host.mapped import held_against
from winnow.stores.host.pgvector import vector_column, vector_problems
from winnow.stores.host.reflect import Column, columns
from winnow.stores.host.vector_advice import advised_of_vectors
from winnow.text.clocks import Clocks
from winnow.types.history import Distance, HostTable
from winnow.types.host_report import Advice, HostReport


def check(table: HostTable, *, dimension: int = 0, distance: Distance = "cosine") -> HostReport:
    """What stands in the way of reading the table, and what its owner may do for it.

    Its vectors are looked at where they are mapped; ``dimension`` is what they should have, 0: any. A few
    rows are read; nothing of them is told but marks of deletion and a value that is no time. Raises
    StoreError where the database does not answer.
    """
    clocks, wrong = _clocks(table)
    try:
        database = HostDatabase(table.url)
    except ConfigError as error:
        return HostReport(problems=(*wrong, *error.problems))
    with database.read() as db:
        present = columns(db, table.table, table.schema)
        found, unfit = held_against(db, table, present)
        problems = (*wrong, *unfit, *_vector_problems(db, table, found, dimension))
        advice: tuple[Advice, ...] = ()
        if not problems:
            advice = (*advised(db, table, found, present, clocks), *_of_vectors(db, table, found, distance))
    database.close()
    return HostReport({c.name: c.type for c in present.values()}, problems, advice)


def _clocks(table: HostTable) -> tuple[Clocks, tuple[Problem, ...]]:
    """The clocks of a table; those of UTC where a zone is none."""
    try:
        return Clocks(table.timezone, table.stored_timezone), ()
    except ConfigError as error:
        return Clocks(), tuple(replace(p, path=f"messages.{p.path}") for p in error.problems)


def _vector_problems(
    db: sa.Connection, table: HostTable, found: Mapping[str, Column], dimension: int
) -> Iterator[Problem]:
    if "vector" in found and db.dialect.name == "postgresql":
        yield from vector_problems(vector_column(db, table), dimension)


def _of_vectors(
    db: sa.Connection, table: HostTable, found: Mapping[str, Column], distance: Distance
) -> Iterator[Advice]:
    if "vector" in found and db.dialect.name == "postgresql":
        yield from advised_of_vectors(db, table, found["user"], vector_column(db, table), distance)
