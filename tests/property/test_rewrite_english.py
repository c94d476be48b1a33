"""Laws of English rewriting: no invented word, one sentence as said, never an exception."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.houses import times

from winnow.types.query import Rewrite
from winnow.types.utterance import Turn
from winnow.understand.rewrite.en.slots import lists
from winnow.understand.rewrite.rewrite import rewrite

pytestmark = pytest.mark.slow

PIECES = [
    *[
        "it",
        "him",
        "her",
        "them",
        "his",
        "their",
        "that",
        "there",
        "one",
        "these",
        "call",
        "play",
        "by",
        "and",
        "or",
        "of",
        "in",
    ],
    *["is", "was", "don't", "isn’t", "said", "I", "5", "7:30", "PM"],
    *[
        "that song",
        "the second one",
        "What about",
        "Who is",
        "Ada Lovelace",
        "Tom",
        "Tom Baker",
        "Tom Ellis",
        "the old lamp",
        "your mom",
    ],
    *[
        "my list",
        "an egg",
        "two songs",
        '"Blue Hour"',
        ",",
        ".",
        "?",
        "'s",
        " 's",
        "Zoë",
        "Ölpreis",
        "ß",
        "ŉ",
        "第二个",
        "🙂",
        "\n",
    ],
]
TALK = st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)
TURNS = st.lists(
    st.builds(Turn, st.sampled_from(["user", "assistant"]), TALK | st.text(max_size=60)), max_size=12
)
STYLES = st.sampled_from(["plain", "retrieval"])


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower()))


def content(made: Rewrite) -> set[str]:
    return words(made.query) - lists()["function"] - {"s"}


@times(300)
@given(query=TALK, history=TURNS, style=STYLES)
def test_no_word_that_was_never_said(query: str, history: list[Turn], style: str) -> None:
    known = words(query).union(*(words(turn.content) for turn in history))
    assert content(rewrite(query, history, style)) <= known


@times(250)
@given(query=st.text(max_size=80), history=TURNS, style=STYLES)
def test_any_text_gets_a_query(query: str, history: list[Turn], style: str) -> None:
    made = rewrite(query, history, style)
    assert made.changed == (made.query != query)
    assert bool(made.spans) == made.changed


@times(250)
@given(query=TALK, history=TURNS)
def test_no_sentence_is_added(query: str, history: list[Turn]) -> None:
    made = rewrite(query, history)
    assert len(re.findall(r"[.?!;\n]", made.query)) <= len(re.findall(r"[.?!;\n]", query))


@times(250)
@given(query=TALK, history=TURNS)
def test_the_evidence_is_true(query: str, history: list[Turn]) -> None:
    for span in rewrite(query, history).spans:
        assert query[span.at : span.at + len(span.replaced)] == span.replaced
        assert words(span.text) - {"the", "my", "mine"} <= words(history[span.turn].content)


@times(300)
@given(history=TURNS)
def test_nothing_to_read_is_nothing_to_change(history: list[Turn]) -> None:
    assert rewrite("", history).query == ""
    assert rewrite("How far is the moon?", history).query == "How far is the moon?"
