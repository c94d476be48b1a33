"""Feedback and counts of one process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from winnow.adapters.stores.validation import check
from winnow.types.feedback import KEPT_ACCOUNTS, Account, Feedback, Total, totals
from winnow.types.scope import Scope

Person = tuple[str, str]
"""Tenant and user."""


class MemoryFeedback:
    """``FeedbackBook`` of one process."""

    def __init__(self) -> None:
        self._of: dict[Person, list[Feedback]] = {}

    async def keep(self, scope: Scope, given: Feedback) -> None:
        """Keep it for the scope's user, who must be named. Raises StoreError."""
        check(scope, (given.id,))
        self._of.setdefault((scope.tenant, scope.user), []).append(replace(given, user=scope.user))

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        """All of it, oldest first."""
        means = meant(scope)
        found = [one for person, kept in self._of.items() if means(person) for one in kept]
        return sorted(found, key=lambda one: (one.at, one.id))

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these, or all; how many there were."""
        means, before = meant(scope), await self.given(scope)
        for person in [person for person in self._of if means(person)]:
            left = [one for one in self._of[person] if ids is not None and one.id not in ids]
            self._of[person] = left
        return len(before) - len(await self.given(scope))


class MemoryCounts:
    """``Counts`` of one process."""

    def __init__(self) -> None:
        self._totals: dict[str, dict[str, Total]] = {}
        self._accounts: dict[Person, list[Account]] = {}

    async def count(self, scope: Scope, figures: Mapping[str, float], account: Account | None = None) -> None:
        """Add one turn to the totals; its account takes the place of the oldest of the user."""
        known = self._totals.get(scope.tenant, {})
        more = ((name, Total(1, value)) for name, value in figures.items())
        self._totals[scope.tenant] = totals([*known.items(), *more])
        if account is not None:
            theirs = [*self._accounts.get((scope.tenant, scope.user), ()), account]
            newest = sorted(theirs, key=lambda one: (one.at, one.id))[-KEPT_ACCOUNTS:]
            self._accounts[scope.tenant, scope.user] = newest

    async def totals(self, scope: Scope) -> Mapping[str, Total]:
        """Name of a figure -> what was counted of it, of all users of the tenant."""
        return dict(self._totals.get(scope.tenant, {}))

    async def account(self, scope: Scope, retrieval: str = "") -> Account | None:
        """The user's account of that retrieval, or of the last one."""
        theirs = self._accounts.get((scope.tenant, scope.user), [])
        return next((one for one in reversed(theirs) if retrieval in ("", one.id)), None)

    async def forget(self, scope: Scope) -> int:
        """Delete the accounts of the scope's user, or all the tenant's and the totals; how many accounts."""
        means = meant(scope)
        if not scope.user:
            self._totals.pop(scope.tenant, None)
        return sum(len(self._accounts.pop(person)) for person in list(self._accounts) if means(person))


def meant(scope: Scope) -> Callable[[Person], bool]:
    """Whether a person's rows are those of the scope: all of the tenant's where no user is named."""
    return lambda person: person[0] == scope.tenant and scope.user in ("", person[1])
