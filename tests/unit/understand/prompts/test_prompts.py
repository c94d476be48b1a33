"""What a model is asked: a closed question, with all that was said as data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from tests.homes import engine

from winnow.engine.llm.schema import conform_to_schema
from winnow.types.query import Bilingual, Intent, IntentClass, QueryIR, Reading, Rewrite, Taxonomy
from winnow.types.utterance import Turn, Utterance
from winnow.understand.intent.taxonomy import taxonomy
from winnow.understand.prompts.compile import PLACES, compile_ask, wants_help
from winnow.understand.prompts.intent import (
    MAX_TEXT_CHARS,
    UNSURE,
    doubtful,
    improvable,
    intent_ask,
    prepare_ask,
    rewrite_ask,
)

RULES = Intent(True, "knowledge", "fact", confidence=0.5)
TALK = (Turn("user", "怎么炖牛腩"), Turn("assistant", "先焯水。"))
VOCABULARY = engine("home40").sync.load_home().vocabulary
READING = Reading("整凉快些", "zh", "none", "not_understood")


def problems(answer: object, schema: Mapping[str, object]) -> Sequence[str]:
    return conform_to_schema(answer, schema)[1]


def data(messages: Sequence[Mapping[str, str]]) -> dict[str, object]:
    assert [m["role"] for m in messages] == ["system", "user"]
    return json.loads(messages[1]["content"])


def system(messages: Sequence[Mapping[str, str]]) -> str:
    return messages[0]["content"]


@pytest.mark.parametrize("purpose", ["intent", "prepare"])
def test_the_turn_and_the_talk_go_in_as_data(purpose: str) -> None:
    ask = (intent_ask if purpose == "intent" else prepare_ask)("放多少盐", TALK, RULES, taxonomy())
    assert ask.purpose == purpose
    assert data(ask.messages) == {
        "query": "放多少盐",
        "history": [{"role": "user", "text": "怎么炖牛腩"}, {"role": "assistant", "text": "先焯水。"}],
    }


def test_a_rewrite_is_asked_with_the_turn_and_the_talk() -> None:
    ask = rewrite_ask("放多少盐", TALK)
    assert ask.purpose == "rewrite"
    assert data(ask.messages)["query"] == "放多少盐"
    assert ask.schema == {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    }


def test_a_long_turn_is_cut_before_a_model_sees_it() -> None:
    history = data(rewrite_ask("短", [Turn("user", "长" * 2000)]).messages)["history"]
    assert isinstance(history, list)
    assert len(history[0]["text"]) <= MAX_TEXT_CHARS + 1


@pytest.mark.parametrize(("query", "english"), [("放多少盐", False), ("how much salt", True)])
def test_the_prompt_is_in_the_language_of_the_turn(query: str, english: bool) -> None:
    for ask in (
        rewrite_ask(query, TALK),
        *(f(query, TALK, RULES, taxonomy()) for f in (intent_ask, prepare_ask)),
    ):
        assert ("JSON object" in system(ask.messages)) is english


def test_the_classes_of_the_taxonomy_are_told_line_by_line() -> None:
    own = Taxonomy(
        "bikes",
        (
            IntentClass(
                "repair", "knowledge", Bilingual(("修车",), ("repair",)), Bilingual(("怎么修", "换胎"), ())
            ),
            IntentClass("talk", "none", Bilingual(("闲聊",), ("talk",))),
        ),
        retrieve=Bilingual(("提到零件",), ("a part is named",)),
        skip=Bilingual(("打招呼",), ("a greeting",)),
    )
    chinese = system(intent_ask("怎么换胎", (), RULES, own).messages).splitlines()
    assert {"- repair (knowledge): 怎么修; 换胎", "- talk (none): 闲聊", "- 提到零件", "- 打招呼"} <= set(
        chinese
    )
    english = system(intent_ask("a flat tyre", (), RULES, own).messages).splitlines()
    assert {"- talk (none): talk", "- a part is named", "- a greeting"} <= set(english)
    assert "- repair (knowledge): 怎么修; 换胎" in english, "what is told in one language only is told in it"


def test_the_answer_about_an_intent_is_closed() -> None:
    schema = intent_ask("放多少盐", (), RULES, taxonomy()).schema
    right = {"need_retrieval": True, "source": "knowledge", "label": "fact"}
    assert problems(right, schema) == ()
    assert problems({"need_retrieval": True, "label": "fact"}, schema) == ()
    others: list[object] = [
        {**right, "need_retrieval": "perhaps"},
        {**right, "source": "the moon"},
        {**right, "label": "gossip"},
        {**right, "unlock": "door"},
        {"label": "fact"},
        {"need_retrieval": True},
        [],
    ]
    assert [wrong for wrong in others if not problems(wrong, schema)] == []


def test_both_questions_in_one_want_all_of_both_answers() -> None:
    schema = prepare_ask("放多少盐", TALK, RULES, taxonomy()).schema
    right = {"need_retrieval": True, "source": "knowledge", "label": "fact", "query": "牛腩放多少盐"}
    assert problems(right, schema) == ()
    for name in right:
        assert problems({k: v for k, v in right.items() if k != name}, schema), name
    assert problems({**right, "query": 3}, schema)


def test_the_answer_that_fills_slots_is_closed() -> None:
    schema = compile_ask(Utterance("整凉快些"), READING, VOCABULARY).schema
    row = {
        "action": "打开",
        "type_hint": "air_conditioner",
        "name_hint": "大白",
        "scope_include": ["客厅"],
        "scope_exclude": ["主卧"],
        "excluded": ["台灯"],
        "quantifier": "all",
        "value": "26度",
        "conditions": ["室温高于30度"],
        "negated": False,
    }
    assert problems({"instructions": [row]}, schema) == ()
    assert problems({"instructions": [{"action": "打开", "type_hint": "Unknown"}]}, schema) == ()
    assert all(
        problems({"instructions": [{**row, "quantifier": q}]}, schema) == () for q in ("one", "any", "except")
    )
    wrong_rows = [{**row, name: [3] if isinstance(value, list) else 3} for name, value in row.items()]
    rows: list[object] = [*wrong_rows, {**row, "unlock": "door"}, {"type_hint": "light"}, "打开"]
    others: list[object] = [{}, {"instructions": "all"}, {"instructions": [], "more": 1}, []]
    assert [
        wrong for wrong in (*({"instructions": [r]} for r in rows), *others) if not problems(wrong, schema)
    ] == []


def test_a_model_that_fills_slots_sees_the_last_ten_turns_and_where_the_person_stands() -> None:
    history = tuple(Turn("user", str(n)) for n in range(12))
    ask = compile_ask(Utterance("整凉快些", room="书房", history=history), READING, VOCABULARY)
    assert ask.purpose == "compile"
    assert data(ask.messages) == {
        "said": "整凉快些",
        "history": [{"role": "user", "text": str(n)} for n in range(2, 12)],
        "room": "书房",
    }
    assert data(compile_ask(Utterance("整凉快些"), READING, VOCABULARY).messages)["room"] == ""


def test_a_prompt_lists_so_many_places_and_no_more() -> None:
    many = replace(VOCABULARY, places=tuple(f"屋{n}号" for n in range(PLACES + 5)))
    told = system(compile_ask(Utterance("整凉快些"), READING, many).messages)
    assert f"屋{PLACES - 1}号" in told
    assert f"屋{PLACES}号" not in told
    assert "屋0号, 屋1号" in told


@pytest.mark.parametrize(
    ("intent", "asked"),
    [
        (RULES, True),
        (replace(RULES, confidence=UNSURE), False),
        (replace(RULES, source="devices"), False),
        (replace(RULES, source="none"), True),
    ],
)
def test_a_model_is_asked_about_an_intent_the_rules_doubt(intent: Intent, asked: bool) -> None:
    assert doubtful(intent) is asked


@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        (Rewrite("x", confidence=0.5), True),
        (Rewrite("x", confidence=UNSURE), False),
        (Rewrite("x", confidence=0.5, reason="no_history"), False),
    ],
)
def test_a_model_is_asked_for_a_rewrite_the_rules_doubt(rules: Rewrite, asked: bool) -> None:
    assert improvable(rules) is asked


@pytest.mark.parametrize(
    ("reading", "helped"),
    [
        (Reading("x", "zh", "none", "not_understood"), True),
        (Reading("x", "zh", "none", "chat"), False),
        (Reading("x", "zh", "hostile", "not_understood"), False),
        (Reading("x", "zh", "command", queries=(QueryIR("x"),)), False),
        (Reading("x", "zh", "command", queries=(QueryIR("x"), QueryIR("y", needs_fallback=True))), True),
        (Reading("x", "zh", "query", queries=(QueryIR("x", needs_fallback=True),)), False),
    ],
)
def test_a_model_is_shown_what_the_rules_left_open_and_nothing_else(reading: Reading, helped: bool) -> None:
    assert wants_help(reading) is helped
