"""Sessions in the store: the last turns of each, and its open question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from winnow.stores.database import Database
from winnow.stores.schema import questions, turns
from winnow.types.dialogue import Turn, Utterance
from winnow.types.session import Question, Session

KEPT = 20
"""Turns kept of one session."""


class SessionTable:
    """The ``Sessions`` of a store."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def session(self, home_id: str, session: str) -> Session:
        """Its turns, oldest first, and its open question."""
        with self._db.read() as db:
            said = (
                db.execute(sa.select(turns).where(*_of(turns, home_id, session)).order_by(turns.c.position))
                .mappings()
                .all()
            )
            asked = (
                db.execute(sa.select(questions).where(*_of(questions, home_id, session))).mappings().first()
            )
        return Session(
            tuple(Turn(r["role"], r["content"], tuple(r["device_ids"])) for r in said),
            _question(asked) if asked else None,
        )

    def note(
        self, home_id: str, session: str, said: Sequence[Turn], question: Question | None = None
    ) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open."""
        with self._db.write() as db:
            last = (
                db.scalar(sa.select(sa.func.max(turns.c.position)).where(*_of(turns, home_id, session))) or 0
            )
            rows = [_row(t, position) for position, t in enumerate(said, last + 1)]
            if rows:
                db.execute(sa.insert(turns).values(home_id=home_id, session=session), rows)
            db.execute(
                sa.delete(turns).where(
                    *_of(turns, home_id, session), turns.c.position <= last + len(rows) - KEPT
                )
            )
            db.execute(sa.delete(questions).where(*_of(questions, home_id, session)))
            if question is not None:
                db.execute(
                    sa.insert(questions).values(home_id=home_id, session=session, **_columns(question))
                )

    def take(self, question_id: str) -> Question | None:
        """The open question of that id; whoever deletes its row first has it."""
        with self._db.write() as db:
            row = db.execute(sa.select(questions).where(questions.c.id == question_id)).mappings().first()
            db.execute(sa.delete(questions).where(questions.c.id == question_id))
        return _question(row) if row else None


def _of(table: sa.Table, home_id: str, session: str) -> tuple[sa.ColumnElement[bool], ...]:
    return table.c.home_id == home_id, table.c.session == session


def _row(turn: Turn, position: int) -> dict[str, object]:
    return {
        "position": position,
        "role": turn.role,
        "content": turn.content,
        "device_ids": list(turn.device_ids),
    }


def _columns(question: Question) -> dict[str, object]:
    said = question.utterance
    plain = {
        name: getattr(said, name) for name in ("text", "language", "home", "room", "user", "session", "time")
    }
    history = [[t.role, t.content, list(t.device_ids)] for t in said.history]
    return {
        "id": question.id,
        "version": question.version,
        "utterance": {**plain, "history": history},
        "asked_at": question.asked_at,
        "mark": question.mark,
    }


def _question(row: Mapping[Any, Any]) -> Question:
    said = dict(row["utterance"])
    history = tuple(Turn(role, content, tuple(ids)) for role, content, ids in said.pop("history"))
    utterance = Utterance(**said, history=history)
    return Question(row["id"], row["home_id"], row["version"], utterance, row["asked_at"], row["mark"])
