"""The act service: plans, confirmations and undo, each executed at most once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from secrets import token_urlsafe
from uuid import uuid4

from winnow.act.receipt import ActRecord, ActRequest, Progress, calls_as_json, proposed_told
from winnow.engine.execute import (
    ActExecutor,
    ActUndoer,
    PlannedAct,
    UndoQuestion,
    empty_receipt,
    refusal_receipt,
)
from winnow.engine.home_cache import HomeCache, LoadedHome
from winnow.engine.llm.client import TurnTrace
from winnow.engine.sessions import SessionStore
from winnow.engine.turn import TurnPipeline
from winnow.engine.turn_input import FinishedTurn
from winnow.errors import HomeNotFound
from winnow.ports.services import Actuator, Audit
from winnow.ports.stores import CLOCK_DIFFERENCE, seconds_since
from winnow.types.lru import LruCache
from winnow.types.plan import ActingRules, Plan, handle, plan_of
from winnow.types.query import UNDO
from winnow.types.receipt import Confirmation, EntryKind, Receipt, Record
from winnow.types.retrieval import Retrieval
from winnow.types.scope import IsGone, Scope
from winnow.types.verdict import Act, Call, Confirm, Nothing, NotUnderstood, Refusal, Refuse, named_calls

MAX_RECORDED_CALLS = 64
"""Calls of a refused proposal that are put on record."""
MAX_RETRIEVALS = 256
"""Retrievals of one process that can still be acted on as they are; older ones are derived anew."""


class ActService:
    """What an engine does things with. Without an ``actuator`` nothing can be done, and that is told."""

    def __init__(self, deriving: TurnPipeline, homes: HomeCache, talk: SessionStore) -> None:
        self.deriving, self.homes, self.talk = deriving, homes, talk
        self.storage = deriving.storage
        self.executor = ActExecutor(deriving, talk)
        self.undoer = ActUndoer(self.executor, homes)
        self._retrievals: LruCache[str, Retrieval] = LruCache(MAX_RETRIEVALS)
        """By id."""
        self._acted_on: LruCache[str, bool] = LruCache(MAX_RETRIEVALS)
        """Ids of retrievals that were acted on."""

    @property
    def actuator(self) -> Actuator | None:
        """What moves the devices."""
        return self.executor.actuator

    @actuator.setter
    def actuator(self, actuator: Actuator | None) -> None:
        self.executor.actuator = actuator

    def record_in(self, audit: Audit) -> None:
        """Put what is done on record there, and not in the storage: for homes that are only played."""
        self.storage = self.executor.storage = replace(self.storage, audit=audit)

    @property
    def rules(self) -> ActingRules:
        """How acts are gone about."""
        return self.deriving.policy.acting

    @property
    def now(self) -> float:
        """Seconds since the epoch."""
        return self.storage.clock.now()

    async def turn_finished(self, turn: FinishedTurn) -> None:
        """Keep the plan of a retrieval, so that it can be named. Raises StoreError.

        An answer takes the place of its question: what asked cannot be answered a second time.
        """
        found = turn.retrieval
        late = await self._is_late(found)
        if late:
            self._is_first(found.id)  # so that nobody acts on it
        plan = plan_of(found, turn.view.home.version, self._now)
        if plan is not None:
            await self.storage.plans.keep(found.scope, replace(plan, state="spent") if late else plan)
        self._retrievals.put(found.id, found)

    async def act(self, found: Retrieval, progress: Progress | None = None) -> Receipt:
        """Carry out what the retrieval decided, or ask for the yes that it needs. Raises StoreError."""
        match found.verdict:
            case Confirm():
                return await self._ask(found)
            case Refuse(refusals=refused, conditions=conditions):
                return replace(empty_receipt(self._now), refused=refused, conditions=conditions)
            case Act() | Nothing(reason="condition_false"):
                return await self._execute_once(found, progress)
            case Nothing(reason=reason) if reason == UNDO:
                if not self._is_first(found.id):
                    return refusal_receipt(self._now, "done_already")
                words, agreed = (found.utterance.text, found.reading.language), await self._agreed_undo(found)
                return await self._receipt_or_question(
                    await self.undoer.undo(found.scope, *words, agreed), found
                )
            case Nothing(reason=reason, conditions=conditions):
                return replace(empty_receipt(self._now, reason), conditions=conditions)
            case NotUnderstood():
                return empty_receipt(self._now, "not_read")
        return empty_receipt(self._now, "nothing_to_do")

    async def execute_plan(self, scope: Scope, plan_id: str, progress: Progress | None = None) -> Receipt:
        """Carry out the plan of that handle. Raises HomeNotFound, StoreError."""
        plan = await self.storage.plans.plan(scope, plan_id)
        if plan is None or plan.proposed or not plan.calls:
            return refusal_receipt(self._now, "no_plan", what=plan_id)
        if plan.state == "spent":
            return refusal_receipt(self._now, "done_already")
        found = await self._retrieval_of(scope, plan)
        if found is None:
            return refusal_receipt(self._now, "expired")
        if plan.state == "asked":
            return await self._ask(found)
        if await self.storage.plans.spend(scope, plan_id, "open") is None:
            return refusal_receipt(self._now, "done_already")
        self._is_first(found.id)
        return await self._execute(found, plan.calls, progress)

    async def confirm(self, scope: Scope, token: str, progress: Progress | None = None) -> Receipt:
        """What follows from a yes of the scope's user to the question of that token.

        A question that was put to another stays open, and the try is put on record. Raises HomeNotFound,
        StoreError.
        """
        plan = await self.storage.plans.accept_token(scope, _token_hash(token))
        if plan is None:
            other = await self._plan_of_token(scope, token)
            return await self.refuse_answer(scope.at(other.home_id), other.id) if other else self._no_token
        if not await self._may_answer(scope, plan):
            return self._no_token
        said = plan.utterance
        whose = replace(scope, user=said.user, home=plan.home_id, session=said.session)
        await self._record_plan(whose, plan, "confirmed")
        if plan.mark.startswith(UNDO):
            said = plan.utterance
            return await self._receipt_or_question(
                await self.undoer.undo(whose, said.text, said.language, plan)
            )
        found = await self._retrieval_of(whose, plan)
        if found is None:
            return refusal_receipt(self._now, "expired")
        self._is_first(found.id)
        return await self._execute(_after_confirmation(found, plan), plan.calls, progress)

    async def home_of(self, scope: Scope, token: str) -> str:
        """Id of the home that the question of that token is about; empty: nothing waits for it.

        Raises StoreError.
        """
        plan = await self._plan_of_token(scope, token)
        return plan.home_id if plan else ""

    async def refuse_answer(self, scope: Scope, question: str) -> Receipt:
        """Nothing is done: the scope's user answered a question that was put to another. Raises StoreError.

        Who tried is put on record with the id of the question.
        """
        body = {"why": ["not_asked"], "question": question}
        await self._record_refusal(scope, body)
        return refusal_receipt(self._now, "not_asked")

    async def _plan_of_token(self, scope: Scope, token: str) -> Plan | None:
        return await self.storage.plans.waiting_plan(scope, _token_hash(token))

    @property
    def _no_token(self) -> Receipt:
        return refusal_receipt(self._now, "no_token")

    async def execute_proposal(self, found: Retrieval, progress: Progress | None = None) -> Receipt:
        """What an agent put together and was checked, done while its turn still comes to an act."""
        self._is_first(found.id)
        return await self._execute(found, found.proposed_calls, progress)

    async def ask_to_confirm(self, found: Retrieval, question: str) -> Receipt:
        """The question whether what an agent put together may be done, for the person."""
        plan = plan_of(found, 0, self._now)
        assert plan is not None
        name = handle(plan.id, repr(found.proposed_calls))
        asked = replace(plan, id=name, calls=found.proposed_calls, state="asked", offered={}, proposed=True)
        home = await self.homes.load_named(found.scope)
        return await self._ask_with_token(found.scope, replace(asked, version=home.home.version), question)

    async def record_refusal(
        self, scope: Scope, refusals: Sequence[Refusal], proposed: Sequence[Call] = ()
    ) -> Receipt:
        """What an agent wanted and does not get, on record with the reasons. Raises StoreError."""
        body: dict[str, object] = {"why": [refusal.code for refusal in refusals]}
        with suppress(HomeNotFound):
            home = await self.homes.load_named(scope)
            body["calls"] = proposed_told(proposed[:MAX_RECORDED_CALLS], home.view)
        await self._record_refusal(scope, body)
        return replace(empty_receipt(self._now), refused=tuple(refusals))

    async def _record_refusal(self, scope: Scope, body: Mapping[str, object]) -> None:
        """Put on record that the scope's user, or their agent, wanted what was not done."""
        record = Record(self._now, scope.user, "refused", uuid4().hex, body)
        await self.storage.audit.append(scope, [record])

    async def undo(self, scope: Scope) -> Receipt:
        """Take back what this person did last. Raises HomeNotFound, StoreError."""
        return await self._receipt_or_question(await self.undoer.undo(scope))

    def drop(self, is_gone: IsGone) -> None:
        """Forget the retrievals of these persons: nobody can act on them as they were."""
        self._retrievals.drop(lambda _, found: is_gone(found.scope))

    @property
    def _now(self) -> float:
        return self.storage.clock.now()

    async def _execute_once(self, found: Retrieval, progress: Progress | None) -> Receipt:
        """Carried out, unless it was already."""
        plan = plan_of(found, 0, self._now)
        if not self._is_first(found.id):
            return refusal_receipt(self._now, "done_already")
        if plan is not None and (code := await self._spend_plan(found, plan)):
            return refusal_receipt(self._now, code)
        return await self._execute(found, named_calls(found.verdict), progress)

    async def _spend_plan(self, found: Retrieval, plan: Plan) -> str:
        """Spend the plan of a retrieval; why it cannot be carried out, where it cannot."""
        mine = await self.storage.plans.plan(found.scope, plan.id)
        if mine is None or not self._in_time(mine):
            return "expired"
        if mine.retrieval_id != found.id:  # the same words were said again: that plan is of the other turn
            return ""
        spent = await self.storage.plans.spend(found.scope, plan.id, "open")
        return "" if spent is not None else "done_already"

    async def _execute(
        self, found: Retrieval, planned: tuple[Call, ...], progress: Progress | None
    ) -> Receipt:
        """What came of it, in the home as it is now."""
        home = await self.homes.load_named(found.scope)
        words = found.utterance.text, found.reading.language
        order = ActRequest(found.scope, *words, found.plan, progress=progress)
        came = await self.executor.execute(PlannedAct(found, planned, home, order))
        if isinstance(came, Receipt):
            return came
        reading = replace(found.reading, confirmed=False)
        asking = replace(
            found, attempt=replace(found.attempt, reading=reading, verdict=came), proposed_calls=()
        )
        return await self._ask(await self._keep_question(asking, home, is_answer=False))

    async def _keep_question(
        self, asking: Retrieval, home: LoadedHome, *, is_answer: bool = True
    ) -> Retrieval:
        """The retrieval as one that asks something new, kept like a turn."""
        asking = replace(asking, id=uuid4().hex)
        turn = FinishedTurn(asking, home.view, asking.utterance.text, self._now)
        await self.talk.turn_finished(turn)
        kept = asking if is_answer else replace(asking, after="")
        await self.turn_finished(replace(turn, retrieval=kept))
        return asking

    async def _ask(self, found: Retrieval) -> Receipt:
        """A question that waits for a yes, with the token that says it."""
        home = await self.homes.load_named(found.scope)
        plan = plan_of(found, home.home.version, self._now)
        assert plan is not None
        assert isinstance(found.verdict, Confirm)
        if known := await self.storage.plans.plan(found.scope, plan.id):
            plan = replace(plan, mark=known.mark)  # it may say what is taken back
        return await self._ask_with_token(found.scope, plan, found.verdict.question)

    async def _ask_with_token(self, scope: Scope, plan: Plan, question: str) -> Receipt:
        """The plan with its token, of which only the digest is kept."""
        token, ends = token_urlsafe(12), self._now + self.rules.yes_seconds
        await self.storage.plans.keep(scope, replace(plan, token_hash=_token_hash(token), expires_at=ends))
        await self._record_plan(scope, plan, "asked")
        return Receipt(plan.id, self._now, plan.id, waiting=Confirmation(token, question, ends))

    async def _agreed_undo(self, found: Retrieval) -> Plan | None:
        """What a yes in words was given to."""
        asked = self._retrievals.get(found.after) if found.reading.confirmed else None
        plan = plan_of(asked, 0, self._now) if asked else None
        return await self.storage.plans.plan(found.scope, plan.id) if plan else None

    async def _receipt_or_question(
        self, came: Receipt | UndoQuestion, found: Retrieval | None = None
    ) -> Receipt:
        """The receipt, or the question whether something dangerous may be done to take it back.

        Where words asked for it (``found``), words can answer.
        """
        if isinstance(came, Receipt):
            return came
        if found is None:
            return await self._ask_with_token(came.scope, came.plan, came.question)
        home = await self.homes.load_named(found.scope)
        asking = found.with_verdict(Confirm(came.plan.calls, came.question))
        asking = await self._keep_question(asking, home)
        plan = plan_of(asking, home.home.version, self._now)
        assert plan is not None
        return await self._ask_with_token(came.scope, replace(plan, mark=came.plan.mark), came.question)

    async def _is_late(self, found: Retrieval) -> bool:
        """Whether a question was answered elsewhere before this answer to it."""
        if not found.after:
            return False
        asked = self._retrievals.get(found.after)
        plan = plan_of(asked or found, 0, self._now)
        if plan is None or (asked is None and not found.reading.confirmed):
            return False
        if await self.storage.plans.spend(found.scope, plan.id, "asked") is not None:
            return False
        known = await self.storage.plans.plan(found.scope, plan.id)
        return known is not None and known.state == "spent"

    async def _retrieval_of(self, scope: Scope, plan: Plan) -> Retrieval | None:
        """The retrieval of a plan, derived anew where it is not at hand; None where it is another one now."""
        if not self._in_time(plan):
            return None
        home = await self.homes.load_named(scope.at(plan.home_id))
        known = self._retrievals.get(plan.retrieval_id)
        if known is not None and plan.version == home.home.version:
            return known
        found = await self.deriving.run_turn(self.deriving.turn_input(plan.utterance, home), TurnTrace())
        same = _call_keys(named_calls(found.verdict)) == _call_keys(plan.calls)
        return replace(found, id=plan.retrieval_id) if same else None

    async def _may_answer(self, scope: Scope, plan: Plan) -> bool:
        """Whether a yes of the person asked still counts."""
        # One that ends later than any that is asked now was asked before the clock was set back.
        if not 0 <= plan.expires_at - self._now <= self.rules.yes_seconds + CLOCK_DIFFERENCE:
            return False
        # Whether it is the talk's last question: a button of an older one is as late as a word would be
        said = plan.utterance
        if not said.session or plan.proposed or plan.mark.startswith(UNDO):
            return True
        talk = replace(scope, user=said.user, home=plan.home_id, session=said.session)
        question = (await self.storage.sessions.session(talk)).question
        return question is not None and question.id == plan.retrieval_id

    def _in_time(self, plan: Plan) -> bool:
        return seconds_since(plan.made_at, self._now) <= self.rules.plan_seconds

    def _is_first(self, retrieval_id: str) -> bool:
        """Whether nobody acted on that retrieval before; nobody does after."""
        if retrieval_id in self._acted_on:
            return False
        self._acted_on.put(retrieval_id, True)
        return True

    async def _record_plan(self, scope: Scope, plan: Plan, kind: EntryKind) -> None:
        view = (await self.homes.load_named(scope)).view
        account = ActRecord(self.storage.audit, self.storage.clock, ActRequest(scope), view, plan.id)
        await account.note(kind, {"plan": plan.id, "calls": calls_as_json(plan.calls, view)})


def _after_confirmation(found: Retrieval, plan: Plan) -> Retrieval:
    """The same after a yes to the plan."""
    reading = replace(found.reading, confirmed=True)
    proposed = plan.calls if plan.proposed else ()
    return replace(found, attempt=replace(found.attempt, reading=reading), proposed_calls=proposed)


def _call_keys(calls: tuple[Call, ...]) -> set[tuple[str, str]]:
    return {(call.device_id, call.command_id) for call in calls}


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "backslashreplace")).hexdigest()
