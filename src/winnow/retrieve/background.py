"""Background embedding: vectors made in threads of this process, so that nobody waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from threading import Lock, Thread, current_thread

from winnow.errors import WinnowError
from winnow.ports.services import CachedEmbedder, run_blocking
from winnow.types.scope import IsGone, Scope

MAX_BATCH_TEXTS = 256
"""Texts asked for in one go: what is made by then is kept when the process ends in between."""
MAX_PERSONS_AT_ONCE = 2
"""Persons whose vectors are made at the same time."""
Person = tuple[str, str]
"""Tenant and user."""


class BackgroundEmbedder:
    """Makes the vectors of a few persons at a time; it ends with the process, and what it made is kept."""

    def __init__(self, vectoriser: CachedEmbedder) -> None:
        self._vectoriser, self._lock = vectoriser, Lock()
        self._asked: dict[Person, tuple[Scope, Sequence[str]]] = {}
        """In order; those being made among them."""
        self._made: set[Person] = set()
        """Those being made."""
        self._threads: list[Thread] = []

    def __call__(self, scope: Scope, texts: Sequence[str]) -> str:
        """See to it, where nobody does yet."""
        person = scope.tenant, scope.user
        with self._lock:
            if person in self._asked:
                return "being made"
            self._asked[person] = scope, texts
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            if len(self._threads) < MAX_PERSONS_AT_ONCE:
                self._threads.append(Thread(target=self._work, daemon=True, name="warming"))
                self._threads[-1].start()
        return "begun"

    def drop(self, is_gone: IsGone) -> None:
        """What was asked for these persons is not made any more; a batch on its way is the last."""
        with self._lock:
            gone = [person for person, asked in self._asked.items() if is_gone(asked[0])]
            for person in gone:
                del self._asked[person]

    def wait(self) -> None:
        """Until nothing is being made any longer."""
        for thread in list(self._threads):
            thread.join()

    def _work(self) -> None:
        """One person after the other, while there are any."""
        while (person := self._next()) is not None:
            try:
                self._make(person)
            finally:
                with self._lock:
                    self._asked.pop(person, None)
                    self._made.discard(person)

    def _next(self) -> Person | None:
        """Whose turn it is; None: nobody's, and the thread ends."""
        with self._lock:
            person = next((one for one in self._asked if one not in self._made), None)
            if person is None:
                self._threads.remove(current_thread())  # before anybody else is asked for
            else:
                self._made.add(person)
            return person

    def _make(self, person: Person) -> None:
        """Batch by batch, while they are wanted."""
        start = 0
        with suppress(WinnowError):  # a question that needs them tells, and begins anew
            while asked := self._asked.get(person):
                scope, texts = asked
                if start >= len(texts):
                    return
                run_blocking(self._vectoriser.vectors(scope, texts[start : start + MAX_BATCH_TEXTS]))
                start += MAX_BATCH_TEXTS
