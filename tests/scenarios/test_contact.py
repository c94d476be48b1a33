"""The figures of a first contact tell right from wrong."""

from __future__ import annotations

from typing import Any

import pytest
from tests.scenarios.contacts import figures, judged
from tests.scenarios.runner import Scenario

from winnow.types.utterance import Utterance

LAMP = "light.reading_lamp"


def said(text: str, **expect: Any) -> Scenario:
    return Scenario("f", 1, Utterance(text), "cottage", expect)


RIGHT = said("turn on the reading lamp", decision="act", calls=[[LAMP, "light.turn_on"]])
UNDONE = said("turn on the kettle lamp", decision="act", calls=[[LAMP, "light.turn_on"]])
TOO_MUCH = said("turn on the reading lamp", decision="none")
OTHER = said("turn on the reading lamp", decision="act", calls=[[LAMP, "light.turn_off"]])
SHORT = said(
    "turn on the reading lamp",
    decision="act",
    calls=[[LAMP, "light.turn_on"], ["Hall Light", "light.turn_on"]],
)


@pytest.mark.parametrize(
    ("sentence", "right", "wrong_act"),
    [
        (RIGHT, True, False),
        (UNDONE, False, False),
        (TOO_MUCH, False, True),
        (OTHER, False, True),
        (SHORT, False, False),
    ],
)
def test_each_sentence_is_right_wrong_or_wrongly_done(
    sentence: Scenario, right: bool, wrong_act: bool
) -> None:
    row = judged(sentence)
    assert (not row.faults, row.wrong_act) == (right, wrong_act)


def test_the_figures_are_shares_of_what_was_said() -> None:
    rows = [judged(sentence) for sentence in (RIGHT, UNDONE, TOO_MUCH, OTHER)]
    assert figures(rows) == {
        "sentences": 4,
        "exact": 25.0,
        "to be done": 3,
        "completed": 33.3,
        "wrong acts": 50.0,
        "one yes away": 25.0,
        "silent": 0.0,
        "in the text": 66.7,
    }
