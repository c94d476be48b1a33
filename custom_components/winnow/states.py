"""How things are, read from Home Assistant itself at the moment somebody asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.util import dt as dt_util

from winnow.adapters.platforms.home_assistant.services import state_values
from winnow.types.scope import Scope
from winnow.types.state import Origin, Snapshot

from .documents import is_exposed
from .thread import over

SOURCE = "homeassistant"
Known = tuple[State, Mapping[str, Any], Mapping[str, Origin]]


class HassStates:
    """Winnow's ``States`` of this Home Assistant. What is no longer exposed is no longer read."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.entities: dict[str, tuple[str, ...]] = {}
        """Home id -> the entities in it."""
        self._known: dict[str, Known] = {}
        """A state is never changed, only replaced: what was made of it holds as long as it is the same."""

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states of these entities, or of all of the scope's home, as they are now."""

        async def now() -> Snapshot:
            return self.snapshot(scope.home, refs)

        return await over(self.hass.loop, now)

    @callback
    def snapshot(self, home_id: str, refs: Collection[str] = ()) -> Snapshot:
        """The same, in Home Assistant's own loop."""
        known = self.entities.get(home_id, ())
        values: dict[str, Mapping[str, Any]] = {}
        origins: dict[str, Mapping[str, Origin]] = {}
        offline: set[str] = set()
        for entity_id in (i for i in refs if i in known) if refs else known:
            # What Assist may speak of no longer is as good as away, whatever it would tell.
            if not is_exposed(self.hass, entity_id) or (row := self._told(entity_id)) is None:
                offline.add(entity_id)
                continue
            state, values[entity_id], origins[entity_id] = row
            if state.state == STATE_UNAVAILABLE:
                offline.add(entity_id)
        return Snapshot(values, dt_util.utcnow().timestamp(), SOURCE, frozenset(offline), origins)

    def _told(self, entity_id: str) -> Known | None:
        """The entity's state, its values, and when each was told."""
        state = self.hass.states.get(entity_id)
        if state is None:
            self._known.pop(entity_id, None)
            return None
        known = self._known.get(entity_id)
        if known is None or known[0] is not state:
            values = state_values(state.state, state.attributes)
            origin = Origin(SOURCE, state.last_reported_timestamp)
            known = self._known[entity_id] = state, values, dict.fromkeys(values, origin)
        return known
