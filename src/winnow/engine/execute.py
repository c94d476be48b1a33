"""Executes a planned act on the home as it is now, with every step in the audit log."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from winnow.act.checks import DeviceLock, DeviceQueue, Key, as_proposed, within
from winnow.act.execute import ExecutionContext, carried_out
from winnow.act.receipt import ActRecord, ActRequest, PastAct, last_act
from winnow.act.refresh import (
    FreshState,
    agreed_to,
    explain_staleness,
    restrict_to_plan,
    waiting_for,
    with_moments,
    worth_a_look,
)
from winnow.act.undo import taking_back
from winnow.decide.confirm import review_calls
from winnow.decide.decide import decide
from winnow.engine.home_cache import HomeCache, LoadedHome
from winnow.engine.sessions import SessionStore
from winnow.engine.turn import TurnPipeline
from winnow.errors import LinkError
from winnow.ports.services import Actuator
from winnow.types.home import Scalar
from winnow.types.plan import Plan, handle
from winnow.types.query import UNDO
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import LanguageCode, Utterance
from winnow.types.verdict import Act, Call, Confirm, Nothing, Refusal, Refuse, Verdict


@dataclass(frozen=True, slots=True)
class PlannedAct:
    """What is to be done: the calls as they were told, and the retrieval that they came from."""

    retrieval: Retrieval
    calls: tuple[Call, ...]
    home: LoadedHome
    request: ActRequest

    @property
    def waiting_ids(self) -> frozenset[str]:
        """What only waited for its condition."""
        return waiting_for(self.retrieval.attempt)


@dataclass(frozen=True, slots=True)
class CallBatch:
    """Calls about to be carried out, and what is told beside them."""

    calls: tuple[Call, ...]
    before: Snapshot
    receipt: Receipt
    """What the receipt says beside the outcomes."""


class ActExecutor:
    """How things are done by an engine. Without an ``actuator`` nothing can be done, and that is told."""

    def __init__(self, deriving: TurnPipeline, talk: SessionStore) -> None:
        self.deriving, self.storage, self.talk = deriving, deriving.storage, talk
        self.actuator: Actuator | None = None
        self.turns = DeviceQueue()

    @property
    def now(self) -> float:
        """Seconds since the epoch."""
        return self.storage.clock.now()

    async def look_at(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot | Receipt:
        """These devices, or all, as they are now, or why they cannot be seen. Raises HomeNotFound."""
        if self.actuator is None:
            return refusal_receipt(self.now, "no_hands")
        seen = await within(self.deriving.policy.acting.act_seconds, self.actuator.look(scope, refs))
        if isinstance(seen, LinkError):
            return refusal_receipt(self.now, "unreadable_home", why=str(seen))
        if isinstance(seen, TimeoutError):
            return refusal_receipt(self.now, "unreadable_home")
        if isinstance(seen, BaseException):
            raise seen
        return seen

    async def execute(self, meant: PlannedAct) -> Receipt | Confirm:
        """What came of it, or the question that has to be answered first. Raises StoreError."""
        scope = meant.request.scope
        ids = meant.waiting_ids | {call.device_id for call in meant.calls}
        held = await self.turns.acquire(lock_keys(scope, ids))
        try:
            refs = worth_a_look(meant.retrieval.attempt, meant.calls, meant.home.view)
            look = await self.look_at(scope, refs)
            if isinstance(look, Receipt):
                return look
            told = FreshState.of(look, meant.home.view, self.deriving.policy.acting, self.now)
            # What is to be done of it now: conditions and relative values count now
            verdict = self._decide(meant, told, confirmed=meant.retrieval.reading.confirmed)
            if meant.retrieval.reading.confirmed and not agreed_to(meant.calls, verdict):
                verdict = self._decide(meant, told, confirmed=False)
            if isinstance(verdict, Confirm):
                return verdict
            return await self._settle(meant, verdict, look, held)
        finally:
            held.leave()

    async def _settle(self, meant: PlannedAct, verdict: Verdict, look: Snapshot, held: DeviceLock) -> Receipt:
        """What comes of a verdict that asks nothing."""
        told = empty_receipt(self.now)
        if isinstance(verdict, Act | Refuse | Nothing):
            conditions = with_moments(verdict.conditions, look, meant.home.view)
            told = replace(told, conditions=conditions)
        match verdict:
            case Act(calls=calls, refused=refused):
                told = replace(told, refused=refused)
                if not calls:
                    return told
                return await self.send_calls(meant.request, meant.home, CallBatch(calls, look, told), held)
            case Refuse(refusals=refused):
                return replace(told, refused=refused)
            case Nothing(reason=reason):
                return replace(told, reason=reason)
        return replace(told, refused=(Refusal("expired"),))

    def _decide(self, meant: PlannedAct, told: FreshState, *, confirmed: bool) -> Verdict:
        attempt, view = meant.retrieval.attempt, meant.home.view
        reading = replace(attempt.reading, confirmed=confirmed)
        said = meant.retrieval.utterance
        limits = self.deriving.limits(view.home.id, said.user)
        verdict = decide(reading, attempt.shortlists, view, told.snapshot, said, limits=limits)
        verdict = explain_staleness(verdict, told, view)
        verdict = as_proposed(meant.retrieval.proposed_calls, attempt, verdict)
        return (
            restrict_to_plan(meant.calls, meant.waiting_ids, verdict, told, view)
            if isinstance(verdict, Act)
            else verdict
        )

    async def send_calls(
        self, order: ActRequest, home: LoadedHome, deeds: CallBatch, held: DeviceLock
    ) -> Receipt:
        """What came of the calls; every step is on record before the next. Raises StoreError."""
        assert self.actuator is not None
        account = ActRecord(self.storage.audit, self.storage.clock, order, home.view)
        receipt = replace(deeds.receipt, id=account.id, at=self.now, plan=order.plan, undoes=order.undoes)
        await account.begin(deeds.calls)
        hands = ExecutionContext(
            order.scope,
            home.view,
            self.actuator,
            self.deriving.policy.acting,
            lambda outcomes: account.came(outcomes, len(deeds.calls)),
            held.leave,
        )
        outcomes = await carried_out(deeds.calls, deeds.before, hands)
        receipt = replace(receipt, outcomes=outcomes)
        await account.end(receipt)
        await self.talk.record_act(order.scope, receipt, home.view, order.language)
        return receipt


def lock_keys(scope: Scope, device_ids: Collection[str]) -> list[Key]:
    """What acts on these devices take turns for."""
    return [(scope.tenant, scope.home, device_id) for device_id in device_ids]


def empty_receipt(now: float, reason: str = "") -> Receipt:
    """Nothing was done."""
    return Receipt("", now, reason=reason)


def refusal_receipt(now: float, code: str, **facts: Scalar) -> Receipt:
    """Nothing was done, and why."""
    return Receipt("", now, refused=(Refusal(code, facts),))


# Undoes the last act: finds it in the audit log and reverses what nobody changed since.

MAX_AUDIT_ENTRIES = 500
"""Entries of the log that the last act is looked for in."""
MAX_UNDO_SECONDS = 600.0
"""Seconds after which an act of another talk is not taken back any more."""


@dataclass(frozen=True, slots=True)
class UndoQuestion:
    """A question whether something dangerous may be done to take an act back."""

    scope: Scope
    plan: Plan
    question: str


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """An act that somebody wants taken back."""

    request: ActRequest
    home: LoadedHome
    act: PastAct
    confirmed_plan: Plan | None
    """What a yes was given to."""

    @property
    def mark(self) -> str:
        """What tells the plan that takes this act back."""
        return f"{UNDO} {self.act.id}"

    @property
    def is_another(self) -> bool:
        """Whether a yes was given to taking back another act."""
        return self.confirmed_plan is not None and self.confirmed_plan.mark != self.mark

    def is_agreed(self, calls: tuple[Call, ...]) -> bool:
        """Whether a yes was given to exactly these."""
        return self.confirmed_plan is not None and self.confirmed_plan.calls == calls

    def plan(self, calls: tuple[Call, ...], now: float) -> Plan:
        """What waits for a yes."""
        scope, version = self.request.scope, self.home.home.version
        said = Utterance(
            self.request.said,
            self.request.language,
            home=scope.home,
            user=scope.user,
            session=scope.session,
            tenant=scope.tenant,
        )
        name = handle(scope.user, scope.session, scope.home, self.mark)
        return Plan(name, scope.home, version, said, calls, self.mark, now, "asked", proposed=True)


class ActUndoer:
    """How acts are taken back.

    Nothing of an act is taken back where a part of it cannot be: half of a state is neither the old one nor
    the new one. What somebody changed since is left alone, and the rest is taken back.
    """

    def __init__(self, carrying: ActExecutor, homes: HomeCache) -> None:
        self.carrying, self.homes = carrying, homes

    async def undo(
        self, scope: Scope, said: str = "", language: LanguageCode | None = None, agreed: Plan | None = None
    ) -> Receipt | UndoQuestion:
        """Take back what this person did last, in that talk or else in the last ten minutes.

        ``agreed``: the plan that a yes was given to. Raises HomeNotFound, StoreError.
        """
        home = await self.homes.load_named(scope)
        order = ActRequest(
            scope.at(home.home.id), said, language or self.carrying.deriving.policy.language or "en"
        )
        past = await self._last_act(order.scope)
        if past is None or not past.did_anything:
            return empty_receipt(self.carrying.now, "nothing_to_undo")
        wish = UndoRequest(replace(order, undoes=past.id), home, past, agreed)
        held = await self.carrying.turns.acquire(lock_keys(order.scope, past.device_ids))
        try:
            if await self._last_act(wish.request.scope) != wish.act or wish.is_another:
                return refusal_receipt(self.carrying.now, "expired")
            look = await self.carrying.look_at(
                wish.request.scope, wish.act.device_ids & wish.home.view.devices.keys()
            )
            return look if isinstance(look, Receipt) else await self._take_back(wish, look, held)
        finally:
            held.leave()

    async def _take_back(self, wish: UndoRequest, look: Snapshot, held: DeviceLock) -> Receipt | UndoQuestion:
        """What came of it, nothing where a part of it cannot be taken back."""
        back = taking_back(wish.act.outcomes, wish.home.view, look)
        told = replace(empty_receipt(self.carrying.now), refused=back.all_refusals, undoes=wish.act.id)
        if back.stuck or not back.calls:
            return told if back.all_refusals else empty_receipt(self.carrying.now, "nothing_to_undo")
        # What has to be asked before these
        scope = wish.request.scope
        rules = self.carrying.deriving.policy.acting.of(scope.home, scope.user)
        asked = review_calls(back.calls, rules, wish.home.view, wish.request.language)
        if asked.forbidden:
            return replace(told, refused=(*asked.forbidden, *told.refused))
        if asked.question and not wish.is_agreed(back.calls):
            return UndoQuestion(wish.request.scope, wish.plan(back.calls, self.carrying.now), asked.question)
        return await self.carrying.send_calls(
            wish.request, wish.home, CallBatch(back.calls, look, told), held
        )

    async def _last_act(self, scope: Scope) -> PastAct | None:
        entries = await self.carrying.storage.audit.last(scope, MAX_AUDIT_ENTRIES)
        return last_act(entries, scope.user, scope.session, self.carrying.now - MAX_UNDO_SECONDS)
