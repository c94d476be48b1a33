"""The outside, as the rest of Winnow sees it: protocols of one to three methods.

Only ``wiring`` names what stands behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar

from winnow.types.catalog import Home
from winnow.types.completion import Ask, Completion, Tier
from winnow.types.dialogue import Turn
from winnow.types.imports import HomeInfo
from winnow.types.lesson import Lesson, LexiconEntry
from winnow.types.session import Question, Session
from winnow.types.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

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


class Catalog(Protocol):
    """Where imported homes are kept."""

    def save_home(self, home: Home) -> int:
        """Replace the home of that id as a whole, or leave the old one untouched; its new version.

        Raises StoreError.
        """

    def load_home(self, home_id: str) -> Home:
        """The home with its version set. Raises HomeNotFound, StoreError."""

    def list_homes(self) -> tuple[HomeInfo, ...]:
        """All stored homes by id, without their contents. Raises StoreError."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> float:
        """Seconds since the epoch."""


class Sessions(Protocol):
    """What was said in each session of each home.

    A session is known only by its home and its own id together.
    """

    def session(self, home_id: str, session: str) -> Session:
        """Its turns and its open question; empty when there was none yet. Raises StoreError."""

    def note(
        self, home_id: str, session: str, turns: Sequence[Turn], question: Question | None = None
    ) -> None:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open.

        Raises StoreError.
        """

    def take(self, question_id: str) -> Question | None:
        """The open question of that id, which nobody gets a second time. Raises StoreError."""


class Habits(Protocol):
    """What each person of a home uses."""

    def use(self, home_id: str, user: str, device_ids: Sequence[str]) -> None:
        """Count one more use of each device, now. Raises StoreError."""

    def usage(self, home_id: str, user: str) -> Usage:
        """All counts of one person. Raises StoreError."""


class Lexicon(Protocol):
    """The words a home learned, and what they were learned from."""

    def entries(self, home_id: str) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status. Raises StoreError."""

    def save_entries(self, home_id: str, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed.

        Raises StoreError, HomeNotFound.
        """

    def log(self, home_id: str, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000. Raises StoreError."""

    def lessons(self, home_id: str) -> tuple[Lesson, ...]:
        """What was kept, oldest first. Raises StoreError."""


class Storage(Catalog, Protocol):
    """Homes and everything remembered about them."""

    @property
    def clock(self) -> Clock:
        """What its times are taken from."""

    @property
    def sessions(self) -> Sessions:
        """Turns and open questions."""

    @property
    def habits(self) -> Habits:
        """Use by person."""

    @property
    def lexicon(self) -> Lexicon:
        """Learned words."""
