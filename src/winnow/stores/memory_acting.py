"""What was done and what may be done, of one process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from winnow.stores.chain import chained, verified
from winnow.types.audit import AuditEntry, Record, Verified
from winnow.types.plan import Plan, PlanState
from winnow.types.scope import Scope


class MemoryAudit:
    """An ``Audit`` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._chains: dict[tuple[str, str], list[AuditEntry]] = {}
        """By tenant and home."""

    async def append(self, scope: Scope, records: Sequence[Record]) -> AuditEntry:
        """Add these; the last entry."""
        chain = self._chain(scope)
        chain += chained(records, chain[-1] if chain else None)
        return chain[-1]

    async def entries(self, scope: Scope, after: int = 0, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Entries with higher numbers, in order."""
        return tuple(self._chain(scope)[after : after + limit])

    async def last(self, scope: Scope, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The latest entries, oldest first."""
        return tuple(self._chain(scope)[-limit:])

    async def verified(self, scope: Scope) -> Verified:
        """Whether the chain holds."""
        return verified(self._chain(scope))

    def _chain(self, scope: Scope) -> list[AuditEntry]:
        return self._chains.setdefault((scope.tenant, scope.home), [])


class MemoryPlans:
    """``Plans`` of one process."""

    def __init__(self) -> None:
        self._plans: dict[tuple[str, str], Plan] = {}
        """By tenant and handle."""

    async def keep(self, scope: Scope, plan: Plan) -> None:
        """Keep the plan, in the place of an older one of that id."""
        self._plans[scope.tenant, plan.id] = plan

    async def plan(self, scope: Scope, plan_id: str) -> Plan | None:
        """The scope's plan of that id."""
        plan = self._plans.get((scope.tenant, plan_id))
        return plan if plan and _is_of(plan, scope) else None

    async def spend(self, scope: Scope, plan_id: str, state: str) -> Plan | None:
        """The scope's plan of that id if it is in that state; it is spent then."""
        plan = await self.plan(scope, plan_id)
        if plan is None or plan.state != cast("PlanState", state):
            return None
        self._plans[scope.tenant, plan_id] = replace(plan, state="spent")
        return plan

    async def agreed(self, scope: Scope, token_hash: str) -> Plan | None:
        """The tenant's plan that waits for that token; it is spent then."""
        for (tenant, plan_id), plan in self._plans.items():
            if tenant == scope.tenant and plan.state == "asked" and plan.token_hash == token_hash:
                self._plans[tenant, plan_id] = replace(plan, state="spent")
                return plan
        return None


def _is_of(plan: Plan, scope: Scope) -> bool:
    said = plan.utterance
    return (plan.home_id, said.user, said.session) == (scope.home, scope.user, scope.session)
