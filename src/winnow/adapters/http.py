"""What every client of a server needs: whether it is near, how long to wait for it, and when to give up.

One policy for models and homes. Requests differ in what is safe to send twice, so each client keeps its own
loop and asks here only whether another try may be made, and after how many seconds.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from time import monotonic

from winnow.errors import LinkError, ModelError, Phrase

MAX_FAILURES = 5
"""Failures in a row after which a server is left alone."""
COOL_DOWN_SECONDS = 30.0
"""Seconds it is left alone before one request tries again."""
ANSWER_FAULTS = frozenset({"refused", "unauthorised", "bad_answer"})
"""Faults of a server that answers: another question may fare better."""

SecondsClock = Callable[[], float]
"""A clock that only goes forward."""


def is_near(host: str) -> bool:
    """Whether it is this machine, or one of the same network by its address or name."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".lan", ".home.arpa"))


def retry_after_seconds(header: str | None) -> float:
    """Seconds of a ``Retry-After`` header, which holds seconds or a date; 0 when it makes no sense."""
    try:
        seconds = float(header or 0.0)
    except ValueError:
        try:
            moment = parsedate_to_datetime(header or "")
        except (ValueError, TypeError):
            return 0.0
        # A date without a zone is UTC, as HTTP has it.
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


@dataclass(slots=True)
class Backoff:
    """Pauses twice as long each time, up to ``longest`` seconds; half of each is chance.

    Chance keeps many clients of a server that restarts from coming back all at once.
    """

    first: float = 0.5
    longest: float = 30.0
    chance: Callable[[], float] = random.random
    pauses_made: int = 0

    def next_pause(self, asked: float = 0.0) -> float:
        """Seconds to wait now, at least what the server ``asked`` for."""
        # The exponent is limited, for a server may be down for days.
        pause: float = min(self.longest, self.first * 2 ** min(self.pauses_made, 30))
        self.pauses_made += 1
        return max(pause * (0.5 + self.chance() / 2), asked)

    def reset(self) -> None:
        """It went well: the next pause is the first one again."""
        self.pauses_made = 0


@dataclass(slots=True)
class Attempts:
    """The requests made for one answer: so many retries at most, none beyond the deadline."""

    seconds: float
    retries: int
    backoff: Backoff = field(default_factory=lambda: Backoff(first=0.25, longest=4.0))
    clock: SecondsClock = monotonic
    made: int = 0
    ends: float = field(init=False)

    def __post_init__(self) -> None:
        self.ends = self.clock() + self.seconds

    def begin(self) -> float:
        """Count one more request; the seconds it may take. Raises TimeoutError when there are none left."""
        left = self.ends - self.clock()
        if left <= 0:
            raise TimeoutError
        self.made += 1
        return left

    def pause_after(self, error: ModelError | LinkError, *, may_pass: bool | None = None) -> float:
        """Seconds until the next request, at least what the server asked for; raises when none is to be.

        ``may_pass`` says whether another try may fare better, where the client knows more than the error.
        """
        self.retries -= 1
        seconds = self.backoff.next_pause(error.retry_after)
        is_worth_it = error.retryable if may_pass is None else may_pass
        if not is_worth_it or self.retries < 0 or self.clock() + seconds >= self.ends:
            raise error
        return seconds


class CircuitBreaker:
    """Lets calls to a model's server through until a number of them in a row went wrong.

    Then none while it cools down, and after that one, whose end decides.
    """

    def __init__(self, clock: SecondsClock = monotonic) -> None:
        self._clock = clock
        self._failed, self._opened, self._trying = 0, 0.0, False

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Around a call, which goes wrong when it is called off.

        Raises ModelError while the server is left alone.
        """
        if self._failed >= MAX_FAILURES:
            wait = max(0.0, self._opened + COOL_DOWN_SECONDS - self._clock())
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
        is_well = False
        try:
            yield
            is_well = True
        except ModelError as error:
            is_well = error.code in ANSWER_FAULTS
            raise
        finally:
            self._trying = False
            self._failed = 0 if is_well else self._failed + 1
            self._opened = self._clock()
