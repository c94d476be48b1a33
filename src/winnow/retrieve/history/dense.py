"""Dense scores of a history by each strategy, and the cutoff below which a candidate is not worth showing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from sys import getsizeof
from threading import Lock, Thread, current_thread
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from winnow.errors import EmbedderError, ModelError, Phrase, WinnowError
from winnow.ports.services import CachedEmbedder, Embedder, HostVectors, gather_both, run_aside, run_blocking
from winnow.ports.stores import Messages
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import likely_rows, question_texts
from winnow.types.candidate import Candidate, Dropped, Search, Step
from winnow.types.lru import LruCache
from winnow.types.message import HistorySettings, HistoryVersion, Message, SearchStrategy
from winnow.types.scope import IsGone, Scope

# Histories held open between questions, and the strategy by which one is searched.


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


# Background embedding: vectors made in threads of this process, so that nobody waits for them.


MAX_BATCH_TEXTS = 256
"""Texts asked for in one go: what is made by then is kept when the process ends in between."""
MAX_PERSONS_AT_ONCE = 2
"""Persons whose vectors are made at the same time."""
Person = tuple[str, str]
"""Tenant and user."""


class BackgroundEmbedder:
    """Makes the vectors of a few persons at a time; it ends with the process, and what it made is kept."""

    def __init__(self, vectoriser: CachedEmbedder) -> None:
        self._vectoriser, self._lock = vectoriser, Lock()
        self._asked: dict[Person, tuple[Scope, Sequence[str]]] = {}
        """In order; those being made among them."""
        self._made: set[Person] = set()
        """Those being made."""
        self._threads: list[Thread] = []

    def __call__(self, scope: Scope, texts: Sequence[str]) -> str:
        """See to it, where nobody does yet."""
        person = scope.tenant, scope.user
        with self._lock:
            if person in self._asked:
                return "being made"
            self._asked[person] = scope, texts
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            if len(self._threads) < MAX_PERSONS_AT_ONCE:
                self._threads.append(Thread(target=self._work, daemon=True, name="warming"))
                self._threads[-1].start()
        return "begun"

    def drop(self, is_gone: IsGone) -> None:
        """What was asked for these persons is not made any more; a batch on its way is the last."""
        with self._lock:
            gone = [person for person, asked in self._asked.items() if is_gone(asked[0])]
            for person in gone:
                del self._asked[person]

    def wait(self) -> None:
        """Until nothing is being made any longer."""
        for thread in list(self._threads):
            thread.join()

    def _work(self) -> None:
        """One person after the other, while there are any."""
        while (person := self._next()) is not None:
            try:
                self._make(person)
            finally:
                with self._lock:
                    self._asked.pop(person, None)
                    self._made.discard(person)

    def _next(self) -> Person | None:
        """Whose turn it is; None: nobody's, and the thread ends."""
        with self._lock:
            person = next((one for one in self._asked if one not in self._made), None)
            if person is None:
                self._threads.remove(current_thread())  # before anybody else is asked for
            else:
                self._made.add(person)
            return person

    def _make(self, person: Person) -> None:
        """Batch by batch, while they are wanted."""
        start = 0
        with suppress(WinnowError):  # a question that needs them tells, and begins anew
            while asked := self._asked.get(person):
                scope, texts = asked
                if start >= len(texts):
                    return
                run_blocking(self._vectoriser.vectors(scope, texts[start : start + MAX_BATCH_TEXTS]))
                start += MAX_BATCH_TEXTS


# Dense scores of a history by each strategy, and the cutoff below which a candidate is not worth showing.


COMPLETE = 1.0


class BackgroundEmbedding(Protocol):
    """Makes vectors in the background."""

    def __call__(self, scope: Scope, texts: Sequence[str]) -> str:
        """See to it that these have vectors some time; what is done about it, in a word. Returns at once."""


@dataclass(frozen=True, slots=True)
class DenseServices:
    """What a strategy may ask beside the messages themselves."""

    settings: HistorySettings
    vectoriser: CachedEmbedder
    warming: BackgroundEmbedding
    neighbours: HostVectors | None = None


@dataclass(frozen=True, slots=True)
class HistoryQuestion:
    """One question to one person's history."""

    search: Search
    scope: Scope
    history: OpenHistory
    outside: DenseServices

    @property
    def texts(self) -> tuple[str, ...]:
        """What of the question is to be compared."""
        return question_texts(self.search, self.history.index)


@dataclass(frozen=True, slots=True)
class DenseScores:
    """Cosines of each part of the question with each message, 0 where unknown; None: words alone decide."""

    cosines: Floats | None = None
    steps: tuple[Step, ...] = ()


async def dense_scores(asked: HistoryQuestion, strategy: SearchStrategy) -> DenseScores:
    """The cosines by that strategy. A model that fails leaves the words, and a step that says so.

    Raises StoreError.
    """
    try:
        return await _STRATEGIES[strategy](asked)
    except (ModelError, EmbedderError) as error:
        return DenseScores(None, (Step("degraded", "words", Phrase("vectors: {why}", why=error.message)),))


async def _no_scores(asked: HistoryQuestion) -> DenseScores:
    return DenseScores()


async def _lazy_scores(asked: HistoryQuestion) -> DenseScores:
    """The vectors of all messages."""
    rows = np.arange(asked.history.index.size)
    return await _cosines_of(asked, rows)


async def _hybrid_scores(asked: HistoryQuestion) -> DenseScores:
    """The vectors of those messages that words put first."""
    settings, index = asked.outside.settings, asked.history.index
    wanted = settings.top_k * settings.candidate_factor
    rows = await run_aside(lambda: likely_rows(asked.search, index, wanted))
    return await _cosines_of(asked, rows)


async def _batch_scores(asked: HistoryQuestion) -> DenseScores:
    """The vectors that were made beforehand; until all are there as hybrid, with a call for the others."""
    # Take in what is known by now of what was not
    history = asked.history
    inner_missing = history.rows_without_vector(np.arange(history.index.size))
    if len(inner_missing):
        vectors, known = await asked.outside.vectoriser.cached_vectors(
            asked.scope, history.texts(inner_missing)
        )
        history.add_vectors(inner_missing[known], vectors[known])
    warm = float(asked.history.has_vector.mean()) if asked.history.index.size else COMPLETE
    if warm == COMPLETE:
        return await _cosines_of(asked, np.zeros(0, np.intp))
    missing = asked.history.rows_without_vector(np.arange(asked.history.index.size))
    how = asked.outside.warming(asked.scope, asked.history.texts(missing))
    found = await _hybrid_scores(asked)
    step = Step("warm", f"{warm:.0%}", Phrase("answered as hybrid; the others: {how}", how=how))
    return DenseScores(found.cosines, (step, *found.steps))


async def _host_scores(asked: HistoryQuestion) -> DenseScores:
    """The host's own similarities of the messages nearest to each part of the question. Raises StoreError."""
    settings, neighbours = asked.outside.settings, asked.outside.neighbours
    assert neighbours is not None, "wiring gives the neighbours"
    vectors = await asked.outside.vectoriser.vectors(asked.scope, asked.texts, "question")
    wanted = settings.top_k * settings.candidate_factor
    cosines = np.zeros((len(vectors), asked.history.index.size), np.float32)
    found: set[str] = set()
    for row, vector in zip(cosines, vectors, strict=True):
        near = await neighbours.nearest(asked.scope, vector, wanted)
        found |= near.keys()
        # The similarities to their rows; a message that came meanwhile has none
        for key, similarity in near.items():
            if (inner_row := asked.history.rows.get(key)) is not None:
                row[inner_row] = similarity
    step = Step("vectors", f"{len(found)}", "nearest in the host's table")
    return DenseScores(cosines, (step,))


_STRATEGIES: Mapping[SearchStrategy, Callable[[HistoryQuestion], Awaitable[DenseScores]]] = {
    "none": _no_scores,
    "lazy": _lazy_scores,
    "hybrid": _hybrid_scores,
    "batch": _batch_scores,
    "pgvector": _host_scores,
}


async def _cosines_of(asked: HistoryQuestion, rows: Rows) -> DenseScores:
    """The question beside all messages whose vectors are known, those of ``rows`` among them."""
    history, vectoriser = asked.history, asked.outside.vectoriser
    missing = history.rows_without_vector(rows)
    vectoriser.count_reuse(asked.scope, int(history.has_vector.sum()))
    question = vectoriser.vectors(asked.scope, asked.texts, "question")
    _, vectors = await gather_both(_embed_missing(asked, missing), question)
    fetched = Phrase("{count} of them fetched now", count=len(missing))
    step = Step("vectors", f"{int(history.has_vector.sum())}", fetched)
    return DenseScores(history.cosines(vectors), (step,))


async def _embed_missing(asked: HistoryQuestion, missing: Rows) -> None:
    """Have the vectors of these made."""
    history = asked.history
    if len(missing):
        made = await asked.outside.vectoriser.vectors(asked.scope, history.texts(missing))
        history.add_vectors(missing, made)


# What of a ranking is worth a reader's time: the smallest context that is enough.


IN_DIALOGUE = "part of this talk"
BELOW_CUTOFF = "far behind the best"


def apply_cutoff(
    source: str, candidates: Sequence[Candidate], seen: Collection[str], least_share: float
) -> tuple[tuple[Candidate, ...], tuple[Dropped, ...]]:
    """Those to show, best first, and those left out with the reason.

    ``seen``: texts that whoever asks has before them anyway. ``least_share``: of the best score, what a
    candidate must have at least.
    """
    before = {text.strip() for text in seen}
    least = least_share * max((c.score for c in candidates), default=0.0)
    found: list[tuple[str, str]] = []
    for candidate in candidates:
        if message_text(candidate) in before:
            found.append((candidate.ref.id, IN_DIALOGUE))
        elif candidate.score < least:
            found.append((candidate.ref.id, BELOW_CUTOFF))
    dropped = dict(found)
    kept = tuple(c for c in candidates if c.ref.id not in dropped)
    return kept, tuple(Dropped(id_, source, reason) for id_, reason in dropped.items())


def message_text(candidate: Candidate) -> str:
    """The text of a message."""
    data = candidate.data
    return str(data["text"]).strip() if isinstance(data, dict) else ""
