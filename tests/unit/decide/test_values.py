"""A value as said becomes the argument a command takes, within its limits, or a reason why not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.retrieve.home.small import HOME

from winnow.decide.fit import fit_command
from winnow.types.home import Attribute, Choice, Command, Device, Parameter, Profile
from winnow.types.query import QueryIR, Token, Value
from winnow.types.verdict import Call, Refusal


def outcome(
    query: QueryIR,
    *commands: Command,
    states: dict[str, Any] | None = None,
    attributes: tuple[Attribute, ...] = (),
) -> object:
    """The arguments of the call that does it, or the code of the refusal."""
    found = fit_command(query, Device("d", "物", "p"), Profile("p", commands, attributes), states or {})
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


@pytest.mark.parametrize("said", [-1, -0.1, 100.1, 101, 1e9])
def test_a_number_outside_is_refused_and_never_clipped(said: float) -> None:
    assert outcome(order("Brightness.Set", value=Value("absolute", said, "%")), LEVEL) == "out_of_range"


def test_the_wire_value_is_scaled() -> None:
    volume = Command("volume", "Volume.Set", "", (number(scale=0.01),))
    assert outcome(order("Volume.Set", value=Value("absolute", 35, "%")), volume) == {"v": 0.35}


def test_a_scaled_value_stays_a_fraction_of_four_places() -> None:
    byte = Command("level", "Brightness.Set", "", (number(scale=2.55),))
    sent = outcome(order("Brightness.Set", value=Value("absolute", 100, "%")), byte)
    assert isinstance(sent, dict)
    assert (sent["v"], type(sent["v"])) == (255, float)
    third = Command("level", "Brightness.Set", "", (number(scale=1 / 3),))
    assert outcome(order("Brightness.Set", value=Value("absolute", 10, "%")), third) == {"v": 3.3333}


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


@pytest.mark.parametrize("unit", ["C", "F", "K"])
def test_percent_is_no_temperature(unit: str) -> None:
    setpoint = Command("t", "Temperature.Set", "", (number(5, 30, unit),))
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


@pytest.mark.parametrize(("direction", "amount"), [(1, 70), (-1, 70)])
def test_a_step_of_said_size_over_the_edge_is_refused(direction: int, amount: float) -> None:
    value = Value("relative", amount, "%", direction=direction)
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
    [(1, 0, 100, 98, 100), (-1, 0, 100, 2, 1), (-1, 5, None, 8, 5), (1, None, 50, 48, 50)],
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
    found = fit_command(
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
    found = fit_command(
        order("Mode.Set", "Brightness.Set", value=Value("absolute", 400, "%")),
        Device("d", "物", "p"),
        Profile("p", (MODES, LEVEL)),
        {},
    )
    assert isinstance(found.refusal, Refusal)
    assert found.refusal.code == "out_of_range"


def test_a_device_without_commands_can_do_nothing() -> None:
    meter = next(d for d in HOME.devices if d.id == "meter")
    assert fit_command(order("Switch.On", action="on"), meter, Profile("meter"), {}).call is None


# a verb alone


def choice(*values: str) -> Parameter:
    return Parameter("v", "choice", choices=tuple(Choice(v) for v in values))


@pytest.mark.parametrize("action", ["on", "on_open", "start"])
def test_on_is_any_value_that_is_not_stopped(action: str) -> None:
    program = Command("program", "Mode.Set", "", (choice("off", "eco", "boost"),))
    assert outcome(order("Mode.Set", action=action), program) == {"v": "eco"}


@pytest.mark.parametrize("action", ["off", "off_close", "stop", "close"])
def test_off_is_never_a_running_value(action: str) -> None:
    assert outcome(order("Mode.Set", action=action), MODES) == "no_ability"
    program = Command("program", "Mode.Set", "", (choice("eco", "standard", "stopped"),))
    assert outcome(order("Mode.Set", action=action), program) == {"v": "stopped"}


def test_a_verb_that_starts_nothing_takes_no_value_it_does_not_mean() -> None:
    program = Command("program", "Mode.Set", "", (choice("eco", "boost"),))
    assert outcome(order("Mode.Set", action="heat"), program) == "no_ability"


@pytest.mark.parametrize(("action", "sent"), [("pause", "paused"), ("dock", "homing"), ("start", "auto")])
def test_a_robot_is_paused_docked_and_started_by_one_choice(action: str, sent: str) -> None:
    robot = Command("robot", "Vacuum.Set", "", (choice("stop", "paused", "homing", "auto"),))
    assert outcome(order("Vacuum.Set", action=action), robot) == {"v": sent}


@pytest.mark.parametrize(("action", "sent"), [("on", True), ("off", False), ("close", False)])
def test_a_verb_says_yes_or_no(action: str, sent: bool) -> None:
    flag = Command("flag", "Switch.Set", "", (Parameter("v", "boolean"),))
    assert outcome(order("Switch.Set", action=action), flag) == {"v": sent}


@pytest.mark.parametrize(
    ("trait", "action", "sent"),
    [
        ("Cover.SetPosition", "on_open", 90),
        ("Cover.SetPosition", "close", 0),
        ("FanSpeed.Set", "on", 45),
        ("FanSpeed.Set", "off", 0),
        ("Brightness.Set", "on", "no_ability"),
    ],
)
def test_a_cover_goes_all_the_way_and_a_fan_half(trait: str, action: str, sent: object) -> None:
    found = outcome(order(trait, action=action), Command("c", trait, "", (number(0, 90),)))
    assert found == ({"v": sent} if isinstance(sent, int) else sent)


def test_a_fan_that_cannot_stand_still_is_not_stopped_by_its_speed() -> None:
    fan = Command("c", "FanSpeed.Set", "", (number(1, 5),))
    assert outcome(order("FanSpeed.Set", action="off"), fan) == "no_ability"


# numbers


def test_a_number_may_be_sent_as_text_or_called_by_a_choice() -> None:
    text = Command("c", "Channel.Set", "", (Parameter("v", "text"),))
    assert outcome(order("Channel.Set", value=Value("absolute", 5.0)), text) == {"v": "5"}
    listed = Command("c", "Channel.Set", "", (choice("3", "5"),))
    assert outcome(order("Channel.Set", value=Value("absolute", 5.0)), listed) == {"v": "5"}
    assert outcome(order("Channel.Set", value=Value("absolute", 4.0)), listed) == "no_ability"


@pytest.mark.parametrize(("level", "unit"), [(0, "level"), (4, "level"), (2, "%"), (2, "")])
def test_only_a_level_there_is_counts_the_speeds(level: float, unit: str) -> None:
    assert outcome(order("FanSpeed.Set", value=Value("absolute", level, unit)), SPEEDS) == "no_ability"


def test_quiet_is_no_level() -> None:
    fan = Command("c", "FanSpeed.Set", "", (choice("quiet", "low", "high"),))
    assert outcome(order("FanSpeed.Set", value=Value("absolute", 1, "level")), fan) == {"v": "low"}
    step = Value("relative", direction=-1)
    at_low = {"states": {"s": "low"}, "attributes": (Attribute("s", "fan_speed"),)}
    assert outcome(order("FanSpeed.Set", value=step), fan, **at_low) == {"v": "low"}  # type: ignore[arg-type]


@pytest.mark.parametrize(("unit", "sent"), [("K", {"v": 4000}), ("", {"v": 4000}), ("%", "no_ability")])
def test_kelvin_is_sent_only_to_what_takes_kelvin(unit: str, sent: object) -> None:
    white = Command("c", "ColorTemperature.Set", "", (number(0, 6500, unit),))
    assert outcome(order("ColorTemperature.Set", value=Value("absolute", 4000, "kelvin")), white) == sent


def test_a_refused_number_tells_the_limits() -> None:
    query = order("Brightness.Set", value=Value("absolute", 120, "%"))
    refusal = fit_command(query, Device("d", "lamp", "p"), Profile("p", (LEVEL,)), {}).refusal
    facts = {"name": "lamp", "minimum": 0, "maximum": 100, "value": 120}
    assert refusal == Refusal("out_of_range", facts, ("d",))


# words


@pytest.mark.parametrize(("kind", "sent"), [("text", {"v": "kitchen"}), ("choice", "no_ability")])
@pytest.mark.parametrize("unit", ["room", "media"])
def test_a_room_or_a_medium_is_sent_only_as_text(unit: str, kind: Any, sent: object) -> None:
    say = Command("c", "Media.Play", "", (Parameter("v", kind, choices=(Choice("kitchen"),)),))
    assert outcome(order("Media.Play", value=Value("absolute", text="kitchen", unit=unit)), say) == sent


def test_a_colour_nobody_knows_is_refused() -> None:
    colour = Command("c", "Color.Set", "", (Parameter("v", "color"),))
    assert outcome(order("Color.Set", value=Value("absolute", text="octarine")), colour) == "no_ability"
    assert outcome(order("Color.Set", value=Value("absolute", text="red")), LEVEL) == "no_ability"


def shown(*choices: Choice) -> Command:
    return Command("mode", "Mode.Set", "", (Parameter("v", "choice", choices=choices),))


@pytest.mark.parametrize(
    ("choices", "sent"),
    [
        ((Choice("m1", "强力睡眠"), Choice("m2", "睡眠 / sleep")), "m2"),
        ((Choice("sleepy"), Choice("m2", "深度睡眠")), "m2"),
        ((Choice("deep_sleep"), Choice("m2", "other")), "deep_sleep"),
        ((Choice("m1", "睡 / s"), Choice("m2", "other")), "no_ability"),
    ],
)
def test_a_mode_is_a_whole_word_first_then_one_as_said_then_a_part(
    choices: tuple[Choice, ...], sent: str
) -> None:
    said = Value("absolute", text="sleep", unit="睡眠")
    found = outcome(order("Mode.Set", value=said), shown(*choices))
    assert found == (sent if sent == "no_ability" else {"v": sent})


def test_one_character_is_part_of_too_many_words() -> None:
    said = Value("absolute", text="x", unit="")
    assert outcome(order("Mode.Set", value=said), shown(Choice("max"))) == "no_ability"


# the most, the least


@pytest.mark.parametrize(("direction", "sent"), [(1, "high"), (-1, "quiet")])
def test_the_least_speed_still_runs(direction: int, sent: str) -> None:
    fan = Command("c", "FanSpeed.Set", "", (choice("high", "off", "quiet", "low"),))
    assert outcome(order("FanSpeed.Set", value=Value("extreme", direction=direction)), fan) == {"v": sent}


def test_the_extremes_of_what_has_no_speeds_or_no_limit_are_refused() -> None:
    assert outcome(order("Mode.Set", value=Value("extreme", direction=1)), MODES) == "no_ability"
    open_ended = Command("c", "Volume.Set", "", (number(0, None),))
    assert outcome(order("Volume.Set", value=Value("extreme", direction=-1)), open_ended) == "no_ability"


@pytest.mark.parametrize(("low", "unit", "sent"), [(16, "C", 16), (0, "C", 0), (5, "%", 5), (None, "%", 1)])
def test_the_least_is_the_lower_limit(low: float | None, unit: str, sent: float) -> None:
    setpoint = Command("c", "Temperature.Set", "", (number(low, 30, unit),))
    assert outcome(order("Temperature.Set", value=Value("extreme", direction=-1)), setpoint) == {"v": sent}


# more, less


@pytest.mark.parametrize(
    ("trait", "quantity", "sent"),
    [
        ("Temperature.Set", "setpoint", 41),
        ("ColorTemperature.Set", "color_temperature", 540),
        ("FanSpeed.Set", "fan_speed", 60),
        ("Valve.Set", "position", 50),
        ("Intensity.Set", "intensity", 50),
    ],
)
def test_a_step_without_a_size_is_that_of_its_trait(trait: str, quantity: str, sent: float) -> None:
    command = Command("c", trait, "", (number(0, 1000, ""),))
    step = order(trait, value=Value("relative", direction=1))
    assert outcome(step, command, states={"a": 40}, attributes=(Attribute("a", quantity),)) == {"v": sent}


@pytest.mark.parametrize(
    ("device", "command", "attribute", "state", "sent"),
    [
        ("light.a", "light.turn_on", "brightness", 51, 30),
        ("light.a", "other.turn_on", "brightness", 51, 61),
        ("a", "light.turn_on", "brightness", 51, 61),
        ("light.a", "light.turn_on", "volume_level", 0.4, 50),
    ],
)
def test_scales_of_home_assistant_are_read_as_percent(
    device: str, command: str, attribute: str, state: float, sent: float
) -> None:
    profile = Profile(
        "p", (Command(command, "Brightness.Set", "", (number(),)),), (Attribute(attribute, "brightness"),)
    )
    more = order("Brightness.Set", value=Value("relative", direction=1))
    found = fit_command(more, Device(device, "x", "p"), profile, {attribute: state})
    assert found.call == Call(device, command, {"v": pytest.approx(sent)})


@pytest.mark.parametrize(("state", "attribute"), [(True, "l"), ("40", "l"), (None, "l"), (40, "state")])
def test_only_a_number_that_is_no_main_state_is_stepped_from(state: Any, attribute: str) -> None:
    more = order("Brightness.Set", value=Value("relative", 5, "%", direction=1))
    lit = (Attribute(attribute, "brightness"),)
    assert outcome(more, LEVEL, states={attribute: state}, attributes=lit) == {"step": 5}


@pytest.mark.parametrize(("main", "quantity"), [("state", "mode"), ("power", "switch")])
def test_what_is_off_and_tells_no_value_is_not_stepped(main: str, quantity: str) -> None:
    less = order("Brightness.Set", value=Value("relative", direction=-1))
    lit = (Attribute(main, quantity), *LIT)
    assert outcome(less, LEVEL, states={main: "off"}, attributes=lit) == "unread_value"
    assert outcome(less, LEVEL, states={main: "on"}, attributes=lit) == {"step": -10}
    assert outcome(less, LEVEL, states={main: "off", "l": 40}, attributes=lit) == {"v": 30}


def test_a_native_step_without_a_size_is_ten_and_one_over_its_limit_is_refused() -> None:
    step = Command("step", "Temperature.Step", "", (number(-30, 30),))
    assert outcome(order("Temperature.Step", value=Value("relative", direction=-1)), step) == {"v": -10}
    assert outcome(order("Temperature.Step", value=Value("relative", 30, direction=1)), step) == {"v": 30}
    assert (
        outcome(order("Temperature.Step", value=Value("relative", 31, direction=1)), step) == "out_of_range"
    )
    small = Command("step", "Temperature.Step", "", (number(-5, 5),))
    assert outcome(order("Temperature.Step", value=Value("relative", direction=1)), small) == {"v": 10}


def test_what_takes_no_number_takes_no_step() -> None:
    text = Command("c", "Channel.Set", "", (Parameter("v", "text"),))
    assert outcome(order("Channel.Set", value=Value("relative", direction=1)), text) == "no_ability"


LADDER = Command("c", "FanSpeed.Set", "", (choice("max", "high", "medium", "low", "sleep"),))


@pytest.mark.parametrize(
    ("state", "amount", "unit", "sent"),
    [
        ("low", 2, "level", "high"),
        ("low", 2, "", "high"),
        ("low", 20, "%", "medium"),
        ("low", 9, "level", "medium"),
        ("low", 5, "level", "max"),
        ("LOW", None, "", "medium"),
        ("odd", None, "", "high"),
        ("low", 0, "", "medium"),
    ],
)
def test_faster_goes_so_many_levels_and_never_past_the_end(
    state: str, amount: float | None, unit: str, sent: str
) -> None:
    faster = order("FanSpeed.Set", value=Value("relative", amount, unit, direction=1))
    speed = (Attribute("s", "fan_speed"), Attribute("m", "mode"))
    assert outcome(faster, LADDER, states={"s": state, "m": "sleep"}, attributes=speed) == {"v": sent}


@pytest.mark.parametrize(("direction", "sent"), [(1, "up"), (-1, "down")])
def test_a_choice_that_is_a_step_is_taken_as_one(direction: int, sent: str) -> None:
    keys = Command("c", "Channel.Set", "", (choice("low", "down", "up", "high"),))
    assert outcome(order("Channel.Set", value=Value("relative", direction=direction)), keys) == {"v": sent}


@pytest.mark.parametrize(
    ("amount", "positions", "sent"),
    [
        (1, ("down", "middle", "up"), "up"),
        (1, ("up", "middle", "down"), "down"),
        (None, ("down", "middle", "up"), "up"),
        (None, ("up", "middle", "down"), "up"),
        (1, ("up", "down"), "up"),
    ],
)
def test_a_swing_goes_by_levels_only_when_they_are_counted(
    amount: float | None, positions: tuple[str, ...], sent: str
) -> None:
    swing = Command("c", "Swing.Set", "", (choice("auto", *positions),))
    higher = order("Swing.Set", value=Value("relative", amount, "level", direction=1))
    assert outcome(higher, swing, states={"w": "middle"}, attributes=(Attribute("w", "swing"),)) == {
        "v": sent
    }


@pytest.mark.parametrize("positions", [("down", "middle", "up"), ("up", "middle", "down")])
@pytest.mark.parametrize(
    ("word", "direction", "levels", "sent"),
    [
        ("lower", -1, 1, {"v": "down"}),
        ("raise", 1, 1, {"v": "up"}),
        ("调低", -1, 1, {"v": "down"}),
        ("lower", -1, 2, "no_ability"),
    ],
)
def test_what_is_lowered_swings_down_however_its_positions_are_listed(
    positions: tuple[str, ...], word: str, direction: int, levels: float, sent: object
) -> None:
    swing = Command("c", "Swing.Set", "", (choice("auto", *positions),))
    step = Token(word, "step", 0, len(word), {"is": "+" if direction > 0 else "-"})
    moved = order("Swing.Set", value=Value("relative", levels, "level", direction=direction))
    said = replace(moved, tokens=(step,))
    assert outcome(said, swing, states={"w": "middle"}, attributes=(Attribute("w", "swing"),)) == sent


def test_levels_of_height_are_counted_only_of_what_swings() -> None:
    blind = Command("c", "Cover.Set", "", (choice("up", "middle", "down"),))
    higher = order("Cover.Set", value=Value("relative", 1, "level", direction=1))
    assert outcome(higher, blind, states={"w": "middle"}) == {"v": "up"}


def test_a_humidifier_is_stepped_from_its_goal_before_what_it_measures() -> None:
    damp = Command("c", "Humidity.Set", "", (number(),))
    more = order("Humidity.Set", value=Value("relative", 5, "%", direction=1))
    told = (Attribute("now", "humidity"), Attribute("goal", "setpoint"))
    assert outcome(more, damp, states={"now": 30, "goal": 50}, attributes=told) == {"v": 55}
    assert outcome(more, damp, states={"now": 30}, attributes=told) == {"v": 35}


def fan(step: float | None = 25) -> Command:
    return Command("fan", "FanSpeed.Set", "", (Parameter("v", "number", 0, 100, "%", step=step),))


COVER = Command("cover", "Cover.SetPosition", "", (number(),))
SHUT = Command("tilt", "Cover.SetPosition", "", (number(),))
WARMTH = Command("t", "Temperature.Set", "", (number(16, 30, "C"),))
TEXT = Command("note", "Brightness.Set", "", (Parameter("v", "text"),))
SURE = Command("sure", "Brightness.Set", "", (Parameter("v", "boolean"),))
SHOWN = (
    Attribute("l", "brightness"),
    Attribute("p", "position"),
    Attribute("f", "fan_speed"),
    Attribute("t", "setpoint"),
)


@pytest.mark.parametrize(
    ("command", "value", "sent"),
    [
        (fan(), Value("absolute", 1), 25),
        (fan(), Value("absolute", 4), 100),
        (fan(), Value("absolute", 5), 5),
        (fan(), Value("absolute", 5, "level"), "out_of_range"),
        (fan(), Value("absolute", 0, "level"), "out_of_range"),
        (fan(), Value("absolute", 1.5, "level"), "out_of_range"),
        (fan(None), Value("absolute", 2, "level"), "levels_unknown"),
        (fan(), Value("mode", text="low"), 50),
        (fan(), Value("mode", text="high"), 100),
        (fan(None), Value("mode", text="low"), 33),
        (fan(None), Value("mode", text="medium"), 66),
        (fan(), Value("extreme", direction=-1), 25),
        (fan(None), Value("extreme", direction=-1), 1),
        (COVER, Value("extreme", direction=-1), 0),
        (COVER, Value("extreme", direction=1), 100),
        (WARMTH, Value("extreme", direction=-1), 16),
        (LEVEL, Value("absolute", 0.5), "no_ability"),
        (LEVEL, Value("absolute", 0.5, "%"), 0.5),
        (WARMTH, Value("absolute", 20, "%"), "no_ability"),
        (TEXT, Value("absolute", 3.5), "3.5"),
        (SURE, Value("absolute", 3), "no_ability"),
        (SURE, Value("extreme", direction=1), "no_ability"),
        (SURE, Value("relative", direction=1), "no_ability"),
        (LEVEL, Value("mode", text="cosy"), "no_ability"),
        (TEXT, Value("absolute", text="12", unit="room"), "12"),
        (LEVEL, Value("absolute", text="12", unit="media"), "no_ability"),
    ],
)
def test_a_value_is_sent_as_the_device_counts_it(command: Command, value: Value, sent: object) -> None:
    found = outcome(order(command.trait, value=value), command)
    assert found == (sent if isinstance(sent, str) and command is not TEXT else {"v": sent})


@pytest.mark.parametrize(
    ("command", "value", "now", "sent"),
    [
        (fan(), Value("relative", direction=1), 25, 50),
        (fan(), Value("relative", direction=1), 100, 100),
        (fan(), Value("relative", direction=-1), 25, 25),
        (fan(), Value("relative", 2, "level", direction=1), 25, 75),
        (fan(), Value("relative", 2, "level", direction=1), 75, "out_of_range"),
        (fan(), Value("relative", 1, "level", direction=-1), 25, "out_of_range"),
        (COVER, Value("relative", direction=1), 95, 99),
        (COVER, Value("relative", direction=-1), 5, 1),
        (COVER, Value("relative", direction=-1), 0, 0),
        (COVER, Value("relative", direction=1), 100, 100),
        (LEVEL, Value("relative", direction=-1), 1, 1),
        (LEVEL, Value("relative", 50, "share", direction=-1), 60, 30),
        (LEVEL, Value("relative", 50, "share", direction=1), 60, 90),
        (LEVEL, Value("relative", 50, "share", direction=1), 90, 100),
        (LEVEL, Value("relative", 50, "share", direction=1), None, "no_ability"),
    ],
)
def test_a_step_goes_from_where_the_device_is_and_stays_within(
    command: Command, value: Value, now: int | None, sent: object
) -> None:
    states = {} if now is None else {"l": now, "p": now, "f": now}
    found = outcome(order(command.trait, value=value), command, states=states, attributes=SHOWN)
    assert found == (sent if isinstance(sent, str) else {"v": sent})


STEP = Command("step", "Brightness.Step", "", (number(-100, 100),))


@pytest.mark.parametrize(
    ("value", "now", "sent"),
    [
        (Value("relative", direction=1), None, 10),
        (Value("relative", direction=-1), 50, -10),
        (Value("relative", direction=-1), 8, -7),
        (Value("relative", direction=-1), 1, 0),
        (Value("relative", direction=1), 95, 10),
        (Value("relative", 30, "%", direction=-1), 50, -30),
        (Value("relative", 2, "level", direction=1), 50, 20),
        (Value("relative", 60, "%", direction=-1), 50, "out_of_range"),
        (Value("relative", 120, "%", direction=1), 50, "out_of_range"),
    ],
)
def test_a_step_of_the_devices_own_is_as_long_as_it_may_be(
    value: Value, now: int | None, sent: float | str
) -> None:
    states = {} if now is None else {"l": now}
    found = outcome(order("Brightness.Step", value=value), STEP, states=states, attributes=SHOWN)
    assert found == (sent if isinstance(sent, str) else {"v": sent})


@pytest.mark.parametrize("state", ["off", "on"])
def test_what_is_off_has_no_value_to_start_from(state: str) -> None:
    shown = (*SHOWN, Attribute("power", "switch"))
    value = Value("relative", direction=1)
    found = outcome(order("Brightness.Set", value=value), LEVEL, states={"power": state}, attributes=shown)
    assert found == ("unread_value" if state == "off" else {"step": 10.0})


@pytest.mark.parametrize(
    ("command", "action", "sent"),
    [
        (COVER, "on_open", 100),
        (fan(), "on_open", 50),
        (WARMTH, "on_open", "no_ability"),
        (TEXT, "on_open", "no_ability"),
        (SURE, "on_open", True),
    ],
)
def test_a_verb_alone_is_a_value_only_where_one_can_be_guessed(
    command: Command, action: str, sent: object
) -> None:
    found = outcome(order(command.trait, action=action), command)
    assert found == (sent if isinstance(sent, str) else {"v": sent})


@pytest.mark.parametrize(
    ("command", "value", "facts"),
    [
        (STEP, Value("relative", 120, "%", direction=1), {"maximum": 100, "value": 120}),
        (STEP, Value("relative", 60, "%", direction=-1), {"minimum": 0.0, "maximum": 100, "value": -10}),
        (LEVEL, Value("absolute", 130, "%"), {"minimum": 0, "maximum": 100, "value": 130}),
        (fan(), Value("absolute", 7, "level"), {"minimum": 1.0, "maximum": 4.0, "value": 7}),
    ],
)
def test_what_is_out_of_range_is_told_with_the_range(
    command: Command, value: Value, facts: dict[str, float]
) -> None:
    query = order(command.trait, value=value)
    found = fit_command(query, Device("d", "物", "p"), Profile("p", (command,), SHOWN), {"l": 50})
    assert found.refusal is not None
    assert found.refusal.facts == {"name": "物", **facts}
