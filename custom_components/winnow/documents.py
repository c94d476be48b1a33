"""What Home Assistant knows of the home, as the rows that Winnow's own importer reads.

Only what is exposed to Assist is told, and of that only what ``may`` lets through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.json import json_bytes
from homeassistant.util.json import json_loads

from .const import ASSISTANT

May = Callable[[str], bool]
"""Whether somebody may see the entity of that id."""
ENTITY = (
    *("entity_id", "name", "original_name", "has_entity_name", "aliases", "translation_key", "labels"),
    *("area_id", "device_id", "device_class", "original_device_class", "capabilities", "options"),
    *("supported_features", "unit_of_measurement", "entity_category", "hidden_by", "disabled_by"),
)
"""What is read of each row, whatever else later releases put there."""
DEVICE = (
    *("id", "name", "name_by_user", "manufacturer", "model", "area_id", "labels"),
    *("entry_type", "disabled_by"),
)
AREA = ("name", "aliases", "floor_id")
LABEL = ("label_id", "name")
FLOOR = ("floor_id", "name", "aliases", "level")


@callback
def is_exposed(hass: HomeAssistant, entity_id: str) -> bool:
    """Whether Assist may speak of the entity, at this moment."""
    return async_should_expose(hass, ASSISTANT, entity_id)


@callback
def exposed(hass: HomeAssistant, may: May) -> list[State]:
    """The states of all that is exposed and may be seen."""
    return [s for s in hass.states.async_all() if is_exposed(hass, s.entity_id) and may(s.entity_id)]


@callback
def documents(hass: HomeAssistant, states: Iterable[State]) -> dict[str, bytes]:
    """Document -> its rows as JSON: the states, and what the registries say of these entities.

    Quick, in the event loop; ``parsed`` does the rest elsewhere.
    """
    states = list(states)
    registry = er.async_get(hass)
    entries = [entry for state in states if (entry := registry.async_get(state.entity_id))]
    told: dict[str, list[Any]] = {
        "states": [_state(state) for state in states],
        "entities": [_row(entry, ENTITY) for entry in entries],
        "devices": _devices(hass, entries),
        "areas": [{"area_id": area.id, **_row(area, AREA)} for area in ar.async_get(hass).async_list_areas()],
        "floors": [_row(floor, FLOOR) for floor in fr.async_get(hass).async_list_floors()],
        "labels": [_row(label, LABEL) for label in lr.async_get(hass).async_list_labels()],
    }
    return {name: json_bytes(rows) for name, rows in told.items()}


def parsed(told: dict[str, bytes]) -> dict[str, object]:
    """The same as the importer takes them, with all entities spoken to."""
    rows: dict[str, Any] = {name: json_loads(text) for name, text in told.items()}
    shown = {row["entity_id"]: {ASSISTANT: True} for row in rows["states"]}
    return {**rows, "exposure": {"exposed_entities": shown}}


def _state(state: State) -> dict[str, Any]:
    """The state; attributes that are no JSON stand as text."""
    row = {**state.as_dict(), "context": None}
    try:
        json_bytes(row)
    except (TypeError, ValueError):
        row["attributes"] = {name: _plain(value) for name, value in state.attributes.items()}
    return row


def _plain(value: object) -> object:
    try:
        json_bytes(value)
    except (TypeError, ValueError):
        return str(value)
    return value


def _devices(hass: HomeAssistant, entries: Iterable[er.RegistryEntry]) -> list[dict[str, Any]]:
    registry = dr.async_get(hass)
    ids = dict.fromkeys(entry.device_id for entry in entries if entry.device_id)
    devices = [device for device_id in ids if (device := registry.async_get(device_id))]
    return [_row(device, DEVICE) for device in devices]


def _row(entry: object, names: tuple[str, ...]) -> dict[str, Any]:
    """What a registry has under these names; sets in one order, so that the same home is the same text."""
    found = {name: getattr(entry, name) for name in names}
    return {name: sorted(v, key=str) if isinstance(v, set | frozenset) else v for name, v in found.items()}
