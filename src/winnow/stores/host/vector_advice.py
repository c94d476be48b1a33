"""What would make the search of a host's vectors quicker or fuller."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from winnow.errors import Phrase
from winnow.stores.host.neighbours import EXACT_UP_TO
from winnow.stores.host.pgvector import VectorColumn, quoted
from winnow.stores.host.reflect import Column
from winnow.types.history import Distance, HostTable
from winnow.types.host_report import Advice

_SAMPLE = 10_000
"""Rows in which those without a vector are counted."""
_LARGEST = sa.text(
    "SELECT c.reltuples * s.most_common_freqs[1] FROM pg_class c"
    " JOIN pg_namespace n ON n.oid = c.relnamespace"
    " JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = :column"
    " WHERE c.oid = to_regclass(:table)"
)


def advised_of_vectors(
    db: sa.Connection, table: HostTable, user: Column, column: VectorColumn, distance: Distance
) -> Iterator[Advice]:
    """All that may be better about them, in PostgreSQL."""
    yield from _empty(db, table, column)
    if not column.iterative:
        told = "pgvector {version} knows no iterative scan, so that its indexes are never asked: update it"
        version = ".".join(map(str, column.version))
        yield Advice(Phrase(told, version=version), "ALTER EXTENSION vector UPDATE")
    if column.has_index(distance) or user.link:
        return
    # How many rows the person with the most has, as the planner thinks; 0: it does not know.
    rows = round(db.scalar(_LARGEST, {"table": quoted(db, table), "column": user.name}) or 0)
    if rows > EXACT_UP_TO:
        told = "somebody has about {rows} rows; an HNSW index for the distance {distance} would be quicker"
        name = db.dialect.identifier_preparer.quote(column.name)
        made = column.index_sql(quoted(db, table), name, distance)
        yield Advice(Phrase(told, rows=rows, distance=distance), made)


def _empty(db: sa.Connection, table: HostTable, column: VectorColumn) -> Iterator[Advice]:
    """Rows without a vector are found by their words alone."""
    held: sa.ColumnClause[object] = sa.column(column.name)
    some = sa.select(held).select_from(sa.table(table.table, schema=table.schema or None)).limit(_SAMPLE)
    counted = some.subquery()
    all_of, filled = db.execute(sa.select(sa.func.count(), sa.func.count(counted.c[0]))).one()
    if all_of > filled:
        told = "{count} of {all} rows have no vector in {name}, and are found by their words alone"
        yield Advice(Phrase(told, count=all_of - filled, all=all_of, name=column.name))
