"""Words that only sound like what was said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.homes import engine, home

from winnow.language.gazetteer import GazetteerEntry
from winnow.types.verdict import Act, Confirm, named_calls
from winnow.understand.grammar.asr_variants import asr_variants
from winnow.understand.words.text_cleanup import split_joined_words
from winnow.understand.words.vocabulary import SimilarNames, build_vocabulary


def _verdict(text: str) -> object:
    return engine("cottage" if text.isascii() else "home40").sync.retrieve(text).verdict


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ("tern on the reading lamp", "turn on the reading lamp"),
        ("turn on the weeding lamp", "turn on the reading lamp"),
        ("fair y lights on", "fairy lights on"),
        ("turn on the night lite", "turn on the night light"),
        ("turn off theprinter", "turn off the printer"),
        ("大开书房台灯", "打开书房台灯"),
        ("打开书房抬等", "打开书房台灯"),
        ("书房台灯打凯", "书房台灯打开"),
        ("把书房合客厅的台灯关了", "把书房和客厅的台灯关了"),
        ("触了主卧，空调都打开", "除了主卧，空调都打开"),
        ("turn off they reading lamp", "turn off the reading lamp"),
        ("turn oft the reading lamp", "turn off the reading lamp"),
        ("turnoff the reading lampand the printer", "turn off the reading lamp and the printer"),
    ],
)
def test_what_sounds_like_an_order_is_that_order(heard: str, said: str) -> None:
    first, second = _verdict(heard), _verdict(said)
    assert isinstance(first, Act)
    assert isinstance(second, Act)
    assert first.calls == second.calls


def test_two_of_one_sound_are_asked_about() -> None:
    assert len(_verdict("打开抬灯").options) > 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "把书房台灯官了",
        "把书房台灯洗了",
        "雨停了开小旋风",
        "turn off the fan and look the side door",
        "the radio loft",
        "all the lamps of",
    ],
)
def test_an_act_of_which_nothing_was_said_is_never_done_unasked(text: str) -> None:
    assert not isinstance(_verdict(text), Act)


@pytest.mark.parametrize("text", ["不要官灯", "窗帘该洗了", "light lunch", "dust the blinds", "清洗油烟机"])
def test_what_is_no_order_is_none_when_it_is_heard_otherwise(text: str) -> None:
    assert not named_calls(_verdict(text)) or isinstance(_verdict(text), Confirm)  # type: ignore[arg-type]


def test_a_word_that_is_known_is_never_put_apart() -> None:
    vocabulary = build_vocabulary(home("cottage"))
    assert split_joined_words("play my jogging playlist", vocabulary) == "play my jogging playlist"
    assert (
        split_joined_words("turn theprinter off in the bathroom", vocabulary)
        == "turn the printer off in the bathroom"
    )


def test_a_letter_that_tells_a_name_from_its_like_is_heard_as_no_other() -> None:
    names = SimilarNames(
        (GazetteerEntry("light c", "name", {}, ("c",)), GazetteerEntry("lights", "group", {}, ("all",)))
    )
    vocabulary = replace(build_vocabulary(home("cottage")), alike=names)
    found = list(asr_variants("dim lite g", [], vocabulary, "en"))
    assert "light c" not in {sound.entry.surface for sound in found}
    found = list(asr_variants("dim lite c", [], vocabulary, "en"))
    assert "light c" in {sound.entry.surface for sound in found}
