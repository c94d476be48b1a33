"""``winnow home``: what an import tells, and what people say of their things."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def cottage(winnow: Run) -> None:
    assert winnow("home", "import", "example:cottage").code == 0


def test_an_import_tells_what_is_worth_knowing(winnow: Run) -> None:
    out = winnow("home", "import", "example:cottage").out
    assert "in no room: Forecast" not in out
    assert "ask for a yes first: " in out
    assert "Water Main (opens a valve)" in out


@pytest.mark.usefixtures("cottage")
def test_the_same_again_is_told_as_the_same_and_a_change_as_a_change(winnow: Run, tmp_path: Path) -> None:
    assert "the same as before" in winnow("home", "import", "example:cottage").out
    neutral = {"id": "cottage", "devices": [], "rooms": []}
    (tmp_path / "home.json").write_text(json.dumps(neutral), encoding="utf-8")
    out = winnow("home", "import", str(tmp_path)).out
    assert "53 removed" in out
    assert "other floors, rooms and scenes" in out
    assert "no device was found" in out


def test_a_report_is_data_for_a_program(winnow: Run) -> None:
    report = json.loads(winnow("home", "import", "example:cottage", "--json").out)
    assert report["counts"]["devices"] == 53
    assert {"code", "id", "name", "detail"} == set(report["notes"][0])


@pytest.mark.usefixtures("cottage")
def test_a_check_tells_the_same_of_the_stored_home(winnow: Run) -> None:
    assert "cannot be reached: Landing Light" in winnow("home", "check").out
    codes = {note["code"] for note in json.loads(winnow("home", "check", "--json").out)["notes"]}
    assert codes >= {"offline", "asks_first"}
    assert "连接不上: Landing Light" in winnow("--language", "zh", "home", "check").out


@pytest.mark.usefixtures("cottage")
def test_what_people_say_of_a_thing_counts_and_outlives_an_import(winnow: Run) -> None:
    said = winnow("home", "set", "Tiffany Lamp", "--alias", "old glow", "--room", "Study")
    assert (said.code, said.out.strip()) == (0, "Tiffany Lamp: old glow and Study.")
    winnow("home", "import", "example:cottage")
    assert "Study / Tiffany Lamp  switch.turn_on" in winnow("ask", "turn", "on", "the", "old", "glow").out
    assert "as imported again" in winnow("home", "set", "Tiffany Lamp", "--reset").out
    assert "Study / Tiffany Lamp" not in winnow("ask", "turn", "on", "the", "tiffany", "lamp").out


@pytest.mark.usefixtures("cottage")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["Tiffany Lam", "--hide"], "Did you mean Sitting Room/Tiffany Lamp?"),
        (["Tiffany Lamp", "--kind", "lampe"], "'lampe' is none of"),
        (["Tiffany Lamp", "--risk", "fire"], "none, heat, unlock"),
        (["Tiffany Lamp", "--room", "Attic"], "has no 'Attic'"),
    ],
)
def test_what_cannot_be_said_is_told_with_a_way_on(winnow: Run, words: list[str], told: str) -> None:
    ran = winnow("home", "set", *words)
    assert ran.code != 0
    assert told in ran.err
