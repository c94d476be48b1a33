"""Home Assistant homes: from the rows of an export to the catalog."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.adapters.platforms.bundle import ExportBundle, ImportOptions
from winnow.adapters.platforms.home_assistant.entity import (
    STATE_TIMES,
    EntityKind,
    HomeAssistantEntity,
    button_deed,
    device_name,
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
from winnow.adapters.platforms.home_assistant.services import (
    Surroundings,
    entity_attributes,
    entity_commands,
    entity_states,
    temperature_unit,
)
from winnow.adapters.platforms.json_rows import ImportProblems, latest_time
from winnow.adapters.platforms.traits import kinds_by_name, platform_table, shared_profile
from winnow.language.kinds import only_powers
from winnow.language.lexicon import surfaces
from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers
from winnow.types.home import Device, Group, Home, Note, Profile, Scene
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
        scenes=tuple(
            Scene(
                id=e.id, name=e.name, command_id=f"{e.domain}.turn_on", aliases=e.aliases, room_id=e.room_id
            )
            for e in entities
            if e.is_scene
        ),
        groups=(*groups_of(entities, members), *label_groups(place.relations.things, devices, registry)),
        notes=tuple(place.notes),
    )


def _device(entity: HomeAssistantEntity, place: _ImportContext) -> tuple[Device, Profile]:
    """The device and its profile, which equal entities share. A guess is noted."""
    whole = place.relations.wholes.get(entity.id)
    told = entity_kind(entity, whole)
    if told.guessed:
        place.notes.append(Note("guessed_kind", entity.id, entity.name, f"{told.kinds[0]}: {told.guessed}"))
    appliance, deed = place.relations.appliances.get(entity.id, ("", ""))
    if deed:
        told = _as_appliance(told, appliance)
    profile = _profile(entity, told, whole, place, deed)
    why = place.relations.why_named[entity.id]
    device = Device(
        id=entity.id,
        name=entity.name,
        profile_id=profile.id,
        kinds=told.kinds,
        aliases=aliases_with_number(entity, place.relations.places, appliance),
        room_id=entity.room_id,
        categories=tuple(filter(None, (entity.domain, entity.device_class))),
        tags=_tags(entity),
        part_of=whole.id if whole else None,
        reach="named" if why else "spoken",
        danger=told.danger,
        reasons=tuple(dict.fromkeys((*told.reasons, *why))),
    )
    return device, profile


def _tags(entity: HomeAssistantEntity) -> tuple[str, ...]:
    hidden = "hidden" if entity.entry.text("hidden_by") else ""
    return tuple(filter(None, (hidden, entity.category, *sorted(labels_of(entity)))))


def _as_appliance(told: EntityKind, appliance: str) -> EntityKind:
    """A button that starts a washer is that washer, as far as it goes."""
    kinds, why = kinds_by_name([appliance])
    return replace(told, kinds=(*kinds, *told.kinds), reasons=(*told.reasons, why))


def _profile(
    entity: HomeAssistantEntity,
    told: EntityKind,
    whole: HomeAssistantEntity | None,
    place: _ImportContext,
    deed: str,
) -> Profile:
    attributes = {**entity.attributes, "device_class": told.device_class}
    commands = entity_commands(entity.domain, attributes, told.kinds, place.degrees)
    if deed:
        commands = (*commands, *(replace(command, trait=deed) for command in commands))
    around = Surroundings(entity_kind(whole, None).kinds if whole else (), place.names)
    # When such a button was last pressed says nothing of the appliance.
    readable = () if deed else entity_attributes(entity, commands, around, place.degrees)
    return shared_profile(entity.domain, commands, readable)


def _initial_states(things: Sequence[HomeAssistantEntity]) -> Snapshot:
    """What the entities told when the states were saved."""
    told = [e for e in things if e.row.data]
    times = (e.row.data.get(name) for e in told for name in STATE_TIMES)
    offline = frozenset(e.id for e in things if e.state == "unavailable" or e.stale_reason)
    return Snapshot({e.id: entity_states(e) for e in told}, latest_time(times), "homeassistant", offline)


# Relations between the entities of a home: groups, numbered keys, parts of devices, who is spoken to.

# Groups and labels: names of sets of devices. A group is never a device beside its members.

GroupMembers = Mapping[str, tuple[str, ...]]
"""Group -> the entities in it, those of the groups within it too."""


def members_of(entities: Sequence[HomeAssistantEntity]) -> GroupMembers:
    """The groups whose members are known, without those that are not."""
    known = {e.id for e in entities}
    # Whether it stands for others. A sensor of several tells a value of its own, their mean
    direct = {
        e.id: tuple(m for m in e.members if m in known)
        for e in entities
        if (bool(e.members) and e.domain not in platform_table("services")["no_groups"])
    }
    flat = {group: tuple(_transitive_members(group, direct)) for group in direct}
    return {group: members for group, members in flat.items() if members}


def _transitive_members(group: str, direct: GroupMembers) -> dict[str, None]:
    """What is in the group and no group itself. One that holds itself is gone through once."""
    found: dict[str, None] = {}
    inside, waiting = {group}, [group]
    while waiting:
        for member in direct[waiting.pop(0)]:
            if member not in direct:
                found.setdefault(member)
            elif member not in inside:
                inside.add(member)
                waiting.append(member)
    return found


def groups_of(entities: Sequence[HomeAssistantEntity], members: GroupMembers) -> Iterator[Group]:
    """The groups as the catalog has them."""
    for entity in entities:
        if entity.id in members:
            yield Group(entity.id, entity.name, members[entity.id], entity.aliases)


def label_groups(
    entities: Sequence[HomeAssistantEntity], devices: Mapping[str, Device], registry: Registry
) -> Iterator[Group]:
    """Labels as groups of the devices that have them and are spoken to.

    Not one that is called as a kind of thing or a room: what is said of these is not said of the label.
    """
    taken = {normalise(row.text("name")) for row in registry.areas.values()} | surfaces("type").keys()
    spoken = [e for e in entities if _is_spoken(devices.get(e.id))]
    for label_id, row in registry.labels.items():
        name = row.text("name")
        inside = tuple(e.id for e in spoken if label_id in labels_of(e))
        if inside and normalise(name) not in {"", *taken}:
            yield Group(f"label:{label_id}", name, inside)


def _is_spoken(device: Device | None) -> bool:
    return device is not None and device.reach == "spoken" and device.part_of is None


def labels_of(entity: HomeAssistantEntity) -> Collection[str]:
    """The labels of the entity and of its device."""
    return {*entity.entry.strings("labels"), *entity.device.strings("labels")}


# Equals of one device, such as the keys of a switch: which is the first, which the second.

_DIGITS = re.compile("[0-9]{1,6}")
_LATIN = re.compile("[a-z]+")


def places_among_equals(entities: Iterable[HomeAssistantEntity]) -> dict[str, int]:
    """Entity -> its place among its equals, from 1, where the names of all of them tell: left, middle, right.

    The order of a registry does not tell: it is that in which they were found.
    """
    equals: dict[tuple[str, str], list[HomeAssistantEntity]] = defaultdict(list)
    for entity in entities:
        if entity.device_id and entity.own_name and not entity.category:
            equals[entity.device_id, entity.domain].append(entity)
    return {i: place for fellows in equals.values() for i, place in _places_among(fellows).items()}


def _places_among(fellows: Sequence[HomeAssistantEntity]) -> dict[str, int]:
    told = {e.id: _place_by_name(e.own_name) for e in fellows}
    order = sorted({place for place in told.values() if place is not None})
    if len(fellows) < 2 or None in told.values() or len(order) < len(fellows):
        return {}
    return {i: order.index(place) + 1 for i, place in told.items() if place is not None}


def _place_by_name(own: str) -> int | None:
    """The place that the own name of an entity tells, in no unit; None when it tells none, or two."""
    name = own.casefold()
    numbers = {int(digits) for digits in _DIGITS.findall(name)[:2]}
    found = numbers or {int(n.value) for n in find_numbers(name) if float(n.value).is_integer()}
    if not found:
        # Sides, from left to right: a Latin word counts as a whole, a character anywhere.
        said = {*_LATIN.findall(name), *name}
        sides: Sequence[Sequence[str]] = platform_table("services")["sides"]
        found = {at for at, words in enumerate(sides) if not said.isdisjoint(words)}
    return found.pop() if len(found) == 1 else None


def with_equals_together(
    entities: Sequence[HomeAssistantEntity], places: Mapping[str, int]
) -> list[HomeAssistantEntity]:
    """The entities as they came, but equals in their order from where the first of them was."""
    first: dict[tuple[str, str], int] = {}
    for at, entity in enumerate(entities):
        first.setdefault(_equals_key(entity, places), at)
    return sorted(entities, key=lambda e: (first[_equals_key(e, places)], places.get(e.id, 0)))


def _equals_key(entity: HomeAssistantEntity, places: Mapping[str, int]) -> tuple[str, str]:
    """What only its equals have in common with it."""
    return (entity.device_id, entity.domain) if entity.id in places else (entity.id, "")


def aliases_with_number(
    entity: HomeAssistantEntity, places: Mapping[str, int], appliance: str = ""
) -> tuple[str, ...]:
    """Its aliases, and what a key is called by its number, ``Hall Switch 2``, where its name has none.

    ``appliance``: what it is named after.
    """
    known = (*entity.aliases, appliance) if appliance else entity.aliases
    whole = device_name(entity.device)
    if entity.id not in places or _DIGITS.search(entity.own_name) or not whole:
        return known
    return (*known, f"{whole} {places[entity.id]}")


# Entities of one physical device: which of them the device is known as, and which only serve it.


def parts_of(entities: Iterable[HomeAssistantEntity]) -> dict[str, str]:
    """Entity -> the one it is a part of. Equals, such as the sensors of a weather station, are no parts."""
    by_device: dict[str, list[HomeAssistantEntity]] = defaultdict(list)
    for entity in entities:
        if entity.device_id and entity.device.text("entry_type") != "service":
            by_device[entity.device_id].append(entity)
    return {
        entity.id: whole.id
        for fellows in by_device.values()
        if (whole := _main_entity(fellows)) is not None
        for entity in fellows
        if entity is not whole and _serves(entity, whole)
    }


def _main_entity(fellows: Sequence[HomeAssistantEntity]) -> HomeAssistantEntity | None:
    """What the device is known as: the entity that has its name, else the only one it can be there for."""
    order: Sequence[str] = platform_table("services")["roles"]["main"]
    able = [e for e in fellows if not e.category and e.domain in order]
    nameless = [e for e in able if not e.own_name]
    if nameless:
        return min(nameless, key=lambda e: order.index(e.domain))
    likely = _purpose_entities(able)
    return likely[0] if len(likely) == 1 else None


def _purpose_entities(able: Sequence[HomeAssistantEntity]) -> Sequence[HomeAssistantEntity]:
    """What a device can be there for, by its domain, else what switches its power."""
    purpose: Sequence[str] = platform_table("services")["roles"]["purpose"]
    return [e for e in able if e.domain in purpose] or [e for e in able if only_powers(e.own_name)]


def _serves(entity: HomeAssistantEntity, whole: HomeAssistantEntity) -> bool:
    """Whether it is there for the other one, and not a thing of its own like the lamp of a fan."""
    if entity.category or entity.domain in platform_table("services")["roles"]["serving"]:
        return True
    if is_indicator(entity):
        return True
    return entity.domain == "switch" and (whole.domain != "switch" or not whole.own_name)


def is_indicator(entity: HomeAssistantEntity) -> bool:
    """Whether a lamp only tells how a device is: it is named so, and belongs to one."""
    words: Sequence[str] = platform_table("services")["indicators"]
    own = entity.own_name.casefold()
    return entity.domain == "light" and bool(entity.device_id) and any(word in own for word in words)


# Which entities are spoken to, and which are meant by their exact name only.

Exposures = Mapping[str, bool]
"""Entity id -> whether conversation may speak to it, as far as the export tells."""
ASSISTANT = "conversation"


def exposure_of(export: HomeAssistantExport, registry: Registry, notes: list[Note]) -> Exposures:
    """What the export tells. A home in which nothing is exposed has not been set up to be spoken to."""
    told: dict[str, bool] = {}
    for entity_id, row in registry.entities.items():
        value = row.row("options").row(ASSISTANT).data.get("should_expose")
        if isinstance(value, bool):
            told[entity_id] = value
    for row in export.rows_of("exposure"):
        # As the WebSocket API lists it, else as storage has it.
        value = row.data.get(ASSISTANT)
        if "assistants" in row.data:
            value = row.row("assistants").row(ASSISTANT).data.get("should_expose")
        if isinstance(value, bool):
            told[row.text("entity_id")] = value
    if told and not any(told.values()):
        notes.append(Note("nothing_exposed", "exposure", ASSISTANT))
        return {}
    return told


def reasons_named_only(
    entity: HomeAssistantEntity, exposed: Exposures, stood_for: Collection[str]
) -> tuple[str, ...]:
    """The reasons why only its exact name means the entity; empty when it is spoken to.

    ``stood_for``: members of groups that are spoken to. Their integration hides them behind the group, yet
    an order about the group is one about them.
    """
    hidden = entity.entry.text("hidden_by")
    if hidden == "integration" and entity.id in stood_for:
        return ()
    # A person is never spoken to: whether somebody is home is read, whatever Assist may be asked.
    is_unexposed = exposed.get(entity.id) is False and entity.domain != "person"
    reasons = {
        f"hidden_by {hidden}": hidden,
        f"entity_category {entity.category}": entity.category,
        f"domain {entity.domain}": entity.domain in platform_table("services")["named"],
        "not exposed": is_unexposed,
        entity.stale_reason: entity.stale_reason,
    }
    return tuple(reason for reason, applies in reasons.items() if applies)


def trackers_of_persons(entities: Sequence[HomeAssistantEntity]) -> frozenset[str]:
    """Trackers that are not spoken to: where persons are known, they tell who is home."""
    if not any(e.domain == "person" for e in entities):
        return frozenset()
    return frozenset(e.id for e in entities if e.domain == "device_tracker")


@dataclass(frozen=True, slots=True)
class EntityRelations:
    """Of the entities of one home, by id."""

    things: Sequence[HomeAssistantEntity]
    """The entities that are devices: no scenes, and no groups beside their members."""
    members: GroupMembers
    wholes: Mapping[str, HomeAssistantEntity]
    """Part -> the entity it is a part of."""
    places: Mapping[str, int]
    """Entity -> its place among its equals on one device."""
    why_named: Mapping[str, tuple[str, ...]]
    """Entity -> why only its exact name means it; empty for what is spoken to."""
    appliances: Mapping[str, tuple[str, str]]
    """Entity -> the appliance it is named after, and the trait of what it does to that."""


def relations_of(entities: Sequence[HomeAssistantEntity], exposed: Exposures) -> EntityRelations:
    """The relations of the entities, of which ``exposed`` may be spoken to."""
    members = members_of(entities)
    found = [e for e in entities if e.is_device and e.id not in members]
    places = places_among_equals(found)
    things = with_equals_together(found, places)
    by_id = {e.id: e for e in things}
    wholes = {part: by_id[whole] for part, whole in parts_of(things).items()}
    why_named = _reasons_by_entity(entities, members, exposed)
    return EntityRelations(things, members, wholes, places, why_named, appliances_of(things))


def appliances_of(things: Sequence[HomeAssistantEntity]) -> dict[str, tuple[str, str]]:
    """The buttons and sensors of appliances that are no entity themselves: ``Dryer Start``, ``Dryer Status``.

    Each with the name of the appliance, and what a button does to it.
    """
    deeds = {e.id: button_deed(e) for e in things}
    taken = {e.name.casefold() for e in things}
    found = {i: named for i, named in deeds.items() if named[0] and named[0].casefold() not in taken}
    known = {appliance.casefold(): appliance for appliance, _ in found.values()}
    for entity in things:
        whole = next((a for low, a in known.items() if entity.name.casefold().startswith(low)), "")
        if whole and entity.domain in {"sensor", "binary_sensor"}:
            found[entity.id] = whole, ""
    return found


def _reasons_by_entity(
    entities: Sequence[HomeAssistantEntity], members: GroupMembers, exposed: Exposures
) -> Mapping[str, tuple[str, ...]]:
    spoken_groups = [e.id for e in entities if e.id in members and not reasons_named_only(e, exposed, ())]
    stood_for = {member for group in spoken_groups for member in members[group]}
    trackers = trackers_of_persons(entities)
    why: dict[str, tuple[str, ...]] = {}
    for entity in entities:
        # It may be meant by its name only though it may be spoken to.
        more = "persons tell" if entity.id in trackers else "indicator" if is_indicator(entity) else ""
        why[entity.id] = (*reasons_named_only(entity, exposed, stood_for), *filter(None, [more]))
    return why
