"""What a cache counts, by tenant, and what of it the store was told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from threading import Lock
from time import monotonic

from winnow.bridge import blocking
from winnow.errors import StoreError
from winnow.ports import Vectors
from winnow.types.cache import Tally
from winnow.types.scope import Scope
from winnow.types.space import Space

EVERY = 30.0
"""Seconds between two times the store is told: at most one row a tenant is written then."""


class Counts:
    """Shared among threads. The store is told the difference each time, so that many processes add up."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._lock, self._clock, self._due = Lock(), clock, clock()
        self._told: dict[str, Tally] = defaultdict(Tally)
        self._new: dict[str, Tally] = defaultdict(Tally)

    def add(self, scope: Scope, **more: int) -> None:
        """Count these of the tenant."""
        with self._lock:
            self._new[scope.tenant] += Tally(**more)

    def all(self) -> Tally:
        """What was counted of all tenants together."""
        with self._lock:
            return sum([*self._told.values(), *self._new.values()], Tally())

    def due(self) -> bool:
        """Whether the store is to be told; once it is said, not again for a while."""
        with self._lock:
            due = self._clock() >= self._due
            if due:
                self._due = self._clock() + EVERY
            return due

    def pass_on(self, kept: Vectors, space: Space) -> None:
        """Tell the store what it was not told yet. What it does not take is told another time."""
        with self._lock:
            new, self._new = self._new, defaultdict(Tally)
        for tenant, tally in new.items():
            try:
                taken = blocking(kept.tell(Scope(tenant), space, tally))
            except StoreError:
                taken = False
            with self._lock:
                (self._told if taken else self._new)[tenant] += tally
