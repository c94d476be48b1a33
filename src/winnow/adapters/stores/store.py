"""A store and all of its tables, behind the ports of ``Storage``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from winnow.adapters.stores import schema
from winnow.adapters.stores.audit import AuditSettings, AuditTable
from winnow.adapters.stores.connection import MEMORY
from winnow.adapters.stores.database import Database
from winnow.adapters.stores.documents import DocumentTable
from winnow.adapters.stores.feedback import CountTable, FeedbackTable
from winnow.adapters.stores.history import FactTable, MessageTable
from winnow.adapters.stores.homes import (
    HabitTable,
    HomeTable,
    LexiconTable,
    OverrideTable,
    StateTable,
    save_home,
)
from winnow.adapters.stores.persons import PersonTable
from winnow.adapters.stores.read_only import (
    ReadOnlyAudit,
    ReadOnlyCounts,
    ReadOnlyHabits,
    ReadOnlyLexicon,
    ReadOnlySessions,
    ReadOnlyVectors,
)
from winnow.adapters.stores.sessions import LocalPlans, PlanTable, SessionTable
from winnow.adapters.stores.vectors import ClaimTable, VectorTable
from winnow.errors import Phrase, StoreError
from winnow.ports.stores import Clock, Storage
from winnow.types.home import Home
from winnow.types.scope import DEFAULT_TENANT, Scope
from winnow.types.state import ImportedHome


def memory_storage(clock: Clock, *homes: Home | ImportedHome, tenant: str = DEFAULT_TENANT) -> Storage:
    """A storage that forgets everything when the process ends; it begins with these homes of the tenant."""
    database = Database(MEMORY)
    with database.write() as db:
        for home in homes:
            imported = ImportedHome(home) if isinstance(home, Home) else home
            save_home(db, Scope(tenant, home=imported.home.id), imported, clock.now())
    return SqlStore(database, clock, AuditSettings()).storage


class SqlStore:
    """One file or database, and the ``storage`` in it. ``SqlStore.open`` makes one."""

    def __init__(self, db: Database, clock: Clock, ledger: AuditSettings) -> None:
        self._db, self.place = db, str(db.place)
        self.storage = Storage(
            clock,
            HomeTable(db, clock),
            StateTable(db, clock),
            SessionTable(db, clock),
            HabitTable(db, clock),
            LexiconTable(db, clock),
            OverrideTable(db, clock),
            MessageTable(db, clock),
            VectorTable(db, clock),
            ClaimTable(db, clock),
            FactTable(db, clock),
            DocumentTable(db, clock),
            FeedbackTable(db, clock),
            CountTable(db, clock),
            AuditTable(db, clock, ledger),
            PlanTable(db, clock, LocalPlans()),
            PersonTable(db, clock),
        )
        if db.read_only:  # what is remembered of a talk ends with the process
            beside = Database(MEMORY)
            self.storage = replace(
                self.storage,
                sessions=ReadOnlySessions(db, clock, SessionTable(beside, clock)),
                habits=ReadOnlyHabits(db, clock),
                lexicon=ReadOnlyLexicon(db, clock),
                vectors=ReadOnlyVectors(db, clock),
                counts=ReadOnlyCounts(db, clock),
                audit=ReadOnlyAudit(db, clock, ledger),
                plans=PlanTable(beside, clock),
            )

    @classmethod
    def open(
        cls, where: Path | str, clock: Clock, *, wait: float = 5.0, ledger: AuditSettings | None = None
    ) -> SqlStore:
        """The store in that file or at that URL, created or migrated when needed.

        ``wait``: seconds for another writer; ``ledger``: how audit logs are kept. A file that may only be
        read is read. Raises StoreError.
        """
        store = cls(Database(where, wait), clock, ledger or AuditSettings())
        if store.revision() == schema.SCHEMA_REVISION:
            return store
        if store.read_only:
            raise StoreError(
                Phrase("{path} is of an older Winnow and may only be read.", path=store.place),
                hint="Open it once where it can be written; that brings it up to date.",
            )
        with store._db.write("schema") as db:
            if not _revision(db):  # asked again: whoever waited for another finds the tables made
                schema.create_tables(db)
            else:  # Alembic is imported for older stores only
                from winnow.adapters.stores.migrate import upgrade

                upgrade(db)
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


def _revision(db: sa.Connection) -> str:
    if not sa.inspect(db).has_table(schema.revisions.name):
        return ""
    return str(db.scalar(sa.select(schema.revisions.c.version_num)) or "")
