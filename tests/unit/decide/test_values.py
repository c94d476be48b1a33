"""A value as said becomes the argument a command takes, within its limits, or a reason why not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.recall.small import HOME

from winnow.decide.fit import fit
from winnow.types.catalog import Attribute, Choice, Command, Device, Parameter, Profile
from winnow.types.query import QueryIR, Value
from winnow.types.verdict import Call, Refusal


def outcome(
    query: QueryIR,
    *commands: Command,
    states: dict[str, Any] | None = None,
    attributes: tuple[Attribute, ...] = (),
) -> object:
    """The arguments of the call that does it, or the code of the refusal."""
    found = fit(query, Device("d", "物", "p"), Profile("p", commands, attributes), states or {})
    if found.call is not None:
        return dict(found.call.arguments)
    assert found.refusal is not None
    return found.refusal.code


def order(*cluster: str, value: Value | None = None, action: str = "set", prop: str = "") -> QueryIR:
    return QueryIR("", action=action, action_cluster=cluster, value=value, property=prop)


def number(low: float | None = 0, high: float | None = 100, unit: str = "%", scale: float = 1.0) -> Parameter:
    return Parameter("v", "number", low, high, unit, scale=scale)


LIT = (Attribute("l", "brightness"),)
LEVEL = Command("level", "Brightness.Set", "", (number(),))
MODES = Command(
    "mode",
    "Mode.Set",
    "",
    (
        Parameter(
            "v",
            "choice",
            choices=(
                Choice("cool", "制冷 / cool"),
                Choice("heat", "制热 / heat"),
                Choice("wind", "送风 / fan only"),
            ),
        ),
    ),
)
SPEEDS = Command(
    "speed",
    "FanSpeed.Set",
    "",
    (Parameter("v", "choice", choices=tuple(Choice(s) for s in ("off", "low", "medium", "high"))),),
)


@pytest.mark.parametrize(("said", "sent"), [(0, 0), (35, 35), (100, 100)])
def test_a_number_within_the_limits_is_sent_as_it_is(said: float, sent: float) -> None:
    assert outcome(order("Brightness.Set", value=Value("absolute", said, "%")), LEVEL) == {"v": sent}


@pytest.mark.parametrize("said", [-1, 101, 1e9])
def test_a_number_outside_is_refused_and_never_clipped(said: float) -> None:
    assert outcome(order("Brightness.Set", value=Value("absolute", said, "%")), LEVEL) == "out_of_range"


def test_the_wire_value_is_scaled() -> None:
    volume = Command("volume", "Volume.Set", "", (number(scale=0.01),))
    assert outcome(order("Volume.Set", value=Value("absolute", 35, "%")), volume) == {"v": 0.35}


def test_whole_numbers_are_sent_as_whole_numbers() -> None:
    sent = outcome(order("Brightness.Set", value=Value("absolute", 35.0, "%")), LEVEL)
    assert isinstance(sent, dict)
    assert isinstance(sent["v"], int)


@pytest.mark.parametrize(
    ("said", "unit", "home", "sent"),
    [(68, "fahrenheit", "C", 20), (20, "celsius", "F", 68), (21.5, "degree", "C", 21.5)],
)
def test_degrees_are_converted_to_the_homes_unit(said: float, unit: str, home: str, sent: float) -> None:
    setpoint = Command("t", "Temperature.Set", "", (number(5, 90, home),))
    assert outcome(order("Temperature.Set", value=Value("absolute", said, unit)), setpoint) == {
        "v": pytest.approx(sent)
    }


def test_percent_is_no_temperature() -> None:
    setpoint = Command("t", "Temperature.Set", "", (number(5, 30, "C"),))
    assert outcome(order("Temperature.Set", value=Value("absolute", 20, "%")), setpoint) == "no_ability"


@pytest.mark.parametrize(("direction", "sent"), [(1, 100), (-1, 1)])
def test_the_extremes_are_the_limits_and_the_least_light_is_still_light(direction: int, sent: int) -> None:
    assert outcome(order("Brightness.Set", value=Value("extreme", direction=direction)), LEVEL) == {"v": sent}


@pytest.mark.parametrize(
    ("direction", "amount", "sent"), [(1, 15, 55), (-1, 15, 25), (1, 60, 100), (-1, 40, 0)]
)
def test_a_step_of_said_size_is_added_to_what_is(direction: int, amount: float, sent: float) -> None:
    value = Value("relative", amount, "%", direction=direction)
    assert outcome(
        order("Brightness.Set", value=value),
        LEVEL,
        states={"l": 40},
        attributes=LIT,
    ) == {"v": sent}


def test_a_step_of_said_size_over_the_edge_is_refused() -> None:
    value = Value("relative", 70, "%", direction=1)
    assert (
        outcome(
            order("Brightness.Set", value=value),
            LEVEL,
            states={"l": 40},
            attributes=LIT,
        )
        == "out_of_range"
    )


@pytest.mark.parametrize("direction", [1, -1])
def test_a_step_without_a_size_goes_the_right_way(direction: int) -> None:
    sent = outcome(
        order("Brightness.Set", value=Value("relative", direction=direction)),
        LEVEL,
        states={"l": 40},
        attributes=LIT,
    )
    assert isinstance(sent, dict)
    assert (sent["v"] - 40) * direction > 0


@pytest.mark.parametrize(
    ("direction", "low", "high", "now", "sent"),
    [(1, 0, 100, 98, 100), (-1, 0, 100, 2, 0), (-1, 5, None, 8, 5), (1, None, 50, 48, 50)],
)
def test_a_step_without_a_size_stops_at_the_edge(
    direction: int, low: float | None, high: float | None, now: float, sent: float
) -> None:
    level = Command("level", "Brightness.Set", "", (number(low, high),))
    step = Value("relative", direction=direction)
    assert outcome(order("Brightness.Set", value=step), level, states={"l": now}, attributes=LIT) == {
        "v": sent
    }


def test_a_step_from_an_unknown_state_says_the_step() -> None:
    assert outcome(order("Brightness.Set", value=Value("relative", 20, "%", direction=-1)), LEVEL) == {
        "step": -20
    }


def test_a_native_step_carries_its_sign() -> None:
    step = Command("step", "Brightness.Step", "", (number(-100, 100),))
    assert outcome(order("Brightness.Step", value=Value("relative", 20, "%", direction=-1)), step) == {
        "v": -20
    }


@pytest.mark.parametrize(("direction", "command"), [(1, "up"), (-1, "down")])
def test_up_and_down_serve_a_step_without_a_size(direction: int, command: str) -> None:
    device, profile = (
        Device("d", "物", "p"),
        Profile("p", (Command("up", "Volume.Up"), Command("down", "Volume.Down"))),
    )
    found = fit(
        order("Volume.Set", "Volume.Up", "Volume.Down", value=Value("relative", direction=direction)),
        device,
        profile,
        {},
    )
    assert found.call == Call("d", command, {})


@pytest.mark.parametrize(
    ("text", "surface", "sent"),
    [("heat", "制热", "heat"), ("cool", "冷风", "cool"), ("fan_only", "送风", "wind")],
)
def test_a_mode_is_found_by_its_word_or_its_text(text: str, surface: str, sent: str) -> None:
    assert outcome(order("Mode.Set", value=Value("absolute", text=text, unit=surface)), MODES) == {"v": sent}


def test_a_mode_it_does_not_have_is_refused() -> None:
    assert outcome(order("Mode.Set", value=Value("absolute", text="dry", unit="除湿")), MODES) == "no_ability"


@pytest.mark.parametrize(("level", "sent"), [(1, "low"), (2, "medium"), (3, "high")])
def test_a_level_counts_the_speeds(level: int, sent: str) -> None:
    assert outcome(order("FanSpeed.Set", value=Value("absolute", level, "level")), SPEEDS) == {"v": sent}


@pytest.mark.parametrize(
    ("state", "direction", "sent"), [("low", 1, "medium"), ("high", -1, "medium"), ("high", 1, "high")]
)
def test_faster_is_the_next_speed(state: str, direction: int, sent: str) -> None:
    value = Value("relative", direction=direction)
    assert outcome(
        order("FanSpeed.Set", value=value),
        SPEEDS,
        states={"s": state},
        attributes=(Attribute("s", "fan_speed"),),
    ) == {"v": sent}


def test_off_without_a_switch_is_the_stopped_speed() -> None:
    assert outcome(order("Switch.Off", "FanSpeed.Set", action="off"), SPEEDS) == {"v": "off"}


def test_on_without_a_switch_is_any_running_speed() -> None:
    sent = outcome(order("Switch.On", "FanSpeed.Set", action="on"), SPEEDS)
    assert isinstance(sent, dict)
    assert sent["v"] in {"low", "medium", "high"}


def test_a_switch_goes_before_a_speed() -> None:
    assert (
        outcome(order("Switch.Off", "FanSpeed.Set", action="off"), SPEEDS, Command("off", "Switch.Off")) == {}
    )


def test_what_a_command_always_sends_is_sent() -> None:
    mute = Command("mute", "Mute.On", fixed={"is_volume_muted": True})
    assert outcome(order("Mute.On", action="mute"), mute) == {"is_volume_muted": True}


def test_a_value_for_a_bare_switch_is_refused() -> None:
    assert (
        outcome(order("Switch.On", value=Value("absolute", 40, "%")), Command("on", "Switch.On"))
        == "no_ability"
    )


@pytest.mark.parametrize(("unit", "sent"), [("", "red"), ("rgb", "(255,0,0)")])
def test_a_colour_is_sent_by_name_or_as_rgb(unit: str, sent: str) -> None:
    colour = Command("c", "Color.Set", "", (Parameter("v", "color", unit=unit),))
    assert outcome(order("Color.Set", value=Value("absolute", text="red")), colour) == {"v": sent}


def test_a_command_outside_the_cluster_is_never_used() -> None:
    assert (
        outcome(
            order("Lock.Lock", action="lock"), Command("unlock", "Lock.Unlock"), Command("on", "Switch.On")
        )
        == "no_ability"
    )


def test_the_refusal_of_a_value_beats_that_of_an_ability() -> None:
    found = fit(
        order("Mode.Set", "Brightness.Set", value=Value("absolute", 400, "%")),
        Device("d", "物", "p"),
        Profile("p", (MODES, LEVEL)),
        {},
    )
    assert isinstance(found.refusal, Refusal)
    assert found.refusal.code == "out_of_range"


def test_a_device_without_commands_can_do_nothing() -> None:
    meter = next(d for d in HOME.devices if d.id == "meter")
    assert fit(order("Switch.On", action="on"), meter, Profile("meter"), {}).call is None
