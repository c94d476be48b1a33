"""Whether a sentence asks for a fact or orders an act."""

from __future__ import annotations

import pytest

from winnow.language.lexicon import quantities, question_entries, question_words
from winnow.types.home import Attribute, Command, Device, Home, Profile, Room
from winnow.types.query import Quantifier, QueryIR, Reading
from winnow.types.utterance import Utterance
from winnow.understand.reading import understand
from winnow.understand.words.vocabulary import build_vocabulary

COMMANDS = (Command("on", "Switch.On", "turn on"), Command("off", "Switch.Off", "turn off"))
SWITCHED = Profile("lamp", COMMANDS, (Attribute("state", "switch"),))
MEASURED = Profile("meter", (), (Attribute("state", "temperature", "temperature", "°C"),))
HOME = Home(
    "flat",
    "Flat",
    "neutral",
    rooms=(Room("study", "study", aliases=("书房",)), Room("hall", "hall", aliases=("走廊",))),
    profiles=(SWITCHED, MEASURED),
    devices=(
        Device("lamp", "reading lamp", "lamp", ("light",), aliases=("阅读灯",), room_id="study"),
        Device("pool", "pond temperature", "meter", ("temperature_sensor", "sensor"), aliases=("池水温度",)),
    ),
)
VOCABULARY = build_vocabulary(HOME)


def reading(text: str) -> Reading:
    return understand(Utterance(text), VOCABULARY)


def asked(text: str) -> QueryIR:
    made = reading(text)
    assert made.intent == "query", made
    return made.queries[0]


@pytest.mark.parametrize(
    "text",
    [
        "is the reading lamp on",
        "any lights on in the study?",
        "tell me the temperature of the study",
        "check if the reading lamp is on",
        "apart from the hall, which lights are on",
        "reading lamp on?",
        "pond temperature",
        "书房的灯关了吗",
        "走廊现在几度",
        "书房温度",
        "池水温度",
        "阅读灯是不是亮着",
        "走廊哪盏灯没关",
    ],
)
def test_questions(text: str) -> None:
    assert reading(text).intent == "query"


@pytest.mark.parametrize(
    "text",
    [
        "turn on the reading lamp",
        "can you turn off the reading lamp?",
        "do turn on the reading lamp",
        "is it dark? then turn on the reading lamp",
        "how about turning off the reading lamp",
        "why don't you switch on the reading lamp",
        "把书房的灯关了",
        "能把书房的灯打开吗",
        "你能帮我关一下阅读灯吗",
        "怎么还不开书房的灯",
        "study brighter",
    ],
)
def test_orders_are_never_taken_for_questions(text: str) -> None:
    assert reading(text).intent != "query"


def test_the_quantity_is_the_property() -> None:
    assert asked("how humid is the study").property == "humidity"


def test_a_named_quantity_wins_over_a_bare_state() -> None:
    assert asked("is smoke detected in the hall").property == "smoke"


def test_a_set_question_wants_all() -> None:
    assert asked("which lights are on").quantifier is Quantifier.ALL


def test_a_question_about_one_wants_one() -> None:
    assert asked("is the reading lamp on").quantifier is Quantifier.ONE


def test_yes_or_no_and_amount_differ() -> None:
    assert asked("is the reading lamp on").yes_no
    assert not asked("what is the temperature of the study").yes_no


def test_a_comparison_gives_one_query_a_side() -> None:
    made = reading("is the study colder than the hall")
    assert [q.target.text for q in made.queries] == ["study", "hall"]
    assert {q.property for q in made.queries} == {"temperature"}


def test_chinese_comparison_gives_one_query_a_side() -> None:
    assert [q.target.text for q in reading("书房比走廊暖和吗").queries] == ["书房", "走廊"]


def test_places_share_the_thing_named_once() -> None:
    made = reading("are the lights in the study and the hall on")
    assert [q.entity_mentions for q in made.queries] == [("lights",), ("lights",)]
    assert [q.scope_include for q in made.queries] == [("study",), ("hall",)]


def test_an_exception_is_kept_apart_from_the_target() -> None:
    query = asked("除了走廊，还有哪些灯亮着")
    assert [m.text for m in query.exclusions] == ["走廊"]
    assert query.type_hint == ("light",)


def test_an_empty_it_points_at_nothing() -> None:
    assert asked("how warm is it in the study").references == ()


def test_every_cue_names_a_quantity() -> None:
    known = set(quantities())
    assert {str(e.data["is"]) for e in question_entries() if e.kind == "cue"} <= known


def test_every_verb_and_particle_names_a_quantity() -> None:
    words = question_words()
    known = set(quantities())
    assert {*words["verbs"].values(), *words["particles"].values(), *words["rooms_ask"].values()} <= known


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "is the reading lamp on and how warm is it in the study",
            [("reading lamp", "switched"), ("study", "temperature")],
        ),
        (
            "is the reading lamp on and how warm is the hall",
            [("reading lamp", "switched"), ("hall", "temperature")],
        ),
        (
            "how warm is it in the study and how warm is it in the hall",
            [("study", "temperature"), ("hall", "temperature")],
        ),
        (
            "how warm is it in the study and is the reading lamp on",
            [("study", "temperature"), ("reading lamp", "switched")],
        ),
        ("how warm is it in the study and the hall", [("study", "temperature"), ("hall", "temperature")]),
    ],
)
def test_two_questions_are_asked_one_by_one(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(one.target.text, one.property) for one in reading(text).queries] == wanted
