"""Lists that are told with marks, and what an ordinal means in them, in both languages."""

from __future__ import annotations

import pytest

from winnow.types.utterance import Turn
from winnow.understand.rewrite.lists import marked_items
from winnow.understand.rewrite.rewrite import rewrite


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("可以试试：1、拍黄瓜；2、蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("1）拍黄瓜 2）蒸茄子 3）土豆丝，很快", ["拍黄瓜", "蒸茄子", "土豆丝"]),
        ("①拍黄瓜：十分钟\n②蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("Try these:\n1. Chowder - rich\n2. Borscht (red)\n", ["Chowder", "Borscht"]),
        ("Try (1) chowder, (2) borscht.", ["chowder", "borscht"]),
        ("- **Chowder**: rich\n- **Borscht**\n* Pho", ["Chowder", "Borscht", "Pho"]),
        ("It takes 1.5 cups and 2. of them are water.", []),
        ("In 3. you add 4. salt", []),
        ("- only one", []),
    ],
)
def test_things_of_a_list_are_read_whatever_its_marks(text: str, items: list[str]) -> None:
    assert marked_items(text) == items


@pytest.mark.parametrize(
    ("reply", "query", "alone"),
    [
        (
            "Try these:\n1. Chowder\n2. Borscht\n3. Pho",
            "how long does the second one take?",
            "how long does Borscht take?",
        ),
        ("- **Chowder**\n- **Borscht**", "tell me more about the last one", "tell me more about Borscht"),
        ("可以试试：1、拍黄瓜；2、蒸茄子", "第二个要多久", "蒸茄子要多久"),
        ("1）拍黄瓜 2）蒸茄子", "第一个要多久", "拍黄瓜要多久"),
    ],
)
def test_an_ordinal_means_the_thing_at_its_place(reply: str, query: str, alone: str) -> None:
    history = (Turn("user", "What soup shall I make?"), Turn("assistant", reply))
    assert rewrite(query, history).query == alone


def test_a_place_that_the_list_has_not_means_nothing_of_it() -> None:
    history = (Turn("user", "What soup?"), Turn("assistant", "1. Chowder\n2. Borscht"))
    assert "Chowder" not in rewrite("and the fifth one?", history).query


def test_who_asks_how_it_is_done_is_told_how_however_short_the_answer_is() -> None:
    history = (Turn("user", "how do I cook millet?"), Turn("assistant", "Rinse, boil, rest."))
    assert rewrite("how much water?", history).query == "how much water for millet?"
    told = (Turn("user", "I cook millet."), Turn("assistant", "Nice."))
    assert rewrite("how much water?", told).query == "how much water?"
