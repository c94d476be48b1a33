"""One turn's clock and its questions to a model, as a trace tells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import ParamSpec, TypeVar

from winnow.consult.consult import consult
from winnow.ports import Chat
from winnow.types.briefing import Stage
from winnow.types.completion import Ask, ModelCall

ANSWERED = frozenset({"ok", "rejected", "schema_violation", "invalid_json", "truncated"})
"""Outcomes of a call in which the model said something."""
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class Watch:
    """Times each stage, in milliseconds, and keeps what models were asked."""

    chat: Chat | None = None
    seconds: float = 0.0
    stages: list[Stage] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    _since: float = field(default_factory=perf_counter)

    @property
    def asks(self) -> bool:
        """Whether there is a model to be asked."""
        return self.chat is not None

    def start(self) -> None:
        """A stage begins now, and not where the one before ended."""
        self._since = perf_counter()

    def mark(self, name: str) -> None:
        """The stage of that name ends here; it began where the one before ended, or at ``start``."""
        now = perf_counter()
        self.stages.append(Stage(name, (now - self._since) * 1000))
        self._since = now

    def time(self, name: str, stage: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What the stage returns; how long it took is noted."""
        self.start()
        result = stage(*args, **kwargs)
        self.mark(name)
        return result

    async def ask(self, ask: Ask[R]) -> R | None:
        """What a model answered, where there is one and its answer passes; the call is noted.

        A model that did not answer at all is not asked again in one turn: the person would wait twice.
        """
        if self.chat is None or any(call.outcome not in ANSWERED for call in self.calls):
            return None
        value, call = await consult(self.chat, ask, self.seconds)
        self.calls.append(call)
        return value
