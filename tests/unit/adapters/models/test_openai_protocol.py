"""What requests hold and what answers say."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.model_server import said

from winnow.adapters.http import retry_after_seconds
from winnow.adapters.models.openai_protocol import (
    chat_body,
    parse_completion,
    parse_vectors,
    status_error,
)
from winnow.errors import ModelError
from winnow.types.context import Completion

MESSAGES = ({"role": "user", "content": "hi"},)
CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


def test_a_schema_is_enforced_where_the_server_can() -> None:
    body = chat_body("m", MESSAGES, CLOSED, "json_schema", {"temperature": 0})
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": CLOSED, "strict": True},
    }
    assert body["messages"] == list(MESSAGES)
    assert (body["model"], body["temperature"], body["stream"]) == ("m", 0, False)


def test_a_schema_that_leaves_something_open_is_not_strict() -> None:
    body = chat_body("m", MESSAGES, {"type": "object", "properties": {}}, "json_schema", {})
    assert body["response_format"]["json_schema"]["strict"] is False


@pytest.mark.parametrize(("form", "sent"), [("json_object", {"type": "json_object"}), ("none", None)])
def test_elsewhere_the_prompt_tells_it_and_says_json(form: str, sent: object) -> None:
    body = chat_body("m", MESSAGES, CLOSED, form, {})
    assert body.get("response_format") == sent
    assert "JSON" in body["messages"][0]["content"]
    assert '"additionalProperties":false' in body["messages"][0]["content"]
    assert body["messages"][1:] == list(MESSAGES)


def test_without_a_schema_nothing_is_said_about_json() -> None:
    body = chat_body("m", MESSAGES, None, "json_object", {})
    assert "response_format" not in body
    assert body["messages"] == list(MESSAGES)


def test_an_answer_comes_with_model_and_tokens() -> None:
    found = parse_completion(str(said("yes").body).encode(), 3.5, 2)
    assert found == Completion("yes", "stand-in", 12, 5, 3.5, 2)


def test_text_may_come_in_parts_and_thoughts_are_left_out() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert (
        parse_completion(body(message={"content": parts, "reasoning_content": "secret"}), 0, 1).text == "ab"
    )


def body(**choice: Any) -> bytes:
    return json.dumps({"choices": [choice]}).encode()


@pytest.mark.parametrize(
    "usage", [None, 7, {"prompt_tokens": "many"}, {"prompt_tokens": True}, {"prompt_tokens": -1}]
)
def test_tokens_nobody_counted_are_none(usage: object) -> None:
    data = json.dumps({"choices": [{"message": {"content": "x"}}], "usage": usage}).encode()
    assert parse_completion(data, 0, 1).prompt_tokens is None


NO_ANSWERS = [
    *(b"", b"<html>hello</html>", b"[]", b"null", b"{}", b"[" * 100_000, b"\xff\xfe"),
    *(b'{"choices": []}', b'{"choices": null}', b'{"choices": ["x"]}', b'{"error": {"message": "but 200"}}'),
    *(body(), body(message=None)),
    *(body(message={"content": content}) for content in (None, "", "  \n", 7)),
    body(message={"content": None, "reasoning_content": "hm"}),
    body(message={"content": None, "tool_calls": [{"id": "1"}]}),
    body(message={"content": "cut"}, finish_reason="length"),
    body(message={"content": "no"}, finish_reason="content_filter"),
]


@pytest.mark.parametrize("data", NO_ANSWERS)
def test_what_is_no_answer_is_a_bad_answer(data: bytes) -> None:
    with pytest.raises(ModelError) as caught:
        parse_completion(data, 0, 1)
    assert (caught.value.code, caught.value.retryable) == ("bad_answer", False)
    assert caught.value.hint


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
def test_no_json_breaks_the_reader(value: object) -> None:
    for data in (
        value,
        {"choices": value},
        {"choices": [{"message": value}]},
        {"data": value},
        {"data": [value]},
    ):
        for reader in (lambda d: parse_completion(d, 0, 1), lambda d: parse_vectors(d, 1)):
            with suppress(ModelError):
                reader(json.dumps(data).encode())


@pytest.mark.parametrize(
    ("status", "code"),
    [
        *((status, "refused") for status in (204, 301, 400, 404, 422)),
        *((status, "server") for status in (408, 500, 502, 503)),
        *((401, "unauthorised"), (403, "unauthorised"), (429, "rate_limited")),
    ],
)
def test_each_status_is_a_fault_with_a_hint(status: int, code: str) -> None:
    error = status_error(status, b'{"error": {"message": "why"}}', retry_after=3)
    assert (error.code, error.status, error.retry_after) == (code, status, 3)
    assert error.hint
    assert str(status) in str(error)


def test_what_the_server_says_is_quoted_as_one_harmless_line() -> None:
    text = str(status_error(400, b'{"error": {"message": "no\\n<b>model</b> x"}}'))
    assert "no ‹b›model‹/b› x" in text
    assert len(str(status_error(500, b"x" * 10_000))) < 300


def test_a_key_is_never_quoted() -> None:
    assert "sk-123" not in str(status_error(400, b"bad key sk-123 here", "sk-123"))
    assert "123" not in str(status_error(401, b"Incorrect API key: sk-...123", "sk-secret-123"))


def test_a_spent_account_is_not_tried_again() -> None:
    assert status_error(429, b'{"error": {"code": "insufficient_quota", "message": "x"}}').retryable is False


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("5", 5),
        ("1.5", 1.5),
        ("-3", 0),
        ("soon", 0),
        ("inf", 0),
        ("nan", 0),
        ("1e400", 0),
    ],
)
def test_a_wish_to_be_left_alone_is_in_seconds(header: str | None, seconds: float) -> None:
    assert retry_after_seconds(header) == seconds


def test_or_until_a_date() -> None:
    assert 50 < retry_after_seconds(format_datetime(datetime.now(UTC) + timedelta(seconds=60))) <= 60
    assert retry_after_seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after_seconds("Wed, 21 Oct 2015 07:28:00") == 0


def test_vectors_come_in_the_order_of_their_texts() -> None:
    rows = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]
    assert parse_vectors(json.dumps({"data": rows}).encode(), 2) == [[1.0, 0.0], [0.0, 1.0]]


def embeddings(*vectors: object) -> list[object]:
    return [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]


@pytest.mark.parametrize(
    "rows",
    [
        *([], [1, 2], None, embeddings([1]), embeddings([1], [1, 2]), embeddings([], [])),
        *(embeddings(["x"], ["y"]), embeddings(None, None), embeddings([True], [1])),
        [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}],
        [{"index": [], "embedding": [1]}, {"index": {}, "embedding": [1]}],
    ],
)
def test_anything_but_that_many_vectors_is_a_bad_answer(rows: object) -> None:
    with pytest.raises(ModelError) as caught:
        parse_vectors(json.dumps({"data": rows}).encode(), 2)
    assert caught.value.code == "bad_answer"
