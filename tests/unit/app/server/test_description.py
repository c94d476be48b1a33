"""Whatever the description allows, and a little more, is answered: never by an error of the server's own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import httpx
import pytest
from tests.unit.app.server.conftest import cottage, served

ROUNDS = 3
ODD: tuple[Any, ...] = (
    None,
    "",
    0,
    -1,
    2**70,
    1e308,
    True,
    [],
    {},
    "x" * 3000,
    "\x00",
    "开灯",
    "'; DROP TABLE homes; --",
    "../../etc/passwd",
    [[]],
    {"a": {"b": []}},
)
SENTENCES = ("turn on the lamp", "关灯", "unlock the front door", "what did I say about rye bread")


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with served(cottage(), keyless=True, rate=0) as server, server.client() as found:
        yield found


def value_of(shape: dict[str, Any], shapes: dict[str, Any], rng: random.Random) -> Any:
    """A value that the shape allows."""
    if "$ref" in shape:
        return value_of(shapes[shape["$ref"].rpartition("/")[2]], shapes, rng)
    if examples := shape.get("examples"):
        return rng.choice(examples)
    if "const" in shape:
        return shape["const"]
    if choices := shape.get("enum") or shape.get("anyOf"):
        chosen = rng.choice(choices)
        return value_of(chosen, shapes, rng) if isinstance(chosen, dict) else chosen
    kind = shape.get("type", "object")
    if kind == "object" and (inside := shape.get("properties")):
        wanted = set(shape.get("required", ()))
        names = [name for name in inside if name in wanted or rng.random() < 0.4]
        return {name: value_of(inside[name], shapes, rng) for name in names}
    plain = {"string": rng.choice(SENTENCES), "integer": 40, "number": 0.5, "boolean": True, "null": None}
    return plain.get(kind, [{"role": "user", "content": "hello"}] if kind == "array" else {})


def spoilt(value: Any, rng: random.Random) -> Any:
    """The same with something odd in one place."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        return {**value, name: spoilt(value[name], rng)}
    return rng.choice(ODD)


def test_every_request_is_answered_in_a_known_shape(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    shapes, rng, seen = described["components"]["schemas"], random.Random(5), set()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {})
            shape = content.get("application/json", {}).get("schema")
            url = path.replace("{home_id}", "cottage").replace("{id_}", "x").replace("{name}", "x.md")
            if method == "delete":
                url = url.replace("cottage", "elsewhere")
            for n in range(ROUNDS if shape else 1):
                body = value_of(shape, shapes, rng) if shape else {}
                sent = client.request(method, url, json=spoilt(body, rng) if n else body)
                told = sent.json() if "json" in sent.headers["content-type"] else {}
                assert sent.status_code < 500 or told["error"]["code"] == "no_model", (url, body, sent.text)
                if sent.status_code >= 400:
                    assert set(told["error"]) == {"code", "message", "hint"}
                elif url.startswith("/v1"):
                    assert "usage" in told
                seen.add(sent.status_code)
    assert {200, 422} <= seen


def test_every_body_has_an_example_that_is_valid(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {})
            if not (shape := content.get("application/json", {}).get("schema")):
                continue
            examples = described["components"]["schemas"][shape["$ref"].rpartition("/")[2]].get(
                "examples", []
            )
            assert examples, path
            for example in examples:
                sent = client.request(method, path.replace("{home_id}", "cottage"), json=example)
                assert sent.status_code != 422, (path, sent.text)


def test_spans_tell_operations_and_counts_and_no_words() -> None:
    spans: list[tuple[str, dict[str, Any]]] = []

    class Span:
        def __init__(self, attributes: dict[str, Any]) -> None:
            self.attributes = attributes

        def set_attribute(self, name: str, value: Any) -> None:
            self.attributes[name] = value

    class Tracer:
        @contextmanager
        def start_as_current_span(self, name: str, attributes: dict[str, Any]) -> Iterator[Span]:
            spans.append((name, attributes))
            yield Span(attributes)

    with served(cottage(), keyless=True) as server, server.client() as own:
        assert server.door is not None
        server.door.tracer = cast("Any", Tracer())
        own.post("/v1/retrieve", json={"text": "turn on the reading lamp", "user": "ida", "session": "s"})
        own.post("/v1/facts", json={"text": "I live in Porto", "user": "ida"})
    names = [name for name, _ in spans]
    assert names == ["search_memory winnow", "upsert_memory facts"]
    told = spans[0][1]
    assert told["gen_ai.operation.name"] == "search_memory"
    assert told["gen_ai.conversation.id"] == "s"
    assert told["gen_ai.memory.record.count"] > 0
    assert "lamp" not in str(spans)
    assert "Porto" not in str(spans)
