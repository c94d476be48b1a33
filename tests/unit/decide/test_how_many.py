"""What the words say of how many things are meant."""

from __future__ import annotations

import pytest
from tests.unit.decide.rows import query, token

from winnow.decide.gate import (
    has_extent_word,
    is_distributed,
    is_one_in_a_room,
    is_only_a_place,
    is_said_of_all,
    is_set,
)
from winnow.types.query import Quantifier, Token

LIGHT = token("灯", "type", **{"is": "light"})
FAN = token("风扇", "type", **{"is": "fan"})
LOCK = token("锁", "type", **{"is": "lock"})
STUDY = token("书房", "room", "study")
FLOOR = token("二楼", "floor", "f2")
LAMP = token("台灯", "name")
BOTH = token("都", "quantifier", **{"is": "all"})


@pytest.mark.parametrize(
    ("target", "area", "set_meant"),
    [
        ((STUDY, LIGHT), None, True),
        ((LIGHT,), "study", True),
        ((LIGHT,), None, False),
        ((STUDY, FAN), None, False),
        ((FLOOR, FAN), None, True),
        ((FLOOR, LOCK), None, False),
        ((STUDY, LAMP), None, False),
        ((STUDY, LIGHT, LAMP), None, False),
        ((STUDY, token("灯", "type", **{"is": "light", "named": True})), None, False),
        ((token("卧室", "room", "bed1", "bed2"), LIGHT), None, False),
        ((token("卧室", "room", "bed1", "bed2", joined=True), LIGHT), None, True),
    ],
)
def test_a_bare_kind_and_one_place_mean_all_of_it_there(
    target: tuple[Token, ...], area: str | None, set_meant: bool
) -> None:
    assert is_set(query(*target), area) is set_meant


def test_all_and_all_but_are_sets_whatever_is_named() -> None:
    assert is_set(query(LAMP, quantifier=Quantifier.ALL), None)
    assert is_set(query(LAMP, quantifier=Quantifier.EXCEPT), None)


def test_both_of_two_names_is_no_all() -> None:
    assert is_distributed(query(LAMP, said=(token("吊灯", "name"), BOTH)))
    assert not is_said_of_all(query(LAMP, said=(token("吊灯", "name"), BOTH)))
    assert not is_distributed(query(LIGHT, said=(BOTH,)))
    assert is_said_of_all(query(LIGHT, said=(BOTH,)))


def test_all_beside_both_is_all() -> None:
    every = token("所有", "quantifier", **{"is": "all"})
    assert is_said_of_all(query(LAMP, said=(token("吊灯", "name"), every, BOTH)))


def test_a_place_with_a_word_that_nothing_explains_is_not_only_a_place() -> None:
    assert is_only_a_place(query(STUDY))
    assert not is_only_a_place(query(STUDY, token("滑翔机", "word")))
    assert not is_only_a_place(query(STUDY, LIGHT))
    assert not is_only_a_place(query())


def test_only_the_word_for_fully_says_how_far_and_only_in_a_place() -> None:
    whole = token("全", "quantifier", **{"is": "all"})
    assert has_extent_word(query(STUDY, said=(whole,)))
    assert not has_extent_word(query(LIGHT, said=(whole,)))
    assert not has_extent_word(query(STUDY, said=(whole, BOTH)))


@pytest.mark.parametrize(("quantifier", "one"), [(Quantifier.ONE, True), (Quantifier.ALL, False)])
def test_one_kind_in_one_room_is_one_thing_unless_all_is_said(quantifier: Quantifier, one: bool) -> None:
    room, light = token("bedroom", "room", "bed"), token("light", "type", **{"is": "light"})
    assert is_one_in_a_room(query(room, light, quantifier=quantifier)) is one
