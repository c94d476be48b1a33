"""Asking a language model and believing only what passes.

Its answer has to come in time, as JSON, fit the schema and pass the purpose's own check. Models help and
never decide alone (law 12): whatever goes wrong, the rules answer, and the trace names what went wrong.
"""

from __future__ import annotations

from time import perf_counter
from typing import TypeVar

from winnow.consult.jsonish import read
from winnow.errors import ModelError, WinnowError
from winnow.ports import Chat
from winnow.types.completion import Ask, Completion, ModelCall

T = TypeVar("T")


async def consult(chat: Chat, ask: Ask[T], seconds: float) -> tuple[T | None, ModelCall]:
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
    value, outcome = (None, fault) if fault else judged(said.text, ask)
    ms = round((perf_counter() - start) * 1000, 3)
    tokens = said.prompt_tokens, said.completion_tokens
    return value, ModelCall(ask.purpose, outcome, ask.tier, said.model, *tokens, ms, said.attempts)


def judged(output: str, ask: Ask[T]) -> tuple[T | None, str]:
    """What an output is worth to ``ask``: the value or None, and the outcome."""
    found = read(output, ask.schema)
    if found.value is None:
        return None, "schema_violation" if found.problems else "invalid_json"
    if found.cut:
        return None, "truncated"
    try:
        value = ask.accept(found.value)
    except ValueError:
        value = None
    return value, "rejected" if value is None else "ok"
