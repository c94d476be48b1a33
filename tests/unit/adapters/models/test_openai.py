"""The client against a server on this machine that misbehaves in every way."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from tests.model_server import Answer, ModelServer, Reply, Request, embedded, failed, model_server, said

from winnow.adapters.http import COOL_DOWN_SECONDS, MAX_FAILURES, is_near
from winnow.adapters.models.openai import ModelEndpoint, OpenAIChat, OpenAIEmbedder
from winnow.errors import ModelError
from winnow.types.context import Completion, Tier

MESSAGES = ({"role": "user", "content": "hi"},)
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
KEY = "sk-very-secret"
FORMATS = ("json_schema", "json_object", "none")
SECONDS = 10.0
WAITS = 20.0
"""Seconds within which whoever gave up is back, on the busiest machine; servers that are late take 30."""
"""For what comes at once, however busy the machine is."""
SHORT = 0.5
"""For what never comes."""


def chat_at(url: str, **settings: Any) -> OpenAIChat:
    endpoint = ModelEndpoint(
        url, **{"formats": FORMATS, "key": KEY, "seconds": SECONDS, "retries": 0, **settings}
    )
    return OpenAIChat(endpoint, {"fast": "small", "normal": "large"})


def completed(chat: OpenAIChat, schema: Any = SCHEMA, tier: Tier = "fast") -> Completion:
    async def asked() -> Completion:
        async with chat:
            return await chat.complete(MESSAGES, schema, tier)

    return asyncio.run(asked())


def fault_of(chat: OpenAIChat) -> ModelError:
    with pytest.raises(ModelError) as caught:
        completed(chat)
    assert caught.value.hint
    return caught.value


def answered(*answers: Answer, **settings: Any) -> tuple[Completion, ModelServer]:
    with model_server(*answers) as server:
        return completed(chat_at(server.url, **settings)), server


def test_a_request_holds_model_messages_temperature_and_key() -> None:
    completion, server = answered(said("hello"))
    (request,) = server.asked
    assert completion.text == "hello"
    assert (
        completion.model,
        completion.prompt_tokens,
        completion.completion_tokens,
        completion.attempts,
    ) == ("stand-in", 12, 5, 1)
    assert completion.ms > 0
    assert request.path == "/v1/chat/completions"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert (request.body["model"], request.body["temperature"], request.body["messages"]) == (
        "small",
        0,
        list(MESSAGES),
    )
    assert request.body["response_format"]["type"] == "json_schema"


def test_without_a_key_none_is_sent() -> None:
    _, server = answered(said("hello"), key="")
    assert "Authorization" not in server.asked[0].headers


def test_each_tier_has_its_model_and_the_preset_its_fields() -> None:
    with model_server(said("hello")) as server:
        completed(chat_at(server.url, extra={"enable_thinking": False}), tier="normal")
    assert (server.asked[0].body["model"], server.asked[0].body["enable_thinking"]) == ("large", False)


def test_a_model_that_does_not_say_its_name_has_the_configured_one() -> None:
    completion, _ = answered(Reply(json.dumps({"choices": [{"message": {"content": "x"}}]})))
    assert completion.model == "small"


# each fault, as it arrives

HUGE = said("x" * 20_000)
FAULTS: dict[str, tuple[Answer, str]] = {
    "slow": (replace(said("late"), delay=30), "timeout"),
    "drip by drip": (replace(said("late"), drip=0.2), "timeout"),
    "cut off": (replace(said("half"), cut=500), "unreachable"),
    "rate limited": (failed(429), "rate_limited"),
    "failing": (failed(500), "server"),
    "overloaded": (failed(503, content_type="text/html"), "server"),
    "bad gateway": (Reply("<html>Bad Gateway</html>", 502, content_type="text/html"), "server"),
    "no such key": (failed(401), "unauthorised"),
    "forbidden": (failed(403), "unauthorised"),
    "no such model": (failed(404), "refused"),
    "moved": (Reply("", 307, {"Location": "http://localhost:9/"}), "refused"),
    "a login page": (Reply("<html>Please log in</html>", content_type="text/html"), "bad_answer"),
    "nothing": (Reply(""), "bad_answer"),
    "no choices": (Reply('{"choices": []}'), "bad_answer"),
    "null": (said(None), "bad_answer"),
    "only thoughts": (said(None, reasoning_content="hm"), "bad_answer"),
    "tool calls": (said(None, tool_calls=[{"id": "1"}]), "bad_answer"),
    "out of tokens": (said('{"a": "all lamps', finish="length"), "bad_answer"),
    "filtered": (said("I", finish="content_filter"), "bad_answer"),
    "no gzip": (Reply("plain", headers={"Content-Encoding": "gzip"}), "unreachable"),
    "huge": (HUGE, "bad_answer"),
    "not even text": (Reply(b"\xff\xfe\x00"), "bad_answer"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_in_time(name: str) -> None:
    answer, code = FAULTS[name]
    with model_server(answer) as server:
        seconds = SHORT if code == "timeout" else SECONDS
        start = perf_counter()
        error = fault_of(chat_at(server.url, max_answer_bytes=10_000, seconds=seconds))
        took = perf_counter() - start
    assert error.code == code
    assert took < seconds + WAITS
    assert KEY not in f"{error}{error.hint}"


def test_nobody_at_the_address() -> None:
    with model_server(said("x")) as server:
        url = server.url
    assert fault_of(chat_at(url)).code == "unreachable"


def test_a_wrong_content_type_is_no_matter() -> None:
    assert answered(replace(said("hello"), content_type="text/plain"))[0].text == "hello"


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.1.5", True),
        ("box.local", True),
        ("box", False),
        ("8.8.8.8", False),
    ],
)
def test_near_is_this_machine_and_its_network(host: str, near: bool) -> None:
    assert is_near(host) is near


@pytest.mark.parametrize(
    ("host", "answer"), [("127.0.0.1", "direct"), ("api.example.com", "through the proxy")]
)
def test_only_what_is_far_is_asked_through_a_proxy(
    host: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server(said("direct")) as server, model_server(said("through the proxy")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert completed(chat_at(server.url.replace("127.0.0.1", host))).text == answer


# retries


@pytest.mark.parametrize("first", [failed(429), failed(500), failed(503), replace(said("half"), cut=500)])
def test_what_may_pass_is_tried_again(first: Answer) -> None:
    completion, server = answered(first, said("hello"), retries=2)
    assert (completion.text, completion.attempts, len(server.asked)) == ("hello", 2, 2)


def test_and_again_but_not_for_ever() -> None:
    with model_server(failed(500)) as server:
        error = fault_of(chat_at(server.url, retries=2))
    assert (error.code, error.attempts, len(server.asked)) == ("server", 3, 3)


@pytest.mark.parametrize("code", [400, 401, 404])
def test_what_stays_is_not_tried_again(code: int) -> None:
    with model_server(failed(code, "no such model")) as server:
        assert fault_of(chat_at(server.url, retries=5, formats=("none",))).attempts == 1
    assert len(server.asked) == 1


def test_a_server_that_asks_for_patience_gets_it() -> None:
    start = perf_counter()
    completion, _ = answered(failed(429, headers={"Retry-After": "0.6"}), said("hello"), retries=1)
    assert completion.text == "hello"
    assert perf_counter() - start > 0.6


def test_but_not_beyond_the_deadline() -> None:
    with model_server(failed(429, headers={"Retry-After": "3600"})) as server:
        start = perf_counter()
        error = fault_of(chat_at(server.url, retries=5))
    assert perf_counter() - start < SECONDS
    assert (error.code, error.retry_after, error.retryable) == ("rate_limited", 3600, True)


# what a server does not take


def form(body: dict[str, Any]) -> str:
    return body.get("response_format", {}).get("type", "none")


def taking(*forms: str, fields: tuple[str, ...] = ()) -> Callable[[Any], Reply]:
    """A server that knows these formats and does not know these fields."""

    def answer(request: Any) -> Reply:
        if unknown := next((f for f in fields if f in request.body), None):
            return failed(400, f"Unsupported parameter: '{unknown}'")
        return (
            said("{}")
            if form(request.body) in forms
            else failed(400, "'response_format.type' is not supported")
        )

    return answer


@pytest.mark.parametrize(
    ("forms", "tried"),
    [
        (FORMATS, ["json_schema", "json_schema"]),
        (("json_object", "none"), ["json_schema", "json_object", "json_object"]),
        (("none",), ["json_schema", "json_object", "none", "none"]),
    ],
)
def test_a_format_that_is_refused_is_given_up_and_remembered(
    forms: tuple[str, ...], tried: list[str]
) -> None:
    with model_server(taking(*forms)) as server:
        chat = chat_at(server.url)
        for _ in range(2):
            assert completed(chat).text == "{}"
    assert [form(r.body) for r in server.asked] == tried


def test_a_field_that_is_refused_is_left_out_and_remembered() -> None:
    with model_server(taking(*FORMATS, fields=("temperature", "enable_thinking"))) as server:
        chat = chat_at(server.url, extra={"enable_thinking": False})
        for _ in range(2):
            completed(chat)
    sent = [{"temperature", "enable_thinking"} & r.body.keys() for r in server.asked]
    assert sent == [{"temperature", "enable_thinking"}, {"enable_thinking"}, set(), set()]
    assert form(server.asked[-1].body) == "json_schema"


def test_what_is_refused_anyhow_is_asked_in_the_best_format_the_next_time() -> None:
    with model_server(*[failed(400, "no such model")] * 3, said("{}")) as server:
        chat = chat_at(server.url)
        assert fault_of(chat).code == "refused"
        completed(chat)
    assert [form(r.body) for r in server.asked] == [*FORMATS, "json_schema"]


def test_a_refusal_without_a_schema_is_final() -> None:
    with model_server(failed(400)) as server, pytest.raises(ModelError):
        completed(chat_at(server.url), schema=None)
    assert len(server.asked) == 1


# at once, and after failures


def test_no_more_requests_at_once_than_configured() -> None:
    async def many(chat: OpenAIChat) -> None:
        async with chat:
            await asyncio.gather(*(chat.complete(MESSAGES) for _ in range(8)))

    for concurrency in (1, 3):
        with model_server(replace(said("hello"), delay=0.05)) as server:
            asyncio.run(many(chat_at(server.url, concurrency=concurrency)))
        assert server.most <= concurrency
        assert len(server.asked) == 8


def test_waiting_for_a_turn_counts_as_waiting() -> None:
    async def two(chat: OpenAIChat) -> list[Any]:
        async with chat:
            return await asyncio.gather(*(chat.complete(MESSAGES) for _ in range(2)), return_exceptions=True)

    with model_server(replace(said("late"), delay=30)) as server:
        start = perf_counter()
        errors = asyncio.run(two(chat_at(server.url, concurrency=1, seconds=SHORT)))
        assert perf_counter() - start < WAITS
    assert [e.code for e in errors] == ["timeout", "timeout"]


def test_a_server_that_keeps_failing_is_left_alone_for_a_while() -> None:
    now = [0.0]
    with model_server(*[failed(500)] * MAX_FAILURES, said("well again")) as server:
        chat = OpenAIChat(ModelEndpoint(server.url, retries=0), {"fast": "small"}, clock=lambda: now[0])
        assert [fault_of(chat).code for _ in range(MAX_FAILURES + 2)] == ["server"] * MAX_FAILURES + [
            "open_circuit"
        ] * 2
        assert len(server.asked) == MAX_FAILURES
        now[0] += COOL_DOWN_SECONDS
        assert completed(chat).text == "well again"
    assert len(server.asked) == MAX_FAILURES + 1


def test_whoever_is_called_off_leaves_no_request_behind() -> None:
    async def called_off(chat: OpenAIChat) -> None:
        async with chat:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await chat.complete(MESSAGES)

    with model_server(replace(said("late"), delay=30)) as server:
        start = perf_counter()
        asyncio.run(called_off(chat_at(server.url, seconds=20)))
        assert perf_counter() - start < WAITS


# secrets


def test_the_key_is_in_no_representation_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with model_server(failed(400, f"your key {KEY} is odd"), said("x")) as server:
        chat = chat_at(server.url, formats=("none",))
        told = [fault_of(chat), completed(chat), repr(chat), repr(chat.endpoint), caplog.text]
        told.append(repr(OpenAIEmbedder(chat.endpoint, "e")))
    assert not any("sk-" in str(text) for text in told)


# embeddings


def embedder_at(url: str, **settings: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder(
        ModelEndpoint(url, **{"key": KEY, "seconds": SECONDS, "retries": 0, **settings}), "e5"
    )


def test_texts_become_unit_vectors_in_their_order_and_in_batches() -> None:
    with model_server(embedded) as server:
        embedder = embedder_at(server.url, batch=2)
        found = embedder.embed(["a", "bb", "", "dd \ud800", "e"])
        embedder.close()
    assert found.shape == (5, 3) == (5, embedder.dimension)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert np.allclose(found[:, 0] / found[:, 1], [1, 2, 1, 4, 1])
    assert sorted(len(r.body["input"]) for r in server.asked) == [1, 2, 2]  # several at a time
    assert (server.asked[0].path, server.asked[0].body["model"], embedder.name) == (
        "/v1/embeddings",
        "e5",
        "e5",
    )


def test_the_length_of_vectors_is_asked_for_once() -> None:
    with model_server(embedded) as server:
        embedder = embedder_at(server.url)
        assert embedder.embed([]).shape == (0, 3)
        assert embedder.dimension == 3
        embedder.close()
        assert embedder.version in server.url
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Reply('{"data": []}'), "bad_answer"),
        (failed(401), "unauthorised"),
        (failed(500), "server"),
        (replace(Reply("{}"), delay=30), "timeout"),
        (replace(Reply("{}" + " " * 100), drip=0.2), "timeout"),
        (Reply("{}", cut=10), "unreachable"),
    ],
)
def test_a_fault_of_an_embedding_server_is_named(answer: Answer, code: str) -> None:
    seconds = SHORT if code == "timeout" else SECONDS
    with (
        model_server(answer) as server,
        closing(embedder_at(server.url, seconds=seconds)) as embedder,
        pytest.raises(ModelError) as caught,
    ):
        embedder.embed(["a"])
    assert (caught.value.code, caught.value.attempts) == (code, 1)


def test_an_embedding_server_is_tried_again_and_then_left_alone() -> None:
    with model_server(failed(500), embedded) as server:
        embedder = embedder_at(server.url, retries=1)
        assert embedder.embed(["a"]).shape == (1, 3)
        server.answers = [failed(500)]
        for _ in range(MAX_FAILURES):
            with pytest.raises(ModelError):
                embedder.embed(["a"])
        with pytest.raises(ModelError, match="left alone"):
            embedder.embed(["a"])
        embedder.close()


def test_vectors_that_change_their_length_are_a_bad_answer() -> None:
    longer = Reply(json.dumps({"data": [{"index": 0, "embedding": [1.0, 2.0]}]}))
    with model_server(embedded, longer) as server:
        embedder = embedder_at(server.url)
        embedder.embed(["a"])
        with pytest.raises(ModelError, match="gives vectors of 2 numbers now, and gave vectors of 3 before"):
            embedder.embed(["a"])
        embedder.close()


def test_several_batches_are_asked_at_one_time() -> None:
    slow = replace(embedded(Request("", {}, {"input": ["a"] * 8, "model": "e5"})), delay=0.2)
    with model_server(slow) as server:
        embedder = embedder_at(server.url, concurrency=3, batch=8)
        assert embedder.embed(["a"] * 24).shape == (24, 3)
        embedder.close()
        assert server.most > 1


def test_texts_that_fit_into_one_request_are_one_request() -> None:
    with model_server(embedded) as server:
        embedder = embedder_at(server.url, concurrency=4, batch=32)
        embedder.embed(["a"] * 32)
        embedder.close()
        assert len(server.asked) == 1


def test_a_batch_asked_again_carries_the_key_it_carried() -> None:
    with model_server(failed(500), embedded) as server:
        embedder = embedder_at(server.url, retries=1)
        embedder.embed(["a", "b"])
        embedder.embed(["b", "a"])
        embedder.close()
        first, second, other = (request.headers["Idempotency-Key"] for request in server.asked)
    assert first == second != other


def test_a_server_that_still_answers_the_first_time_is_given_time() -> None:
    with model_server(failed(409), embedded) as server:
        embedder = embedder_at(server.url, retries=1)
        assert embedder.embed(["a"]).shape == (1, 3)
        embedder.close()


def test_of_a_text_that_no_model_reads_the_beginning_is_sent() -> None:
    with model_server(embedded) as server:
        embedder = embedder_at(server.url, text_tokens=10)
        embedder.embed(["a" * 100])
        embedder.close()
        assert server.asked[0].body["input"] == ["a" * 20]
