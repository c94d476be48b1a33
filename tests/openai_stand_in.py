"""A server of the OpenAI protocol on this machine whose model does what its messages tell, streaming or not.

It is no language model: it carries out the plan of the data, calls for more where it was given nothing,
chooses what the person chose, and else answers with the last text of the data. So a loop can be run to its
end over HTTP.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.model_server import ModelServer, Reply, Request, model_server, said

PLAN = re.compile(r"^verdict act, plan (\w+)", re.MULTILINE)
QUESTION = re.compile(r'^verdict (?:confirm|clarify)[^"\n]*: "(.*)"$', re.MULTILINE)
TEXT = re.compile(r'"text":("(?:[^"\\]|\\.)*")')
WAITING = "Nothing is done yet. Ask the person, who alone can say yes:\n"
"""What a tool tells the model and not the person."""
PIECE = 7
"""Characters of a text, or of arguments, that one chunk of a stream holds."""


def answer(request: Request) -> Reply:
    """What the model says to these messages, whole or as a stream."""
    message = reply_message(request.body)
    if request.body.get("stream"):
        return Reply("".join(stream(message)), content_type="text/event-stream")
    return said(**{"text": message.pop("content"), "finish": "stop", **message})


def reply_message(body: Mapping[str, Any]) -> dict[str, Any]:
    """The message: a tool call where the data has a plan and the tool is offered, else words."""
    messages = body["messages"]
    names = {tool["function"]["name"] for tool in body.get("tools", ())}
    last = messages[-1]
    if last["role"] == "tool":
        return {"content": last["content"].removeprefix(WAITING)}
    if "search_notes" in names:
        return call("search_notes", {"query": last["content"]})
    data = next((m["content"] for m in reversed(messages[:-1]) if m["role"] == "system"), "")
    plan = PLAN.search(data)
    if plan and "act" in names:
        return call("act", {"plan": plan[1], "calls": None})
    if "weather" in names and "weather" in last["content"]:
        return call("weather", {"city": "Porto"})
    asks, texts = QUESTION.search(data), TEXT.findall(data)
    return {"content": asks[1] if asks else json.loads(texts[0]) if texts else "I do not know that."}


def call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": f"call_{name}", "type": "function", "function": function}]}


def stream(message: Mapping[str, Any]) -> Iterator[str]:
    """The message as server-sent events, in small pieces, as servers of the protocol send it."""
    yield _event({"role": "assistant", "content": ""})
    for number, one in enumerate(message.get("tool_calls", ())):
        function, arguments = one["function"], one["function"]["arguments"]
        first = {**one, "index": number, "function": {**function, "arguments": ""}}
        yield _event({"tool_calls": [first]})
        for at in range(0, len(arguments), PIECE):
            piece = {"index": number, "function": {"arguments": arguments[at : at + PIECE]}}
            yield _event({"tool_calls": [piece]})
    text = message["content"] or ""
    for at in range(0, len(text), PIECE):
        yield _event({"content": text[at : at + PIECE]})
    yield _event({}, finish="tool_calls" if message.get("tool_calls") else "stop")
    yield "data: [DONE]\n\n"


def _event(delta: Mapping[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "stand-in"}
    return f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n"


@contextmanager
def openai_server() -> Iterator[ModelServer]:
    """A running server; ``url`` is what a client is configured with, ``asked`` what was sent to it."""
    with model_server(answer) as server:
        yield server
