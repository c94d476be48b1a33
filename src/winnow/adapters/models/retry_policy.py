"""How long and how often a server is tried: deadlines, pauses, leaving alone what keeps failing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from winnow.errors import ModelError, Phrase

FIRST_PAUSE_SECONDS = 0.25
"""Seconds before the second request; twice as long before each further one."""
MAX_PAUSE_SECONDS = 4.0
MAX_FAILURES = 5
"""Failures in a row after which a server is left alone."""
COOL_DOWN_SECONDS = 30.0
"""Seconds it is left alone before one request tries again."""

ANSWER_FAULTS = frozenset({"refused", "unauthorised", "bad_answer"})
"""Faults of a server that answers: another question may fare better."""

SecondsClock = Callable[[], float]
"""A clock that only goes forward."""


class CallAttempts:
    """One call: its deadline, and how many requests it took."""

    def __init__(
        self,
        seconds: float,
        retries: int,
        clock: SecondsClock = monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._clock, self._chance = clock, chance
        self._ends, self._retries = clock() + seconds, retries
        self.attempts = 0

    @contextmanager
    def count_attempts(self) -> Iterator[None]:
        """Any ModelError that leaves this block tells how many requests were made."""
        try:
            yield
        except ModelError as error:
            error.attempts = self.attempts
            raise

    def begin(self) -> float:
        """Count one more request; the seconds it may take. Raises ModelError when there are none left."""
        left = self.seconds_left()
        if left <= 0:
            raise deadline_error()
        self.attempts += 1
        return left

    def seconds_left(self) -> float:
        """Seconds until the deadline."""
        return self._ends - self._clock()

    def pause(self, error: ModelError) -> float:
        """Seconds until the next request, at least what the server asked for; raises when none is to be."""
        self._retries -= 1
        backoff: float = min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (self.attempts - 1)) * (
            0.5 + self._chance() / 2
        )
        seconds = max(backoff, error.retry_after)
        if not error.retryable or self._retries < 0 or seconds >= self.seconds_left():
            raise error
        return seconds


class CircuitBreaker:
    """Lets calls through until ``failures`` in a row went wrong.

    Then none for ``cool_down`` seconds, and after that one, whose end decides.
    """

    def __init__(
        self,
        clock: SecondsClock = monotonic,
        failures: int = MAX_FAILURES,
        cool_down: float = COOL_DOWN_SECONDS,
    ) -> None:
        self._clock, self._most, self._cool_down = clock, failures, cool_down
        self._failed, self._opened, self._trying = 0, 0.0, False

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Around a call, which goes wrong when it is called off.

        Raises ModelError while the server is left alone.
        """
        if self._failed >= self._most:
            wait = max(0.0, self._opened + self._cool_down - self._clock())
            if wait or self._trying:
                raise ModelError(
                    "open_circuit",
                    Phrase(
                        "The model's server failed {times} times in a row"
                        " and is left alone for {wait} more seconds.",
                        times=self._failed,
                        wait=f"{wait:.0f}",
                    ),
                    hint="winnow doctor --ask-model tells whether it answers.",
                    attempts=0,
                )
            self._trying = True
        try:
            yield
        except BaseException as error:
            self._settle(well=isinstance(error, ModelError) and error.code in ANSWER_FAULTS)
            raise
        self._settle(well=True)

    def _settle(self, *, well: bool) -> None:
        self._trying = False
        self._failed = 0 if well else self._failed + 1
        self._opened = self._clock()


def deadline_error() -> ModelError:
    """The deadline has passed."""
    return ModelError(
        "timeout",
        "The model's server did not answer in time.",
        hint="Give it more time (model_seconds), or a smaller model.",
    )
