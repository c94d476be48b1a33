"""The shortest question that tells the candidates apart."""

from __future__ import annotations

import pytest

from winnow.decide.clarify import device_question
from winnow.types.home import Device, Floor, Home, HomeView, Profile, Room
from winnow.types.query import Mention, QueryIR, SetExpr, Token

ROOMS = (Room("a", "客厅", floor_id="1"), Room("b", "书房", floor_id="1"), Room("c", "书房", floor_id="2"))
ASKED = QueryIR("开灯", things=SetExpr(Mention((Token("灯", "type", 0, 1),))))


def asked(
    *placed: tuple[str, str], kinds: tuple[str, ...] = ()
) -> tuple[str, list[str], list[tuple[str, ...]], str]:
    devices = tuple(
        Device(f"d{n}", name, "p", (kinds[n] if kinds else "light",), room_id=room)
        for n, (name, room) in enumerate(placed)
    )
    view = HomeView.of(
        Home(
            "h",
            "h",
            "neutral",
            (Floor("1", "一楼", level=1), Floor("2", "二楼", level=2)),
            ROOMS,
            (Profile("p"),),
            devices,
        )
    )
    made = device_question(ASKED, devices, view, "zh")
    return made.by, [o.label for o in made.options], [o.device_ids for o in made.options], made.question


def test_rooms_tell_apart_what_names_do_not() -> None:
    by, labels, ids, text = asked(("台灯", "a"), ("台灯", "b"))
    assert (by, labels, ids) == ("room", ["客厅", "书房"], [("d0",), ("d1",)])
    assert "客厅" in text
    assert "书房" in text


def test_names_tell_apart_what_rooms_do_not() -> None:
    by, labels, _, _ = asked(("床头灯左", "a"), ("床头灯右", "a"))
    assert by == "name"
    assert labels == ["床头灯左", "床头灯右"]


@pytest.mark.parametrize(
    "placed",
    [
        [("台灯", "a"), ("台灯", "b")],
        [("左", "a"), ("右", "a"), ("台灯", "b")],
        [("台灯", "b"), ("台灯", "c")],
    ],
)
def test_every_device_is_offered_once(placed: list[tuple[str, str]]) -> None:
    ids = [i for group in asked(*placed)[2] for i in group]
    assert sorted(ids) == [f"d{n}" for n in range(len(placed))]


def test_at_least_two_options_are_offered() -> None:
    assert len(asked(("台灯", "b"), ("台灯", "c"))[1]) >= 2


def test_a_device_without_a_room_is_asked_about_by_name() -> None:
    by, labels, _, _ = asked(("台灯", "a"), ("落地灯", ""))
    assert (by, labels) == ("name", ["台灯", "落地灯"])


def test_a_floor_is_asked_for_where_it_leaves_one_device() -> None:
    by, labels, ids, _ = asked(("台灯", "b"), ("台灯", "c"))
    assert (by, labels) == ("floor", ["一楼", "二楼"])
    assert ids == [("d0",), ("d1",)]


def test_no_option_is_made_of_several_things() -> None:
    _, labels, ids, _ = asked(("台灯", "a"), ("台灯", "a"), ("台灯", "c"))
    assert ids == [("d0",), ("d1",), ("d2",)]
    assert labels == ["客厅 台灯 灯 (1)", "客厅 台灯 灯 (2)", "书房 台灯 灯"]


def test_of_many_the_five_likeliest_are_offered_and_the_others_may_be_named() -> None:
    by, _, ids, text = asked(*[(f"灯{n}", "a") for n in range(7)])
    assert by == "one"
    assert [i for group in ids for i in group] == [f"d{n}" for n in range(5)]
    assert "7" in text


def test_five_are_still_asked_about_by_name() -> None:
    assert asked(*[(f"灯{n}", "a") for n in range(5)])[0] == "name"


def test_things_of_one_name_in_one_room_are_told_apart_by_what_they_are() -> None:
    by, labels, ids, _ = asked(("卧室", "a"), ("卧室", "a"), kinds=("television", "fan"))
    assert (by, len(set(labels))) == ("kind", 2)
    assert ids == [("d0",), ("d1",)]
