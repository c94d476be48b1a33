"""The outside, as the rest of Winnow sees it: protocols of a few methods each.

Only ``wiring`` names what stands behind them. A port over stored rows takes the ``Scope`` first, without a
default, and may wait for a database; nothing it answers or changes lies outside that scope's tenant.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar

from winnow.types.audit import Record
from winnow.types.cache import Tally
from winnow.types.catalog import Home
from winnow.types.claim import Claim
from winnow.types.completion import Ask, Completion, Tier
from winnow.types.dialogue import Turn
from winnow.types.imports import HomeInfo
from winnow.types.lesson import Lesson, LexiconEntry
from winnow.types.live import News, Progress, silent
from winnow.types.message import Message, Stamp
from winnow.types.override import Override
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.search import Search
from winnow.types.session import Question, Session
from winnow.types.shortlist import Shortlist
from winnow.types.space import Kind, Space
from winnow.types.state import UNREAD, Snapshot
from winnow.types.usage import Usage
from winnow.types.verdict import Call

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

P = ParamSpec("P")
R = TypeVar("R")


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


class Counsel(Protocol):
    """A model asked closed questions on behalf of one turn, and the turn's clock.

    Stages get it handed in and never wait by themselves.
    """

    @property
    def asks(self) -> bool:
        """Whether there is a model to be asked."""

    async def ask(self, ask: Ask[R]) -> R | None:
        """What a model answered, where there is one and its answer passes every check."""

    def time(self, name: str, stage: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What the stage returns; how long it took is noted under that name."""


class Source(Protocol):
    """Something beside the home that is searched: a person's messages, documents, facts.

    One that says ``waits = False`` never suspends where no event loop runs: callers that block are then
    answered without one.
    """

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The best candidates for a standalone question among the scope's rows, at most ``limit``.

        What is to stand in the briefing is the candidate's ``data``: a text, or a mapping with a ``text``.
        """


class Messages(Protocol):
    """What the persons of a tenant said in earlier talks: a host's own table, or a store's.

    Nothing but the rows of the scope's user is ever reached. A scope without a user has no messages.
    """

    async def stamp(self, scope: Scope) -> Stamp:
        """What tells whether anything changed since it was read last. Raises StoreError."""

    def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        """All messages of the user, oldest first, at most ``size`` at a time. Raises StoreError.

        Those whose time nobody knows come first, in the order they came in.
        """


class Persons(Protocol):
    """Whose messages there are."""

    async def users(self, scope: Scope) -> Mapping[str, int]:
        """User -> number of messages, of the whole tenant. Raises StoreError."""


class MessageStore(Messages, Persons, Protocol):
    """Messages that Winnow keeps for a host that has no table of its own."""

    async def add(self, scope: Scope, messages: Sequence[Message]) -> int:
        """Keep these for the scope's user, in the place of those of the same ids; how many are new."""

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these messages of the user, or all of them; how many there were."""


class Vectors(Protocol):
    """Vectors kept from one run to the next, by what they were made of: keys are ``key_of`` texts."""

    async def get(self, scope: Scope, space: Space, keys: Sequence[str]) -> Mapping[str, Floats | None]:
        """Those of the keys that are there; None for one that is damaged. Raises StoreError."""

    async def held(self, scope: Scope, space: Space, keys: Sequence[str]) -> Collection[str]:
        """Which of the keys are there, without reading their vectors. Raises StoreError."""

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Keep these, in the place of those of the same keys. Raises StoreError."""

    async def forget(self, scope: Scope, keys: Collection[str] | None = None) -> int:
        """Delete these vectors of the tenant in every space, or all and their spaces; how many there were."""

    async def spaces(self, scope: Scope) -> Mapping[Space, Tally]:
        """Each space the tenant has vectors of, and what was counted of it. Raises StoreError."""

    async def tell(self, scope: Scope, space: Space, tally: Tally) -> bool:
        """Add to what is counted of a space; False: the tenant has no vectors of it. Raises StoreError."""

    async def size(self, scope: Scope, space: Space) -> int:
        """How many vectors of the space the tenant has. Raises StoreError."""

    def keys(self, scope: Scope, space: Space, size: int = 10_000) -> AsyncIterator[Sequence[str]]:
        """Every key of a space, at most ``size`` at a time. Raises StoreError."""


class Claims(Protocol):
    """What is being embedded at this moment, by whatever process, or was when one was killed.

    Vectors that are put end the claims to their keys. The dimension of a space is not looked at: before the
    first answer of a model nobody knows it.
    """

    async def take(self, scope: Scope, space: Space, keys: Sequence[str], until: float) -> Claim:
        """Claim those of the keys that nobody else has claimed, in their order. Raises StoreError."""

    async def taken(self, scope: Scope, space: Space) -> Sequence[Claim]:
        """All claims of the tenant. Raises StoreError."""

    async def renew(self, scope: Scope, claim: Claim, until: float) -> bool:
        """Prolong a claim; whether it was still as it is given, so that only one takes it over."""

    async def drop(self, scope: Scope, claim: Claim) -> None:
        """Leave the texts that it names to whoever wants them. Raises StoreError."""


class Vectoriser(Protocol):
    """Texts to vectors by way of what was embedded before."""

    async def vectors(self, scope: Scope, texts: Sequence[str], kind: Kind = "passage") -> Floats:
        """One row of length 1 per text, in order; what was not known is embedded and kept.

        Raises WinnowError when a model fails; what it had made by then is kept. Questions are kept in memory
        only.
        """

    async def known(self, scope: Scope, texts: Sequence[str]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """The rows of passages that need no model, zeros for the others, and which they are.

        The rows have no columns as long as nobody knows how many numbers a vector of the model has: nothing
        is asked to find out.
        """


class Neighbours(Protocol):
    """A host's own vectors, searched where they are."""

    async def nearest(self, scope: Scope, vector: Floats, limit: int) -> Mapping[str, float]:
        """Ids of the user's nearest messages and their similarity, best first. Raises StoreError."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> float:
        """Seconds since the epoch."""


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


class Actuator(Protocol):
    """What makes the devices of a home do things."""

    async def do(self, scope: Scope, calls: Iterable[Call]) -> tuple[Outcome, ...]:
        """What came of each call, in their order. A call that fails is an outcome, never an error.

        Raises HomeNotFound.
        """


class Audit(Protocol):
    """Where it is kept what was done."""

    async def append(self, scope: Scope, record: Record) -> None:
        """Keep one more record of the scope's home; none is ever changed or taken away."""


class Sessions(Protocol):
    """What was said in each session of each home.

    A session is known only by its tenant, its home and its own id together.
    """

    async def session(self, scope: Scope) -> Session:
        """Its turns and its open question; empty when there was none yet. Raises StoreError."""

    async def note(self, scope: Scope, turns: Sequence[Turn], question: Question | None = None) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open.

        Raises StoreError.
        """

    async def take(self, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, which nobody gets a second time. Raises StoreError."""


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


@dataclass(frozen=True, slots=True)
class Storage:
    """Homes and everything remembered about them, each behind its port; ``wiring`` fills it."""

    clock: Clock
    """What the times of its rows are taken from."""
    homes: Catalog
    states: States
    """What the devices reported when their home was imported."""
    sessions: Sessions
    """Turns and open questions."""
    habits: Habits
    """Use by person."""
    lexicon: Lexicon
    """Learned words."""
    overrides: Overrides
    """What people said of their things."""
    messages: MessageStore
    """What persons said in earlier talks."""
    vectors: Vectors
    claims: Claims
    """What texts were turned into."""
