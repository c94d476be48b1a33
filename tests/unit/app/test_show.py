"""What a person reads of a verdict: who was left out, and readings that say the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
STATE = [{"id": "state", "description": "power"}]


@pytest.fixture
def payloads(payloads: Path) -> Path:
    """``flat`` with seven lamps that tell their state, of which one is on and one cannot be reached."""
    path = payloads / "flat" / "home.json"
    home = json.loads(path.read_text("utf-8"))
    lamp = home["devices"][0]
    names = ["desk", "wall", "floor", "reading", "piano", "night", "corner"]
    home["devices"] = [
        {**lamp, "id": name, "name": f"{name} lamp", "attributes": STATE, "state": {"state": "off"}}
        for name in names
    ]
    home["devices"][0]["state"] = {"state": "on"}
    home["devices"][1]["available"] = False
    path.write_text(json.dumps(home), "utf-8")
    return payloads


def test_those_that_are_offline_are_named_when_a_set_is_switched(flat: Run) -> None:
    said = flat("ask", "turn on all the lights").out
    assert "  - left out, offline: study / wall lamp" in said
    assert "wall lamp  turn_on" not in said


def test_the_same_is_said_in_chinese(flat: Run) -> None:
    assert (
        "  - 未包括，离线：study / wall lamp" in flat("--language", "zh", "ask", "turn on all the lights").out
    )


def test_readings_are_told_by_what_they_say(flat: Run) -> None:
    lines = flat("ask", "which lights are on").out.splitlines()
    assert lines[0] == "Query"
    assert "  state = on (1): study / desk lamp" in lines[1:3]
    assert any(line.startswith("  state = off (6): study / corner lamp, ") for line in lines[1:3])


def test_a_few_readings_are_told_one_by_one(flat: Run) -> None:
    assert "  study / desk lamp  state = on" in flat("ask", "is the desk lamp on").out.splitlines()


def test_verdicts_are_named_in_the_language(flat: Run) -> None:
    assert flat("--language", "zh", "ask", "turn on the desk lamp").out.startswith("执行\n")
    assert flat("ask", "turn on the desk lamp").out.startswith("Act\n")
