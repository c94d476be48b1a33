"""Turns at the border of seed 002: what is looked up, and what stands in the query."""

from __future__ import annotations

import pytest

from winnow import Nothing, Turn, Utterance
from winnow.app.wiring.engine import open_engine
from winnow.engine.policy import Policy
from winnow.types.retrieval import Understanding
from winnow.understand.intent.taxonomy import taxonomy
from winnow.understand.rewrite.rewrite import rewrite, written_form

STEW = (
    Turn("user", "萝卜炖羊肉怎么做"),
    Turn("assistant", "羊肉切块焯水，加姜片炒香，倒入开水，小火炖，萝卜后放。"),
)
BREAD = (
    Turn("user", "how do I make rye bread"),
    Turn("assistant", "Mix the rye flour with water and yeast, knead, let it rise, shape a loaf, bake it."),
)
OFFER = (Turn("user", "推荐一道素菜"), Turn("assistant", "清炒西兰花怎么样？"))


def understood(
    text: str, *history: Turn, home: str = "example:cottage", classes: str = "general"
) -> Understanding:
    engine = open_engine(home, taxonomy=taxonomy(classes))
    return engine.sync.understand(Utterance(text, history=history))


@pytest.mark.parametrize(
    "text",
    [
        "要不要放辣椒",
        "需不需要焯水",
        "应不应该盖盖子",
        "用不用放糖",
        "焯不焯水",
        "这菜辣不辣",
        "值不值得买个新电饭煲",
    ],
)
def test_a_question_of_yes_or_no_is_no_denial_to_a_home(text: str) -> None:
    known = understood(text, *STEW)
    assert (known.intent.source, known.intent.act) == ("knowledge", "question")


@pytest.mark.parametrize("text", ["should I add sugar", "do I need to knead it twice", "how hot?"])
def test_advice_after_an_explanation_is_looked_up_with_a_home_open(text: str) -> None:
    assert understood(text, *BREAD).intent.source == "knowledge"


@pytest.mark.parametrize("text", ["这个可以吗？", "那这样可以吗", "is that ok?", "would that work for you?"])
def test_a_yes_that_is_asked_for_is_looked_up_nowhere(text: str) -> None:
    assert understood(text, *OFFER).intent.need_retrieval is False


@pytest.mark.parametrize("text", ["这个可以用微波炉吗", "can I use the microwave for it?"])
def test_with_what_it_is_a_question(text: str) -> None:
    assert understood(text, *OFFER).intent.source == "knowledge"


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("股票怎么看", False),
        ("怎么换轮胎", False),
        ("who wrote Hamlet", False),
        ("酸菜鱼怎么做", True),
        ("豆腐能冷冻吗", True),
        ("how do I make pancakes", True),
    ],
)
def test_what_lies_outside_the_field_is_looked_up_nowhere(text: str, needed: bool) -> None:
    assert understood(text, classes="cooking").intent.need_retrieval is needed
    assert understood(text).intent.need_retrieval


def test_a_follow_up_belongs_to_the_field_of_what_it_follows() -> None:
    assert understood("那第二步呢", *STEW, classes="cooking").intent.need_retrieval


@pytest.mark.parametrize(
    ("text", "query"),
    [("我饿了", "推荐一些菜"), ("吃点啥", "推荐一些菜"), ("I'm hungry", "recommend some dishes")],
)
def test_a_vague_turn_becomes_the_general_request_of_its_class(text: str, query: str) -> None:
    known = understood(text, classes="cooking")
    assert (known.query, known.rewrite.reason) == (query, "general")


@pytest.mark.parametrize("text", ["我饿了，家里只有鸡蛋", "I'm hungry and have only eggs", "汤太咸了"])
def test_a_turn_that_says_more_keeps_its_words(text: str) -> None:
    assert understood(text, classes="cooking").query == text


@pytest.mark.parametrize(
    ("text", "history", "query"),
    [
        ("谢谢，那要炖多久？", STEW, "那萝卜炖羊肉要炖多久？"),
        ("谢谢那要炖多久", STEW, "那萝卜炖羊肉要炖多久"),
        ("好的那要炖多久", STEW, "好的那萝卜炖羊肉要炖多久"),
        ("how long?", BREAD, "how long for rye bread?"),
        ("thanks how long", BREAD, "how long for rye bread"),
        ("thanks, and how much salt?", BREAD, "and how much salt for rye bread?"),
        ("at what temperature", BREAD, "at what temperature for rye bread"),
    ],
)
def test_only_what_is_needed_is_added(text: str, history: tuple[Turn, ...], query: str) -> None:
    assert rewrite(text, history).query == query


@pytest.mark.parametrize("text", ["how come?", "why?", "how about rolls?", "what is a starter?"])
def test_a_question_that_says_what_it_asks_stays(text: str) -> None:
    assert "for rye bread" not in rewrite(text, BREAD).query


def test_after_a_short_answer_the_question_is_still_spoken_of() -> None:
    short = rewrite("how long?", (BREAD[0], Turn("assistant", "With rye.")))
    assert short.query == "how long for rye bread?"


@pytest.mark.parametrize(
    ("spoken", "instead"),
    [
        ("红烧肉咋整才不油啊", "红烧肉怎么做才不油"),
        ("为啥面包不发呢", "为什么面包不发呢"),
        ("啥时候放盐呀？", "什么时候放盐？"),
        ("红烧肉 做法", "红烧肉的做法"),
        ("lemme know how I'm gonna make it", "let me know how I'm going to make it"),
        ("why is my dough kinda wet", "why is my dough kind of wet"),
        ("今天儿童餐有什么", "今天儿童餐有什么"),
        ("how long does rye bread bake", "how long does rye bread bake"),
    ],
)
def test_spoken_language_becomes_written(spoken: str, instead: str) -> None:
    assert written_form(spoken) == instead
    assert written_form(instead) == instead


def test_the_style_is_a_matter_of_settings() -> None:
    plain, style = (open_engine("example:cottage", style=style) for style in ("plain", "written"))
    assert plain.policy.style == Policy().style == "plain"
    assert plain.sync.retrieve("红烧肉咋整").query == "红烧肉咋整"
    assert style.sync.retrieve("红烧肉咋整").query == "红烧肉怎么做"


def test_a_question_for_knowledge_has_no_verdict_of_the_home() -> None:
    found = open_engine("example:cottage").sync.retrieve(Utterance("谢谢，那要炖多久？", history=STEW))
    assert found.verdict == Nothing("knowledge")
