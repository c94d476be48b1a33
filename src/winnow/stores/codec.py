"""Values of ``types.catalog`` <-> rows of the store.

Fields at their default are left out of JSON, so old rows read new fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from winnow.types.catalog import (
    Attribute,
    Choice,
    Command,
    Device,
    Floor,
    Group,
    Parameter,
    Profile,
    Room,
    Scene,
)
from winnow.types.override import Override

Part = TypeVar("Part", Floor, Room, Profile, Device, Scene, Group, Override)
Row = dict[str, Any]

_INNER: dict[str, type] = {
    "commands": Command,
    "attributes": Attribute,
    "parameters": Parameter,
    "choices": Choice,
}
"""Field name -> class of its elements; every other field is plain JSON."""


def row(part: object) -> Row:
    """Column -> value for one floor, room, profile, device, scene, group or override."""
    return {f.name: _plain(getattr(part, f.name)) for f in fields(part)}  # type: ignore[arg-type]


def part(kind: type[Part], columns: Mapping[str, Any]) -> Part:
    """The value a row was made from."""
    return kind(**{f.name: _value(f.name, columns[f.name]) for f in fields(kind)})


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, Choice | Parameter | Command | Attribute):
        return value
    # A field without a default has MISSING, which is equal to nothing.
    defaults = {
        f.name: f.default_factory() if f.default_factory is not MISSING else f.default for f in fields(value)
    }
    return {name: _plain(v) for name in defaults if (v := getattr(value, name)) != defaults[name]}


def _value(name: str, plain: Any) -> Any:
    inner = _INNER.get(name)
    if not isinstance(plain, list):
        return plain
    if inner is None:
        return tuple(plain)
    return tuple(inner(**{k: _value(k, v) for k, v in item.items()}) for item in plain)
