"""Imports a home with a report of what changed, and lints it before anybody speaks to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from winnow.decide.score import call_risk
from winnow.errors import HomeNotFound, NoSuchThing
from winnow.ports.stores import Catalog
from winnow.types.home import Command, Device, Home, HomeView, Note, Override, Profile, Room
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome, ImportReport, RenamedDevice, Snapshot
from winnow.types.verdict import Call


def home_notes(home: Home, states: Snapshot) -> tuple[Note, ...]:
    """What its import said, then what the home itself shows: notes as ``NOTE_CODES`` orders them."""
    view = HomeView.of(home)
    notes = [*home.notes, *_device_notes(view, states), *_same_name_notes(view)]
    if not home.devices:
        notes.append(Note("no_devices", home.id, home.name))
    order = {code: place for place, code in enumerate(NOTE_CODES)}
    return tuple(sorted(notes, key=lambda n: order.get(n.code, len(order))))


NOTE_CODES = (
    "no_devices",
    "fewer_facts",
    "ignored",
    "named_only",
    "unknown_capability",
    "guessed_kind",
    "no_room",
    "mute",
    "offline",
    "same_name",
    "asks_first",
)
"""The codes of notes, those first that cost most when nobody sees them."""


def _device_notes(view: HomeView, states: Snapshot) -> Iterator[Note]:
    for device in view.home.devices:
        if device.reach == "named":
            yield Note("named_only", device.id, device.name, ", ".join(device.reasons))
        else:
            profile = view.profile(device.id)
            if profile.commands and view.room(device.id) is None and not device.part_of:
                yield Note("no_room", device.id, device.name)
            if not profile.commands and not profile.attributes:
                yield Note("mute", device.id, device.name, ", ".join(device.categories))
            if not states.online(device.id):
                yield Note("offline", device.id, device.name)
            if risks := _command_risks(device, profile.commands):
                yield Note("asks_first", device.id, device.name, ", ".join(risks))


def _command_risks(device: Device, commands: tuple[Command, ...]) -> list[str]:
    """The risks of what it can be told to do, each once."""
    found = (call_risk(command, device, Call(device.id, command.id)) for command in commands)
    return list(dict.fromkeys(name for name in found if name))


def _same_name_notes(view: HomeView) -> Iterator[Note]:
    """Names that several devices of one room have: only a question can tell them apart."""
    named: dict[tuple[str, str], list[Device]] = defaultdict(list)
    for device in view.home.devices:
        if device.reach == "spoken":
            named[device.room_id or "", device.name.casefold()].append(device)
    for (room_id, _), devices in named.items():
        if len(devices) > 1:
            room = view.rooms.get(room_id)
            where = room.name if room else ""
            yield Note("same_name", devices[0].id, devices[0].name, f"{len(devices)} {where}".strip())


# A home as imported -> the catalog, with a report of what changed.

_ARRANGEMENT = ("floors", "rooms", "scenes", "groups")
_COUNTED_PARTS = ("floors", "rooms", "devices", "profiles", "scenes", "groups")


async def import_home(scope: Scope, imported: ImportedHome, catalog: Catalog) -> ImportReport:
    """Store the home among those of the tenant as a whole and tell how it differs from the version before.

    Raises StoreError; then nothing changed.
    """
    home = imported.home
    try:
        before: Home | None = await catalog.load_home(scope.at(home.id))
    except HomeNotFound:
        before = None
    version = await catalog.save_home(scope, home, imported.states)
    counts = {name: len(getattr(home, name)) for name in _COUNTED_PARTS}
    counts["parts"] = sum(not device.stands_alone for device in home.devices)
    report = ImportReport(home.id, version, counts, first=before is None)
    return _with_changes(before, home, report) if before else report


def _with_changes(before: Home, home: Home, report: ImportReport) -> ImportReport:
    """The report, with the devices that came, went or have another name."""
    old, new = _devices_by_id(before), _devices_by_id(home)
    kept = [(i, old[i], new[i]) for i in sorted(old.keys() & new.keys())]
    return replace(
        report,
        added=tuple(i for i in new if i not in old),
        removed=tuple(i for i in old if i not in new),
        renamed=tuple(RenamedDevice(i, a.name, b.name) for i, (a, _), (b, _) in kept if a.name != b.name),
        altered=tuple(i for i, was, now in kept if _device_facts(*was) != _device_facts(*now)),
        rearranged=tuple(n for n in _ARRANGEMENT if getattr(before, n) != getattr(home, n)),
    )


def _devices_by_id(home: Home) -> dict[str, tuple[Device, Profile]]:
    """Each device with what it can do and tell."""
    view = HomeView.of(home)
    return {i: (device, view.profile(i)) for i, device in view.devices.items()}


def _device_facts(device: Device, profile: Profile) -> tuple[Device, Profile]:
    """All that is known of a device but its name and what its profile is called."""
    return replace(device, name="", profile_id=""), replace(profile, id="")


# A home as imported -> the home as its people say it is. Pure.

MAX_SUGGESTIONS = 3
"""Things named that may have been meant."""
OVERRIDE_REASON = "said"
"""How the reasons of a device call what its people said of it."""


def with_overrides(home: Home, overrides: Iterable[Override]) -> Home:
    """The home with what was said of its things; the same home when nothing was.

    What is said of a thing that the home has no more waits until it is there again.
    """
    said = {o.thing_id: o for o in overrides}
    if not said:
        return home
    rooms = tuple(_override_room(room, said) for room in home.rooms)
    known = {room.id for room in rooms}
    return replace(home, rooms=rooms, devices=tuple(_override_device(d, said, known) for d in home.devices))


def find_thing(home: Home, named: str) -> Device | Room:
    """The device or room of that id, of that name, or of ``room/name``. Raises NoSuchThing."""
    view, wanted = HomeView.of(home), named.casefold()
    if known := view.devices.get(named) or view.rooms.get(named):
        return known
    things: tuple[Device | Room, ...] = (*home.devices, *home.rooms)
    called = {_thing_path(thing, view): thing for thing in things}
    found = [t for path, t in called.items() if wanted in {path.casefold(), t.name.casefold()}]
    if len(found) == 1:
        return found[0]
    if found:
        raise NoSuchThing(home.id, named, [_thing_path(t, view) for t in found], several=True)
    raise NoSuchThing(home.id, named, get_close_matches(named, called, MAX_SUGGESTIONS, 0.4))


def merge_override(known: Sequence[Override], new: Override) -> tuple[Override, ...]:
    """All that was said, with what is said of one thing now: what it leaves empty stays as it was."""
    before = next((o for o in known if o.thing_id == new.thing_id), Override(new.thing_id))
    both = Override(
        new.thing_id,
        new.name or before.name,
        _join_unique(before.aliases, new.aliases),
        new.kinds or before.kinds,
        new.room_id or before.room_id,
        new.danger or before.danger,
        new.reach or before.reach,
    )
    return (*without_override(known, new.thing_id), both)


def without_override(known: Sequence[Override], thing_id: str) -> tuple[Override, ...]:
    """All that was said but of this thing."""
    return tuple(o for o in known if o.thing_id != thing_id)


def _thing_path(thing: Device | Room, view: HomeView) -> str:
    room = view.room(thing.id) if isinstance(thing, Device) else None
    return f"{room.name}/{thing.name}" if room else thing.name


def _override_room(room: Room, said: Mapping[str, Override]) -> Room:
    told = said.get(room.id)
    if told is None:
        return room
    return replace(room, name=told.name or room.name, aliases=_join_unique(room.aliases, told.aliases))


def _override_device(device: Device, said: Mapping[str, Override], rooms: set[str]) -> Device:
    told = said.get(device.id)
    if told is None:
        return device
    facts = {"kind": " ".join(told.kinds), "danger": told.danger, "reach": told.reach or ""}
    reasons = tuple(f"{OVERRIDE_REASON} {name} {value}" for name, value in facts.items() if value)
    return replace(
        device,
        name=told.name or device.name,
        aliases=_join_unique(device.aliases, told.aliases),
        kinds=told.kinds or device.kinds,
        room_id=told.room_id if told.room_id in rooms else device.room_id,
        danger=told.danger or device.danger,
        reach=told.reach or device.reach,
        reasons=_join_unique(device.reasons, reasons),
    )


def _join_unique(known: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))
