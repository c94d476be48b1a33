"""Undoes the last act: finds it in the audit log and reverses what nobody changed since."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.act.checks import DeviceLock
from winnow.act.receipt import ActRequest, PastAct, last_act
from winnow.act.undo import taking_back
from winnow.decide.confirm import review_calls
from winnow.engine.execute import ActExecutor, CallBatch, empty_receipt, lock_keys, refusal_receipt
from winnow.engine.home_cache import HomeCache, LoadedHome
from winnow.types.plan import Plan, handle
from winnow.types.query import UNDO
from winnow.types.receipt import Receipt
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import LanguageCode, Utterance
from winnow.types.verdict import Call

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
