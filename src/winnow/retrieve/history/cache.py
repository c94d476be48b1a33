"""Histories held open between questions, and the strategy by which one is searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property
from sys import getsizeof
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from winnow.errors import Phrase
from winnow.ports.services import Embedder, run_aside
from winnow.ports.stores import Messages
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.types.candidate import Step
from winnow.types.lru import LruCache
from winnow.types.message import HistorySettings, HistoryVersion, Message, SearchStrategy
from winnow.types.scope import Scope

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]
MAX_OPEN_HISTORIES = 1_000
"""Histories held open, at most."""
MAX_HISTORY_BYTES = 512 * 1024 * 1024
"""What they may take together."""


# What an indexed history takes in memory, by looking at what it is made of.

ENTRY_BYTES = 130
"""Bytes of an entry of a dictionary of short texts: its places, the text, a number. Measured."""
MESSAGE_BYTES = 330
"""Bytes of a message beside its text: the object, its id, time and conversation. Measured."""


def footprint(value: object) -> int:
    """Bytes of a value of dataclasses, arrays, dictionaries and messages; what they share counts once.

    What is none of these (the embedder of an index) is taken to be there anyway.
    """
    parts = {id(part): part for part in _parts(value)}
    return sum(map(_bytes, parts.values()))


def _parts(value: object) -> Iterator[object]:
    """The value and all it holds that has a size of its own."""
    if isinstance(value, Mapping):
        yield value
        for held in value.values():
            if not isinstance(held, str | int):
                yield from _parts(held)
    elif isinstance(value, np.ndarray | tuple):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from _parts(getattr(value, field.name))


def _bytes(part: Any) -> int:
    if isinstance(part, np.ndarray):
        return getsizeof(part) if part.base is None else getsizeof(part) + part.nbytes
    if isinstance(part, tuple):
        return sum(MESSAGE_BYTES + getsizeof(held.content) for held in part if isinstance(held, Message))
    return getsizeof(part) + ENTRY_BYTES * len(part)


class OpenHistory:
    """One person's messages, indexed, and those of their vectors that are known."""

    def __init__(self, stamp: HistoryVersion, index: HistoryIndex) -> None:
        self.stamp, self.index = stamp, index
        self.has_vector: npt.NDArray[np.bool_] = np.zeros(index.size, np.bool_)
        """Which rows have a vector."""
        self._vectors: Floats = np.zeros((index.size, 0), np.float32)
        self._size = footprint(index)

    @property
    def bytes(self) -> int:
        """About what it takes in memory, rather more than less."""
        return self._size + self._vectors.nbytes

    @cached_property
    def rows(self) -> dict[str, int]:
        """Id of a message -> its row."""
        return {message.id: row for row, message in enumerate(self.index.messages)}

    def texts(self, rows: Rows) -> list[str]:
        """What the messages of these rows say."""
        messages = self.index.messages
        return [messages[row].content for row in rows.tolist()]

    def rows_without_vector(self, rows: Rows) -> Rows:
        """Those of the rows whose vectors are not known."""
        return rows[~self.has_vector[rows]]

    def add_vectors(self, rows: Rows, vectors: Floats) -> None:
        """Keep vectors, one per row. Vectors of another length take the place of all before them."""
        if not len(rows) or not vectors.shape[1]:
            return
        if vectors.shape[1] != self._vectors.shape[1]:
            self._vectors = np.zeros((self.index.size, vectors.shape[1]), np.float32)
            self.has_vector[:] = False
        self._vectors[rows] = vectors
        self.has_vector[rows] = True

    def cosines(self, questions: Floats) -> Floats:
        """Of each question with each message: shape ``(questions, messages)``, 0 where no vector is known."""
        if questions.shape[1] != self._vectors.shape[1]:
            return np.zeros((len(questions), self.index.size), np.float32)
        return questions @ self._vectors.T

    def extend(self, stamp: HistoryVersion, more: Sequence[Message]) -> OpenHistory:
        """The same with newer messages behind these; nothing is learned anew."""
        longer = OpenHistory(stamp, self.index.extend(more))
        rows = np.flatnonzero(self.has_vector)
        longer.add_vectors(rows, self._vectors[rows])
        return longer


class HistoryCache:
    """The histories asked for last, of all tenants; never one for another's user.

    ``table`` makes the vectors of single words; ``most``, ``most_bytes``: what is held at most.
    """

    def __init__(
        self,
        messages: Messages,
        table: Embedder,
        *,
        most: int = MAX_OPEN_HISTORIES,
        most_bytes: int = MAX_HISTORY_BYTES,
    ) -> None:
        self._messages, self._table = messages, table
        self.cache: LruCache[tuple[str, str], OpenHistory] = LruCache(
            most, most_bytes, lambda one: one.bytes, grows=True
        )

    async def current_history(self, scope: Scope) -> tuple[OpenHistory, Step]:
        """The history of the scope's user as it is now, and how it came to be. Raises StoreError."""
        stamp = await self._messages.stamp(scope)
        before = self.cache.get(_key(scope))
        if before is not None and before.stamp == stamp:
            self.cache.put(_key(scope), before)  # it may have learned vectors meanwhile
            return before, _step("reused", before)
        # Whatever changes between the stamp and the rows is read again next time: the stamp is the older one.
        messages = [message async for some in self._messages.stream(scope) for message in some]
        now, how = await run_aside(lambda: self._build_or_extend(stamp, messages, before))
        self.cache.put(_key(scope), now)
        return now, _step(how, now)

    def __len__(self) -> int:
        """How many are held."""
        return len(self.cache)

    @property
    def bytes(self) -> int:
        """About what they take together."""
        return self.cache.bytes

    def _build_or_extend(
        self, stamp: HistoryVersion, messages: Sequence[Message], before: OpenHistory | None
    ) -> tuple[OpenHistory, str]:
        size = before.index.size if before else 0
        if before is None or tuple(messages[:size]) != before.index.messages:
            return OpenHistory(stamp, build_history(messages, self._table)), "built"
        return before.extend(stamp, messages[size:]), "extended"


def _key(scope: Scope) -> tuple[str, str]:
    return scope.tenant, scope.user


def _step(how: str, history: OpenHistory) -> Step:
    return Step("history", how, Phrase("{count} messages", count=history.index.size))


# How one question is answered: by which vectors, and why by these.


def choose_strategy(settings: HistorySettings, count: int) -> Step:
    """The strategy for a history of so many messages: ``chosen`` is a ``SearchStrategy`` (seed 003)."""
    if settings.type == "none":
        return Step("strategy", "none", "type is none: words only")
    if settings.type == "pgvector":
        why = Phrase("type is pgvector: the column {column} has the vectors", column=settings.embedding_field)
        return Step("strategy", "pgvector", why)
    if settings.strategy != "auto":
        return Step("strategy", settings.strategy, "as configured")
    low, high = settings.lazy_below, settings.batch_above
    if count < low:
        few = Phrase("{count} messages, fewer than {low}: all are embedded when asked", count=count, low=low)
        return Step("strategy", "lazy", few)
    if count > high:
        many = "{count} messages, more than {high}: all are embedded beforehand"
        return Step("strategy", "batch", Phrase(many, count=count, high=high))
    some = "{count} messages, {low} to {high}: those are embedded that words put first"
    return Step("strategy", "hybrid", Phrase(some, count=count, low=low, high=high))


def strategy_of(step: Step) -> SearchStrategy:
    """What was chosen, in its type."""
    return cast("SearchStrategy", step.chosen)
