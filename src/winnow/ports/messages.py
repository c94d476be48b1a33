"""Messages of persons, as the rest of Winnow sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Protocol

from winnow.types.message import Message, Stamp
from winnow.types.scope import Scope


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
        """Delete these messages of the user, or all of them; how many there were.

        Sessions of the user in which one of them is a turn are forgotten with it. Raises StoreError.
        """
