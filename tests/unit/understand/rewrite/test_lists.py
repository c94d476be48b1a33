"""Lists that are told with marks, and what an ordinal means in them, in both languages."""

from __future__ import annotations

import pytest

from winnow.types.utterance import Turn
from winnow.understand.rewrite.lists import marked_items, plain
from winnow.understand.rewrite.rewrite import rewrite

SKIPPING = "Try these:\n1. Chowder\n2. Borscht\n4. Pho"
NUMERALS = "一二三四五六七八九十"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("可以试试：1、拍黄瓜；2、蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("1）拍黄瓜 2）蒸茄子 3）土豆丝，很快", ["拍黄瓜", "蒸茄子", "土豆丝"]),
        ("①拍黄瓜：十分钟\n②蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("Try these:\n1. Chowder - rich\n2. Borscht (red)\n", ["Chowder", "Borscht"]),
        ("Try (1) chowder, (2) borscht.", ["chowder", "borscht"]),
        ("- **Chowder**: rich\n- **Borscht**\n* Pho", ["Chowder", "Borscht", "Pho"]),
        ("（1）拍黄瓜（2）蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("①拍黄瓜②蒸茄子③土豆丝", ["拍黄瓜", "蒸茄子", "土豆丝"]),
        ("一是拍黄瓜，二是蒸茄子，很下饭。", ["拍黄瓜", "蒸茄子"]),
        ("一、拍黄瓜；二、蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("首先是拍黄瓜，其次是蒸茄子，最后是土豆丝。", ["拍黄瓜", "蒸茄子", "土豆丝"]),
        ("第一个是拍黄瓜；第二个：蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("First, chowder. Second, borscht. Finally, pho.", ["chowder", "borscht", "pho"]),
        ("Firstly, chowder; secondly: borscht", ["chowder", "borscht"]),
        (
            "1. For a cold day: **Chowder**\n2. In summer [Borscht](https://a.b/c)",
            ["Chowder", "In summer Borscht"],
        ),
        ("Make *Chowder*, which is rich, or *Borscht*.", ["Chowder", "Borscht"]),
        ("A few: chowder, borscht, pho.", ["chowder", "borscht", "pho"]),
        ("Yes, it is, I think so, too.", []),
        ("三、四个人都行", []),
        ("最后，别忘了盐", []),
        ("It takes 1.5 cups and 2. of them are water.", []),
        ("In 3. you add 4. salt", []),
        ("- only one", []),
        # Another list begins anew, points within a list are no things of it
        ("1. Chowder\n2. Borscht\nOr cold:\n1. Gazpacho\n2. Salad\n3. Aspic", ["Chowder", "Borscht"]),
        ("1. Chowder\n- rich\n2. Borscht\n- red", ["Chowder", "Borscht"]),
        ("- 1. Chowder\n- 2. Borscht", ["Chowder", "Borscht"]),
        ("First, chowder. Third, pho. Second, borscht.", ["chowder", "borscht"]),
        ("第1种：拍黄瓜；第2种：蒸茄子", ["拍黄瓜", "蒸茄子"]),
        ("首先，拍黄瓜；其次，蒸茄子；再次，土豆丝", ["拍黄瓜", "蒸茄子", "土豆丝"]),
        ("\n".join(f"{n}. soup {n}" for n in range(1, 12)), [f"soup {n}" for n in range(1, 12)]),
        ("\n".join(f"{sign}、汤{sign}" for sign in NUMERALS), [f"汤{sign}" for sign in NUMERALS]),
        ("**Chowder:** rich, **Borscht:** red", ["Chowder", "Borscht"]),
        ("**Chowder** is the one", []),
        ("A few: chowder, borscht.", []),
        ("1. \n2. Borscht", []),
        ("二是蒸茄子，一是拍黄瓜", []),
        ("1. Chowder\n1. Borscht", []),
        ("Last, salt. First, chowder.", []),
        (
            "| Soup | Time |\n|---|:-:|\n| Chowder | 20 min |\n| **Borscht** | 30 min |",
            ["Chowder", "Borscht"],
        ),
        ("| 序号 | 菜 |\n| --- | --- |\n| 1 | 拍黄瓜 |\n| 2 | 蒸茄子 |", ["拍黄瓜", "蒸茄子"]),
        ("a) Chowder\nb) Borscht", ["Chowder", "Borscht"]),
        ("(a) chowder, (b) borscht", ["chowder", "borscht"]),
        ("One is chowder, another is borscht, and the last one is pho.", ["chowder", "borscht", "pho"]),
        ("One option is chowder; the other is borscht", ["chowder", "borscht"]),
        ("一种是拍黄瓜，另一种是蒸茄子，还有一种是土豆丝。", ["拍黄瓜", "蒸茄子", "土豆丝"]),
        ("One is enough.", []),
        ("可以做拍黄瓜，也可以做蒸茄子，再不然就土豆丝。", ["拍黄瓜", "蒸茄子", "土豆丝"]),
        ("You could make chowder. You could also try borscht.", ["chowder", "borscht"]),
        ("可以，先焯水，也可以不焯。", []),
        ("You can use less salt.", []),
        ("You could try these: 1. Chowder 2. Borscht", ["Chowder", "Borscht"]),
        ("You could try one of these:\n- Chowder\n- Borscht", ["Chowder", "Borscht"]),
        ("(c) 2020 Nobody", []),
    ],
)
def test_things_of_a_list_are_read_whatever_its_marks(text: str, items: list[str]) -> None:
    assert list(marked_items(text).values()) == items


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("1. Chowder\n2. Borscht\n4. Pho", {1: "Chowder", 2: "Borscht", 4: "Pho"}),
        ("1) Chowder, 2) Borscht, 5) Pho", {1: "Chowder", 2: "Borscht", 5: "Pho"}),
        ("1. Chowder 2. Borscht 4. Pho", {1: "Chowder", 2: "Borscht", 4: "Pho"}),
        ("1、拍黄瓜；2、蒸茄子；4、土豆丝", {1: "拍黄瓜", 2: "蒸茄子", 4: "土豆丝"}),
        ("And also:\n3. Borscht\n4. Pho", {3: "Borscht", 4: "Pho"}),
        ("1. Chowder, serves 4. Rich\n2. Borscht, serves 6. Red", {1: "Chowder", 2: "Borscht"}),
        ("1. Chowder\n2. Borscht\nIn 4. you add salt", {1: "Chowder", 2: "Borscht"}),
        ("- Chowder\n- Borscht", {1: "Chowder", 2: "Borscht"}),
    ],
)
def test_a_place_is_the_number_that_is_printed(text: str, places: dict[int, str]) -> None:
    assert marked_items(text) == places


@pytest.mark.parametrize(
    ("reply", "query", "alone"),
    [
        (SKIPPING, "how long does number 4 take?", "how long does Pho take?"),
        (SKIPPING, "how long does the second one take?", "how long does Borscht take?"),
        (SKIPPING, "how long does the last one take?", "how long does Pho take?"),
        (SKIPPING, "how long does the second to last one take?", "how long does Borscht take?"),
        (SKIPPING, "how long does number 3 take?", "how long does number 3 take?"),
        ("1、拍黄瓜\n2、蒸茄子\n4、土豆丝", "第四个要多久", "土豆丝要多久"),
        ("1、拍黄瓜\n2、蒸茄子\n4、土豆丝", "倒数第二个要多久", "蒸茄子要多久"),
        ("1、拍黄瓜\n2、蒸茄子\n4、土豆丝", "第三个要多久", "第三个要多久"),
    ],
)
def test_a_number_means_what_it_is_printed_before(reply: str, query: str, alone: str) -> None:
    history = (Turn("user", "What soup shall I make?"), Turn("assistant", reply))
    assert rewrite(query, history).query == alone


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


@pytest.mark.parametrize("mark", ["**{}**", "*{}*", "`{}`", "***{}***", "[{}](https://a.b)", "__{}__"])
@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("You could make {} or {}.", "how long does the second one take?"),
        ("{} is rich.", "how long does it take?"),
        ("可以做{}和{}，都很快。", "第二个要多久"),
        ("推荐{}，很下饭。", "它要多久"),
    ],
)
def test_no_mark_of_markdown_gets_into_a_query(mark: str, reply: str, query: str) -> None:
    names = ("Chowder", "Borscht") if query.isascii() else ("拍黄瓜", "蒸茄子")
    said = reply.format(*map(mark.format, names))
    asked = "What soup?" if query.isascii() else "晚饭吃什么"
    made = rewrite(query, (Turn("user", asked), Turn("assistant", said)))
    assert made.changed
    assert not set("*`_[]()") & set(made.query)


def test_a_place_that_the_list_has_not_means_nothing_of_it() -> None:
    history = (Turn("user", "What soup?"), Turn("assistant", "1. Chowder\n2. Borscht"))
    assert "Chowder" not in rewrite("and the fifth one?", history).query


def test_who_asks_how_it_is_done_is_told_how_however_short_the_answer_is() -> None:
    history = (Turn("user", "how do I cook millet?"), Turn("assistant", "Rinse, boil, rest."))
    assert rewrite("how much water?", history).query == "how much water for millet?"
    told = (Turn("user", "I cook millet."), Turn("assistant", "Nice."))
    assert rewrite("how much water?", told).query == "how much water?"


@pytest.mark.parametrize(
    ("asked", "about"),
    [("Tell me about the guide.", "the guide"), ("Tell me about the guide to millet.", "millet")],
)
def test_a_bare_question_goes_on_with_a_guide_that_names_nothing_else(asked: str, about: str) -> None:
    explained = "It has many pages about how to sow it, and when, and what to look for. " * 8
    history = (Turn("user", asked), Turn("assistant", explained))
    assert rewrite("how much?", history).query == f"how much for {about}?"


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("# Soup\n> said **hi** to [Ann](https://a.b/c)", "Soup\nsaid hi to Ann"),
        ("  ## Soup\n`salt` and __dill__", "Soup\nsalt and dill"),
        ("![a bowl](bowl.png)", "a bowl"),
        ("2 * 3 * 4 # twenty-four", "2 * 3 * 4 # twenty-four"),
        ("see [1] and (2)", "see [1] and (2)"),
    ],
)
def test_marks_of_markdown_go_and_what_only_looks_like_them_stays(text: str, bare: str) -> None:
    assert plain(text) == bare
