"""States read where the homes run, over those of their last import."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from winnow.errors import LinkError
from winnow.homes.live.pauses import Pauses
from winnow.ports import Clock, LiveHome, States
from winnow.types.scope import Scope
from winnow.types.state import UNREAD, Snapshot

Opened = Callable[[Scope], LiveHome | None]
"""The server of the scope's home; None when it is not linked to one."""


@dataclass
class _Known:
    """A home's server, what it last told, and when it may be asked again."""

    home: LiveHome
    last: Snapshot = UNREAD
    free_at: float = 0.0
    pauses: Pauses = field(default_factory=lambda: Pauses(first=1.0))


class LiveStates:
    """``States`` of homes that are linked to a server; of all others, those of ``below``.

    While a server is down, what it told last stands, each value with the moment it was told; the server is
    left alone for growing pauses, so that no turn waits for it again and again.
    """

    def __init__(self, below: States, opened: Opened, clock: Clock) -> None:
        self.below, self._opened, self._clock = below, opened, clock
        self._known: dict[tuple[str, str], _Known | None] = {}

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, as they are now.

        Raises HomeNotFound, StoreError, and LinkError for what does not pass by itself.
        """
        imported = await self.below.read(scope, refs)  # whose home it is, is known to the store alone
        place = scope.tenant, scope.home
        if place not in self._known:
            home = self._opened(scope)
            self._known[place] = _Known(home) if home else None
        known = self._known[place]
        if known is None:
            return imported
        if self._clock.now() < known.free_at:
            return _last(known, imported, refs)
        try:
            now = await known.home.read(refs)
        except LinkError as error:
            if not error.retryable:
                raise
            known.free_at = self._clock.now() + known.pauses.next(error.retry_after)
            return _last(known, imported, refs)
        known.pauses.over()
        known.last = known.last if refs else now
        return now


def _last(known: _Known, imported: Snapshot, refs: Collection[str]) -> Snapshot:
    """What is known without the server."""
    if known.last is UNREAD:
        return imported
    return known.last.about(refs) if refs else known.last
