"""A look at a host's table before anything relies on it: all that is wrong, and what would be better."""

from __future__ import annotations

from dataclasses import replace

from winnow.errors import ConfigError, Problem
from winnow.stores.host.advice import advised
from winnow.stores.host.connect import HostDatabase
from winnow.stores.host.mapped import held_against
from winnow.stores.host.pgvector import vector_column, vector_problems
from winnow.stores.host.reflect import columns
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
        wrong += unfit
        vectors = None
        if "vector" in found and db.dialect.name == "postgresql":
            vectors = vector_column(db, table)
            wrong += vector_problems(vectors, dimension)
        advice = list[Advice]()
        if not wrong:
            advice += advised(db, table, found, present, clocks)
        if not wrong and vectors:
            advice += advised_of_vectors(db, table, found["user"], vectors, distance)
    database.close()
    return HostReport({c.name: c.type for c in present.values()}, tuple(wrong), tuple(advice))


def _clocks(table: HostTable) -> tuple[Clocks, list[Problem]]:
    """The clocks of a table; those of UTC where a zone is none."""
    try:
        return Clocks(table.timezone, table.stored_timezone), []
    except ConfigError as error:
        return Clocks(), [replace(p, path=f"messages.{p.path}") for p in error.problems]
