"""SmartThings homes: saved answers of the API and a command specification.

``/devices``, ``/rooms``, ``/locations``, ``/scenes`` and ``/status``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from winnow.errors import Phrase
from winnow.homes.bundle import Bundle, Options, refused
from winnow.homes.fields import Problems, Row, newest, note_repeats, read_object, scalar
from winnow.homes.floors import floor_of_level
from winnow.homes.smartthings.spec import COMPONENT, Spec, build_profile, find_specs, read_specs
from winnow.homes.traits import smartthings_kinds
from winnow.types.catalog import Device, Floor, Home, Profile, Room, Scalar, Scene
from winnow.types.imports import Imported
from winnow.types.state import Snapshot

DEVICES = "devices_api.json"
NO_PROFILE = "unknown"
"""Profile of devices that name none: they can be found, and do nothing."""


def load_smartthings(bundle: Bundle, problems: Problems, options: Options) -> Imported:
    """The home in the folder. Raises ``HomeImportError`` with every problem of every file."""
    path, language = _folder(bundle, options), options.language
    rows = _devices(path, problems)
    specs = read_specs(find_specs(path, language, options.spec), problems)
    status = _optional(path / "status_api.json", problems)
    rooms, floors = _rooms(path, language, problems)
    devices = tuple(_device(row, specs, rooms) for row in rows)
    home = Home(
        id=options.home_id or bundle.name,
        name=_location(path, problems) or options.home_id or bundle.name,
        source="smartthings",
        floors=floors,
        rooms=tuple(rooms.values()),
        profiles=_profiles(devices, specs),
        devices=devices,
        scenes=_scenes(path, problems),
    )
    imported = Imported(home, _reported(rows, status))
    problems.check()
    return imported


def _folder(bundle: Bundle, options: Options) -> Path:
    """Where the files lie. Raises HomeImportError when they lie in no folder."""
    if options.folder is None:
        raise refused(bundle.name or "input", "SmartThings payloads are read from their folder", "Unpack it.")
    return options.folder


def _optional(path: Path, problems: Problems) -> Row:
    """The file as one object, empty when there is no such file."""
    return read_object(path, problems) if path.exists() else Row({}, path.name, "", problems)


def _devices(path: Path, problems: Problems) -> list[Row]:
    """All device rows, following ``_links.next`` from file to file."""
    name: str = DEVICES if (path / DEVICES).exists() else "devices_api.page0.json"
    rows: list[Row] = []
    seen: set[str] = set()
    while name and name not in seen:
        seen.add(name)
        page = read_object(path / name, problems)
        if page.data and not isinstance(page.data.get("items"), list):
            page.note("items", "expected a list of devices")
        else:
            rows += page.rows("items")
        name = _next_page(path, name, page)
    note_repeats(rows, "deviceId")
    return rows


def _next_page(path: Path, name: str, page: Row) -> str:
    """File name of the page this one points to; empty at the end. A page that is pointed to must be there."""
    href = page.row("_links").row("next").text("href")
    if not href:
        return ""
    asked = re.search(r"[?&]page=(\d+)", href)
    here = re.search(r"page(\d+)", name)
    number = int(asked[1]) if asked else (int(here[1]) if here else 0) + 1
    following = f"devices_api.page{number}.json"
    if (path / following).exists():
        return following
    page.note("_links.next", Phrase("points to a further page, but {page} is missing", page=following))
    return ""


def _rooms(path: Path, language: str, problems: Problems) -> tuple[dict[str, Room], tuple[Floor, ...]]:
    """Rooms by id, and the floors they are on."""
    rows = _optional(path / "rooms_api.json", problems).rows("items")
    note_repeats(rows, "roomId")
    levels = _levels(path, problems)
    rooms: dict[str, Room] = {}
    for row in rows:
        if room_id := row.id("roomId"):
            floor = f"floor:{levels[room_id]}" if room_id in levels else None
            rooms[room_id] = Room(id=room_id, name=row.id("name"), floor_id=floor)
    used = sorted({levels[room_id] for room_id in rooms if room_id in levels})
    return rooms, tuple(floor_of_level(level, language) for level in used)


def _levels(path: Path, problems: Problems) -> dict[str, int]:
    """Room id -> the level it is on, as far as somebody wrote it down: the API knows no floors."""
    placed = _optional(path / "floors.ext.json", problems).items()
    told = {room_id: row.number("floor") for room_id, row in placed}
    return {room_id: int(level) for room_id, level in told.items() if level is not None}


def _location(path: Path, problems: Problems) -> str:
    """The name of the first location, empty when none is known."""
    items = _optional(path / "locations_api.json", problems).rows("items")
    return items[0].text("name") if items else ""


def _scenes(path: Path, problems: Problems) -> tuple[Scene, ...]:
    rows = _optional(path / "scenes_api.json", problems).rows("items")
    note_repeats(rows, "sceneId")
    return tuple(
        Scene(id=row.id("sceneId"), name=row.id("sceneName"), command_id="scene-execute") for row in rows
    )


def _main(row: Row) -> Row:
    """The device's main component, empty when it has none."""
    components = row.rows("components")
    return next(
        (c for c in components if c.text("id") == COMPONENT), Row({}, row.file, row.path, row.problems)
    )


def _categories(row: Row) -> tuple[str, ...]:
    """The maker's categories, then the user's."""
    rows = _main(row).rows("categories")
    ordered = sorted(rows, key=lambda c: c.text("categoryType") == "user")
    return tuple(dict.fromkeys(name for c in ordered if (name := c.text("name"))))


def _profile_id(row: Row) -> str:
    return row.row("profile").text("id") or NO_PROFILE


def _kinds(row: Row, specs: Spec) -> tuple[str, ...]:
    """Kinds by category; where none is known by what the specification, else the device, says it can do."""
    known = specs.get(_profile_id(row), ())
    ids = (
        [e.text("id") for e in (*known[0].rows("capabilities"), *known[0].rows("attributes"))]
        if known
        else []
    )
    capabilities = {
        entry.split("-")[1] for entry in ids if entry.startswith(f"{COMPONENT}-") and entry.count("-") > 1
    }
    declared = {c.text("id") for c in _main(row).rows("capabilities")}
    return smartthings_kinds(_categories(row), capabilities or declared)


def _device(row: Row, specs: Spec, rooms: Mapping[str, Room]) -> Device:
    device_id = row.id("deviceId")
    room_id = row.text("roomId")
    name = row.text("label") or row.text("name")
    if not name:
        row.note("label", "missing")
    return Device(
        id=device_id,
        name=name,
        profile_id=_profile_id(row),
        kinds=_kinds(row, specs),
        room_id=room_id if room_id in rooms else None,
        categories=_categories(row),
    )


def _reported(rows: Sequence[Row], status: Row) -> Snapshot:
    """What the devices told of their main components when the status was saved."""
    devices = {row.text("deviceId"): row for row in rows}
    told = {i: status.row(i) for i in devices if i in status.data}
    readings = {i: dict(_readings(row)) for i, row in told.items()}
    times = (r.data.get("timestamp") for rs in readings.values() for r in rs.values())
    offline = frozenset(i for i, row in devices.items() if _offline(row, told.get(i)))
    return Snapshot({i: _values(rs) for i, rs in readings.items()}, newest(times), "smartthings", offline)


def _values(readings: Mapping[str, Row]) -> dict[str, Scalar]:
    return {attribute: scalar(reading.data["value"]) for attribute, reading in readings.items()}


def _readings(told: Row) -> Iterator[tuple[str, Row]]:
    """(attribute id, its reading) of every attribute that has a value: ``main-switch-switch``."""
    for capability, attributes in told.row("components").row(COMPONENT).items():
        for attribute, reading in attributes.items():
            if reading.data.get("value") is not None:
                yield f"{COMPONENT}-{capability}-{attribute}", reading


def _offline(row: Row, told: Row | None) -> bool:
    """Whether the device's health is known to be bad.

    In the device, in its status, or in its health check capability.
    """
    sources = [row] if told is None else [row, told]
    said = [source.data.get(key) for source in sources for key in ("healthState", "healthStatus")]
    if told is not None:
        check = told.row("components").row(COMPONENT).row("healthCheck")
        said += [check.row(key).data.get("value") for key in ("DeviceWatch-DeviceStatus", "healthStatus")]
    words = [state.get("state") if isinstance(state, dict) else state for state in said]
    return any(str(word).lower() in {"offline", "unhealthy"} for word in words)


def _profiles(devices: Sequence[Device], specs: Spec) -> tuple[Profile, ...]:
    """The profiles in use; one the specification lacks is empty.

    The first device of a profile decides its kind.
    """
    kinds: dict[str, tuple[str, ...]] = {}
    for device in devices:
        kinds.setdefault(device.profile_id, device.kinds)
    return tuple(build_profile(p, specs[p], k) if p in specs else Profile(id=p) for p, k in kinds.items())
