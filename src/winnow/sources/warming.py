"""Vectors made in the background of this process, so that nobody waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock, Thread

from winnow.bridge import blocking
from winnow.errors import WinnowError
from winnow.ports import Vectoriser
from winnow.types.scope import Scope

AT_ONCE = 256
"""Texts asked for in one go: what is made by then is kept when the process ends in between."""


class InBackground:
    """One thread a person at a time; it ends with the process, and what it made by then is kept."""

    def __init__(self, vectoriser: Vectoriser) -> None:
        self._vectoriser = vectoriser
        self._busy: dict[tuple[str, str], Thread] = {}
        self._lock = Lock()

    def __call__(self, scope: Scope, texts: Sequence[str]) -> str:
        """Begin, where nobody did."""
        person = scope.tenant, scope.user
        with self._lock:
            if person in self._busy:
                return "being made"
            self._busy[person] = Thread(target=self._make, args=(scope, texts), daemon=True, name="warming")
            self._busy[person].start()
        return "begun"

    def wait(self) -> None:
        """Until nothing is being made any longer."""
        for thread in list(self._busy.values()):
            thread.join()

    def _make(self, scope: Scope, texts: Sequence[str]) -> None:
        try:
            for start in range(0, len(texts), AT_ONCE):
                blocking(self._vectoriser.vectors(scope, texts[start : start + AT_ONCE]))
        except WinnowError:
            pass  # a question that needs them tells, and begins anew
        finally:
            with self._lock:
                del self._busy[scope.tenant, scope.user]
