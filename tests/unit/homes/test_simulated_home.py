"""A simulated home does what it is told, and the engine sees it."""

from __future__ import annotations

import pytest

from winnow.bridge import blocking
from winnow.homes.simulated import SimulatedHome, apply
from winnow.testing import FrozenClock
from winnow.types.catalog import Attribute, Choice, Command, Device, Home, Parameter, Profile, Room, Scalar
from winnow.types.scope import Scope
from winnow.types.verdict import Act, Call, Query
from winnow.wiring import open_engine


def number(name: str, trait: str, parameter: str = "value") -> Command:
    return Command(name, trait, "", (Parameter(parameter, "number", 0, 100),))


MODES = Parameter("mode", "choice", choices=(Choice("cool"), Choice("heat")))
EVERYTHING = Profile(
    "all",
    (
        Command("on", "Switch.On"), Command("off", "Switch.Off"), Command("toggle", "Switch.Toggle"),
        number("dim", "Brightness.Set"), number("step", "Brightness.Step"),
        Command("open", "Cover.Open"), Command("close", "Cover.Close"), number("move", "Cover.SetPosition"),
        Command("lock", "Lock.Lock"), Command("unlock", "Lock.Unlock"),
        number("warm", "Temperature.Set"), Command("warmer", "Temperature.Up"),
        Command("mode", "Mode.Set", "", (MODES,)),
        Command("heat", "Mode.Heat"), Command("quiet", "Mute.Set", fixed={"muted": True}), Command("odd", ""),
    ),
    (
        Attribute("power", "switch"), Attribute("level", "brightness"), Attribute("place", "position"),
        Attribute("shade", "cover", values=("opened", "closed")), Attribute("bolt", "lock"),
        Attribute("target", "setpoint"), Attribute("air", "temperature"), Attribute("program", "mode"),
        Attribute("silent", "mute"),
    ),
)  # fmt: skip


def home_of(**states: Scalar) -> Home:
    return Home(
        "h", "h", "neutral", profiles=(EVERYTHING,), devices=(Device("d", "thing", "all", states=states),)
    )


@pytest.mark.parametrize(
    ("command", "arguments", "after"),
    [
        ("on", {}, {"power": "on"}),
        ("off", {}, {"power": "off"}),
        ("toggle", {}, {"power": "on"}),
        ("dim", {"value": 40}, {"level": 40, "power": "on"}),
        ("dim", {"value": 0}, {"level": 0, "power": "off"}),
        ("step", {"value": -10}, {"level": 20}),
        ("open", {}, {"shade": "opened", "place": 100.0}),
        ("close", {}, {"shade": "closed", "place": 0.0}),
        ("move", {"value": 30}, {"place": 30, "shade": "opened"}),
        ("unlock", {}, {"bolt": "unlocked"}),
        ("warm", {"value": 22}, {"target": 22}),
        ("warmer", {}, {"target": 21}),
        ("mode", {"mode": "cool"}, {"program": "cool"}),
        ("heat", {}, {"program": "heat"}),
        ("odd", {}, {}),
        ("unknown", {}, {}),
    ],
)
def test_each_command_changes_its_states(
    command: str, arguments: dict[str, object], after: dict[str, Scalar]
) -> None:
    before: dict[str, Scalar] = {"power": "off", "level": 30, "target": 20}
    home = home_of(**before)
    assert dict(apply(home, [Call("d", command, arguments)]).devices[0].states) == {**before, **after}
    assert dict(home.devices[0].states) == before


def test_calls_build_on_each_other() -> None:
    steps = [
        Call("d", "dim", {"value": 50}),
        Call("d", "step", {"value": 10}),
        Call("d", "step", {"value": 10}),
    ]
    assert apply(home_of(), steps).devices[0].states["level"] == 70


def test_a_device_that_counts_in_true_and_false_keeps_doing_so() -> None:
    assert apply(home_of(power=False), [Call("d", "on")]).devices[0].states == {"power": True}


def test_calls_that_share_an_id_are_told_apart_by_their_arguments() -> None:
    lamp = Profile(
        "lamp",
        (Command("light.turn_on", "Switch.On"), number("light.turn_on", "Brightness.Set", "brightness_pct")),
        (Attribute("state", "switch"), Attribute("brightness", "brightness")),
    )
    home = Home("h", "h", "homeassistant", profiles=(lamp,), devices=(Device("light.d", "lamp", "lamp"),))
    assert apply(home, [Call("light.d", "light.turn_on")]).devices[0].states == {"state": "on"}
    dimmed = apply(home, [Call("light.d", "light.turn_on", {"brightness_pct": 20})])
    assert dimmed.devices[0].states == {"state": "on", "brightness": 51}


def test_what_is_no_device_changes_nothing() -> None:
    home = home_of(power="off")
    assert apply(home, [Call("scene", "run")]) == home


def test_the_simulated_home_tells_what_changed_and_leaves_the_original_alone() -> None:
    home = home_of(power="off")
    simulated = SimulatedHome(home)
    assert simulated.execute([Call("d", "on")]) == {"d": {"power": "on"}}
    assert simulated.home.devices[0].states == {"power": "on"}
    assert home.devices[0].states == {"power": "off"}


def test_a_frozen_clock_moves_when_it_is_told_to() -> None:
    clock = FrozenClock(3.0)
    clock.seconds += 2
    assert clock.now() == clock.now() == 5.0


def test_the_engine_answers_from_states_it_was_told() -> None:
    dim = Profile("dim", (number("dim", "Brightness.Set"),), (Attribute("level", "brightness", unit="%"),))
    lamp = Device("lamp", "desk lamp", "dim", ("light",), room_id="r", states={"level": 20})
    engine = open_engine(
        Home("h", "h", "neutral", rooms=(Room("r", "study"),), profiles=(dim,), devices=(lamp,))
    )
    vocabulary = engine.sync.opened().vocabulary
    assert engine.sync.retrieve("make the desk lamp brighter").verdict == Act(
        (Call("lamp", "dim", {"value": 30}),)
    )
    engine.sync.observe({"lamp": {"level": 60}, "nobody": {"level": 1}})
    assert engine.sync.retrieve("make the desk lamp brighter").verdict == Act(
        (Call("lamp", "dim", {"value": 70}),)
    )
    asked = engine.sync.retrieve("how bright is the desk lamp")
    assert isinstance(asked.verdict, Query)
    assert '"level":60' in asked.briefing.text
    assert engine.sync.opened().vocabulary is vocabulary


def test_states_that_were_observed_end_with_the_next_import() -> None:
    home = home_of(power="off")
    engine = open_engine(home)
    engine.sync.observe({"d": {"power": "on"}})
    assert (
        engine.sync.opened().view.devices["d"].states
        == engine.sync.opened().home.devices[0].states
        == {"power": "on"}
    )
    blocking(engine.storage.homes.save_home(Scope(), home))
    assert engine.sync.opened().view.devices["d"].states == {"power": "off"}
