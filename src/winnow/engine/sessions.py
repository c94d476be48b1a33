"""What lies between two sentences.

The turns of a session, what a person uses, the question still open, and what a turn teaches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from winnow.engine.replies import names_message, session_reply
from winnow.engine.turn_input import FinishedTurn
from winnow.errors import NoOpenQuestion
from winnow.ports.stores import Storage, seconds_since
from winnow.types.home import HomeView
from winnow.types.lru import LruCache
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import IsGone, Scope
from winnow.types.utterance import LanguageCode, Question, Session, Turn, Utterance
from winnow.types.verdict import Clarify, Confirm, Nothing, NotUnderstood, Verdict, verdict_digest

MAX_OPEN_QUESTIONS = 128
"""Questions without a session that wait for an answer in one process; the oldest is forgotten first."""

LearnFunction = Callable[[Retrieval, HomeView], Awaitable[None]]
"""What is to be told of every turn, where learning is on."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question taken up again; ``retrieval`` is None when another process asked it."""

    question: Question
    retrieval: Retrieval | None = None


class SessionStore:
    """One memory for all sessions of a storage.

    ``confirm_seconds``: how long a yes to a dangerous act is good for.
    """

    def __init__(
        self, storage: Storage, *, confirm_seconds: float = 60.0, learn: LearnFunction | None = None
    ) -> None:
        self.storage, self.confirm_seconds = storage, confirm_seconds
        self.learn = learn
        self._questions: LruCache[tuple[str, str, str], OpenQuestion] = LruCache(MAX_OPEN_QUESTIONS)
        """By tenant, who was asked, and id."""
        self._turn_locks: WeakValueDictionary[tuple[int, str, str, str], asyncio.Lock] = WeakValueDictionary()

    def turn_lock(self, talk: tuple[str, str, str]) -> AbstractAsyncContextManager[Any]:
        """What keeps the turns of a talk (tenant, user, session) one after the other; none without a session.

        A second yes that is read while the first one is carried out would find its question gone and the
        words of the question in the history, and count as a yes to them.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a blocking caller, whose turn is run through in its own thread
            return nullcontext()
        # A lock belongs to the event loop of those who wait for it.
        return self._turn_locks.setdefault((id(loop), *talk), asyncio.Lock()) if talk[2] else nullcontext()

    async def join_session(self, said: Utterance, home_id: str) -> tuple[Utterance, Question | None]:
        """The utterance with the history of its session and the use of its user; the open question, if any.

        Without a session and a user, or with a history of the caller's own, nothing is read.
        """
        said = await self._with_usage(said, home_id)
        if not said.session or said.history:
            return said, None
        known = await self.storage.sessions.session(said.scope.at(home_id))
        return replace(said, history=turns_without_question(known)), known.question

    async def turn_finished(self, turn: FinishedTurn) -> None:
        """Keep what the person and we said, the question that is open now, and what the turn teaches.

        Raises NoOpenQuestion where another answer came first, in whatever process; StoreError.
        """
        retrieval, version = turn.retrieval, turn.view.home.version
        verdict, home, question = retrieval.verdict, retrieval.home_id, None
        # A question without options is answered in a new sentence, with the history.
        if isinstance(verdict, Confirm) or (isinstance(verdict, Clarify) and verdict.options):
            now, asked = self.storage.clock.now(), replace(retrieval.utterance, home=home)
            question = Question(retrieval.id, home, version, asked, now, verdict_digest(verdict))
        if retrieval.utterance.session:
            turns = session_turns(retrieval, turn.view, turn.answer_text)
            scope, sessions = retrieval.scope, self.storage.sessions
            if not await sessions.note(scope, turns, question, answered=turn.answered):
                raise NoOpenQuestion(turn.answered)
        if question is not None:
            self._questions.put(
                _question_key(retrieval.scope, question.id), OpenQuestion(question, retrieval)
            )
        if self.learn is not None:
            await self.learn(retrieval, turn.view)

    async def question_of(self, scope: Scope, question_id: str) -> OpenQuestion:
        """The open question of that id that was put to the scope's user.

        One without a session is given once. That of a session stays open until a turn that answers it is
        finished, so that no other turn finds its words in the history and takes them for its own. Raises
        NoOpenQuestion, StoreError.
        """
        asked = self._questions.pop(_question_key(scope, question_id))
        if asked is not None and not asked.question.utterance.session:
            return asked
        stored = await self.storage.sessions.question(scope, question_id)
        if stored is None or stored.utterance.user != scope.user:
            raise NoOpenQuestion(question_id)
        if asked is not None:
            return asked
        return OpenQuestion(
            replace(stored, utterance=await self._with_usage(stored.utterance, stored.home_id))
        )

    async def open_question(self, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked; it stays open. Raises StoreError."""
        asked = (
            one.question
            for at, one in self._questions.items()
            if (at[0], at[2]) == (scope.tenant, question_id)
        )
        here = next((question for question in asked if not question.utterance.session), None)
        return here or await self.storage.sessions.question(scope, question_id)

    def is_in_time(self, question: Question, verdict: Verdict) -> bool:
        """Whether an answer still counts: the same question, and a confirmation not too old."""
        fresh = seconds_since(question.asked_at, self.storage.clock.now()) <= self.confirm_seconds
        return verdict_digest(verdict) == question.mark and (fresh or not isinstance(verdict, Confirm))

    async def count_use(self, retrieval: Retrieval, user: str = "") -> None:
        """Count a use of what the retrieval chose, for ``user`` or whoever spoke.

        Without either there is nothing to count.
        """
        who = user or retrieval.utterance.user
        if who:
            await self.storage.habits.use(replace(retrieval.scope, user=who), retrieval.device_ids)

    async def record_act(
        self, scope: Scope, receipt: Receipt, view: HomeView, language: LanguageCode
    ) -> None:
        """Remember what was done: its use is counted, and the talk goes on about it. Raises StoreError."""
        ids = receipt.device_ids
        if ids and scope.user:
            await self.storage.habits.use(scope, ids)
        if ids and scope.session:
            known = await self.storage.sessions.session(scope)
            if not known.turns or set(known.turns[-1].device_ids) != set(ids):
                turn = Turn("assistant", names_message("done", ids, view, language), ids)
                await self.storage.sessions.note(scope, [turn], known.question)

    def drop(self, is_gone: IsGone) -> None:
        """Forget the open questions of these persons."""
        self._questions.drop(lambda _, asked: is_gone(asked.question.utterance.scope))

    async def _with_usage(self, said: Utterance, home_id: str) -> Utterance:
        """The utterance with what its user uses."""
        if not said.user:
            return said
        return replace(said, usage=await self.storage.habits.usage(said.scope.at(home_id)))


def _question_key(scope: Scope, question_id: str) -> tuple[str, str, str]:
    return scope.tenant, scope.user, question_id


def session_turns(retrieval: Retrieval, view: HomeView, said: str) -> tuple[Turn, ...]:
    """What a session remembers of a turn: what the person said, and our answer where it is ours to give."""
    person = Turn("user", said, retrieval.device_ids)
    if is_answered_elsewhere(retrieval):
        return (person,)
    return person, Turn("assistant", session_reply(retrieval, view), retrieval.device_ids)


def is_answered_elsewhere(retrieval: Retrieval) -> bool:
    """Whether somebody else answers the turn.

    Then our own words about it are none of the talk, and nothing is to be copied from them.
    """
    if isinstance(retrieval.verdict, NotUnderstood):
        return retrieval.intent is not None and retrieval.intent.source in {"knowledge", "history"}
    return isinstance(retrieval.verdict, Nothing) and retrieval.verdict.reason in {"knowledge", "chat"}


def turns_without_question(session: Session) -> tuple[Turn, ...]:
    """The turns for understanding a new sentence.

    A question that waits for its own answer is left out: no other word may confirm it.
    """
    turns = session.turns
    return turns[:-1] if session.question is not None and turns and turns[-1].role == "assistant" else turns
