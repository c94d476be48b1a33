"""Sessions, use and learned words: the same promises on disk and in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.errors import HomeNotFound
from winnow.stores.memory import MemoryCatalog
from winnow.stores.store import Store
from winnow.types.catalog import Home
from winnow.types.dialogue import Turn, Utterance
from winnow.types.lesson import Lesson, LexiconEntry
from winnow.types.session import Question, Session
from winnow.types.usage import Usage

Storage = Store | MemoryCatalog
SAID = (Turn("user", "开灯", ("d1",)), Turn("assistant", "哪一个？"))
ASKED = Question(
    "q1",
    "flat",
    3,
    Utterance(
        "开灯", language="zh", home="flat", room="r1", user="anna", session="s", history=SAID, time=5.0
    ),
    1000.5,
    "mark",
)
WORD = LexiconEntry(1, "小熊", "alias", "d1", count=3, against=1)


def test_a_session_nobody_spoke_in_is_empty(catalog: Storage) -> None:
    assert catalog.sessions.session("flat", "s") == Session()


def test_turns_and_the_open_question_come_back_as_they_were(catalog: Storage) -> None:
    catalog.sessions.note("flat", "s", SAID, ASKED)
    assert catalog.sessions.session("flat", "s") == Session(SAID, ASKED)


def test_a_session_keeps_its_last_20_turns(catalog: Storage) -> None:
    for n in range(15):
        catalog.sessions.note("flat", "s", [Turn("user", f"{n}"), Turn("assistant", f"re {n}")])
    turns = catalog.sessions.session("flat", "s").turns
    assert len(turns) == 20
    assert (turns[0].content, turns[-1].content) == ("5", "re 14")


def test_sessions_of_other_homes_and_other_ids_are_apart(catalog: Storage) -> None:
    catalog.sessions.note("flat", "s", SAID, ASKED)
    assert catalog.sessions.session("attic", "s") == Session()
    assert catalog.sessions.session("flat", "t") == Session()


def test_a_question_is_taken_once_and_the_turns_stay(catalog: Storage) -> None:
    catalog.sessions.note("flat", "s", SAID, ASKED)
    assert catalog.sessions.take("q1") == ASKED
    assert catalog.sessions.take("q1") is None
    assert catalog.sessions.session("flat", "s") == Session(SAID, None)


def test_the_next_turn_takes_the_place_of_an_open_question(catalog: Storage) -> None:
    catalog.sessions.note("flat", "s", SAID, ASKED)
    catalog.sessions.note("flat", "s", [Turn("user", "算了")])
    assert catalog.sessions.take("q1") is None


def test_use_is_counted_by_person_and_dated(catalog: Storage) -> None:
    catalog.habits.use("flat", "anna", ["d1", "d2"])
    catalog.habits.use("flat", "anna", ["d1", "d1"])
    usage = catalog.habits.usage("flat", "anna")
    assert usage.counts == {"d1": 2, "d2": 1}
    assert usage.last_used["d1"] > usage.last_used["d2"]
    assert catalog.habits.usage("flat", "bert") == catalog.habits.usage("attic", "anna") == Usage()


def test_using_nothing_counts_nothing(catalog: Storage) -> None:
    catalog.habits.use("flat", "anna", [])
    assert catalog.habits.usage("flat", "anna") == Usage()


def test_words_come_back_by_number(catalog: Storage, home: Home) -> None:
    catalog.save_home(home)
    second = replace(WORD, number=2, surface="大熊", status="rejected")
    catalog.lexicon.save_entries("flat", [second, WORD])
    assert catalog.lexicon.entries("flat") == (WORD, second)
    assert catalog.lexicon.entries("attic") == ()


def test_the_version_of_a_home_rises_with_its_accepted_words_only(catalog: Storage, home: Home) -> None:
    catalog.save_home(home)
    catalog.lexicon.save_entries("flat", [WORD])
    assert catalog.load_home("flat").version == 1
    catalog.lexicon.save_entries("flat", [replace(WORD, status="accepted")])
    assert catalog.load_home("flat") == replace(home, version=2)
    assert [(h.version, h.devices) for h in catalog.list_homes()] == [(2, 2)]
    catalog.lexicon.save_entries("flat", [replace(WORD, status="accepted", count=9)])
    assert catalog.load_home("flat").version == 2
    assert catalog.save_home(home) == 3


def test_words_outlive_the_next_import(catalog: Storage, home: Home) -> None:
    catalog.save_home(home)
    catalog.lexicon.save_entries("flat", [replace(WORD, status="accepted")])
    catalog.save_home(home)
    assert catalog.lexicon.entries("flat") == (replace(WORD, status="accepted"),)


def test_words_of_an_unknown_home_are_not_accepted(catalog: Storage) -> None:
    with pytest.raises(HomeNotFound):
        catalog.lexicon.save_entries("nowhere", [replace(WORD, status="accepted")])
    assert catalog.lexicon.entries("nowhere") == ()


def test_lessons_come_back_in_order(catalog: Storage) -> None:
    lessons = [Lesson("小熊", "target", "d1", "fan", "on", "rephrased", at=float(n)) for n in range(3)]
    catalog.lexicon.log("flat", lessons[:2])
    catalog.lexicon.log("flat", lessons[2:])
    assert catalog.lexicon.lessons("flat") == tuple(lessons)
    assert catalog.lexicon.lessons("attic") == ()


def test_a_deleted_home_leaves_nothing_behind(catalog: Storage, home: Home) -> None:
    catalog.save_home(home)
    catalog.sessions.note("flat", "s", SAID, ASKED)
    catalog.habits.use("flat", "anna", ["d1"])
    catalog.lexicon.save_entries("flat", [WORD])
    catalog.lexicon.log("flat", [Lesson("小熊", "target", "d1")])
    catalog.delete_home("flat")
    assert catalog.sessions.session("flat", "s") == Session()
    assert catalog.sessions.take("q1") is None
    assert catalog.habits.usage("flat", "anna") == Usage()
    assert catalog.lexicon.entries("flat") == ()
    assert catalog.lexicon.lessons("flat") == ()
