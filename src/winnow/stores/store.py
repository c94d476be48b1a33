"""A database that holds homes and histories, and what is remembered of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from winnow.errors import Phrase, StoreError
from winnow.ports import Clock, Storage
from winnow.stores import schema
from winnow.stores.audit import AuditTable, Ledger
from winnow.stores.claims import ClaimTable
from winnow.stores.database import Database
from winnow.stores.documents import DocumentTable
from winnow.stores.facts import FactTable
from winnow.stores.feedback import CountTable, FeedbackTable
from winnow.stores.habits import HabitTable
from winnow.stores.homes import HomeTable
from winnow.stores.lexicon import LexiconTable
from winnow.stores.memory_acting import MemoryPlans
from winnow.stores.messages import MessageTable
from winnow.stores.overrides import OverrideTable
from winnow.stores.persons import PersonTable
from winnow.stores.plans import PlanTable
from winnow.stores.readonly import (
    PassingAudit,
    PassingCounts,
    PassingHabits,
    PassingLexicon,
    PassingSessions,
    PassingVectors,
)
from winnow.stores.sessions import SessionTable
from winnow.stores.states import StateTable
from winnow.stores.vectors import VectorTable


class Store:
    """One file or database, and the ``storage`` in it. ``Store.open`` makes one."""

    def __init__(self, db: Database, clock: Clock, ledger: Ledger) -> None:
        self._db, self.place = db, str(db.place)
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
            FactTable(db),
            DocumentTable(db),
            FeedbackTable(db),
            CountTable(db),
            AuditTable(db, ledger),
            PlanTable(db, clock),
            PersonTable(db, clock),
        )
        if db.read_only:
            self.storage = _passing(self.storage, self.place)

    @classmethod
    def open(
        cls, where: Path | str, clock: Clock, *, wait: float = 5.0, ledger: Ledger | None = None
    ) -> Store:
        """The store in that file or at that URL, created or migrated when needed.

        ``wait``: seconds for another writer; ``ledger``: how audit logs are kept. A file that may only be
        read is read. Raises StoreError.
        """
        store = cls(Database(where, wait), clock, ledger or Ledger())
        if store.revision() != schema.HEAD:
            store._bring_up()
        return store

    @property
    def kind(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._db.place.url.get_backend_name()

    @property
    def read_only(self) -> bool:
        """Whether nothing can be stored."""
        return self._db.read_only

    def close(self) -> None:
        """Let go of the file or the server."""
        self._db.close()

    def revision(self) -> str:
        """The schema revision of the database; empty when it has none yet."""
        with self._db.read() as db:
            return _revision(db)

    def _bring_up(self) -> None:
        """Make the tables, or bring those of an older Winnow to the newest revision.

        Alembic is imported for the latter only: new and current stores open without it.
        """
        if self.read_only:
            raise StoreError(
                Phrase("{path} is of an older Winnow and may only be read.", path=self.place),
                hint="Open it once where it can be written; that brings it up to date.",
            )
        with self._db.write("schema") as db:
            if not _revision(db):  # asked again: whoever waited for another finds the tables made
                schema.create(db)
                return
            from winnow.stores.migrate import upgrade

            upgrade(db)


def _revision(db: sa.Connection) -> str:
    if not sa.inspect(db).has_table(schema.revisions.name):
        return ""
    return str(db.scalar(sa.select(schema.revisions.c.version_num)) or "")


def _passing(storage: Storage, place: str) -> Storage:
    """The same storage where what is remembered of a talk ends with the process."""
    return replace(
        storage,
        sessions=PassingSessions(storage.sessions, place),
        habits=PassingHabits(storage.habits, place),
        lexicon=PassingLexicon(storage.lexicon, place),
        vectors=PassingVectors(storage.vectors),
        counts=PassingCounts(storage.counts),
        audit=PassingAudit(storage.audit, place),
        plans=MemoryPlans(storage.clock),
    )
