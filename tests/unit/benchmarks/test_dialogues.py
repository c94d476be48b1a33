"""A short version of the long dialogues: the figures of the benchmark are made from such ones."""

from __future__ import annotations

import pytest
from benchmarks.dialogues import Figures, Host, dialogue, measured

from winnow import ContextBudget
from winnow.types.context import WindowSettings

pytestmark = pytest.mark.slow


def test_a_dialogue_is_the_same_for_the_same_seed() -> None:
    assert dialogue("zh", 1, 40) == dialogue("zh", 1, 40) != dialogue("zh", 2, 40)


def test_facts_are_asked_for_after_they_were_told() -> None:
    turns = dialogue("en", 0, 120)
    asked = [(n, turn.wants) for n, turn in enumerate(turns) if turn.wants]
    assert len(asked) > 5
    for n, wanted in asked:
        assert wanted.turn <= n - 5
        assert wanted.value in turns[wanted.turn].question
    assert any(len(turn.answer) == 3 for turn in turns)  # calls of tools


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_told_is_there_when_it_is_asked_for_and_every_turn_fits(language) -> None:
    figures = Figures()
    measured(dialogue(language, 7, 90), Host(ContextBudget(2000), WindowSettings()), figures)
    told = figures.told()
    assert told["within_budget"] == 100
    assert told["present"] >= 90
    assert told["shared_mean"] > 30
    assert 0 < told["rebuilt_per_100"] < 40


def test_without_the_history_far_less_is_there() -> None:
    figures = Figures()
    measured(dialogue("en", 7, 90), Host(ContextBudget(2000), WindowSettings(), recalls=False), figures)
    assert figures.told()["present"] < 90
