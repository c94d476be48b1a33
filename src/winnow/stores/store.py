"""A SQLite file that holds homes, and what is remembered of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from winnow.errors import Phrase, StoreError
from winnow.ports import Clock, Storage
from winnow.stores import schema
from winnow.stores.claims import ClaimTable
from winnow.stores.database import Database
from winnow.stores.habits import HabitTable
from winnow.stores.homes import HomeTable
from winnow.stores.lexicon import LexiconTable
from winnow.stores.messages import MessageTable
from winnow.stores.overrides import OverrideTable
from winnow.stores.readonly import PassingHabits, PassingLexicon, PassingSessions, PassingVectors
from winnow.stores.sessions import SessionTable
from winnow.stores.states import StateTable
from winnow.stores.vectors import VectorTable


class Store:
    """One file, and the ``storage`` in it. ``Store.open`` makes one."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self.path = db, db.path
        self.storage = Storage(
            clock,
            HomeTable(db, clock),
            StateTable(db),
            SessionTable(db),
            HabitTable(db, clock),
            LexiconTable(db, clock),
            OverrideTable(db, clock),
            MessageTable(db),
            VectorTable(db, clock),
            ClaimTable(db),
        )
        if db.read_only:
            self.storage = _passing(self.storage, db.path)

    @classmethod
    def open(cls, path: Path | str, clock: Clock, *, wait: float = 5.0) -> Store:
        """The store at ``path``, created or migrated when needed; ``wait`` seconds for another writer.

        One that may only be read is read. Raises StoreError.
        """
        store = cls(Database(Path(path), wait), clock)
        if store.revision() != schema.HEAD:
            store._migrate()
        return store

    @property
    def read_only(self) -> bool:
        """Whether nothing can be stored."""
        return self._db.read_only

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def revision(self) -> str:
        """The schema revision of the file; empty when it has none yet."""
        with self._db.read() as db:
            if not sa.inspect(db).has_table("alembic_version"):
                return ""
            return str(db.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() or "")

    def _migrate(self) -> None:
        """Bring the schema to its newest revision.

        Alembic is imported only here: a current store opens without it.
        """
        from winnow.stores.migrate import upgrade

        if self.read_only:
            raise StoreError(
                Phrase("{path} is of an older Winnow and may only be read.", path=self.path),
                hint="Open it once where it can be written; that brings it up to date.",
            )
        with self._db.write() as db:
            upgrade(db)


def _passing(storage: Storage, path: Path) -> Storage:
    """The same storage where what is remembered of a talk ends with the process."""
    return replace(
        storage,
        sessions=PassingSessions(storage.sessions, path),
        habits=PassingHabits(storage.habits, path),
        lexicon=PassingLexicon(storage.lexicon, path),
        vectors=PassingVectors(storage.vectors),
    )
