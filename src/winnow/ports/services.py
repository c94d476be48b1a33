"""Models, sources and actuators as protocols, and how callers that block wait for them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, cast, runtime_checkable

from winnow.types.candidate import Search, Shortlist
from winnow.types.context import Ask, Completion, Tier
from winnow.types.plan import Plan
from winnow.types.receipt import AuditEntry, ChainHead, ChainVerification, Outcome, Record
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.vector import TextKind
from winnow.types.verdict import Call

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

# Where callers that block meet coroutines: the one way across.


R = TypeVar("R")
S = TypeVar("S")


def is_in_event_loop() -> bool:
    """Whether an event loop runs in this thread, which whoever blocks would hold up."""
    if "asyncio" not in sys.modules:
        return False  # nobody can have started one, and asking would load it
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def let_others_run() -> None:
    """Between two stretches of computing: an event loop, where one runs, comes round meanwhile."""
    if is_in_event_loop():
        import asyncio

        await asyncio.sleep(0)


async def run_aside(work: Callable[[], R]) -> R:
    """What the blocking work returns, in a thread of its own where it would hold up an event loop.

    Without a loop nobody else waits: it is done at once, and the coroutine is never suspended.
    """
    if not is_in_event_loop():
        return work()
    import asyncio

    return await asyncio.to_thread(work)


async def gather_both(first: Coroutine[Any, Any, R], second: Coroutine[Any, Any, S]) -> tuple[R, S]:
    """What both return, waited for at one time; without a loop, where nothing waits, one after the other."""
    if is_in_event_loop():
        import asyncio

        one, other = await asyncio.gather(first, second)
        return one, other
    try:
        return await first, await second
    finally:
        second.close()


def run_blocking(work: Coroutine[Any, Any, R], *, waits: bool = False) -> R:
    """What the coroutine returns, for a caller that cannot wait for it.

    ``waits``: whether it may wait for more than stores, which without a loop answer at once. It then gets a
    loop of its own, in a thread of its own, since the caller's thread may already run one.
    """
    if not waits and not is_in_event_loop():
        return _run_without_loop(work)
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    run: Callable[[Coroutine[Any, Any, R]], R] = asyncio.run if waits else _run_without_loop
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run, work).result()


def needs_event_loop(source: object) -> bool:
    """Whether a source may suspend where no event loop runs: unless it says ``waits = False``."""
    return bool(getattr(source, "waits", True))


def _run_without_loop(work: Coroutine[Any, Any, R]) -> R:
    """What the coroutine returns that nothing makes wait."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast("R", done.value)
    work.close()
    raise AssertionError("what waits needs a loop")


def blocking_iterator(items: AsyncIterator[R]) -> Iterator[R]:
    """The items, for a caller that cannot wait for them: one at a time."""

    async def following() -> list[R]:
        return [item async for item in _first_item(items)]

    while found := run_blocking(following()):
        yield from found


async def _first_item(items: AsyncIterator[R]) -> AsyncIterator[R]:
    """The next item alone."""
    async for item in items:
        yield item
        return


# What acts on homes and what keeps account of it, as the rest of Winnow sees them.


class Actuator(Protocol):
    """What makes the devices of a home do things, and tells how they are."""

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, asked for now: nothing that was known before.

        Raises HomeNotFound, LinkError.
        """

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """Try each call once, in their order; what came of each. What fails is an outcome, never an error.

        ``sent``: the home took it. ``failed``: certainly not done, with ``retry_after`` where it may be tried
        again. ``unknown``: it was sent, and nobody knows. Who calls looks afterwards. The calls of one
        ``do`` are for one device, or one scene. Raises HomeNotFound.
        """


class Audit(Protocol):
    """Where it is kept what was done: a chain for each home, to which entries are only added."""

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:
        """Add these to the chain of the scope's home, all or none; the last entry. Raises StoreError."""

    async def entries(self, scope: Scope, after: int = 0, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Entries with higher numbers, in order. Raises StoreError."""

    async def last(self, scope: Scope, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, oldest first. Raises StoreError."""

    async def of_act(self, scope: Scope, act: str) -> tuple[AuditEntry, ...]:
        """The entries of one act that are not archived, in order. Raises StoreError."""

    async def verification(self, scope: Scope, expected: str = "") -> ChainVerification:
        """Whether the chain of the scope's home holds, from first to last, archives included.

        ``expected``: the hash of an entry that was written down elsewhere, and has to be there. Raises
        StoreError.
        """

    async def heads(self, scope: Scope) -> tuple[ChainHead, ...]:
        """Where each chain of the tenant ends, by home. Raises StoreError."""

    async def rotate(self, scope: Scope, keep: int) -> int:
        """Put all but the latest ``keep`` entries of the scope's home into an archive; how many those are.

        The chain goes on from them. Raises StoreError.
        """

    async def forget(self, scope: Scope) -> int:
        """Delete the chain of the scope's home with its archives; how many entries it had. Raises StoreError.

        Nothing else ever deletes any.
        """


class Plans(Protocol):
    """What may be done, each under its handle. A plan belongs to its tenant, home, user and session."""

    async def keep(self, scope: Scope, plan: Plan) -> None:
        """Keep the plan, in the place of an older one of that id. Raises StoreError."""

    async def plan(self, scope: Scope, plan_id: str) -> Plan | None:
        """The scope's plan of that id, spent or not; None where this person in this talk has none."""

    async def spend(self, scope: Scope, plan_id: str, state: str) -> Plan | None:
        """The scope's plan of that id if it is in that state, which nobody gets a second time."""

    async def accept_token(self, scope: Scope, token_hash: str) -> Plan | None:
        """The plan of the scope's user that waits for that token, whatever home and session.

        Nobody gets it a second time: it is spent then. Another person's waits on. Whoever tried many wrong
        tokens gets none. Raises StoreError.
        """

    async def waiting_plan(self, scope: Scope, token_hash: str) -> Plan | None:
        """The tenant's plan that waits for that token, whoever was asked; it is not spent.

        The scope's user gets none after many wrong tokens. Raises StoreError.
        """


P = ParamSpec("P")


class Embedder(Protocol):
    """Turns texts into vectors.

    ``name``, ``version`` and ``dimension`` are kept with every vector it made.
    """

    @property
    def alike(self) -> float | None:
        """The cosine from which two short names mean the like, measured for this embedder.

        None: its cosines do not tell.
        """

    @property
    def name(self) -> str:
        """What the vectors come from: ``hashing``, ``bge-small-zh`` ..."""

    @property
    def version(self) -> str:
        """Changes whenever the same text would get another vector."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row of length 1 per text, in order: shape ``(len(texts), dimension)``."""


@runtime_checkable
class ChatStream(Protocol):
    """A language model that answers piece by piece, and may call tools: what stands behind a proxy."""

    def stream(self, body: Mapping[str, Any], tier: Tier = "normal") -> AsyncIterator[Mapping[str, Any]]:
        """The chunks of the answer to a chat request of OpenAI's protocol, whose model is that of the tier.

        Raises ModelError.
        """


class Chat(Protocol):
    """A language model that answers messages.

    It helps and never decides alone (its words are parsed and checked against closed sets).
    """

    async def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, object] | None = None,
        tier: Tier = "fast",
    ) -> Completion:
        """The answer of the model of that tier.

        To ``role`` and ``content`` messages, JSON of ``schema`` if given. Raises WinnowError.
        """


class ModelClient(Protocol):
    """A model asked closed questions on behalf of one turn, and the turn's clock.

    Stages get it handed in and never wait by themselves.
    """

    @property
    def asks(self) -> bool:
        """Whether there is a model to be asked."""

    async def ask(self, ask: Ask[R]) -> R | None:
        """What a model answered, where there is one and its answer passes every check."""


class Source(Protocol):
    """Something beside the home that is searched: a person's messages, documents, facts.

    One that says ``waits = False`` never suspends where no event loop runs: callers that block are then
    answered without one.
    """

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The best candidates for a standalone question among the scope's rows, at most ``limit``.

        What is to stand in the briefing is the candidate's ``data``: a text, or a mapping with a ``text``.
        """


class RefreshableSource(Source, Protocol):
    """A source that tells how what it offered is now, so that a talk may be given it again.

    What any other source offered is given in the turn that asked for it alone.
    """

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Id -> ``data`` of a candidate as it would be offered now, for those that are still there.

        Raises StoreError.
        """


class CachedEmbedder(Protocol):
    """Texts to vectors by way of what was embedded before."""

    async def vectors(self, scope: Scope, texts: Sequence[str], kind: TextKind = "passage") -> Floats:
        """One row of length 1 per text, in order; what was not known is embedded and kept.

        Raises WinnowError when a model fails; what it had made by then is kept. Questions are kept in memory
        only.
        """

    async def cached_vectors(
        self, scope: Scope, texts: Sequence[str]
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """The rows of passages that need no model, zeros for the others, and which they are.

        The rows have no columns as long as nobody knows how many numbers a vector of the model has: nothing
        is asked to find out.
        """

    def count_reuse(self, scope: Scope, count: int) -> None:
        """Count so many vectors of passages that whoever compares kept from before: no model was needed."""


class HostVectors(Protocol):
    """A host's own vectors, searched where they are."""

    async def nearest(self, scope: Scope, vector: Floats, limit: int) -> Mapping[str, float]:
        """Ids of the user's nearest messages and their similarity, best first. Raises StoreError."""
