"""What every ``Chat`` does: the scripted one, and the one over HTTP against a server on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from typing import Any, TypeVar

import pytest
from tests.model_server import failed, model_server, said

from winnow.adapters.models.openai import ModelEndpoint, OpenAIChat
from winnow.adapters.testing.fakes import ScriptedChat
from winnow.errors import ModelError, WinnowError
from winnow.ports.services import Chat
from winnow.types.context import Completion

T = TypeVar("T")
Make = Callable[..., Chat]
MESSAGES = [{"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": "关灯 \ud800"}]
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


@pytest.fixture(params=["scripted", "openai"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """A chat that gives these answers one after the other; an error is given as one."""
    with ExitStack() as open_servers:

        def openai(*answers: str | WinnowError) -> Chat:
            replies = (said(a) if isinstance(a, str) else failed(400) for a in answers)
            server = open_servers.enter_context(model_server(*replies))
            return OpenAIChat(ModelEndpoint(server.url, retries=0), {"fast": "small", "normal": "large"})

        yield ScriptedChat if request.param == "scripted" else openai


def run(chat: Chat, work: Callable[[Chat], Coroutine[Any, Any, T]]) -> T:
    async def closing() -> T:
        try:
            return await work(chat)
        finally:
            if isinstance(chat, OpenAIChat):
                await chat.aclose()

    return asyncio.run(closing())


def test_an_answer_is_a_completion_that_names_its_model(make: Make) -> None:
    completion = run(make("hello"), lambda chat: chat.complete(MESSAGES))
    assert isinstance(completion, Completion)
    assert completion.text == "hello"
    assert completion.model
    assert completion.attempts == 1


@pytest.mark.parametrize("tier", ["fast", "normal"])
def test_each_tier_answers_with_a_schema_and_without(make: Make, tier: Any) -> None:
    async def both(chat: Chat) -> list[str]:
        return [(await chat.complete(MESSAGES, schema, tier)).text for schema in (None, SCHEMA)]

    assert run(make('{"n": 1}'), both) == ['{"n": 1}', '{"n": 1}']


def test_calls_are_answered_in_order_also_from_a_second_event_loop(make: Make) -> None:
    chat = make("one", "two", "three")
    assert [run(chat, lambda c: c.complete(MESSAGES)).text for _ in range(4)] == [
        "one",
        "two",
        "three",
        "three",
    ]


def test_a_failure_is_an_error_of_ours(make: Make) -> None:
    with pytest.raises(WinnowError):
        run(make(ModelError("refused", "no")), lambda chat: chat.complete(MESSAGES))


def test_many_may_ask_at_once(make: Make) -> None:
    async def many(chat: Chat) -> list[Completion]:
        return await asyncio.gather(*(chat.complete(MESSAGES) for _ in range(10)))

    assert [c.text for c in run(make("hello"), many)] == ["hello"] * 10


def test_what_was_asked_is_left_as_it_was(make: Make) -> None:
    before = [dict(m) for m in MESSAGES]
    run(make("hello"), lambda chat: chat.complete(MESSAGES, SCHEMA))
    assert before == MESSAGES
