"""Of what a model says only that is believed which came in time and passes every check."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import pytest

from winnow.adapters.testing.fakes import ScriptedChat
from winnow.engine.llm.client import ask_model
from winnow.errors import ModelError, ModelFault, StoreError, WinnowError
from winnow.types.context import Ask, Completion, ModelCall, Tier

SCHEMA = {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]}


def known(answer: Mapping[str, Any]) -> str | None:
    """The room, if it is one of two; a word that is no room at all is a ValueError."""
    if not answer["room"]:
        raise ValueError("no room")
    return answer["room"] if answer["room"] in {"study", "hall"} else None


ASK = Ask("intent", ({"role": "user", "content": "JSON, please"},), SCHEMA, known, tier="normal")


def consulted(answer: str | WinnowError) -> tuple[str | None, ModelCall]:
    return asyncio.run(ask_model(ScriptedChat(answer), ASK, 5))


def test_what_passes_is_believed() -> None:
    value, call = consulted('Sure: {"room": "study"}')
    assert value == "study"
    assert (call.purpose, call.outcome) == ("intent", "ok")
    assert (call.tier, call.model) == ("normal", "scripted-normal")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("the study", "invalid_json"),
        ("", "invalid_json"),
        ('{"place": "study"}', "schema_violation"),
        ('{"room": 5}', "schema_violation"),
        ('{"room": "stu', "truncated"),
        ('{"room": "garden"}', "rejected"),
        ('{"room": ""}', "rejected"),
        (StoreError("locked"), "failed"),
    ],
)
def test_what_does_not_pass_is_nothing_and_named(answer: str | WinnowError, outcome: str) -> None:
    value, call = consulted(answer)
    assert (value, call.outcome) == (None, outcome)


@pytest.mark.parametrize("code", get_args(ModelFault))
def test_a_fault_of_the_model_is_named_by_its_code(code: ModelFault) -> None:
    value, call = consulted(ModelError(code, "no", attempts=3))
    assert (value, call.outcome, call.attempts) == (None, code, 3)


class Silent:
    """A model that never answers."""

    async def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, object] | None = None,
        tier: Tier = "fast",
    ) -> Completion:
        await asyncio.Event().wait()
        raise AssertionError


def test_nobody_waits_longer_than_told() -> None:
    value, call = asyncio.run(ask_model(Silent(), ASK, 0.01))
    assert (value, call.outcome) == (None, "timeout")
    assert 10 <= call.ms < 2000


def test_tokens_and_attempts_are_kept() -> None:
    class Counting(Silent):
        async def complete(self, *_: object) -> Completion:
            return Completion('{"room": "hall"}', "m", 11, 7, attempts=2)

    _, call = asyncio.run(ask_model(Counting(), ASK, 5))
    assert (call.model, call.prompt_tokens, call.completion_tokens, call.attempts) == ("m", 11, 7, 2)


def test_whoever_is_called_off_stops_waiting() -> None:
    async def called_off() -> None:
        task = asyncio.create_task(ask_model(Silent(), ASK, 60))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(called_off())
