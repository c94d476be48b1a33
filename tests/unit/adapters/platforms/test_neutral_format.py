"""The neutral format is what its page and its schema say it is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.docs.runner import blocks
from tests.homes import over
from tests.json_schema import problems

from winnow.adapters.platforms.registry import load_home
from winnow.app.wiring.engine import neutral_schema
from winnow.types.verdict import Act, Confirm

PAGE = Path(__file__).resolve().parents[4] / "docs" / "neutral-home.md"
SCHEMA = json.loads(neutral_schema())
EXAMPLE: dict[str, Any] = json.loads(next(b.text for b in blocks(PAGE) if b.language == "json"))


def faults(value: object) -> list[str]:
    return list(problems(value, SCHEMA, SCHEMA))


def written(tmp_path: Path, home: dict[str, Any]) -> Path:
    (tmp_path / "home.json").write_text(json.dumps(home), encoding="utf-8")
    return tmp_path


def test_the_example_fits_the_schema_and_can_be_spoken_to(tmp_path: Path) -> None:
    assert faults(EXAMPLE) == []
    read = load_home(written(tmp_path, EXAMPLE))
    devices = {d.id: d for d in read.home.devices}
    assert (devices["plug-1"].danger, devices["plug-1-led"].reach) == ("heat", "named")
    assert devices["plug-1-led"].part_of == "plug-1"
    where = [a.where for p in read.home.profiles for a in p.attributes if a.id == "temperature"]
    assert where == ["outdoor"]
    said = over(read).sync.retrieve("set the easel lamp to 60%")
    assert isinstance(said.verdict, Act)
    assert [dict(c.arguments) for c in said.verdict.calls] == [{"brightness": 60}]
    assert isinstance(over(read).sync.retrieve("turn on the easel lamp").verdict, Act | Confirm)


BREAKS: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("reach", lambda home: home["devices"][0].update(reach="loud")),
    ("danger", lambda home: home["devices"][0].update(danger="fire")),
    ("where", lambda home: home["devices"][4]["attributes"][0].update(where="moon")),
    ("name", lambda home: home["devices"][1].pop("name")),
    ("id", lambda home: home.pop("id")),
    ("level", lambda home: home["floors"][0].update(level="one")),
    ("members", lambda home: home["groups"][0].update(members="lamp-1")),
]


@pytest.mark.parametrize(("field", "broken"), BREAKS, ids=[field for field, _ in BREAKS])
def test_what_the_schema_refuses_the_import_leaves_out_and_names(
    tmp_path: Path, field: str, broken: Callable[[dict[str, Any]], object]
) -> None:
    home = copy.deepcopy(EXAMPLE)
    broken(home)
    assert faults(home)
    read = load_home(written(tmp_path, home), "h").home
    noted = [note.id for note in read.notes if note.code == "odd_field"]
    assert any(field in place for place in noted) or field == "id"
    assert len(read.devices) >= len(EXAMPLE["devices"]) - (field == "name")


def test_a_command_with_a_limit_that_is_no_number_is_left_out(tmp_path: Path) -> None:
    home = copy.deepcopy(EXAMPLE)
    home["devices"][0]["commands"][2]["params"][0].update(min="1", max="much")
    read = load_home(written(tmp_path, home)).home
    lamp = next(d for d in read.devices if d.id == "lamp-1")
    commands = next(p.commands for p in read.profiles if p.id == lamp.profile_id)
    assert [c.id for c in commands] == ["turn_on", "turn_off"]
    assert [n.id for n in read.notes] == ["home.json: devices[0].commands[2].params[0].max"]
