"""Vectors of messages made before anybody asks: what is missing, and nothing else, batch by batch.

Each batch is announced before it is sent (a claim), and its vectors are stored, with the end of the claim, in
the moment they arrive. So nothing that arrived is ever asked for again, however a run ends; of what was on
its way when it ended, the next run sends the same batches once more, in the same order.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Protocol

from winnow.errors import ClusterError, ModelError, Phrase, WinnowError, install_hint
from winnow.language.tokens import count_tokens
from winnow.ports.stores import Claims, Clock, Messages, Vectors
from winnow.retrieve.embedding_batches import EmbeddingLimits, first_batch
from winnow.types.scope import Scope
from winnow.types.vector import Claim, Space, text_key

TextsByKey = Mapping[str, str]
"""Key -> text, in the order of a request."""
REFUSED_STATUSES = (400, 413, 422)
"""What a server answers to a text that it will never take; it may take the others of a batch."""
POLL_SECONDS = 0.5
"""Seconds between two looks whether another process is done."""
LEASE_SECONDS = 60.0
"""Seconds after which a request must have ended, where the embedder tells nothing shorter."""


class VectorMaker(Protocol):
    """Makes vectors of passages and keeps them."""

    async def space(self, scope: Scope) -> Space:
        """Where the tenant's vectors are; its dimension is 0 while there are none."""

    def make(self, scope: Scope, texts: TextsByKey) -> None:
        """Have these embedded in one request and kept by their keys; this blocks. Raises WinnowError."""


@dataclass(frozen=True, slots=True)
class EmbeddingWork:
    """Whose messages are read, where vectors are kept, and who makes them."""

    messages: Messages
    vectors: Vectors
    claims: Claims
    maker: VectorMaker
    clock: Clock


@dataclass(frozen=True, slots=True)
class EmbeddingPace:
    """How fast it may go."""

    limits: EmbeddingLimits = field(default_factory=EmbeddingLimits)
    """Of one request, and how many are under way at one time."""
    rate: float = 0.0
    """Texts a second; 0: as many as the server answers."""
    lease: float = LEASE_SECONDS
    """Seconds after which an announced request has surely ended."""


@dataclass(frozen=True, slots=True)
class EmbeddingPlan:
    """What there is to do, counted before anything is sent."""

    users: int = 0
    messages: int = 0
    texts: int = 0
    """Without repetitions within a history, and without empty ones."""
    missing: int = 0
    """Texts that have no vector yet."""
    tokens: int = 0
    """Of these: what is paid for."""
    calls: int = 0
    """Requests it takes."""


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """How far a run is, in texts."""

    made: int = 0
    calls: int = 0
    again: int = 0
    """Of these: asked once before, by a run that ended before the answer came."""
    refused: int = 0
    """Texts that the model does not take."""
    why: str = ""
    """What it says of the last one of these."""


def _ignore_progress(progress: EmbeddingProgress) -> None:
    """Nobody is told."""


async def plan_embedding(work: EmbeddingWork, scopes: Sequence[Scope], batch: int = 100) -> EmbeddingPlan:
    """What it would take to have vectors of all messages of these users. Raises StoreError."""
    plan = EmbeddingPlan(users=len(scopes))
    for scope in scopes:
        space = await work.maker.space(scope)
        async for messages, texts in _pages(work.messages, scope):
            missing = await _missing(work.vectors, scope, space, texts)
            plan = replace(
                plan,
                messages=plan.messages + messages,
                texts=plan.texts + len(texts),
                missing=plan.missing + len(missing),
                tokens=plan.tokens + sum(map(count_tokens, missing.values())),
            )
    return replace(plan, calls=-(-plan.missing // batch))


async def embed_ahead(
    work: EmbeddingWork,
    scopes: Sequence[Scope],
    pace: EmbeddingPace | None = None,
    told: Callable[[EmbeddingProgress], None] = _ignore_progress,
) -> EmbeddingProgress:
    """See to it that all messages of these users of one tenant have vectors; how it went.

    Texts that another process is having embedded are left to it, and waited for. Raises WinnowError when the
    model or a store fails; what was made by then is kept.
    """
    run = _Run(work, pace or EmbeddingPace(), told)
    while scopes and await run.once(scopes):
        await run.wait(Scope(scopes[0].tenant))
    return run.progress


async def prune_vectors(work: EmbeddingWork, scope: Scope, scopes: Sequence[Scope]) -> int:
    """Delete the tenant's vectors that no message of ``scopes``, all its users, needs; how many there were.

    Raises StoreError.
    """
    # The vectors are listed before the messages are read: one made in between is not in the list.
    spaces = await work.vectors.spaces(scope)
    kept = {key for space in spaces async for page in work.vectors.keys(scope, space) for key in page}
    for user in scopes:
        async for _, texts in _pages(work.messages, user):
            kept.difference_update(texts)
    return await work.vectors.forget(scope, kept)


async def _pages(messages: Messages, scope: Scope) -> AsyncIterator[tuple[int, dict[str, str]]]:
    """Some messages at a time: how many they are, and those of their texts that did not come before."""
    seen: set[str] = set()
    async for page in messages.stream(scope):
        texts = {text_key(m.content): m.content for m in page if m.content.strip()}
        new = {key: text for key, text in texts.items() if key not in seen}
        seen.update(new)
        yield len(page), new


async def _missing(vectors: Vectors, scope: Scope, space: Space, texts: TextsByKey) -> dict[str, str]:
    """Those of the texts that have no vector."""
    if not space.dimension:
        return dict(texts)
    held = await vectors.stored_keys(scope, space, list(texts))
    return {key: text for key, text in texts.items() if key not in held}


@dataclass(frozen=True, slots=True)
class _Batch:
    """Texts that go out together, and the claim they went out under once before."""

    texts: TextsByKey
    claim: Claim | None = None


class _ClaimedTexts:
    """Claims of other runs, and those of their texts that are met with."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._claims = {key: claim for claim in claims for key in claim.keys}
        self._texts: dict[str, dict[str, str]] = defaultdict(dict)

    def meet(self, texts: TextsByKey) -> dict[str, str]:
        """Note those that are claimed; the others."""
        for key in texts.keys() & self._claims.keys():
            self._texts[self._claims[key].batch][key] = texts[key]
        return {key: text for key, text in texts.items() if key not in self._claims}

    def batches(self) -> list[_Batch]:
        """The batches of which any text was met with, as far as it was, in their order."""
        claims = {claim.batch: claim for claim in self._claims.values()}
        return [
            _Batch({key: texts[key] for key in claims[batch].keys if key in texts}, claims[batch])
            for batch, texts in self._texts.items()
        ]


class _Run:
    """One run: passes over the messages until nothing is left to be made or waited for."""

    def __init__(
        self, work: EmbeddingWork, pace: EmbeddingPace, told: Callable[[EmbeddingProgress], None]
    ) -> None:
        self._work, self._pace, self._told = work, pace, told
        self._turns = asyncio.Semaphore(pace.limits.concurrency)
        self._under_way: set[asyncio.Task[None]] = set()
        self._error: WinnowError | None = None
        self._free_at = 0.0
        self._more = False
        self._others: list[Claim] = []
        self._refused: set[str] = set()
        self.progress = EmbeddingProgress()

    async def once(self, scopes: Sequence[Scope]) -> bool:
        """Go over the messages; whether another pass may find something to do. Raises WinnowError."""
        self._more, self._others = False, []
        try:
            await self._pass(scopes)
        finally:
            await asyncio.gather(*self._under_way)
        if self._error is not None:
            raise self._error
        return self._more or bool(self._others)

    async def wait(self, tenant: Scope) -> None:
        """Until no other process is busy with what this one needs: its answers came, or its time is over."""
        space = await self._work.maker.space(tenant)
        waited_for = {claim.batch for claim in self._others}
        while waited_for:
            now = self._work.clock.now()
            taken = await self._work.claims.active_claims(tenant, space)
            ends = [c.until - now for c in taken if c.batch in waited_for and c.until > now]
            if not ends:
                return
            await asyncio.sleep(min([*ends, POLL_SECONDS]))

    async def _pass(self, scopes: Sequence[Scope]) -> None:
        tenant = Scope(scopes[0].tenant)
        space = await self._work.maker.space(tenant)
        announced = _ClaimedTexts(await self._work.claims.active_claims(tenant, space))
        async for texts in self._batches(scopes, announced):
            await self._send(tenant, space, _Batch(texts))
            if self._error is not None:
                return
        for batch in announced.batches():
            # Send a batch whose answer never came, once its time is over; else wait for it
            claim = batch.claim
            assert claim is not None, "met by its claim"
            if claim.until > self._work.clock.now():
                self._others.append(claim)
            elif len(batch.texts) == len(claim.keys):
                await self._send(tenant, space, batch)
            else:  # some of its texts are not there any longer: the others go out in other batches
                await self._work.claims.drop(tenant, claim)
                self._more = True

    async def _batches(self, scopes: Sequence[Scope], announced: _ClaimedTexts) -> AsyncIterator[TextsByKey]:
        """What is missing and not announced, as much at a time as a request holds."""
        waiting: dict[str, str] = {}
        for scope in scopes:
            space = await self._work.maker.space(scope)
            async for _, texts in _pages(self._work.messages, scope):
                missing = await _missing(self._work.vectors, scope, space, texts)
                new = announced.meet(missing)
                waiting |= {key: text for key, text in new.items() if key not in self._refused}
                while full := first_batch(waiting, self._pace.limits):
                    yield {key: waiting.pop(key) for key in full}
        while last := first_batch(waiting, self._pace.limits, full=False):
            yield {key: waiting.pop(key) for key in last}

    async def _send(self, tenant: Scope, space: Space, batch: _Batch) -> None:
        """Announce a batch and send it, as soon as it is its turn."""
        await self._turns.acquire()
        await asyncio.sleep(self._pause(len(batch.texts)))
        if self._error:
            claim = None
        else:
            # The claim to those of the texts that are still nobody's; None: none is
            until = self._work.clock.now() + self._pace.lease
            if batch.claim is not None:
                mine = await self._work.claims.renew(tenant, batch.claim, until)
                claim = replace(batch.claim, until=until) if mine else None
            else:
                claim = await self._work.claims.take(tenant, space, list(batch.texts), until)
                self._more |= len(claim.keys) < len(batch.texts)
                claim = await self._without_made(tenant, claim)
        if claim is None:
            self._turns.release()
            return
        texts = {key: batch.texts[key] for key in claim.keys}
        again = len(texts) if batch.claim else 0
        task = asyncio.create_task(self._make(tenant, claim, texts, again))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _without_made(self, tenant: Scope, claim: Claim) -> Claim | None:
        """The claim without what another process has made and stored since it was seen to be missing."""
        space = await self._work.maker.space(tenant)
        held = await self._work.vectors.stored_keys(tenant, space, claim.keys) if space.dimension else ()
        if held:
            await self._work.claims.drop(tenant, replace(claim, keys=tuple(held)))
        left = tuple(key for key in claim.keys if key not in held)
        return replace(claim, keys=left) if left else None

    async def _make(self, tenant: Scope, claim: Claim, texts: TextsByKey, again: int) -> None:
        try:
            refused = await asyncio.to_thread(_make_or_halve, self._work.maker, tenant, texts)
            if refused:
                await self._work.claims.drop(tenant, claim)
            done = self.progress
            self._refused |= refused.keys()
            self.progress = EmbeddingProgress(
                done.made + len(texts) - len(refused),
                done.calls + 1,
                done.again + again,
                done.refused + len(refused),
                next((error.message for error in refused.values()), done.why),
            )
            self._told(self.progress)
        except WinnowError as error:
            self._error = self._error or error
            await self._work.claims.drop(tenant, claim)
        finally:
            self._turns.release()

    def _pause(self, texts: int) -> float:
        """Seconds until so many texts may go out."""
        if not self._pace.rate:
            return 0.0
        now = self._work.clock.now()
        pause = max(0.0, self._free_at - now)
        self._free_at = now + pause + texts / self._pace.rate
        return pause


def _make_or_halve(maker: VectorMaker, scope: Scope, texts: TextsByKey) -> dict[str, ModelError]:
    """Have them made; those that the model never takes, and what it says.

    A batch that is refused is sent in halves, until those texts stand alone. Raises WinnowError; ModelError
    too when none of two texts is taken that stood alone, since then it is not their fault.
    """
    refused: dict[str, ModelError] = {}
    left = [list(texts)]
    made = False
    while left:
        keys = left.pop()
        try:
            maker.make(scope, {key: texts[key] for key in keys})
            made = True
        except ModelError as error:
            if error.status not in REFUSED_STATUSES or (refused and not made):
                raise
            if len(keys) == 1:
                refused[keys[0]] = error
            else:
                left += [keys[len(keys) // 2 :], keys[: len(keys) // 2]]
    return refused


# Vectors of very long histories, made once on many machines: ranges of users, each the task of a worker.


LOCAL_SCHEDULER = "local"
"""In the place of a scheduler's address: processes of this machine."""
RANGE_MESSAGES = 20_000
"""Messages of a range, about. Little is looked at anew when its worker is lost, and 10^8 are 5,000 tasks."""
CONNECT_TIMEOUT = 10.0
"""Seconds for the scheduler to answer, and for its first worker."""
SCHEDULER_COMMAND = "dask scheduler"


@dataclass(frozen=True, slots=True)
class UserRange:
    """Some users of a tenant, next to each other by name, and how many messages they have."""

    tenant: str
    users: tuple[str, ...]
    messages: int


@dataclass(frozen=True, slots=True)
class RangeResult:
    """What came of a range. ``fault`` is what stopped it, with ``hint``: errors do not travel, texts do."""

    range: UserRange
    progress: EmbeddingProgress
    fault: str = ""
    hint: str = ""


FillRange = Callable[[UserRange], RangeResult]
"""Sees to it that all messages of a range have vectors. Runs on a worker, which imports it by its name."""


class Workers(Protocol):
    """Those who work for a scheduler: a ``Client`` of Dask."""

    def map(self, work: FillRange, wanted: Sequence[UserRange], *, pure: bool) -> Sequence[Any]:
        """A future for each range. Not ``pure``: it is worked for even if the like of it was done before."""

    def cancel(self, futures: Sequence[Any]) -> None:
        """Nobody waits for these any longer."""

    def run(self, work: Callable[[], Any]) -> Mapping[str, Any]:
        """Address of each worker -> what the work returns there."""


@dataclass(frozen=True, slots=True)
class BackfillProgress:
    """How far a backfill is."""

    ranges: int
    """Of all that there are."""
    done: int = 0
    users: int = 0
    messages: int = 0
    progress: EmbeddingProgress = field(default_factory=EmbeddingProgress)
    """Of all ranges that are done together."""

    def with_range(self, filled: RangeResult) -> BackfillProgress:
        """With one more range."""
        return replace(
            self,
            done=self.done + 1,
            users=self.users + len(filled.range.users),
            messages=self.messages + filled.range.messages,
            progress=sum_progress(self.progress, filled.progress),
        )


def user_ranges(tenant: str, users: Mapping[str, int], size: int = RANGE_MESSAGES) -> Iterator[UserRange]:
    """All users of the tenant, about ``size`` messages at a time; ``users``: how many each has."""
    names: list[str] = []
    messages = 0
    for name in sorted(users):
        names.append(name)
        messages += users[name]
        if messages >= size:
            yield UserRange(tenant, tuple(names), messages)
            names, messages = [], 0
    if names:
        yield UserRange(tenant, tuple(names), messages)


@contextmanager
def cluster(scheduler: str, workers: int) -> Iterator[Workers]:
    """The cluster of the scheduler at that address, or of so many processes of this machine (``local``).

    Raises ClusterError where it cannot be reached, or nobody works for it.
    """
    dask = _dask()
    if scheduler == LOCAL_SCHEDULER:
        # Nothing listens but on this machine, its pages for the curious on any free port.
        with (
            dask.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs="CRITICAL",
            ) as own,
            dask.Client(own) as client,
        ):
            yield client
    else:
        with connect(dask, scheduler) as client:
            yield client


def _dask() -> Any:
    """The library, which only a backfill needs. Raises ClusterError."""
    try:
        return import_module("distributed")
    except ModuleNotFoundError as error:
        raise ClusterError(
            Phrase("A backfill needs a library that is not installed: {name}.", name=error.name),
            hint=install_hint("backfill"),
        ) from error


@contextmanager
def connect(dask: Any, scheduler: str) -> Iterator[Workers]:
    """A scheduler that answers and has a worker. Raises ClusterError."""
    try:
        client = dask.Client(scheduler, timeout=CONNECT_TIMEOUT)
    except (OSError, ValueError) as error:
        raise ClusterError(
            Phrase("No scheduler answers at {address}.", address=scheduler),
            hint=Phrase("Start one: {command}", command=SCHEDULER_COMMAND),
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_TIMEOUT)
        except TimeoutError as error:
            raise ClusterError(
                Phrase("Nobody works for the scheduler {address}.", address=scheduler),
                hint=Phrase("Start workers: {command}", command=f"dask worker {scheduler}"),
            ) from error
        yield client


def run_backfill(
    client: Workers, wanted: Sequence[UserRange], fill: FillRange, told: Callable[[BackfillProgress], None]
) -> BackfillProgress:
    """Have all ranges filled; ``told`` is called after each. Raises ClusterError; what is stored stays.

    A range whose worker is lost goes to another one.
    """
    dask = _dask()
    course = BackfillProgress(len(wanted))
    futures = client.map(fill, wanted, pure=False)
    try:
        for future in dask.as_completed(futures):
            course = course.with_range(raise_fault(future.result()))
            told(course)
    except (dask.scheduler.KilledWorker, dask.CancelledError, OSError) as error:
        raise ClusterError(
            Phrase("The workers were lost: {why}.", why=type(error).__name__),
            hint="Begin anew: what is stored is not made again. Workers may need more memory.",
        ) from error
    finally:
        client.cancel(futures)
    return course


def raise_fault(filled: RangeResult) -> RangeResult:
    """The result of a range; its fault is raised as ClusterError."""
    if filled.fault:
        raise ClusterError(filled.fault, hint=filled.hint)
    return filled


def sum_progress(one: EmbeddingProgress, other: EmbeddingProgress) -> EmbeddingProgress:
    """What two ranges did together."""
    return EmbeddingProgress(
        one.made + other.made,
        one.calls + other.calls,
        one.again + other.again,
        one.refused + other.refused,
        other.why or one.why,
    )
