"""Every row of one person: counted, exported, deleted, and removed from the files of the database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from winnow.adapters.stores.connection import read_only_error, translate_errors
from winnow.adapters.stores.database import (
    UNKNOWN_TIME,
    StoreTable,
    asks,
    check_person,
    reads,
    remembers,
    writes,
)
from winnow.adapters.stores.homes import raise_version
from winnow.adapters.stores.schema import (
    PERSONAL_TABLES,
    TEXT_TABLES,
    audit,
    homes,
    insert_missing,
    lexicon_entries,
    messages,
    metadata,
    of_person,
    of_tenant,
    removals,
    row_chunks,
    scope_columns,
    scope_parameters,
)
from winnow.ports.services import run_aside
from winnow.types.scope import DERIVED_KINDS, Elsewhere, Purge, Row, Scope, person_key
from winnow.types.vector import text_key

if TYPE_CHECKING:
    from winnow.adapters.stores.database import Database

# Deleted rows removed from the files of a database: until then they are bytes that nobody reads.

REWRITE_FILE = ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
"""What writes a file anew without what was deleted, and empties the log beside it."""
REWRITE_STATISTICS = "VACUUM (FULL) pg_catalog.pg_statistic"
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
LOOK_SECONDS = 0.05
"""Seconds between two looks."""


def purge_deleted(db: Database, kinds: Collection[str]) -> Purge:
    """Remove what was deleted of these tables. What could not be done is told, and no error.

    Raises StoreError where the database cannot be reached.
    """
    if db.place.in_memory:
        return Purge()
    with translate_errors(db.place):
        if db.place.file is None:
            return _purge_server(db, kinds)
        connection = db.engine.raw_connection()
        try:
            connection.driver_connection.execute(REWRITE_FILE[0])  # type: ignore[union-attr]
            busy, *_ = connection.driver_connection.execute(REWRITE_FILE[1]).fetchone()  # type: ignore[union-attr]
        except db.engine.dialect.dbapi.Error:  # type: ignore[union-attr]
            busy = 1
        finally:
            connection.close()
        return Purge(REWRITE_FILE, (Elsewhere("file", str(db.place)),)) if busy else Purge()


def _purge_server(db: Database, kinds: Collection[str]) -> Purge:
    left: list[str] = []
    alone = db.engine.execution_options(isolation_level="AUTOCOMMIT")
    with alone.connect() as connection:
        connection.exec_driver_sql(f"SET lock_timeout = {max(1, int(db.wait * 1000))}")
        tables = [table for table in metadata.sorted_tables if table.name in kinds]
        try:
            since, until = connection.scalar(_NOW), monotonic() + db.wait
            # Nothing is removed while a transaction is left that may see what was deleted.
            while not (is_past := bool(connection.scalar(_PAST, {"since": since}))) and monotonic() < until:
                sleep(LOOK_SECONDS)
            for table in tables:
                statements = [*_statements(table)]
                if is_past:
                    statements = _run_if_allowed(connection, _IS_OURS, {"name": table.name}, statements)
                left += statements
            left += _run_if_allowed(connection, _IS_OUR_DATABASE, {}, [REWRITE_STATISTICS])
        finally:
            connection.exec_driver_sql("RESET lock_timeout")
    return Purge(tuple(left), (Elsewhere("server_log", str(db.place)),))


def _statements(table: sa.Table) -> Iterator[str]:
    """A column set to the type it has loses its statistics, which outlive the rows of an empty table."""
    from sqlalchemy.dialects import postgresql  # a store in memory does without it

    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    kept = {*table.primary_key.columns, *(column for index in table.indexes for column in index.columns)}
    changes = [
        f'ALTER COLUMN "{column.name}" TYPE {column.type.compile(dialect)}'
        for column in table.c
        if isinstance(getattr(column.type, "impl_instance", column.type), sa.String) and column not in kept
    ]
    if changes:
        yield f"ALTER TABLE {table.name} {', '.join(changes)}"
    yield f"VACUUM (FULL, ANALYZE) {table.name}"


def _run_if_allowed(
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


# Jobs of a person in the queue of a PostgreSQL server (``winnow messages precompute --queue``).

JOBS_TABLE = "winnow_queue.procrastinate_jobs"
_THERE = sa.text("SELECT to_regclass(:name) IS NOT NULL").bindparams(name=JOBS_TABLE)
_JOB_OF_PERSON = "args->>'tenant' = :tenant AND args->>'user' = :user AND status::text"
_COUNT_JOBS = {
    busy: sa.text(f"SELECT count(*) FROM {JOBS_TABLE} WHERE {_JOB_OF_PERSON} {sign} 'doing'")  # noqa: S608 - names of ours
    for busy, sign in ((True, "="), (False, "<>"))
}
_DELETE_JOBS = sa.text(f"DELETE FROM {JOBS_TABLE} WHERE {_JOB_OF_PERSON} <> 'doing'")  # noqa: S608 - names of ours


def count_jobs(db: sa.Connection, scope: Scope, *, busy: bool = False) -> int:
    """How many there are that wait or have failed; ``busy``: that a worker is doing."""
    return int(db.scalar(_COUNT_JOBS[busy], _job_owner(scope)) or 0) if _has_queue(db) else 0


def forget_jobs(db: sa.Connection, scope: Scope) -> int:
    """Delete those that nobody is doing; how many there were. A job that is done is deleted by its worker."""
    return db.execute(_DELETE_JOBS, _job_owner(scope)).rowcount if _has_queue(db) else 0


def _has_queue(db: sa.Connection) -> bool:
    return db.dialect.name == "postgresql" and bool(db.scalar(_THERE))


def _job_owner(scope: Scope) -> dict[str, str]:
    return {"tenant": scope.tenant, "user": scope.user}


EXPORT_TABLES = tuple(table for table in PERSONAL_TABLES if table.name not in DERIVED_KINDS)
"""What an export holds, table by table."""
INTERNAL_COLUMNS = ("tenant", "user", "position")
"""Columns that an export leaves out: whose a row is, and its place among the others."""
_COLUMNS = {
    table.name: [
        column.name
        for column in table.c
        if column.name not in INTERNAL_COLUMNS and not isinstance(column.type, sa.LargeBinary)
    ]
    for table in (*EXPORT_TABLES, audit)
}
_COUNT_PERSONS = {
    t.name: sa.select(sa.func.count()).select_from(t).where(of_person(t)) for t in (*PERSONAL_TABLES, audit)
}
_DELETE_PERSONS = {table.name: sa.delete(table).where(of_person(table)) for table in PERSONAL_TABLES}
_MESSAGE_TEXTS = sa.select(messages.c.content).where(of_person(messages))
_AMONG = {t.name: of_tenant(t) & t.c.key.in_(sa.bindparam("keys", expanding=True)) for t in TEXT_TABLES}
_COUNT_BY_TEXT = {
    t.name: sa.select(sa.func.count()).select_from(t).where(_AMONG[t.name]) for t in TEXT_TABLES
}
_ANY_BY_TEXT = [sa.select(t.c.tenant).where(of_tenant(t)).limit(1) for t in TEXT_TABLES]
_DELETE_BY_TEXT = {t.name: sa.delete(t).where(_AMONG[t.name]) for t in TEXT_TABLES}
_HOMES_OF_WORDS = (
    sa.select(homes.c.id)
    .where(of_tenant(homes), of_person(lexicon_entries), lexicon_entries.c.status == "accepted")
    .where(lexicon_entries.c.home_id == homes.c.id)
    .distinct()
)
_LAST_REMOVAL = sa.select(sa.func.max(removals.c.number)).where(of_tenant(removals))
_REMOVALS = (
    sa.select(removals.c.number, removals.c.person)
    .where(of_tenant(removals), removals.c.number > sa.bindparam("after"))
    .order_by(removals.c.number)
)


class PersonTable(StoreTable):
    """The ``PersonRows`` of a store."""

    @reads
    def counts(self, db: sa.Connection, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Kind -> number of rows, of those kinds there are any of."""
        check_person(scope, ())
        found = {
            name: db.scalar(statement, scope_parameters(scope)) or 0
            for name, statement in _COUNT_PERSONS.items()
        }
        del found[audit.name]
        for keys in row_chunks(_keys(db, scope, texts)):
            for name, statement in _COUNT_BY_TEXT.items():
                found[name] = found.get(name, 0) + (
                    db.scalar(statement, scope_parameters(scope, keys=keys)) or 0
                )
        found["jobs"] = count_jobs(db, scope)
        return {name: count for name, count in found.items() if count}

    @reads
    def elsewhere(self, db: sa.Connection, scope: Scope) -> Sequence[Elsewhere]:
        """Entries of the audit log, and jobs that a worker is busy with."""
        entries = db.scalar(_COUNT_PERSONS[audit.name], scope_parameters(scope)) or 0
        busy = count_jobs(db, scope, busy=True)
        places = (Elsewhere("audit", count=entries), Elsewhere("queue", count=busy))
        return [one for one in places if one.count]

    async def rows(self, scope: Scope, size: int = 500) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        """Table by table, each page a moment of its own."""
        check_person(scope, ())
        for table in (*EXPORT_TABLES, audit):
            last: Mapping[str, object] = {}
            while page := await self._page(scope, table, last, size):
                yield table.name, [_export_row(table, row) for row in page]
                last = {f"after_{column.name}": page[-1][column] for column in _order(table)}

    @asks
    def _page(
        self, db: sa.Connection, scope: Scope, table: sa.Table, last: Mapping[str, object], size: int
    ) -> Sequence[sa.RowMapping]:
        order = _order(table)
        rows = sa.select(table).where(of_person(table)).order_by(*order).limit(size)
        if last:
            after = sa.tuple_(*(sa.bindparam(f"after_{c.name}", type_=c.type) for c in order))
            rows = rows.where(after < sa.tuple_(*order))
        return db.execute(rows, scope_parameters(scope, **last)).mappings().all()

    @writes(alone="user")
    def forget(self, db: sa.Connection, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Delete all rows in one transaction; a number tells other processes that this person is gone."""
        check_person(scope, ())
        now, removed = self._clock.now(), dict[str, int]()
        for keys in row_chunks(_keys(db, scope, texts)):
            for name, statement in _DELETE_BY_TEXT.items():
                gone = db.execute(statement, scope_parameters(scope, keys=keys)).rowcount
                removed[name] = removed.get(name, 0) + gone
        changed = db.scalars(_HOMES_OF_WORDS, scope_parameters(scope)).all()
        for name, statement in _DELETE_PERSONS.items():
            removed[name] = db.execute(statement, scope_parameters(scope)).rowcount
        removed["jobs"] = forget_jobs(db, scope)
        for home in changed:
            raise_version(db, scope.at(home), now)
        _announce(db, scope, now)
        return {name: count for name, count in removed.items() if count}

    async def purge(self, scope: Scope, kinds: Collection[str]) -> Purge:  # noqa: ARG002 - that of the port
        """Write the file anew, or the tables of these kinds."""
        if self._db.read_only:
            raise read_only_error(self._db.place)
        return await run_aside(lambda: purge_deleted(self._db, kinds))

    @remembers
    def removals(self, db: sa.Connection, scope: Scope, after: int) -> Sequence[tuple[int, str]]:
        """Numbers and hashes, in their order."""
        return [
            (number, person) for number, person in db.execute(_REMOVALS, scope_parameters(scope, after=after))
        ]


def _announce(db: sa.Connection, scope: Scope, now: float) -> None:
    """Take the next number of the tenant; whoever takes the same one at a time waits, and takes another."""
    row = {**scope_columns(removals, scope), "person": person_key(scope.tenant, scope.user), "at": now}
    taken = 0
    while not taken:
        last = db.scalar(_LAST_REMOVAL, scope_parameters(scope)) or 0
        taken = db.execute(insert_missing(db, removals), {**row, "number": last + 1}).rowcount


def _keys(db: sa.Connection, scope: Scope, texts: Collection[str]) -> set[str]:
    """What the vectors of the person's texts are kept under; none where nothing is kept of any text."""
    if not any(db.execute(statement, scope_parameters(scope)).first() for statement in _ANY_BY_TEXT):
        return set()
    said = db.scalars(_MESSAGE_TEXTS, scope_parameters(scope), execution_options={"yield_per": 1000})
    return {*texts, *map(text_key, said)}


def _order(table: sa.Table) -> list[sa.Column[Any]]:
    """The columns that tell a row of a person from the others; messages in the order of their index."""
    if table is messages:
        return [messages.c.at, messages.c.position]
    return [column for column in table.primary_key.columns if column.name not in ("tenant", "user")]


def _export_row(table: sa.Table, row: sa.RowMapping) -> Row:
    """The row as JSON values, without whose it is; what is no text and no number is left out."""
    values = {name: row[name] for name in _COLUMNS[table.name]}
    if isinstance(at := values.get("at"), datetime):
        values["at"] = None if at == UNKNOWN_TIME else at.isoformat()
    return {**values, "body": json.loads(values["body"])} if table is audit else values
