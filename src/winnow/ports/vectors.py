"""Vectors that are kept, as the rest of Winnow sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from winnow.types.cache import Tally
from winnow.types.claim import Claim
from winnow.types.scope import Scope
from winnow.types.space import Space

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]


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
