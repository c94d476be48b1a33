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
