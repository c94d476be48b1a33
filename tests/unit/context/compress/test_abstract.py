"""A model's shorter versions of texts: used where they say nothing new, visibly not where they do."""

from __future__ import annotations

import asyncio
import json

import pytest

from winnow.adapters.testing.fakes import ScriptedChat
from winnow.context.compress.abstract import abstract_items, invented_name
from winnow.context.compress.compress import compress
from winnow.engine.llm.client import TurnTrace
from winnow.errors import ModelError
from winnow.types.context import Compressed, Item

TEXT = (
    "The ferry to Aldera leaves at nine. Dogs travel free of charge, as do children below six. The "
    "crossing takes forty minutes in good weather. A return ticket costs 18 euros. The lower deck is shut in "
    "winter, and the bar on the upper deck serves soup from Kaspar's kitchen. Captain Ina Brook steers it "
    "since 1999."
)


def told(answer: object, tokens: int = 25) -> tuple[Compressed, Compressed]:
    """What the rules kept, and what became of it with a model that answers so."""
    made = compress([Item("f", TEXT)], "What does a return ticket cost?", tokens)
    chat = ScriptedChat(answer if isinstance(answer, ModelError) else json.dumps(answer))
    return made, asyncio.run(abstract_items(made, "What does a return ticket cost?", TurnTrace(chat, 5.0)))


def version(text: str) -> dict[str, object]:
    return {"texts": [{"id": "0", "text": text}]}


def test_a_version_that_says_nothing_new_stands_for_the_text() -> None:
    before, after = told(version("A return ticket to Aldera costs 18 euros."))
    assert after.text == "A return ticket to Aldera costs 18 euros."
    assert after.kept[0].method == "abstract"
    assert after.tokens <= before.tokens
    assert after.reached <= before.reached <= before.asked


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A return ticket costs 20 euros.", "20"),
        ("A return ticket to Bergen costs 18 euros.", "Bergen"),
        (TEXT, "too long"),
        ("", "left it out"),
    ],
)
def test_a_version_that_does_not_pass_leaves_what_the_rules_kept(text: str, why: str) -> None:
    before, after = told(version(text))
    assert after.text == before.text
    assert why in after.cut[-1].reason


def test_a_model_that_is_down_or_rambles_changes_nothing_but_the_account() -> None:
    for answer in (ModelError("m", "unreachable"), {"summary": "x"}):
        before, after = told(answer)
        assert after.text == before.text
        assert after.cut[-1].stage == "abstract"


def test_without_a_model_or_with_room_nobody_is_asked() -> None:
    made = compress([Item("f", TEXT)], "ticket", 25)
    assert asyncio.run(abstract_items(made, "ticket", TurnTrace())) == made
    chat = ScriptedChat("{}")
    roomy = compress([Item("f", TEXT)], "ticket", 70)
    assert asyncio.run(abstract_items(roomy, "ticket", TurnTrace(chat, 5.0))) == roomy
    assert chat.asked == []


@pytest.mark.parametrize(
    ("text", "source", "new"),
    [
        ("周师傅在北门开店", "周师傅的店在北门旁边", ""),
        ("店里有三十五个座位", "店里有二十个座位", "三十五"),
        ("Tickets cost 18 euros.", "tickets cost 18 euros", ""),
        ("It was Ida who came.", "She came.", "Ida"),
        ("It costs 18 dollars.", "It costs 18 euros.", "18 dollars"),
        ("票价18元", "票价18欧元", "18 元"),
        ("In 18 of them", "18 euros each", ""),
        ("80% 的人", "80 % 的人", ""),
    ],
)
def test_numbers_and_names_must_stand_in_the_source(text: str, source: str, new: str) -> None:
    assert invented_name(text, source) == new
