"""Homes acted on where they run, each by what speaks with its server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from winnow.errors import LinkError
from winnow.homes.live.faults import fault
from winnow.ports import Actuator
from winnow.types.live import Link
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

Linked = Callable[[Scope], Link | None]
"""To which server the scope's home is linked."""
Opened = Callable[[Link], Actuator | None]
"""What acts on the home behind a link. Raises LinkError."""


class LiveActuator:
    """``Actuator`` of homes that are linked to a server. Of no other home anything is asked or sent.

    Whether a home is linked is asked every time: one whose link was forgotten is left alone from then on.
    """

    def __init__(self, linked: Linked, opened: Opened) -> None:
        self._linked, self._opened = linked, opened
        self._hands: dict[Link, Actuator] = {}

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, asked for now. Raises LinkError, StoreError."""
        return await self._of(scope).look(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """Try each call once; what came of each. Raises StoreError."""
        try:
            hands = self._of(scope)
        except LinkError as error:
            told = {"why": str(error)}
            code = "no_hands" if error.code == "no_link" else "home_unreachable"
            return tuple(Outcome(call, "failed", code, told) for call in calls)
        return await hands.do(scope, calls)

    async def aclose(self) -> None:
        """Hang up wherever the running event loop has a connection."""
        for hands in self._hands.values():
            if close := getattr(hands, "aclose", None):
                await close()

    def _of(self, scope: Scope) -> Actuator:
        """What acts on the scope's home. Raises LinkError where it is linked to nothing, StoreError."""
        link = self._linked(scope)
        if link is None:
            raise fault("no_link", home=scope.home)
        if link not in self._hands:
            hands = self._opened(link)
            if hands is None:
                raise fault("no_link", home=scope.home)
            self._hands[link] = hands
        return self._hands[link]
