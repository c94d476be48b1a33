"""Messages and facts of persons in the store.

A row for each history tells cheaply whether it changed.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.database import (
    UNKNOWN_TIME,
    StoreTable,
    asks,
    check_person,
    stored_fact,
    stored_message,
    writes,
)
from winnow.adapters.stores.schema import (
    facts,
    histories,
    in_scope,
    messages,
    of_person,
    of_tenant,
    questions,
    row_chunks,
    scope_columns,
    scope_parameters,
    turns,
)
from winnow.types.fact import Fact
from winnow.types.message import HistoryVersion, Message
from winnow.types.scope import Scope

# Facts of persons in the store.

CONSTANT_FIELDS = ("id", "text", "subject", "attribute", "value", "at", "credibility", "source")
"""What is said once and never changes."""
STATUS_FIELDS = ("status", "replaced_by", "reason")
"""What later statements change."""
_ALL = (
    sa.select(*(facts.c[name] for name in CONSTANT_FIELDS + STATUS_FIELDS))
    .where(in_scope(facts))
    .order_by(facts.c.position)
)
_THESE_FACTS = in_scope(facts) & facts.c.id.in_(sa.bindparam("ids", expanding=True))
_KNOWN_FACTS = sa.select(facts.c.id).where(_THESE_FACTS)
_LAST_FACT = sa.select(sa.func.max(facts.c.position)).where(in_scope(facts))
_CHANGE_FACT = (
    sa.update(facts)
    .where(in_scope(facts), facts.c.id == sa.bindparam("changed"))
    .values({name: sa.bindparam(f"new_{name}") for name in STATUS_FIELDS})
)
_FORGET_FACTS, _FORGET_ALL_FACTS = (
    sa.delete(facts).where(_THESE_FACTS),
    sa.delete(facts).where(in_scope(facts)),
)


class FactTable(StoreTable):
    """The ``Facts`` of a store."""

    @asks
    def facts(self, db: sa.Connection, scope: Scope) -> Sequence[Fact]:
        """All facts of the scope's user, in the order they came."""
        return tuple(Fact(*row) for row in db.execute(_ALL, scope_parameters(scope)))

    async def keep(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Add these; of a known id only status, ``replaced_by`` and ``reason`` change. Raises StoreError."""
        if facts:
            check_person(scope, (fact.id for fact in facts))
            await self._keep(scope, {fact.id: stored_fact(fact) for fact in facts})

    @writes(alone="user")
    def _keep(self, db: sa.Connection, scope: Scope, given: dict[str, Fact]) -> None:
        known = {
            id_
            for part in row_chunks(given)
            for id_ in db.scalars(_KNOWN_FACTS, scope_parameters(scope, ids=part))
        }
        last, belongs = db.scalar(_LAST_FACT, scope_parameters(scope)) or 0, scope_columns(facts, scope)
        fresh = [
            {**belongs, "position": n, **_values(fact, CONSTANT_FIELDS + STATUS_FIELDS)}
            for n, fact in enumerate((fact for fact in given.values() if fact.id not in known), last + 1)
        ]
        if fresh:
            db.execute(sa.insert(facts), fresh)
        changes = [
            scope_parameters(scope, changed=id_, **_values(given[id_], STATUS_FIELDS, "new_"))
            for id_ in known
        ]
        if changes:
            db.execute(_CHANGE_FACT, changes)

    @writes(alone="user")
    def forget(self, db: sa.Connection, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the user, or all; how many there were."""
        if ids is None:
            return db.execute(_FORGET_ALL_FACTS, scope_parameters(scope)).rowcount
        parts = row_chunks(dict.fromkeys(ids))
        return sum(db.execute(_FORGET_FACTS, scope_parameters(scope, ids=part)).rowcount for part in parts)


def _values(fact: Fact, names: Sequence[str], prefix: str = "") -> dict[str, object]:
    return {prefix + name: getattr(fact, name) for name in names}


_COLUMNS = [messages.c[name] for name in ("id", "role", "content", "at", "conversation")]
_TIME = sa.tuple_(messages.c.at, messages.c.position)
_PAGE = (
    sa.select(*_COLUMNS, messages.c.position)
    .where(in_scope(messages))
    .where(
        sa.tuple_(sa.bindparam("at", type_=sa.DateTime), sa.bindparam("position", type_=sa.Integer)) < _TIME
    )
    .order_by(messages.c.at, messages.c.position)
    .limit(sa.bindparam("size"))
)
_THESE_MESSAGES = in_scope(messages) & messages.c.id.in_(sa.bindparam("ids", expanding=True))
_KNOWN_MESSAGES = sa.select(*_COLUMNS).where(_THESE_MESSAGES)
_CHANGE_MESSAGE = (
    sa.update(messages)
    .where(in_scope(messages), messages.c.id == sa.bindparam("changed"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("role", "content", "at", "conversation")})
)
_FORGET_MESSAGES, _FORGET_ALL_MESSAGES = (
    sa.delete(messages).where(_THESE_MESSAGES),
    sa.delete(messages).where(in_scope(messages)),
)


_THEIR_TURNS = of_tenant(turns) & of_person(turns)


def _talks(which: sa.ColumnElement[bool]) -> tuple[sa.Delete, sa.Delete]:
    """Forget the talks of the user in which any of these messages was said, with their open questions.

    What was answered to it may repeat it, and so may a question asked since.
    """
    contents = sa.select(messages.c.content).where(which)
    talks = sa.select(turns.c.home_id, turns.c.session).where(_THEIR_TURNS, turns.c.content.in_(contents))
    of_questions, of_turns = (
        sa.delete(table).where(
            of_tenant(table), of_person(table), sa.tuple_(table.c.home_id, table.c.session).in_(talks)
        )
        for table in (questions, turns)
    )
    return of_questions, of_turns


_FORGET_TALKS, _FORGET_ALL_TALKS = _talks(_THESE_MESSAGES), _talks(in_scope(messages))
_HEAD = sa.select(histories.c.count, histories.c.last, histories.c.mark).where(in_scope(histories))
_DELETE_HEAD = sa.delete(histories).where(in_scope(histories))
_USERS = sa.select(histories.c.user, histories.c.count).where(of_tenant(histories))


@dataclass(frozen=True, slots=True)
class _HistoryHead:
    """The row of a history: its length, the last position given away, a mark that no two writes share."""

    count: int = 0
    last: int = 0
    mark: str = ""


class MessageTable(StoreTable):
    """The ``MessageStore`` of a store."""

    @asks
    def stamp(self, db: sa.Connection, scope: Scope) -> HistoryVersion:
        """One row, however long the history is. A mark is never given twice."""
        head = _history_head(db, scope)
        return HistoryVersion(head.count, head.mark)

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        """Oldest first, then as they came in; those whose time nobody knows come before all others.

        Each page is one moment of the store, and nothing is held between two.
        """
        at, position, full = UNKNOWN_TIME, -1, True
        while full:
            rows = await self._page(scope, at, position, size)
            full = len(rows) == size
            if rows:
                at, position = rows[-1].at, rows[-1].position
                yield [_message(row) for row in rows]

    @asks
    def _page(self, db: sa.Connection, scope: Scope, at: datetime, position: int, size: int) -> Sequence[Any]:
        return db.execute(_PAGE, scope_parameters(scope, at=at, position=position, size=size)).all()

    async def add(self, scope: Scope, messages: Sequence[Message]) -> int:
        """Keep these for the scope's user, in the place of those of the same ids; how many are new.

        What is there as it is given changes nothing, not even the stamp. Raises StoreError.
        """
        given = {message.id: stored_message(message) for message in messages}
        if not given:
            return 0
        check_person(scope, given)
        return await self._add(scope, given)

    @writes(alone="user")
    def _add(self, db: sa.Connection, scope: Scope, given: Mapping[str, Message]) -> int:
        before = _history_head(db, scope)
        count, last, changed = before.count, before.last, 0
        for ids in row_chunks(given):
            known = {
                row.id: _message(row) for row in db.execute(_KNOWN_MESSAGES, scope_parameters(scope, ids=ids))
            }
            fresh = [given[i] for i in ids if i not in known]
            other = [given[i] for i in ids if i in known and known[i] != given[i]]
            _write(db, scope, fresh, other, last)
            count, last = count + len(fresh), last + len(fresh)
            changed += len(fresh) + len(other)
        if changed:
            _write_head(db, scope, _HistoryHead(count, last))
        return count - before.count

    @writes(alone="user")
    def forget(self, db: sa.Connection, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these messages of the user, or all of them, and the talks they were said in; how many."""
        before, gone = _history_head(db, scope), 0
        if ids is None:
            statements, parts = (*_FORGET_ALL_TALKS, _FORGET_ALL_MESSAGES), [scope_parameters(scope)]
        else:
            statements = (*_FORGET_TALKS, _FORGET_MESSAGES)
            parts = [scope_parameters(scope, ids=part) for part in row_chunks(dict.fromkeys(ids))]
        for part in parts:
            *_, deleted = [db.execute(statement, part).rowcount for statement in statements]
            gone += deleted
        if gone:
            _write_head(db, scope, _HistoryHead(before.count - gone, before.last))
        return gone

    @asks
    def users(self, db: sa.Connection, scope: Scope) -> Mapping[str, int]:
        """User -> number of messages, of the whole tenant, by name."""
        return dict(sorted((user, count) for user, count in db.execute(_USERS, scope_parameters(scope))))


def _history_head(db: sa.Connection, scope: Scope) -> _HistoryHead:
    row = db.execute(_HEAD, scope_parameters(scope)).first()
    return _HistoryHead(*row) if row else _HistoryHead()


def _message(row: sa.Row[Any]) -> Message:
    at = None if row.at == UNKNOWN_TIME else row.at
    return Message(row.id, row.role, row.content, at, row.conversation)


def _write(
    db: sa.Connection, scope: Scope, fresh: Sequence[Message], other: Sequence[Message], last: int
) -> None:
    """New messages come after the ``last`` position; others keep that of those in whose place they come."""
    belongs = scope_columns(messages, scope)
    rows = [{**belongs, "id": m.id, "position": n, **_columns(m)} for n, m in enumerate(fresh, last + 1)]
    if rows:
        db.execute(sa.insert(messages), rows)
    changes = [
        scope_parameters(scope, changed=m.id, **{f"new_{name}": value for name, value in _columns(m).items()})
        for m in other
    ]
    if changes:
        db.execute(_CHANGE_MESSAGE, changes)


def _columns(message: Message) -> dict[str, object]:
    return {
        "at": message.at or UNKNOWN_TIME,
        "role": message.role,
        "content": message.content,
        "conversation": message.conversation,
    }


def _write_head(db: sa.Connection, scope: Scope, head: _HistoryHead) -> None:
    """Say with a new mark what the history looks like now; of one without messages nothing is left."""
    db.execute(_DELETE_HEAD, scope_parameters(scope))
    if head.count:
        row = {"count": head.count, "last": head.last, "mark": secrets.token_hex(8)}
        db.execute(sa.insert(histories), {**scope_columns(histories, scope), **row})
