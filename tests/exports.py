"""One Home Assistant home in the forms its owner may export it in."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]
Answers = Mapping[str, Any]
"""Name of a WebSocket command -> its result."""

STATES, ENTITIES = "get_states", "config/entity_registry/list"
ENTRIES = "config/entity_registry/get_entries"
DEVICES, AREAS = "config/device_registry/list", "config/area_registry/list"
FLOORS, LABELS = "config/floor_registry/list", "config/label_registry/list"
EXPOSURE = "homeassistant/expose_entity/list"
_ASKED_FOR = {"aliases", "capabilities", "device_class", "original_device_class", "supported_features"}
"""What only the answer for a single entity tells, and the list of them does not."""


def answered(home: Answers) -> dict[str, Any]:
    """The results of all commands, each in its envelope."""
    asked = dict(home)
    asked[ENTITIES] = [{k: v for k, v in row.items() if k not in _ASKED_FOR} for row in home[ENTITIES]]
    asked[ENTRIES] = {row["entity_id"]: row for row in home[ENTITIES]}
    return {
        name: {"id": i, "type": "result", "success": True, "result": result}
        for i, (name, result) in enumerate(asked.items(), 1)
    }


def stored(home: Answers) -> dict[str, Any]:
    """The files of ``.storage``. The states are those that were kept over the last start."""
    shown = home.get(EXPOSURE, {}).get("exposed_entities", {})
    apart = {i: {"assistants": {a: {"should_expose": s} for a, s in to.items()}} for i, to in shown.items()}
    files = {
        "core.entity_registry": {"entities": home[ENTITIES], "deleted_entities": []},
        "core.device_registry": {"devices": home[DEVICES], "deleted_devices": []},
        "core.area_registry": {"areas": _with_id(home[AREAS])},
        "core.floor_registry": {"floors": home.get(FLOORS, [])},
        "core.label_registry": {"labels": home.get(LABELS, [])},
        "homeassistant.exposed_entities": {"assistants": {}, "exposed_entities": apart},
        "core.restore_state": [{"state": s, "extra_data": None, "last_seen": None} for s in home[STATES]],
        "auth": {"users": [{"name": "nobody"}]},
    }
    return {
        name: {"version": 1, "minor_version": 1, "key": name, "data": data} for name, data in files.items()
    }


def _with_id(areas: Rows) -> Rows:
    return [{"id" if k == "area_id" else k: v for k, v in row.items()} | {"picture": None} for row in areas]


def in_folder(files: Mapping[str, Any], folder: Path) -> Path:
    """The files, written below the folder; names become safe ones."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return folder


def in_archive(files: Mapping[str, Any]) -> bytes:
    """The files as a ZIP."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, json.dumps(data, ensure_ascii=False))
    return packed.getvalue()


def forms(home: Answers, folder: Path) -> dict[str, Path | bytes]:
    """The home in seven forms, by what they are called."""
    answers, storage = answered(home), stored(home)
    within = {f".storage/{name}": data for name, data in storage.items()}
    named = {f"{name.replace('/', '_')}.json": data for name, data in answers.items()}
    bare = {f"{i}.json": data["result"] for i, data in enumerate(answers.values())}
    lines = "\n".join(json.dumps(answer) for answer in answers.values())
    return {
        "configuration folder": in_folder(within, folder / "config"),
        "storage folder": in_folder(within, folder / "bare") / ".storage",
        "answers": in_folder(named, folder / "answers"),
        "results": in_folder(bare, folder / "results"),
        "archive": in_archive({f"backup/{name}": data for name, data in within.items()}),
        "lines": lines.encode(),
        "one file": json.dumps({name: answer["result"] for name, answer in answers.items()}).encode("utf-16"),
    }
