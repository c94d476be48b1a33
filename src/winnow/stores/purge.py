"""Deleted rows removed from the files of a database: until then they are bytes that nobody reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from time import monotonic, sleep
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError

from winnow.stores.faults import translated
from winnow.stores.schema import metadata
from winnow.types.person import Elsewhere, Purge

if TYPE_CHECKING:
    from winnow.stores.database import Database

ANEW = ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
"""What writes a file anew without what was deleted, and empties the log beside it."""
STATISTICS = "VACUUM (FULL) pg_catalog.pg_statistic"
"""The planner's statistics hold common values of columns, word for word."""
_IS_OURS = sa.text("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(:name)")
_IS_OUR_DATABASE = sa.text(
    "SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()"
)
_NOW = sa.text("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
_PAST = sa.text(
    "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= :since AND NOT EXISTS ("
    "SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    " AND (datname = current_database() OR datname IS NULL)"
    " AND age(backend_xmin) > pg_snapshot_xmax(pg_current_snapshot())::text::bigint - :since)"
)
"""Whether no transaction that began before may still see what was deleted: a vacuum keeps it for that one.

One that runs in another database of the server counts as well: new snapshots are as old as it is.
"""
PAUSE = 0.05
"""Seconds between two looks."""
_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]


def purge(db: Database, kinds: Collection[str]) -> Purge:
    """Remove what was deleted of these tables. What could not be done is told, and no error.

    Raises StoreError where the database cannot be reached.
    """
    with translated(db.place):
        return _file(db) if db.place.file is not None else _server(db, kinds)


def _file(db: Database) -> Purge:
    """The whole file: SQLite writes no table anew by itself."""
    connection = db.plain.raw_connection()
    try:
        connection.driver_connection.execute(ANEW[0])  # type: ignore[union-attr]
        busy, *_ = connection.driver_connection.execute(ANEW[1]).fetchone()  # type: ignore[union-attr]
    except db.plain.dialect.dbapi.Error:  # type: ignore[union-attr]
        busy = 1
    finally:
        connection.close()
    return Purge(ANEW, (Elsewhere("file", str(db.place)),)) if busy else Purge()


def _server(db: Database, kinds: Collection[str]) -> Purge:
    left: list[str] = []
    alone = db.plain.execution_options(isolation_level="AUTOCOMMIT")
    with alone.connect() as connection:
        connection.exec_driver_sql(f"SET lock_timeout = {max(1, int(db.wait * 1000))}")
        tables = [table for table in metadata.sorted_tables if table.name in kinds]
        try:
            since, until = connection.scalar(_NOW), monotonic() + db.wait
            # Nothing is removed while a transaction is left that may see what was deleted.
            while not (is_past := bool(connection.scalar(_PAST, {"since": since}))) and monotonic() < until:
                sleep(PAUSE)
            for table in tables:
                statements = [*_statements(table)]
                if is_past:
                    statements = _done(connection, _IS_OURS, {"name": table.name}, statements)
                left += statements
            left += _done(connection, _IS_OUR_DATABASE, {}, [STATISTICS])
        finally:
            connection.exec_driver_sql("RESET lock_timeout")
    return Purge(tuple(left), (Elsewhere("server_log", str(db.place)),))


def _statements(table: sa.Table) -> Iterator[str]:
    """A column set to the type it has loses its statistics, which outlive the rows of an empty table."""
    kept = {*table.primary_key.columns, *(column for index in table.indexes for column in index.columns)}
    changes = [
        f'ALTER COLUMN "{column.name}" TYPE {column.type.compile(_DIALECT)}'
        for column in table.c
        if isinstance(getattr(column.type, "impl_instance", column.type), sa.String) and column not in kept
    ]
    if changes:
        yield f"ALTER TABLE {table.name} {', '.join(changes)}"
    yield f"VACUUM (FULL, ANALYZE) {table.name}"


def _done(
    db: sa.Connection, allowed: sa.TextClause, given: dict[str, str], statements: list[str]
) -> list[str]:
    """Run these; those that may not be run, or that had to wait for too long.

    The server only warns where a table is somebody else's, so that is asked first.
    """
    if not db.scalar(allowed, given):
        return statements
    for number, statement in enumerate(statements):
        try:
            db.exec_driver_sql(statement)
        except DBAPIError:
            return statements[number:]
    return []
