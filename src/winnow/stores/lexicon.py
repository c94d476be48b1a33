"""Learned words in the store, and the lessons they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields

import sqlalchemy as sa

from winnow.stores.database import StoreTable, reads, writes
from winnow.stores.homes import raise_version
from winnow.stores.schema import key, lexicon_entries, of_home, whose
from winnow.stores.schema import lessons as lesson_rows
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
    sa.select(*(lesson_rows.c[f.name] for f in fields(Lesson)))
    .where(of_home(lesson_rows))
    .order_by(lesson_rows.c.position)
)
_LAST = sa.select(sa.func.max(lesson_rows.c.position)).where(of_home(lesson_rows))
_FORGET_UP_TO = sa.delete(lesson_rows).where(
    of_home(lesson_rows), lesson_rows.c.position <= sa.bindparam("position")
)


class LexiconTable(StoreTable):
    """The ``Lexicon`` of a store."""

    @reads
    def entries(self, db: sa.Connection, scope: Scope) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status."""
        return _entries(db, scope)

    @writes()
    def save_entries(self, db: sa.Connection, scope: Scope, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed."""
        is_changed = accepted(_entries(db, scope)) != accepted(entries)
        db.execute(_FORGET, whose(scope))
        if entries:
            belongs = key(lexicon_entries, scope)
            db.execute(sa.insert(lexicon_entries), [{**belongs, **asdict(e)} for e in entries])
        if is_changed:
            raise_version(db, scope, self._clock.now())

    @writes()
    def log(self, db: sa.Connection, scope: Scope, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000."""
        last, belongs = db.scalar(_LAST, whose(scope)) or 0, key(lesson_rows, scope)
        rows = [{**belongs, "position": n, **asdict(lesson)} for n, lesson in enumerate(lessons, last + 1)]
        if rows:
            db.execute(sa.insert(lesson_rows), rows)
        db.execute(_FORGET_UP_TO, whose(scope, position=last + len(rows) - KEPT))

    @reads
    def lessons(self, db: sa.Connection, scope: Scope) -> tuple[Lesson, ...]:
        """What was kept, oldest first."""
        return tuple(Lesson(**row) for row in db.execute(_LESSONS, whose(scope)).mappings())


def _entries(db: sa.Connection, scope: Scope) -> tuple[LexiconEntry, ...]:
    return tuple(LexiconEntry(**row) for row in db.execute(_WORDS, whose(scope)).mappings())
