from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from winnow.app.cli.program import main

ON_OFF = [
    {"id": "turn_on", "description": "turn on", "params": []},
    {"id": "turn_off", "description": "turn off", "params": []},
]


def device(room: str, name: str, category: str = "light") -> dict[str, Any]:
    return {
        "id": f"{room}.{name.replace(' ', '_')}",
        "name": name,
        "room_id": room,
        "category": category,
        "commands": ON_OFF,
        "state": {"state": "off"},
    }


@pytest.fixture
def payloads(tmp_path: Path) -> Path:
    """Folder of homes with one neutral home, ``flat``, and one Home Assistant home, ``ha``."""
    flat, ha = tmp_path / "homes" / "flat", tmp_path / "homes" / "ha"
    flat.mkdir(parents=True)
    ha.mkdir()
    rooms = [{"id": "study", "name": "study", "floor_id": "f1"}, {"id": "hall", "name": "hall"}]
    devices = [
        device("study", "desk lamp"),
        device("study", "wall lamp"),
        device("hall", "wall lamp"),
        device("hall", "fan", "fan"),
    ]
    home = {
        "id": "flat",
        "name": "Flat",
        "floors": [{"id": "f1", "name": "Ground floor"}],
        "rooms": rooms,
        "devices": devices,
    }
    (flat / "home.json").write_text(json.dumps(home), "utf-8")
    states = [
        {
            "entity_id": "light.desk",
            "state": "off",
            "attributes": {"friendly_name": "Desk lamp", "supported_color_modes": ["onoff"]},
        }
    ]
    (ha / "states.json").write_text(json.dumps(states), "utf-8")
    for name in ("area", "floor", "device", "entity"):
        (ha / f"{name}_registry.json").write_text("[]", "utf-8")
    return tmp_path / "homes"


@dataclass
class Ran:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def winnow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The command line, in this process and in English."""
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)

    def run(*args: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["winnow", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = ended.value.code
        return Ran(code if isinstance(code, int) else 0, printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def imported() -> dict[bytes, Path]:
    """Data folders in which a home was imported, by what its export says."""
    return {}


@pytest.fixture
def flat(winnow: Callable[..., Ran], payloads: Path, imported: dict[bytes, Path]) -> Callable[..., Ran]:
    """The command line with ``flat`` imported, once a process and copied for each test."""
    here, export = Path(os.environ["WINNOW_HOME"]), (payloads / "flat" / "home.json").read_bytes()
    if export in imported:
        shutil.copytree(imported[export], here)
        return winnow
    assert winnow("home", "import", str(payloads / "flat")).code == 0
    imported[export] = here.with_name(f"{here.name}-imported")
    shutil.copytree(here, imported[export])
    return winnow
