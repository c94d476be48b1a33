"""English follow-ups: what is read in a query, what in a history, and what is kept as evidence."""

from __future__ import annotations

import pytest

from winnow.types.utterance import Turn
from winnow.understand.rewrite.en.mentions import MAX_READ_CHARS, mentions
from winnow.understand.rewrite.en.slots import find_slots, tokens
from winnow.understand.rewrite.rewrite import rewrite


def said(*turns: str) -> list[Turn]:
    return [Turn("assistant" if i % 2 else "user", text) for i, text in enumerate(turns)]


def forms(query: str) -> list[tuple[str, str]]:
    read = tokens(query)
    return [(s.form, query[read[s.start].start : read[s.end - 1].end]) for s in find_slots(read)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Is it loud?", [("it", "it")]),
        ("Is it raining?", []),
        ("There are two of them.", [("they", "them")]),
        ("Tell her that I am late.", [("her", "her")]),
        ("The message that came.", []),
        ("Play that old song.", [("such", "that old song")]),
        ("Play this one.", [("that", "this one")]),
        ("The second one, please.", [("nth", "The second one")]),
        ("Read the second message.", []),
        ("One day I will see Rome.", [("name", "Rome")]),
        ("Is the call over?", []),
    ],
)
def test_words_that_lean_on_the_history(query: str, found: list) -> None:
    assert forms(query) == found


@pytest.mark.parametrize(
    ("query", "owns"), [("Call her back.", False), ("Read her letter.", True), ("What is its price?", True)]
)
def test_words_that_own_what_follows(query: str, owns: bool) -> None:
    assert [s.owns for s in find_slots(tokens(query))] == [owns]


@pytest.mark.parametrize(
    ("role", "text", "phrase", "kind"),
    [
        ("user", "Play Would You Mind by Lena Marsh.", "Would You Mind", "title"),
        ("user", 'Who wrote "the long way down"?', "the long way down", "title"),
        ("assistant", "Your sister called.", "my sister", "noun"),
        ("assistant", "Calling Ida, Ben and Lou.", "Ida, Ben and Lou", "list"),
        ("assistant", "Tea or coffee?", "Tea or coffee", "choice"),
        ("user", "Show me the map of Malta.", "the map of Malta", "link"),
        ("user", "Tell me about the Lord of the Flies.", "the Lord of the Flies", "name"),
        ("user", "I missed an urgent call.", "an urgent call", "noun"),
        ("user", "I missed an urgent call.", "the call", "head"),
    ],
)
def test_phrases_that_can_be_copied(role: str, text: str, phrase: str, kind: str) -> None:
    assert (phrase, kind) in [(m.text, m.kind) for m in mentions([Turn(role, text)])]


def test_nothing_is_read_without_a_history() -> None:
    assert rewrite("Who wrote it?").reason == "no_history"


def test_a_complete_query_is_left_as_it_is() -> None:
    kept = rewrite("How tall is the tower?", said("Who was Ada Lovelace?"))
    assert (kept.query, kept.changed, kept.spans) == ("How tall is the tower?", False, ())


def test_a_vague_query_stays_vague() -> None:
    assert rewrite("Anything else?", said("Hello.", "Hello!")).query == "Anything else?"


def test_the_evidence_says_what_was_copied_from_where() -> None:
    turns = said("Who was Ada Lovelace?", "Ada Lovelace was a mathematician.")
    made = rewrite("Where was she born?", turns)
    assert made.query == "Where was Ada Lovelace born?"
    [span] = made.spans
    assert (span.text, span.at, span.replaced) == ("Ada Lovelace", 10, "she")
    assert span.text in turns[span.turn].content


def test_turns_count_from_the_oldest_though_only_the_last_ten_are_read() -> None:
    turns = said(
        *["Good morning." for _ in range(20)], "Who was Ada Lovelace?", "Ada Lovelace was a mathematician."
    )
    assert rewrite("Where was she born?", turns).spans[0].turn in {20, 21}
    assert not rewrite("Where was she born?", [*turns, *said(*["Good morning." for _ in range(10)])]).changed


def test_the_query_keeps_its_case_and_marks() -> None:
    assert (
        rewrite("where WAS she born???", said("Who was Ada Lovelace?")).query
        == "where WAS Ada Lovelace born???"
    )


def test_marks_that_stand_apart_stay_apart() -> None:
    assert (
        rewrite("Where was his house ?", said("Who was Emil Nolde ?")).query
        == "Where was Emil Nolde 's house ?"
    )


def test_of_two_offered_the_one_named_by_its_place() -> None:
    turns = said("Call Kim.", "Kim Anders or Kim Bauer?")
    assert rewrite("The first one.", turns).query == "Kim Anders."
    assert rewrite("The last one.", turns).query == "Kim Bauer."
    assert rewrite("The third one.", turns).query == "The third one."


def test_a_long_answer_is_read_from_its_beginning_only() -> None:
    assert mentions([Turn("assistant", "x " * MAX_READ_CHARS + "Ada Lovelace")])[0].text != "Ada Lovelace"


def test_a_search_gets_the_words_the_conversation_turns_on() -> None:
    turns = said("Tell me about otters.", "Otters hunt fish in rivers and otters rest on land.")
    fuller = rewrite("How long do they live?", turns, style="retrieval")
    assert fuller.query.startswith("How long do")
    assert fuller.query.endswith(")?")
    assert {"rivers", "fish"} & {span.text for span in fuller.spans}
    assert all(span.text.lower() in turns[span.turn].content.lower() for span in fuller.spans)
    assert rewrite("How long do they live?", turns).query.rstrip("?") in fuller.query


@pytest.mark.parametrize(
    ("before", "query", "alone"),
    [
        ("Is the oven hot?", "What about the grill?", "Is the grill hot?"),
        ("Is there any mail from Ida?", "How about from Ben?", "Is there any mail from Ben?"),
        ("Will it snow today?", "And what about tomorrow?", "Will it snow tomorrow?"),
        ("Is it windy in Kiel?", "What about this weekend?", "Is it windy in Kiel this weekend?"),
        ("Thanks a lot.", "What about the grill?", "What about the grill?"),
        ("Is the oven hot?", "How about we go out?", "How about we go out?"),
    ],
)
def test_the_last_question_asked_of_something_else(before: str, query: str, alone: str) -> None:
    turns = said(before, "One moment.")
    made = rewrite(query, turns)
    assert made.query == alone
    assert all(span.text in turns[span.turn].content for span in made.spans)
