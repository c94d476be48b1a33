"""The last act taken back: found in the log, undone where nobody touched anything since."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.act.checks import Held
from winnow.act.receipt import Order, Past, last_act
from winnow.act.undo import taking_back
from winnow.decide.confirm import question_before
from winnow.engine.execute import Carrying, Deeds, keys, nothing, refusing
from winnow.engine.home_cache import Opened, OpenHomes
from winnow.types.plan import Plan, handle
from winnow.types.query import UNDO
from winnow.types.receipt import Receipt
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import Language, Utterance
from winnow.types.verdict import Call

ENTRIES = 500
"""Entries of the log that the last act is looked for in."""
RECENT = 600.0
"""Seconds after which an act of another talk is not taken back any more."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question whether something dangerous may be done to take an act back."""

    scope: Scope
    plan: Plan
    question: str


@dataclass(frozen=True, slots=True)
class Wish:
    """An act that somebody wants taken back."""

    order: Order
    home: Opened
    past: Past
    agreed: Plan | None
    """What a yes was given to."""

    @property
    def mark(self) -> str:
        """What tells the plan that takes this act back."""
        return f"{UNDO} {self.past.id}"

    @property
    def is_another(self) -> bool:
        """Whether a yes was given to taking back another act."""
        return self.agreed is not None and self.agreed.mark != self.mark

    def is_agreed(self, calls: tuple[Call, ...]) -> bool:
        """Whether a yes was given to exactly these."""
        return self.agreed is not None and self.agreed.calls == calls

    def plan(self, calls: tuple[Call, ...], now: float) -> Plan:
        """What waits for a yes."""
        scope, version = self.order.scope, self.home.home.version
        said = Utterance(
            self.order.said,
            self.order.language,
            home=scope.home,
            user=scope.user,
            session=scope.session,
            tenant=scope.tenant,
        )
        name = handle(scope.user, scope.session, scope.home, self.mark)
        return Plan(name, scope.home, version, said, calls, self.mark, now, "asked", proposed=True)


class Undoing:
    """How acts are taken back.

    Nothing of an act is taken back where a part of it cannot be: half of a state is neither the old one nor
    the new one. What somebody changed since is left alone, and the rest is taken back.
    """

    def __init__(self, carrying: Carrying, homes: OpenHomes) -> None:
        self.carrying, self.homes = carrying, homes

    async def undone(
        self, scope: Scope, said: str = "", language: Language | None = None, agreed: Plan | None = None
    ) -> Receipt | Asking:
        """Take back what this person did last, in that talk or else in the last ten minutes.

        ``agreed``: the plan that a yes was given to. Raises HomeNotFound, StoreError.
        """
        home = await self.homes.opened(scope)
        order = Order(
            scope.at(home.home.id), said, language or self.carrying.deriving.policy.language or "en"
        )
        past = await self._last(order.scope)
        if past is None or not past.did_anything:
            return nothing(self.carrying.now, "nothing_to_undo")
        wish = Wish(replace(order, undoes=past.id), home, past, agreed)
        held = await self.carrying.turns.taken(keys(order.scope, past.device_ids))
        try:
            if await self._last(wish.order.scope) != wish.past or wish.is_another:
                return refusing(self.carrying.now, "expired")
            look = await self.carrying.looked(
                wish.order.scope, wish.past.device_ids & wish.home.view.devices.keys()
            )
            return look if isinstance(look, Receipt) else await self._taken_back(wish, look, held)
        finally:
            held.leave()

    async def _taken_back(self, wish: Wish, look: Snapshot, held: Held) -> Receipt | Asking:
        """What came of it, nothing where a part of it cannot be taken back."""
        back = taking_back(wish.past.outcomes, wish.home.view, look)
        told = replace(nothing(self.carrying.now), refused=back.told, undoes=wish.past.id)
        if back.stuck or not back.calls:
            return told if back.told else nothing(self.carrying.now, "nothing_to_undo")
        # What has to be asked before these
        scope = wish.order.scope
        rules = self.carrying.deriving.policy.acting.of(scope.home, scope.user)
        asked = question_before(back.calls, rules, wish.home.view, wish.order.language)
        if asked.never:
            return replace(told, refused=(*asked.never, *told.refused))
        if asked.question and not wish.is_agreed(back.calls):
            return Asking(wish.order.scope, wish.plan(back.calls, self.carrying.now), asked.question)
        return await self.carrying.carried(wish.order, wish.home, Deeds(back.calls, look, told), held)

    async def _last(self, scope: Scope) -> Past | None:
        entries = await self.carrying.storage.audit.last(scope, ENTRIES)
        return last_act(entries, scope.user, scope.session, self.carrying.now - RECENT)
