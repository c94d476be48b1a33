"""Learned words in the store, and the lessons they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields

import sqlalchemy as sa

from winnow.ports import Clock
from winnow.stores.database import Database
from winnow.stores.homes import raise_version
from winnow.stores.schema import key, lessons, lexicon_entries, of_home, whose
from winnow.types.lesson import Lesson, LexiconEntry, accepted
from winnow.types.scope import Scope

KEPT = 5000
"""Lessons kept of one home."""
_WORDS = (
    sa.select(*(lexicon_entries.c[f.name] for f in fields(LexiconEntry)))
    .where(of_home(lexicon_entries))
    .order_by(lexicon_entries.c.number)
)
_FORGET = sa.delete(lexicon_entries).where(of_home(lexicon_entries))
_LESSONS = (
    sa.select(*(lessons.c[f.name] for f in fields(Lesson)))
    .where(of_home(lessons))
    .order_by(lessons.c.position)
)
_LAST = sa.select(sa.func.max(lessons.c.position)).where(of_home(lessons))
_FORGET_UP_TO = sa.delete(lessons).where(of_home(lessons), lessons.c.position <= sa.bindparam("position"))


class LexiconTable:
    """The ``Lexicon`` of a store."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def entries(self, scope: Scope) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status."""
        return await self._db.reading(_entries, scope)

    async def save_entries(self, scope: Scope, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed."""
        await self._db.writing(_save, scope, entries, self._clock.now())

    async def log(self, scope: Scope, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000."""
        await self._db.writing(_log, scope, lessons)

    async def lessons(self, scope: Scope) -> tuple[Lesson, ...]:
        """What was kept, oldest first."""
        return await self._db.reading(_lessons, scope)


def _entries(db: sa.Connection, scope: Scope) -> tuple[LexiconEntry, ...]:
    return tuple(LexiconEntry(**row) for row in db.execute(_WORDS, whose(scope)).mappings())


def _save(db: sa.Connection, scope: Scope, entries: Sequence[LexiconEntry], now: float) -> None:
    changed = accepted(_entries(db, scope)) != accepted(entries)
    db.execute(_FORGET, whose(scope))
    if entries:
        belongs = key(lexicon_entries, scope)
        db.execute(sa.insert(lexicon_entries), [{**belongs, **asdict(e)} for e in entries])
    if changed:
        raise_version(db, scope, now)


def _log(db: sa.Connection, scope: Scope, learned: Sequence[Lesson]) -> None:
    last, belongs = db.scalar(_LAST, whose(scope)) or 0, key(lessons, scope)
    rows = [{**belongs, "position": n, **asdict(lesson)} for n, lesson in enumerate(learned, last + 1)]
    if rows:
        db.execute(sa.insert(lessons), rows)
    db.execute(_FORGET_UP_TO, whose(scope, position=last + len(rows) - KEPT))


def _lessons(db: sa.Connection, scope: Scope) -> tuple[Lesson, ...]:
    return tuple(Lesson(**row) for row in db.execute(_LESSONS, whose(scope)).mappings())
