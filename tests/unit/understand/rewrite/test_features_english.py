"""What English phrases are weighed by: each name has a weight, and what holds of a phrase is told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.unit.understand.rewrite.test_english import said

from winnow.language.tables import parse_yaml
from winnow.understand.rewrite.en.context import Features
from winnow.understand.rewrite.en.mentions import mentions
from winnow.understand.rewrite.en.rank import choices, weights
from winnow.understand.rewrite.en.slots import find_slots, tokens
from winnow.understand.rewrite.rewrite import setting

TALKS = Path(__file__).parents[3] / "scenarios" / "rewrites" / "en.yaml"
TABLE = parse_yaml((Path(__file__).parent / "features.yaml").read_text("utf-8"))
RARE = set(TABLE["rare"]["en"].split())
FULL = TABLE["full"]
ASKED = (
    *("Make it red.", "Turn them both off.", "Play it.", "Play that song.", "Call her.", "Call them."),
    *("Call him.", "Ask his brother.", "Is their car red?", "Is its lid open?", "What did he say that day?"),
    *("Who is that guy?", "What is that thing?", "Read those.", "Tell my mom that.", "The second one."),
    *("It.", "Is both of it gone?", "Play one.", "Call one.", "Are we going there?", "Is Baker home?"),
    *("Call Baker.", "Hear that old song.", "Put them both in it.", "Turn one on.", "Call that friend."),
    *("Watch them.", "Make one.", "Make Baker call.", "Is her car there?", "I saw it in this house."),
)
SHORT = [
    (["Why is the sky blue?", "Dust in the air."], "Is it bad?"),
    (["Text Ana.", "What should I say?"], "That I love it."),
    (["I like every map of Rome.", "They were gifts, not bargains."], "Where is it?"),
    (["What is due?", "The bill is due on Monday."], "What else is on that day?"),
]


def options(turns: list[str], query: str) -> Iterator[tuple[str, Features]]:
    """Every phrase that each slot of the query may mean, with its features; no phrase where it stays."""
    read = tokens(query)
    found, now = list(find_slots(read)), setting(read, said(*turns))
    for i, slot in enumerate(found):
        for choice in choices(slot, now, found[:i]):
            yield choice.mention.text if choice.mention else "", choice.features


def talks() -> Iterator[tuple[list[str], str]]:
    for row in parse_yaml(TALKS.read_text("utf-8")):
        yield row["said"], row["query"]
    late = [*FULL[2:4], *FULL[:2]]
    for turns in (FULL[:2], late, FULL):
        yield from ((turns, query) for query in ASKED)
    yield from SHORT


@cache
def told() -> frozenset[str]:
    return frozenset(name for turns, query in talks() for _, held in options(turns, query) for name in held)


def fitted() -> set[str]:
    return {name for group in weights().values() for name in group}


def test_every_name_of_a_feature_has_a_weight() -> None:
    assert told() - fitted() <= RARE


def test_every_weight_is_of_a_feature_that_is_told() -> None:
    assert fitted() <= told()


def holding(turns: list[str], query: str, phrase: str) -> set[str]:
    held = dict(options(turns, query))[phrase]
    return {name for name, value in held.items() if value == 1.0}


CLOCK = ["Tell me about the old clock.", "The clock is from 1820."]


@pytest.mark.parametrize("row", TABLE["phrases"], ids=lambda row: f"{row['query']} {row['phrase']}")
def test_what_holds_of_a_phrase(row: dict) -> None:
    front = "" if row["phrase"] else "leave_"
    names = {front + name for name in row["holds"].split()}
    assert holding(row["turns"], row["query"], row["phrase"]) == names


@pytest.mark.parametrize(
    ("turns", "phrase", "amounts"),
    [
        (CLOCK, "the old clock", {"back": 1 / 8, "said": 1 / 5, "length": 2 / 9, "known": 1 / 4}),
        (CLOCK, "the clock", {"back": 0, "said": 2 / 5, "length": 1 / 9, "known": 1 / 4}),
        ([*CLOCK, *["Thanks.", "Sure."] * 3], "the old clock", {"back": 7 / 8}),
        ([*CLOCK, *["Thanks.", "Sure."] * 4], "the old clock", {"back": 1}),
        (["The clock is old."] * 7, "the clock", {"said": 1, "back": 0}),
    ],
)
def test_how_much_holds_of_a_phrase(turns: list[str], phrase: str, amounts: dict[str, float]) -> None:
    held = dict(options(turns, "Where is its key?"))[phrase]
    assert {name: held[name] for name in amounts} == pytest.approx(amounts)


@pytest.mark.parametrize(
    ("words", "amount"), [("Is it here?", 4 / 30), ("Is it here " + "now " * 40 + "?", 1.0)]
)
def test_a_long_query_counts_as_one_of_thirty_words(words: str, amount: float) -> None:
    assert dict(options(CLOCK, words))[""]["leave_length"] == pytest.approx(amount)


def test_a_question_of_the_user_is_no_offer() -> None:
    assert "in_question" not in holding(["Is the clock old?"], "Where is its key?", "the clock")


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("I saw Ida's car.", {"Ida's car"}),
        ("The coat is Ida's.", {"Ida"}),
        ('Say "" now.', set()),
        ('Say "as you were" now.', {"as you were"}),
        ("Is the oven hot?", {"the oven"}),
        ("The very old lamp.", {"the lamp", "old lamp"}),
    ],
)
def test_phrases_of_a_turn(text: str, phrases: set[str]) -> None:
    assert {m.text for m in mentions(said(text))} >= phrases
    assert phrases or not mentions(said(text))
