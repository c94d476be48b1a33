"""A home is the same home, whichever way it was exported."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import exports

from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms.registry import load_home, load_home_documents
from winnow.types.state import ImportedHome

NAMES = st.sampled_from(["Lamp", "Kettle Plug", "客厅空调", "室外温度", "Fan", "Power", "Indicator", "灯 🌿"])
SOME = st.sampled_from
ENTRY: dict[str, st.SearchStrategy[Any]] = {
    "device_id": SOME(["d1", "d2", None]),
    "area_id": SOME(["hall", "gone", None]),
    "name": st.none() | NAMES,
    "original_name": st.none() | NAMES,
    "has_entity_name": st.booleans(),
    "aliases": st.lists(st.none() | NAMES, max_size=2),
    "labels": st.lists(SOME(["x", "y"]), max_size=2, unique=True),
    "entity_category": SOME([None, None, "config", "diagnostic"]),
    "hidden_by": SOME([None, None, "user", "integration"]),
    "disabled_by": SOME([None, None, None, "user"]),
    "original_device_class": SOME([None, "outlet", "temperature", "curtain"]),
    "device_class": st.none(),
    "platform": st.just("x"),
    "supported_features": st.integers(0, 1023),
    "capabilities": SOME([None, {"supported_color_modes": ["hs"]}, {"min_temp": 5, "max_temp": 30}]),
    "options": SOME(
        [{}, {"conversation": {"should_expose": True}}, {"conversation": {"should_expose": False}}]
    ),
}
IDS = [
    f"{domain}.{n}"
    for domain in ["light", "switch", "sensor", "climate", "cover", "media_player", "person"]
    for n in "ab"
]
ATTRIBUTES = st.fixed_dictionaries(
    {},
    optional={
        "friendly_name": NAMES,
        "entity_id": st.lists(SOME(IDS), max_size=3),
        "restored": st.just(True),
        "current_temperature": st.integers(0, 30),
    },
)


@st.composite
def homes(draw: st.DrawFn) -> dict[str, Any]:
    """Answers of a small home."""
    ids = draw(st.lists(SOME(IDS), min_size=1, max_size=6, unique=True))
    told = draw(st.lists(ATTRIBUTES, min_size=len(ids), max_size=len(ids)))
    state = SOME(["on", "off", "unavailable", "21.5"])
    return {
        exports.STATES: [
            {"entity_id": i, "state": draw(state), "attributes": a} for i, a in zip(ids, told, strict=True)
        ],
        exports.ENTITIES: [{"entity_id": i, **draw(st.fixed_dictionaries(ENTRY))} for i in ids],
        exports.DEVICES: [
            {"id": i, "name": draw(NAMES), "area_id": "hall", "identifiers": []} for i in ("d1", "d2")
        ],
        exports.AREAS: [{"area_id": "hall", "name": "Hall", "aliases": [], "floor_id": "up"}],
        exports.FLOORS: [{"floor_id": "up", "name": "Upstairs", "level": 1, "aliases": []}],
        exports.LABELS: [{"label_id": i, "name": name} for i, name in (("x", "Holidays"), ("y", "Kids"))],
        exports.EXPOSURE: {"exposed_entities": {ids[0]: {"conversation": draw(st.booleans())}}},
    }


def ways(home: dict[str, Any]) -> dict[str, ImportedHome]:
    """The home as read from each form, and from answers that were fetched."""
    with tempfile.TemporaryDirectory() as folder:
        read = {name: load_home(source, "h") for name, source in exports.forms(home, Path(folder)).items()}
    return read | {"fetched": load_home_documents(home, "h", "h")}


@given(homes())
@settings(max_examples=40, deadline=None)
def test_every_form_of_an_export_gives_the_same_home(home: dict[str, Any]) -> None:
    first, *others = ways(home).values()
    for other in others:
        assert other == first


@pytest.mark.slow
def test_every_form_of_a_messy_export_gives_the_same_home() -> None:
    folder = examples.EXAMPLES_FOLDER / "townhouse-en"
    answers = {path.stem: json.loads(path.read_text("utf-8"))["result"] for path in folder.glob("*.json")}
    entries, told = answers["entity_entries"], {row["entity_id"] for row in answers["get_states"]}
    rows = [row | (entries.get(row["entity_id"]) or {}) for row in answers["entity_registry"]]
    home = {
        exports.STATES: answers["get_states"],
        # That an entity has no state is known from a list of all states, not from what outlived a start.
        exports.ENTITIES: [row for row in rows if row["entity_id"] in told or row["disabled_by"]],
        exports.DEVICES: answers["device_registry"],
        exports.AREAS: answers["area_registry"],
        exports.FLOORS: answers["floor_registry"],
        exports.LABELS: answers["label_registry"],
        exports.EXPOSURE: answers["exposed_entities"],
    }
    first, *others = ways(home).values()
    for other in others:
        assert other == first
    assert set(first.home.devices) <= set(load_home(folder).home.devices)
