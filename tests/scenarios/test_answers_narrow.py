"""Whatever is answered to "which one?", nothing is moved that was not offered."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from tests.homes import engine
from tests.property.houses import THOROUGH
from tests.scenarios.runner import Scenario, collected

from winnow.engine.answers import is_complete
from winnow.language.registry import language_of
from winnow.language.tables import parse_yaml
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Call, Clarify, named_calls

pytestmark = pytest.mark.slow

ANSWERS = parse_yaml(Path(__file__).with_name("answers").joinpath("given.yaml").read_text("utf-8"))
SESSIONS = count()


def asking() -> list[Scenario]:
    """Every committed order that is asked about, once."""
    unsure = [s for s in collected() if not s.utterance.history and "clarify" in s.expect["decision"]]
    return list({(s.home, s.utterance.text, s.utterance.room): s for s in unsure}.values())


def replies(scenario: Scenario, question: str, answer: str) -> list[Retrieval]:
    """What comes of an answer in a session, and in a talk given as text."""
    talk, room, session = engine(scenario.home).sync, scenario.utterance.room, f"narrow {next(SESSIONS)}"
    talk.retrieve(Utterance(scenario.utterance.text, room=room, session=session))
    turns = (Turn("user", scenario.utterance.text), Turn("assistant", question))
    return [
        talk.retrieve(Utterance(answer, room=room, session=session)),
        talk.retrieve(Utterance(answer, room=room, history=turns)),
    ]


def alone(scenario: Scenario, answer: str) -> tuple[Call, ...]:
    """What the answer orders by itself, naming what it is for."""
    found = engine(scenario.home).sync.retrieve(Utterance(answer, room=scenario.utterance.room))
    return named_calls(found.verdict) if is_complete(found.reading) else ()


def test_there_are_questions_and_answers_enough() -> None:
    assert len(asking()) > 30
    assert min(map(len, ANSWERS.values())) >= 60


def met(number: int) -> slice:
    """Which of the answers this question meets."""
    return slice(None) if THOROUGH else slice(number % 3, None, 3)


@pytest.mark.parametrize(
    ("number", "scenario"), list(enumerate(asking())), ids=lambda of: getattr(of, "id", "")
)
def test_no_answer_reaches_what_was_not_offered(number: int, scenario: Scenario) -> None:
    """Each question meets a third of the answers, each answer a third of the questions."""
    asked = engine(scenario.home).sync.retrieve(scenario.utterance).verdict
    if not isinstance(asked, Clarify) or not asked.options:
        return
    assert len(asked.options) > 1
    offered = {*asked.more, *(i for option in asked.options for i in option.device_ids)}
    for answer in ANSWERS[language_of(scenario.utterance.text)][met(number)]:
        for after in replies(scenario, asked.question, answer):
            moved = {call.device_id for call in named_calls(after.verdict)}
            assert moved <= offered or named_calls(after.verdict) == alone(scenario, answer), answer
