"""No client asks another server than that of the settings, wherever an answer leads it with its key."""

from __future__ import annotations

import asyncio

import pytest
from tests import model_server as models
from tests.smartthings_stand_in import TOKEN, Reply, smartthings

from winnow.adapters.models.openai import ModelEndpoint, OpenAIChat
from winnow.adapters.platforms.live.rest_client import AccessTokens, RequestEffort, rest_client
from winnow.adapters.platforms.live.server import parse_address
from winnow.errors import LinkError, ModelError


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_client_goes_where_an_answer_leads(status: int) -> None:
    with models.model_server(models.Reply("{}")) as other:
        where = {"Location": f"{other.url}/chat/completions"}
        with models.model_server(models.Reply("{}", status, where)) as asked:
            endpoint = ModelEndpoint(asked.url, ("none",), seconds=5, retries=0)
            chat = OpenAIChat(endpoint, {"fast": "m", "normal": "m"})
            with pytest.raises(ModelError):
                asyncio.run(chat.complete([{"role": "user", "content": "hi"}], tier="fast"))
            assert (len(asked.asked), other.asked) == (1, [])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_nor_does_what_reads_a_home(status: int) -> None:
    async def read(url: str) -> object:
        effort = RequestEffort(seconds=5, first_pause=0.01, patience=0.1)
        async with rest_client(parse_address(url), AccessTokens("T", TOKEN), effort) as client:
            return await client.get("/devices")

    with smartthings() as other, smartthings() as asked:
        asked.faults.append(lambda request: Reply({}, status, {"Location": f"{other.url}/devices"}))
        with pytest.raises(LinkError):
            asyncio.run(read(asked.url))
        assert len(asked.asked) >= 1
        assert other.asked == []
