"""Homes of one process: for a single home handed over as a value, for tests and for evaluation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from winnow.adapters.stores.memory_acting import MemoryAudit, MemoryPlans
from winnow.adapters.stores.memory_documents import MemoryDocuments
from winnow.adapters.stores.memory_facts import MemoryFacts
from winnow.adapters.stores.memory_feedback import MemoryCounts, MemoryFeedback
from winnow.adapters.stores.memory_messages import MemoryMessages
from winnow.adapters.stores.memory_persons import MemoryPersons, Parts
from winnow.adapters.stores.memory_vectors import Book, MemoryClaims, MemoryVectors
from winnow.errors import HomeNotFound
from winnow.ports.stores import Clock, Storage
from winnow.types.home import Home, Lesson, LexiconEntry, Override, accepted
from winnow.types.scope import DEFAULT, Scope
from winnow.types.state import UNREAD, HomeInfo, Imported, Snapshot
from winnow.types.utterance import Question, Session, Turn, Usage

Key = TypeVar("Key", bound=tuple[str, ...])
Row = TypeVar("Row")
KEPT_TURNS = 20
"""Turns kept of one session."""
KEPT_LESSONS = 5000
"""Lessons kept of one home."""
Place = tuple[str, str]
"""Tenant and home."""
Person = tuple[str, str, str]
"""Tenant, home and user."""
Speaker = tuple[str, str, str, str]
"""Tenant, home, user and session."""


def memory_storage(clock: Clock, *homes: Home | Imported, tenant: str = DEFAULT) -> Storage:
    """A storage that forgets everything when the process ends; it begins with these homes of the tenant."""
    rows = Rows()
    for given in homes:
        imported = Imported(given) if isinstance(given, Home) else given
        scope = Scope(tenant, home=imported.home.id)
        rows.put(scope, imported.home, clock.now())
        rows.states[_place(scope)] = imported.states.dated(clock.now())
    book: Book = {}
    parts = Parts(
        rows,
        MemoryMessages(rows.unsay),
        MemoryVectors(book),
        book,
        MemoryFacts(),
        MemoryDocuments(),
        MemoryFeedback(),
        MemoryCounts(),
        MemoryAudit(),
        MemoryPlans(clock),
    )
    return Storage(
        clock,
        MemoryHomes(rows, clock),
        MemoryStates(rows),
        MemorySessions(rows),
        MemoryHabits(rows, clock),
        MemoryLexicon(rows, clock),
        MemoryOverrides(rows, clock),
        parts.messages,
        parts.vectors,
        MemoryClaims(book),
        parts.facts,
        parts.documents,
        parts.feedback,
        parts.counts,
        parts.audit,
        parts.plans,
        MemoryPersons(parts),
    )


@dataclass(slots=True)
class Rows:
    """What the parts of one storage share. Every key begins with the tenant, then the home."""

    homes: dict[Place, tuple[Home, float]] = field(default_factory=dict)
    """With the time of its import."""
    versions: dict[Place, int] = field(default_factory=dict)
    """The last one given, kept when the home is deleted: a version number is never used twice."""
    states: dict[Place, Snapshot] = field(default_factory=dict)
    sessions: dict[Speaker, Session] = field(default_factory=dict)
    usage: dict[Person, Usage] = field(default_factory=dict)
    entries: dict[Place, tuple[LexiconEntry, ...]] = field(default_factory=dict)
    lessons: dict[Place, tuple[Lesson, ...]] = field(default_factory=dict)
    said: dict[Place, tuple[Override, ...]] = field(default_factory=dict)

    def put(self, scope: Scope, home: Home, now: float) -> int:
        """Replace the home as a whole; its new version."""
        place = _place(scope)
        version = self.versions[place] = self.versions.get(place, 0) + 1
        self.homes[place] = (replace(home, version=version), now)
        return version

    def home(self, scope: Scope) -> Home:
        """The scope's home. Raises HomeNotFound, which names the tenant's others."""
        if found := self.homes.get(_place(scope)):
            return found[0]
        raise HomeNotFound(scope.home, sorted(home for tenant, home in self.homes if tenant == scope.tenant))

    def unsay(self, scope: Scope, texts: Collection[str]) -> None:
        """Forget the talks of the user in which any of these was said."""
        for at, known in list(self.sessions.items()):
            theirs = (at[0], at[2]) == (scope.tenant, scope.user)
            if theirs and any(turn.content in texts for turn in known.turns):
                del self.sessions[at]

    def forget(self, scope: Scope) -> None:
        """Drop the home and all that was remembered about it."""
        place = _place(scope)
        del self.homes[place], self.states[place]
        self.sessions, self.usage = _without(place, self.sessions), _without(place, self.usage)
        self.entries, self.lessons = _without(place, self.entries), _without(place, self.lessons)
        self.said = _without(place, self.said)

    def forget_person(self, scope: Scope) -> None:
        """Drop what the scope's user said, did and taught, in every home of the tenant."""
        theirs = (scope.tenant, scope.user)
        self.sessions = {at: talk for at, talk in self.sessions.items() if (at[0], at[2]) != theirs}
        self.usage = {at: usage for at, usage in self.usage.items() if (at[0], at[2]) != theirs}
        for place in [place for place in {**self.entries, **self.lessons} if place[0] == scope.tenant]:
            self._unlearn(scope.at(place[1]))

    def _unlearn(self, scope: Scope) -> None:
        """Drop the words of the scope's user in the scope's home."""
        place, before = _place(scope), self.entries.get(_place(scope), ())
        self.entries[place] = tuple(entry for entry in before if entry.user != scope.user)
        self.lessons[place] = tuple(one for one in self.lessons.get(place, ()) if one.user != scope.user)
        if accepted(before) != accepted(self.entries[place]) and place in self.homes:
            self.put(scope, *self.homes[place])


class MemoryHomes:
    """``Catalog`` of one process."""

    def __init__(self, rows: Rows, clock: Clock) -> None:
        self._rows, self._clock = rows, clock

    async def save_home(self, scope: Scope, home: Home, states: Snapshot = UNREAD) -> int:
        """Replace the tenant's home of that id, and its states; its new version."""
        scope, now = scope.at(home.id), self._clock.now()
        self._rows.states[_place(scope)] = states.dated(now)
        return self._rows.put(scope, home, now)

    async def load_home(self, scope: Scope) -> Home:
        """The home, with its version."""
        return self._rows.home(scope)

    async def list_homes(self, scope: Scope) -> tuple[HomeInfo, ...]:
        """All homes of the tenant, by id."""
        theirs = sorted(
            (place[1], *row) for place, row in self._rows.homes.items() if place[0] == scope.tenant
        )
        return tuple(HomeInfo(i, h.name, h.source, h.version, when, len(h.devices)) for i, h, when in theirs)

    async def delete_home(self, scope: Scope) -> None:
        """Forget a home and all that was remembered about it. Raises HomeNotFound."""
        self._rows.home(scope)
        self._rows.forget(scope)


class MemoryStates:
    """``States`` of one process: what was stored with each import."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """What was stored of these devices, or of all."""
        self._rows.home(scope)
        states = self._rows.states[_place(scope)]
        return states.about(refs) if refs else states


class MemorySessions:
    """``Sessions`` of one process."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def session(self, scope: Scope) -> Session:
        """Its turns, oldest first, and its open question."""
        return self._rows.sessions.get(_session(scope), Session())

    async def note(self, scope: Scope, turns: Sequence[Turn], question: Question | None = None) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open."""
        before = self._rows.sessions.get(_session(scope), Session()).turns
        self._rows.sessions[_session(scope)] = Session((*before, *turns)[-KEPT_TURNS:], question)

    async def take(self, scope: Scope, question_id: str) -> Question | None:
        """The user's open question of that id, once."""
        for at, asked in self._open(scope, question_id):
            if at[2] == scope.user:
                self._rows.sessions[at] = replace(self._rows.sessions[at], question=None)
                return asked
        return None

    async def question(self, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked."""
        return next((asked for _, asked in self._open(scope, question_id)), None)

    def _open(self, scope: Scope, question_id: str) -> list[tuple[Speaker, Question]]:
        """The tenant's open question of that id, and where it was asked; at most one."""
        theirs = [(at, s.question) for at, s in self._rows.sessions.items() if at[0] == scope.tenant]
        return [(at, asked) for at, asked in theirs if asked is not None and asked.id == question_id]


class MemoryHabits:
    """``Habits`` of one process."""

    def __init__(self, rows: Rows, clock: Clock) -> None:
        self._rows, self._clock = rows, clock

    async def use(self, scope: Scope, device_ids: Sequence[str]) -> None:
        """Count one more use of each device, now."""
        known, now = await self.usage(scope), self._clock.now()
        used = dict.fromkeys(device_ids)
        counts = {**known.counts, **{i: known.counts.get(i, 0) + 1 for i in used}}
        self._rows.usage[_user(scope)] = Usage(counts, {**known.last_used, **dict.fromkeys(used, now)})

    async def usage(self, scope: Scope) -> Usage:
        """All counts of the scope's user."""
        return self._rows.usage.get(_user(scope), Usage())


class MemoryLexicon:
    """``Lexicon`` of one process."""

    def __init__(self, rows: Rows, clock: Clock) -> None:
        self._rows, self._clock = rows, clock

    async def entries(self, scope: Scope) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status."""
        return self._rows.entries.get(_place(scope), ())

    async def save_entries(self, scope: Scope, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed."""
        home, before = self._rows.home(scope), await self.entries(scope)
        self._rows.entries[_place(scope)] = tuple(sorted(entries, key=lambda e: e.number))
        if accepted(before) != accepted(entries):
            self._rows.put(scope, home, self._clock.now())

    async def log(self, scope: Scope, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000."""
        self._rows.lessons[_place(scope)] = (*await self.lessons(scope), *lessons)[-KEPT_LESSONS:]

    async def lessons(self, scope: Scope) -> tuple[Lesson, ...]:
        """What was kept, oldest first."""
        return self._rows.lessons.get(_place(scope), ())


class MemoryOverrides:
    """``Overrides`` of one process."""

    def __init__(self, rows: Rows, clock: Clock) -> None:
        self._rows, self._clock = rows, clock

    async def said(self, scope: Scope) -> tuple[Override, ...]:
        """What was said of the scope's home, by the id of the thing."""
        return self._rows.said.get(_place(scope), ())

    async def say(self, scope: Scope, said: Sequence[Override]) -> None:
        """Put these in the place of all that was said; the home's version rises when they differ."""
        home, said = self._rows.home(scope), tuple(sorted(said, key=lambda o: o.thing_id))
        if said != await self.said(scope):
            self._rows.said[_place(scope)] = said
            self._rows.put(scope, home, self._clock.now())


def _place(scope: Scope) -> Place:
    return scope.tenant, scope.home


def _session(scope: Scope) -> Speaker:
    return scope.tenant, scope.home, scope.user, scope.session


def _user(scope: Scope) -> Person:
    return scope.tenant, scope.home, scope.user


def _without(place: Place, rows: Mapping[Key, Row]) -> dict[Key, Row]:
    """The rows that are about other homes."""
    return {at: row for at, row in rows.items() if at[:2] != place}
