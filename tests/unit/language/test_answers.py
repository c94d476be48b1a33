"""What words mean as an answer, apart from any home."""

from __future__ import annotations

import pytest

from winnow.language.answers import DOUBTS, MAX_ANSWER_CHARS, ClosedQuestion, meaning
from winnow.language.tables import table

WORDS = table("winnow.language", "words/answers.yaml")
DOOR = ClosedQuestion(
    "confirm", "打开大门锁", (("大门锁", "front door lock", "玄关", "entry"),), frozenset({"on_open"})
)
BOTH_DOORS = ClosedQuestion(
    "confirm",
    "unlock the front door and the study door",
    (("front door", "entry"), ("study door", "study")),
    frozenset({"unlock"}),
)
LAMPS = ClosedQuestion(
    "choose", "turn on the lamp", (("study", "书房"), ("hall", "客厅"), ("nursery", "儿童房"))
)


def test_no_word_is_a_yes_and_a_doubt() -> None:
    doubts = {word for kind in (*DOUBTS, "no") for word in WORDS[kind]}
    assert doubts.isdisjoint(WORDS["yes"])


@pytest.mark.parametrize("word", WORDS["yes"])
def test_every_word_for_yes_agrees(word: str) -> None:
    assert meaning(word, DOOR).kind == "yes"


@pytest.mark.parametrize("word", WORDS["no"])
def test_every_word_for_no_declines(word: str) -> None:
    assert meaning(word, DOOR).kind == "no"
    assert meaning(f"{word}?", DOOR).kind == "no"
    assert meaning(word, LAMPS).kind == "no"


@pytest.mark.parametrize("word", [word for kind in DOUBTS for word in WORDS[kind]])
def test_a_yes_with_a_word_of_doubt_agrees_to_nothing(word: str) -> None:
    assert meaning(f"好的, {word}", DOOR).kind != "yes"
    assert meaning(f"{word} yes", DOOR).kind != "yes"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("开吧", "yes"),
        ("unlock it", "yes"),
        ("把玄关的大门打开吧", "yes"),
        ("关上吧", "unclear"),
        ("lock it", "unclear"),
        ("yes, the garage", "unclear"),
        ("大门锁", "unclear"),
        ("打开吗", "doubtful"),
        ("yes if he is out", "doubtful"),
        ("", "unclear"),
        ("yes " * MAX_ANSWER_CHARS, "unclear"),
    ],
)
def test_a_yes_is_said_to_the_act_and_the_thing_asked_about(answer: str, kind: str) -> None:
    assert meaning(answer, DOOR).kind == kind


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("yes", "yes"),
        ("yes, both doors", "yes"),
        ("unlock both", "yes"),
        ("yes, all three", "unclear"),
        ("yes, all of them", "yes"),
        ("yes, unlock the front door and the study door", "yes"),
        ("yes and the study door", "unclear"),
        ("yes and open the study door", "unclear"),
        ("no, not the study door", "unclear"),
        ("yes, but the study door", "doubtful"),
        ("only the study door?", "doubtful"),
        ("yes, only the study door if he is out", "doubtful"),
        ("yes, but not the garage", "doubtful"),
        ("don't unlock the study door", "no"),
        ("unlock the front door, lock the study door", "unclear"),
    ],
)
def test_a_yes_to_some_of_the_things_asked_about_is_no_yes(answer: str, kind: str) -> None:
    assert meaning(answer, BOTH_DOORS).kind == kind


@pytest.mark.parametrize(
    ("answer", "agreed"),
    [
        ("yes, but only the study door", (1,)),
        ("yes, but not the study door", (0,)),
        ("yes, the study door", (1,)),
        ("just the front door please", (0,)),
        ("no, only the front door", (0,)),
        ("the front door yes, the study door no", (0,)),
        ("yes, except the front door", (1,)),
        ("好，但是别开front door", (1,)),
        ("only the front door and the study door", ()),
    ],
)
def test_a_yes_to_some_of_the_things_says_which(answer: str, agreed: tuple[int, ...]) -> None:
    assert meaning(answer, BOTH_DOORS).options == agreed


LONG = ClosedQuestion(
    "choose",
    "打开灯",
    (
        ("主卧 吸顶灯", "吸顶灯", "主卧"),
        ("客厅 灯带", "灯带", "客厅"),
        ("客厅 台灯", "台灯", "客厅"),
        ("书房 台灯", "台灯", "书房"),
    ),
    frozenset({"on_open"}),
    3,
)


@pytest.mark.parametrize(
    ("answer", "kind", "options"),
    [
        ("客厅的", "among", (1, 2)),
        ("台灯", "among", (2, 3)),
        ("客厅的都要", "some", (1, 2)),
        ("客厅的两个", "some", (1, 2)),
        ("客厅的三个", "unclear", ()),
        ("客厅的台灯", "some", (2,)),
        ("书房那个", "some", (3,)),
        ("最后一个", "some", (2,)),
        ("灯", "unclear", ()),
        ("关掉客厅的都", "unclear", ()),
    ],
)
def test_an_answer_leaves_what_it_names(answer: str, kind: str, options: tuple[int, ...]) -> None:
    got = meaning(answer, LONG)
    assert (got.kind, got.options) == (kind, options)


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        ("the hall", (1,)),
        ("儿童房的", (2,)),
        ("the last one", (2,)),
        ("the study and the nursery", (0, 2)),
        ("both the study and the hall", (0, 1)),
        ("第一个和第三个", (0, 2)),
        ("all three", (0, 1, 2)),
        ("turn them all on", (0, 1, 2)),
    ],
)
def test_options_are_chosen_by_name_by_place_and_by_number(answer: str, options: tuple[int, ...]) -> None:
    assert (
        meaning(answer, ClosedQuestion("choose", LAMPS.request, LAMPS.names, frozenset({"on"}))).options
        == options
    )


@pytest.mark.parametrize(
    "answer", ["both", "the fourth one", "五个都要", "yes", "the hall?", "maybe the hall"]
)
def test_a_choice_that_fits_no_option_or_asks_is_doubtful(answer: str) -> None:
    assert meaning(answer, LAMPS).kind == "doubtful"


@pytest.mark.parametrize(
    "answer", ["not the hall", "除了客厅", "the kitchen", "the hall, dimmed", "turn both off"]
)
def test_what_speaks_of_something_else_is_unclear(answer: str) -> None:
    assert meaning(answer, LAMPS).kind == "unclear"


def test_a_word_inside_a_name_is_no_word_of_the_answer() -> None:
    odd = ClosedQuestion("choose", "打开灯", (("没事吧台灯", "not now lamp"), ("等等落地灯", "is it lamp")))
    assert meaning("没事吧台灯", odd).options == (0,)
    assert meaning("the is it lamp", odd).options == (1,)
    assert meaning("等等落地灯吧", odd).options == (1,)
