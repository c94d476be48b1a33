"""Asking a language model and believing only what passes.

Its answer has to come in time, as JSON, fit the schema and pass the purpose's own check. Models help and
never decide alone (law 12): whatever goes wrong, the rules answer, and the trace names what went wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import ParamSpec, TypeVar

from winnow.engine.llm.json_repair import parse_output
from winnow.errors import ModelError, WinnowError
from winnow.ports.services import Chat
from winnow.types.context import Ask, Completion, ModelCall
from winnow.types.retrieval import Stage

T = TypeVar("T")


async def ask_model(chat: Chat, ask: Ask[T], seconds: float) -> tuple[T | None, ModelCall]:
    """What the model answered to ``ask`` within ``seconds``, or None; and the call as a trace keeps it.

    Outcomes: ``ok``; the code of a ModelError, ``timeout`` among them; ``failed`` for any other WinnowError;
    ``invalid_json``: no object in the answer; ``truncated``: it ends inside of a value; ``schema_violation``;
    ``rejected`` by ``ask.accept``.
    """
    start = perf_counter()
    # What the model sent; or nothing, and the outcome that says why
    import asyncio  # only who has a model waits

    try:
        async with asyncio.timeout(seconds):
            said, fault = await chat.complete(ask.messages, ask.schema, ask.tier), ""
    except TimeoutError:
        said, fault = Completion(""), "timeout"
    except ModelError as error:
        said, fault = Completion("", attempts=error.attempts), error.code
    except WinnowError:
        said, fault = Completion(""), "failed"
    value, outcome = (None, fault) if fault else judge_output(said.text, ask)
    ms = round((perf_counter() - start) * 1000, 3)
    tokens = said.prompt_tokens, said.completion_tokens
    return value, ModelCall(ask.purpose, outcome, ask.tier, said.model, *tokens, ms, said.attempts)


def judge_output(output: str, ask: Ask[T]) -> tuple[T | None, str]:
    """What an output is worth to ``ask``: the value or None, and the outcome."""
    found = parse_output(output, ask.schema)
    if found.value is None:
        return None, "schema_violation" if found.problems else "invalid_json"
    if found.cut:
        return None, "truncated"
    try:
        value = ask.accept(found.value)
    except ValueError:
        value = None
    return value, "rejected" if value is None else "ok"


# One turn's clock and its questions to a model, as a trace tells them.


ANSWERED_OUTCOMES = frozenset({"ok", "rejected", "schema_violation", "invalid_json", "truncated"})
"""Outcomes of a call in which the model said something."""
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class TurnTrace:
    """Times each stage, in milliseconds, and keeps what models were asked."""

    chat: Chat | None = None
    seconds: float = 0.0
    stages: list[Stage] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    on_stage: Callable[[Stage], None] | None = None
    """Told of each stage when it ends."""
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
        self.add((Stage(name, (now - self._since) * 1000),))
        self._since = now

    def add(self, stages: Iterable[Stage]) -> None:
        """These stages ended, timed by somebody else."""
        for stage in stages:
            self.stages.append(stage)
            if self.on_stage is not None:
                self.on_stage(stage)

    async def ask(self, ask: Ask[R]) -> R | None:
        """What a model answered, where there is one and its answer passes; the call is noted.

        A model that did not answer at all is not asked again in one turn: the person would wait twice.
        """
        if self.chat is None or any(call.outcome not in ANSWERED_OUTCOMES for call in self.calls):
            return None
        value, call = await ask_model(self.chat, ask, self.seconds)
        self.calls.append(call)
        return value
