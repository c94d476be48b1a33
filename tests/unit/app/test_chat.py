"""A talk through a pipe: questions, answers, and a home that remembers what was done."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

Run = Callable[..., Any]
DIM = {
    "id": "set_brightness",
    "description": "set brightness",
    "params": [{"name": "brightness", "type": "int", "min": 0, "max": 100}],
}


@pytest.fixture
def payloads(payloads: Path) -> Path:
    """The usual homes; the desk lamp of ``flat`` tells its state and can be dimmed."""
    path = payloads / "flat" / "home.json"
    home = json.loads(path.read_text("utf-8"))
    lamp = home["devices"][0]
    lamp["commands"] = [*lamp["commands"], DIM]
    lamp["attributes"] = [
        {"id": "state", "description": "power"},
        {"id": "brightness", "description": "brightness", "unit": "%"},
    ]
    lamp["state"] = {"state": "off", "brightness": 20}
    path.write_text(json.dumps(home), "utf-8")
    return payloads


@pytest.fixture
def talk(flat: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``winnow chat`` with these lines piped in."""

    def run(*lines: str, args: tuple[str, ...] = ()) -> Any:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return flat("chat", *args)

    return run


def test_a_question_is_asked_and_its_answer_carried_out(talk: Run) -> None:
    ran = talk("turn on the wall lamp", "the hall one")
    assert ran.code == 0
    assert "> turn on the wall lamp\nClarify: Which room's wall lamp" in ran.out
    assert "> the hall one\nSent: hall wall lamp" in ran.out
    assert ran.out.rstrip().endswith("\n  hall / wall lamp  turn_on")


def test_what_was_done_is_known_a_sentence_later(talk: Run) -> None:
    ran = talk("is the desk lamp on", "turn on the desk lamp", "is the desk lamp on")
    assert "study desk lamp: state = off" in ran.out
    assert ran.out.rstrip().endswith("study desk lamp: state = on")


def test_the_stored_home_stays_as_it_was(talk: Run) -> None:
    homes = open_store(load_settings()).storage.homes
    before = run_blocking(homes.load_home(Scope(home="flat")))
    talk("turn on the desk lamp")
    assert run_blocking(homes.load_home(Scope(home="flat"))) == before


def test_what_is_used_is_counted_for_who_speaks(talk: Run) -> None:
    talk("turn on the desk lamp", "turn off the desk lamp", args=("--user", "anna"))
    habits = open_store(load_settings()).storage.habits
    assert run_blocking(habits.usage(Scope(user="anna", home="flat"))).counts == {"study.desk_lamp": 2}


def test_what_is_only_asked_is_not_counted(talk: Run) -> None:
    talk("turn on the wall lamp", "never mind")
    habits = open_store(load_settings()).storage.habits
    assert run_blocking(habits.usage(Scope(user="me", home="flat"))).counts == {}


def test_the_room_can_be_told_and_taken_back(talk: Run) -> None:
    ran = talk("/room hall", "turn on the wall lamp", "/room", "turn on the wall lamp")
    assert "You are in: hall." in ran.out
    assert "hall / wall lamp  turn_on" in ran.out
    assert "You are in no particular room." in ran.out
    assert ran.out.count("Clarify") == 1


def test_the_room_can_be_given_when_starting(talk: Run) -> None:
    assert "hall / wall lamp  turn_on" in talk("turn on the wall lamp", args=("--room", "hall")).out


def test_an_unknown_room_or_command_is_told(talk: Run) -> None:
    ran = talk("/room moon", "/dance")
    assert "has no room 'moon'." in ran.err
    assert "No such command: /dance." in ran.out


def test_the_last_answer_is_explained(talk: Run) -> None:
    ran = talk("/explain", "turn on the desk lamp", "/explain")
    assert "Nothing was said yet." in ran.out
    assert "in   turn on the desk lamp" in ran.out
    assert "understand  " in ran.out


def test_quitting_ends_the_talk(talk: Run) -> None:
    ran = talk("/quit", "turn on the desk lamp")
    assert ran.code == 0
    assert "desk lamp" not in ran.out


def test_help_names_the_commands(talk: Run) -> None:
    out = talk("/help").out
    assert all(name in out for name in ("/room", "/explain", "/quit"))


def test_each_language_is_answered_in_kind(talk: Run) -> None:
    ran = talk("打开 desk lamp", "把空调打开", "turn on the heater")
    assert "没有" in ran.out
    assert "No device" in ran.out


def test_the_chat_s_own_words_follow_the_language_option(flat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("/help\n"))
    assert "仅为模拟" in flat("--language", "zh", "chat").out


def test_a_relative_value_builds_on_what_was_set_before(talk: Run) -> None:
    ran = talk("set the desk lamp to 50%", "make the desk lamp brighter")
    assert ran.out.splitlines()[-1].endswith("brightness: 50 -> 60")


def test_an_unknown_home_is_an_error(talk: Run) -> None:
    ran = talk("hello", args=("--home", "palace"))
    assert ran.code == 2
    assert "palace" in ran.err


def test_a_question_for_elsewhere_is_told_as_it_stands_alone(talk: Run) -> None:
    ran = talk("how do I make a leek tart", "can I freeze it", "thanks")
    assert "documents and facts: how do I make a leek tart" in ran.out
    assert "documents and facts: can I freeze the leek tart" in ran.out
    assert ran.out.rstrip().splitlines()[-1] == "Nothing: That is no request for the devices of this home."


def test_devices_fail_when_they_are_to(talk: Run) -> None:
    lines = ("turn on the desk lamp", "is the desk lamp on")
    broken = talk(*lines, args=("--faults", "1", "--seed", "2"))
    assert "state = off" in broken.out


def test_a_name_is_taught_and_forgotten_in_a_talk(talk: Run) -> None:
    ran = talk(
        "/teach glimmer = desk lamp",
        "turn on the glimmer",
        "/teach glimmer",
        "from now on call the fan windy",
        "turn on windy",
        "forget the name windy",
        "turn on windy",
    )
    parts = ran.out.split("\n> ")
    assert parts[1].splitlines()[1] == 'From now on "glimmer" is study desk lamp.'
    assert "Turned on study desk lamp" in parts[2]
    assert parts[3].splitlines()[1].startswith("Write /teach NAME = THING")
    assert parts[4].splitlines()[1] == 'From now on "windy" is hall fan.'
    assert "hall / fan  turn_on" in parts[5]
    assert parts[6].splitlines()[1] == '"windy" is forgotten: it was hall fan.'
    assert "hall / fan" not in parts[7]
