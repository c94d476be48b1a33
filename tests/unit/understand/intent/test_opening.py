"""What opens a talk and needs nothing is told by its likeness to examples, in the cosines of one embedder."""

from __future__ import annotations

import pytest

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.language.tables import table
from winnow.types.utterance import Turn
from winnow.understand.intent.alone import before, clauses
from winnow.understand.intent.classify import intent_of
from winnow.understand.intent.features import chance_by_example
from winnow.understand.intent.taxonomy import taxonomy
from winnow.understand.turn import TurnReader

BY = StaticEmbedder()
READER = TurnReader(taxonomy(), table=BY)


class Named(StaticEmbedder):
    """The same table by another name: its cosines are not those the weights were fitted to."""

    name = "another"


def looked_up(text: str, *said: str) -> bool:
    history = tuple(Turn("assistant" if n % 2 else "user", told) for n, told in enumerate(said))
    return READER.by_words(text, history).need_retrieval


@pytest.mark.parametrize("text", ["How many languages are you able to speak?", "你会说多少种语言啊？"])
def test_a_question_about_the_assistant_needs_nothing(text: str) -> None:
    assert intent_of(text).need_retrieval  # its form is that of any question
    assert not looked_up(text)


@pytest.mark.parametrize(
    "text",
    [
        "How many languages are spoken in Belgium?",
        "What did I tell you about my knee?",
        "How old is the town hall?",
        "我们家暖气的程序是谁设的？",
        "我跟你说过我膝盖的什么事？",
        "比利时人说几种语言？",
        "市政厅有多少年了？",
    ],
)
def test_a_question_about_anything_else_is_looked_up(text: str) -> None:
    assert looked_up(text)


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("Whoever taught you to tell jokes like that?", False),
        ("How many moons does Saturn have?", True),
        ("你这笑话是跟谁学的啊？", False),
        ("那木星有几颗卫星？", True),
    ],
)
def test_within_a_talk_a_turn_is_held_against_examples_too(text: str, needs: bool) -> None:
    said = ("Tell me a joke", "Why did the chicken cross the road? To get away from my cooking.")
    assert looked_up(text, *said) is needs


@pytest.mark.parametrize("text", ["我膝盖疼。", "There's a leak under the sink."])
def test_what_needs_a_look_up_by_its_meaning_is_looked_up_whatever_its_form(text: str) -> None:
    assert not intent_of(text).need_retrieval
    assert looked_up(text)


def test_another_embedder_spares_nothing() -> None:
    text = "How many languages are you able to speak?"
    assert chance_by_example(text, clauses(text), before(()), BY) is not None
    assert chance_by_example(text, clauses(text), before(()), Named()) is None
    assert chance_by_example(text, clauses(text), before(()), None) is None


def test_no_example_is_in_both_classes() -> None:
    lists = table("winnow.understand.intent", "openings.yaml")
    for language in ("zh", "en"):
        assert not set(lists["alone"][language]) & set(lists["sought"][language])
