"""What a talk turns on goes with a follow-up into its search."""

from __future__ import annotations

import pytest

from winnow.types.utterance import Turn
from winnow.understand.rewrite import rewrite as talk
from winnow.understand.rewrite.rewrite import rewrite, turns_on

OWLS = (
    Turn("user", "What do barn owls eat?"),
    Turn("assistant", "Barn owls eat voles and mice. A barn owl hunts at night."),
)


def test_words_of_the_talk_that_the_question_lacks_go_with_it_the_weightiest_first() -> None:
    found = turns_on("how many owls are there?", OWLS)
    assert next(iter(found)) == "barn"
    assert "owl" not in found
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert all(0 < weight <= 1 for weight in found.values())


def test_a_question_of_other_words_is_less_about_the_talk() -> None:
    near, far = turns_on("do owls sleep", OWLS), turns_on("recommend a violin teacher", OWLS)
    assert near["barn"] > far["barn"] > 0


def test_nothing_goes_with_a_question_that_follows_nothing() -> None:
    assert turns_on("how many owls are there?", ()) == {}


def test_what_was_said_lately_weighs_more_than_what_was_said_long_ago() -> None:
    history = (Turn("user", "tell me about seals"), Turn("user", "tell me about finches"))
    found = turns_on("where do they live", history)
    assert found["finch"] > found["seal"]


def test_what_the_person_said_goes_before_what_was_answered() -> None:
    history = (
        Turn("user", "I am ordering paint for the porch"),
        Turn("assistant", "Good. What else needs doing?"),
    )
    found = turns_on("and the gate?", history)
    assert found["paint"] == found["porch"] > found["good"]


def test_no_term_of_a_chinese_talk_reaches_from_one_word_into_the_next() -> None:
    found = turns_on("收多少钱？", (Turn("user", "女儿下周起中午在食堂吃饭"),))
    assert {"女儿", "中午", "食堂"} <= found.keys()
    assert found.keys().isdisjoint({"儿下", "午在", "堂吃"})


def test_chinese_words_go_with_chinese_questions_and_never_single_characters() -> None:
    history = (Turn("user", "猫头鹰吃什么"), Turn("assistant", "猫头鹰主要吃田鼠。"))
    found = turns_on("它一般住在哪里", history)
    assert "猫头" in found
    assert all(len(term) > 1 for term in found)


def test_how_many_words_go_with_it_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = dict(talk.weights())
    monkeypatch.setattr(talk, "weights", lambda: {**fitted, "terms": 1})
    assert len(turns_on("how many owls are there?", OWLS)) == 1


HOW_ZH = (Turn("user", "番茄牛腩怎么做"), Turn("assistant", "焯水，炖。"))
TOWER = (Turn("user", "When was the lighthouse built?"), Turn("assistant", "In 1820."))
HOW_EN = (Turn("user", "How do I make a leek tart?"), Turn("assistant", "Soften, fill, bake."))


@pytest.mark.parametrize(
    ("query", "history", "alone"),
    [
        # What was done is this and that, whatever the answer says
        ("can I use a toaster for this?", HOW_EN, "can I use a toaster for the leek tart?"),
        ("any alternatives?", HOW_EN, "any alternatives for a leek tart?"),
        ("is there a vegan version?", HOW_EN, "is there a vegan version for a leek tart?"),
        ("咸吗", HOW_ZH, "番茄牛腩咸吗"),
        ("太咸了怎么办", HOW_ZH, "番茄牛腩太咸了怎么办"),
        ("糖要放多少", HOW_ZH, "番茄牛腩糖要放多少"),
        # A wish for more is one for more of what was talked about, however short the answer was
        ("tell me more", TOWER, "tell me more about the lighthouse"),
        ("More details, please.", TOWER, "More details, please about the lighthouse."),
        ("what else?", TOWER, "what else about the lighthouse?"),
        ("再详细说说", HOW_ZH, "番茄牛腩再详细说说"),
        ("还有别的吗", HOW_ZH, "番茄牛腩还有别的吗"),
        ("tell me more about seals", OWLS, "tell me more about seals"),
    ],
)
def test_a_short_question_is_about_what_was_talked_about(
    query: str, history: tuple[Turn, ...], alone: str
) -> None:
    assert rewrite(query, history).query == alone


@pytest.mark.parametrize("query", ["有什么被子", "推荐几条毯子"])
def test_what_else_there_is_is_not_asked_of_what_was_recommended(query: str) -> None:
    told = (Turn("user", "我睡不好"), Turn("assistant", "推荐荞麦枕头。"))
    assert "枕头" not in rewrite(query, told).query


@pytest.mark.parametrize("query", ["好的我明白了", "行，我去试试", "多谢", "ok got it"])
def test_what_only_keeps_the_talk_going_is_left_as_it_was_said(query: str) -> None:
    assert rewrite(query, HOW_ZH if not query.isascii() else HOW_EN).query == query
