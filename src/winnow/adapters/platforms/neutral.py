"""Neutral homes: one ``home.json`` with rooms, devices, and what each device can do and tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast, get_args

from winnow.act.effects.danger import danger_of_names
from winnow.adapters.platforms.bundle import ExportBundle, ExportDocument, ImportOptions
from winnow.adapters.platforms.json_rows import (
    ImportProblems,
    JsonRow,
    UnusableRow,
    as_scalar,
    build_rows,
    latest_time,
    unique_rows,
)
from winnow.adapters.platforms.platform import Platform
from winnow.adapters.platforms.traits import (
    neutral_kinds,
    neutral_quantity,
    neutral_trait,
    shared_profile,
    with_plausible_limits,
)
from winnow.types.home import (
    OVERRIDE_DANGERS,
    Attribute,
    Choice,
    Command,
    Device,
    Floor,
    Group,
    Home,
    Parameter,
    ParameterKind,
    Profile,
    Room,
    Scene,
    Where,
)
from winnow.types.state import ImportedHome, Snapshot

_PARAMETER_KINDS: dict[str, ParameterKind] = {
    **dict.fromkeys(["int", "float", "number", "integer"], "number"),
    **dict.fromkeys(["str", "string"], "text"),
    **dict.fromkeys(["bool", "boolean"], "boolean"),
    "color": "color",
}


_LIST_KEYS = {"devices", "rooms", "floors", "scenes", "groups"}
_DEVICE_KEYS = {"category", "commands", "room_id"}


def is_neutral(document: ExportDocument) -> bool:
    """Whether it is a home of this format: it has an ``id``, or its ``devices`` have what only these have."""
    data = document.data
    if not isinstance(data, dict) or not _LIST_KEYS & data.keys():
        return False
    devices = data.get("devices")
    rows = devices if isinstance(devices, list) else []
    return "id" in data or any(isinstance(row, dict) and _DEVICE_KEYS & row.keys() for row in rows)


def load_neutral(bundle: ExportBundle, problems: ImportProblems, options: ImportOptions) -> ImportedHome:
    """The home in the first document that is one."""
    document = next(filter(is_neutral, bundle.documents))
    root = JsonRow(document.data if isinstance(document.data, dict) else {}, document.name, "", problems)
    rows = list(unique_rows(root.rows("devices"), "id"))
    home = _home(root, rows, options.home_id or root.text("id") or bundle.name or "home")
    read_at = latest_time([root.data.get("read_at")])
    told = {row.text("id"): {name: as_scalar(v) for name, v in row.row("state").data.items()} for row in rows}
    offline = frozenset(row.text("id") for row in rows if row.data.get("available") is False)
    return ImportedHome(home, Snapshot(told, read_at, "neutral", offline))


def _home(root: JsonRow, rows: list[JsonRow], home_id: str) -> Home:
    rooms = tuple(build_rows(unique_rows(root.rows("rooms"), "id"), _room))
    room_ids = {room.id for room in rooms}
    names = {row.text("id"): str(row.data.get("name") or "") for row in rows}
    made = list(build_rows(rows, lambda row: _device(row, room_ids, names)))
    return Home(
        id=home_id,
        name=root.text("name") or home_id,
        source="neutral",
        floors=tuple(build_rows(unique_rows(root.rows("floors"), "id"), _floor)),
        rooms=rooms,
        profiles=tuple({profile.id: profile for _, profile in made}.values()),
        devices=tuple(device for device, _ in made),
        scenes=tuple(build_rows(unique_rows(root.rows("scenes"), "id"), _scene)),
        groups=tuple(build_rows(unique_rows(root.rows("groups"), "id"), _group)),
    )


def _floor(row: JsonRow) -> Floor:
    level = row.number("level")
    return Floor(
        id=row.id("id"),
        name=row.name("name"),
        aliases=row.strings("aliases"),
        level=None if level is None else int(level),
    )


def _room(row: JsonRow) -> Room:
    return Room(
        id=row.id("id"),
        name=row.name("name"),
        aliases=row.strings("aliases"),
        floor_id=row.text("floor_id") or None,
    )


def _scene(row: JsonRow) -> Scene:
    command = row.text("command_id") or "scene-execute"
    room = row.text("room_id") or None
    return Scene(
        id=row.id("id"),
        name=row.name("name"),
        command_id=command,
        aliases=row.strings("aliases"),
        room_id=room,
    )


def _group(row: JsonRow) -> Group:
    return Group(
        id=row.id("id"), name=row.name("name"), members=row.strings("members"), aliases=row.strings("aliases")
    )


def _device(row: JsonRow, rooms: set[str], names: Mapping[str, str]) -> tuple[Device, Profile]:
    """The device and its profile, which equal devices share; ``names`` are those of all devices by id."""
    category, room = row.text("category"), row.text("room_id")
    name, aliases, part_of = row.name("name"), row.strings("aliases"), row.text("part_of")
    kinds = neutral_kinds(category)
    profile = _profile(row, category, kinds)
    own = name.removeprefix(names.get(part_of, "")).strip() if part_of else ""
    danger, why = danger_of_names(kinds, (name, *aliases, category.replace("_", " ")), own)
    device = Device(
        id=row.id("id"),
        name=name,
        profile_id=profile.id,
        kinds=kinds,
        aliases=aliases,
        room_id=room if room in rooms else None,
        categories=(category,) if category else (),
        tags=row.strings("tags"),
        part_of=part_of or None,
        reach="named" if row.choice("reach", ("spoken", "named")) == "named" else "spoken",
        danger=row.choice("danger", OVERRIDE_DANGERS) or danger,
        reasons=(why,) if why else (),
    )
    return device, profile


def _profile(row: JsonRow, category: str, kinds: tuple[str, ...]) -> Profile:
    commands = tuple(build_rows(row.rows("commands"), lambda c: _command(c, category, kinds)))
    traits = [command.trait for command in commands]
    attributes = tuple(build_rows(row.rows("attributes"), lambda a: _attribute(a, category, traits)))
    return shared_profile(category or "device", commands, attributes)


def _command(row: JsonRow, category: str, kinds: tuple[str, ...]) -> Command:
    text = row.text("description")
    trait = neutral_trait(category, row.text("id"), "" if row.data.get("params") else text)
    parameters = tuple(with_plausible_limits(_parameter(p), trait, kinds) for p in row.rows("params"))
    return Command(id=row.id("id"), trait=trait, text=text, parameters=parameters)


def _parameter(row: JsonRow) -> Parameter:
    choices = []
    for listed in row.rows("values"):
        if (value := listed.data.get("value")) is not None:
            kept = value if isinstance(value, (str, int, float)) else str(value)
            choices.append(Choice(kept, listed.text("description")))
    rgb = row.text("type").startswith("Tuple")
    kind: ParameterKind = (
        "choice" if choices else "color" if rgb else _PARAMETER_KINDS.get(row.text("type"), "object")
    )
    unit = "rgb" if rgb else row.text("unit")
    return Parameter(
        name=row.id("name"),
        kind=kind,
        minimum=_limit(row, "min"),
        maximum=_limit(row, "max"),
        unit=unit,
        choices=tuple(choices),
    )


def _limit(row: JsonRow, name: str) -> float | None:
    """The limit. Without one that was given and cannot be read, nobody knows what may be sent."""
    limit = row.number(name)
    if limit is None and row.data.get(name) is not None:
        raise UnusableRow
    return limit


def _attribute(row: JsonRow, category: str, traits: Sequence[str]) -> Attribute:
    name = row.id("id")
    return Attribute(
        id=name,
        quantity=neutral_quantity(category, name, traits),
        text=row.text("description"),
        unit=row.text("unit"),
        where=cast("Where", row.choice("where", get_args(Where))),
    )


NEUTRAL = Platform("neutral", is_neutral, load_neutral)
