"""Messages of persons in the store, and a row for each history that tells cheaply whether it changed."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from winnow.stores.chunks import chunks
from winnow.stores.database import Database
from winnow.stores.given import UNKNOWN, check, kept
from winnow.stores.schema import (
    histories,
    key,
    messages,
    of_person,
    of_tenant,
    questions,
    turns,
    whose,
    within,
)
from winnow.types.message import Message, Stamp
from winnow.types.scope import Scope

_COLUMNS = [messages.c[name] for name in ("id", "role", "content", "at", "conversation")]
_TIME = sa.tuple_(messages.c.at, messages.c.position)
_PAGE = (
    sa.select(*_COLUMNS, messages.c.position)
    .where(within(messages))
    .where(
        sa.tuple_(sa.bindparam("at", type_=sa.DateTime), sa.bindparam("position", type_=sa.Integer)) < _TIME
    )
    .order_by(messages.c.at, messages.c.position)
    .limit(sa.bindparam("size"))
)
_THESE = within(messages) & messages.c.id.in_(sa.bindparam("ids", expanding=True))
_KNOWN = sa.select(*_COLUMNS).where(_THESE)
_CHANGE = (
    sa.update(messages)
    .where(within(messages), messages.c.id == sa.bindparam("changed"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("role", "content", "at", "conversation")})
)
_FORGET, _FORGET_ALL = sa.delete(messages).where(_THESE), sa.delete(messages).where(within(messages))


def _unsaid(which: sa.ColumnElement[bool]) -> tuple[sa.Delete, sa.Delete]:
    """Forget the talks of the user in which any of these messages was said, with their open questions.

    What was answered to it may repeat it, and so may a question asked since.
    """
    theirs = of_tenant(turns) & of_person(turns)
    said = sa.select(messages.c.content).where(which)
    talks = sa.select(turns.c.home_id, turns.c.session).where(theirs, turns.c.content.in_(said))
    questions_, turns_ = (
        sa.delete(table).where(
            of_tenant(table), of_person(table), sa.tuple_(table.c.home_id, table.c.session).in_(talks)
        )
        for table in (questions, turns)
    )
    return questions_, turns_


_UNSAY, _UNSAY_ALL = _unsaid(_THESE), _unsaid(within(messages))
_HEAD = sa.select(histories.c.count, histories.c.last, histories.c.mark).where(within(histories))
_BEHEAD = sa.delete(histories).where(within(histories))
_USERS = sa.select(histories.c.user, histories.c.count).where(of_tenant(histories))


@dataclass(frozen=True, slots=True)
class _Head:
    """The row of a history: its length, the last position given away, a mark that no two writes share."""

    count: int = 0
    last: int = 0
    mark: str = ""


class MessageTable:
    """The ``MessageStore`` of a store."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def stamp(self, scope: Scope) -> Stamp:
        """One row, however long the history is. A mark is never given twice."""
        head = await self._db.asking(_head, scope)
        return Stamp(head.count, head.mark)

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        """Oldest first, then as they came in; those whose time nobody knows come before all others.

        Each page is one moment of the store, and nothing is held between two.
        """
        at, position, full = UNKNOWN, -1, True
        while full:
            rows = await self._db.asking(_page, scope, at, position, size)
            full = len(rows) == size
            if rows:
                at, position = rows[-1].at, rows[-1].position
                yield [_message(row) for row in rows]

    async def add(self, scope: Scope, messages: Sequence[Message]) -> int:
        """Keep these for the scope's user, in the place of those of the same ids; how many are new.

        What is there as it is given changes nothing, not even the stamp. Raises StoreError.
        """
        given = {message.id: kept(message) for message in messages}
        if not given:
            return 0
        check(scope, given)
        return await self._db.writing(_add, scope, given, alone="user")

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these messages of the user, or all of them, and the talks they were said in; how many."""
        these = None if ids is None else list(dict.fromkeys(ids))
        return await self._db.writing(_forget, scope, these, alone="user")

    async def users(self, scope: Scope) -> Mapping[str, int]:
        """User -> number of messages, of the whole tenant, by name."""
        return await self._db.asking(_users, scope)


def _head(db: sa.Connection, scope: Scope) -> _Head:
    row = db.execute(_HEAD, whose(scope)).first()
    return _Head(*row) if row else _Head()


def _users(db: sa.Connection, scope: Scope) -> dict[str, int]:
    return dict(sorted((user, count) for user, count in db.execute(_USERS, whose(scope))))


def _page(db: sa.Connection, scope: Scope, at: datetime, position: int, size: int) -> Sequence[Any]:
    return db.execute(_PAGE, whose(scope, at=at, position=position, size=size)).all()


def _message(row: sa.Row[Any]) -> Message:
    at = None if row.at == UNKNOWN else row.at
    return Message(row.id, row.role, row.content, at, row.conversation)


def _add(db: sa.Connection, scope: Scope, given: Mapping[str, Message]) -> int:
    before = after = _head(db, scope)
    changed = 0
    for ids in chunks(given):
        known = {row.id: _message(row) for row in db.execute(_KNOWN, whose(scope, ids=ids))}
        fresh, other = _news([given[i] for i in ids], known)
        _insert(db, scope, fresh, after.last)
        _change(db, scope, other)
        after = _Head(after.count + len(fresh), after.last + len(fresh))
        changed += len(fresh) + len(other)
    if changed:
        _write_head(db, scope, after)
    return after.count - before.count


def _news(given: Sequence[Message], known: Mapping[str, Message]) -> tuple[list[Message], list[Message]]:
    """Those that were not there, and those that were otherwise."""
    fresh = [message for message in given if message.id not in known]
    return fresh, [message for message in given if known.get(message.id, message) != message]


def _insert(db: sa.Connection, scope: Scope, fresh: Sequence[Message], last: int) -> None:
    belongs = key(messages, scope)
    rows = [
        {**belongs, "id": m.id, "position": position, **_columns(m)}
        for position, m in enumerate(fresh, last + 1)
    ]
    if rows:
        db.execute(sa.insert(messages), rows)


def _change(db: sa.Connection, scope: Scope, other: Sequence[Message]) -> None:
    """Write others in the place of those that were there; they keep their position."""
    rows = [
        whose(scope, changed=m.id, **{f"new_{name}": value for name, value in _columns(m).items()})
        for m in other
    ]
    if rows:
        db.execute(_CHANGE, rows)


def _columns(message: Message) -> dict[str, object]:
    return {
        "at": message.at or UNKNOWN,
        "role": message.role,
        "content": message.content,
        "conversation": message.conversation,
    }


def _forget(db: sa.Connection, scope: Scope, ids: Sequence[str] | None) -> int:
    before = _head(db, scope)
    if ids is None:
        gone = _deleted(db, (*_UNSAY_ALL, _FORGET_ALL), whose(scope))
    else:
        gone = sum(_deleted(db, (*_UNSAY, _FORGET), whose(scope, ids=part)) for part in chunks(ids))
    if gone:
        _write_head(db, scope, _Head(before.count - gone, before.last))
    return gone


def _deleted(db: sa.Connection, statements: Sequence[sa.Delete], given: Mapping[str, object]) -> int:
    """How many rows the last of the statements deleted."""
    counts = [db.execute(statement, given).rowcount for statement in statements]
    return counts[-1]


def _write_head(db: sa.Connection, scope: Scope, head: _Head) -> None:
    """Say with a new mark what the history looks like now; of one without messages nothing is left."""
    db.execute(_BEHEAD, whose(scope))
    if head.count:
        row = {"count": head.count, "last": head.last, "mark": secrets.token_hex(8)}
        db.execute(sa.insert(histories), {**key(histories, scope), **row})
