"""All that is stored of one person, as the rest of Winnow sees it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Protocol

from winnow.types.person import Elsewhere, Purge, Row
from winnow.types.scope import Scope


class PersonRows(Protocol):
    """Every row that belongs to the scope's user, of whatever kind and home."""

    async def counts(self, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Kind -> number of rows, of those kinds there are any of.

        ``texts``: keys of what the person said elsewhere, whose vectors count too. Raises StoreError.
        """

    async def elsewhere(self, scope: Scope) -> Sequence[Elsewhere]:
        """What is kept of the person and stays. Raises StoreError."""

    def rows(self, scope: Scope, size: int = 500) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        """Kind and rows, at most ``size`` at a time; what is made of other rows is left out.

        Raises StoreError.
        """

    async def forget(self, scope: Scope, texts: Collection[str] = ()) -> Mapping[str, int]:
        """Delete all of it, and tell other processes; kind -> number of rows. Raises StoreError."""

    async def purge(self, scope: Scope, kinds: Collection[str]) -> Purge:
        """See to it that no byte of deleted rows of these kinds stays in the files. Raises StoreError."""

    async def removals(self, scope: Scope, after: int) -> Sequence[tuple[int, str]]:
        """Number and hash (``person_key``) of those of the tenant who were forgotten after that number."""
