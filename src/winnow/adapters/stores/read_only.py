"""A store that may only be read: a mounted copy, a folder of somebody else.

Homes, states and words are read from it. What is said is remembered by this process alone.
"""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from winnow.adapters.stores.sessions import KEPT_TURNS
from winnow.errors import Phrase, StoreError
from winnow.types.feedback import Account, Total
from winnow.types.home import Lesson, LexiconEntry
from winnow.types.receipt import AuditEntry, ChainHead, ChainVerification, Record
from winnow.types.scope import Scope
from winnow.types.utterance import Question, Session, Turn, Usage
from winnow.types.vector import Space, Tally

if TYPE_CHECKING:
    from winnow.ports.services import Audit
    from winnow.ports.stores import Floats, Habits, Lexicon, Sessions, TurnCounts, Vectors


def warn_not_stored(path: str) -> None:
    """Say once that what was to be stored is not."""
    said = Phrase("{path} may only be read: what is said is remembered by this process alone.", path=path)
    warnings.warn(said, stacklevel=1)  # one place, so that it is said once


class ReadOnlySessions:
    """``Sessions`` that go on from what the store holds and end with the process."""

    def __init__(self, stored: Sessions, here: Sessions, path: str) -> None:
        self._stored, self._here, self._path = stored, here, path

    async def session(self, scope: Scope) -> Session:
        """Its turns, oldest first, and its open question."""
        here, stored = await self._here.session(scope), await self._stored.session(scope)
        question = here.question if here.turns else stored.question
        return Session((*stored.turns, *here.turns)[-KEPT_TURNS:], question)

    async def note(self, scope: Scope, turns: Sequence[Turn], question: Question | None = None) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open."""
        warn_not_stored(self._path)
        await self._here.note(scope, turns, question)

    async def take(self, scope: Scope, question_id: str) -> Question | None:
        """The open question of that id, if this process asked it: no other's can be closed."""
        return await self._here.take(scope, question_id)

    async def question(self, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked."""
        here = await self._here.question(scope, question_id)
        return here or await self._stored.question(scope, question_id)


class ReadOnlyHabits:
    """``Habits`` that are read and never change."""

    def __init__(self, stored: Habits, path: str) -> None:
        self._stored, self._path = stored, path

    async def use(self, scope: Scope, device_ids: Sequence[str]) -> None:  # noqa: ARG002 - those of the port
        """Nothing is counted."""
        warn_not_stored(self._path)

    async def usage(self, scope: Scope) -> Usage:
        """All counts of the scope's user."""
        return await self._stored.usage(scope)


class ReadOnlyLexicon:
    """A ``Lexicon`` that is read and learns nothing."""

    def __init__(self, stored: Lexicon, path: str) -> None:
        self._stored, self._path = stored, path

    async def entries(self, scope: Scope) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status."""
        return await self._stored.entries(scope)

    async def save_entries(self, scope: Scope, entries: Sequence[LexiconEntry]) -> None:
        """Raises StoreError: who changes words is told that they cannot be kept."""
        await self._stored.save_entries(scope, entries)

    async def log(self, scope: Scope, lessons: Sequence[Lesson]) -> None:  # noqa: ARG002 - those of the port
        """Nothing is kept."""
        warn_not_stored(self._path)

    async def lessons(self, scope: Scope) -> tuple[Lesson, ...]:
        """What was kept, oldest first."""
        return await self._stored.lessons(scope)


class ReadOnlyVectors:
    """``Vectors`` that are read; what is made beside them can be made again, so nobody is told."""

    def __init__(self, stored: Vectors) -> None:
        self._stored = stored

    async def get(self, scope: Scope, space: Space, keys: Sequence[str]) -> Mapping[str, Floats | None]:
        """Those that are there; None for one that is damaged."""
        return await self._stored.get(scope, space, keys)

    async def stored_keys(self, scope: Scope, space: Space, keys: Sequence[str]) -> Collection[str]:
        """Which of the keys are there."""
        return await self._stored.stored_keys(scope, space, keys)

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Nothing is kept."""

    async def forget(self, scope: Scope, keys: Collection[str] | None = None) -> int:
        """Raises StoreError: who has vectors deleted is told that they stay."""
        return await self._stored.forget(scope, keys)

    async def spaces(self, scope: Scope) -> Mapping[Space, Tally]:
        """Each space the tenant has vectors of, and what was counted of it."""
        return await self._stored.spaces(scope)

    async def tell(self, scope: Scope, space: Space, tally: Tally) -> bool:  # noqa: ARG002 - those of the port
        """Nothing is counted."""
        return False

    async def size(self, scope: Scope, space: Space) -> int:
        """How many vectors of the space the tenant has."""
        return await self._stored.size(scope, space)

    async def keys(self, scope: Scope, space: Space, size: int = 10_000) -> AsyncIterator[Sequence[str]]:
        """Every key of a space, at most ``size`` at a time."""
        async for page in self._stored.keys(scope, space, size):
            yield page


class ReadOnlyCounts:
    """``TurnCounts`` that are read; nothing is counted, and nobody is told: no turn needs it."""

    def __init__(self, stored: TurnCounts) -> None:
        self._stored = stored

    async def count(self, scope: Scope, figures: Mapping[str, float], account: Account | None = None) -> None:
        """Nothing is counted."""

    async def totals(self, scope: Scope) -> Mapping[str, Total]:
        """Name of a figure -> what was counted of it."""
        return await self._stored.totals(scope)

    async def account(self, scope: Scope, retrieval: str = "") -> Account | None:
        """The user's account of that retrieval, or of the last one."""
        return await self._stored.account(scope, retrieval)

    async def forget(self, scope: Scope) -> int:
        """Raises StoreError: who has accounts deleted is told that they stay."""
        return await self._stored.forget(scope)


class ReadOnlyAudit:
    """An ``Audit`` that is read. What cannot be put on record is not done: adding to it is an error."""

    def __init__(self, stored: Audit, path: str) -> None:
        self._stored, self._path = stored, path

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:  # noqa: ARG002 - of the port
        """Raises StoreError."""
        raise StoreError(
            Phrase(
                "{path} may only be read: nothing can be put on record, so nothing is done.",
                path=self._path,
            ),
            hint="Use a store that can be written: WINNOW_HOME or WINNOW_STORE.",
        )

    async def entries(self, scope: Scope, after: int = 0, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Entries with higher numbers, in order."""
        return await self._stored.entries(scope, after, limit)

    async def last(self, scope: Scope, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, oldest first."""
        return await self._stored.last(scope, limit)

    async def of_act(self, scope: Scope, act: str) -> tuple[AuditEntry, ...]:
        """The entries of one act."""
        return await self._stored.of_act(scope, act)

    async def verification(self, scope: Scope, expected: str = "") -> ChainVerification:
        """Whether the chain holds."""
        return await self._stored.verification(scope, expected)

    async def heads(self, scope: Scope) -> tuple[ChainHead, ...]:
        """Where each chain of the tenant ends, by home."""
        return await self._stored.heads(scope)

    async def rotate(self, scope: Scope, keep: int) -> int:
        """Raises StoreError: who has entries archived is told that they stay."""
        return await self._stored.rotate(scope, keep)

    async def forget(self, scope: Scope) -> int:
        """Raises StoreError: who has entries deleted is told that they stay."""
        return await self._stored.forget(scope)
