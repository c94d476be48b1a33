"""The home as Winnow sees it: built from what is exposed, and built anew when that changes.

Whoever may see all of it shares one home; a user who may see less has one of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.core import HomeAssistant

from winnow.adapters.platforms.registry import load_home_documents
from winnow.engine.engine import Engine
from winnow.engine.home_import import home_notes, import_home
from winnow.errors import HomeNotFound
from winnow.types.home import Home, Note
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome

from .const import HOME
from .documents import documents, exposed, parsed
from .states import HassStates
from .thread import EngineThread


@dataclass(frozen=True, slots=True)
class Built:
    """One home as it was built last."""

    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    version: int = 0


class Homes:
    """The homes of one engine."""

    def __init__(self, hass: HomeAssistant, engine: Engine, states: HassStates, thread: EngineThread) -> None:
        self.hass, self.engine, self._states, self._thread = hass, engine, states, thread
        self.built: dict[str, Built] = {}
        self._lock = asyncio.Lock()
        self._whose: dict[str, str] = {}
        """Home id -> the user whose it is; empty for the one that is everybody's."""

    async def of(self, user_id: str | None) -> str:
        """Id of the home that the user may see, built when it was not. Raises WinnowError.

        Waits for one that is being built: nobody is answered from a home that is half one and half another.
        """
        user = await self.hass.auth.async_get_user(user_id) if user_id else None
        home_id = HOME
        # A satellite that is nobody's speaks for the home itself.
        if user and not user.permissions.access_all_entities(POLICY_READ):
            home_id = f"{HOME}-{user.id}"
        async with self._lock:
            if home_id not in self.built:
                self._whose[home_id] = "" if home_id == HOME else str(user_id)
                await self._build(home_id)
        return home_id

    async def build(self) -> None:
        """Build everything anew that was built before, at least the home of everybody. Raises WinnowError."""
        async with self._lock:
            for home_id in dict.fromkeys([HOME, *self.built]):
                await self._build(home_id)

    async def _build(self, home_id: str) -> None:
        user = await self.hass.auth.async_get_user(self._whose.get(home_id) or "")
        states = exposed(
            self.hass, lambda entity: user is None or user.permissions.check_entity(entity, POLICY_READ)
        )
        told = documents(self.hass, states)
        name = self.hass.config.location_name
        self.built[home_id] = await self._thread.run(self._stored(home_id, name, told))
        self._states.entities[home_id] = tuple(state.entity_id for state in states)

    async def _stored(self, home_id: str, name: str, told: dict[str, bytes]) -> Built:
        """Read, keep where it is another than before, and make ready. Works long: for the engine's loop."""
        imported = _imported(home_id, name, told)
        scope = Scope(self.engine.policy.tenant, home=home_id)
        before = None
        with suppress(HomeNotFound):
            before = await self.engine.storage.homes.load_home(scope)
        if before is None or replace(before, version=0) != imported.home:
            await import_home(scope, imported, self.engine.storage.homes)
        home = (await self.engine.load_home(home_id)).home
        counts = {"devices": len(home.devices), "rooms": len(home.rooms), "scenes": len(home.scenes)}
        return Built(counts, home_notes(imported.home, imported.states), home.version)


def _imported(home_id: str, name: str, told: dict[str, bytes]) -> ImportedHome:
    """The home in the rows; an empty one where nothing is exposed."""
    rows = parsed(told)
    if not rows["states"]:
        return ImportedHome(Home(home_id, name, "homeassistant"))
    imported = load_home_documents(rows, name, home_id)
    return replace(imported, home=replace(imported.home, name=name))
