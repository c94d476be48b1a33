"""From the rows of devices to devices, their parts, the profiles they share, and what they report."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from winnow.homes.fields import Row, built, newest
from winnow.homes.profiles import digest
from winnow.homes.smartthings.abilities import Abilities, abilities, unknown
from winnow.homes.smartthings.answers import Answers
from winnow.homes.smartthings.component import MAIN, Component, components
from winnow.homes.smartthings.nature import Nature, carried_by, nature, nature_of_part, reach_of_part
from winnow.homes.smartthings.parts import Gangs, Name, gang_name, gangs, part_name
from winnow.homes.smartthings.spec import Spec, declared, specified
from winnow.homes.smartthings.states import is_offline, times, values
from winnow.homes.traits import table
from winnow.homes.where import where_by_kinds, where_by_words
from winnow.types.catalog import Attribute, Device, Group, Home, Note, Profile, Room, Scalar, Where
from winnow.types.state import Snapshot

NO_PROFILE = "unknown"
"""Profile of devices that name none."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A device with what all its parts need of it."""

    row: Row
    id: str
    name: str
    room: str | None
    profile: str
    main: Component
    others: tuple[Component, ...]


@dataclass(slots=True)
class Household:
    """What was built so far; devices come in the order of the export, each before its parts."""

    answers: Answers
    specs: Spec
    rooms: Mapping[str, Room]
    language: str
    devices: list[Device] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    profiles: dict[str, Profile] = field(default_factory=dict)
    states: dict[str, Mapping[str, Scalar]] = field(default_factory=dict)
    offline: set[str] = field(default_factory=set)
    times: list[object] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    _alike: dict[Hashable, Abilities] = field(default_factory=dict)
    """By what bears on them: a thousand lamps are described once."""

    def add(self, rows: Iterable[Row]) -> None:
        """Add the devices of the rows, and their parts."""
        for thing in built(rows, self._thing):
            row = thing.row
            if is_offline(row, self.answers.status.get(thing.id), self.answers.health.get(thing.id)):
                self.offline.add(thing.id)
            self.times += times((thing.main, *thing.others))
            numbered = gangs(thing.others, thing.main, thing.name)
            whole = self._whole(thing, numbered)
            for component, name in _named(thing, numbered):
                self._part(thing, component, name, whole)
            if numbered.main_is_one:
                members = tuple(f"{thing.id}/{name}" for name in numbered.numbers)
                self.groups.append(Group(f"{thing.id}/all", thing.name, members))

    def home(self, home_id: str, name: str) -> Home:
        """The home with its devices, profiles, groups and rooms."""
        return Home(
            id=home_id,
            name=name,
            source="smartthings",
            rooms=tuple(self.rooms.values()),
            profiles=tuple(self.profiles.values()),
            devices=tuple(self.devices),
            groups=tuple(self.groups),
        )

    def reported(self) -> Snapshot:
        """What the devices told when their status was saved."""
        return Snapshot(self.states, newest(self.times), "smartthings", frozenset(self.offline))

    def _thing(self, row: Row) -> Thing:
        device_id, room = row.id("deviceId"), row.text("roomId")
        name = row.name("label", "name")
        main, *others = components(row, self.answers.status.get(device_id))
        return Thing(
            row=row,
            id=device_id,
            name=name,
            room=room if room in self.rooms else None,
            profile=row.row("profile").text("id") or NO_PROFILE,
            main=main,
            others=tuple(others),
        )

    def _whole(self, thing: Thing, numbered: Gangs) -> Device:
        """The device itself. Where ``main`` is one of its gangs, it is switched by its parts alone."""
        specs = self.specs.get(thing.profile)
        capabilities = (declared(specs) if specs else set()) or set(thing.main.capabilities)
        told = nature(thing.main.categories, capabilities, (thing.name, thing.row.text("name")))
        if told.guessed:
            detail = f"{told.kinds[0]}: {told.guessed}"
            self.notes.append(Note("guessed_kind", thing.id, thing.name, detail))
        able = self._abilities(thing, thing.main, told, thing.name)
        if numbered.main_is_one:
            able = replace(able, commands=tuple(c for c in able.commands if "-switch" not in c.id))
        device = Device(
            id=thing.id,
            name=thing.name,
            profile_id=self._profile(thing.profile, able),
            kinds=told.kinds,
            aliases=carried_by(thing.name) if "person" in told.kinds else (),
            room_id=thing.room,
            categories=thing.main.categories,
            danger=told.danger if able.commands else "",
            reasons=told.reasons,
        )
        self._keep(device, thing.main, able)
        return device

    def _part(self, thing: Thing, component: Component, name: Name, whole: Device) -> None:
        """A part, if it has anything to do or to tell."""
        told = nature_of_part(component, name, whole)
        able = self._abilities(thing, component, told, name.name)
        if not able.is_of_use:
            return
        device = Device(
            id=f"{thing.id}/{component.id}",
            name=name.name,
            profile_id=self._profile(f"{thing.profile}/{component.id}", able),
            kinds=told.kinds,
            aliases=name.aliases,
            room_id=thing.room,
            categories=component.categories,
            part_of=thing.id,
            reach=reach_of_part(told.kinds, whole),
            danger=told.danger if able.commands else "",
            reasons=(f"component {component.id}", *told.reasons),
        )
        if thing.id in self.offline:
            self.offline.add(device.id)
        self._keep(device, component, able)

    def _abilities(self, thing: Thing, component: Component, told: Nature, called: str) -> Abilities:
        """What the component can do and tell, with what its readings are of."""
        alike = (thing.profile if thing.profile in self.specs else "", told.kinds, component.facts)
        if alike not in self._alike:
            self._alike[alike] = self._described(thing, component, told)
        known = self._alike[alike]
        placed = tuple(_placed(a, told, called) for a in known.attributes)
        return known if placed == known.attributes else replace(known, attributes=placed)

    def _described(self, thing: Thing, component: Component, told: Nature) -> Abilities:
        """By the specification of the profile; what it leaves empty, by the table of capabilities."""
        specs = self.specs.get(thing.profile)
        known = Abilities()
        if specs:
            ids = [thing.main.id, *(other.id for other in thing.others)]
            known = specified(specs, component, ids, told.kinds)
        if known.commands and known.attributes:
            return known
        by_table = abilities(component, told.kinds, self.language)
        return Abilities(known.commands or by_table.commands, known.attributes or by_table.attributes)

    def _profile(self, called: str, able: Abilities) -> str:
        """The id of the profile with these abilities: that of the platform for the first of its devices."""
        profile = Profile(called, able.commands, able.attributes)
        kept = self.profiles.setdefault(called, profile)
        if (kept.commands, kept.attributes) == (able.commands, able.attributes):
            return called
        own = f"{called}:{digest(able.commands, able.attributes)}"
        self.profiles.setdefault(own, replace(profile, id=own))
        return own

    def _keep(self, device: Device, component: Component, able: Abilities) -> None:
        """Keep the device and what it reports, and say what of it is unknown."""
        self.devices.append(device)
        if reported := values(component, able.attributes):
            self.states[device.id] = reported
        if foreign := unknown(component):
            self.notes.append(Note("unknown_capability", device.id, device.name, ", ".join(foreign)))


def _named(thing: Thing, numbered: Gangs) -> Iterator[tuple[Component, Name]]:
    """The components that a person knows, and what they are called."""
    outlet = "SmartPlug" in thing.main.categories
    for component in (thing.main, *thing.others):
        if component.id in numbered.numbers:
            yield component, gang_name(component, numbered, thing.name, outlet=outlet)
        elif component.id != MAIN and not component.is_silent:
            name = part_name(component, thing.name)
            if name is not None:
                yield component, name


def _placed(attribute: Attribute, told: Nature, called: str) -> Attribute:
    """The attribute with what its reading is of."""
    where: Where = ""
    if attribute.quantity == "setpoint":
        where = "setpoint"
    elif "waterTemperature" in attribute.id:
        where = "water"
    elif attribute.quantity in table("where")["measured"]:
        where = where_by_words([called], own=called) or where_by_kinds(told.kinds)
    return replace(attribute, where=where) if where else attribute
