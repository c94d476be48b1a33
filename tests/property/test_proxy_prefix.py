"""Through the proxy a prompt begins as it did a turn ago, so that the cache of a model server holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.model_server import ModelServer, model_server, said
from tests.unit.app.server.conftest import cottage, served

from winnow.adapters.models.openai import ModelEndpoint, OpenAIChat

SENTENCES = (
    "turn off the reading lamp",
    "is the front door locked?",
    "what is a good book?",
    "how warm is it in the study?",
    "make it brighter",
    "打开书房的灯",
    "where did I park the car?",
    "turn on all the lights",
)
NUMBERS = count(1)
"""A talk is known by how it begins and by who speaks: each of them is another person's."""
SYSTEM = {"role": "system", "content": "You help.\nAnswer in one sentence. 回答要简短。"}


@pytest.fixture(scope="module")
def proxy() -> Iterator[tuple[httpx.Client, ModelServer]]:
    """A client of a proxy, and the model behind it."""
    with model_server(said("Good.")) as model, served(cottage(), keyless=True, rate=0) as server:
        server.engine.chat = OpenAIChat(
            ModelEndpoint(model.url, retries=0), {"fast": "small", "normal": "big"}
        )
        with server.client() as client:
            yield client, model


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=4))
def test_what_stands_before_our_block_stays_byte_by_byte(
    proxy: tuple[httpx.Client, ModelServer], sentences: list[str]
) -> None:
    client, model = proxy
    talk, before, user = [SYSTEM], b"", f"person{next(NUMBERS)}"
    for sentence in sentences:
        talk.append({"role": "user", "content": sentence})
        asked = len(model.asked)
        told = client.post(
            "/v1/chat/completions", json={"messages": talk, "model": "winnow", "user": user}
        ).json()
        talk.append({"role": "assistant", "content": told["choices"][0]["message"]["content"]})
        for request in model.asked[asked:]:
            if request.body["model"] != "big":
                continue
            stable = stable_part(request.body["messages"])
            assert stable.startswith(before)
            before = stable


def stable_part(messages: list[dict[str, object]]) -> bytes:
    """What stands before the data of the turn, or before the sentence where there are none."""
    last = max(n for n, one in enumerate(messages) if one["role"] == "user")
    end = last - 1 if messages[last - 1]["role"] == "system" and last > 1 else last
    return b"".join(json.dumps(one, ensure_ascii=False).encode() for one in messages[:end])
