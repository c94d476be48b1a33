"""A question is answered once, whoever answers it at once."""

from __future__ import annotations

import asyncio

from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.scope import Scope
from winnow.types.utterance import Question, Turn, Utterance

TALK = Scope(home="flat", session="s")
ASKED = Question("q1", "flat", 1, Utterance("开灯", home="flat", session="s", tenant="default"), 0.0, "mark")


def test_of_many_answers_at_once_one_is_kept(storage: Storage) -> None:
    async def all_at_once() -> list[bool]:
        answers = [[Turn("user", f"{n}")] for n in range(8)]
        return await asyncio.gather(*(storage.sessions.note(TALK, a, answered="q1") for a in answers))

    run_blocking(storage.sessions.note(TALK, [Turn("user", "开灯")], ASKED))
    assert sorted(asyncio.run(all_at_once())) == [False] * 7 + [True]
    assert len(run_blocking(storage.sessions.session(TALK)).turns) == 2


def test_a_reply_takes_the_place_of_the_answer_and_leaves_the_question_open(storage: Storage) -> None:
    sessions = storage.sessions
    turns = [Turn("user", "开灯", ("l1",)), Turn("assistant", "哪一盏？", ("l1",))]
    run_blocking(sessions.note(TALK, turns, ASKED))
    assert run_blocking(sessions.set_reply(TALK, "开灯", "要开哪盏灯呢？"))
    kept = run_blocking(sessions.session(TALK))
    assert kept.turns == (turns[0], Turn("assistant", "要开哪盏灯呢？", ("l1",)))
    assert kept.question is not None
    assert kept.question.id == "q1"


def test_a_reply_stands_behind_what_nobody_answered_and_never_behind_a_later_turn(storage: Storage) -> None:
    sessions = storage.sessions
    run_blocking(sessions.note(TALK, [Turn("user", "hello")]))
    assert run_blocking(sessions.set_reply(TALK, "hello", "Hello!"))
    run_blocking(sessions.note(TALK, [Turn("user", "one"), Turn("user", "two")]))
    assert not run_blocking(sessions.set_reply(TALK, "one", "too late"))
    assert not run_blocking(sessions.set_reply(TALK, "never said", "no"))
    assert run_blocking(sessions.set_reply(TALK, "two", "Two."))
    said = [turn.content for turn in run_blocking(sessions.session(TALK)).turns]
    assert said == ["hello", "Hello!", "one", "two", "Two."]
