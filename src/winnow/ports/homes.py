"""Homes and everything remembered about them, as the rest of Winnow sees it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Protocol

from winnow.types.catalog import Home
from winnow.types.dialogue import Turn
from winnow.types.imports import HomeInfo
from winnow.types.lesson import Lesson, LexiconEntry
from winnow.types.live import News, Progress, silent
from winnow.types.override import Override
from winnow.types.scope import Scope
from winnow.types.session import Question, Session
from winnow.types.state import UNREAD, Snapshot
from winnow.types.usage import Usage


class Catalog(Protocol):
    """Where imported homes are kept."""

    async def save_home(self, scope: Scope, home: Home, states: Snapshot = UNREAD) -> int:
        """Replace the tenant's home of that id as a whole, or leave the old one untouched; its new version.

        The home is kept under its own id, and beside it what its devices reported: read now, where
        ``states`` tell no moment. Raises StoreError.
        """

    async def load_home(self, scope: Scope) -> Home:
        """The scope's home with its version set. Raises HomeNotFound, StoreError."""

    async def list_homes(self, scope: Scope) -> tuple[HomeInfo, ...]:
        """All homes of the tenant by id, without their contents. Raises StoreError."""

    async def delete_home(self, scope: Scope) -> None:
        """Forget the scope's home and all that was remembered about it. Raises HomeNotFound, StoreError."""


class States(Protocol):
    """What the devices of a home report."""

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices of the scope's home, as they are now; of all, where none is named.

        What cannot be read is not in it. Raises HomeNotFound, StoreError.
        """


class LiveHome(Protocol):
    """The server of one home, only ever read. Every method raises LinkError."""

    async def documents(self, progress: Progress = silent) -> Mapping[str, object]:
        """What the home consists of and how it is: the server's answers, by what they are called."""

    async def read(self, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, as they are now, each with its own moment."""

    def news(self) -> AsyncIterator[News]:
        """What happens to the home, for as long as one listens; a lost connection is made again."""


class Sessions(Protocol):
    """What each person said in each session of each home.

    A talk is known only by its tenant, its home, its user and the id of its session together; an empty user
    is one more user.
    """

    async def session(self, scope: Scope) -> Session:
        """Its turns and its open question; empty when there was none yet. Raises StoreError."""

    async def note(self, scope: Scope, turns: Sequence[Turn], question: Question | None = None) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open.

        Raises StoreError.
        """

    async def take(self, scope: Scope, question_id: str) -> Question | None:
        """The open question of that id that was put to the scope's user, whatever home and session.

        Nobody gets it a second time; one that was put to another stays open. Raises StoreError.
        """

    async def question(self, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked; it stays open. Raises StoreError."""


class Habits(Protocol):
    """What each person of a home uses."""

    async def use(self, scope: Scope, device_ids: Sequence[str]) -> None:
        """Count one more use of each device by the scope's user, now. Raises StoreError."""

    async def usage(self, scope: Scope) -> Usage:
        """All counts of the scope's user. Raises StoreError."""


class Lexicon(Protocol):
    """The words a home learned, and what they were learned from."""

    async def entries(self, scope: Scope) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status. Raises StoreError."""

    async def save_entries(self, scope: Scope, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed.

        Raises StoreError, HomeNotFound.
        """

    async def log(self, scope: Scope, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000. Raises StoreError."""

    async def lessons(self, scope: Scope) -> tuple[Lesson, ...]:
        """What was kept, oldest first. Raises StoreError."""


class Overrides(Protocol):
    """What the people of a home say its things are."""

    async def said(self, scope: Scope) -> tuple[Override, ...]:
        """What was said of the scope's home, by the id of the thing. Raises StoreError."""

    async def say(self, scope: Scope, said: Sequence[Override]) -> None:
        """Put these in the place of all that was said; the home's version rises when they differ.

        Raises StoreError, HomeNotFound.
        """
