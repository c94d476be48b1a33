"""What a text tells that is to be kept."""

from __future__ import annotations

from datetime import datetime

import pytest

from winnow.retrieve.facts.extract import all_statements, parse_fact, speaks_of_somebody

NOON = datetime(2026, 3, 4, 12)  # noqa: DTZ001 - a wall clock has no zone


def texts(text: str) -> list[str]:
    return [fact.text for fact in all_statements(text, NOON) if speaks_of_somebody(fact)]


def test_statements_are_kept_and_questions_and_requests_are_not() -> None:
    said = "My landlord is Mr. Petrov. Can you turn on the heater? Play some jazz."
    assert texts(said) == ["My landlord is Mr. Petrov."]
    assert texts("我的房东姓周。帮我打开暖气。明天下雨吗？") == ["我的房东姓周。"]


@pytest.mark.parametrize(
    "text",
    [
        "I'm so tired today.",
        "I want to hear some jazz.",
        "I think so.",
        "我好累啊",
        "我想听点音乐",
        "我觉得不错",
    ],
)
def test_moods_of_the_moment_and_wishes_are_not_kept(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    "text", ["I'm scared of flying.", "I want to study medicine.", "我怕坐飞机", "我想学医"]
)
def test_what_lasts_is(text: str) -> None:
    assert texts(text) == [text]


def test_what_speaks_of_nobody_is_told_apart() -> None:
    assert texts("Rain all day.") == []
    assert [fact.text for fact in all_statements("Rain all day.")] == ["Rain all day."]


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value"),
    [
        ("My landlord is Mr. Petrov.", "user/landlord", "landlord", "mr. petrov"),
        ("I drive a 2014 Polo.", "user", "drive", "a 2014 polo"),
        ("我家的门禁码是12345678", "user", "家的门禁码", "12345678"),
        ("我喜欢爬山", "user", "喜欢", "爬山"),
    ],
)
def test_a_statement_tells_of_whom_what_and_how(text: str, subject: str, attribute: str, value: str) -> None:
    fact = parse_fact(text)
    assert (fact.subject, fact.attribute, fact.value) == (subject, attribute, value)


def test_a_pronoun_stands_for_whom_the_sentence_before_was_about() -> None:
    assert [fact.subject for fact in all_statements("My sister lives in Leeds. She keeps bees.")] == [
        "user/sister",
        "user/sister",
    ]


@pytest.mark.parametrize("text", ["The rent is 900 from 1 May.", "房租从5月1日起是900"])
def test_what_holds_from_a_day_on_is_dated_so(text: str) -> None:
    (fact,) = all_statements(text, NOON)
    assert fact.at == datetime(2026, 5, 1)  # noqa: DTZ001 - a wall clock has no zone


def test_doubt_makes_a_statement_less_credible_and_a_correction_more() -> None:
    plain, doubted, corrected = (
        parse_fact(text).credibility
        for text in ("My size is 42.", "I think my size is 42.", "Sorry, I got my size wrong, it is 43.")
    )
    assert doubted < plain < corrected == 1.0


def test_the_same_words_of_one_moment_are_one_fact() -> None:
    assert parse_fact("I swim.", NOON).id == parse_fact("i swim", NOON).id != parse_fact("I swim.").id
