"""What helps to find a fault, without a name of anything or anybody."""

from __future__ import annotations

from collections import Counter
from typing import Any

from homeassistant.core import HomeAssistant

from winnow import __version__

from .runtime import WinnowConfigEntry


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant,
    entry: WinnowConfigEntry,
) -> dict[str, Any]:
    """Versions, options, and of each home counts and what its import had to say, by code."""
    runtime = entry.runtime_data
    homes = [
        {
            "version": built.version,
            "counts": dict(built.counts),
            "notes": dict(Counter(note.code for note in built.notes)),
        }
        for built in runtime.homes.built.values()
    ]
    return {
        "winnow": __version__,
        "embedder": runtime.engine.embedder.name,
        "options": {key: value for key, value in entry.options.items() if key != "fallback"},
        "fallback": "fallback" in entry.options,
        "homes": homes,
    }
