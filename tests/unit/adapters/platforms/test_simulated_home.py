"""A simulated home does what it is told, and the engine sees it."""

from __future__ import annotations

import asyncio

import pytest

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_engine
from winnow.types.home import (
    Attribute,
    Choice,
    Command,
    Device,
    Home,
    Parameter,
    Profile,
    Room,
    Scalar,
    Scene,
)
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Act, Call


def number(name: str, trait: str, parameter: str = "value") -> Command:
    return Command(name, trait, "", (Parameter(parameter, "number", 0, 100),))


MODES = Parameter("mode", "choice", choices=(Choice("cool"), Choice("heat")))
EVERYTHING = Profile(
    "all",
    (
        Command("on", "Switch.On"),
        Command("off", "Switch.Off"),
        Command("toggle", "Switch.Toggle"),
        number("dim", "Brightness.Set"),
        Command("step", "Brightness.Step", "", (Parameter("value", "number", -100, 100),)),
        Command("open", "Cover.Open"),
        Command("close", "Cover.Close"),
        number("move", "Cover.SetPosition"),
        Command("lock", "Lock.Lock"),
        Command("unlock", "Lock.Unlock"),
        number("warm", "Temperature.Set"),
        Command("warmer", "Temperature.Up"),
        Command("mode", "Mode.Set", "", (Parameter("mode", "choice", choices=(Choice("cool"),)),)),
        Command("heat", "Mode.Heat"),
        Command("quiet", "Mute.Set", fixed={"muted": True}),
        Command("odd", ""),
    ),
    (
        Attribute("power", "switch"),
        Attribute("level", "brightness"),
        Attribute("shade", "cover", values=("opened", "closed")),
        Attribute("place", "position"),
        Attribute("bolt", "lock"),
        Attribute("target", "setpoint"),
        Attribute("air", "temperature"),
        Attribute("program", "mode"),
        Attribute("silent", "mute"),
    ),
)
HOME = Home(
    "h",
    "h",
    "neutral",
    profiles=(EVERYTHING,),
    devices=(Device("d", "thing", "all"),),
    scenes=(Scene("dusk", "dusk", "scene-execute"),),
)

HERE = Scope(home="h")


def simulated(home: Home = HOME, /, **states: Scalar) -> SimulatedHome:
    return SimulatedHome(home, Snapshot({home.devices[0].id: states}), FrozenClock(7.0))


def after(home: SimulatedHome, *calls: Call) -> dict[str, Scalar]:
    """The states of its first device when that was done."""
    asyncio.run(home.do(HERE, calls))
    return dict(asyncio.run(home.read(HERE)).of(home.home.devices[0].id))


@pytest.mark.parametrize(
    ("command", "arguments", "changed"),
    [
        ("on", {}, {"power": "on"}),
        ("off", {}, {"power": "off"}),
        ("toggle", {}, {"power": "on"}),
        ("dim", {"value": 40}, {"level": 40, "power": "on"}),
        ("dim", {"value": 0}, {"level": 0, "power": "off"}),
        ("step", {"value": -10}, {"level": 20, "power": "on"}),
        ("open", {}, {"shade": "opened", "place": 100.0}),
        ("close", {}, {"shade": "closed", "place": 0.0}),
        ("move", {"value": 30}, {"place": 30, "shade": "opened"}),
        ("unlock", {}, {"bolt": "unlocked"}),
        ("warm", {"value": 22}, {"target": 22}),
        ("warmer", {}, {"target": 21}),
        ("mode", {"mode": "cool"}, {"program": "cool", "power": "on"}),
        ("heat", {}, {"program": "heat", "power": "on"}),
        ("quiet", {"muted": True}, {"silent": True}),
        ("odd", {}, {}),
    ],
)
def test_each_command_changes_its_states(
    command: str, arguments: dict[str, object], changed: dict[str, Scalar]
) -> None:
    before: dict[str, Scalar] = {"power": "off", "level": 30, "target": 20}
    home, call = simulated(**before), Call("d", command, arguments)
    assert asyncio.run(home.do(HERE, [call])) == (Outcome(call, "sent", changed=changed),)
    assert after(home) == {**before, **changed}


def test_calls_build_on_each_other() -> None:
    step = Call("d", "step", {"value": 10})
    assert after(simulated(), Call("d", "dim", {"value": 50}), step, step)["level"] == 70


def test_a_device_that_counts_in_true_and_false_keeps_doing_so() -> None:
    assert after(simulated(power=False), Call("d", "on")) == {"power": True}
    assert after(simulated(power=True), Call("d", "off")) == {"power": False}


def test_calls_that_share_an_id_are_told_apart_by_their_arguments() -> None:
    lamp = Profile(
        "lamp",
        (Command("light.turn_on", "Switch.On"), number("light.turn_on", "Brightness.Set", "brightness_pct")),
        (Attribute("state", "switch"), Attribute("brightness", "brightness")),
    )
    home = Home("h", "h", "homeassistant", profiles=(lamp,), devices=(Device("light.d", "lamp", "lamp"),))
    assert after(simulated(home), Call("light.d", "light.turn_on")) == {"state": "on"}
    dim = Call("light.d", "light.turn_on", {"brightness_pct": 20})
    assert after(simulated(home), dim) == {"state": "on", "brightness": 51}


def test_a_scene_runs_and_nobody_knows_what_it_does() -> None:
    home, call = simulated(power="off"), Call("dusk", "scene-execute")
    assert asyncio.run(home.do(HERE, [call])) == (Outcome(call, "sent"),)
    assert after(home) == {"power": "off"}


@pytest.mark.parametrize(
    ("call", "why", "facts"),
    [
        (Call("nobody", "on"), "no_such_device", {"name": "nobody"}),
        (Call("d", "fly"), "no_such_command", {"name": "thing", "what": "fly"}),
        (Call("far", "on"), "device_offline", {"name": "far"}),
        (Call("d", "dim"), "missing_value", {"name": "thing"}),
        (Call("d", "dim", {"step": 10}), "missing_value", {"name": "thing"}),
        (Call("d", "dim", {"value": "bright"}), "value_misfit", {"name": "thing", "value": "bright"}),
        (Call("d", "dim", {"value": True}), "value_misfit", {"name": "thing", "value": True}),
        (Call("d", "on", {"softly": 1}), "value_misfit", {"name": "thing", "value": "softly"}),
        (
            Call("d", "dim", {"value": 120}),
            "out_of_range",
            {"name": "thing", "minimum": 0, "maximum": 100, "value": 120.0},
        ),
        (
            Call("d", "mode", {"mode": "dry"}),
            "unknown_value",
            {"name": "thing", "value": "dry", "choices": "cool"},
        ),
        (Call("d", "quiet", {"muted": False}), "value_misfit", {"name": "thing", "value": False}),
    ],
)
def test_what_cannot_be_done_says_why(call: Call, why: str, facts: dict[str, Scalar]) -> None:
    home = Home(
        "h", "h", "neutral", profiles=(EVERYTHING,), devices=(*HOME.devices, Device("far", "far", "all"))
    )
    copy = SimulatedHome(home, Snapshot(offline=frozenset({"far"})), FrozenClock())
    assert asyncio.run(copy.do(HERE, [call])) == (Outcome(call, "failed", why, facts),)


def test_what_it_was_made_from_stays_as_it_was() -> None:
    states = Snapshot({"d": {"power": "off"}})
    assert after(SimulatedHome(HOME, states, FrozenClock()), Call("d", "on")) == {"power": "on"}
    assert states.of("d") == {"power": "off"}


def test_its_states_are_always_those_of_now() -> None:
    clock = FrozenClock(7.0)
    home = SimulatedHome(HOME, Snapshot({"d": {"power": "off"}}, read_at=1.0, source="neutral"), clock)
    clock.seconds += 2
    snapshot = asyncio.run(home.read(HERE))
    assert (snapshot.source, snapshot.read_at) == ("simulated", 9.0)


def test_the_engine_reads_the_home_it_is_given() -> None:
    dim = Profile("dim", (number("dim", "Brightness.Set"),), (Attribute("level", "brightness", unit="%"),))
    lamp = Device("lamp", "desk lamp", "dim", ("light",), room_id="r")
    home = Home("h", "h", "neutral", rooms=(Room("r", "study"),), profiles=(dim,), devices=(lamp,))
    engine, copy = open_engine(home), simulated(home, level=20)
    engine.states.below = copy
    brighter = engine.sync.retrieve("make the desk lamp brighter").verdict
    assert brighter == Act((Call("lamp", "dim", {"value": 30}),))
    after(copy, *brighter.calls)
    again = engine.sync.retrieve("make the desk lamp brighter").verdict
    assert again == Act((Call("lamp", "dim", {"value": 40}),))


def test_a_frozen_clock_moves_when_it_is_told_to() -> None:
    clock = FrozenClock(3.0)
    clock.seconds += 2
    assert clock.now() == clock.now() == 5.0
