"""Neutral homes: one ``home.json`` with rooms, devices, and what each device can do and tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast, get_args

from winnow.act.effects.danger import danger_of_names
from winnow.adapters.platforms.bundle import Bundle, Document, Options
from winnow.adapters.platforms.json_rows import Problems, Row, Unusable, built, newest, once, scalar
from winnow.adapters.platforms.traits import (
    limited,
    neutral_kinds,
    neutral_quantity,
    neutral_trait,
    shared_profile,
)
from winnow.types.home import (
    DANGERS,
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
from winnow.types.state import Imported, Snapshot

_KINDS: dict[str, ParameterKind] = {
    **dict.fromkeys(["int", "float", "number", "integer"], "number"),
    **dict.fromkeys(["str", "string"], "text"),
    **dict.fromkeys(["bool", "boolean"], "boolean"),
    "color": "color",
}


_LISTS = {"devices", "rooms", "floors", "scenes", "groups"}
_OF_DEVICE = {"category", "commands", "room_id"}


def is_neutral(document: Document) -> bool:
    """Whether it is a home of this format: it has an ``id``, or its ``devices`` have what only these have."""
    data = document.data
    if not isinstance(data, dict) or not _LISTS & data.keys():
        return False
    devices = data.get("devices")
    rows = devices if isinstance(devices, list) else []
    return "id" in data or any(isinstance(row, dict) and _OF_DEVICE & row.keys() for row in rows)


def load_neutral(bundle: Bundle, problems: Problems, options: Options) -> Imported:
    """The home in the first document that is one."""
    document = next(filter(is_neutral, bundle.documents))
    root = Row(document.data if isinstance(document.data, dict) else {}, document.name, "", problems)
    rows = _unique(root, "devices")
    home = _home(root, rows, options.home_id or root.text("id") or bundle.name or "home")
    read_at = newest([root.data.get("read_at")])
    told = {row.text("id"): {name: scalar(v) for name, v in row.row("state").data.items()} for row in rows}
    offline = frozenset(row.text("id") for row in rows if row.data.get("available") is False)
    return Imported(home, Snapshot(told, read_at, "neutral", offline))


def _home(root: Row, rows: list[Row], home_id: str) -> Home:
    rooms = tuple(built(_unique(root, "rooms"), _room))
    room_ids = {room.id for room in rooms}
    names = {row.text("id"): str(row.data.get("name") or "") for row in rows}
    made = list(built(rows, lambda row: _device(row, room_ids, names)))
    return Home(
        id=home_id,
        name=root.text("name") or home_id,
        source="neutral",
        floors=tuple(built(_unique(root, "floors"), _floor)),
        rooms=rooms,
        profiles=tuple({profile.id: profile for _, profile in made}.values()),
        devices=tuple(device for device, _ in made),
        scenes=tuple(built(_unique(root, "scenes"), _scene)),
        groups=tuple(built(_unique(root, "groups"), _group)),
    )


def _unique(root: Row, name: str) -> list[Row]:
    """The rows of one list, each id once."""
    return list(once(root.rows(name), "id"))


def _floor(row: Row) -> Floor:
    level = row.number("level")
    return Floor(
        id=row.id("id"),
        name=row.name("name"),
        aliases=row.strings("aliases"),
        level=None if level is None else int(level),
    )


def _room(row: Row) -> Room:
    return Room(
        id=row.id("id"),
        name=row.name("name"),
        aliases=row.strings("aliases"),
        floor_id=row.text("floor_id") or None,
    )


def _scene(row: Row) -> Scene:
    command = row.text("command_id") or "scene-execute"
    room = row.text("room_id") or None
    return Scene(
        id=row.id("id"),
        name=row.name("name"),
        command_id=command,
        aliases=row.strings("aliases"),
        room_id=room,
    )


def _group(row: Row) -> Group:
    return Group(
        id=row.id("id"), name=row.name("name"), members=row.strings("members"), aliases=row.strings("aliases")
    )


def _device(row: Row, rooms: set[str], names: Mapping[str, str]) -> tuple[Device, Profile]:
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
        danger=row.choice("danger", DANGERS) or danger,
        reasons=(why,) if why else (),
    )
    return device, profile


def _profile(row: Row, category: str, kinds: tuple[str, ...]) -> Profile:
    commands = tuple(built(row.rows("commands"), lambda c: _command(c, category, kinds)))
    traits = [command.trait for command in commands]
    attributes = tuple(built(row.rows("attributes"), lambda a: _attribute(a, category, traits)))
    return shared_profile(category or "device", commands, attributes)


def _command(row: Row, category: str, kinds: tuple[str, ...]) -> Command:
    text = row.text("description")
    trait = neutral_trait(category, row.text("id"), "" if row.data.get("params") else text)
    parameters = tuple(limited(_parameter(p), trait, kinds) for p in row.rows("params"))
    return Command(id=row.id("id"), trait=trait, text=text, parameters=parameters)


def _parameter(row: Row) -> Parameter:
    choices = tuple(_choice(v) for v in row.rows("values") if v.data.get("value") is not None)
    rgb = row.text("type").startswith("Tuple")
    kind: ParameterKind = "choice" if choices else "color" if rgb else _KINDS.get(row.text("type"), "object")
    unit = "rgb" if rgb else row.text("unit")
    return Parameter(
        name=row.id("name"),
        kind=kind,
        minimum=_limit(row, "min"),
        maximum=_limit(row, "max"),
        unit=unit,
        choices=choices,
    )


def _limit(row: Row, name: str) -> float | None:
    """The limit. Without one that was given and cannot be read, nobody knows what may be sent."""
    limit = row.number(name)
    if limit is None and row.data.get(name) is not None:
        raise Unusable
    return limit


def _choice(row: Row) -> Choice:
    value = row.data["value"]
    return Choice(value if isinstance(value, (str, int, float)) else str(value), row.text("description"))


def _attribute(row: Row, category: str, traits: Sequence[str]) -> Attribute:
    name = row.id("id")
    return Attribute(
        id=name,
        quantity=neutral_quantity(category, name, traits),
        text=row.text("description"),
        unit=row.text("unit"),
        where=cast("Where", row.choice("where", get_args(Where))),
    )
