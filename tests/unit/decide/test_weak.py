"""A thing of which not every word is known: asked about by one question, never done unasked."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.types.retrieval import Retrieval
from winnow.types.utterance import Utterance
from winnow.types.verdict import RISK_UNSURE_TARGET, Act, Clarify, Confirm, Nothing, NotUnderstood, Refuse


def asked(said: str, home: str = "home40") -> Retrieval:
    return engine(home).sync.retrieve(Utterance(said))


@pytest.mark.parametrize(
    ("said", "home", "question"),
    [
        ("打开厨房那个圆圆的灯", "home40", "您是说厨房灯吗？"),
        ("打开老伙汁", "home40", "您是说客厅的老伙计吗？"),
        ("关掉老朋计", "home40", "您是说客厅的老伙计吗？"),
        ("turn off the wobbly lamp in the study", "cottage", "You mean Study Desk Lamp?"),
    ],
)
def test_one_that_comes_near_is_asked_about(said: str, home: str, question: str) -> None:
    verdict = asked(said, home).verdict
    assert isinstance(verdict, Confirm)
    assert verdict.question == question
    assert verdict.risks == (RISK_UNSURE_TARGET,)


@pytest.mark.parametrize(
    ("said", "home", "way"),
    [
        ("打开厨房那个圆圆的灯", "home40", ("described", 0.6, "圆圆")),
        ("打开老伙汁", "home40", ("slip", 0.6, "老伙汁 ~ 老伙计")),
    ],
)
def test_the_trace_tells_by_which_way(said: str, home: str, way: tuple[str, float, str]) -> None:
    weak = asked(said, home).shortlists[0].weak
    assert way in {(e.lane, e.score, e.detail) for c in weak for e in c.evidence}


def test_several_are_told_apart() -> None:
    found = asked("turn on the wobbly lamp in the kitchen", "cottage")
    assert isinstance(found.verdict, Clarify)
    chosen = engine("cottage").sync.answer(found.id, "the spotlights")
    assert isinstance(chosen.verdict, Act)
    assert [c.device_id for c in chosen.verdict.calls] == ["light.kitchen_spotlights"]


def test_a_yes_does_it() -> None:
    done = engine("home40").sync.answer(asked("打开厨房那个圆圆的灯").id, "好的").verdict
    assert isinstance(done, Act)
    assert len(done.calls) == 1


def test_a_no_does_nothing_and_names_what_else_is_near() -> None:
    refused = engine("cottage").sync.answer(
        asked("turn off the wobbly lamp in the study", "cottage").id, "no"
    )
    assert isinstance(refused.verdict, Refuse)
    assert refused.verdict.refusals[0].code == "not_that"
    assert refused.verdict.refusals[0].near
    assert "light.desk_lamp" not in refused.verdict.refusals[0].near


@pytest.mark.parametrize(
    ("said", "home"),
    [
        ("打开厨房灯盖", "home40"),
        ("打开洗衣机桶盖", "home40"),
        ("打开圆圆的灯", "home40"),
        ("打开厨房那个又大又圆白白胖胖的灯", "home40"),
        ("把厨房所有圆圆的灯都打开", "home40"),
        ("别开厨房那个圆圆的灯", "home40"),
        ("厨房那个圆圆的灯亮着呢", "home40"),
        ("turn off the desk lamp wobbler", "cottage"),
        ("unlock the wobbly lock in the hall", "cottage"),
        ("i turned off the wobbly lamp in the study", "cottage"),
    ],
)
def test_nothing_is_asked_where_the_words_are_of_something_else(said: str, home: str) -> None:
    verdict = asked(said, home).verdict
    assert isinstance(verdict, Refuse | Nothing | NotUnderstood)


def test_what_is_dangerous_is_asked_about_by_its_name_nearly_said() -> None:
    verdict = asked("unlock the frnot dorr", "cottage").verdict
    assert isinstance(verdict, Confirm)
    assert verdict.risks[0] == "unlock"
