"""Winnow in LlamaIndex: against the installed package."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed here: make test-integrations")

from llama_index.core.llms import ChatMessage, MockLLM
from llama_index.core.memory import Memory
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from sqlalchemy.ext.asyncio import create_async_engine

from winnow import Engine
from winnow.integrations.llamaindex import WinnowMemoryBlock, WinnowNodePostprocessor, WinnowNodeRetriever

BOILER = "who services the boiler?"


def test_the_retriever_gives_ids_scores_and_where_each_comes_from(engine: Engine) -> None:
    retriever = WinnowNodeRetriever(engine, user="ida")
    found = retriever.retrieve(BOILER)
    assert found[0].node.get_content().startswith("Hansen services the boiler")
    assert found[0].node.metadata["document"] == "boiler"
    assert found[0].score == found[0].node.metadata["score"] > 0
    again = asyncio.run(retriever.aretrieve(BOILER))
    assert [one.node.node_id for one in again] == [one.node.node_id for one in found]
    assert WinnowNodeRetriever(engine, user="bob").retrieve("where did I park my car?") == []


def test_the_postprocessor_keeps_what_answers_with_its_id_and_score(engine: Engine) -> None:
    found = WinnowNodeRetriever(engine, user="ida").retrieve(BOILER)
    small = WinnowNodePostprocessor(tokens=30).postprocess_nodes(found, query_str=BOILER)
    assert (small[0].node.node_id, small[0].score) == (found[0].node.node_id, found[0].score)
    assert "Hansen" in small[0].node.get_content()
    assert len(small[0].node.get_content()) < len(found[0].node.get_content())
    later = asyncio.run(WinnowNodePostprocessor(tokens=30).apostprocess_nodes(found, query_str=BOILER))
    assert [one.node.get_content() for one in later] == [one.node.get_content() for one in small]


def test_both_stand_in_a_query_engine(engine: Engine) -> None:
    asked = RetrieverQueryEngine(
        WinnowNodeRetriever(engine, user="ida"),
        response_synthesizer=get_response_synthesizer(llm=MockLLM()),
        node_postprocessors=[WinnowNodePostprocessor(tokens=60)],
    )
    answer = asked.query(BOILER)
    assert "Hansen" in str(answer)
    assert answer.source_nodes[0].node.metadata["found_in"] == "knowledge"


def test_the_memory_block_gives_what_the_last_message_asks_for(engine: Engine) -> None:
    async def talk() -> tuple[str, str]:
        block = WinnowMemoryBlock(engine=engine, user="ida")
        await block.aput(
            [ChatMessage(role="user", content="My dentist is called Okafor.")], session_id="monday"
        )
        asked = [ChatMessage(role="user", content="what is my dentist called?")]
        return await block.aget(asked), await block.aget([])

    told, nothing = asyncio.run(talk())
    assert "Okafor" in told
    assert nothing == ""
    assert [m.conversation for m in engine.sync.messages(user="ida")] == ["", "monday"]


def test_the_memory_block_stands_in_a_memory_and_can_be_cut(engine: Engine) -> None:
    async def talk() -> str:
        block = WinnowMemoryBlock(engine=engine, user="ida", priority=1)
        database = create_async_engine("sqlite+aiosqlite://")
        memory = Memory.from_defaults(
            session_id="talk", token_limit=4000, memory_blocks=[block], async_engine=database
        )
        await memory.aput(ChatMessage(role="user", content="where did I park my car?"))
        assert await block.atruncate("one two three", 100) is None
        told = "\n".join(str(message.content) for message in await memory.aget())
        await database.dispose()
        return told

    assert "level 3" in asyncio.run(talk())
