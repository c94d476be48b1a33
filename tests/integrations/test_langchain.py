"""Winnow in LangChain: against the installed package."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("langchain_core", reason="LangChain is not installed here: make test-integrations")

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough

from winnow import Engine
from winnow.integrations.langchain import WinnowChatMessageHistory, WinnowCompressor, WinnowRetriever


def test_the_retriever_gives_ids_scores_and_where_each_comes_from(engine: Engine) -> None:
    found = WinnowRetriever(engine=engine, user="ida").invoke("who services the boiler?")
    best = found[0]
    assert best.page_content.startswith("Hansen services the boiler")
    assert best.metadata["document"] == "boiler"
    assert (best.metadata["kind"], best.metadata["found_in"]) == ("passage", "knowledge")
    assert 0 < best.metadata["score"] <= 1
    assert best.id
    assert (
        asyncio.run(WinnowRetriever(engine=engine, user="ida").ainvoke("who services the boiler?")) == found
    )


def test_the_retriever_keeps_to_its_person_and_number(engine: Engine) -> None:
    assert WinnowRetriever(engine=engine, user="bob").invoke("where did I park my car?") == []
    assert len(WinnowRetriever(engine=engine, user="ida", k=1).invoke("the boiler and the car")) == 1


def test_the_retriever_stands_in_a_chain(engine: Engine) -> None:
    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    chain = {
        "context": WinnowRetriever(engine=engine, user="ida"),
        "question": RunnablePassthrough(),
    } | prompt
    assert "level 3" in chain.invoke("where did I park my car?").to_string()


def test_the_compressor_keeps_what_answers_with_its_id(engine: Engine) -> None:
    documents = WinnowRetriever(engine=engine, user="ida").invoke("who services the boiler?")
    query = "who services the boiler?"
    small = WinnowCompressor(tokens=30).compress_documents(documents, query)
    assert small[0].id == documents[0].id
    assert "Hansen" in small[0].page_content
    assert len(small[0].page_content) < len(documents[0].page_content)
    assert small[0].metadata["document"] == "boiler"
    assert asyncio.run(WinnowCompressor(tokens=30).acompress_documents(documents, query)) == small
    assert WinnowCompressor().compress_documents([Document("short")], "short")[0].page_content == "short"


def test_the_history_keeps_what_was_said_and_later_talks_find_it(engine: Engine) -> None:
    history = WinnowChatMessageHistory(engine, "monday", user="eve")
    history.add_messages(
        [SystemMessage("Be brief."), HumanMessage("My dentist is called Okafor."), AIMessage("Noted.")]
    )
    assert [(m.type, m.content) for m in history.messages] == [
        ("human", "My dentist is called Okafor."),
        ("ai", "Noted."),
    ]
    found = WinnowRetriever(engine=engine, user="eve").invoke("what is my dentist called?")
    assert "Okafor" in found[0].page_content
    other = WinnowChatMessageHistory(engine, "tuesday", user="eve")
    other.add_user_message("hello")
    history.clear()
    assert (history.messages, len(other.messages)) == ([], 1)


def test_the_history_in_an_event_loop(engine: Engine) -> None:
    async def talk() -> list[str]:
        history = WinnowChatMessageHistory(engine, "monday", user="eve")
        await history.aadd_messages([HumanMessage("one"), AIMessage("two")])
        said = [str(m.content) for m in await history.aget_messages()]
        await history.aclear()
        return [*said, str(len(await history.aget_messages()))]

    assert asyncio.run(talk()) == ["one", "two", "0"]
