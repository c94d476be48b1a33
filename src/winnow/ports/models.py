"""Models and what is searched, as the rest of Winnow sees them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar

from winnow.types.completion import Ask, Completion, Tier
from winnow.types.scope import Scope
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist
from winnow.types.space import Kind

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


class Keeping(Source, Protocol):
    """A source that tells how what it offered is now, so that a talk may be given it again.

    What any other source offered is given in the turn that asked for it alone.
    """

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Id -> ``data`` of a candidate as it would be offered now, for those that are still there.

        Raises StoreError.
        """


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

    def reused(self, scope: Scope, count: int) -> None:
        """Count so many vectors of passages that whoever compares kept from before: no model was needed."""


class Neighbours(Protocol):
    """A host's own vectors, searched where they are."""

    async def nearest(self, scope: Scope, vector: Floats, limit: int) -> Mapping[str, float]:
        """Ids of the user's nearest messages and their similarity, best first. Raises StoreError."""
