"""A SQLite file that holds homes, and what is remembered of them."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from winnow.ports import Clock, Storage
from winnow.stores import schema
from winnow.stores.database import Database
from winnow.stores.habits import HabitTable
from winnow.stores.homes import HomeTable
from winnow.stores.lexicon import LexiconTable
from winnow.stores.overrides import OverrideTable
from winnow.stores.sessions import SessionTable
from winnow.stores.states import StateTable


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
        )

    @classmethod
    def open(cls, path: Path | str, clock: Clock, *, wait: float = 5.0) -> Store:
        """The store at ``path``, created or migrated when needed; ``wait`` seconds for another writer.

        Raises StoreError.
        """
        store = cls(Database(Path(path), wait), clock)
        if store.revision() != schema.HEAD:
            store._migrate()
        return store

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

        with self._db.write() as db:
            upgrade(db)
