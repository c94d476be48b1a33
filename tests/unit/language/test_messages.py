from __future__ import annotations

from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language import lexicon
from winnow.language.messages import codes, message
from winnow.language.registry import own_table

LANGUAGES = ("zh", "en")


def fields_of(code: str, language: str) -> set[str]:
    """Every fact that some template of the code uses."""
    templates = own_table(language, "messages.yaml")[code]
    whole = templates if isinstance(templates, str) else "".join(templates)
    return {name for _, name, _, _ in Formatter().parse(whole) if name}


def test_both_languages_have_the_same_codes() -> None:
    assert codes("zh") == codes("en")


def test_every_subject_that_is_not_for_a_home_has_its_sentence() -> None:
    assert set(lexicon.surfaces("domain").values()) <= codes("en")


@pytest.mark.parametrize("code", sorted(codes("zh")))
def test_both_languages_use_the_same_facts(code: str) -> None:
    assert fields_of(code, "zh") == fields_of(code, "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(codes("zh")))
def test_every_code_has_a_sentence_without_facts_and_with_all_of_them(code: str, language: str) -> None:
    assert message(code, language)
    full = message(code, language, **dict.fromkeys(fields_of(code, language), "FACT"))
    assert "{" not in full
    assert not fields_of(code, language) or "FACT" in full


def test_the_template_that_says_most_with_the_known_facts_is_used() -> None:
    assert (
        message("out_of_range", "en", name="Lamp", minimum=0, maximum=100.0, unit="%", value=150)
        == "Lamp goes from 0 to 100%; 150 is outside."
    )
    assert message("out_of_range", "en", name="Lamp", value=150) == "Lamp cannot be set to 150."
    assert message("out_of_range", "en") == "That value is out of range."


def test_an_empty_fact_counts_as_unknown() -> None:
    assert message("no_device", "zh", what="", room=None, options=()) == "没有找到这个设备。"


def test_options_are_joined_by_or_and_other_lists_by_and() -> None:
    assert (
        message("which_room", "en", options=["study", "hall", "bedroom"])
        == "Which room: study, hall or bedroom?"
    )
    assert message("which_room", "zh", options=["书房", "客厅"]) == "是哪个房间的：书房还是客厅？"
    assert message("ambiguous", "en", names=["A", "B", "C"]) == "Several devices match: A, B and C."


def test_an_unknown_code_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        message("no_such_code", "en")


@given(name=st.text(max_size=300), language=st.sampled_from(LANGUAGES))
def test_a_name_is_data_and_cannot_break_a_sentence(name: str, language: str) -> None:
    said = message("unavailable", language, name=name)
    assert said.isprintable()
    assert not set('<>"{}`\\') & set(said)
    assert len(said) < 80


def test_a_fact_that_looks_like_a_template_stays_text() -> None:
    assert message("unavailable", "en", name="{name.__class__}") == "(name.__class__) is offline."
