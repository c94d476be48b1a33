"""A condition is read whole, or it is not judged at all."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.types.query import Condition
from winnow.types.utterance import Utterance
from winnow.types.verdict import Refuse


def conditions(said: str, home: str) -> tuple[Condition, ...]:
    reading = engine(home).sync.retrieve(Utterance(said)).reading
    return tuple(c for query in reading.queries for c in query.conditions)


@pytest.mark.parametrize(
    ("said", "comparator", "threshold"),
    [
        ("书房没到18度就开书房灯", "<", 18.0),
        ("书房没有超过26度的话关书房灯", "<=", 26.0),
        ("书房有人才开书房灯", "==", "on"),
        ("书房没动静就关书房灯", "==", "off"),
    ],
)
def test_a_condition_before_the_act_is_read(said: str, comparator: str, threshold: object) -> None:
    (found,) = conditions(said, "home40")
    assert (found.comparator, found.threshold, found.decidable) == (comparator, threshold, True)


@pytest.mark.parametrize(
    "said",
    [
        "书房太闷就开书房灯",
        "猫走了就关书房灯",
        "书房在20到24度之间就开书房灯",
        "每次有人就开书房灯",
        "书房有人或者太暗就开书房灯",
    ],
)
def test_what_is_not_understood_is_not_judged(said: str) -> None:
    found = conditions(said, "home40")
    assert found
    assert not any(c.decidable for c in found)


@pytest.mark.parametrize(
    "said", ["书房灯就关了吧", "书房灯就调到30%", "好吵，书房灯就关了吧", "把书房灯调到40%就行"]
)
def test_a_topic_is_no_condition(said: str) -> None:
    assert conditions(said, "home40") == ()


def test_joined_conditions_must_all_hold() -> None:
    first, second = conditions("书房超过20度而且没人就关书房灯", "home40")
    assert (first.quantity, second.quantity) == ("temperature", "motion")
    assert second.mention == first.mention


@pytest.mark.parametrize(
    ("said", "comparator", "threshold"),
    [
        ("if none of the lamps are on turn on the hall light", "==", "off"),
        ("if any lamp is on turn on the hall light", "!=", "off"),
        ("if not all the lamps are on turn on the hall light", "!=", "on"),
        ("turn on the hall light unless all the lamps are off", "!=", "off"),
    ],
)
def test_how_many_are_so(said: str, comparator: str, threshold: str) -> None:
    (found,) = conditions(said, "cottage")
    assert (found.comparator, found.threshold) == (comparator, threshold)


def test_what_narrows_is_judged_of_each_and_not_of_the_home() -> None:
    said = "dim the lamps that are on to 30"
    (query,) = engine("cottage").sync.retrieve(Utterance(said)).reading.queries
    assert [(c.comparator, c.threshold, c.decidable) for c in query.things.where] == [("==", "on", True)]
    assert conditions(said, "cottage") == ()


def test_what_waits_is_refused_for_its_time() -> None:
    verdict = engine("cottage").sync.retrieve(Utterance("wait ten minutes and close the awning")).verdict
    assert isinstance(verdict, Refuse)
    assert [(r.code, r.facts["condition"]) for r in verdict.refusals] == [("time_trigger", "ten minutes")]
