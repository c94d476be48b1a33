"""Context recall and one yes away, of predictions beside their gold."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.evaluation.cases import DeviceCase
from benchmarks.evaluation.devices import Share, gold_shares

from winnow.types.utterance import Utterance

ON = {"device": "light.a", "commands": ["light.turn_on"], "args": {"brightness_pct": 30}}
CALL = {"device": "light.a", "command": "light.turn_on", "args": {"brightness_pct": 30.2}}


def case(**expect: Any) -> DeviceCase:
    return DeviceCase("1", "flat", Utterance("x"), "en", expect=expect)


def told(decision: str = "none", **more: Any) -> dict[str, Any]:
    return {"decision": decision, "calls": [], "shortlist": [], "reads": [], "named": [], **more}


@pytest.mark.parametrize(
    ("gold", "prediction", "held"),
    [
        ({"calls": [ON]}, told(), 0),
        ({"calls": [ON]}, told(shortlist=[{"device": "light.a"}]), 1),
        ({"calls": [ON]}, told(named=["light.a"]), 1),
        ({"calls": [ON]}, told(named=["light.ab"]), 0),
        ({"calls": [ON, {**ON, "device": "b"}]}, told(shortlist=[{"device": "b"}]), 0),
        ({"calls": [ON], "alternatives": [[{**ON, "device": "b"}]]}, told(shortlist=[{"device": "b"}]), 1),
        ({"reads": [{"device": "s", "or": ["t"]}]}, told(reads=[{"device": "t"}]), 1),
        ({"reads": [{"device": "s"}], "read_alternatives": [[{"device": "u"}]]}, told(), 0),
    ],
)
def test_context_recall_wants_all_of_one_way_to_be_right(gold: Any, prediction: Any, held: int) -> None:
    assert gold_shares([case(**gold)], [prediction])["context_recall"] == Share(held, 1)


@pytest.mark.parametrize(
    ("gold", "prediction", "held"),
    [
        ({}, told("confirm", calls=[CALL]), 1),
        ({}, told("act", calls=[CALL]), 0),
        ({}, told("confirm", calls=[CALL, CALL]), 0),
        ({}, told("confirm", calls=[{**CALL, "args": {"brightness_pct": 40}}]), 0),
        ({}, told("confirm", calls=[{**CALL, "args": {"brightness": 30}}]), 1),
        ({}, told("confirm", calls=[{**CALL, "command": "light.turn_off"}]), 0),
        ({"decision_also": ["confirm"]}, told("confirm", calls=[CALL]), 0),
        ({"alternatives": [[{**ON, "device": "b"}]]}, told("confirm", calls=[{**CALL, "device": "b"}]), 1),
    ],
)
def test_one_yes_away_is_a_question_for_exactly_the_calls_of_the_gold(
    gold: Any, prediction: Any, held: int
) -> None:
    found = gold_shares([case(decision="act", calls=[ON], **gold)], [prediction])
    assert found["one_yes_away"] == Share(held, 1)


def test_cases_without_gold_and_talk_that_needs_nothing_have_no_share() -> None:
    assert gold_shares([case(), case(decision="none", calls=[])], [told(), told()]) == {}
