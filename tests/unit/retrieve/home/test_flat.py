"""What is spoken to in a flat as it is reported: what only its name means, parts, groups."""

from __future__ import annotations

import pytest
from tests.unit.retrieve.home.flat import Opened, done, flat, home, opened, verdict

from winnow.types.state import Snapshot
from winnow.types.verdict import Act, Clarify, Confirm, Query, Read, Refuse

LIVING = ["ceiling", "desk", "fan-light", "strip"]
GROUP = ["ceiling", "desk", "strip"]


@pytest.mark.parametrize(
    "text", ["把客厅的灯都关了", "turn off all the lights in the living room", "关掉客厅所有的灯"]
)
def test_neither_a_room_nor_a_kind_means_what_only_its_name_means(text: str) -> None:
    assert done(text) == LIVING


@pytest.mark.parametrize("text", ["关掉所有的灯", "turn off all the lights", "turn off everything"])
def test_nor_does_all(text: str) -> None:
    assert {"led", "beep", "wall"}.isdisjoint(done(text))


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("打开客厅空调提示音", "beep"),
        ("打开客厅空调的提示音", "beep"),
        ("turn off the living room AC prompt tone", "beep"),
        ("关掉鱼缸插座指示灯", "led"),
        ("打开壁灯", "wall"),
        ("turn on the wall lamp", "wall"),
    ],
)
def test_its_whole_name_does(text: str, one: str) -> None:
    assert done(text) == [one]


@pytest.mark.parametrize("text", ["打开提示灯", "turn on the prompt tone"])
def test_a_part_of_its_name_does_not(text: str) -> None:
    got = verdict(text)
    assert isinstance(got, Refuse)
    assert not got.refusals[0].near


def test_the_device_is_meant_and_not_its_parts() -> None:
    assert done("turn off the AC", "living") == ["cooler"]
    assert verdict("is the living room AC on") == Query((Read("cooler", "switch"),))
    assert done("关掉吊扇") == ["fan"]
    assert done("把冰箱调到5度") == ["fridge"]
    assert done("关掉三键开关") == ["gangs"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("关掉三键开关的右键", "gang-3"),
        ("turn off the left of the three-gang switch", "gang-1"),
        ("打开吊扇的灯", "fan-light"),
        ("把冷冻室调到5度", "freezer"),
        ("set the freezer of the fridge to 5 degrees", "freezer"),
    ],
)
def test_a_part_is_meant_when_more_than_its_device_is_said(text: str, part: str) -> None:
    assert done(text) == [part]


def test_a_part_of_the_same_name_does_what_the_device_cannot() -> None:
    assert done("turn on the TV") == ["remote"]


def test_a_set_counts_parts_of_its_own_kind() -> None:
    assert "fan-light" in done("关掉所有的灯")
    assert {"gang-1", "gang-2", "gang-3"} <= set(done("turn off all the switches"))
    assert "beep" not in done("turn off all the switches")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("关掉三键开关的第二个", "gang-2"),
        ("三键开关第三个打开", "gang-3"),
        ("turn off the second one of the three-gang switch", "gang-2"),
        ("turn off the third three-gang switch", "gang-3"),
    ],
)
def test_a_part_is_counted_out(text: str, part: str) -> None:
    assert done(text) == [part]


def test_where_nothing_is_counted_so_it_is_not_done_to_the_first() -> None:
    got = verdict("关掉灯带的第二个")
    assert isinstance(got, Refuse)
    assert got.refusals[0].facts == {"words": "第二个"}
    assert isinstance(verdict("关掉三键开关的第四个"), Clarify)
    assert isinstance(verdict("打开第二个灯"), Clarify)


@pytest.mark.parametrize("text", ["关掉客厅灯组", "turn off the lounge lights"])
def test_a_group_is_its_members(text: str) -> None:
    assert done(text) == GROUP
    assert done(text, "kids") == GROUP


def test_groups_within_groups_are_gone_through_and_what_left_is_not_missed() -> None:
    assert done("turn off the quiet lights") == sorted([*GROUP, "owl", "wall"])
    assert done("关掉楼下") == sorted([*GROUP, "owl", "spots", "wall"])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("关掉客厅灯组，台灯除外", ["ceiling", "strip"]),
        ("turn off the lounge lights except the desk lamp", ["ceiling", "strip"]),
        ("turn off the quiet lights except the kids' room", GROUP),
    ],
)
def test_exceptions_are_taken_out_of_a_group(text: str, left: list[str]) -> None:
    assert done(text) == left


def test_a_step_reaches_each_member_once() -> None:
    got = verdict("把夜间灯调暗一点")
    assert isinstance(got, Act)
    assert sorted(c.device_id for c in got.calls) == sorted([*GROUP, "owl", "wall"])


def test_what_only_its_name_means_is_nowhere_to_be_hinted_at() -> None:
    texts = opened().index.by_meaning().texts
    assert not [text for text in texts if "提示音" in text or "wall" in text]


def alone(name: str, room: str = "balcony") -> Opened:
    """A home with one lamp."""
    lamp = {"name": name, "is": "lamp", "kinds": "light", "room": room}
    return Opened(home({"rooms": flat()["rooms"], "devices": {"lamp": lamp}}), Snapshot({}))


def test_a_lamp_of_the_balcony_is_no_desk_lamp() -> None:
    assert isinstance(alone("阳台灯").verdict("打开台灯"), Refuse)
    assert alone("阳台灯").done("打开阳台灯") == ["lamp"]
    assert alone("阳台台灯").done("打开台灯") == ["lamp"]


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("turn on the balcony light", "balcony-lamp"),
        ("打开阳台灯", "balcony-lamp"),
        ("turn on the left bedside lamp", "left"),
        ("打开床头灯左", "left"),
        ("打开左边床头灯", "left"),
        ("打开新风", "fresh"),
        ("turn on the ventilation", "fresh"),
        ("打开过道灯", "passage"),
        ("turn on the hallway light", "passage"),
        ("lock the front door", "door"),
    ],
)
def test_signs_brackets_short_names_and_switches_hide_nothing(text: str, one: str) -> None:
    assert done(text) == [one]


def test_a_question_about_several_dangers_names_each() -> None:
    got = verdict("unlock all doors")
    assert isinstance(got, Confirm)
    assert "大门锁" in got.question
    assert "后门锁" in got.question


@pytest.mark.parametrize("text", ["全部调到26度", "set everything to 26 degrees", "全家温度调到26度"])
def test_a_temperature_of_rooms_is_none_of_food_or_water(text: str) -> None:
    assert done(text) == ["cooler", "study-ac"]


@pytest.mark.parametrize("text", ["关掉除了客厅的所有灯", "关掉除了客厅以外所有的灯"])
def test_an_exception_may_stand_before_the_kind(text: str) -> None:
    assert done(text) == ["balcony-lamp", "left", "owl", "right", "spots"]


def test_an_unknown_word_of_an_exception_is_to_blame() -> None:
    got = verdict("turn off all the lights except the piano lamp")
    assert isinstance(got, Refuse)
    assert got.refusals[0].facts == {"words": "piano lamp"}
