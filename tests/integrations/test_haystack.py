"""Winnow in Haystack: against the installed package, in pipelines."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("haystack", reason="Haystack is not installed here: make test-integrations")

from haystack import Pipeline
from haystack.dataclasses import ChatMessage

from winnow import Engine
from winnow.integrations.haystack import (
    WinnowDocumentCompressor,
    WinnowDocumentRetriever,
    WinnowMessageWriter,
    WinnowPromptBuilder,
)

BOILER = "who services the boiler?"


def pipeline(engine: Engine) -> Any:
    made = Pipeline()
    made.add_component("retriever", WinnowDocumentRetriever(engine, user="ida"))
    made.add_component("compressor", WinnowDocumentCompressor(tokens=30))
    made.connect("retriever.documents", "compressor.documents")
    return made


def test_what_is_found_goes_through_a_pipeline_with_ids_scores_and_where_it_comes_from(
    engine: Engine,
) -> None:
    asked = {"retriever": {"query": BOILER}, "compressor": {"query": BOILER}}
    (whole,) = WinnowDocumentRetriever(engine, user="ida", top_k=1).run(BOILER)["documents"]
    small = pipeline(engine).run(asked)["compressor"]["documents"][0]
    assert "Hansen" in small.content
    assert (small.id, small.score, small.meta["document"]) == (whole.id, whole.score, "boiler")
    assert len(small.content) < len(whole.content)
    later = asyncio.run(pipeline(engine).run_async(asked))["compressor"]["documents"]
    assert later[0].content == small.content


def test_the_person_may_be_said_at_the_run(engine: Engine) -> None:
    retriever = WinnowDocumentRetriever(engine)
    assert retriever.run("where did I park my car?", user="bob")["documents"] == []
    found = asyncio.run(retriever.run_async("where did I park my car?", user="ida"))["documents"]
    assert "level 3" in found[0].content


def test_messages_are_written_and_found_later(engine: Engine) -> None:
    writer = WinnowMessageWriter(engine, user="eve")
    said = [ChatMessage.from_user("My dentist is called Okafor."), ChatMessage.from_assistant("Noted.")]
    assert writer.run(said, conversation="monday") == {"messages_written": 2}
    assert asyncio.run(writer.run_async([ChatMessage.from_system("Be brief.")])) == {"messages_written": 0}
    found = WinnowDocumentRetriever(engine).run("what is my dentist called?", user="eve")["documents"]
    assert "Okafor" in found[0].content


def test_the_prompt_is_the_context_of_the_turn(engine: Engine) -> None:
    builder = WinnowPromptBuilder(engine, system="Be brief.")
    made = Pipeline()
    made.add_component("prompt", builder)
    came = made.run({"prompt": {"query": BOILER, "user": "ida"}})["prompt"]
    assert [m.role.value for m in came["prompt"]] == ["system", "system", "user"]
    assert "Hansen" in came["prompt"][1].text
    assert came["retrieval"].context.token_count <= came["retrieval"].context.total
    later = asyncio.run(builder.run_async(BOILER, user="ida"))["prompt"]
    assert [m.text for m in later] == [m.text for m in came["prompt"]]
