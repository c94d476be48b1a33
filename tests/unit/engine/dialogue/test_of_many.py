"""A question about more things than it can offer: any of them may be named, none is done unasked."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.types.retrieval import Retrieval
from winnow.types.verdict import Act, Clarify, Refuse


def answered(words: str) -> Retrieval:
    talk = engine("home150").sync
    asked = talk.retrieve("打开吸顶灯")
    assert isinstance(asked.verdict, Clarify)
    assert len(asked.verdict.options) == 5
    assert all(len(option.device_ids) == 1 for option in asked.verdict.options)
    return talk.answer(asked.id, words)


def rooms(found: Retrieval) -> list[str]:
    view = engine("home150").sync.load_home().view
    assert isinstance(found.verdict, Act)
    placed = (view.room(c.device_id) for c in found.verdict.calls)
    return [room.name for room in placed if room]


@pytest.mark.parametrize(
    ("words", "room"), [("主卧", "主卧"), ("主卧吸顶灯", "主卧"), ("次卧的", "次卧"), ("第二个", "书房")]
)
def test_what_was_not_offered_may_be_named(words: str, room: str) -> None:
    assert rooms(answered(words)) == [room]


def test_all_of_them_are_all_and_not_those_that_were_offered() -> None:
    assert len(rooms(answered("都打开"))) == 8


@pytest.mark.parametrize("words", ["餐厅", "第七个"])
def test_what_could_not_be_meant_is_not_done(words: str) -> None:
    assert isinstance(answered(words).verdict, Refuse)
