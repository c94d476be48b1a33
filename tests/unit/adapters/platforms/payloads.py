"""Small homes as their vendors would send them, written to a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from winnow.adapters.platforms.registry import load_home
from winnow.types.home import Command, Device, Home, Profile
from winnow.types.state import Snapshot

FULL_LAMP = {
    "profileId": "lamp",
    "capabilities": [
        {"id": "main-switch-on", "description": "开", "type": "none"},
        {"id": "main-switch-off", "description": "关", "type": "none"},
        {
            "id": "main-switchLevel-setLevel",
            "description": "亮度",
            "type": "integer",
            "value_range": [0, 100],
            "unit": "%",
        },
    ],
    "attributes": [
        {"id": "main-switch-switch", "description": "状态", "type": "enum", "values": ["on", "off"]}
    ],
}


def read_home(
    folder: Path, home_id: str | None = None, language: str = "zh", spec: Path | None = None
) -> Home:
    """The home in the folder."""
    return load_home(folder, home_id, language, spec).home


def read_states(folder: Path) -> Snapshot:
    """What its devices report."""
    return load_home(folder).states


def write(folder: Path, **files: Any) -> Path:
    """Write each keyword as ``<name>.json`` (``__`` stands for a dot); strings are written as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        (folder / f"{name.replace('__', '.')}.json").write_text(text, encoding="utf-8")
    return folder


def write_spec(folder: Path, *profiles: dict[str, Any], name: str = "spec.zh.jsonl") -> Path:
    """Write a specification, one profile a line."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(
        "\n".join(json.dumps(p, ensure_ascii=False) for p in profiles), encoding="utf-8"
    )
    return folder / name


def st_device(device_id: str = "d1", **fields: Any) -> dict[str, Any]:
    """A SmartThings device; ``categories`` are (name, type) pairs."""
    categories = [
        {"name": n, "categoryType": t} for n, t in fields.pop("categories", [("Light", "manufacturer")])
    ]
    base: dict[str, Any] = {"deviceId": device_id, "label": "台灯", "roomId": "r1", "profile": {"id": "lamp"}}
    base["components"] = [{"id": "main", "capabilities": [], "categories": categories}]
    return {k: v for k, v in (base | fields).items() if v is not None}


def smartthings(folder: Path, *devices: dict[str, Any], **files: Any) -> Path:
    """A SmartThings home with one room and a lamp's specification."""
    write(
        folder,
        devices_api={"items": list(devices or [st_device()])},
        rooms_api={"items": [{"roomId": "r1", "name": "书房"}]},
    )
    write_spec(folder, FULL_LAMP)
    return write(folder, **files)


def entity(entity_id: str, state: str = "off", /, **attributes: Any) -> dict[str, Any]:
    """One Home Assistant state."""
    return {"entity_id": entity_id, "state": state, "attributes": attributes}


def home_assistant(folder: Path, *states: dict[str, Any], **files: Any) -> Path:
    """A Home Assistant home with one area and one device in it.

    The entities are all of that device unless ``entity_registry`` says otherwise.
    """
    registry = [
        {"entity_id": s.get("entity_id"), "device_id": "dev", "area_id": None, "original_name": None}
        for s in states
    ]
    default: dict[str, Any] = {
        "states": list(states),
        "area_registry": [
            {"area_id": "kitchen", "name": "Kitchen", "aliases": ["cookhouse"], "floor_id": None}
        ],
        "device_registry": [{"id": "dev", "area_id": "kitchen", "name": "Thing"}],
        "entity_registry": registry,
    }
    return write(folder, **(default | files))


def the_device(home: Home, device_id: str) -> Device:
    return next(d for d in home.devices if d.id == device_id)


def profile_of(home: Home, device_id: str) -> Profile:
    return next(p for p in home.profiles if p.id == the_device(home, device_id).profile_id)


def keys(home: Home, device_id: str) -> set[str]:
    """The keys of all commands of a device."""
    return {c.key for c in profile_of(home, device_id).commands}


def command(home: Home, device_id: str, key: str) -> Command:
    return next(c for c in profile_of(home, device_id).commands if c.key == key)
