"""What was done and what may be done, of one process."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import cast

from winnow.adapters.stores.audit_chain import Look, chained, head_after, root
from winnow.ports.stores import Clock
from winnow.types.plan import Plan, PlanState
from winnow.types.receipt import AuditEntry, ChainHead, Record, Verified
from winnow.types.scope import Scope

KEPT_PLANS = 1000
"""Plans of one tenant that are kept; those that end first go first."""
WRONG, WITHIN = 20, 60.0
"""Wrong tokens of one person within so many seconds from which on none is looked at."""
Place = tuple[str, str]
"""Tenant and home."""


class MemoryAudit:
    """An ``Audit`` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._chains: dict[Place, list[AuditEntry]] = {}
        self._heads: dict[Place, ChainHead] = {}
        self._alone = Lock()

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:
        """Add these; the last entry. Raises ValueError without any."""
        if not records:
            raise ValueError("nothing to append")
        with self._alone:
            head, chain = self._heads.get(_place(scope)), self._chains.setdefault(_place(scope), [])
            number, after = (head.number, head.hash) if head else (0, root(scope))
            chain += chained(records, number, after)
            self._heads[_place(scope)] = head_after(chain[-len(records) :], head, scope)
            return chain[-1]

    async def entries(self, scope: Scope, after: int = 0, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Entries with higher numbers, in order."""
        return tuple(entry for entry in self._chain(scope) if entry.number > after)[:limit]

    async def last(self, scope: Scope, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, oldest first."""
        return self._chain(scope)[-limit:]

    async def of_act(self, scope: Scope, act: str) -> tuple[AuditEntry, ...]:
        """The entries of one act."""
        return tuple(entry for entry in self._chain(scope) if entry.record.act == act)

    async def verified(self, scope: Scope, expected: str = "") -> Verified:
        """Whether the chain holds; of what was let go nothing can be said any more."""
        with self._alone:
            head, chain = self._heads.get(_place(scope)), self._chain(scope)
        look = Look(scope, expected=expected)
        if head and head.first > 1:
            look.goes_on(head)
        look.see(chain)
        return look.over(head)

    async def heads(self, scope: Scope) -> tuple[ChainHead, ...]:
        """Where each chain of the tenant ends, by home."""
        return tuple(head for place, head in sorted(self._heads.items()) if place[0] == scope.tenant)

    async def rotate(self, scope: Scope, keep: int) -> int:
        """Let all but the latest ``keep`` entries go: a process has no archive."""
        with self._alone:
            chain, place = self._chains.get(_place(scope), []), _place(scope)
            gone = chain[: max(0, len(chain) - max(0, keep))]
            if gone:
                head = self._heads[place]
                self._heads[place] = replace(head, first=gone[-1].number + 1, after=gone[-1].hash)
                self._chains[place] = chain[len(gone) :]
            return len(gone)

    async def forget(self, scope: Scope) -> int:
        """Delete the chain; how many entries it had."""
        with self._alone:
            self._chains.pop(_place(scope), None)
            head = self._heads.pop(_place(scope), None)
            return head.number if head else 0

    def _chain(self, scope: Scope) -> tuple[AuditEntry, ...]:
        return tuple(self._chains.get(_place(scope), ()))


class MemoryPlans:
    """``Plans`` of one process: of each tenant the last 1,000."""

    def __init__(self, clock: Clock) -> None:
        self._plans: dict[str, OrderedDict[tuple[Scope, str], Plan]] = {}
        """By tenant, then by whose they are and their handle."""
        self._alone, self._tries = Lock(), Tries(clock)

    async def keep(self, scope: Scope, plan: Plan) -> None:
        """Keep the plan, in the place of an older one of that id."""
        with self._alone:
            theirs, at = self._of(scope), (scope_of(plan, scope.tenant), plan.id)
            theirs.pop(at, None)
            theirs[at] = plan
            if len(theirs) > KEPT_PLANS:
                theirs.popitem(last=False)

    async def plan(self, scope: Scope, plan_id: str) -> Plan | None:
        """The scope's plan of that id."""
        return self._of(scope).get((scope, plan_id))

    async def spend(self, scope: Scope, plan_id: str, state: str) -> Plan | None:
        """The scope's plan of that id if it is in that state; it is spent then."""
        with self._alone:
            plan = self._of(scope).get((scope, plan_id))
            if plan is None or plan.state != cast("PlanState", state):
                return None
            self._of(scope)[scope, plan_id] = replace(plan, state="spent")
            return plan

    async def agreed(self, scope: Scope, token_hash: str) -> Plan | None:
        """The user's plan that waits for that token; it is spent then."""
        if not token_hash or self._tries.too_many(scope):
            return None
        with self._alone:
            for at, plan in self._waiting(scope, token_hash):
                if at[0].user == scope.user:
                    self._of(scope)[at] = replace(plan, state="spent")
                    return plan
        self._tries.wrong(scope)
        return None

    async def waiting(self, scope: Scope, token_hash: str) -> Plan | None:
        """The tenant's plan that waits for that token, whoever was asked."""
        if not token_hash or self._tries.too_many(scope):
            return None
        with self._alone:
            return next((plan for _, plan in self._waiting(scope, token_hash)), None)

    def _waiting(self, scope: Scope, token_hash: str) -> list[tuple[tuple[Scope, str], Plan]]:
        """The tenant's plan that waits for that token, and where it is kept; at most one."""
        theirs = self._of(scope).items()
        return [(at, p) for at, p in theirs if p.state == "asked" and p.token_hash == token_hash]

    def _of(self, scope: Scope) -> OrderedDict[tuple[Scope, str], Plan]:
        return self._plans.setdefault(scope.tenant, OrderedDict())


class Tries:
    """Wrong tokens of late: whoever tries many learns nothing, not even by a right one.

    They count for the person who tries, so that nobody can keep another from saying yes.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wrong: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        """By tenant and user."""

    def wrong(self, scope: Scope) -> None:
        """One more."""
        whose = scope.tenant, scope.user
        self._wrong.setdefault(whose, deque(maxlen=WRONG)).append(self._clock.now())
        self._wrong.move_to_end(whose)
        if len(self._wrong) > KEPT_PLANS:
            self._wrong.popitem(last=False)

    def too_many(self, scope: Scope) -> bool:
        """Whether there were so many within the last minute."""
        of_late = self._wrong.get((scope.tenant, scope.user))
        return of_late is not None and len(of_late) == WRONG and self._clock.now() - of_late[0] < WITHIN


def scope_of(plan: Plan, tenant: str) -> Scope:
    """Whose plan it is."""
    return Scope(tenant, plan.utterance.user, plan.home_id, plan.utterance.session)


def end_of(plan: Plan) -> float:
    """When it ends, in seconds since the epoch: where nobody said, when it was made."""
    return plan.expires_at or plan.made_at


def _place(scope: Scope) -> Place:
    return scope.tenant, scope.home
