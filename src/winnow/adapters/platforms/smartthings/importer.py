"""Import of a SmartThings home: devices, their kinds and parts, shared profiles, reported states."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import cast

from winnow.act.effects.danger import danger_of_names
from winnow.adapters.platforms.bundle import ExportBundle, ImportOptions
from winnow.adapters.platforms.json_rows import ImportProblems, JsonRow, build_rows, latest_time
from winnow.adapters.platforms.smartthings.abilities import (
    CommandSpec,
    ComponentAbilities,
    declared_capabilities,
    read_specs,
    spec_abilities,
    table_abilities,
    unknown_capabilities,
)
from winnow.adapters.platforms.smartthings.export import (
    MAIN_COMPONENT,
    ApiAnswers,
    DeviceComponent,
    device_components,
    is_offline,
    main_location,
    read_answers,
    report_times,
    reported_values,
    rooms_and_floors,
    scenes_of,
)
from winnow.adapters.platforms.traits import (
    TableData,
    content_digest,
    kinds_by_name,
    place_by_kinds,
    place_by_words,
    platform_table,
    with_parents,
)
from winnow.errors import Phrase
from winnow.language.normalize import normalise
from winnow.language.registry import language_of
from winnow.language.tables import table
from winnow.types.home import Device, Group, Home, Note, Profile, Reach, Room, Scalar, Where
from winnow.types.state import ImportedHome, Snapshot

# What a device is and how risky switching it on is, each with the reason.

KindNames = tuple[str, ...]

_CARRIERS = frozenset({"plug", "switch"})
_HANGING_KINDS = frozenset({"light", "fan"})
"""What a plug or a wall switch is named after has no other way to be switched: it is of that kind."""
_VAGUE_KINDS = frozenset({"switch", "device", "camera"})
"""Guesses that a name may better: a bell with a camera is a bell."""
_DECIDED_BY_NAME = frozenset({"valve"})
"""Kinds whose makes a platform confuses: it has one category for valves of gas and of water."""
_PHONE = re.compile(r"的?手机$|(?:['’]s)?[ -](?:i?phone|mobile|galaxy.*)$", re.IGNORECASE)
_NEEDS = {"thermostat": "thermostat"}
"""Kinds by category that only what has a capability beginning so can be."""


@dataclass(frozen=True, slots=True)
class DeviceNature:
    """Kinds, most specific first, and the risk of switching it on."""

    kinds: tuple[str, ...] = ("device",)
    danger: str = ""
    reasons: tuple[str, ...] = ()
    guessed: str = ""
    """What the kinds were concluded from, where no category told them."""


def device_nature(
    categories: Iterable[str], capabilities: Collection[str], names: Iterable[str], own: str = ""
) -> DeviceNature:
    """By declared categories; else by capabilities, and by name where those say little.

    ``own`` is what a part of a device is called by itself.
    """
    names = tuple(name for name in names if name)
    declared, reason = _kinds_by_category(categories, capabilities)
    kinds, reason = (declared, reason) if declared else _guess_kinds(capabilities, names)
    guessed = "" if declared else reason
    kinds, reason = _refine_by_name(kinds, reason, names)
    danger, why = _danger(
        kinds if declared else _kinds_of_capabilities(capabilities), capabilities, names, own
    )
    reasons = tuple(text for text in (reason, why and f"{danger}: {why}") if text)
    return DeviceNature(kinds or ("device",), danger, reasons, guessed)


def part_nature(component: DeviceComponent, name: PartName, whole: Device) -> DeviceNature:
    """By its own categories; else by what such a component is, by its label, or by its device."""
    own = name.label or name.name.removeprefix(whole.name).strip()
    told = device_nature(component.categories, component.capabilities, (name.name, *name.aliases[:1]), own)
    if component.id != MAIN_COMPONENT and told.kinds != ("device",) and not told.guessed:
        return told
    if name.label:
        labelled = device_nature((), component.capabilities, (name.label,))
        return replace(labelled, danger=told.danger, reasons=told.reasons)
    return replace(told, kinds=(name.kind,) if name.kind else whole.kinds)


def _kinds_of_capabilities(capabilities: Collection[str]) -> KindNames:
    """What capabilities alone tell; what moves and declares no category may be any cover."""
    kinds, _ = _kinds_by_capability(capabilities)
    return ("cover",) if "cover" in kinds else kinds


def _danger(
    kinds: KindNames, capabilities: Collection[str], names: Iterable[str], own: str
) -> tuple[str, str]:
    """What its names tell, and its capabilities where they let it heat and nothing else."""
    danger, why = danger_of_names(kinds, names, own)
    rule = platform_table()["smartthings"]["only_heats"]
    if not danger and set(rule["with"]) & set(capabilities) and not set(rule["without"]) & set(capabilities):
        return "heat", "only heats"
    return danger, why


def phone_owner(phone: str) -> tuple[str, ...]:
    """Whose phone it is, if its name says so: 爸爸 of 爸爸的手机, ``Mom`` of ``Mom's Phone``."""
    owner = _PHONE.sub("", phone).strip()
    return (owner,) if owner and owner != phone else ()


def part_reach(kinds: Collection[str], whole: Device) -> Reach:
    """What lights the inside of an appliance is no lamp of the room: it is meant by its name only."""
    is_inside = place_by_kinds(whole.kinds) == "appliance" or "kitchen_hood" in whole.kinds
    return "named" if "light" in kinds and is_inside else "spoken"


def _refine_by_name(kinds: KindNames, reason: str, names: tuple[str, ...]) -> tuple[KindNames, str]:
    """The kinds with what the name tells more: what hangs on a plug, and which make of valve it is."""
    named, why = kinds_by_name(names[:1])
    if not kinds or not named or named[0] in kinds:
        return kinds, reason
    if kinds[0] in _CARRIERS and named[0] in _HANGING_KINDS:
        return (*kinds, *named), f"{reason}, {why}"
    if set(named[1:]) & set(kinds[1:]) & _DECIDED_BY_NAME:
        return named, f"{reason}, {why}"
    return kinds, reason


def _kinds_by_category(
    categories: Iterable[str], capabilities: Collection[str]
) -> tuple[tuple[str, ...], str]:
    """The kinds of all known categories that its capabilities bear out, and which these are."""
    known = platform_table()["smartthings"]["categories"]
    told = [
        c
        for c in categories
        if c in known
        and all(
            (k not in _NEEDS or any((name.startswith(_NEEDS[k]) for name in capabilities))) for k in known[c]
        )
    ]
    kinds = with_parents(kind for category in told for kind in known[category])
    return kinds, f"category {', '.join(told)}" if told else ""


def _guess_kinds(capabilities: Collection[str], names: Iterable[str]) -> tuple[KindNames, str]:
    """By the first capability that tells; a bare switch is what its name says."""
    kinds, reason = _kinds_by_capability(capabilities)
    if capabilities and set(kinds) <= _VAGUE_KINDS:
        named, why = kinds_by_name(names)
        if named:
            return named, why
    return kinds, reason


def _kinds_by_capability(capabilities: Collection[str]) -> tuple[KindNames, str]:
    by_capability = platform_table()["smartthings"]["kinds_by_capability"]
    telling = next((name for name in by_capability if name in capabilities), None)
    return (with_parents(by_capability[telling]), f"capability {telling}") if telling else ((), "")


NO_PROFILE = "unknown"
"""Profile of devices that name none."""


@dataclass(frozen=True, slots=True)
class DeviceParts:
    """A device with what all its parts need of it."""

    row: JsonRow
    id: str
    name: str
    room: str | None
    profile: str
    main: DeviceComponent
    others: tuple[DeviceComponent, ...]


@dataclass(slots=True)
class HouseholdBuilder:
    """What was built so far; devices come in the order of the export, each before its parts."""

    answers: ApiAnswers
    specs: CommandSpec
    rooms: Mapping[str, Room]
    language: str
    devices: list[Device] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    profiles: dict[str, Profile] = field(default_factory=dict)
    states: dict[str, Mapping[str, Scalar]] = field(default_factory=dict)
    offline: set[str] = field(default_factory=set)
    times: list[object] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    _abilities_cache: dict[Hashable, ComponentAbilities] = field(default_factory=dict)
    """By what bears on them: a thousand lamps are described once."""

    def add(self, rows: Iterable[JsonRow]) -> None:
        """Add the devices of the rows, and their parts."""
        for thing in build_rows(rows, self._device_parts):
            row = thing.row
            if is_offline(row, self.answers.status.get(thing.id), self.answers.health.get(thing.id)):
                self.offline.add(thing.id)
            self.times += report_times((thing.main, *thing.others))
            numbered = switch_gangs(thing.others, thing.main, thing.name)
            whole = self._whole_device(thing, numbered)
            for component, name in _named_components(thing, numbered):
                self._add_part(thing, component, name, whole)
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

    def snapshot(self) -> Snapshot:
        """What the devices told when their status was saved."""
        return Snapshot(self.states, latest_time(self.times), "smartthings", frozenset(self.offline))

    def _device_parts(self, row: JsonRow) -> DeviceParts:
        device_id, room = row.id("deviceId"), row.text("roomId")
        name = row.name("label", "name")
        main, *others = device_components(row, self.answers.status.get(device_id))
        return DeviceParts(
            row=row,
            id=device_id,
            name=name,
            room=room if room in self.rooms else None,
            profile=row.row("profile").text("id") or NO_PROFILE,
            main=main,
            others=tuple(others),
        )

    def _whole_device(self, thing: DeviceParts, numbered: SwitchGangs) -> Device:
        """The device itself. Where ``main`` is one of its gangs, it is switched by its parts alone."""
        specs = self.specs.get(thing.profile)
        capabilities = (declared_capabilities(specs) if specs else set()) or set(thing.main.capabilities)
        told = device_nature(thing.main.categories, capabilities, (thing.name, thing.row.text("name")))
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
            aliases=phone_owner(thing.name) if "person" in told.kinds else (),
            room_id=thing.room,
            categories=thing.main.categories,
            danger=told.danger if able.commands else "",
            reasons=told.reasons,
        )
        self._keep(device, thing.main, able)
        return device

    def _add_part(
        self, thing: DeviceParts, component: DeviceComponent, name: PartName, whole: Device
    ) -> None:
        """A part, if it has anything to do or to tell."""
        told = part_nature(component, name, whole)
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
            reach=part_reach(told.kinds, whole),
            danger=told.danger if able.commands else "",
            reasons=(f"component {component.id}", *told.reasons),
        )
        if thing.id in self.offline:
            self.offline.add(device.id)
        self._keep(device, component, able)

    def _abilities(
        self, thing: DeviceParts, component: DeviceComponent, told: DeviceNature, called: str
    ) -> ComponentAbilities:
        """What the component can do and tell, with what its readings are of."""
        alike = (thing.profile if thing.profile in self.specs else "", told.kinds, component.fingerprint)
        if alike not in self._abilities_cache:
            self._abilities_cache[alike] = self._component_abilities(thing, component, told)
        known = self._abilities_cache[alike]
        placed = []
        for attribute in known.attributes:
            where: Where = ""
            if attribute.quantity == "setpoint":
                where = "setpoint"
            elif "waterTemperature" in attribute.id:
                where = "water"
            elif attribute.quantity in platform_table("where")["measured"]:
                where = place_by_words([called], own=called) or place_by_kinds(told.kinds)
            placed.append(replace(attribute, where=where) if where else attribute)
        return replace(known, attributes=tuple(placed))

    def _component_abilities(
        self, thing: DeviceParts, component: DeviceComponent, told: DeviceNature
    ) -> ComponentAbilities:
        """By the specification of the profile; what it leaves empty, by the table of capabilities."""
        specs = self.specs.get(thing.profile)
        known = ComponentAbilities()
        if specs:
            ids = [thing.main.id, *(other.id for other in thing.others)]
            known = spec_abilities(specs, component, ids, told.kinds)
        if known.commands and known.attributes:
            return known
        by_table = table_abilities(component, told.kinds, self.language)
        return ComponentAbilities(
            known.commands or by_table.commands, known.attributes or by_table.attributes
        )

    def _profile(self, called: str, able: ComponentAbilities) -> str:
        """The id of the profile with these abilities: that of the platform for the first of its devices."""
        profile = Profile(called, able.commands, able.attributes)
        kept = self.profiles.setdefault(called, profile)
        if (kept.commands, kept.attributes) == (able.commands, able.attributes):
            return called
        own = f"{called}:{content_digest(able.commands, able.attributes)}"
        self.profiles.setdefault(own, replace(profile, id=own))
        return own

    def _keep(self, device: Device, component: DeviceComponent, able: ComponentAbilities) -> None:
        """Keep the device and what it reports, and say what of it is unknown."""
        self.devices.append(device)
        if reported := reported_values(component, able.attributes):
            self.states[device.id] = reported
        if foreign := unknown_capabilities(component):
            self.notes.append(Note("unknown_capability", device.id, device.name, ", ".join(foreign)))


def _named_components(
    thing: DeviceParts, numbered: SwitchGangs
) -> Iterator[tuple[DeviceComponent, PartName]]:
    """The components that a person knows, and what they are called."""
    outlet = "SmartPlug" in thing.main.categories
    for component in (thing.main, *thing.others):
        if component.id in numbered.numbers:
            yield component, gang_name(component, numbered, thing.name, outlet=outlet)
        elif component.id != MAIN_COMPONENT and not component.is_silent:
            name = part_name(component, thing.name)
            if name is not None:
                yield component, name


# SmartThings homes: answers of the API as they come, in any number of files of any name.


def load_smartthings(bundle: ExportBundle, problems: ImportProblems, options: ImportOptions) -> ImportedHome:
    """The home in the documents.

    Of several locations the one with most devices is the home.
    """
    answers = read_answers(bundle.documents, problems)
    _note_missing_page(answers)
    rows = answers.devices()
    here, elsewhere = main_location(answers, rows)
    places, floors = rooms_and_floors(answers, here, options.language)
    house = HouseholdBuilder(answers, read_specs(answers.specs, options, problems), places, options.language)
    house.add(filter(here.holds, rows))
    called = bundle.name or "home"
    home = house.home(options.home_id or called, here.name or options.home_id or called)
    notes = (*_document_notes(answers, house), *elsewhere, *house.notes)
    whole = replace(home, floors=floors, scenes=scenes_of(answers, here), notes=notes)
    return ImportedHome(whole, house.snapshot())


def _note_missing_page(answers: ApiAnswers) -> None:
    """A page that another one points to must be there; half a home would be worse than none."""
    links = [page.page.row("_links").row("next") for page in answers.pages]
    pointing = [link for link in links if link.text("href")]
    if pointing and len(pointing) == len(answers.pages):
        last = pointing[-1]
        asked = re.search(r"[?&](page=\d+)", last.text("href"))
        told = Phrase("points to a further page, but {page} is missing", page=asked[1] if asked else "it")
        last.problems.add_fatal(last.file, "_links.next", told)


def _document_notes(answers: ApiAnswers, house: HouseholdBuilder) -> Iterable[Note]:
    """Documents that nothing was made of, and what is missing to know more."""
    yield from (Note("ignored", name, name, "no answer that is known") for name in answers.unknown)
    if not answers.status and house.devices:
        yield Note(
            "fewer_facts", "status", "", "no /devices/ID/status: what is supported, and how things are"
        )
    if not answers.rooms and house.devices:
        yield Note("fewer_facts", "rooms", "", "no /locations/ID/rooms: which room a device is in")


# The components of a device beside ``main``: gangs of a switch, compartments of a fridge, a second oven.


@dataclass(frozen=True, slots=True)
class PartName:
    """What a part is called."""

    name: str
    aliases: tuple[str, ...] = ()
    kind: str = ""
    """Empty: it is of the kinds of its device."""
    label: str = ""
    """The name somebody gave it alone, without that of its device."""


@dataclass(frozen=True, slots=True)
class SwitchGangs:
    """Component id -> its number, from 1. ``main`` is among them only where it is a gang itself."""

    numbers: Mapping[str, int]

    @property
    def main_is_one(self) -> bool:
        """Whether ``main`` switches one gang; else it switches all."""
        return MAIN_COMPONENT in self.numbers


def switch_gangs(parts: Sequence[DeviceComponent], main: DeviceComponent, device: str) -> SwitchGangs:
    """The numbered parts that are switched each by itself; none where there are no such parts."""
    found = sorted((number, c.id) for c in parts if (number := _gang_number(c)) is not None)
    names = [name for _, name in found]
    if found and "switch" in main.capabilities and _main_is_one(found[0][0], len(found), main, device):
        names = [MAIN_COMPONENT, *names]
    return SwitchGangs({name: place for place, name in enumerate(names, 1)})


def _main_is_one(lowest: int, others: int, main: DeviceComponent, device: str) -> bool:
    """Whether ``main`` is a gang beside the others: by what the device is called, else by their numbers."""
    name = normalise(device)
    counts: Mapping[int, list[str]] = _words()["count"]
    count = next((count for count, words in counts.items() if any(word in name for word in words)), None)
    if count is not None:
        return count == others + 1
    return lowest > 1 or others == 1 or _is_label(main, device)


def _gang_number(component: DeviceComponent) -> int | None:
    """The number of a gang; None for what is none."""
    match = _gang_pattern().fullmatch(component.id.lower())
    other = set(component.capabilities) - set(_words()["gang_capabilities"])
    if match is None or other or "switch" not in component.capabilities:
        return None
    return int(match[1] or match[2])


@cache
def _gang_pattern() -> re.Pattern[str]:
    return re.compile(_words()["gangs"])


def gang_name(component: DeviceComponent, numbered: SwitchGangs, device: str, *, outlet: bool) -> PartName:
    """A gang by its label, else by its number, and by number and place in both languages in any case."""
    number = numbered.numbers[component.id]
    usual = _names_by_number(language_of(device), "outlet" if outlet else "name", number, device)[0]
    others = [
        *_names_by_number("zh", "others", number, device),
        *_names_by_number("en", "others", number, device),
    ]
    others += [] if outlet else _names_by_place(number, len(numbered.numbers), device)
    if _is_label(component, device):
        aliases = (component.label, usual, *others)
        return PartName(f"{device} {component.label}", aliases, label=component.label)
    return PartName(usual, tuple(name for name in dict.fromkeys(others) if name != usual))


def _names_by_place(number: int, count: int, device: str) -> list[str]:
    """The gang by its place among two or three: 三键开关 中间, ``Wall Switch left``."""
    places = _words()["places"].get(count)
    return [f"{device} {place}" for place in places[number - 1]] if places else []


def _names_by_number(language: str, kind: str, number: int, device: str) -> list[str]:
    """The device with the number of a gang: 三键开关 第二键, ``Wall Switch 2``, ``second Wall Switch``."""
    place = min(number, len(_words()["words"])) - 1
    word = _words()["words" if language == "zh" else "numbers"][place]
    ordinal = _words()["ordinals"][place]
    patterns = _words()["gang"][language][kind]
    listed = [patterns] if isinstance(patterns, str) else patterns
    return [text.format(device=device, word=word, n=number, ordinal=ordinal) for text in listed]


def part_name(component: DeviceComponent, device: str) -> PartName | None:
    """A part by the usual word for such a component, else by its label; None where it has neither.

    A component that only has a number (``1``) is no part that anybody knows.
    """
    label = component.label if _is_label(component, device) else ""
    known = next((row for row in _words()["named"] if re.fullmatch(row["id"], component.id)), None)
    if known is None:
        return PartName(f"{device} {label}", (label,), label=label) if label else None
    return _usual_name(known, component, device, label)


def _usual_name(known: TableData, component: DeviceComponent, device: str, label: str) -> PartName:
    """The device with the words for such a part in both languages; a second one of its kind has a number."""
    number = re.sub(r"\D", "", component.id).lstrip("0").removeprefix("1")
    language = language_of(device)
    other = "en" if language == "zh" else "zh"
    gap = "" if language == "zh" else " "
    words = [word for word in (label, known[language], known[other], *known["others"]) if word]
    name, *others = [f"{device} {word}{gap}{number}".rstrip() for word in words]
    alone = [f"{word}{number}" for word in known.get("alone", ())]
    return PartName(name, tuple(dict.fromkeys([*alone, *others])), known.get("kind", ""))


def _is_label(component: DeviceComponent, device: str) -> bool:
    """Whether somebody gave the component a name of its own."""
    label = normalise(component.label)
    return (
        bool(label)
        and not label.isdigit()
        and label not in (MAIN_COMPONENT, normalise(component.id), normalise(device))
    )


def _words() -> TableData:
    return cast("TableData", table("winnow.adapters.platforms.smartthings", "parts.yaml"))
