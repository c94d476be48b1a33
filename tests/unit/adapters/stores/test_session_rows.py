"""Sessions, use and learned words: the same promises on disk and in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.errors import HomeNotFound
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.home import Home, Lesson, LexiconEntry
from winnow.types.scope import Scope
from winnow.types.utterance import Question, Session, Turn, Usage, Utterance

TALK, ANNA = Scope(home="flat", session="s"), Scope(user="anna", home="flat")
FLAT, ATTIC = Scope(home="flat"), Scope(home="attic")
SAID = (Turn("user", "开灯", ("d1",)), Turn("assistant", "哪一个？"))
ASKED = Question(
    "q1",
    "flat",
    3,
    Utterance(
        "开灯",
        language="zh",
        home="flat",
        room="r1",
        user="anna",
        session="s",
        history=SAID,
        time=5.0,
        tenant="default",
    ),
    1000.5,
    "mark",
)
WORD = LexiconEntry(1, "小熊", "alias", "d1", count=3, against=1)


def test_a_session_nobody_spoke_in_is_empty(storage: Storage) -> None:
    assert run_blocking(storage.sessions.session(TALK)) == Session()


def test_turns_and_the_open_question_come_back_as_they_were(storage: Storage) -> None:
    run_blocking(storage.sessions.note(TALK, SAID, ASKED))
    assert run_blocking(storage.sessions.session(TALK)) == Session(SAID, ASKED)


def test_a_session_keeps_its_last_20_turns(storage: Storage) -> None:
    for n in range(15):
        run_blocking(storage.sessions.note(TALK, [Turn("user", f"{n}"), Turn("assistant", f"re {n}")]))
    turns = run_blocking(storage.sessions.session(TALK)).turns
    assert len(turns) == 20
    assert (turns[0].content, turns[-1].content) == ("5", "re 14")


def test_sessions_of_other_homes_and_other_ids_are_apart(storage: Storage) -> None:
    run_blocking(storage.sessions.note(TALK, SAID, ASKED))
    assert run_blocking(storage.sessions.session(TALK.at("attic"))) == Session()
    assert run_blocking(storage.sessions.session(Scope(home="flat", session="t"))) == Session()


def test_a_question_is_answered_once_and_the_turns_stay(storage: Storage) -> None:
    run_blocking(storage.sessions.note(TALK, SAID, ASKED))
    assert run_blocking(storage.sessions.question(Scope(), "q1")) == ASKED
    first, second = [Turn("user", "书房的")], [Turn("user", "客厅的")]
    assert run_blocking(storage.sessions.note(TALK, first, answered="q1"))
    assert not run_blocking(storage.sessions.note(TALK, second, answered="q1"))
    assert run_blocking(storage.sessions.question(Scope(), "q1")) is None
    assert run_blocking(storage.sessions.session(TALK)) == Session((*SAID, *first), None)


def test_a_question_that_was_put_to_another_stays_open(storage: Storage) -> None:
    run_blocking(storage.sessions.note(TALK, SAID, ASKED))
    bert = Scope(user="bert", home="flat", session="s")
    assert not run_blocking(storage.sessions.note(bert, [Turn("user", "好")], answered="q1"))
    assert run_blocking(storage.sessions.session(TALK)) == Session(SAID, ASKED)
    assert run_blocking(storage.sessions.session(bert)) == Session()


def test_the_next_turn_takes_the_place_of_an_open_question(storage: Storage) -> None:
    run_blocking(storage.sessions.note(TALK, SAID, ASKED))
    run_blocking(storage.sessions.note(TALK, [Turn("user", "算了")]))
    assert run_blocking(storage.sessions.question(Scope(), "q1")) is None


def test_use_is_counted_by_person_and_dated(storage: Storage) -> None:
    run_blocking(storage.habits.use(ANNA, ["d1", "d2"]))
    run_blocking(storage.habits.use(ANNA, ["d1", "d1"]))
    usage = run_blocking(storage.habits.usage(ANNA))
    assert usage.counts == {"d1": 2, "d2": 1}
    assert usage.last_used["d1"] > usage.last_used["d2"]
    assert (
        run_blocking(storage.habits.usage(Scope(user="bert", home="flat")))
        == run_blocking(storage.habits.usage(ANNA.at("attic")))
        == Usage()
    )


def test_using_nothing_counts_nothing(storage: Storage) -> None:
    run_blocking(storage.habits.use(ANNA, []))
    assert run_blocking(storage.habits.usage(ANNA)) == Usage()


def test_words_come_back_by_number(storage: Storage, home: Home) -> None:
    run_blocking(storage.homes.save_home(FLAT, home))
    second = replace(WORD, number=2, surface="大熊", status="rejected")
    run_blocking(storage.lexicon.save_entries(FLAT, [second, WORD]))
    assert run_blocking(storage.lexicon.entries(FLAT)) == (WORD, second)
    assert run_blocking(storage.lexicon.entries(ATTIC)) == ()


def test_the_version_of_a_home_rises_with_its_accepted_words_only(storage: Storage, home: Home) -> None:
    run_blocking(storage.homes.save_home(FLAT, home))
    run_blocking(storage.lexicon.save_entries(FLAT, [WORD]))
    assert run_blocking(storage.homes.load_home(FLAT)).version == 1
    run_blocking(storage.lexicon.save_entries(FLAT, [replace(WORD, status="accepted")]))
    assert run_blocking(storage.homes.load_home(FLAT)) == replace(home, version=2)
    assert [(h.version, h.devices) for h in run_blocking(storage.homes.list_homes(FLAT))] == [(2, 2)]
    run_blocking(storage.lexicon.save_entries(FLAT, [replace(WORD, status="accepted", count=9)]))
    assert run_blocking(storage.homes.load_home(FLAT)).version == 2
    assert run_blocking(storage.homes.save_home(FLAT, home)) == 3


def test_words_outlive_the_next_import(storage: Storage, home: Home) -> None:
    run_blocking(storage.homes.save_home(FLAT, home))
    run_blocking(storage.lexicon.save_entries(FLAT, [replace(WORD, status="accepted")]))
    run_blocking(storage.homes.save_home(FLAT, home))
    assert run_blocking(storage.lexicon.entries(FLAT)) == (replace(WORD, status="accepted"),)


def test_words_of_an_unknown_home_are_not_accepted(storage: Storage) -> None:
    with pytest.raises(HomeNotFound):
        run_blocking(storage.lexicon.save_entries(Scope(home="nowhere"), [replace(WORD, status="accepted")]))
    assert run_blocking(storage.lexicon.entries(Scope(home="nowhere"))) == ()


def test_lessons_come_back_in_order(storage: Storage) -> None:
    lessons = [Lesson("小熊", "target", "d1", "fan", "on", "rephrased", at=float(n)) for n in range(3)]
    run_blocking(storage.lexicon.log(FLAT, lessons[:2]))
    run_blocking(storage.lexicon.log(FLAT, lessons[2:]))
    assert run_blocking(storage.lexicon.lessons(FLAT)) == tuple(lessons)
    assert run_blocking(storage.lexicon.lessons(ATTIC)) == ()


def test_a_deleted_home_leaves_nothing_behind(storage: Storage, home: Home) -> None:
    run_blocking(storage.homes.save_home(FLAT, home))
    run_blocking(storage.sessions.note(TALK, SAID, ASKED))
    run_blocking(storage.habits.use(ANNA, ["d1"]))
    run_blocking(storage.lexicon.save_entries(FLAT, [WORD]))
    run_blocking(storage.lexicon.log(FLAT, [Lesson("小熊", "target", "d1")]))
    run_blocking(storage.homes.delete_home(FLAT))
    assert run_blocking(storage.sessions.session(TALK)) == Session()
    assert run_blocking(storage.sessions.question(Scope(), "q1")) is None
    assert run_blocking(storage.habits.usage(ANNA)) == Usage()
    assert run_blocking(storage.lexicon.entries(FLAT)) == ()
    assert run_blocking(storage.lexicon.lessons(FLAT)) == ()
