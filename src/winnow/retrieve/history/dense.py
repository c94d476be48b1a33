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
from winnow.ports.stores import MessageChanges, Messages
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import likely_rows, question_texts
from winnow.retrieve.history.talks import microseconds
from winnow.types.candidate import Candidate, Dropped, Search, Step
from winnow.types.lru import LruCache
from winnow.types.message import HistoryChanges, HistorySettings, HistoryVersion, Message, SearchStrategy
from winnow.types.scope import IsGone, Scope

# Histories held open between questions, and the strategy by which one is searched.


Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.signedinteger]
MAX_OPEN_HISTORIES = 1_000
"""Histories held open, at most."""
MAX_HISTORY_BYTES = 512 * 1024 * 1024
"""What they may take together."""


# What an indexed history takes in memory, by looking at what it is made of.

ENTRY_BYTES = 130
"""Bytes of an entry of a dictionary of short texts: its places, the text, a number. Measured."""
MESSAGE_BYTES = 330
"""Bytes of a message beside its text: the object, its id, time and conversation. Measured."""


def footprint(index: HistoryIndex) -> int:
    """Bytes of an index beside its messages. The embedder is taken to be there anyway."""
    vocabulary = index.words.vocabulary
    entries = len(vocabulary.words) + 2 * len(vocabulary.numbers) + len(vocabulary.conversations)
    return ENTRY_BYTES * entries + sum({id(a): a.nbytes + getsizeof(None) for a in _arrays(index)}.values())


def _arrays(value: object) -> Iterator[npt.NDArray[Any]]:
    """All arrays of a value of dataclasses, mappings and tuples of them."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        for held in value.values():
            yield from _arrays(held)
    elif is_dataclass(value):
        for one in fields(value):
            held = getattr(value, one.name)
            if one.name == "segments":
                for part in held:
                    yield from _arrays(part)
            else:
                yield from _arrays(held)


def message_bytes(messages: Sequence[Message]) -> int:
    """Bytes of messages."""
    return sum(MESSAGE_BYTES + getsizeof(message.content) for message in messages)


class SlotVectors:
    """The vectors of a history by slot, shared by all indexes made of it.

    Those of another length replace all.
    """

    def __init__(self, vectors: Floats, known: npt.NDArray[np.bool_]) -> None:
        self._lock, self.rows, self.known = Lock(), vectors, known

    def put(self, slots: Rows, vectors: Floats) -> None:
        """Keep a vector for each of the slots."""
        with self._lock:
            if vectors.shape[1] != self.rows.shape[1]:
                self.known = np.zeros(len(self.known), np.bool_)
                self.rows = np.zeros((len(self.known), vectors.shape[1]), np.float32)
            if len(slots) and (more := int(slots.max()) + 1 - len(self.known)) > 0:
                self._grow(more)
            self.rows[slots] = vectors
            self.known[slots] = True

    def grow(self, size: int) -> None:
        """Make room for so many slots."""
        with self._lock:
            if (more := size - len(self.known)) > 0:
                self._grow(more)

    def forget(self, slots: Rows) -> None:
        """Nothing is kept of these."""
        with self._lock:
            self.known[slots], self.rows[slots] = False, 0

    def _grow(self, more: int) -> None:
        """Room for many is made at once, so that a new message does not copy all others."""
        more = max(more, len(self.known) // 8)
        self.known = np.concatenate([self.known, np.zeros(more, np.bool_)])
        self.rows = np.concatenate([self.rows, np.zeros((more, self.rows.shape[1]), np.float32)])


class OpenHistory:
    """One person's messages, indexed, and those of their vectors that are known."""

    def __init__(
        self,
        stamp: HistoryVersion,
        index: HistoryIndex,
        vectors: SlotVectors | None = None,
        text_bytes: int | None = None,
    ) -> None:
        self.stamp, self.index = stamp, index
        size = len(index.words.rows)
        self._vectors = vectors or SlotVectors(np.zeros((size, 0), np.float32), np.zeros(size, np.bool_))
        self._vectors.grow(size)
        self._text_bytes = message_bytes(index.messages) if text_bytes is None else text_bytes
        self._size = footprint(index)

    @property
    def bytes(self) -> int:
        """About what it takes in memory, rather more than less."""
        return self._size + self._text_bytes + self._vectors.rows.nbytes + self._vectors.known.nbytes

    @property
    def has_vector(self) -> npt.NDArray[np.bool_]:
        """Which rows have a vector."""
        return self._vectors.known[self.index.words.slots]

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
        if len(rows) and vectors.shape[1]:
            self._vectors.put(self.index.words.slots[rows], vectors)

    def cosines(self, questions: Floats) -> Floats:
        """Of each question with each message: shape ``(questions, messages)``, 0 where no vector is known."""
        slots, vectors = self.index.words.slots, self._vectors.rows
        if questions.shape[1] != vectors.shape[1]:
            return np.zeros((len(questions), self.index.size), np.float32)
        # Each by itself: for several BLAS would wake its threads, which takes longer where others work too
        found = np.array([vectors[: len(self.index.words.rows)] @ one for one in questions], np.float32)
        return found if self.index.words.in_order else found[:, slots]

    def change(self, stamp: HistoryVersion, gone: Rows, places: Rows, more: Sequence[Message]) -> OpenHistory:
        """As ``HistoryIndex.change``; of what stays nothing is read or embedded anew."""
        index = self.index.change(gone, places, more)
        lost = [self.index.messages[row] for row in gone.tolist()]
        text_bytes = self._text_bytes + message_bytes(more) - message_bytes(lost)
        self._vectors.forget(self.index.words.slots[gone])
        return OpenHistory(stamp, index, self._vectors, text_bytes)

    def apply(self, changes: HistoryChanges) -> OpenHistory | None:
        """The history after these changes; None where it cannot be told in which order messages stand."""
        new, old = changes.messages, self.index.messages
        gone = [row for row, m in enumerate(old) if m.id in changes.gone] if changes.gone else []
        if len(old) - len(gone) + len(new) != changes.version.count:
            return None
        times, known = self.index.columns.at, {old[row].id: row for row in gone}
        kept_times = np.delete(times, gone)
        at = microseconds(new)
        places = np.searchsorted(kept_times, at, side="right")
        for number, message in enumerate(new):
            if message.id not in known:
                continue
            # It kept its place among messages of the same moment, which only the store knows.
            if (kept_times == at[number]).any() or np.count_nonzero(at == at[number]) > 1:
                return None
        return self.change(changes.version, np.array(gone, np.int32), places.astype(np.int32), new)

    def become(self, stamp: HistoryVersion, messages: Sequence[Message]) -> OpenHistory | None:
        """The history of these messages, where most of them stand as they did; None where they do not."""
        old = self.index.messages
        begin = next((n for n, (a, b) in enumerate(zip(old, messages, strict=False)) if a != b), None)
        begin = min(len(old), len(messages)) if begin is None else begin
        left = min(len(old), len(messages)) - begin
        backwards = zip(reversed(old), reversed(messages), strict=False)
        same_end = next((n for n, (a, b) in enumerate(backwards) if a != b or n >= left), left)
        gone = np.arange(begin, len(old) - same_end, dtype=np.int32)
        more = messages[begin : len(messages) - same_end]
        if len(gone) + len(more) > max(len(old), len(messages)) // 2:
            return None
        return self.change(stamp, gone, np.full(len(more), begin, np.int32), more)

    @property
    def is_worn(self) -> bool:
        """Whether more of it is about messages that are gone than about those that are there."""
        return len(self.index.words.rows) > 2 * self.index.size + MIN_WORN_SLOTS


MIN_WORN_SLOTS = 1000
"""Messages that may be gone whatever else there is, before a history is read anew without them."""


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
        changed = await self._changed_history(scope, before) if before is not None else None
        if changed is None:
            # Whatever changes between the stamp and the rows is read again next time: the stamp is older.
            messages = [message async for some in self._messages.stream(scope) for message in some]
            now, how = await run_aside(lambda: self._build_or_change(stamp, messages, before))
        else:
            now, how = changed, "extended"
        self.cache.put(_key(scope), now)
        return now, _step(how, now)

    async def _changed_history(self, scope: Scope, before: OpenHistory) -> OpenHistory | None:
        """The history as it is now, by what is told of changes; None where all must be read."""
        if before.is_worn or not isinstance(self._messages, MessageChanges):
            return None
        changes = await self._messages.changes(scope, before.stamp)
        return await run_aside(lambda: before.apply(changes)) if changes is not None else None

    def __len__(self) -> int:
        """How many are held."""
        return len(self.cache)

    @property
    def bytes(self) -> int:
        """About what they take together."""
        return self.cache.bytes

    def _build_or_change(
        self, stamp: HistoryVersion, messages: Sequence[Message], before: OpenHistory | None
    ) -> tuple[OpenHistory, str]:
        now = before.become(stamp, messages) if before is not None and not before.is_worn else None
        if now is not None:
            return now, "extended"
        return OpenHistory(stamp, build_history(messages, self._table)), "built"


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
    history, settings = asked.history, asked.outside.settings
    missing = history.rows_without_vector(np.arange(history.index.size))
    if len(missing):
        vectors, known = await asked.outside.vectoriser.cached_vectors(asked.scope, history.texts(missing))
        history.add_vectors(missing[known], vectors[known])
        missing = missing[~known]
    # What is missing after a few new messages costs no more than what ``hybrid`` would have embedded.
    if len(missing) <= settings.top_k * settings.candidate_factor:
        return await _cosines_of(asked, missing)
    warm = float(history.has_vector.mean())
    found = await _hybrid_scores(asked)  # first: whoever makes the others would take its processor
    how = asked.outside.warming(asked.scope, history.texts(missing))
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
