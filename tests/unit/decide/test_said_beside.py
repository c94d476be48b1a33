"""What else a sentence says: rooms spoken of beside a thing, and orders that others go on from."""

from __future__ import annotations

from functools import cache

import pytest
from tests.homes import embedder

from winnow import Engine
from winnow.app.wiring.engine import open_engine
from winnow.types.home import Attribute, Command, Device, Home, Parameter, Profile, Room
from winnow.types.state import ImportedHome, Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import RISK_UNSURE_TARGET, Act, Confirm, Refuse, Verdict, named_calls

ONOFF = (Command("on", "Switch.On"), Command("off", "Switch.Off"))


def number(low: float, high: float, unit: str = "%") -> tuple[Parameter, ...]:
    return (Parameter("value", "number", low, high, unit),)


PROFILES = (
    Profile("plain", ONOFF, (Attribute("switch", "switch"),)),
    Profile("geared", (*ONOFF, Command("speed", "FanSpeed.Set", "speed", number(0, 100)))),
    Profile("drier", (*ONOFF, Command("intensity", "Intensity.Set", "intensity", number(0, 100)))),
    Profile(
        "heater",
        (*ONOFF, Command("setpoint", "Temperature.Set", "temperature", number(5, 30, "C"))),
        (Attribute("setpoint", "setpoint", unit="C"),),
    ),
    Profile(
        "robot",
        (
            Command("start", "Vacuum.Start"),
            Command("area", "Vacuum.CleanArea", "clean a room", (Parameter("area", "text"),)),
        ),
    ),
)
THINGS = (
    ("porch lamp", "lamp", "light", "plain", "porch"),
    ("kitchen lamp", "lamp", "light", "plain", "kitchen"),
    ("attic lamp", "lamp", "light", "plain", "attic"),
    ("porch fan", "fan", "fan", "plain", "porch"),
    ("attic fan", "fan", "fan", "geared", "attic"),
    ("den fan", "fan", "fan", "plain", "den"),
    ("den tv", "tv", "television", "plain", "den"),
    ("drier", "dehumidifier", "dehumidifier", "drier", "attic"),
    ("radiator", "radiator", "heating", "heater", "den"),
    ("robot", "robot", "vacuum", "robot", "den"),
)
HOUSE = Home(
    "house",
    "house",
    "neutral",
    rooms=tuple(Room(name, name) for name in ("porch", "kitchen", "attic", "den")),
    devices=tuple(Device(i, name, how, (kind,), room_id=room) for i, name, kind, how, room in THINGS),
    profiles=PROFILES,
)
Done = list[tuple[str, str, dict[str, object]]]


@cache
def house() -> Engine:
    return open_engine(ImportedHome(HOUSE, Snapshot({"radiator": {"setpoint": 18}})), embedder=embedder())


def said(text: str) -> tuple[Verdict, Done]:
    """The verdict, and what would be done."""
    verdict = house().sync.retrieve(Utterance(text)).verdict
    return verdict, [(c.device_id, c.command_id, dict(c.arguments)) for c in named_calls(verdict)]


def test_what_cannot_do_it_in_the_room_spoken_of_is_refused_and_no_other_is_set() -> None:
    verdict, done = said("turn on the lamp in the porch and set the fan to 40 percent")
    assert isinstance(verdict, Act)
    assert done == [("porch lamp", "on", {})]
    assert [r.device_ids for r in verdict.refused] == [("porch fan",)]


def test_the_only_one_that_can_do_it_far_from_the_room_spoken_of_is_asked_about() -> None:
    verdict, done = said("turn on the lamp in the kitchen and set the fan to 40 percent")
    assert isinstance(verdict, Confirm)
    assert verdict.risks == (RISK_UNSURE_TARGET,)
    assert ("attic fan", "speed", {"value": 40}) in done


def test_where_no_room_is_spoken_of_the_only_one_that_can_do_it_is_meant() -> None:
    verdict, done = said("set the fan to 40 percent")
    assert isinstance(verdict, Act)
    assert done == [("attic fan", "speed", {"value": 40})]


def test_a_room_behind_two_things_holds_for_both_before_that_of_another_order() -> None:
    verdict, done = said("turn off the lamp in the attic and turn on the fan and the tv in the den")
    assert isinstance(verdict, Act)
    assert done == [("attic lamp", "off", {}), ("den fan", "on", {}), ("den tv", "on", {})]


@pytest.mark.parametrize("text", ["set the humidity in the attic to 50", "把attic的湿度调高10"])
def test_no_humidity_is_set_by_how_hard_a_dehumidifier_works(text: str) -> None:
    assert isinstance(said(text)[0], Refuse)
    assert said("set the dehumidifier to 50 percent")[1] == [("drier", "intensity", {"value": 50})]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("set the radiator to 20 degrees and then raise it by 2 degrees", [20, 22]),
        ("raise the temperature of the radiator by 1 degree and then by 3 degrees", [19, 22]),
        ("lower the radiator to 16 by 2 degrees", [16]),
        ("raise the radiator by 2 degrees to 20", [20]),
        ("把radiator调到20度，再调高2度", [20, 22]),
    ],
)
def test_a_step_goes_on_from_what_was_set_before_it(text: str, values: list[int]) -> None:
    assert said(text)[1] == [("radiator", "setpoint", {"value": value}) for value in values]


def test_a_setting_and_a_step_that_run_together_are_two_acts_and_the_step_is_no_goal() -> None:
    goal, step = {"value": 80}, {"step": 10.0}
    done = said("set the attic fan to 80 percent raise by 10 percent")[1]
    assert done == [("attic fan", "speed", goal), ("attic fan", "speed", step)]
    verdict, done = said("set the radiator to 20 degrees lower by 2 degrees")
    assert isinstance(verdict, Refuse)
    assert (verdict.refusals[0].code, done) == ("two_values", [])


@pytest.mark.parametrize(
    "text",
    [
        "allow the robot to clean the kitchen",
        "I want the robot to vacuum the kitchen",
        "I'd like the robot to start cleaning the kitchen",
    ],
)
def test_what_a_robot_is_made_to_clean_is_no_place_where_it_stands(text: str) -> None:
    assert said(text)[1] == [("robot", "area", {"area": "kitchen"})]
