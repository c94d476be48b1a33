"""How far a model's answer about a turn is believed: as far as it passes, else the rules stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.types.query import Intent, Rewrite
from winnow.types.utterance import Turn
from winnow.understand.intent.taxonomy import taxonomy
from winnow.understand.prompts.intent import LONGEST_REWRITING as LONGEST
from winnow.understand.prompts.intent import (
    MODEL_CONFIDENCE,
    Prepared,
    intent_ask,
    model_intent,
    prepare_ask,
    rewrite_ask,
    rewritten,
)

RULES = Intent(True, "knowledge", "fact", act="question", confidence=0.5, reason="weighed")
TALK = (Turn("user", "how do I make a leek tart"), Turn("assistant", "Soften the leeks first."))
FACT = {"need_retrieval": True, "source": "knowledge", "label": "fact"}
IDLE = {"need_retrieval": False, "source": "none", "label": "conversation"}
MEANT = replace(RULES, confidence=MODEL_CONFIDENCE, reason="model", by="model")


def test_an_intent_that_passes_keeps_what_the_words_do() -> None:
    assert model_intent(FACT, RULES, taxonomy()) == MEANT
    assert model_intent(IDLE, RULES, taxonomy()) == replace(
        MEANT, need_retrieval=False, source="none", label="conversation"
    )


def test_the_class_decides_where_to_look() -> None:
    found = model_intent({**FACT, "source": "devices"}, RULES, taxonomy())
    assert isinstance(found, Intent)
    assert found.source == "knowledge"


@pytest.mark.parametrize(
    "answer",
    [{**FACT, "need_retrieval": False}, {**IDLE, "need_retrieval": True}, {**FACT, "label": "gossip"}],
)
def test_an_intent_that_contradicts_itself_is_void(answer: dict[str, object]) -> None:
    assert model_intent(answer, RULES, taxonomy()) == "contradiction"
    assert intent_ask("and the cheese", TALK, RULES, taxonomy()).accept(answer) is None


def test_a_rewrite_that_passes_is_a_models() -> None:
    answer = {"query": "how long do I bake the leek tart"}
    found = rewritten(answer, "how long do I bake it", TALK)
    assert found == Rewrite("how long do I bake the leek tart", True, (), "model", MODEL_CONFIDENCE, "model")
    assert rewrite_ask("how long do I bake it", TALK).accept(answer) == found


def test_a_rewrite_may_leave_the_turn_as_it_is() -> None:
    found = rewritten({"query": " how  long do\nI bake it\u200b "}, "how long do I bake it", TALK)
    assert found == Rewrite("how long do I bake it", False, (), "model", MODEL_CONFIDENCE, "model")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({}, "empty"),
        ({"query": "  "}, "empty"),
        ({"query": ["how long"]}, "empty"),
        ({"query": "leek " * (LONGEST // 5 + 1)}, "too_long"),
        ({"query": "how long do I bake it? make a leek tart"}, "several_sentences"),
        ({"query": "- how long do I bake the leek tart"}, "several_sentences"),
        ({"query": "1. how long do I bake the leek tart"}, "several_sentences"),
        ({"query": "how long do I bake the salmon"}, "invented"),
    ],
)
def test_a_rewrite_that_does_not_pass_is_void(answer: dict[str, object], why: str) -> None:
    assert rewritten(answer, "how long do I bake it", TALK) == why
    assert rewrite_ask("how long do I bake it", TALK).accept(answer) is None


def test_a_turn_of_two_sentences_may_stay_two_and_a_long_one_long() -> None:
    two = "make a leek tart. how long do I bake it"
    assert isinstance(rewritten({"query": two}, two, TALK), Rewrite)
    long = "leek tart " * 50
    assert isinstance(rewritten({"query": long.strip()}, long, TALK), Rewrite)
    assert isinstance(rewritten({"query": ("leek " * 60).strip()}, "leek", TALK), Rewrite)


@pytest.mark.parametrize(
    ("answer", "intent", "query"),
    [
        ({**FACT, "query": "the cheese in the leek tart"}, "fact", None),
        ({**FACT, "query": "and the leek tart"}, "fact", "and the leek tart"),
        ({**FACT, "label": "gossip", "query": "and the leek tart"}, None, "and the leek tart"),
    ],
)
def test_of_two_answers_in_one_each_is_judged_by_itself(
    answer: dict[str, object], intent: str | None, query: str | None
) -> None:
    found = prepare_ask("and it", TALK, RULES, taxonomy()).accept(answer)
    assert isinstance(found, Prepared)
    assert (found.intent and found.intent.label, found.rewrite and found.rewrite.query) == (intent, query)


def test_two_void_answers_are_none() -> None:
    ask = prepare_ask("and it", TALK, RULES, taxonomy())
    assert ask.accept({**FACT, "label": "gossip", "query": "the salmon"}) is None


def test_what_is_void_is_told_in_the_log_with_its_purpose(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        prepare_ask("and it", TALK, RULES, taxonomy()).accept({**IDLE, "label": "fact", "query": ""})
    assert ["prepare: intent is void: contradiction" in m for m in caplog.messages] == [True, False]
    assert ["prepare: rewrite is void: empty" in m for m in caplog.messages] == [False, True]
