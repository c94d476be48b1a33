"""Home Assistant homes: states, and the registries of areas, floors, devices and entities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from winnow.errors import Phrase
from winnow.homes.bundle import Bundle, Options
from winnow.homes.fields import Problems, Row, newest
from winnow.homes.floors import with_usual_names
from winnow.homes.home_assistant.documents import Export, exported
from winnow.homes.home_assistant.services import attributes_of, commands_of, states_of, temperature_unit
from winnow.homes.profiles import shared_profile
from winnow.homes.traits import home_assistant_kinds, table
from winnow.types.catalog import Device, Floor, Group, Home, Profile, Room, Scene
from winnow.types.imports import Imported
from winnow.types.state import Snapshot

TIMES = ("last_reported", "last_updated", "last_changed")
"""Where an entity says when it was heard of."""


@dataclass(frozen=True, slots=True)
class _Registry:
    """The registries, by id."""

    areas: Mapping[str, Row]
    devices: Mapping[str, Row]
    entities: Mapping[str, Row]

    def area_of(self, entity_id: str) -> str | None:
        """The entity's own area, else its device's; None when neither is a known one."""
        entity = self.entities.get(entity_id)
        if entity is None:
            return None
        device = self.devices.get(entity.text("device_id"))
        area = entity.text("area_id") or (device.text("area_id") if device else "")
        return area if area in self.areas else None


@dataclass(frozen=True, slots=True)
class _Entity:
    """A state and all that the registries say about it."""

    id: str
    name: str
    aliases: tuple[str, ...]
    room_id: str | None
    tags: tuple[str, ...]
    row: Row

    @property
    def domain(self) -> str:
        return self.id.partition(".")[0]

    @property
    def is_scene(self) -> bool:
        return self.domain in table("services")["scenes"]

    @property
    def is_device(self) -> bool:
        """Whether it is something by itself: no scene, and no mere list of others."""
        return not self.is_scene and self.domain not in table("services")["groups"]

    @property
    def state(self) -> str:
        return self.row.text("state")

    @property
    def attributes(self) -> Mapping[str, object]:
        return self.row.row("attributes").data

    @property
    def members(self) -> tuple[str, ...]:
        """Entities this one stands for."""
        listed = self.attributes.get("entity_id")
        return tuple(x for x in listed if isinstance(x, str)) if isinstance(listed, list) else ()


def load_home_assistant(bundle: Bundle, problems: Problems, options: Options) -> Imported:
    """The home in the documents. Raises ``HomeImportError`` with every problem of every one."""
    export = exported(bundle, problems)
    registry = _registry(export)
    entities = _entities(export.of("state"), registry)
    home = _home(entities, registry, _floors(export), bundle.name)
    if options.home_id:
        home = replace(home, id=options.home_id, name=options.home_id)
    imported = Imported(home, _reported(entities))
    problems.check()
    return imported


def _home(entities: list[_Entity], registry: _Registry, floors: tuple[Floor, ...], name: str) -> Home:
    devices, profiles = _devices(entities)
    known = frozenset(device.id for device in devices)
    return Home(
        id=name or "home",
        name=name or "Home Assistant",
        source="homeassistant",
        floors=floors,
        rooms=_rooms(registry, floors),
        profiles=profiles,
        devices=devices,
        scenes=tuple(_scene(e) for e in entities if e.is_scene),
        groups=tuple(_group(e, known) for e in entities if e.members and not e.is_scene),
    )


def _floors(export: Export) -> tuple[Floor, ...]:
    return with_usual_names(_floor(row) for row in _by_id(export.of("floor"), "floor_id").values())


def _registry(export: Export) -> _Registry:
    """The registries, as far as the export has them."""
    return _Registry(
        areas=_by_id(export.of("area"), "area_id", "id"),
        devices=_by_id(export.of("device"), "id"),
        entities={row.text("entity_id"): row for row in export.of("entity")},
    )


def _by_id(rows: list[Row], name: str, otherwise: str = "") -> dict[str, Row]:
    """Rows by id, the first of each. Storage calls some ids ``otherwise``.

    One given twice under one name is one thing; under two names it is a problem.
    """
    found: dict[str, Row] = {}
    for row in rows:
        value = (otherwise and row.text(otherwise)) or row.id(name)
        if _called(found.setdefault(value, row)) != _called(row):
            row.note(name, Phrase("repeats {id!r} under another name", id=value))
    return found


def _called(row: Row) -> str:
    return row.text("name") or row.text("original_name")


def _floor(row: Row) -> Floor:
    level = row.number("level")
    return Floor(
        id=row.id("floor_id"),
        name=row.id("name"),
        aliases=row.strings("aliases"),
        level=None if level is None else int(level),
    )


def _rooms(registry: _Registry, floors: tuple[Floor, ...]) -> tuple[Room, ...]:
    known = {f.id for f in floors}
    return tuple(_room(area_id, row, known) for area_id, row in registry.areas.items())


def _room(area_id: str, row: Row, floors: set[str]) -> Room:
    floor = row.text("floor_id")
    return Room(
        id=area_id,
        name=row.id("name"),
        aliases=row.strings("aliases"),
        floor_id=floor if floor in floors else None,
    )


def _entities(states: list[Row], registry: _Registry) -> list[_Entity]:
    """The entities in use. One given twice under one name is one entity; under two names it is a problem."""
    found: dict[str, _Entity] = {}
    for row in states:
        entity = _entity(row, registry)
        if entity is None:
            continue
        if found.setdefault(entity.id, entity).name != entity.name:
            row.note("entity_id", Phrase("repeats {id!r} under another name", id=entity.id))
    return list(found.values())


def _entity(row: Row, registry: _Registry) -> _Entity | None:
    """The entity; None when it is disabled or its id is no entity id."""
    entity_id = row.id("entity_id")
    if entity_id and "." not in entity_id:
        row.note("entity_id", Phrase("{id!r} is not domain.name", id=entity_id))
    entry = registry.entities.get(entity_id) or Row({}, row.file, row.path, row.problems)
    if "." not in entity_id or entry.text("disabled_by"):
        return None
    return _Entity(
        id=entity_id,
        name=row.row("attributes").text("friendly_name") or _called(entry) or _spelt(entity_id),
        aliases=entry.strings("aliases"),
        room_id=registry.area_of(entity_id),
        tags=_tags(entry),
        row=row,
    )


def _spelt(entity_id: str) -> str:
    """``light.hall_lamp`` -> ``hall lamp``."""
    return entity_id.partition(".")[2].replace("_", " ")


def _tags(entry: Row) -> tuple[str, ...]:
    hidden = "hidden" if entry.text("hidden_by") else ""
    return tuple(filter(None, (hidden, entry.text("entity_category"), *entry.strings("labels"))))


def _scene(entity: _Entity) -> Scene:
    return Scene(
        id=entity.id,
        name=entity.name,
        command_id=f"{entity.domain}.turn_on",
        aliases=entity.aliases,
        room_id=entity.room_id,
    )


def _group(entity: _Entity, known: frozenset[str]) -> Group:
    return Group(
        id=entity.id,
        name=entity.name,
        members=tuple(m for m in entity.members if m in known),
        aliases=entity.aliases,
    )


def _reported(entities: list[_Entity]) -> Snapshot:
    """What the entities told when the states were saved."""
    things = [e for e in entities if e.is_device]
    return Snapshot(
        {e.id: states_of(e.state, e.attributes) for e in things},
        newest(e.row.data.get(name) for e in entities for name in TIMES),
        "homeassistant",
        frozenset(e.id for e in things if e.state == "unavailable"),
    )


def _devices(entities: list[_Entity]) -> tuple[tuple[Device, ...], tuple[Profile, ...]]:
    """The devices, and their profiles, each once."""
    degrees = temperature_unit((e.domain, e.attributes) for e in entities)
    built = [_device(e, degrees) for e in entities if e.is_device]
    return tuple(device for device, _ in built), tuple({p.id: p for _, p in built}.values())


def _device(entity: _Entity, degrees: str) -> tuple[Device, Profile]:
    """The device and its profile, which equal entities share."""
    attributes = entity.attributes
    commands = commands_of(entity.domain, attributes, degrees)
    readable = attributes_of(entity.domain, attributes, commands, degrees)
    profile = shared_profile(entity.domain, commands, readable)
    device_class = str(attributes.get("device_class") or "")
    device = Device(
        id=entity.id,
        name=entity.name,
        profile_id=profile.id,
        kinds=home_assistant_kinds(entity.domain, device_class),
        aliases=entity.aliases,
        room_id=entity.room_id,
        categories=tuple(filter(None, (entity.domain, device_class))),
        tags=(*entity.tags, *(("group",) if entity.members else ())),
    )
    return device, profile
