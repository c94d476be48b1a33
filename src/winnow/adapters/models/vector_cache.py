"""A cache of vectors: in memory, in the store, and by a model for what is missing.

What is missing is embedded by threads of its own, so that it is finished and kept even when whoever asked is
cancelled, and is shared by all who ask for it meanwhile, in whatever thread or event loop they are.
"""

from __future__ import annotations

import asyncio
import atexit
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock
from time import monotonic
from typing import TypeVar
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from winnow.adapters.models import openai_protocol
from winnow.adapters.models.embedders import FloatRows
from winnow.adapters.models.openai import prefixes_of
from winnow.errors import StoreBusy, StoreError
from winnow.ports.services import Embedder, is_in_event_loop, run_blocking
from winnow.ports.stores import Vectors
from winnow.retrieve.embedding_batches import EmbeddingLimits, balanced_batches, truncated_text
from winnow.types.lru import LruCache
from winnow.types.scope import IsGone, Scope
from winnow.types.vector import CacheReport, Space, Tally, TextKind, text_key

# What a cache counts, by tenant, and what of it the store was told.

REPORT_SECONDS = 30.0
"""Seconds between two times the store is told: at most one row a tenant is written then."""


class CacheCounts:
    """Shared among threads. The store is told the difference each time, so that many processes add up."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._lock, self._clock, self._due = Lock(), clock, clock()
        self._total = Tally()
        self._new: dict[str, Tally] = defaultdict(Tally)

    def add(self, scope: Scope, **more: int) -> None:
        """Count these of the tenant."""
        with self._lock:
            self._total += Tally(**more)
            self._new[scope.tenant] += Tally(**more)

    def total(self) -> Tally:
        """What was counted of all tenants together, also while the store is being told of it."""
        with self._lock:
            return self._total

    def is_due(self) -> bool:
        """Whether the store is to be told; once it is said, not again for a while."""
        with self._lock:
            due = self._clock() >= self._due
            if due:
                self._due = self._clock() + REPORT_SECONDS
            return due

    def report(self, kept: Vectors, space: Space) -> None:
        """Tell the store what it was not told yet. What it does not take is told another time."""
        with self._lock:
            new, self._new = self._new, defaultdict(Tally)
        for tenant, tally in new.items():
            try:
                taken = run_blocking(kept.tell(Scope(tenant), space, tally))
            except StoreError:
                taken = False
            if not taken:
                with self._lock:
                    self._new[tenant] += tally


# Vectors in memory: those used last stay, by their number and by the bytes they take.

MAX_ENTRIES = 100_000
MAX_BYTES = 256 * 1024 * 1024
ENTRY_OVERHEAD_BYTES = 330
"""Bytes of an entry beside its numbers: the array, the key and their places. Measured by tracemalloc."""

VectorKey = tuple[str, str]
"""Tenant and text."""


def recent_vectors(entries: int = MAX_ENTRIES, size: int = MAX_BYTES) -> LruCache[VectorKey, FloatRows]:
    """A memory of at most ``entries`` vectors and ``size`` bytes."""
    return LruCache(entries, size, lambda row: row.nbytes + ENTRY_OVERHEAD_BYTES)


FutureResult = TypeVar("FutureResult")
VectorRows = dict[str, FloatRows]
"""Key -> vector."""
STORE_ATTEMPTS = 5
"""How often a busy store is asked to keep what was paid for; each time it waits as it is set to."""
_OPEN: WeakSet[CachedVectors] = WeakSet()
QUESTION_MARK = "?"
"""Stands before the key of a question, where the model tells questions and passages apart."""


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingFlight:
    """A batch on its way through the model: ``texts`` by key, and the rows it will bring."""

    scope: Scope
    kind: TextKind
    texts: Mapping[str, str]
    rows: Future[VectorRows] = field(default_factory=Future)
    is_forgotten: Event = field(default_factory=Event)
    """Set where whose texts they are was forgotten: then nothing of it is kept."""


class CachedVectors:
    """A ``Vectoriser``: ``embedder`` behind a memory, and behind ``kept`` where vectors outlive the process.

    Vectors of one tenant are never given to another. A model that begins to give vectors of another length
    under the same name is told (ModelError), since they cannot be compared with those kept.
    """

    def __init__(
        self,
        embedder: Embedder,
        kept: Vectors | None = None,
        *,
        limits: EmbeddingLimits | None = None,
        recent: LruCache[VectorKey, FloatRows] | None = None,
    ) -> None:
        self.embedder, self.store, self.limits = embedder, kept, limits or EmbeddingLimits()
        self._recent = recent_vectors() if recent is None else recent  # an empty one is false
        self._prefixes = prefixes_of(embedder.name)
        self._mark = "" if self._prefixes["question"] == self._prefixes["passage"] else QUESTION_MARK
        self._lock, self._dimension = Lock(), 0
        self._counts, self._closed = CacheCounts(), False
        self._flights: dict[tuple[str, str], EmbeddingFlight] = {}
        self._pool = ThreadPoolExecutor(self.limits.concurrency, thread_name_prefix="vectors")
        if kept is not None:
            # The store is told before the process ends, which may be sooner than it is due.
            atexit.unregister(report_all_counts)  # once is enough
            atexit.register(report_all_counts)
            _OPEN.add(self)

    async def vectors(self, scope: Scope, texts: Sequence[str], kind: TextKind = "passage") -> FloatRows:
        """One row of length 1 per text, in order: shape ``(len(texts), dimension)``.

        Raises ModelError, EmbedderError and whatever else the embedder raises, StoreError; batches that went
        well by then are kept.
        """
        if not texts:
            return np.zeros((0, self._dimension or self.embedder.dimension), np.float32)
        keys = self._keys(texts, kind)
        wanted = dict(zip(keys, texts, strict=True))
        self._counts.add(scope, **{"asked" if kind == "passage" else "questions": len(wanted)})
        found = self._memory_rows(scope, wanted, kind)
        found |= await self._store_rows(scope, [key for key in wanted if key not in found], kind)
        found |= await self._model_rows(scope, {k: t for k, t in wanted.items() if k not in found}, kind)
        self._report_counts_if_due()
        return np.stack([found[key] for key in keys])

    async def cached_vectors(
        self, scope: Scope, texts: Sequence[str]
    ) -> tuple[FloatRows, npt.NDArray[np.bool_]]:
        """The rows of passages that need no model, zeros for the others, and which they are.

        Shape ``(len(texts), dimension)``, without columns before the first vector of the model. What is not
        known does not count as asked for. Raises StoreError.
        """
        if self.store is None and not self._recent:
            return np.zeros((len(texts), self._dimension), np.float32), np.zeros(len(texts), np.bool_)
        keys = self._keys(texts, "passage")
        found = self._memory_rows(scope, dict.fromkeys(keys), "passage")
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        stored = await self._store_rows(scope, missing, "passage", count=False)
        # Counted as if these, and no others, had been asked for.
        self._counts.add(scope, asked=len(found) + len(stored), store=len(stored))
        found |= stored
        have = np.fromiter((key in found for key in keys), np.bool_, len(keys))
        rows = np.zeros((len(keys), self._dimension), np.float32)
        if found:
            rows[have] = [found[key] for key in keys if key in found]
        return rows, have

    def count_reuse(self, scope: Scope, count: int) -> None:
        """Count so many passages as asked for and found in memory: their vectors were kept from before."""
        self._counts.add(scope, asked=count, memory=count)

    async def space(self, scope: Scope) -> Space:
        """Where the tenant's vectors of this model are; its dimension is 0 while there are none."""
        if not self._dimension and self.store is not None:
            # Asking the model for the length of its vectors would be a request more; whoever has vectors of
            # it knows, and without any there is nothing to be found.
            self._dimension = self._length(await self.store.spaces(scope))
        return Space(self.embedder.name, self.embedder.version, self._dimension)

    def make(self, scope: Scope, texts: Mapping[str, str]) -> None:
        """Have passages embedded in one request, and keep their vectors by the keys given; this blocks.

        They go past the memory, which is for what is asked. Raises what the embedder raises, StoreError.
        """
        rows = self._embed(scope, texts, "passage")
        self._counts.add(scope, made=len(rows), calls=1)
        if self.store is not None:
            _store_with_retries(self.store, scope, self._space(), rows)
        self._report_counts_if_due()

    def drop(self, is_gone: IsGone) -> None:
        """Forget what is in memory: keys do not tell whose they are. What is on its way is not kept."""
        with self._lock:
            self._recent.clear()
            for flight in self._flights.values():
                if is_gone(flight.scope):
                    flight.is_forgotten.set()

    def report(self) -> CacheReport:
        """What the cache of this process did, and what it holds."""
        with self._lock:
            return CacheReport(
                self.embedder.name,
                self.embedder.version,
                self._dimension,
                self._counts.total(),
                len(self._recent),
                self._recent.bytes,
                self._recent.most,
                int(self._recent.most_bytes),
                self.store is not None,
            )

    def close(self) -> None:
        """Wait for what is being embedded, tell the store what was counted, and let the threads go.

        Whoever still asks embeds in the own thread.
        """
        self._closed = True
        self._pool.shutdown()
        self.report_counts()

    def report_counts(self) -> None:
        """Tell the store what was counted since it was told last; this blocks."""
        if self.store is not None and self._dimension:
            self._counts.report(self.store, self._space())

    def _keys(self, texts: Sequence[str], kind: TextKind) -> list[str]:
        mark = self._mark if kind == "question" else ""
        return [mark + text_key(text) for text in texts]

    def _space(self) -> Space:
        return Space(self.embedder.name, self.embedder.version, self._dimension)

    def _report_counts_if_due(self) -> None:
        """Now and then the store is told what was counted, behind the back of whoever asked."""
        if self.store is not None and self._dimension and not self._closed and self._counts.is_due():
            self._pool.submit(self._counts.report, self.store, self._space())

    def _recent_rows(self, scope: Scope, keys: Iterable[str]) -> VectorRows:
        rows = ((key, self._recent.get((scope.tenant, key))) for key in keys)
        return {key: row for key, row in rows if row is not None}

    def _memory_rows(self, scope: Scope, keys: Iterable[str], kind: TextKind) -> VectorRows:
        """Those in memory."""
        found = self._recent_rows(scope, keys)
        if kind == "passage":
            self._counts.add(scope, memory=len(found))
        return found

    async def _store_rows(
        self, scope: Scope, keys: Sequence[str], kind: TextKind, *, count: bool = True
    ) -> VectorRows:
        """Those in the store, which are in memory from now on."""
        if self.store is None or kind == "question" or not keys:
            return {}
        space = await self.space(scope)
        if not space.dimension:
            return {}
        got = await self.store.get(scope, space, keys)
        found = {key: row for key, row in got.items() if row is not None}
        self._memorize(scope, found)
        if count:
            self._counts.add(scope, store=len(found), damaged=len(got) - len(found))
        return found

    def _memorize(self, scope: Scope, rows: VectorRows) -> None:
        """They are in memory from now on."""
        with self._lock:
            evicted = sum(self._recent.put((scope.tenant, key), row) for key, row in rows.items())
        self._counts.add(scope, evicted=evicted)

    def _length(self, spaces: Iterable[Space]) -> int:
        """The length of this model's vectors, by those that are kept; 0 when there are none."""
        ours = (self.embedder.name, self.embedder.version)
        return next((space.dimension for space in spaces if (space.name, space.version) == ours), 0)

    async def _model_rows(self, scope: Scope, texts: Mapping[str, str], kind: TextKind) -> VectorRows:
        """The rows of texts that were neither in memory nor in the store. Raises what the embedder raises."""
        if not texts:
            return {}
        found, flights = self._board(scope, texts, kind)
        futures = [flight.rows for flight in flights]
        if is_in_event_loop():
            landed = await asyncio.gather(*map(asyncio.wrap_future, futures), return_exceptions=True)
        else:
            landed = [future.exception() or future.result() for future in futures]
        for rows in landed:
            if isinstance(rows, BaseException):
                raise rows
            found |= rows
        return found

    def _board(
        self, scope: Scope, texts: Mapping[str, str], kind: TextKind
    ) -> tuple[VectorRows, list[EmbeddingFlight]]:
        """What has come into memory meanwhile, and the flights that bring the rest; new ones take off."""
        with self._lock:
            found = self._recent_rows(scope, texts)
            missing = {key: text for key, text in texts.items() if key not in found}
            flights = ((key, self._flights.get((scope.tenant, key))) for key in missing)
            joined = {key: flight for key, flight in flights if flight is not None}
            new = self._announce(scope, {k: t for k, t in missing.items() if k not in joined}, kind)
        if kind == "passage":
            self._counts.add(scope, joined=len(joined) + len(found))
        self._start_flights(new)
        return found, list(dict.fromkeys([*joined.values(), *new]))

    def _start_flights(self, flights: Sequence[EmbeddingFlight]) -> None:
        """Embed each in a thread of its own, or here and now. Raises what the embedder raises here."""
        left = deque(flights)
        try:
            while left:
                next_one = left.popleft()
                if not self._closed and (self.limits.aside or is_in_event_loop()):
                    self._pool.submit(self._embed_flight, next_one)
                else:
                    self._embed_flight(next_one)
        except BaseException as error:
            for flight in left:  # nobody is to wait for what will not come
                self._end_flight(flight)
                flight.rows.set_exception(error)
            raise

    def _announce(self, scope: Scope, texts: Mapping[str, str], kind: TextKind) -> list[EmbeddingFlight]:
        """New flights for these texts, which others find from now on."""
        new = []
        for batch in balanced_batches(list(texts.items()), self.limits, lambda item: item[1]):
            flight = EmbeddingFlight(scope, kind, dict(batch))
            flight.rows.set_running_or_notify_cancel()  # nobody who only waits can call it off
            self._flights.update(dict.fromkeys(((scope.tenant, key) for key in flight.texts), flight))
            new.append(flight)
        return new

    def _embed_flight(self, flight: EmbeddingFlight) -> None:
        """Embed a batch, keep its vectors, and tell all who wait for them."""
        try:
            rows = self._embed(flight.scope, flight.texts, flight.kind)
        except BaseException as error:
            self._counts.add(flight.scope, calls=1, failed=1)
            self._end_flight(flight)
            flight.rows.set_exception(error)
            raise
        made = len(rows) if flight.kind == "passage" else 0
        self._counts.add(flight.scope, calls=1, made=made)
        if not flight.is_forgotten.is_set():
            # A store that takes none costs money, not answers: it is counted.
            if self.store is not None and flight.kind != "question":
                try:
                    run_blocking(self.store.put(flight.scope, self._space(), rows))
                except StoreError:
                    self._counts.add(flight.scope, unkept=len(rows))
            self._memorize(flight.scope, rows)
        self._end_flight(flight)
        flight.rows.set_result(rows)

    def _embed(self, scope: Scope, texts: Mapping[str, str], kind: TextKind) -> VectorRows:
        """What the model makes of them in one go. Raises what it raises, and ModelError of ``_check``."""
        prefix = self._prefixes[kind]
        made = self.embedder.embed([truncated_text(prefix + text, self.limits) for text in texts.values()])
        length = made.shape[1]
        if self.store is not None and length != self._dimension:
            before = self._length(run_blocking(self.store.spaces(scope)))  # they may have been forgotten
            if before != self._dimension:
                with self._lock:
                    self._recent.clear()
                    self._dimension = before
        if self._dimension not in (0, length):
            raise openai_protocol.dimension_error(self.embedder.name, self._dimension, length)
        self._dimension = length
        return {key: np.array(row) for key, row in zip(texts, made, strict=True)}

    def _end_flight(self, flight: EmbeddingFlight) -> None:
        """The flight is over: what it brought is in memory, and nobody joins it any longer."""
        with self._lock:
            for key in flight.texts:
                self._flights.pop((flight.scope.tenant, key), None)


def _store_with_retries(kept: Vectors, scope: Scope, space: Space, rows: VectorRows) -> None:
    """Store what was paid for: a store that is busy is asked again. Raises StoreError."""
    for _ in range(STORE_ATTEMPTS - 1):
        try:
            return run_blocking(kept.put(scope, space, rows))
        except StoreBusy:
            continue
    return run_blocking(kept.put(scope, space, rows))


def report_all_counts() -> None:
    """Tell every store what was counted since it was told last."""
    for cache in list(_OPEN):
        cache.report_counts()
