"""Which command of a device carries an order, and which only looks as if."""

from __future__ import annotations

import pytest
from tests.unit.decide.rows import query, token

from winnow.decide.fit import fit_command
from winnow.types.home import Command, Device, Parameter, Profile
from winnow.types.query import QueryIR, Token, Value
from winnow.types.verdict import Call

PERCENT = Parameter("v", "number", 0, 100, "%")
SIREN = token("警号", "type", **{"is": "siren"})


def called(asked: QueryIR, *commands: Command, kind: str = "light", **found: tuple[str, ...]) -> str:
    """Id of the command that does it; empty when none does."""
    device = Device("d", "物", "p", (kind,) if kind else (), (), "study")
    made = fit_command(asked, device, Profile("p", commands), {}, **found)
    return made.call.command_id if made.call else ""


# what a verb means of one device and not of another


@pytest.mark.parametrize(
    ("target", "action", "rings"),
    [
        ((), "on", False),
        ((token("设备", "type", **{"is": "device"}),), "on", False),
        ((SIREN,), "on", True),
        ((token("阁楼的喇叭", "name"),), "on", True),
        ((), "alarm", True),
    ],
)
def test_no_wide_word_sounds_a_siren(target: tuple[Token, ...], action: str, rings: bool) -> None:
    asked = query(*target, action=action, action_cluster=("Alarm.On",))
    assert bool(called(asked, Command("ring", "Alarm.On"))) is rings


@pytest.mark.parametrize(("kind", "warms"), [("light", False), ("heater", True), ("kettle", True)])
def test_only_what_warms_is_switched_on_to_heat(kind: str, warms: bool) -> None:
    asked = query(action="heat", action_cluster=("Switch.On",))
    assert bool(called(asked, Command("on", "Switch.On"), kind=kind)) is warms


# which of several commands


def test_of_two_commands_for_one_act_the_one_whose_text_was_found_is_taken() -> None:
    asked = query(action="on", action_cluster=("Switch.On",))
    pair = Command("left", "Switch.On"), Command("right", "Switch.On")
    assert called(asked, *pair) == "left"
    assert called(asked, *pair, order=("right#Switch.On", "left#Switch.On")) == "right"


def test_words_of_a_commands_text_choose_it_over_a_nearer_verb() -> None:
    asked = query(action="on", action_cluster=("Switch.On", "Mode.On"))
    pair = Command("on", "Switch.On"), Command("child-lock", "Mode.On")
    assert called(asked, *pair) == "on"
    assert called(asked, *pair, told=("child-lock#Mode.On",)) == "child-lock"


def test_words_of_a_commands_text_choose_one_that_no_verb_means() -> None:
    asked = query(action="on", action_cluster=("Switch.On",))
    pair = Command("on", "Switch.On"), Command("reset", "Housekeeping")
    assert called(asked, *pair, told=("reset#Housekeeping",)) == "reset"


def test_but_not_one_that_another_verb_means() -> None:
    asked = query(action="on", action_cluster=("Switch.On",))
    pair = Command("on", "Switch.On"), Command("off", "Switch.Off")
    assert called(asked, *pair, told=("off#Switch.Off",)) == ""


def test_a_native_step_goes_before_setting_what_was_read() -> None:
    brighter = Value("relative", direction=1)
    asked = query(action="step", action_cluster=("Brightness.Set", "Brightness.Step"), value=brighter)
    step, level = (
        Command("step", "Brightness.Step", "", (PERCENT,)),
        Command("level", "Brightness.Set", "", (PERCENT,)),
    )
    assert called(asked, level, step) == "step"


# values


def test_a_value_that_is_said_is_no_step() -> None:
    step = Command("step", "Brightness.Step", "", (PERCENT,))
    asked = query(action="set", action_cluster=("Brightness.Step",), value=Value("absolute", 30.0, "%"))
    assert called(asked, step) == ""


@pytest.mark.parametrize(
    ("kind", "prop", "heard"),
    [("speaker", "", True), ("light", "", False), ("light", "volume", True), ("", "", True)],
)
def test_a_bare_number_is_a_volume_only_of_what_can_be_heard(kind: str, prop: str, heard: bool) -> None:
    volume = Command("volume", "Volume.Set", "", (PERCENT,))
    number = Value("absolute", 30.0, "%")
    asked = query(action="set", action_cluster=("Volume.Set",), property=prop, value=number)
    assert bool(called(asked, volume, kind=kind)) is heard


@pytest.mark.parametrize(
    ("trait", "value", "does"),
    [
        ("Volume.Up", Value("relative", direction=1), True),
        ("Volume.Up", Value("relative", direction=-1), False),
        ("Volume.Up", Value("relative", 10.0, "%", direction=1), False),
        ("Cover.Open", Value("relative", direction=1), True),
        ("Cover.Close", Value("relative", 10.0, "%", direction=-1), True),
        ("Cover.Close", Value("relative", direction=1), False),
        ("Mode.Heat", Value("absolute", text="heat"), True),
        ("Mode.Heat", Value("absolute", text="cool"), False),
        ("Custom", Value("absolute", 30.0), False),
    ],
)
def test_a_command_without_parameters_serves_the_value_it_stands_for(
    trait: str, value: Value, does: bool
) -> None:
    asked = query(action_cluster=(trait,), value=value)
    assert bool(called(asked, Command("c", trait), kind="speaker")) is does


def test_a_trait_without_an_action_serves_no_value() -> None:
    assert called(query(action_cluster=("",), value=Value("absolute", 30.0)), Command("c", "")) == ""


@pytest.mark.parametrize(("room", "goes"), [("study", True), ("hall", False)])
def test_a_robot_that_knows_no_rooms_cleans_the_one_it_stands_in(room: str, goes: bool) -> None:
    where = Value("absolute", unit="room", text=room)
    asked = query(action="start", action_cluster=("Vacuum.Start",), value=where)
    assert bool(called(asked, Command("start", "Vacuum.Start"), kind="vacuum")) is goes


def test_where_no_parameter_is_required_the_first_takes_the_value() -> None:
    optional = Parameter("v", "number", 0, 100, "%", required=False)
    level = Command("level", "Brightness.Set", "", (optional,))
    asked = query(action="set", action_cluster=("Brightness.Set",), value=Value("absolute", 30.0, "%"))
    made = fit_command(asked, Device("d", "物", "p"), Profile("p", (level,)), {})
    assert made.call == Call("d", "level", {"v": 30})


def test_the_first_limit_that_is_broken_is_told_not_the_last() -> None:
    narrow = Command("a", "Brightness.Set", "", (Parameter("v", "number", 0, 10, "%"),))
    wide = Command("b", "Brightness.Set", "", (Parameter("v", "number", 0, 20, "%"),))
    asked = query(action="set", action_cluster=("Brightness.Set",), value=Value("absolute", 50.0, "%"))
    made = fit_command(asked, Device("d", "物", "p"), Profile("p", (narrow, wide)), {})
    assert made.refusal is not None
    assert (made.refusal.code, made.refusal.facts["maximum"]) == ("out_of_range", 10)
