"""Homes linked to a server: the file of links, their current states, and the actuator that reaches them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from winnow.adapters.http import Backoff
from winnow.adapters.platforms.live.server import link_error
from winnow.errors import LinkError, Phrase, StoreError
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome, States
from winnow.types.home import Scalar
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import EMPTY_SNAPSHOT, Link, Snapshot, StateChange
from winnow.types.verdict import Call

# Homes acted on where they run, each by what speaks with its server.

LinkOf = Callable[[Scope], Link | None]
"""To which server the scope's home is linked."""
OpenActuator = Callable[[Link], Actuator]
"""What acts on the home behind a link. Raises LinkError."""


class LiveActuator:
    """``Actuator`` of homes that are linked to a server. Of no other home anything is asked or sent.

    Whether a home is linked is asked every time: one whose link was forgotten is left alone from then on.
    """

    def __init__(self, linked: LinkOf, opened: OpenActuator) -> None:
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
            raise link_error("no_link", home=scope.home)
        if link not in self._hands:
            self._hands[link] = self._opened(link)
        return self._hands[link]


# What became different between two readings of states.

StateValues = Mapping[str, Scalar]


def state_changes(before: Snapshot, after: Snapshot) -> Iterator[StateChange]:
    """The values of all devices that became others."""
    for device_id in {**before.values, **after.values}:
        for change in value_changes(device_id, before.of(device_id), after.of(device_id)):
            yield replace(change, at=after.origin(device_id, change.attribute_id).at)


def value_changes(
    device_id: str, before: StateValues, after: StateValues, at: float | None = None
) -> Iterator[StateChange]:
    """The values of one device that became others at that moment."""
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            yield StateChange(device_id, name, before.get(name), after.get(name), at)


OpenHome = Callable[[Scope], LiveHome | None]
"""The server of the scope's home; None when it is not linked to one."""


@dataclass
class _LinkedHome:
    """A home's server, what it last told, and when it may be asked again."""

    home: LiveHome
    last: Snapshot = EMPTY_SNAPSHOT
    free_at: float = 0.0
    backoff: Backoff = field(default_factory=lambda: Backoff(first=1.0))


class LiveStates:
    """``States`` of homes that are linked to a server; of all others, those of ``below``.

    While a server is down, what it told last stands, each value with the moment it was told; the server is
    left alone for growing pauses, so that no turn waits for it again and again.
    """

    def __init__(self, below: States, opened: OpenHome, clock: Clock) -> None:
        self.below, self._opened, self._clock = below, opened, clock
        self._known: dict[tuple[str, str], _LinkedHome | None] = {}

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these devices, or of all, as they are now.

        Raises HomeNotFound, StoreError, and LinkError for what does not pass by itself.
        """
        imported = await self.below.read(scope, refs)  # whose home it is, is known to the store alone
        place = scope.tenant, scope.home
        if place not in self._known:
            home = self._opened(scope)
            self._known[place] = _LinkedHome(home) if home else None
        known = self._known[place]
        if known is None:
            return imported
        if self._clock.now() < known.free_at:
            return _last_states(known, imported, refs)
        try:
            now = await known.home.read(refs)
        except LinkError as error:
            if not error.retryable:
                raise
            known.free_at = self._clock.now() + known.backoff.next_pause(error.retry_after)
            return _last_states(known, imported, refs)
        known.backoff.reset()
        known.last = known.last if refs else now
        return now


def _last_states(known: _LinkedHome, imported: Snapshot, refs: Collection[str]) -> Snapshot:
    """What is known without the server."""
    if known.last is EMPTY_SNAPSHOT:
        return imported
    return known.last.about(refs) if refs else known.last


# Which homes are linked to a server: a small file beside the store, without any token.

LINKS_FILE = "links.json"
_FIELDS = {"url", "platform", "token_env"}


class LinkFile:
    """Tenant -> home -> its link, as JSON in the data folder. Raises StoreError."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LINKS_FILE

    def link(self, scope: Scope) -> Link | None:
        """The link of the scope's home; None when it was imported from files."""
        told = self._all().get(scope.tenant, {}).get(scope.home)
        return Link(**told) if isinstance(told, dict) and told.keys() == _FIELDS else None

    def keep(self, scope: Scope, link: Link) -> None:
        """Remember the link of the scope's home."""
        links = self._all()
        self._write({**links, scope.tenant: {**links.get(scope.tenant, {}), scope.home: asdict(link)}})

    def forget(self, scope: Scope) -> None:
        """The scope's home is linked to nothing any more."""
        links = self._all()
        if links.get(scope.tenant, {}).pop(scope.home, None):
            self._write(links)

    def _all(self) -> dict[str, dict[str, Any]]:
        try:
            links = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise self._fault(error) from None
        if isinstance(links, dict) and all(isinstance(homes, dict) for homes in links.values()):
            return links
        raise self._fault(ValueError("not what Winnow writes there"))

    def _write(self, links: dict[str, dict[str, Any]]) -> None:
        """In the place of the old file as a whole, so that nobody reads half of it."""
        fresh = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(links, ensure_ascii=False, indent=1) + "\n", "utf-8")
            fresh.replace(self.path)
        except OSError as error:
            raise self._fault(error) from None

    def _fault(self, error: Exception) -> StoreError:
        why = getattr(error, "strerror", None) or error
        return StoreError(
            Phrase("{path}: {why}", path=self.path, why=why),
            hint="Check its permissions; deleting it forgets only which servers homes are read from.",
        )
