"""One odd field keeps no home out: it is left out and noted, and all other devices stay as they were."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.damage import fields_of, with_value
from tests.docs.runner import blocks

from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms.bundle import read_bundle
from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.adapters.platforms.registry import load_home_documents
from winnow.types.home import Home

PAGE = Path(__file__).resolve().parents[2] / "docs" / "neutral-home.md"
KEPT = 6
"""Rows of entities and of SmartThings devices that are left of a home which is tried many times."""
ODD: tuple[Any, ...] = (None, True, 7, 1.5, [], {}, ["x"], {"a": 1}, "x" * 5000)
WRONG = {
    **dict.fromkeys(["label", "name", "roomId", "area_id", "room_id", "category"], (list, dict, bool)),
    **dict.fromkeys(["aliases", "components", "capabilities", "commands"], (str, dict, bool, float)),
}
"""Fields that make a device or a room what it is -> what they never hold."""


def documents(name: str) -> Mapping[str, Any]:
    """The documents of a home that comes along, without most of its devices; or that of the neutral page."""
    if name == "neutral":
        return {"home": json.loads(next(block.text for block in blocks(PAGE) if block.language == "json"))}
    return {
        d.name: _fewer(d.data)
        for d in read_bundle(examples.EXAMPLES_FOLDER / name, ImportProblems()).documents
    }


def _fewer(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _fewer(value) for key, value in data.items()}
    many = isinstance(data, list) and any(isinstance(x, dict) and _IDS & x.keys() for x in data)
    return data[:KEPT] if many else data


_IDS = {"entity_id", "deviceId", "identifiers"}


def devices(home: Home) -> dict[str, tuple[Any, ...]]:
    """What each device is called, is and can do, by its id."""
    commands = {profile.id: profile.commands for profile in home.profiles}
    return {d.id: (d.name, d.kinds, d.danger, commands[d.profile_id]) for d in home.devices}


def changed(before: Home, after: Home) -> set[str]:
    """The devices that are gone, or are other than they were."""
    were, are = devices(before), devices(after)
    return {i for i, told in were.items() if are.get(i) != told}


def of_row(known: Mapping[str, Any], path: tuple[Any, ...], before: Home) -> set[str]:
    """The devices of which the row with that place tells: of SmartThings its parts as well, of Home Assistant
    all entities of the device."""
    told, here = {str(step) for step in path}, known
    for step in path[:-1]:
        here = here[step]
        told |= {str(here[key]) for key in _NAMING if isinstance(here, dict) and key in here}
    fellows = {i for i, owner in _owners(known).items() if owner in told}
    owners = {owner for i, owner in _owners(known).items() if i in told}
    fellows |= {i for i, owner in _owners(known).items() if owner in owners}
    return {d.id for d in before.devices if {d.id, d.id.partition("/")[0]} & (told | fellows)}


_NAMING = ("deviceId", "entity_id", "device_id", "id")


def _owners(data: Any) -> dict[str, str]:
    """Entity -> its device, as the registry of Home Assistant has it."""
    rows = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    own = {}
    if isinstance(data, dict) and isinstance(data.get("device_id"), str) and "entity_id" in data:
        own[str(data["entity_id"])] = str(data["device_id"])
    for row in rows:
        own |= _owners(row)
    return own


def amiss(name: str, known: Mapping[str, Any], before: Home, path: tuple[Any, ...], value: Any) -> str:
    """What the odd field did that it may not do; empty where it did nothing of the sort."""
    after = load_home_documents(with_value(known, path, value), "h", "h").home
    lost = changed(before, after) - of_row(known, path, before)
    noted = any(path[-1] in note.id for note in after.notes if note.code == "odd_field")
    silent = isinstance(value, WRONG.get(path[-1], ())) and after != before and not noted
    return f"{name} {path} {str(value)[:20]!r} {lost} {silent}" if lost or silent else ""


@pytest.mark.parametrize(
    "name", ["apartment-zh", "townhouse-en", "cottage", "smartthings-raw", "home40", "neutral"]
)
def test_a_home_with_one_odd_field_gets_in(name: str) -> None:
    known, rng = documents(name), Random(name)
    before = load_home_documents(known, "h", "h").home
    every = list(product(fields_of(known), ODD))
    tried = rng.sample(every, 300 if name == "neutral" else 15)
    assert [found for path, value in tried if (found := amiss(name, known, before, path, value))] == []


def test_a_number_for_a_model_keeps_nobody_out() -> None:
    known = documents("cottage")
    before = load_home_documents(known, "h", "h").home
    for path in [path for path in fields_of(known) if path[-1] == "model"]:
        known = with_value(known, path, 7)
    after = load_home_documents(known, "h", "h").home
    assert changed(before, after) == set()
    assert any("model" in note.id for note in after.notes)
