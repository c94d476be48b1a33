"""What an answer says to a question: one parser, and two ways in that must agree.

A session answers the question it keeps; in a history given as text our question is recognised by its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from winnow.app.wiring.engine import open_engine
from winnow.engine.answers import QuestionAnswer, parse_answer
from winnow.engine.engine import Engine
from winnow.language.tables import parse_yaml
from winnow.types.home import Home
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Act, Clarify, Confirm, Nothing

HALL, STUDY = ("hall.wall",), ("study.wall",)
LEFT, RIGHT = ("bed.left",), ("bed.right",)
WALL_ZH, WALL_EN, BEDSIDE = "打开壁灯", "turn on the wall lamp", "打开床头灯"
DOOR_ZH, DOOR_EN = "打开大门锁", "unlock the front door lock"
REQUESTS = {"zh": {"choose": WALL_ZH, "confirm": DOOR_ZH}, "en": {"choose": WALL_EN, "confirm": DOOR_EN}}
CHOSEN = {("hall.wall",): "hall", ("study.wall",): "study", ("hall.wall", "study.wall"): "both"}
TABLE = parse_yaml(Path(__file__).with_name("answers.yaml").read_text("utf-8"))
SESSIONS = count()


def rows() -> Iterator[Any]:
    """(language, kind of question, answer, what it says)."""
    for language, questions in TABLE.items():
        for kind, meanings in questions.items():
            for says, answers in meanings.items():
                for answer in answers:
                    yield pytest.param(language, kind, str(answer), says, id=f"{kind}-{says}-{answer}")


def spoken(language: str, home: Home) -> Home:
    """The home with names in that language: those of the fixture are Chinese, their aliases English."""

    def named(thing: Any) -> Any:
        return replace(thing, name=thing.aliases[0], aliases=())

    if language == "zh":
        return home
    return replace(
        home,
        floors=tuple(map(named, home.floors)),
        rooms=tuple(map(named, home.rooms)),
        devices=tuple(map(named, home.devices)),
    )


@pytest.fixture
def engines(home: Home) -> dict[str, Engine]:
    return {language: engine_of(language, home) for language in REQUESTS}


_ENGINES: dict[str, Engine] = {}


def engine_of(language: str, home: Home) -> Engine:
    """One engine a language for the whole table."""
    if language not in _ENGINES:
        _ENGINES[language] = open_engine(spoken(language, home))
    return _ENGINES[language]


def in_a_session(engine: Engine, request: str, answer: str) -> Retrieval:
    session = str(next(SESSIONS))
    engine.sync.retrieve(Utterance(request, session=session))
    return engine.sync.retrieve(Utterance(answer, session=session))


def with_a_history(engine: Engine, request: str, answer: str) -> Retrieval:
    turns = (Turn("user", request), Turn("assistant", question_of(engine, request)))
    return engine.sync.retrieve(Utterance(answer, history=turns))


@cache
def question_of(engine: Engine, request: str) -> str:
    asked = engine.sync.retrieve(request).verdict
    assert isinstance(asked, Confirm | Clarify)
    return asked.question


def outcome(after: Retrieval) -> str:
    """What came of an answer, in the words of the table."""
    match after.verdict:
        case Act() if after.reading.confirmed:
            return "yes"
        case Act():
            return CHOSEN.get(tuple(sorted(after.device_ids)), "another act")
        case Nothing(reason="declined" | "withdrawn"):
            return "no"
    return "unclear"


def test_the_table_holds_enough_of_each_kind_in_both_languages() -> None:
    for questions in TABLE.values():
        assert {kind: sorted(meanings) for kind, meanings in questions.items()} == {
            "confirm": ["no", "other", "unclear", "yes"],
            "choose": ["both", "hall", "no", "study", "unclear"],
        }
        assert sum(len(answers) for meanings in questions.values() for answers in meanings.values()) > 200


@pytest.mark.bulk
@pytest.mark.parametrize(("language", "kind", "answer", "says"), list(rows()))
def test_both_ways_in_hear_the_same(
    engines: dict[str, Engine], language: str, kind: str, answer: str, says: str
) -> None:
    engine, request = engines[language], REQUESTS[language][kind]
    heard = {outcome(in_a_session(engine, request, answer)), outcome(with_a_history(engine, request, answer))}
    assert heard <= {"another act", "unclear"} if says == "other" else heard == {says}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answer=st.one_of(
        st.text(max_size=40), st.sampled_from([str(a) for q in TABLE.values() for a in q["confirm"]["yes"]])
    ),
    mark=st.sampled_from(["?", "？", " ?", "??", "？！", "?)", "? "]),
    language=st.sampled_from(["zh", "en"]),
)
def test_whatever_ends_with_a_question_mark_never_confirms(
    engines: dict[str, Engine], answer: str, mark: str, language: str
) -> None:
    engine, request = engines[language], REQUESTS[language]["confirm"]
    assert outcome(in_a_session(engine, request, answer + mark)) != "yes"
    assert outcome(with_a_history(engine, request, answer + mark)) != "yes"


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    language=st.sampled_from(["zh", "en"]),
    data=st.data(),
    doubt=st.sampled_from(
        ["如果没人", "等会儿", "应该", "吗", "if nobody is home", "maybe", "i guess", "later"]
    ),
)
def test_a_yes_with_a_doubt_or_a_condition_never_confirms(
    engines: dict[str, Engine], language: str, data: st.DataObject, doubt: str
) -> None:
    answer = str(data.draw(st.sampled_from(TABLE[language]["confirm"]["yes"])))
    engine, request = engines[language], REQUESTS[language]["confirm"]
    for said in (f"{answer} {doubt}", f"{doubt} {answer}", f"{answer}! {doubt}", f"{doubt}。{answer}"):
        assert outcome(in_a_session(engine, request, said)) != "yes"
        assert outcome(with_a_history(engine, request, said)) != "yes"


@pytest.mark.parametrize(
    ("language", "answer"), [("zh", "好！ i guess"), ("en", "Yes! Should be fine, maybe.")]
)
def test_a_yes_in_a_sentence_of_its_own_is_bound_by_the_other(
    engines: dict[str, Engine], language: str, answer: str
) -> None:
    assert outcome(with_a_history(engines[language], REQUESTS[language]["confirm"], answer)) == "unclear"


def answered(home: Home, request: str, choice: int | str) -> QuestionAnswer:
    engine = open_engine(home)
    return parse_answer(engine.sync.retrieve(request), choice, engine.sync.load_home().view)


@pytest.mark.parametrize(
    ("request_", "choice", "chosen"),
    [
        (WALL_ZH, 0, HALL),
        (WALL_ZH, 1, STUDY),
        (WALL_ZH, "书房", STUDY),
        (WALL_ZH, "书房的", STUDY),
        (WALL_ZH, "书房里的那个吧", STUDY),
        (WALL_ZH, "我要书房的壁灯", STUDY),
        (WALL_ZH, "打开书房的", STUDY),
        (WALL_ZH, "第二个", STUDY),
        (WALL_ZH, "第1个", HALL),
        (WALL_ZH, "最后一个", STUDY),
        (WALL_ZH, "2", STUDY),
        (WALL_ZH, "都打开", (*HALL, *STUDY)),
        (WALL_ZH, "两个都要", (*HALL, *STUDY)),
        (WALL_ZH, "客厅和书房", (*HALL, *STUDY)),
        (WALL_ZH, "好的，书房", STUDY),
        (WALL_EN, "the study one", STUDY),
        (WALL_EN, "in the hall please", HALL),
        (WALL_EN, "the second one", STUDY),
        (WALL_EN, "first", HALL),
        (WALL_EN, "both", (*HALL, *STUDY)),
        (WALL_EN, "all of them", (*HALL, *STUDY)),
        (WALL_EN, "the hall and the study", (*HALL, *STUDY)),
        (WALL_EN, "turn on the study one", STUDY),
        (BEDSIDE, "左边的", LEFT),
        (BEDSIDE, "床头灯右", RIGHT),
        (BEDSIDE, "the left one", LEFT),
    ],
)
def test_a_clear_answer_chooses(
    home: Home, request_: str, choice: int | str, chosen: tuple[str, ...]
) -> None:
    answer = answered(home, request_, choice)
    assert answer.kind == "some"
    assert set(answer.device_ids) == set(chosen)


@pytest.mark.parametrize(
    ("request_", "choice"),
    [
        (WALL_ZH, "算了"),
        (WALL_ZH, "都不要了"),
        (WALL_EN, "never mind"),
        (WALL_EN, "neither of them"),
        (DOOR_ZH, "不要"),
        (DOOR_ZH, "不，别打开"),
        (DOOR_ZH, False),
        (DOOR_EN, "no, don't unlock it"),
    ],
)
def test_a_no_is_heard(home: Home, request_: str, choice: int | str) -> None:
    assert answered(home, request_, choice).kind == "no"


@pytest.mark.parametrize(
    ("request_", "choice"),
    [
        (DOOR_ZH, "好"),
        (DOOR_ZH, "好的，打开吧"),
        (DOOR_ZH, "是的，确认"),
        (DOOR_ZH, "打开吧"),
        (DOOR_ZH, True),
        (DOOR_EN, "yes"),
        (DOOR_EN, "Yes, go ahead!"),
        (DOOR_EN, "yes please, unlock it"),
    ],
)
def test_a_yes_is_heard(home: Home, request_: str, choice: int | str) -> None:
    assert answered(home, request_, choice).kind == "yes"


@pytest.mark.parametrize(
    ("request_", "choice"),
    [
        (WALL_ZH, 2),
        (WALL_ZH, -1),
        (WALL_ZH, True),
        (WALL_ZH, ""),
        (WALL_ZH, "好"),
        (WALL_ZH, "卧室的"),
        (WALL_ZH, "第三个"),
        (WALL_ZH, "除了书房都打开"),
        (WALL_ZH, "不是书房那个"),
        (WALL_ZH, "壁灯"),
        (WALL_ZH, "书房的，调到50%"),
        (WALL_EN, "anything but the study"),
        (WALL_EN, "not the study"),
        (WALL_EN, "yes"),
        (WALL_EN, "the wall lamp"),
        (DOOR_ZH, 0),
        (DOOR_ZH, "大门锁"),
        (DOOR_ZH, "关上吧"),
        (DOOR_ZH, "好的，打开书房门锁"),
        (DOOR_EN, "yes, and the study door"),
        (DOOR_EN, "maybe"),
        (DOOR_ZH, "好" * 200),
    ],
)
def test_anything_else_is_unclear(home: Home, request_: str, choice: int | str) -> None:
    assert answered(home, request_, choice).kind == "unclear"


def test_a_number_that_is_part_of_another_option_s_name_is_unclear(home: Home) -> None:
    lamps = [replace(home.devices[2], id=f"bed.{n}", name=f"射灯{n}", aliases=(f"spot {n}",)) for n in (2, 3)]
    numbered = replace(home, devices=tuple(lamps))
    assert answered(numbered, "打开射灯", "第二个").device_ids == ("bed.3",)
    assert answered(numbered, "打开射灯", "3").kind == "some"
    assert answered(numbered, "打开射灯", "2").kind == "unclear"


WORDS = (
    "好",
    "不",
    "书房",
    "客厅",
    "卧室",
    "壁灯",
    "的",
    "都",
    "第二个",
    "第三个",
    "2",
    "除了",
    "和",
    "yes",
    "no",
    "both",
    "the",
    "study",
    "hall",
    "not",
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    choice=st.one_of(
        st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=6).map("".join), st.integers()
    )
)
def test_no_answer_reaches_a_device_that_was_not_offered(home: Home, choice: int | str) -> None:
    engine = open_engine(home)
    asked, view = engine.sync.retrieve(WALL_ZH), engine.sync.load_home().view
    offered = {i for option in asked.verdict.options for i in option.device_ids}  # type: ignore[union-attr]
    answer = parse_answer(asked, choice, view)
    assert set(answer.device_ids) <= offered
    assert bool(answer.device_ids) == (answer.kind == "some")


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(st.sampled_from([w for w in WORDS if w not in {"no", "not", "不", "除了"}]), max_size=5),
    place=st.integers(0, 5),
)
def test_an_answer_that_holds_a_denial_never_chooses_or_agrees(
    home: Home, words: list[str], place: int
) -> None:
    engine = open_engine(home)
    view = engine.sync.load_home().view
    text = "".join([*words[:place], "除了", *words[place:]])
    assert parse_answer(engine.sync.retrieve(WALL_ZH), text, view).kind == "unclear"
    assert parse_answer(engine.sync.retrieve(DOOR_ZH), text, view).kind == "unclear"
