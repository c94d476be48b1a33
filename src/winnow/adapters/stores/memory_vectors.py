"""Vectors of one process, and the claims to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from winnow.adapters.stores.schema import chunks
from winnow.adapters.stores.validation import fitting
from winnow.types.scope import Scope
from winnow.types.vector import Claim, Space, Tally

if TYPE_CHECKING:
    from winnow.ports.stores import Floats

Book = dict[tuple[str, str, str], dict[str, Claim]]
"""Tenant, model and version -> batch -> claim."""


def settle(book: Book, scope: Scope, space: Space, keys: Collection[str]) -> None:
    """The claims to these keys are over."""
    claims = _page(book, scope, space)
    for batch in list(claims):
        _end(claims, batch, keys)


def end_claims(book: Book, scope: Scope, keys: Collection[str]) -> None:
    """The claims of the tenant to these keys are over, whatever model they are of."""
    for (tenant, *_), claims in book.items():
        for batch in list(claims) if tenant == scope.tenant else ():
            _end(claims, batch, keys)


def _end(claims: dict[str, Claim], batch: str, keys: Collection[str]) -> None:
    """The claim of that batch is over, as far as these keys go."""
    claim = claims[batch]
    claims[batch] = replace(claim, keys=tuple(key for key in claim.keys if key not in keys))
    if not claims[batch].keys:
        del claims[batch]


def _page(book: Book, scope: Scope, space: Space) -> dict[str, Claim]:
    return book.setdefault((scope.tenant, space.name, space.version), {})


class MemoryClaims:
    """``Claims`` of one process."""

    def __init__(self, book: Book) -> None:
        self._book = book

    async def take(self, scope: Scope, space: Space, keys: Sequence[str], until: float) -> Claim:
        """Claim those of the keys that nobody else has claimed, in their order."""
        others = {key for claim in _page(self._book, scope, space).values() for key in claim.keys}
        claim = Claim(uuid4().hex, tuple(key for key in dict.fromkeys(keys) if key not in others), until)
        if claim.keys:
            _page(self._book, scope, space)[claim.batch] = claim
        return claim

    async def taken(self, scope: Scope, space: Space) -> Sequence[Claim]:
        """All claims of the tenant."""
        return tuple(_page(self._book, scope, space).values())

    async def renew(self, scope: Scope, claim: Claim, until: float) -> bool:
        """Prolong a claim; whether it was still as it is given."""
        for claims in self._of_tenant(scope):
            if claims.get(claim.batch) == claim:
                claims[claim.batch] = replace(claim, until=until)
                return True
        return False

    async def drop(self, scope: Scope, claim: Claim) -> None:
        """Leave the texts that it names to whoever wants them."""
        for claims in self._of_tenant(scope):
            if claim.batch in claims:
                _end(claims, claim.batch, claim.keys)

    def _of_tenant(self, scope: Scope) -> list[dict[str, Claim]]:
        return [claims for (tenant, *_), claims in self._book.items() if tenant == scope.tenant]


class MemoryVectors:
    """``Vectors`` of one process."""

    def __init__(self, book: Book) -> None:
        self._kept: dict[str, dict[Space, dict[str, Floats]]] = {}
        self._tallies: dict[str, dict[Space, Tally]] = {}
        self._book = book

    async def get(self, scope: Scope, space: Space, keys: Sequence[str]) -> Mapping[str, Floats | None]:
        """Those that are there."""
        theirs = self._of(scope, space)
        return {key: theirs[key] for key in keys if key in theirs}

    async def held(self, scope: Scope, space: Space, keys: Sequence[str]) -> Collection[str]:
        """Which of the keys are there."""
        return self._of(scope, space).keys() & set(keys)

    async def put(self, scope: Scope, space: Space, vectors: Mapping[str, Floats]) -> None:
        """Keep these. ValueError: not of the space's dimension."""
        made = {key: fitting(space, vector).copy() for key, vector in vectors.items()}
        if not made:
            return
        for vector in made.values():
            vector.flags.writeable = False
        self._kept.setdefault(scope.tenant, {}).setdefault(space, {}).update(made)
        self._tallies.setdefault(scope.tenant, {}).setdefault(space, Tally())
        settle(self._book, scope, space, made.keys())

    async def forget(self, scope: Scope, keys: Collection[str] | None = None) -> int:
        """Delete these vectors of the tenant in every space, or all and their spaces; how many there were."""
        spaces = list(self._kept.get(scope.tenant, {}).values())
        if keys is None:
            self._kept.pop(scope.tenant, None)
            self._tallies.pop(scope.tenant, None)
            return sum(map(len, spaces))
        gone = [theirs.pop(key) for theirs in spaces for key in set(keys) if key in theirs]
        return len(gone)

    async def spaces(self, scope: Scope) -> Mapping[Space, Tally]:
        """Each space the tenant has vectors of, and what was counted of it."""
        return dict(self._tallies.get(scope.tenant, {}))

    async def tell(self, scope: Scope, space: Space, tally: Tally) -> bool:
        """Add to what is counted of a space; False: the tenant has no vectors of it."""
        known = self._tallies.get(scope.tenant, {})
        if space not in known:
            return False
        known[space] += tally
        return True

    async def size(self, scope: Scope, space: Space) -> int:
        """How many vectors of the space the tenant has."""
        return len(self._of(scope, space))

    async def keys(self, scope: Scope, space: Space, size: int = 10_000) -> AsyncIterator[Sequence[str]]:
        """Every key of a space, at most ``size`` at a time."""
        for page in chunks(list(self._of(scope, space)), size):
            yield page

    def _of(self, scope: Scope, space: Space) -> dict[str, Floats]:
        return self._kept.get(scope.tenant, {}).get(space, {})
