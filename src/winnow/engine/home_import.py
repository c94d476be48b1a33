"""Imports a home with a report of what changed, and lints it before anybody speaks to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from winnow.decide.score import call_risk
from winnow.errors import HomeNotFound
from winnow.ports.stores import Catalog
from winnow.types.home import Command, Device, Home, HomeView, Note, Profile
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
        rearranged=_rearranged_parts(before, home),
    )


def _rearranged_parts(before: Home, home: Home) -> tuple[str, ...]:
    return tuple(name for name in _ARRANGEMENT if getattr(before, name) != getattr(home, name))


def _devices_by_id(home: Home) -> dict[str, tuple[Device, Profile]]:
    """Each device with what it can do and tell."""
    view = HomeView.of(home)
    return {i: (device, view.profile(i)) for i, device in view.devices.items()}


def _device_facts(device: Device, profile: Profile) -> tuple[Device, Profile]:
    """All that is known of a device but its name and what its profile is called."""
    return replace(device, name="", profile_id=""), replace(profile, id="")
