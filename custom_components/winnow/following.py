"""What tells that the home is no longer the one that was built."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_HOMEASSISTANT_STARTED, EVENT_STATE_CHANGED
from homeassistant.core import CALLBACK_TYPE, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.event import async_call_later

from .const import ASSISTANT

QUIET = 1.0
"""Seconds after a change before the home is built anew: registries change in bursts."""
REARRANGING = (
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    ar.EVENT_AREA_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
    lr.EVENT_LABEL_REGISTRY_UPDATED,
    EVENT_HOMEASSISTANT_STARTED,
)
ABILITIES = ("friendly_name", "supported_features", "device_class", "unit_of_measurement", "entity_id")
"""Attributes of a state that tell what the entity is, and not how it is."""


class Soon:
    """Work that is to be done a moment after it was asked for, once for all that asked meanwhile.

    Home Assistant's own ``Debouncer`` passes over what asks while the work is under way: that would be lost.
    """

    def __init__(self, hass: HomeAssistant, work: Callable[[], Awaitable[None]]) -> None:
        self.hass, self._work = hass, work
        self._cancel: CALLBACK_TYPE | None = None

    @callback
    def ask(self, *_: object) -> None:
        """Have it done, if that is not to happen anyway."""
        if self._cancel is None:
            self._cancel = async_call_later(self.hass, QUIET, self._done)

    @callback
    def stop(self) -> None:
        """Do it no more."""
        if self._cancel is not None:
            self._cancel()

    async def _done(self, _: datetime) -> None:
        self._cancel = None
        await self._work()


@callback
def follow(hass: HomeAssistant, entry: ConfigEntry, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work whenever what the home consists of may have changed, for as long as the entry is loaded."""
    soon = Soon(hass, work)
    for kind in REARRANGING:
        entry.async_on_unload(hass.bus.async_listen(kind, soon.ask))
    entry.async_on_unload(hass.bus.async_listen(EVENT_STATE_CHANGED, soon.ask, event_filter=_is_another))
    entry.async_on_unload(async_listen_entity_updates(hass, ASSISTANT, soon.ask))
    entry.async_on_unload(soon.stop)


@callback
def _is_another(changed: EventStateChangedData) -> bool:
    """Whether what the entity is has changed, and not only how it is."""
    before, after = changed["old_state"], changed["new_state"]
    if before is None or after is None:
        return before is not after
    return any(before.attributes.get(name) != after.attributes.get(name) for name in ABILITIES)
