"""What people say of what they were given, and what is counted of turns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from winnow.types.feedback import Account, Feedback, Total
from winnow.types.scope import Scope


class FeedbackBook(Protocol):
    """Feedback of the scope's user; where none is named, of all users of the tenant. Kept, never used."""

    async def keep(self, scope: Scope, given: Feedback) -> None:
        """Keep it for the scope's user, who must be named. Raises StoreError."""

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        """All of it, oldest first. Raises StoreError."""

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these, or all; how many there were. Raises StoreError."""


class Counts(Protocol):
    """What is counted of a tenant's turns, and the accounts of its last ones."""

    async def count(self, scope: Scope, figures: Mapping[str, float], account: Account | None = None) -> None:
        """Add one turn to the totals; its account takes the place of the oldest of the user, at most 50.

        Raises StoreError.
        """

    async def totals(self, scope: Scope) -> Mapping[str, Total]:
        """Name of a figure -> what was counted of it, of all users of the tenant. Raises StoreError."""

    async def account(self, scope: Scope, retrieval: str = "") -> Account | None:
        """The user's account of that retrieval, or of the last one. Raises StoreError."""

    async def forget(self, scope: Scope) -> int:
        """Delete the accounts of the scope's user, or all the tenant's and the totals; how many accounts.

        Raises StoreError.
        """
