"""Sensors are read by what and where they measure, and people before what saw them move."""

from __future__ import annotations

import pytest
from tests.unit.retrieve.home.flat import verdict

from winnow.types.verdict import Act, Nothing, Query, Read, Refuse


def read(text: str, room: str | None = None) -> list[str]:
    got = verdict(text, room)
    assert isinstance(got, Query), got
    return [r.device_id for r in got.reads]


def judged(text: str, room: str | None = None) -> tuple[list[str], bool | None]:
    got = verdict(text, room)
    assert isinstance(got, Act | Nothing | Refuse), got
    (one,) = got.conditions
    return [r.device_id for r in one.reads], one.holds


@pytest.mark.parametrize(
    "text",
    ["客厅现在几度", "客厅空调现在多少度", "how warm is it in the living room", "living room AC temperature"],
)
def test_a_room_is_not_answered_by_the_air_outside(text: str) -> None:
    assert verdict(text) == Query((Read("cooler", "temperature"),))


def test_the_speakers_room_answers_else_each_room_of_the_home() -> None:
    assert read("现在多少度", "living") == ["cooler"]
    assert read("what is the temperature", "living") == ["cooler"]
    assert read("现在室内温度多少") == ["cooler", "study-ac", "meter"]
    assert "fridge" not in read("现在几度", "kitchen")


def test_a_room_without_a_sensor_is_not_answered_by_a_machine_in_it() -> None:
    assert isinstance(verdict("厨房多少度"), Nothing)


@pytest.mark.parametrize("text", ["外面多少度", "how warm is it outside", "阳台多少度"])
def test_the_air_outside_is_read_outside(text: str) -> None:
    assert read(text) == ["weather-post"]


@pytest.mark.parametrize(
    ("text", "sensor"),
    [
        ("冰箱温度", "fridge"),
        ("热水器水温多少", "boiler"),
        ("卫生间水温多少", "tub"),
        ("大门锁的电量是多少", "door-battery"),
        ("走廊亮度多少", "lux"),
    ],
)
def test_what_was_named_is_read(text: str, sensor: str) -> None:
    assert read(text) == [sensor]


@pytest.mark.parametrize("text", ["家里有人吗", "is anyone home", "who is home", "谁在家"])
def test_people_answer_whether_anybody_is_home(text: str) -> None:
    assert read(text) == ["anna", "tom"]


@pytest.mark.parametrize("text", ["安娜在家吗", "is Anna home"])
def test_one_of_them_answers_for_herself(text: str) -> None:
    assert read(text) == ["anna"]


@pytest.mark.parametrize(
    "text",
    [
        "如果家里没人就把客厅的灯都关了",
        "没人在家就关掉台灯",
        "if nobody is home turn off the desk lamp",
        "if no one is home lock the front door",
        "turn off the desk lamp if nobody is home",
    ],
)
def test_a_condition_asks_the_same_people(text: str) -> None:
    assert judged(text) == (["anna", "tom"], False)


@pytest.mark.parametrize(
    ("text", "who", "holds"),
    [
        ("if Anna is home turn on the kitchen spots", ["anna"], True),
        ("如果安娜在家就打开厨房射灯", ["anna"], True),
        ("如果安娜不在家就打开厨房射灯", ["anna"], False),
        ("if Tom is away turn on the kitchen spots", ["tom"], True),
        ("if someone is home turn on the kitchen spots", ["anna", "tom"], True),
        ("走廊有人就打开厨房射灯", ["mover"], False),
    ],
)
def test_somebody_is_home_or_away(text: str, who: list[str], holds: bool) -> None:
    assert judged(text) == (who, holds)


@pytest.mark.parametrize(
    ("text", "room", "sensor", "holds"),
    [
        ("如果超过28度就打开客厅空调", None, "cooler", False),
        ("如果超过28度就打开客厅空调", "main", "cooler", False),
        ("如果超过28度就打开空调", "main", "meter", True),
        ("if it is above 28 degrees in the main bedroom turn on the study AC", None, "meter", True),
        ("如果外面低于35度就关掉客厅空调", None, "weather-post", True),
        ("if it is below 35 outside turn off the living room AC", None, "weather-post", True),
        ("如果冰箱高于3度就打开厨房射灯", None, "fridge", True),
        ("如果水温高于50就关掉燃气热水器", None, "boiler", True),
        ("如果PM2.5高于75就打开新风", None, "air", True),
        ("窗户开着的话，关掉书房空调", None, "window", True),
    ],
)
def test_a_condition_reads_what_is_spoken_of(text: str, room: str | None, sensor: str, holds: bool) -> None:
    got = verdict(text, room)
    told = getattr(got, "conditions", ())
    assert not told or [(r.device_id, j.holds) for j in told for r in j.reads] == [(sensor, holds)]


@pytest.mark.parametrize("text", ["如果超过28度就打开空调", "如果亮度低于20就打开台灯"])
def test_it_is_not_judged_in_another_room(text: str) -> None:
    got = verdict(text, "kitchen")
    assert isinstance(got, Refuse)
    assert got.refusals[0].code == "unknown_condition"
