"""A store and all of its tables, behind the ports of ``Storage``."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from winnow.adapters.stores import schema
from winnow.adapters.stores.access import AccessTable
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
from winnow.adapters.stores.sessions import KEPT_TURNS, LocalPlans, PlanTable, SessionTable
from winnow.adapters.stores.vectors import ClaimTable, VectorTable
from winnow.errors import Phrase, StoreError
from winnow.ports.stores import Clock, Storage
from winnow.types.feedback import Account
from winnow.types.home import Home, Lesson
from winnow.types.receipt import AuditEntry, Record
from winnow.types.scope import DEFAULT_TENANT, Scope
from winnow.types.state import ImportedHome
from winnow.types.utterance import Question, Session, Turn
from winnow.types.vector import Space, Tally

if TYPE_CHECKING:
    from winnow.ports.stores import Floats


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
            AccessTable(db, clock),
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


# The tables of a store that may only be read: a mounted copy, a folder of somebody else.


def warn_not_stored(path: str) -> None:
    """Say once that what was to be stored is not."""
    said = Phrase("{path} may only be read: what is said is remembered by this process alone.", path=path)
    warnings.warn(said, stacklevel=1)  # one place, so that it is said once


class ReadOnlySessions(SessionTable):
    """``Sessions`` that go on from what the store holds; new turns are kept ``here``, in this process."""

    def __init__(self, db: Database, clock: Clock, here: SessionTable) -> None:
        super().__init__(db, clock)
        self._here = here

    async def session(self, scope: Scope) -> Session:
        """Its turns, oldest first, and its open question."""
        here, stored = await self._here.session(scope), await super().session(scope)
        question = here.question if here.turns else stored.question
        return Session((*stored.turns, *here.turns)[-KEPT_TURNS:], question)

    async def note(
        self, scope: Scope, turns: Sequence[Turn], question: Question | None = None, *, answered: str = ""
    ) -> bool:
        """As of the port; only what this process asked can be ``answered``: no other's can be closed."""
        warn_not_stored(str(self._db.place))
        return await self._here.note(scope, turns, question, answered=answered)

    async def question(self, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked."""
        return await self._here.question(scope, question_id) or await super().question(scope, question_id)


class ReadOnlyHabits(HabitTable):
    """``Habits`` that never change."""

    async def use(self, scope: Scope, device_ids: Sequence[str]) -> None:  # noqa: ARG002 - those of the port
        """Nothing is counted."""
        warn_not_stored(str(self._db.place))


class ReadOnlyLexicon(LexiconTable):
    """A ``Lexicon`` that learns nothing."""

    async def log(self, scope: Scope, lessons: Sequence[Lesson]) -> None:  # noqa: ARG002 - those of the port
        """Nothing is kept."""
        warn_not_stored(str(self._db.place))


class ReadOnlyVectors(VectorTable):
    """``Vectors`` that stay as they are; what is made beside them can be made again, so nobody is told."""

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Nothing is kept."""

    async def tell(self, scope: Scope, space: Space, tally: Tally) -> bool:  # noqa: ARG002 - those of the port
        """Nothing is counted."""
        return False


class ReadOnlyCounts(CountTable):
    """``Counts`` that stay as they are; nobody is told, for no turn needs them."""

    async def count(self, scope: Scope, figures: Mapping[str, float], account: Account | None = None) -> None:
        """Nothing is counted."""


class ReadOnlyAudit(AuditTable):
    """What cannot be put on record is not done: adding to it is an error."""

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:  # noqa: ARG002 - of the port
        """Raises StoreError."""
        raise StoreError(
            Phrase(
                "{path} may only be read: nothing can be put on record, so nothing is done.",
                path=self._db.place,
            ),
            hint="Use a store that can be written: WINNOW_HOME or WINNOW_STORE.",
        )
