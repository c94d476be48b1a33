"""A turn goes through intent, rewriting and compiling in this order.

A model is asked only where the rules are unsure.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence

import pytest
from tests.unit.retrieve.home.small import HOME

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_engine
from winnow.engine.engine import Engine
from winnow.errors import HomeNotFound, WinnowError
from winnow.types.context import Completion, Tier
from winnow.types.query import Intent
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Act, Confirm, Nothing, Query, Refuse
from winnow.understand.turn import nowhere

DISH = (
    Turn("user", "番茄炖牛腩怎么做"),
    Turn("assistant", "1. 牛腩切块焯水。2. 番茄去皮炒出汁。3. 一起炖一个半小时。"),
)
DISH_EN = (
    Turn("user", "how do I make a leek tart"),
    Turn("assistant", "Soften the leeks, then bake them in the crust."),
)


INTENT = frozenset({"need_retrieval", "source", "label"})
PURPOSES = {
    frozenset({"instructions"}): "compile",
    frozenset({"query"}): "rewrite",
    INTENT: "intent",
    INTENT | {"query"}: "prepare",
}


class PurposeChat:
    """Answers by what it is asked for: the fields of the schema tell."""

    def __init__(self, **answers: object) -> None:
        self.answers, self.asked = answers, list[str]()

    async def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, object] | None = None,
        tier: Tier = "fast",
    ) -> Completion:
        fields = (schema or {}).get("properties")
        assert isinstance(fields, dict)
        purpose = PURPOSES[frozenset(fields)]
        self.asked.append(purpose)
        answer = self.answers.get(purpose, "")
        if isinstance(answer, WinnowError):
            raise answer
        return Completion(
            answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False), "made-up", 10, 5
        )


def engine(chat: PurposeChat | None = None, **policy: object) -> Engine:
    return open_engine(HOME, chat=chat, **policy)


def stages(retrieval: object) -> list[str]:
    return [s.name for s in retrieval.stages]  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["谢谢", "好的，知道了", "thanks a lot", "hello"])
def test_small_words_need_nothing_and_ask_no_model(text: str) -> None:
    chat = PurposeChat()
    found = engine(chat).sync.retrieve(Utterance(text, history=DISH))
    assert found.intent is not None
    assert not found.intent.need_retrieval
    assert isinstance(found.verdict, Nothing)
    assert "rewrite" not in stages(found)
    assert chat.asked == []


@pytest.mark.parametrize(
    ("text", "history", "dish"),
    [("这个要放多少盐", DISH, "番茄炖牛腩"), ("how long do I bake it", DISH_EN, "leek tart")],
)
def test_a_knowledge_question_is_made_to_stand_alone(text: str, history: tuple[Turn, ...], dish: str) -> None:
    found = engine().sync.retrieve(Utterance(text, history=history))
    assert found.intent is not None
    assert found.intent.source == "knowledge"
    assert dish in found.query
    assert found.rewrite is not None
    assert found.rewrite.spans


def test_a_device_request_keeps_its_own_words_and_its_own_references() -> None:
    found = engine().sync.retrieve(
        Utterance("把它关了", history=(Turn("user", "打开书房的台灯"), Turn("assistant", "开了")))
    )
    assert found.intent is not None
    assert (found.intent.source, found.query) == ("devices", "把它关了")
    assert isinstance(found.verdict, Act)


def test_the_stages_stand_in_the_order_they_were_taken() -> None:
    assert stages(engine().sync.retrieve("打开书房的台灯")) == [
        "understand",
        "recall",
        "decide",
        "intent",
        "assemble",
        "context",
    ]


def test_without_any_home_a_turn_is_still_understood() -> None:
    nowhere = Engine(memory_storage(FrozenClock()), engine().embedder)
    known = nowhere.sync.understand(Utterance("how long do I bake it", history=DISH_EN))
    assert known.reading is None
    assert "leek tart" in known.query
    with pytest.raises(HomeNotFound):
        nowhere.sync.understand(Utterance("开灯", home="nowhere"))


def test_a_summary_of_what_came_before_is_read_like_a_turn() -> None:
    known = engine().sync.understand(
        Utterance(
            "how long do I bake it", summary="The user makes a leek tart.", history=(Turn("user", "OK"),)
        )
    )
    assert "leek tart" in known.query


def test_a_model_reads_what_the_rules_left_open_and_the_search_is_made_anew() -> None:
    chat = PurposeChat(
        compile={"instructions": [{"action": "打开", "type_hint": "light", "scope_include": ["书房"]}]}
    )
    found = engine(chat).sync.retrieve("打开书房那个照书的玩意儿")
    assert chat.asked == ["compile"]
    assert found.reading.compiled_by == "model"
    assert {"recall", "recall again"} <= set(stages(found))
    assert not found.degradations


def test_a_guess_of_a_model_is_done_after_a_yes_only() -> None:
    chat = PurposeChat(
        compile={"instructions": [{"action": "打开", "type_hint": "light", "scope_include": ["书房"]}]}
    )
    made = engine(chat)
    found = made.sync.retrieve("书房乌漆嘛黑")
    assert isinstance(found.verdict, Confirm)
    assert isinstance(made.sync.answer(found.id, True).verdict, Act)


@pytest.mark.parametrize(
    "broken", ["", "no idea", '{"instructions": [{"act', '{"instructions": "all"}', WinnowError("down")]
)
def test_a_model_that_is_no_help_leaves_the_rules_and_is_named(broken: str | WinnowError) -> None:
    text = "打开书房那个照书的玩意儿"
    found = engine(PurposeChat(compile=broken)).sync.retrieve(text)
    assert found.verdict == engine().sync.retrieve(text).verdict
    assert [line.partition(":")[0] for line in found.degradations] == ["compile"]


def test_an_answer_with_a_word_nobody_said_is_turned_down() -> None:
    chat = PurposeChat(
        rewrite={"query": "低脂的番茄炖牛腩要炖多久"}, intent={"need_retrieval": True, "label": "fact"}
    )
    known = engine(chat).sync.understand(Utterance("这个要放多少盐", history=DISH))
    assert "低脂" not in known.query


def test_both_questions_can_be_put_in_one_call() -> None:
    chat = PurposeChat(
        prepare={"need_retrieval": True, "source": "knowledge", "label": "fact", "query": "番茄炖牛腩的牛腩"}
    )
    known = engine(chat, combined=True).sync.understand(Utterance("牛腩", history=DISH))
    assert chat.asked in (["prepare"], [])
    assert known.intent.by == ("model" if chat.asked else "rules")


def test_the_blocking_engine_may_ask_a_model_where_a_loop_is_running() -> None:
    chat = PurposeChat(
        compile={"instructions": [{"action": "打开", "type_hint": "light", "scope_include": ["书房"]}]}
    )

    async def inside() -> str:
        return engine(chat).sync.retrieve("打开书房那个照书的玩意儿").reading.compiled_by

    assert asyncio.run(inside()) == "model"


def test_a_question_of_state_that_needs_the_history_is_read_after_rewriting() -> None:
    found = engine().sync.retrieve(
        Utterance("它现在开着吗", history=(Turn("user", "打开书房的台灯"), Turn("assistant", "开了")))
    )
    assert isinstance(found.verdict, Query | Nothing)


@pytest.mark.parametrize("text", ["好", "记得买苹果", "the day was long"])
def test_what_nobody_asked_of_the_home_is_not_refused_by_it(text: str) -> None:
    assert engine().sync.retrieve(text).verdict == Nothing("chat")


def test_what_points_at_nothing_is_refused_by_its_word() -> None:
    verdict = engine().sync.retrieve("把那个也开了").verdict
    assert isinstance(verdict, Refuse)
    assert [(r.code, r.facts["what"]) for r in verdict.refusals] == [("no_reference", "那个")]


@pytest.mark.parametrize("text", ["打开书房的啵啵球", "turn on the wobble machine"])
def test_an_order_that_was_not_understood_is_refused_and_not_taken_for_talk(text: str) -> None:
    assert isinstance(engine().sync.retrieve(text).verdict, Refuse)


@pytest.mark.parametrize(
    ("text", "history", "asked"),
    [
        ("谢谢", DISH, []),
        ("打开书房的台灯", (), []),
        ("打开书房那个照书的玩意儿", (), ["compile"]),
        ("hmm and the cheese", DISH_EN, ["intent"]),
        ("how long does that take", DISH_EN, ["rewrite"]),
    ],
)
def test_no_stage_asks_twice_and_sure_ones_do_not_ask(
    text: str, history: tuple[Turn, ...], asked: list[str]
) -> None:
    chat = PurposeChat(
        intent={"need_retrieval": False, "source": "none", "label": "conversation"},
        rewrite={"query": "how long does the leek tart take"},
    )
    engine(chat).sync.retrieve(Utterance(text, history=history))
    assert chat.asked == asked


def test_a_model_that_does_not_answer_is_asked_once_a_turn() -> None:
    chat = PurposeChat(intent=WinnowError("down"), rewrite=WinnowError("down"))
    lighthouse = (
        Turn("user", "who built the old lighthouse"),
        Turn("assistant", "Anna Weber built the lighthouse."),
    )
    known = engine(chat).sync.understand(Utterance("hmm and its age", history=lighthouse))
    assert chat.asked == ["intent"]
    assert known.degradations == ("intent: failed",)
    assert "lighthouse" in known.query


def test_a_model_whose_answer_was_turned_down_may_be_asked_the_next_question() -> None:
    chat = PurposeChat(
        intent={"need_retrieval": "perhaps"}, rewrite={"query": "the age of the old lighthouse"}
    )
    lighthouse = (
        Turn("user", "who built the old lighthouse"),
        Turn("assistant", "Anna Weber built the lighthouse."),
    )
    known = engine(chat).sync.understand(Utterance("hmm and its age", history=lighthouse))
    assert chat.asked == ["intent", "rewrite"]
    assert known.query == "the age of the old lighthouse"


@pytest.mark.parametrize(
    ("source", "need", "reason"),
    [("devices", True, "no_home"), ("knowledge", True, "knowledge"), ("none", False, "chat")],
)
def test_a_turn_without_a_home_says_what_it_would_take(source: str, need: bool, reason: str) -> None:
    made = nowhere(Utterance("Turn ON the lamp"), Intent(need, source, "x"))  # type: ignore[arg-type]
    assert (made.verdict, made.shortlists) == (Nothing(reason), ())
    assert (made.reading.text, made.reading.language) == ("turn on the lamp", "en")
    assert (made.reading.intent, made.reading.reason) == ("none", "no_home")
