"""The tables of a store that may only be read: a mounted copy, a folder of somebody else.

Homes, states and words are read from it. What is said is remembered by this process alone. A method that is
not here reads as everywhere, or raises StoreError: who has something deleted is told that it stays.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from winnow.adapters.stores.audit import AuditTable
from winnow.adapters.stores.database import Database
from winnow.adapters.stores.feedback import CountTable
from winnow.adapters.stores.homes import HabitTable, LexiconTable
from winnow.adapters.stores.sessions import KEPT_TURNS, SessionTable
from winnow.adapters.stores.vectors import VectorTable
from winnow.errors import Phrase, StoreError
from winnow.ports.stores import Clock
from winnow.types.feedback import Account
from winnow.types.home import Lesson
from winnow.types.receipt import AuditEntry, Record
from winnow.types.scope import Scope
from winnow.types.utterance import Question, Session, Turn
from winnow.types.vector import Space, Tally

if TYPE_CHECKING:
    from winnow.ports.stores import Floats


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
