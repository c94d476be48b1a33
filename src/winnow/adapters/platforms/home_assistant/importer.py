"""Home Assistant homes: from the rows of an export to the catalog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.adapters.platforms.bundle import ExportBundle, ImportOptions
from winnow.adapters.platforms.home_assistant.entity import (
    STATE_TIMES,
    EntityKind,
    HomeAssistantEntity,
    entities_in_use,
    entity_kind,
)
from winnow.adapters.platforms.home_assistant.export import (
    HomeAssistantExport,
    Registry,
    RowKind,
    floors_of,
    read_export,
    read_registry,
    rooms_of,
)
from winnow.adapters.platforms.home_assistant.relations import (
    EntityRelations,
    aliases_with_number,
    exposure_of,
    groups_of,
    label_groups,
    labels_of,
    relations_of,
)
from winnow.adapters.platforms.home_assistant.services import (
    Surroundings,
    entity_attributes,
    entity_commands,
    entity_states,
    temperature_unit,
)
from winnow.adapters.platforms.json_rows import ImportProblems, latest_time
from winnow.adapters.platforms.traits import shared_profile
from winnow.types.home import Device, Home, Note, Profile, Scene
from winnow.types.state import ImportedHome, Snapshot


def load_home_assistant(
    bundle: ExportBundle, problems: ImportProblems, options: ImportOptions
) -> ImportedHome:
    """The home in the documents."""
    export = read_export(bundle, problems)
    registry = read_registry(export)
    notes = list(_missing_documents(export))
    entities = entities_in_use(export, registry, notes)
    relations = relations_of(entities, exposure_of(export, registry, notes))
    rows = (*registry.areas.values(), *registry.floors.values())
    names = tuple(name for row in rows if (name := row.text("name")))
    place = _ImportContext(
        relations, names, temperature_unit((e.domain, e.attributes) for e in entities), notes
    )
    called = options.home_id or bundle.name
    home = replace(_home(entities, registry, place), id=called or "home", name=called or "Home Assistant")
    return ImportedHome(home, _initial_states(relations.things))


_WITHOUT_DOCUMENT: Mapping[RowKind, str] = {
    "state": "no states: values, groups and the names people see are not known",
    "entity": "no entity registry: aliases, rooms and what is hidden are not known",
    "device": "no device registry: rooms and models are not known",
    "area": "no area registry: rooms are not known",
}


def _missing_documents(export: HomeAssistantExport) -> Sequence[Note]:
    """What the export lacks, and what is not known for want of it."""
    known = {kind for kind, rows in export.rows.items() if rows}
    if "restored" in known:
        known.add("state")
    return [
        Note("fewer_facts", kind, detail=why) for kind, why in _WITHOUT_DOCUMENT.items() if kind not in known
    ]


@dataclass(frozen=True, slots=True)
class _ImportContext:
    """What a device needs to know of its home."""

    relations: EntityRelations
    names: tuple[str, ...]
    """Of rooms and floors."""
    degrees: str
    """The home's unit of temperature: C, F or unknown."""
    notes: list[Note]


def _home(entities: Sequence[HomeAssistantEntity], registry: Registry, place: _ImportContext) -> Home:
    built = [_device(entity, place) for entity in place.relations.things]
    devices = {device.id: device for device, _ in built}
    members = place.relations.members
    return Home(
        id="",
        name="",
        source="homeassistant",
        floors=floors_of(registry),
        rooms=rooms_of(registry),
        profiles=tuple({p.id: p for _, p in built}.values()),
        devices=tuple(devices.values()),
        scenes=tuple(_scene(e) for e in entities if e.is_scene),
        groups=(*groups_of(entities, members), *label_groups(place.relations.things, devices, registry)),
        notes=tuple(place.notes),
    )


def _scene(entity: HomeAssistantEntity) -> Scene:
    return Scene(
        id=entity.id,
        name=entity.name,
        command_id=f"{entity.domain}.turn_on",
        aliases=entity.aliases,
        room_id=entity.room_id,
    )


def _device(entity: HomeAssistantEntity, place: _ImportContext) -> tuple[Device, Profile]:
    """The device and its profile, which equal entities share. A guess is noted."""
    whole = place.relations.wholes.get(entity.id)
    told = entity_kind(entity, whole)
    if told.guessed:
        place.notes.append(Note("guessed_kind", entity.id, entity.name, f"{told.kinds[0]}: {told.guessed}"))
    profile = _profile(entity, told, whole, place)
    why = place.relations.why_named[entity.id]
    hidden = "hidden" if entity.entry.text("hidden_by") else ""
    device = Device(
        id=entity.id,
        name=entity.name,
        profile_id=profile.id,
        kinds=told.kinds,
        aliases=aliases_with_number(entity, place.relations.places),
        room_id=entity.room_id,
        categories=tuple(filter(None, (entity.domain, entity.device_class))),
        tags=tuple(filter(None, (hidden, entity.category, *sorted(labels_of(entity))))),
        part_of=whole.id if whole else None,
        reach="named" if why else "spoken",
        danger=told.danger,
        reasons=tuple(dict.fromkeys((*told.reasons, *why))),
    )
    return device, profile


def _profile(
    entity: HomeAssistantEntity, told: EntityKind, whole: HomeAssistantEntity | None, place: _ImportContext
) -> Profile:
    attributes = {**entity.attributes, "device_class": told.device_class}
    commands = entity_commands(entity.domain, attributes, told.kinds, place.degrees)
    around = Surroundings(entity_kind(whole, None).kinds if whole else (), place.names)
    readable = entity_attributes(entity, commands, around, place.degrees)
    return shared_profile(entity.domain, commands, readable)


def _initial_states(things: Sequence[HomeAssistantEntity]) -> Snapshot:
    """What the entities told when the states were saved."""
    told = [e for e in things if e.row.data]
    times = (e.row.data.get(name) for e in told for name in STATE_TIMES)
    offline = frozenset(e.id for e in things if e.state == "unavailable" or e.stale_reason)
    return Snapshot({e.id: entity_states(e) for e in told}, latest_time(times), "homeassistant", offline)
