"""An entity: its state and all that the registries say of it, in one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from winnow.errors import Phrase
from winnow.homes.fields import Row, built
from winnow.homes.home_assistant.documents import Export
from winnow.homes.home_assistant.naming import device_name, full_name, own_name
from winnow.homes.home_assistant.registry import Registry
from winnow.homes.traits import table
from winnow.types.catalog import Note

TIMES = ("last_reported", "last_updated", "last_changed")
"""Where a state says when it was heard of."""


@dataclass(frozen=True, slots=True)
class Entity:
    """``entry``, ``device`` and ``row`` are empty where the export has no such row."""

    id: str
    name: str
    own_name: str
    """What the name says beyond that of the device; empty: it is what the device is known as."""
    room_id: str | None
    attributes: Mapping[str, object]
    """Those of its state; what that lacks as the registry has it."""
    entry: Row
    device: Row
    row: Row
    ghost: str = ""
    """Why nothing tells of it any more, if so."""

    @property
    def domain(self) -> str:
        """``light`` of ``light.hall``."""
        return self.id.partition(".")[0]

    @property
    def device_id(self) -> str:
        """Id of the physical device it belongs to; empty when it belongs to none."""
        return self.device.text("id")

    @property
    def device_class(self) -> str:
        """What its integration, or its owner, says it is: ``outlet``."""
        return str(self.attributes.get("device_class") or "")

    @property
    def category(self) -> str:
        """``config`` or ``diagnostic``; empty for what a person uses."""
        return self.entry.text("entity_category")

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names its owner gave it."""
        return self.entry.strings("aliases")

    @property
    def state(self) -> str:
        """As it was told; empty when it was not."""
        return self.row.text("state")

    @property
    def is_scene(self) -> bool:
        """Whether it is run as a whole."""
        return self.domain in table("services")["scenes"]

    @property
    def is_device(self) -> bool:
        """Whether it is something by itself: no scene, and no mere list of others."""
        return not self.is_scene and self.domain not in table("services")["groups"]

    @property
    def members(self) -> tuple[str, ...]:
        """Entities this one stands for."""
        listed = self.attributes.get("entity_id")
        return tuple(x for x in listed if isinstance(x, str)) if isinstance(listed, list) else ()

    @property
    def evidence(self) -> tuple[str, ...]:
        """What may tell what it is, the best first.

        What the device is called, and its model, tell of what it is known as and not of the rest of it.
        """
        of_device = () if self.own_name else (device_name(self.device), self.device.text("model"))
        return tuple(dict.fromkeys(filter(None, (self.name, *self.aliases, *of_device))))


def entities_of(export: Export, registry: Registry, notes: list[Note]) -> list[Entity]:
    """The entities in use, in the order of their registry, others by id. What is left out is noted."""
    states = _states(export)
    told = bool(export.of("state"))
    nothing = Row({}, "", "", export.problems)
    found = []
    for entity_id in (*registry.entities, *sorted(states.keys() - registry.entities.keys())):
        entry = registry.entities.get(entity_id, nothing)
        device = registry.devices.get(entry.text("device_id"), nothing)
        entity = _entity(entity_id, entry, device, states.get(entity_id, nothing), registry)
        if why := _unused(entry, device):
            notes.append(Note("ignored", entity_id, entity.name, why))
        else:
            found.append(_haunted(entity, notes, told=told))
    return found


def _unused(entry: Row, device: Row) -> str:
    """Why nobody may use it; empty when anybody may."""
    if by := entry.text("disabled_by"):
        return f"disabled_by {by}"
    by = device.text("disabled_by")
    return f"device disabled_by {by}" if by else ""


def _haunted(entity: Entity, notes: list[Note], *, told: bool) -> Entity:
    """The same; a ghost, and noted, when only a record of old times tells of it.

    ``told``: whether there are states, so that one without a state is nobody's any more.
    """
    restored = "restored" if entity.attributes.get("restored") else ""
    why = "no state" if told and not entity.row.data else restored
    if not why:
        return entity
    notes.append(Note("restored", entity.id, entity.name, why))
    return replace(entity, ghost=why)


def _states(export: Export) -> dict[str, Row]:
    """States by entity; those of an earlier run only where no others were exported."""
    rows = export.of("state") or list(_restored(export))
    found: dict[str, Row] = {}
    for entity_id, row in built(rows, lambda row: (row.id("entity_id"), row)):
        if "." not in entity_id:
            row.note("entity_id", Phrase("{id!r} is not domain.name", id=entity_id))
            continue
        if _friendly(found.setdefault(entity_id, row)) != _friendly(row):
            row.note("entity_id", Phrase("repeats {id!r} under another name", id=entity_id))
    return found


def _restored(export: Export) -> Iterator[Row]:
    return (row.row("state") for row in export.of("restored"))


def _friendly(row: Row) -> str:
    return row.row("attributes").text("friendly_name")


def _entity(entity_id: str, entry: Row, device: Row, row: Row, registry: Registry) -> Entity:
    name = full_name(entity_id, entry, device, _friendly(row))
    told = _present(row.row("attributes").data)
    known: dict[str, object] = dict(entry.row("capabilities").data)
    known["device_class"] = entry.text("device_class") or entry.text("original_device_class")
    known["unit_of_measurement"] = entry.text("unit_of_measurement")
    known["supported_features"] = entry.data.get("supported_features")
    return Entity(
        id=entity_id,
        name=name,
        own_name=own_name(name, entry, device),
        room_id=registry.area_of(entry, device),
        attributes={**_present(known), **told},
        entry=entry,
        device=device,
        row=row,
    )


def _present(attributes: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in attributes.items() if value is not None and value != ""}
