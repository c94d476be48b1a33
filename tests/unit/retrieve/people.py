"""Persons with messages, and what makes vectors of them; written for these tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import ModelError
from winnow.ports.services import run_blocking
from winnow.ports.stores import MessageStore
from winnow.retrieve.history.source import HistorySource
from winnow.types.candidate import Search, Shortlist
from winnow.types.message import HistorySettings, HistoryVersion, Message
from winnow.types.scope import Scope
from winnow.types.vector import TextKind

Floats = npt.NDArray[np.float32]
TABLE = StaticEmbedder()
NINA, OTTO = Scope("acme", "nina"), Scope("acme", "otto")
START = datetime.fromisoformat("2025-03-03T09:00")
SUBJECTS = (
    "cellar door",
    "rowing boat",
    "tax letter",
    "garden fence",
    "piano tuner",
    "ferry ticket",
    "beehive",
)
DEEDS = ("looked fine in {month}", "made {who} laugh", "got {n} letters", "annoyed {who} in {month}")
MONTHS, PEOPLE = ("April", "August", "October"), ("Wanda", "Piet", "Salma", "Goran")


def talk(count: int, *, first: int = 0, who: str = "user") -> list[Message]:
    """So many messages, each of its own text, an hour apart."""
    return [Message(f"m{n}", who, _text(n), START + timedelta(hours=n)) for n in range(first, first + count)]


def _text(n: int) -> str:
    deed = DEEDS[n // 7 % 4].format(month=MONTHS[n % 3], who=PEOPLE[n % 4], n=n)
    return f"The {SUBJECTS[n % 7]} number {n} {deed}."


def kept(*messages: Message, scope: Scope = NINA, store: MessageStore | None = None) -> MessageStore:
    """A store with these messages of the scope's user."""
    store = store or memory_storage(FrozenClock()).messages
    run_blocking(store.add(scope, messages))
    return store


class Counted:
    """A ``Vectoriser`` by the built-in table that remembers what it was given and what it made."""

    def __init__(self, broken: bool = False) -> None:
        self.made: dict[tuple[str, str], Floats] = {}
        self.calls: list[tuple[TextKind, int]] = []
        self.used = 0
        self.broken = broken

    async def vectors(self, scope: Scope, texts: Sequence[str], kind: TextKind = "passage") -> Floats:
        self.calls.append((kind, len(texts)))
        if self.broken:
            raise ModelError("timeout", "The server took too long.")
        rows = TABLE.embed(texts)
        if kind == "passage":
            self.made |= {(scope.tenant, text): row for text, row in zip(texts, rows, strict=True)}
        return rows

    async def cached_vectors(
        self, scope: Scope, texts: Sequence[str]
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        found = [self.made.get((scope.tenant, text)) for text in texts]
        nothing = np.zeros(TABLE.dimension, np.float32)
        rows = np.array([nothing if row is None else row for row in found], np.float32)
        return rows, np.array([row is not None for row in found], np.bool_)

    def count_reuse(self, scope: Scope, count: int) -> None:
        self.used += count

    @property
    def passages(self) -> int:
        """How many messages were embedded."""
        return sum(count for kind, count in self.calls if kind == "passage")


class Read:
    """``Messages`` of another store that counts how often it was read."""

    def __init__(self, store: MessageStore) -> None:
        self.store, self.streams = store, 0

    async def stamp(self, scope: Scope) -> HistoryVersion:
        return await self.store.stamp(scope)

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        self.streams += 1
        async for some in self.store.stream(scope, size):
            yield some


def source(store: MessageStore, vectoriser: Counted | None = None, **settings: object) -> HistorySource:
    """A history over the store, with these settings."""
    set_to = HistorySettings(**settings)  # type: ignore[arg-type]
    return HistorySource(store, TABLE, vectoriser or Counted(), set_to)


def ask(
    history: HistorySource, text: str, scope: Scope = NINA, *, limit: int = 5, seen: Sequence[str] = ()
) -> Shortlist:
    """What it finds."""
    return run_blocking(history(Search(text, START, seen=tuple(seen)), scope, limit))


def steps(found: Shortlist) -> dict[str, str]:
    """What was chosen at each step."""
    return {step.what: step.chosen for step in found.steps}


def ids(found: Shortlist) -> list[str]:
    """The messages that were found."""
    return [candidate.ref.id for candidate in found.candidates]
