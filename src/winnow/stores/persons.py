"""Every row of one person: counted, read for an export, deleted, and removed from the files."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from winnow.bridge import aside
from winnow.stores import queue_rows
from winnow.stores.chunks import chunks
from winnow.stores.database import StoreTable, asks, reads, writes
from winnow.stores.dialect import missing
from winnow.stores.faults import read_only
from winnow.stores.given import UNKNOWN, check
from winnow.stores.homes import raise_version
from winnow.stores.purge import purge
from winnow.stores.schema import (
    BY_TEXT,
    PERSONAL,
    audit,
    homes,
    key,
    lexicon_entries,
    messages,
    of_person,
    of_tenant,
    removals,
    whose,
)
from winnow.types.person import MADE, Elsewhere, Purge, Row, person_key
from winnow.types.scope import Scope
from winnow.types.space import key_of

EXPORTED = tuple(table for table in PERSONAL if table.name not in MADE)
"""What an export holds, table by table."""
INTERNAL = ("tenant", "user", "position")
"""Columns that an export leaves out: whose a row is, and its place among the others."""
_COLUMNS = {
    table.name: [
        column.name
        for column in table.c
        if column.name not in INTERNAL and not isinstance(column.type, sa.LargeBinary)
    ]
    for table in (*EXPORTED, audit)
}
_COUNT = {t.name: sa.select(sa.func.count()).select_from(t).where(of_person(t)) for t in (*PERSONAL, audit)}
_DELETE = {table.name: sa.delete(table).where(of_person(table)) for table in PERSONAL}
_SAID = sa.select(messages.c.content).where(of_person(messages))
_AMONG = {t.name: of_tenant(t) & t.c.key.in_(sa.bindparam("keys", expanding=True)) for t in BY_TEXT}
_COUNT_BY_TEXT = {t.name: sa.select(sa.func.count()).select_from(t).where(_AMONG[t.name]) for t in BY_TEXT}
_ANY_BY_TEXT = [sa.select(t.c.tenant).where(of_tenant(t)).limit(1) for t in BY_TEXT]
_DELETE_BY_TEXT = {t.name: sa.delete(t).where(_AMONG[t.name]) for t in BY_TEXT}
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
        check(scope, ())
        found = {name: db.scalar(statement, whose(scope)) or 0 for name, statement in _COUNT.items()}
        del found[audit.name]
        for keys in chunks(_keys(db, scope, texts)):
            for name, statement in _COUNT_BY_TEXT.items():
                found[name] = found.get(name, 0) + (db.scalar(statement, whose(scope, keys=keys)) or 0)
        found["jobs"] = queue_rows.count(db, scope)
        return {name: count for name, count in found.items() if count}

    @reads
    def elsewhere(self, db: sa.Connection, scope: Scope) -> Sequence[Elsewhere]:
        """Entries of the audit log, and jobs that a worker is busy with."""
        entries = db.scalar(_COUNT[audit.name], whose(scope)) or 0
        busy = queue_rows.count(db, scope, busy=True)
        places = (Elsewhere("audit", count=entries), Elsewhere("queue", count=busy))
        return [one for one in places if one.count]

    async def rows(self, scope: Scope, size: int = 500) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        """Table by table, each page a moment of its own."""
        check(scope, ())
        for table in (*EXPORTED, audit):
            last: Mapping[str, object] = {}
            while page := await self._page(scope, table, last, size):
                yield table.name, [_plain(table, row) for row in page]
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
        return db.execute(rows, whose(scope, **last)).mappings().all()

    @writes(alone="user")
    def forget(self, db: sa.Connection, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Delete all rows in one transaction; a number tells other processes that this person is gone."""
        check(scope, ())
        now, removed = self._clock.now(), dict[str, int]()
        for keys in chunks(_keys(db, scope, texts)):
            for name, statement in _DELETE_BY_TEXT.items():
                gone = db.execute(statement, whose(scope, keys=keys)).rowcount
                removed[name] = removed.get(name, 0) + gone
        changed = db.scalars(_HOMES_OF_WORDS, whose(scope)).all()
        for name, statement in _DELETE.items():
            removed[name] = db.execute(statement, whose(scope)).rowcount
        removed["jobs"] = queue_rows.forget(db, scope)
        for home in changed:
            raise_version(db, scope.at(home), now)
        _announce(db, scope, now)
        return {name: count for name, count in removed.items() if count}

    async def purge(self, scope: Scope, kinds: Collection[str]) -> Purge:  # noqa: ARG002 - that of the port
        """Write the file anew, or the tables of these kinds."""
        if self._db.read_only:
            raise read_only(self._db.place)
        return await aside(lambda: purge(self._db, kinds))

    @asks
    def removals(self, db: sa.Connection, scope: Scope, after: int) -> Sequence[tuple[int, str]]:
        """Numbers and hashes, in their order."""
        return [(number, person) for number, person in db.execute(_REMOVALS, whose(scope, after=after))]


def _announce(db: sa.Connection, scope: Scope, now: float) -> None:
    """Take the next number of the tenant; whoever takes the same one at a time waits, and takes another."""
    row = {**key(removals, scope), "person": person_key(scope.tenant, scope.user), "at": now}
    taken = 0
    while not taken:
        last = db.scalar(_LAST_REMOVAL, whose(scope)) or 0
        taken = db.execute(missing(db, removals), {**row, "number": last + 1}).rowcount


def _keys(db: sa.Connection, scope: Scope, texts: Collection[str]) -> set[str]:
    """What the vectors of the person's texts are kept under; none where nothing is kept of any text."""
    if not any(db.execute(statement, whose(scope)).first() for statement in _ANY_BY_TEXT):
        return set()
    said = db.scalars(_SAID, whose(scope), execution_options={"yield_per": 1000})
    return {*texts, *map(key_of, said)}


def _order(table: sa.Table) -> list[sa.Column[Any]]:
    """The columns that tell a row of a person from the others; messages in the order of their index."""
    if table is messages:
        return [messages.c.at, messages.c.position]
    return [column for column in table.primary_key.columns if column.name not in ("tenant", "user")]


def _plain(table: sa.Table, row: sa.RowMapping) -> Row:
    """The row as JSON values, without whose it is; what is no text and no number is left out."""
    values = {name: row[name] for name in _COLUMNS[table.name]}
    if isinstance(at := values.get("at"), datetime):
        values["at"] = None if at == UNKNOWN else at.isoformat()
    return {**values, "body": json.loads(values["body"])} if table is audit else values
