"""What takes a call back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from tests import homes

from winnow.act.effects.expected import expected_changes
from winnow.act.effects.thing import command_of
from winnow.act.undo import inverse_calls
from winnow.types.home import Attribute, Command, HomeView, Parameter, Profile, Scalar
from winnow.types.verdict import Call

HOMES = ("home40", "home150", "cottage", "townhouse-en", "apartment-zh")
BACK = (
    "Switch.On",
    "Switch.Off",
    "Switch.Toggle",
    "Brightness.Set",
    "ColorTemperature.Set",
    "Temperature.Set",
    "Volume.Set",
    "Volume.Up",
    "Cover.Open",
    "Cover.Close",
    "Cover.SetPosition",
    "FanSpeed.Set",
    "Mute.On",
    "Mode.Set",
    "Lock.Lock",
    "Lock.Unlock",
    "Source.Set",
    "Swing.Set",
)
Tried = tuple[str, Profile, Call, dict[str, Scalar], dict[str, Scalar]]


def given(command: Command) -> dict[str, object] | None:
    """Arguments that it takes: the last of what can be chosen, the least of a number."""
    found: dict[str, object] = dict(command.fixed)
    for parameter in (p for p in command.parameters if p.required):
        if parameter.choices:
            found[parameter.name] = parameter.choices[-1].value
        elif parameter.kind == "number":
            found[parameter.name] = (parameter.minimum or 0) * parameter.scale
        else:
            return None
    return found


def tried(name: str) -> Iterator[Tried]:
    """Every command that changes what a device of that home tells: trait, before and after."""
    made = homes.imported(name)
    view = HomeView.of(made.home)
    for device in made.home.devices:
        profile, now = view.profile(device.id), dict(made.states.of(device.id))
        for command in profile.commands:
            call = Call(device.id, command.id, given(command) or {})
            if command_of(call, profile) is not command or given(command) is None:
                continue
            wanted = expected_changes(call, profile, now)
            before = {name: now.get(name) for name in wanted}
            if wanted and before != wanted:
                yield command.trait, profile, call, before, {**now, **wanted}


@pytest.mark.parametrize("name", HOMES)
def test_after_the_way_back_everything_that_was_known_is_as_before(name: str) -> None:
    ways = 0
    for _, profile, call, before, after in tried(name):
        back = inverse_calls(call, profile, before, after)
        states = dict(after)
        for one in back:
            states |= expected_changes(one, profile, states)
        numbers = [k for k, v in before.items() if isinstance(v, int | float) and not isinstance(v, bool)]
        if back:
            ways += 1
            assert all(abs(float(str(states[k])) - float(str(before[k]))) <= 1.5 for k in numbers)
            switched = {a.id for a in profile.attributes if a.quantity in ("switch", "lock", "mode", "mute")}
            assert all(states[k] == before[k] for k in switched & before.keys() if before[k] is not None)
    assert ways > 20


def test_everyday_commands_have_a_way_back() -> None:
    ways, all_of_them = Counter[str](), Counter[str]()
    for name in HOMES:
        for trait, profile, call, before, after in tried(name):
            if None in before.values() or {"unavailable", "unknown", "opening", "closing"} & set(
                before.values()
            ):
                continue
            all_of_them[trait] += 1
            ways[trait] += bool(inverse_calls(call, profile, before, after))
    assert {trait for trait in BACK if ways[trait] < all_of_them[trait]} == set()
    assert {trait for trait in BACK if not all_of_them[trait]} <= {"Swing.Set", "Source.Set"}


def test_a_lamp_that_was_off_is_dimmed_as_before_and_off_again() -> None:
    lamp = Profile(
        "lamp",
        (
            Command("on", "Switch.On"),
            Command("off", "Switch.Off"),
            Command("dim", "Brightness.Set", "", (Parameter("level", "number", 0, 100, "%"),)),
        ),
        (Attribute("power", "switch"), Attribute("light", "brightness")),
    )
    call, before = Call("a", "dim", {"level": 80}), {"light": 30, "power": "off"}
    back = inverse_calls(call, lamp, before, {"light": 80, "power": "on"})
    assert [(c.command_id, dict(c.arguments)) for c in back] == [("dim", {"level": 30}), ("off", {})]


@pytest.mark.parametrize("trait", ["Alarm.On", "Run.Start", "Feeder.Feed"])
def test_what_made_a_noise_or_was_used_up_has_no_way_back(trait: str) -> None:
    profile = Profile(
        "p",
        (Command("do", trait), Command("off", "Alarm.Off"), Command("stop", "Run.Stop")),
        (Attribute("alarm", "alarm"), Attribute("running", "running")),
    )
    before: dict[str, Scalar] = {"alarm": "off", "running": "stopped"}
    assert inverse_calls(Call("a", "do"), profile, before, {"alarm": "siren", "running": "running"}) == ()


def dial(low: float | None, high: float | None, kind: str = "number") -> Profile:
    """Something whose number can be set within limits."""
    parameter = Parameter("level", kind, low, high)  # type: ignore[arg-type]
    return Profile(
        "dial", (Command("set", "Volume.Set", "", (parameter,)),), (Attribute("volume", "volume"),)
    )


@pytest.mark.parametrize(
    ("low", "high", "before", "back"),
    [
        (0, 100, 30, [{"level": 30}]),
        (None, None, 30, [{"level": 30}]),
        (30, None, 30, [{"level": 30}]),
        (None, 30, 30, [{"level": 30}]),
        (31, None, 30, []),  # no longer within what it takes
        (None, 29, 30, []),
        (0, 100, None, []),
        (0, 100, "loud", []),
    ],
)
def test_a_number_is_set_back_where_the_command_takes_it(
    low: float | None, high: float | None, before: Scalar, back: list[dict[str, object]]
) -> None:
    call = Call("d", "set", {"level": 80})
    found = inverse_calls(call, dial(low, high), {"volume": before}, {"volume": 80})
    assert [dict(one.arguments) for one in found] == back


@pytest.mark.parametrize(("now", "back"), [(80, 1), (31, 1), (30, 0), (None, 1)])
def test_only_what_is_otherwise_now_is_set_back(now: Scalar, back: int) -> None:
    call = Call("d", "set", {"level": 80})
    assert len(inverse_calls(call, dial(0, 100), {"volume": 30}, {"volume": now})) == back
