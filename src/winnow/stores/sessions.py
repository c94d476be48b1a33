"""Sessions in the store: the last turns of each, and its open question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from winnow.stores.database import StoreTable, asks, reads, writes
from winnow.stores.schema import key, of_person, of_tenant, questions, whose, within
from winnow.stores.schema import turns as turn_rows
from winnow.types.dialogue import Turn, Utterance
from winnow.types.scope import Scope
from winnow.types.session import Question, Session

KEPT = 20
"""Turns kept of one session."""
_SAID = ("text", "language", "home", "room", "user", "session", "time")
"""What is kept of the utterance; its tenant is that of the row."""
_TURNS = sa.select(turn_rows).where(within(turn_rows)).order_by(turn_rows.c.position)
_LAST = sa.select(sa.func.max(turn_rows.c.position)).where(within(turn_rows))
_FORGET_UP_TO = sa.delete(turn_rows).where(
    within(turn_rows), turn_rows.c.position <= sa.bindparam("position")
)
_ASKED, _CLOSE = sa.select(questions).where(within(questions)), sa.delete(questions).where(within(questions))
_ID = of_tenant(questions) & (questions.c.id == sa.bindparam("question"))
_MINE = _ID & of_person(questions)
_OF_ID = sa.select(questions).where(_ID)
_MY_OF_ID, _CLOSE_ID = sa.select(questions).where(_MINE), sa.delete(questions).where(_MINE)


class SessionTable(StoreTable):
    """The ``Sessions`` of a store."""

    @reads
    def session(self, db: sa.Connection, scope: Scope) -> Session:
        """Its turns, oldest first, and its open question."""
        rows = db.execute(_TURNS, whose(scope)).mappings()
        last_turns = tuple(Turn(r["role"], r["content"], tuple(r["device_ids"])) for r in rows)
        asked = db.execute(_ASKED, whose(scope)).mappings().first()
        return Session(last_turns, _question(asked) if asked else None)

    @writes()
    def note(
        self, db: sa.Connection, scope: Scope, turns: Sequence[Turn], question: Question | None = None
    ) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open."""
        last, belongs = db.scalar(_LAST, whose(scope)) or 0, key(turn_rows, scope)
        rows = [
            {
                **belongs,
                "position": position,
                "role": turn.role,
                "content": turn.content,
                "device_ids": list(turn.device_ids),
            }
            for position, turn in enumerate(turns, last + 1)
        ]
        if rows:
            db.execute(sa.insert(turn_rows), rows)
        db.execute(_FORGET_UP_TO, whose(scope, position=last + len(rows) - KEPT))
        db.execute(_CLOSE, whose(scope))
        if question is not None:
            db.execute(sa.insert(questions), {**key(questions, scope), **columns_of(question)})

    @writes()
    def take(self, db: sa.Connection, scope: Scope, question_id: str) -> Question | None:
        """The user's open question of that id; whoever deletes its row first has it."""
        row = db.execute(_MY_OF_ID, whose(scope, question=question_id)).mappings().first()
        db.execute(_CLOSE_ID, whose(scope, question=question_id))
        return _question(row) if row else None

    @asks
    def question(self, db: sa.Connection, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked."""
        row = db.execute(_OF_ID, whose(scope, question=question_id)).mappings().first()
        return _question(row) if row else None


def columns_of(question: Question) -> dict[str, object]:
    """The row of a question, without whose it is."""
    said = question.utterance
    history = [[t.role, t.content, list(t.device_ids)] for t in said.history]
    return {
        "id": question.id,
        "version": question.version,
        "utterance": {**{name: getattr(said, name) for name in _SAID}, "history": history},
        "asked_at": question.asked_at,
        "mark": question.mark,
    }


def _question(row: Mapping[Any, Any]) -> Question:
    said = dict(row["utterance"])
    history = tuple(Turn(role, content, tuple(ids)) for role, content, ids in said.pop("history"))
    utterance = Utterance(**said, history=history, tenant=row["tenant"])
    return Question(row["id"], row["home_id"], row["version"], utterance, row["asked_at"], row["mark"])
