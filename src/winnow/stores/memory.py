"""Homes of one process: for a single home handed over as a value, for tests and for evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.errors import HomeNotFound
from winnow.ports import Clock
from winnow.types.catalog import Home
from winnow.types.dialogue import Turn
from winnow.types.imports import HomeInfo
from winnow.types.lesson import Lesson, LexiconEntry
from winnow.types.session import Question, Session
from winnow.types.usage import Usage

KEPT_TURNS = 20
"""Turns kept of one session."""
KEPT_LESSONS = 5000
"""Lessons kept of one home."""


class MemoryCatalog:
    """A ``Storage`` that forgets everything when the process ends."""

    def __init__(self, clock: Clock, *homes: Home) -> None:
        self.clock = clock
        self.sessions, self.habits, self.lexicon = MemorySessions(), MemoryHabits(clock), MemoryLexicon(self)
        self._homes: dict[str, tuple[Home, float]] = {}
        self._versions: dict[str, int] = {}
        for home in homes:
            self.save_home(home)

    def save_home(self, home: Home) -> int:
        """Replace the home of that id; its new version."""
        version = self._versions.get(home.id, 0) + 1
        self._versions[home.id] = version
        self._homes[home.id] = (replace(home, version=version), self.clock.now())
        return version

    def load_home(self, home_id: str) -> Home:
        """The home, with its version."""
        if home_id not in self._homes:
            raise HomeNotFound(home_id, sorted(self._homes))
        return self._homes[home_id][0]

    def list_homes(self) -> tuple[HomeInfo, ...]:
        """All homes, by id."""
        return tuple(
            HomeInfo(h.id, h.name, h.source, h.version, when, len(h.devices))
            for _, (h, when) in sorted(self._homes.items(), key=lambda kv: kv[0])
        )

    def delete_home(self, home_id: str) -> None:
        """Forget a home and all that was remembered about it. Raises HomeNotFound."""
        self.load_home(home_id)
        del self._homes[home_id]
        for part in (self.sessions, self.habits, self.lexicon):
            part.forget(home_id)


class MemorySessions:
    """``Sessions`` of one process."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str], Session] = {}

    def session(self, home_id: str, session: str) -> Session:
        """Its turns, oldest first, and its open question."""
        return self._sessions.get((home_id, session), Session())

    def note(
        self, home_id: str, session: str, turns: Sequence[Turn], question: Question | None = None
    ) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open."""
        before = self.session(home_id, session).turns
        self._sessions[home_id, session] = Session((*before, *turns)[-KEPT_TURNS:], question)

    def take(self, question_id: str) -> Question | None:
        """The open question of that id, once."""
        for key, known in self._sessions.items():
            if known.question is not None and known.question.id == question_id:
                self._sessions[key] = replace(known, question=None)
                return known.question
        return None

    def forget(self, home_id: str) -> None:
        """Forget all sessions of a home."""
        self._sessions = {key: known for key, known in self._sessions.items() if key[0] != home_id}


class MemoryHabits:
    """``Habits`` of one process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._usage: dict[tuple[str, str], Usage] = {}

    def use(self, home_id: str, user: str, device_ids: Sequence[str]) -> None:
        """Count one more use of each device, now."""
        known, now = self.usage(home_id, user), self._clock.now()
        used = dict.fromkeys(device_ids)
        counts = {**known.counts, **{i: known.counts.get(i, 0) + 1 for i in used}}
        self._usage[home_id, user] = Usage(counts, {**known.last_used, **dict.fromkeys(used, now)})

    def usage(self, home_id: str, user: str) -> Usage:
        """All counts of one person."""
        return self._usage.get((home_id, user), Usage())

    def forget(self, home_id: str) -> None:
        """Forget all counts of a home."""
        self._usage = {key: known for key, known in self._usage.items() if key[0] != home_id}


class MemoryLexicon:
    """``Lexicon`` of one process."""

    def __init__(self, catalog: MemoryCatalog) -> None:
        self._catalog = catalog
        self._entries: dict[str, tuple[LexiconEntry, ...]] = {}
        self._lessons: dict[str, tuple[Lesson, ...]] = {}

    def entries(self, home_id: str) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status."""
        return self._entries.get(home_id, ())

    def save_entries(self, home_id: str, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed."""
        home, before = self._catalog.load_home(home_id), self.entries(home_id)
        self._entries[home_id] = tuple(sorted(entries, key=lambda e: e.number))
        if _accepted(before) != _accepted(entries):
            self._catalog.save_home(home)

    def log(self, home_id: str, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000."""
        self._lessons[home_id] = (*self.lessons(home_id), *lessons)[-KEPT_LESSONS:]

    def lessons(self, home_id: str) -> tuple[Lesson, ...]:
        """What was kept, oldest first."""
        return self._lessons.get(home_id, ())

    def forget(self, home_id: str) -> None:
        """Forget all words of a home."""
        self._entries.pop(home_id, None)
        self._lessons.pop(home_id, None)


def _accepted(entries: Sequence[LexiconEntry]) -> set[tuple[str, str, str]]:
    return {(e.surface, e.kind, e.target) for e in entries if e.status == "accepted"}
