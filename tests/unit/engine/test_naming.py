"""Names that people give: which are taken, and how they move from one home to another."""

from __future__ import annotations

import pytest

from winnow.engine.naming import add_name, export_words, import_words, is_custom_word, remove_name
from winnow.errors import NoSuchWord, NotAName
from winnow.types.home import Device, Floor, Home, LexiconEntry, Profile, Room, Scene

HOME = Home(
    "h",
    "h",
    "neutral",
    floors=(Floor("f", "Attic"),),
    rooms=(Room("r", "Den", ("lair",)),),
    profiles=(Profile("p"),),
    devices=(Device("a", "Reading lamp", "p", aliases=("reader",)), Device("b", "Fan", "p")),
    scenes=(Scene("s", "Movie night", "run"),),
)
LEARNED = LexiconEntry(3, "dim", "action", "off", "accepted")
BERT = LexiconEntry(4, "bert", "alias", "a", "accepted", count=1, user="ida")


def test_a_name_gets_the_next_number_and_belongs_to_who_gave_it() -> None:
    assert add_name((LEARNED,), " Bert ", "a", HOME, "ida") == (LEARNED, BERT)


def test_a_suggestion_that_is_taught_is_no_suggestion_any_more() -> None:
    guessed = LexiconEntry(7, "bert", "alias", "a", "suggested")
    (only,) = add_name((guessed,), "bert", "a", HOME)
    assert (only.number, only.status) == (8, "accepted")


TAKEN = ("Reading LAMP", "reader", "attic", "lair", "movie night", "bert", "lamp")


@pytest.mark.parametrize("word", ["be", "12", "1234", "灯", "x" * 200, *TAKEN])
def test_what_is_too_short_too_long_a_number_or_taken_is_no_name(word: str) -> None:
    with pytest.raises(NotAName):
        add_name((BERT,), word, "b", HOME)


@pytest.mark.parametrize("word", ["bob", "小白", "12a", "reading lamp two"])
def test_other_words_are_names(word: str) -> None:
    assert add_name((BERT,), word, "b", HOME)[-1].surface == word


def test_a_name_is_forgotten_whatever_its_case_and_only_once() -> None:
    assert remove_name((LEARNED, BERT), "BERT", "h") == (LEARNED,)
    with pytest.raises(NoSuchWord):
        remove_name((LEARNED, LexiconEntry(4, "bert", "alias", "a", "suggested")), "bert", "h")
    assert is_custom_word(BERT, "Bert")
    assert not is_custom_word(BERT, "bertha")


def test_only_accepted_words_are_exported_each_with_the_name_of_its_thing() -> None:
    told = export_words([LEARNED, BERT, LexiconEntry(5, "x", "alias", "b", "rejected")], HOME)
    assert told["words"] == [
        {"word": "dim", "kind": "action", "means": "off", "name": ""},
        {"word": "bert", "kind": "alias", "means": "a", "name": "Reading lamp"},
    ]


def test_words_taken_in_twice_are_there_once() -> None:
    told = export_words([LEARNED, BERT], HOME)
    once, left = import_words((), told, HOME)
    assert ([(e.number, e.surface, e.target, e.status) for e in once], left) == (
        [(1, "dim", "off", "accepted"), (2, "bert", "a", "accepted")],
        (),
    )
    again, left = import_words(once, told, HOME)
    assert ({(e.surface, e.target) for e in again}, len(again), left) == (
        {("dim", "off"), ("bert", "a")},
        2,
        (),
    )


def test_another_home_takes_a_name_by_what_its_thing_is_called_and_leaves_the_others() -> None:
    rows = [
        {"word": "bert", "kind": "alias", "means": "elsewhere", "name": "Fan"},
        {"word": "gone", "kind": "alias", "means": "elsewhere", "name": "Toaster"},
        {"word": "attic", "kind": "alias", "means": "a", "name": ""},
    ]
    taken, left = import_words((), {"words": rows}, HOME)
    assert ([(e.surface, e.target) for e in taken], left) == ([("bert", "b")], ("gone", "attic"))
