"""Facts of one process."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from winnow.adapters.stores.validation import check, held
from winnow.types.fact import Fact
from winnow.types.scope import Scope

Person = tuple[str, str]
"""Tenant and user."""


class MemoryFacts:
    """``Facts`` of one process."""

    def __init__(self) -> None:
        self._of: dict[Person, dict[str, Fact]] = {}

    async def facts(self, scope: Scope) -> Sequence[Fact]:
        """All facts of the scope's user, in the order they came."""
        return tuple(self._of.get((scope.tenant, scope.user), {}).values())

    async def keep(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Add these; of a known id only status, ``replaced_by`` and ``reason`` change. Raises StoreError."""
        given = {fact.id: held(fact) for fact in facts}
        if not given:
            return
        check(scope, given)
        theirs = self._of.setdefault((scope.tenant, scope.user), {})
        for id_, fact in given.items():
            theirs[id_] = _changed(theirs.get(id_, fact), fact)

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the user, or all; how many there were."""
        theirs = self._of.pop((scope.tenant, scope.user), {})
        left = {} if ids is None else {id_: fact for id_, fact in theirs.items() if id_ not in ids}
        if left:
            self._of[(scope.tenant, scope.user)] = left
        return len(theirs) - len(left)


def _changed(before: Fact, now: Fact) -> Fact:
    return replace(before, status=now.status, replaced_by=now.replaced_by, reason=now.reason)
