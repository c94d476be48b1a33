"""Learned words in the store, and the lessons they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields

import sqlalchemy as sa

from winnow.errors import HomeNotFound
from winnow.ports import Clock
from winnow.stores.database import Database
from winnow.stores.schema import homes, imports, lessons, lexicon_entries
from winnow.types.lesson import Lesson, LexiconEntry

KEPT = 5000
"""Lessons kept of one home."""


class LexiconTable:
    """The ``Lexicon`` of a store."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    def entries(self, home_id: str) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status."""
        with self._db.read() as db:
            return _entries(db, home_id)

    def save_entries(self, home_id: str, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed."""
        with self._db.write() as db:
            changed = _accepted(_entries(db, home_id)) != _accepted(entries)
            db.execute(sa.delete(lexicon_entries).where(lexicon_entries.c.home_id == home_id))
            if entries:
                db.execute(sa.insert(lexicon_entries).values(home_id=home_id), [asdict(e) for e in entries])
            if changed:
                self._raise_version(db, home_id)

    def log(self, home_id: str, learned: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000."""
        with self._db.write() as db:
            last = (
                db.scalar(sa.select(sa.func.max(lessons.c.position)).where(lessons.c.home_id == home_id)) or 0
            )
            rows = [
                {"position": position, **asdict(lesson)} for position, lesson in enumerate(learned, last + 1)
            ]
            if rows:
                db.execute(sa.insert(lessons).values(home_id=home_id), rows)
            db.execute(
                sa.delete(lessons).where(
                    lessons.c.home_id == home_id, lessons.c.position <= last + len(rows) - KEPT
                )
            )

    def lessons(self, home_id: str) -> tuple[Lesson, ...]:
        """What was kept, oldest first."""
        columns = [lessons.c[f.name] for f in fields(Lesson)]
        with self._db.read() as db:
            found = db.execute(
                sa.select(*columns).where(lessons.c.home_id == home_id).order_by(lessons.c.position)
            ).mappings()
            return tuple(Lesson(**row) for row in found)

    def _raise_version(self, db: sa.Connection, home_id: str) -> None:
        """A home with other words is another version: whoever has it open reads it again."""
        last = db.scalar(sa.select(sa.func.max(imports.c.version)).where(imports.c.home_id == home_id))
        devices = (
            sa.select(imports.c.devices)
            .where(imports.c.home_id == home_id, imports.c.version == last)
            .scalar_subquery()
        )
        raised = db.execute(sa.update(homes).where(homes.c.id == home_id).values(version=(last or 0) + 1))
        if not raised.rowcount:
            raise HomeNotFound(home_id, db.scalars(sa.select(homes.c.id).order_by(homes.c.id)).all())
        db.execute(
            sa.insert(imports).values(
                home_id=home_id, version=(last or 0) + 1, imported_at=self._clock.now(), devices=devices
            )
        )


def _entries(db: sa.Connection, home_id: str) -> tuple[LexiconEntry, ...]:
    columns = [lexicon_entries.c[f.name] for f in fields(LexiconEntry)]
    found = db.execute(
        sa.select(*columns).where(lexicon_entries.c.home_id == home_id).order_by(lexicon_entries.c.number)
    ).mappings()
    return tuple(LexiconEntry(**row) for row in found)


def _accepted(entries: Sequence[LexiconEntry]) -> set[tuple[str, str, str]]:
    return {(e.surface, e.kind, e.target) for e in entries if e.status == "accepted"}
