"""Changed orders act, or change what they do, no more often than they did."""

from __future__ import annotations

import pytest
from tests.homes import home
from tests.scenarios.transform import transformations as change
from tests.scenarios.transform.frames import LANGUAGES, NEVER, SAME, Frame, grammar
from tests.scenarios.transform.judge import ANSWERS, Changed, kinds, orders, outcome, sample
from tests.scenarios.transform.limits import limits, measured
from tests.scenarios.transform.orders import language_of, slots

from winnow.language.lexicon import entries

FRAMES = [frame for language in LANGUAGES for frame in grammar(language).frames]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("law", "kind"), kinds())
def test_the_law_of_a_kind_is_broken_no_more_often_than_it_was(law: str, kind: str, language: str) -> None:
    broken = measured(kind, language, limits()["sample"])
    assert broken <= limits()["now"][kind][language], (
        f"{law} {kind} {language}: the goal is {limits()['goal']}"
    )


def test_every_kind_has_a_limit_and_no_limit_is_without_a_kind() -> None:
    assert list(limits()["now"]) == [kind for _, kind in kinds()]
    assert set(limits()["goal"]) == {law for law, _ in kinds()}


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: f"{frame.kind}-{frame.pattern}")
def test_a_pattern_makes_what_stands_beside_it(frame: Frame) -> None:
    words = grammar(frame.language).words
    assert change.framed(frame, slots(words["order"], words["noun"])) == frame.example


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_have_the_same_kinds(language: str) -> None:
    assert {kind for law, kind in kinds() if law == NEVER} - {ANSWERS} == {
        frame.kind for frame in grammar(language).frames if frame.law == NEVER
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_nouns_mean_nothing_at_home(language: str) -> None:
    known = {entry.surface for entry in entries()}
    names = "\n".join(d.name.lower() for at in {case.home for case in orders()} for d in home(at).devices)
    for noun in grammar(language).words["nouns"]:
        assert noun not in known
        assert noun not in names


@pytest.mark.parametrize(
    ("said", "slot", "held"),
    [
        (
            "Could you turn on the owl and dim the lamp, please?",
            "past",
            "turned on the owl and dimmed the lamp",
        ),
        ("put the porch lantern on", "gerund", "putting the porch lantern on"),
        ("put the porch lantern on", "lead", "put the"),
        ("麻烦把书房灯关一下吧", "order", "把书房灯关一下"),
        ("书房灯关了吧", "clause", "把书房灯关"),
        ("打开书房灯", "rest", "书房灯"),
    ],
)
def test_an_order_is_taken_apart(said: str, slot: str, held: str) -> None:
    assert slots(said)[slot] == held


@pytest.mark.parametrize(
    ("said", "slot"),
    [
        ("if the door is open, close it", "order"),
        ("blinds down", "past"),
        ("turn on the owl and dim the lamp", "words"),
        ("厨房灯怎么还开着", "order"),
        ("关电视并打开灯带", "words"),
    ],
)
def test_what_is_no_such_order_has_no_such_part(said: str, slot: str) -> None:
    assert slot not in slots(said)


def test_marks_are_taken_out_of_sentences_and_left_in_numbers() -> None:
    assert change.unmarked("set it to 21.5, please.") == "set it to 21.5 please"
    assert change.unmarked("客厅灯关了，再打开电视。") == "客厅灯关了再打开电视"
    assert change.unmarked("set it to 21.5.") is None


def test_halves_change_places() -> None:
    assert change.halves("关灯，开窗") == [("关灯", "开窗")]
    assert change.swapped("turn it off", "open the blinds.") == "open the blinds, turn it off"


def test_capitals_are_changed_where_there_are_any() -> None:
    assert change.titled("dim Nora's lamp") == "Dim Nora's Lamp"
    assert change.shouted("关灯") is None


@pytest.mark.parametrize(
    ("law", "text", "bad", "acts"),
    [
        (NEVER, "unlock our front door", True, True),
        (NEVER, "what a nice day", False, False),
        (SAME, "please unlock our front door", False, False),
        (SAME, "turn off the hall light", True, True),
        (SAME, "what a nice day", True, False),
        (SAME, "turn on the lamp", False, False),
    ],
)
def test_a_law_is_broken_by_what_is_done_or_left(law: str, text: str, bad: bool, acts: bool) -> None:
    """The last one asks which lamp, and a question is allowed."""
    case = next(case for case in orders() if case.utterance.text == "unlock our front door")
    found = outcome(Changed(law, "made", "en", text, (case,)))
    assert found is not None
    assert (found.bad, found.acts) == (bad, acts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_is_the_same_every_time(language: str) -> None:
    first = sample("noun", language, 5)
    assert first == sample("noun", language, 5)
    assert all(language_of(row.text) == language for row in first)
