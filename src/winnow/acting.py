"""Acts, from what was decided to what was done: looked at anew, put on record, told as it was."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from secrets import token_urlsafe
from uuid import uuid4

from winnow.act import Hands, carried_out, plan_of
from winnow.converse.sessions import Talk
from winnow.deriving import Deriving
from winnow.errors import LinkError
from winnow.opened import Opened, OpenHomes
from winnow.ports import Actuator
from winnow.types.acting import ActingRules
from winnow.types.audit import EntryKind, Record
from winnow.types.briefing import Retrieval
from winnow.types.plan import Plan
from winnow.types.receipt import Confirmation, Outcome, Receipt
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Act, Call, Confirm, Nothing, Refusal, Refuse, Verdict, mark_of


class Acting:
    """What an engine does things with. Without an ``actuator`` nothing can be done, and that is told."""

    def __init__(self, deriving: Deriving, homes: OpenHomes, talk: Talk) -> None:
        self.deriving, self.homes, self.talk = deriving, homes, talk
        self.storage = deriving.storage
        self.actuator: Actuator | None = None

    @property
    def rules(self) -> ActingRules:
        """How acts are gone about."""
        return self.deriving.policy.acting

    async def kept(self, found: Retrieval, version: int) -> None:
        """Keep the plan of a retrieval, so that it can be named. Raises StoreError."""
        plan = plan_of(found, version, mark_of(found.verdict), self.storage.clock.now())
        if plan is not None:
            await self.storage.plans.keep(found.scope, plan)

    async def act(self, found: Retrieval) -> Receipt:
        """Carry out what the retrieval decided, or ask for the yes that it needs. Raises StoreError."""
        match found.verdict:
            case Act():
                return await self._spent(found)
            case Confirm(question=question):
                return await self._asked(found, question)
            case Refuse(refusals=refusals):
                return self._nothing(refused=refusals)
            case Nothing(reason=reason):
                return self._nothing(reason=reason)
        return self._nothing(reason="nothing_to_do")

    async def plan(self, scope: Scope, plan_id: str) -> Receipt:
        """Carry out the plan of that handle. Raises HomeNotFound, StoreError."""
        plan = await self.storage.plans.plan(scope, plan_id)
        if plan is None:
            return self._nothing(refused=(Refusal("no_plan", {"what": plan_id}),))
        found = await self._derived(scope, plan)
        if mark_of(found.verdict) != plan.mark:
            return self._nothing(refused=(Refusal("expired"),))
        return await self.act(found)

    async def confirm(self, scope: Scope, token: str) -> Receipt:
        """What follows from a person's yes to the question of that token. Raises HomeNotFound, StoreError."""
        plan = await self.storage.plans.agreed(scope, _hashed(token))
        if plan is None or self.storage.clock.now() > plan.expires_at:
            return self._nothing(refused=(Refusal("no_token"),))
        whose = replace(scope, user=plan.utterance.user, home=plan.home_id, session=plan.utterance.session)
        found = await self._derived(whose, plan)
        if mark_of(found.verdict) != plan.mark:
            return self._nothing(refused=(Refusal("expired"),))
        await self._record(whose, "confirmed", plan.id, {})
        return await self._done(await self._agreed(found))

    async def _derived(self, scope: Scope, plan: Plan) -> Retrieval:
        """What was said, derived anew in the home as it is."""
        from winnow.consult import Watch
        from winnow.joined import Joined

        home = await self.homes.opened(scope.at(plan.home_id))
        return await self.deriving.derived(Joined(plan.utterance, home, None), Watch())

    async def _agreed(self, found: Retrieval) -> Retrieval:
        """The same after a yes."""
        home = await self.homes.opened(found.scope)
        reading = replace(found.reading, confirmed=True)
        attempt = found.attempt
        verdict = self.deriving.decide(
            reading, attempt.shortlists, home.view, attempt.snapshot, found.utterance
        )
        return replace(found, attempt=replace(attempt, reading=reading, verdict=verdict))

    async def _spent(self, found: Retrieval) -> Receipt:
        """Carried out, once."""
        plan = plan_of(found, 0, mark_of(found.verdict), 0.0)
        assert plan is not None
        if not found.reading.confirmed:
            scope = replace(found.scope, user=found.utterance.user, session=found.utterance.session)
            if await self.storage.plans.spend(scope, plan.id, "open") is None:
                return self._nothing(refused=(Refusal("done_already"),))
        return await self._done(found)

    async def _asked(self, found: Retrieval, question: str) -> Receipt:
        """A question that waits for a yes, with the token that says it."""
        now, token = self.storage.clock.now(), token_urlsafe(12)
        plan = plan_of(found, 0, mark_of(found.verdict), now)
        assert plan is not None
        ends = now + self.rules.yes_seconds
        await self.storage.plans.keep(found.scope, replace(plan, token_hash=_hashed(token), expires_at=ends))
        await self._record(found.scope, "asked", plan.id, {"question": question})
        return Receipt(plan.id, now, plan.id, waiting=Confirmation(token, question, ends))

    async def _done(self, found: Retrieval) -> Receipt:
        """What came of it, in the home as it is now."""
        if self.actuator is None:
            return self._nothing(refused=(Refusal("no_hands"),))
        home = await self.homes.opened(found.scope)
        try:
            fresh = await self.actuator.look(found.scope)
        except LinkError as error:
            return self._nothing(refused=(Refusal("unreadable_home", {"why": str(error)}),))
        verdict = self._anew(found, home, fresh)
        if not isinstance(verdict, Act):
            refused = verdict.refusals if isinstance(verdict, Refuse) else (Refusal("expired"),)
            return self._nothing(refused=refused)
        hands = Hands(found.scope, home.view, self.actuator, self.rules, self.storage.clock)
        return await self._recorded(found, verdict, fresh, hands)

    async def _recorded(self, found: Retrieval, verdict: Act, before: Snapshot, hands: Hands) -> Receipt:
        """Carried out, with every step on record before the next."""
        scope, act, now = found.scope, uuid4().hex, self.storage.clock.now()
        await self._record(scope, "begun", act, {"said": found.utterance.text, "calls": _told(verdict.calls)})

        async def tell(outcomes: Sequence[Outcome]) -> None:
            await self._record(scope, "outcome", act, {"outcomes": [_outcome(o) for o in outcomes]})

        outcomes = await carried_out(verdict.calls, before, hands, tell)
        await self._record(scope, "ended", act, {})
        return Receipt(act, now, "", outcomes, verdict.refused, verdict.conditions)

    def _anew(self, found: Retrieval, home: Opened, fresh: Snapshot) -> Verdict:
        """What is to be done in the home as it is now: conditions and relative values count now."""
        attempt = found.attempt
        return self.deriving.decide(attempt.reading, attempt.shortlists, home.view, fresh, found.utterance)

    async def _record(self, scope: Scope, kind: EntryKind, act: str, body: dict[str, object]) -> None:
        record = Record(self.storage.clock.now(), scope.user, kind, act, body)
        await self.storage.audit.append(scope, [record])

    def _nothing(self, *, reason: str = "", refused: tuple[Refusal, ...] = ()) -> Receipt:
        return Receipt("", self.storage.clock.now(), refused=refused, reason=reason)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _told(calls: Sequence[Call]) -> list[object]:
    return [[call.device_id, call.command_id, dict(call.arguments)] for call in calls]


def _outcome(outcome: Outcome) -> dict[str, object]:
    call = outcome.call
    return {
        "device": call.device_id,
        "command": call.command_id,
        "status": outcome.status,
        "code": outcome.code,
        "before": dict(outcome.before),
        "after": dict(outcome.changed),
    }
