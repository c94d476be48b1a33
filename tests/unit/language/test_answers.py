"""What words mean as an answer, apart from any home."""

from __future__ import annotations

import pytest

from winnow.language.answers import DOUBTS, LONGEST, ClosedQuestion, meaning
from winnow.text.tables import table

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
        ("yes " * LONGEST, "unclear"),
    ],
)
def test_a_yes_is_said_to_the_act_and_the_thing_asked_about(answer: str, kind: str) -> None:
    assert meaning(answer, DOOR).kind == kind


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("yes", "yes"),
        ("yes, both doors", "unclear"),
        ("yes, all of them", "yes"),
        ("yes, unlock the front door and the study door", "yes"),
        ("yes, the study door", "unclear"),
        ("unlock the front door", "unclear"),
        ("no, not the study door", "unclear"),
    ],
)
def test_a_yes_to_some_of_the_things_asked_about_is_no_yes(answer: str, kind: str) -> None:
    assert meaning(answer, BOTH_DOORS).kind == kind


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


def test_the_only_option_is_chosen_by_a_yes() -> None:
    lamp = ClosedQuestion("choose", "turn on the lamp", (("study",),))
    assert meaning("yes please", lamp).options == (0,)
    assert meaning("yes?", lamp).kind == "doubtful"
