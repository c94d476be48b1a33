"""Neutral homes: one ``home.json`` with rooms, devices and, per device, its methods and readable attributes."""

from __future__ import annotations

from pathlib import Path

from winnow.homes.fields import Problems, Row, note_repeats, read_object, scalar
from winnow.homes.profiles import shared_profile
from winnow.homes.traits import limited, neutral_kinds, neutral_quantity, neutral_trait
from winnow.types.catalog import (
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
)

HOME = "home.json"

_KINDS: dict[str, ParameterKind] = {
    "int": "number", "float": "number", "number": "number", "integer": "number", "str": "text", "string": "text", "bool": "boolean",
    "boolean": "boolean", "color": "color",
}  # fmt: skip


def load_neutral(path: Path, home_id: str | None = None) -> Home:
    """The home in the folder. Raises ``HomeImportError`` with every problem of the file."""
    problems = Problems()
    root = read_object(path / HOME, problems)
    if root.data:
        root.id("id")
    rooms = _unique(root, "rooms")
    built = [_device(row, {r.text("id") for r in rooms}) for row in _unique(root, "devices")]
    home = Home(
        id=home_id or root.text("id") or path.name,
        name=root.text("name") or path.name,
        source="neutral",
        floors=tuple(_floor(row) for row in _unique(root, "floors")),
        rooms=tuple(_room(row) for row in rooms),
        profiles=tuple({profile.id: profile for _, profile in built}.values()),
        devices=tuple(device for device, _ in built),
        scenes=tuple(_scene(row) for row in _unique(root, "scenes")),
        groups=tuple(_group(row) for row in _unique(root, "groups")),
    )
    problems.check()
    return home


def _unique(root: Row, name: str) -> list[Row]:
    """The rows of one list; missing and repeated ids are problems."""
    rows = root.rows(name)
    note_repeats(rows, "id")
    return rows


def _floor(row: Row) -> Floor:
    level = row.number("level")
    return Floor(
        id=row.id("id"),
        name=row.id("name"),
        aliases=row.strings("aliases"),
        level=None if level is None else int(level),
    )


def _room(row: Row) -> Room:
    return Room(
        id=row.id("id"),
        name=row.id("name"),
        aliases=row.strings("aliases"),
        floor_id=row.text("floor_id") or None,
    )


def _scene(row: Row) -> Scene:
    command = row.text("command_id") or "scene-execute"
    room = row.text("room_id") or None
    return Scene(
        id=row.id("id"), name=row.id("name"), command_id=command, aliases=row.strings("aliases"), room_id=room
    )


def _group(row: Row) -> Group:
    return Group(
        id=row.id("id"), name=row.id("name"), members=row.strings("members"), aliases=row.strings("aliases")
    )


def _device(row: Row, rooms: set[str]) -> tuple[Device, Profile]:
    """The device and its profile, which equal devices share."""
    category = row.text("category")
    kinds = neutral_kinds(category)
    commands = tuple(_command(c, category, kinds) for c in row.rows("commands"))
    attributes = tuple(_attribute(a, category) for a in row.rows("attributes"))
    profile = shared_profile(category or "device", commands, attributes)
    room = row.text("room_id")
    device = Device(
        id=row.id("id"),
        name=row.id("name"),
        profile_id=profile.id,
        kinds=kinds,
        aliases=row.strings("aliases"),
        room_id=room if room in rooms else None,
        categories=(category,) if category else (),
        tags=row.strings("tags"),
        states={name: scalar(value) for name, value in row.row("state").data.items()},
        available=row.data.get("available") is not False,
    )
    return device, profile


def _command(row: Row, category: str, kinds: tuple[str, ...]) -> Command:
    trait = neutral_trait(category, row.text("id"))
    parameters = tuple(limited(_parameter(p), trait, kinds) for p in row.rows("params"))
    return Command(id=row.id("id"), trait=trait, text=row.text("description"), parameters=parameters)


def _parameter(row: Row) -> Parameter:
    choices = tuple(_choice(v) for v in row.rows("values") if v.data.get("value") is not None)
    rgb = row.text("type").startswith("Tuple")
    kind: ParameterKind = "choice" if choices else "color" if rgb else _KINDS.get(row.text("type"), "object")
    unit = "rgb" if rgb else row.text("unit")
    return Parameter(
        name=row.id("name"),
        kind=kind,
        minimum=row.number("min"),
        maximum=row.number("max"),
        unit=unit,
        choices=choices,
    )


def _choice(row: Row) -> Choice:
    value = row.data["value"]
    return Choice(value if isinstance(value, (str, int, float)) else str(value), row.text("description"))


def _attribute(row: Row, category: str) -> Attribute:
    name = row.id("id")
    return Attribute(
        id=name,
        quantity=neutral_quantity(category, name),
        text=row.text("description"),
        unit=row.text("unit"),
    )
