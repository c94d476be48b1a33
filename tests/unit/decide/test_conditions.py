"""A condition is judged on what the home tells; what nothing can tell is neither true nor false."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from winnow.decide.conditions import judge_condition
from winnow.types.candidate import DeviceCandidate
from winnow.types.home import Attribute, Device, Home, HomeView, Profile, Scalar
from winnow.types.query import Condition, Mention, Token
from winnow.types.state import Snapshot
from winnow.types.verdict import ConditionCheck

PROFILES = (
    Profile("thermometer", (), (Attribute("t", "temperature", unit="°C"),)),
    Profile("abroad", (), (Attribute("t", "temperature", unit="°F"),)),
    Profile(
        "thermostat", (), (Attribute("t", "temperature", unit="C"), Attribute("goal", "setpoint", unit="C"))
    ),
    Profile("goal", (), (Attribute("goal", "setpoint", unit="C"),)),
    Profile("lamp", (), (Attribute("on", "switch"),)),
    Profile("contact", (), (Attribute("open", "contact"),)),
    Profile("presence", (), (Attribute("there", "presence"), Attribute("move", "motion"))),
    Profile("bolt", (), (Attribute("bolt", "lock"),)),
    Profile(
        "awning", (), (Attribute("at", "position"), Attribute("way", "cover"), Attribute("on", "switch"))
    ),
)
SENSOR = ("sensor",)
DEVICES = (
    Device("warm", "warm", "thermometer", SENSOR),
    Device("warm2", "warm too", "thermometer", SENSOR),
    Device("abroad", "abroad", "abroad", SENSOR),
    Device("heating", "heating", "thermostat", ("thermostat",)),
    Device("goal", "goal", "goal", SENSOR),
    Device("lamp", "lamp", "lamp", ("light",)),
    Device("lamp2", "lamp two", "lamp", ("light",)),
    Device("contact", "contact", "contact", SENSOR),
    Device("presence", "presence", "presence", SENSOR),
    Device("bolt", "bolt", "bolt", ("lock",)),
    Device("awning", "awning", "awning", ("awning", "cover")),
)
VIEW = HomeView.of(Home("h", "h", "neutral", profiles=PROFILES, devices=DEVICES))


def mention(*kinds: str) -> Mention:
    return Mention(tuple(Token(kind, kind, 0, 1) for kind in kinds))


def said(
    quantity: str, sign: str = "==", threshold: float | str | None = "on", unit: str = "", *kinds: str
) -> Condition:
    return Condition("if so", mention(*kinds), quantity, sign, threshold, unit)


def verdict(
    condition: Condition,
    told: dict[str, dict[str, Scalar]],
    offline: Sequence[str] = (),
    scores: dict[str, float] | None = None,
) -> ConditionCheck:
    sensors = [DeviceCandidate.of(i, "", (scores or {}).get(i, 2.0)) for i in told]
    return judge_condition(condition, sensors, VIEW, Snapshot(told, offline=frozenset(offline)))


def read(found: ConditionCheck) -> list[str]:
    return [f"{r.device_id}.{r.attribute_id}" for r in found.reads]


@pytest.mark.parametrize(
    ("sign", "below", "at", "above"),
    [
        (">", False, False, True),
        ("<", True, False, False),
        (">=", False, True, True),
        ("<=", True, True, False),
        ("==", False, True, True),
        ("!=", True, False, True),
    ],
)
def test_a_number_is_compared_as_the_sign_says_and_equal_means_reached(
    sign: str, below: bool, at: bool, above: bool
) -> None:
    found = [verdict(said("temperature", sign, 26.0), {"warm": {"t": t}}).holds for t in (25.9, 26, "26.1")]
    assert found == [below, at, above]


@pytest.mark.parametrize(
    ("unit", "threshold", "device", "value", "holds"),
    [
        ("celsius", 20.0, "abroad", 69, True),
        ("celsius", 20.0, "abroad", 67, False),
        ("fahrenheit", 68.0, "warm", 20.5, True),
        ("fahrenheit", 68.0, "warm", 19.5, False),
        ("celsius", 20.0, "warm", 20.5, True),
        ("fahrenheit", 68.0, "abroad", 67, False),
        ("", 20.0, "abroad", 21, True),
    ],
)
def test_degrees_are_compared_in_the_unit_of_the_sensor(
    unit: str, threshold: float, device: str, value: float, holds: bool
) -> None:
    assert verdict(said("temperature", ">", threshold, unit), {device: {"t": value}}).holds is holds


@pytest.mark.parametrize("told", [None, "", "unknown", "Unavailable", "none", "warm"])
def test_what_is_no_number_cannot_be_compared(told: Scalar) -> None:
    assert verdict(said("temperature", ">", 20.0), {"warm": {"t": told}}).holds is None


def test_a_condition_without_a_threshold_cannot_be_told() -> None:
    assert verdict(said("temperature", ">", None), {"warm": {"t": 22}}).holds is None


def test_what_is_out_of_reach_shows_its_last_value_but_settles_nothing() -> None:
    found = verdict(said("temperature", ">", 20.0), {"warm": {"t": 22}}, offline=["warm"])
    assert (found.holds, found.value, read(found)) == (None, 22, ["warm.t"])
    found = verdict(said("state"), {"lamp": {"on": "on"}}, offline=["lamp"])
    assert (found.holds, found.value) == (None, "on")


def test_nothing_in_the_home_can_tell() -> None:
    assert verdict(said("smoke"), {"lamp": {"on": "on"}}) == ConditionCheck("if so", (), None)
    assert verdict(said("state"), {"nowhere": {"on": "on"}}) == ConditionCheck("if so", (), None)


@pytest.mark.parametrize(
    ("told", "on"),
    [("on", True), (" ON ", True), ("off", False), (1, True), (0, False), ("35.5", True), (True, True)],
)
def test_a_state_is_on_or_off_whatever_way_it_is_reported(told: Scalar, on: bool) -> None:
    assert verdict(said("state", "==", "on"), {"lamp": {"on": told}}).holds is on
    assert verdict(said("state", "==", "off"), {"lamp": {"on": told}}).holds is not on


@pytest.mark.parametrize("told", [None, "unknown", "perplexed"])
def test_a_state_nobody_knows_is_neither_on_nor_off(told: Scalar) -> None:
    assert verdict(said("state", "==", "off"), {"lamp": {"on": told}}).holds is None


@pytest.mark.parametrize(
    ("wanted", "told", "holds"),
    [
        ("locked", "locked", True),
        ("locked", "jammed", False),
        ("unlocked", "unlocked", True),
        ("unlocked", "locking", False),
        ("locked", "on", None),
    ],
)
def test_a_lock_is_locked_only_when_it_says_so(wanted: str, told: str, holds: bool | None) -> None:
    assert verdict(said("lock", "==", wanted), {"bolt": {"bolt": told}}).holds is holds


LAMPS = ("lamp", "lamp2")


@pytest.mark.parametrize(
    ("first", "second", "all_on", "not_all_on"),
    [
        ("on", "on", True, False),
        ("on", "off", False, True),
        ("on", "unknown", None, None),
        ("unknown", "off", False, True),
    ],
)
def test_of_things_named_by_their_kind_all_must_be_so(
    first: str, second: str, all_on: bool | None, not_all_on: bool | None
) -> None:
    told: dict[str, dict[str, Scalar]] = {"lamp": {"on": first}, "lamp2": {"on": second}}
    found = verdict(said("state", "==", "on", "", "type"), told)
    assert (found.holds, read(found)) == (all_on, ["lamp.on", "lamp2.on"])
    assert verdict(said("state", "!=", "on", "", "type"), told).holds is not_all_on


def test_the_value_shown_is_the_one_that_settles_it() -> None:
    found = verdict(said("state", "==", "on", "", "type"), {"lamp": {"on": "on"}, "lamp2": {"on": "off"}})
    assert found.value == "off"


def test_a_thing_named_by_its_name_is_judged_alone() -> None:
    told: dict[str, dict[str, Scalar]] = {"lamp": {"on": "on"}, "lamp2": {"on": "off"}}
    assert read(verdict(said("state", "==", "on", "", "type", "name"), told)) == ["lamp.on"]
    assert read(verdict(said("state", "==", "on"), told)) == ["lamp.on"]


def test_of_things_of_a_kind_only_those_named_as_well_as_the_first_are_judged() -> None:
    told: dict[str, dict[str, Scalar]] = {"lamp": {"on": "on"}, "lamp2": {"on": "off"}}
    every = said("state", "==", "on", "", "type")
    assert read(verdict(every, told, scores={"lamp": 2.0, "lamp2": 1.8})) == ["lamp.on"]
    assert read(verdict(every, told, scores={"lamp": 2.0, "lamp2": 1.98})) == ["lamp.on", "lamp2.on"]


def test_a_measure_is_told_by_one_sensor_even_of_a_kind() -> None:
    told: dict[str, dict[str, Scalar]] = {"warm2": {"t": 10}, "warm": {"t": 30}}
    assert read(verdict(said("temperature", ">", 20.0, "", "type"), told)) == ["warm.t"]


def test_a_measure_is_told_by_a_sensor_before_what_also_acts() -> None:
    told: dict[str, dict[str, Scalar]] = {"heating": {"t": 30}, "warm": {"t": 10}}
    scores = {"heating": 2.5, "warm": 2.0}
    assert read(verdict(said("temperature", ">", 20.0), told, scores=scores)) == ["warm.t"]


def test_a_state_is_told_by_what_is_named_best() -> None:
    told: dict[str, dict[str, Scalar]] = {"lamp": {"on": "on"}, "contact": {"open": "off"}}
    assert read(verdict(said("state"), told, scores={"lamp": 2.5})) == ["lamp.on"]
    assert read(verdict(said("state"), told)) == ["contact.open"]


def test_what_is_named_much_worse_than_the_best_is_not_asked() -> None:
    told: dict[str, dict[str, Scalar]] = {"lamp": {}, "warm": {"t": 30}}
    hot = said("temperature", ">", 20.0)
    assert verdict(hot, told, scores={"lamp": 3.0, "warm": 2.0}).holds is True
    assert verdict(hot, told, scores={"lamp": 3.1, "warm": 2.0}).holds is None


def test_of_several_quantities_that_tell_the_best_is_read() -> None:
    told: dict[str, dict[str, Scalar]] = {"presence": {"there": "on", "move": "off"}}
    assert read(verdict(said("motion"), told)) == ["presence.move"]
    assert read(verdict(said("state"), {"awning": {}})) == ["awning.on"]


def test_a_quantity_no_table_knows_tells_only_itself() -> None:
    assert read(verdict(said("setpoint", ">", 20.0), {"heating": {"t": 30, "goal": 19}})) == ["heating.goal"]


def test_what_is_set_is_told_by_what_is_named_best() -> None:
    told: dict[str, dict[str, Scalar]] = {"goal": {"goal": 19}, "heating": {"goal": 21}}
    scores = {"goal": 2.0, "heating": 2.5}
    assert read(verdict(said("setpoint", ">", 20.0), told, scores=scores)) == ["heating.goal"]
