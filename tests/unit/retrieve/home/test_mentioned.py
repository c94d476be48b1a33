"""What words mention of a home: most of it said first, few of many."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.retrieve.home.evidence import mentioned_things
from winnow.retrieve.home.explain import HomePosition
from winnow.types.candidate import DeviceCandidate
from winnow.understand.reading import tokens_of


def found(said: str, most: int = 12) -> tuple[DeviceCandidate, ...]:
    opened = engine("cottage").sync.load_home()
    tokens = tokens_of(said, opened.vocabulary, reading=False)
    return mentioned_things(tokens, (), HomePosition(opened.index), most)


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("the reading lamp and the kettle", {"light.reading_lamp", "switch.kettle"}),
        ("something about the hall light", {"light.hall_light"}),
    ],
)
def test_what_is_called_by_name_comes_first(said: str, first: set[str]) -> None:
    assert {one.device_id for one in found(said)[: len(first)]} == first


def test_a_word_for_a_kind_beside_a_name_for_one_of_it_means_no_other() -> None:
    assert [one.device_id for one in found("the light in the hall")][:1] == ["light.hall_light"]
    assert len(found("the light in the hall")) < len(found("a light"))


def test_every_mention_says_by_which_words_and_there_are_never_more_than_asked_for() -> None:
    assert all(e.detail == "lights" for one in found("lights") for e in one.evidence)
    assert len(found("lights", 4)) == 4
    assert found("what a lovely day") == ()
