"""What helps to find a fault, without a name of anything or anybody."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.loader import async_get_integration

from .const import CONF_FALLBACK, DOMAIN

if TYPE_CHECKING:
    from .runtime import Runtime, WinnowConfigEntry


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant,
    entry: WinnowConfigEntry,
) -> dict[str, Any]:
    """Version, state and options, and where the entry is loaded what its homes hold.

    Where it is not, nothing of Winnow is imported: that may be what went wrong.
    """
    integration = await async_get_integration(hass, DOMAIN)
    return {
        "winnow": str(integration.version),
        "state": entry.state.value,
        "options": {key: value for key, value in entry.options.items() if key != CONF_FALLBACK},
        "fallback": CONF_FALLBACK in entry.options,
        **(_homes(entry.runtime_data) if entry.state is ConfigEntryState.LOADED else {}),
    }


def _homes(runtime: Runtime) -> dict[str, Any]:
    """Of each home counts and what its import had to say, by code."""
    homes = [
        {
            "version": built.version,
            "counts": dict(built.counts),
            "notes": dict(Counter(note.code for note in built.notes)),
        }
        for built in runtime.homes.built.values()
    ]
    return {"embedder": runtime.engine.embedder.name, "homes": homes}
