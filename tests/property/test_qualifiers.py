"""What is said of how far, how much or how many is never dropped, and never widens an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import ceil
from pathlib import Path

import pytest
from tests.homes import engine, home, over
from tests.scenarios.runner import Scenario, collected, explained, faults, read
from tests.scenarios.transform.orders import language_of

from winnow.adapters.platforms.home_assistant.services import entity_commands
from winnow.decide.fit import fit_command
from winnow.decide.values import current
from winnow.language.lexicon import clusters
from winnow.types.home import Attribute, Command, Device, Home, HomeView, Parameter, Profile, Room, Scalar
from winnow.types.query import QueryIR, Value
from winnow.types.state import ImportedHome, Snapshot
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Call, Clarify, Confirm, Refuse, Verdict, named_calls

pytestmark = pytest.mark.slow

HOMES = ("cottage", "townhouse-en", "home40", "apartment-zh")
LIMITS = {
    "en": (
        " but not too bright",
        ", but not all the way",
        " but only a little",
        ", just don't make it too loud",
    ),
    "zh": ("但是别太亮", "，但别全开", "，不过别太冷了", "，只是不要开得太大"),
}
SWITCHING = {"en": ("turn on the {}", "open the {}", "close the {}"), "zh": ("打开{}", "关上{}")}


def said(name: str, text: str) -> Verdict:
    return engine(name).sync.retrieve(Utterance(text)).verdict


def moved(verdict: Verdict) -> set[str]:
    return {c.device_id for c in named_calls(verdict)}


def generated(name: str) -> Iterator[str]:
    """Plain orders for every seventh thing of a home."""
    for device in home(name).devices[::7]:
        for pattern in SWITCHING[language_of(home(name).devices[1].name)]:
            yield pattern.format(device.name)


def scenario_orders() -> Iterator[tuple[str, str]]:
    """Every 41st order of the scenarios that is said by itself."""
    plain = [
        s
        for s in collected()
        if s.expect["decision"] == "act" and not s.utterance.history and not s.utterance.room
    ]
    return ((s.home, s.utterance.text.rstrip(".。!！")) for s in plain[::41])


@cache
def orders() -> tuple[tuple[str, str], ...]:
    return *((name, text) for name in HOMES for text in generated(name)), *scenario_orders()


@pytest.mark.parametrize("part", range(4))
def test_how_far_it_may_go_widens_no_order_and_is_never_dropped(part: int) -> None:
    wrong = []
    for at, (name, text) in enumerate(orders()[part::4]):
        plain = said(name, text)
        limits = LIMITS[language_of(text)]
        limited = text + limits[at % len(limits)]
        verdict = said(name, limited)
        # how an alarm is armed is a value, though no argument
        whole = [c for c in named_calls(verdict) if not c.arguments and ".alarm_arm" not in c.command_id]
        if not moved(verdict) <= moved(plain) or whole:
            wrong.append((name, limited, type(verdict).__name__, named_calls(verdict)[:2]))
    assert not wrong


@pytest.mark.parametrize(
    ("name", "text", "calls"),
    [
        ("home40", "书房台灯调到30%，但是别太亮", [{"value": 30}]),
        ("home40", "大白调到26度，不过别太冷", [{"value": 26}]),
        ("home40", "书房台灯亮一点，但是别太亮", [{"value": 10.0}]),
        ("cottage", "set the reading lamp to 30 percent but not too bright", [{"brightness_pct": 30}]),
        ("cottage", "open the bedroom curtains ever so slightly", [{"position": 90}]),
    ],
)
def test_a_value_of_the_order_itself_says_how_far(name: str, text: str, calls: list[object]) -> None:
    assert [dict(c.arguments) for c in named_calls(said(name, text))] == calls


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cottage", "the reading lamp is not too bright"),
        ("cottage", "it's not too bright in here"),
        ("home40", "书房的台灯不要太亮"),
    ],
)
def test_what_is_told_or_forbidden_is_no_limit(name: str, text: str) -> None:
    assert not moved(said(name, text))


def test_a_limit_is_kept_through_our_question() -> None:
    """``which lamp?`` is answered, and how bright still was not said."""
    ask = said("cottage", "turn on the lamp but not too bright")
    assert isinstance(ask, Clarify)
    turns = (Turn("user", "turn on the lamp but not too bright"), Turn("assistant", ask.question))
    answer = Utterance("the reading lamp", history=turns)
    assert not moved(engine("cottage").sync.retrieve(answer).verdict)


@pytest.mark.parametrize("case", read(Path(__file__).with_name("qualifiers.yaml")), ids=lambda case: case.id)
def test_each_of_these_gets_the_answer_beside_it(case: Scenario) -> None:
    wrong = faults(case)
    assert not wrong, "\n  ".join(["", *wrong, explained(case)])


# a little, more, less

STEPPED = {"brightness": "", "volume": "", "fan_speed": "", "position": "a bit"}
"""Property -> what the step says of its size."""


def readings(view: HomeView, device: Device, quantity: str) -> Iterator[Mapping[str, Scalar]]:
    """What a device may report of a quantity, over all its range."""
    attributes = [
        a.id for a in view.profile(device.id).attributes if a.quantity == quantity and a.id != "state"
    ]
    for percent in (0, 1, 2, 5, 9, 10, 11, 25, 33, 50, 66, 75, 90, 95, 99, 100):
        scale = {"brightness": 2.55, "volume_level": 0.01}
        yield {a: percent * (scale.get(a, 1.0) if "." in device.id else 1.0) for a in attributes}


def arrives_at(call: Call, now: float) -> float:
    """The value a call leaves, in spoken units."""
    (name, sent), *_ = call.arguments.items()
    assert isinstance(sent, int | float)
    if "step" in name or "step" in call.command_id.lower():
        return now + sent
    return sent * 100 if name == "volume_level" else sent


@pytest.mark.parametrize("name", [*HOMES, "home150", "wharf-en"])
def test_a_step_goes_its_way_and_never_to_off_or_shut(name: str) -> None:
    view, tried = HomeView.of(home(name)), 0
    for device in home(name).devices:
        profile = view.profile(device.id)
        for quantity, size in STEPPED.items():
            cluster = clusters()["properties"][quantity]
            for states in readings(view, device, quantity):
                for direction in (1, -1):
                    value = Value("relative", direction=direction, text=size)
                    query = QueryIR("", action="step", action_cluster=cluster, property=quantity, value=value)
                    found = fit_command(query, device, profile, states)
                    if found.call is None or found.command is None or not found.command.parameters:
                        continue
                    now = current(found.command, device, profile, states)
                    if now is None or found.command.parameters[0].kind != "number":
                        continue
                    tried += 1
                    after = arrives_at(found.call, now)
                    where = (device.name, quantity, direction, now, found.call)
                    assert (after - now) * direction >= -0.01, where
                    assert after > 0 or now <= 0, where
                    assert quantity != "position" or after == now or 0 < after < 100, where
    assert tried


# levels


def with_a_fan(parameters: tuple[Parameter, ...], command: str, source: str, now: float) -> ImportedHome:
    """A home with one fan."""
    commands = (
        Command("on", "Switch.On"),
        Command("off", "Switch.Off"),
        Command(command, "FanSpeed.Set", parameters=parameters),
    )
    profile = Profile("fan", commands, (Attribute("speed", "fan_speed"),))
    fan = Device("fan.loft", "Loft Fan", "fan", ("fan",), room_id="r", aliases=("阁楼风扇",))
    place = Home("h", "H", source, rooms=(Room("r", "Loft"),), profiles=(profile,), devices=(fan,))  # type: ignore[arg-type]
    return ImportedHome(place, Snapshot({"fan.loft": {"speed": now}}))


def of_home_assistant(step: float | None) -> tuple[Parameter, ...]:
    """The parameter of a fan that has values so far apart."""
    told = {"supported_features": 1} | ({} if step is None else {"percentage_step": step})
    return next(c for c in entity_commands("fan", told, ["fan"]) if c.trait == "FanSpeed.Set").parameters


def speed(call: Call, many: int) -> int:
    """The speed a percentage sets, as Home Assistant reckons."""
    return ceil(float(str(call.arguments["percentage"])) * many / 100)


@pytest.mark.parametrize("many", [3, 4, 5, 6])
def test_a_level_is_one_of_the_levels_a_fan_has(many: int) -> None:
    percent = over(
        with_a_fan(of_home_assistant(round(100 / many, 2)), "fan.set_percentage", "homeassistant", 1)
    )
    for level in range(1, many + 2):
        for text in (f"set the loft fan to level {level}", f"阁楼风扇开到{level}档"):
            calls = named_calls(percent.sync.retrieve(Utterance(text)).verdict)
            assert [speed(c, many) for c in calls] == ([level] if level <= many else []), text
    counted = over(
        with_a_fan((Parameter("value", "number", 0, many),), "fanSpeed-setFanSpeed", "smartthings", 1)
    )
    for level in range(1, many + 2):
        calls = named_calls(counted.sync.retrieve(Utterance(f"set the loft fan to level {level}")).verdict)
        assert [c.arguments["value"] for c in calls] == ([level] if level <= many else [])


@pytest.mark.parametrize("step", [None, 1])
def test_a_level_of_an_unknown_number_of_levels_is_refused(step: float | None) -> None:
    fan = over(with_a_fan(of_home_assistant(step), "fan.set_percentage", "homeassistant", 50))
    verdict = fan.sync.retrieve(Utterance("set the loft fan to level 2")).verdict
    assert isinstance(verdict, Refuse)
    assert verdict.refusals[0].code == "levels_unknown"


@pytest.mark.parametrize(("now", "lower", "higher"), [(25, 25, 50), (50, 25, 75), (100, 75, 100)])
def test_a_fan_of_four_speeds_goes_one_further_and_never_off(now: int, lower: int, higher: int) -> None:
    fan = over(with_a_fan(of_home_assistant(25), "fan.set_percentage", "homeassistant", now))
    for text, wanted in (("lower the loft fan", lower), ("raise the loft fan", higher)):
        calls = named_calls(fan.sync.retrieve(Utterance(text)).verdict)
        assert [c.arguments for c in calls] == [{"percentage": wanted}]


# how many


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cottage", "turn on two bedroom lights"),
        ("cottage", "turn off two kitchen lights"),
        ("home40", "关掉任意两盏客厅的灯"),
    ],
)
def test_a_number_before_a_place_counts_the_things_there(name: str, text: str) -> None:
    calls = named_calls(said(name, text))
    assert len(moved(said(name, text))) == 2
    assert not any(c.arguments for c in calls)


@pytest.mark.parametrize("text", ["两盏客厅灯打开", "打开两盏客厅灯"])
def test_more_of_them_than_were_counted_are_asked_about(text: str) -> None:
    assert isinstance(said("home40", text), Clarify)


# nothing to refer to

POINTING = (
    "make it brighter", "dim it", "make it a bit darker", "turn it off", "close it a little", "open them",
    "shed some light on this", "make that warmer", "把它调亮点", "把它关小一点", "关掉它们", "把那个打开",
)  # fmt: skip


@pytest.mark.parametrize("name", HOMES)
def test_a_word_that_points_at_nothing_moves_and_offers_nothing(name: str) -> None:
    for text in POINTING:
        verdict = said(name, text)
        assert not isinstance(verdict, Confirm), text
        assert not named_calls(verdict), text
        assert not (isinstance(verdict, Clarify) and verdict.options), text
