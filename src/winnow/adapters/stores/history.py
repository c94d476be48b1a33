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
    reads,
    stored_fact,
    stored_message,
    writes,
)
from winnow.adapters.stores.schema import (
    facts,
    given_text,
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
from winnow.types.message import HistoryChanges, HistoryVersion, Message
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
    # Texts as they are stored: of many rows it is quicker to read them here than column by column.
    sa.select(*(sa.type_coerce(c, sa.String) if c.name != "at" else c for c in _COLUMNS), messages.c.position)
    .where(in_scope(messages))
    .where(
        sa.tuple_(sa.bindparam("at", type_=sa.DateTime), sa.bindparam("position", type_=sa.Integer)) < _TIME
    )
    .order_by(messages.c.at, messages.c.position)
    .limit(sa.bindparam("size"))
)
_ADDED = (
    sa.select(*_COLUMNS)
    .where(in_scope(messages), messages.c.position > sa.bindparam("last"))
    .order_by(messages.c.at, messages.c.position)
)
_THESE_MESSAGES = in_scope(messages) & messages.c.id.in_(sa.bindparam("ids", expanding=True))
_KNOWN_MESSAGES = sa.select(*_COLUMNS).where(_THESE_MESSAGES)
_CHANGED = _KNOWN_MESSAGES.where(messages.c.position <= sa.bindparam("last"))
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
_HEAD = sa.select(histories.c.count, histories.c.last, histories.c.mark, histories.c.changes).where(
    in_scope(histories)
)
MAX_LOGGED_CHANGES = 200
"""Ids of changed and deleted messages that are kept; whoever is further behind reads all messages again."""
_DELETE_HEAD = sa.delete(histories).where(in_scope(histories))
_USERS = sa.select(histories.c.user, histories.c.count).where(of_tenant(histories))


@dataclass(frozen=True, slots=True)
class _HistoryHead:
    """The row of a history: its length, the last position given away, a mark that no two writes share.

    ``mark`` begins with the life of the history, which ends with its last message, and with the number of its
    last change that was no addition.
    """

    count: int = 0
    last: int = 0
    mark: str = ""
    changes: Sequence[tuple[int, Sequence[str]]] | None = ()
    """Number of a change -> the ids that were changed or deleted, the oldest first."""

    @property
    def version(self) -> HistoryVersion:
        """As it is told."""
        return HistoryVersion(self.count, f"{self.mark}.{self.last}" if self.mark else "")

    @property
    def life(self) -> tuple[str, int]:
        """Which life of the history it is, and how many changes there were in it; a new one of none."""
        life, _, rest = self.mark.partition(".")
        number = rest.partition(".")[0]
        return (life, int(number)) if number.isdecimal() else (secrets.token_hex(4), 0)

    def next(self, count: int, last: int, changed: Sequence[str]) -> _HistoryHead:
        """The row after a write that changed or deleted these."""
        life, number = self.life
        log = list(self.changes or ())
        if changed:
            number += 1
            log.append((number, list(changed)))
        while log and sum(len(ids) for _, ids in log) > MAX_LOGGED_CHANGES:
            del log[0]
        return _HistoryHead(count, last, f"{life}.{number}.{secrets.token_hex(8)}", log)

    def changed_since(self, before: _HistoryHead) -> frozenset[str] | None:
        """The ids that were changed or deleted since; None: nobody knows any longer."""
        (life, number), (old_life, old_number) = self.life, before.life
        log = [entry for entry in self.changes or () if entry[0] > old_number]
        if life != old_life or len(log) != number - old_number:
            return None
        return frozenset(id_ for _, ids in log for id_ in ids)


def _head_of(version: HistoryVersion) -> _HistoryHead:
    """What was told of a head."""
    mark, _, last = version.mark.rpartition(".")
    return _HistoryHead(version.count, int(last) if last.isdecimal() else 0, mark)


class MessageTable(StoreTable):
    """The ``MessageStore`` of a store."""

    @asks
    def stamp(self, db: sa.Connection, scope: Scope) -> HistoryVersion:
        """One row, however long the history is. A mark is never given twice."""
        return _history_head(db, scope).version

    @reads
    def changes(self, db: sa.Connection, scope: Scope, since: HistoryVersion) -> HistoryChanges | None:
        """What happened since, read by ids and positions; None where too much did."""
        head, before = _history_head(db, scope), _head_of(since)
        if (changed := head.changed_since(before)) is None:
            return None
        found = list(db.execute(_ADDED, scope_parameters(scope, last=before.last)))
        edited = [
            row
            for ids in row_chunks(sorted(changed))
            for row in db.execute(_CHANGED, scope_parameters(scope, ids=ids, last=before.last))
        ]
        new = [_message(row) for row in sorted([*edited, *found], key=lambda row: row.at)]
        return HistoryChanges(head.version, changed, tuple(new))

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
                yield _page_messages(rows)

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
        count, last, changed = before.count, before.last, list[str]()
        for ids in row_chunks(given):
            known = {
                row.id: _message(row) for row in db.execute(_KNOWN_MESSAGES, scope_parameters(scope, ids=ids))
            }
            fresh = [given[i] for i in ids if i not in known]
            other = [given[i] for i in ids if i in known and known[i] != given[i]]
            _write(db, scope, fresh, other, last)
            count, last = count + len(fresh), last + len(fresh)
            changed += [message.id for message in other]
        if changed or last != before.last:
            _write_head(db, scope, before.next(count, last, changed))
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
            _write_head(db, scope, before.next(before.count - gone, before.last, sorted(ids or ())))
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


def _page_messages(rows: Sequence[Any]) -> list[Message]:
    """The messages of a page. Roles and conversations come again and again, and are one object each."""
    names: dict[str, str] = {}
    found: list[Message] = []
    for id_, role, content, at, conversation, _ in rows:
        for name in (role, conversation):
            if name not in names:
                names[name] = given_text(name)
        when = None if at == UNKNOWN_TIME else at
        message = Message(given_text(id_), names[role], given_text(content), when, names[conversation])
        found.append(message)
    return found


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
        row = {"count": head.count, "last": head.last, "mark": head.mark, "changes": head.changes}
        db.execute(sa.insert(histories), {**scope_columns(histories, scope), **row})
