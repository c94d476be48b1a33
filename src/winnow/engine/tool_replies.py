"""The tool calls of a model's reply, answered so that the model can go on; and replies that come in pieces.

while (reply := await ask(retrieval.context)).get("tool_calls"):
    retrieval = (await engine.call_tools(retrieval, reply)).retrieval
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from winnow.context.more import MORE_TOOL, MORE_TOOL_NAME, append_messages
from winnow.engine.llm.json_repair import first_object
from winnow.engine.tool_calls import (
    MAX_ARGUMENT_CHARS,
    TOOL_SCHEMAS,
    ToolEngine,
    ToolResult,
    Tools,
    tool_schemas,
)
from winnow.errors import ArgumentError
from winnow.language.encode import compact_json
from winnow.language.messages import message
from winnow.types.context import ChatMessage, Tool
from winnow.types.receipt import Confirmation, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import LanguageCode

MAX_CALLS = 20
"""Tool calls of one reply that are carried out; the rest are told that they were too many."""
MAX_RESULT_CHARS = 20_000
"""Characters of what a function of the host answers."""
ModelReply = ChatMessage | Any
"""An assistant's message as a mapping, or an object with ``model_dump``, as the client of OpenAI has them."""
Functions = Mapping[str, Callable[..., Any]]
"""Functions of the host by the names of their tools: called with the arguments by name, they may be
coroutines, and what they return is told to the model as text or JSON."""


@dataclass(frozen=True, slots=True)
class ToolReplies:
    """What came of the tool calls of one reply."""

    retrieval: Retrieval
    """What to go on with: its messages end with the calls and what answers them."""
    results: tuple[ToolResult, ...] = field(default=(), repr=False)
    """One for each call, in their order."""

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """What was done, refused, or waits for a yes; none of what only looked something up."""
        return tuple(one.receipt for one in self.results if one.receipt is not None)

    @property
    def waiting(self) -> Confirmation | None:
        """The question that the person has to answer first, with its token: never for the model."""
        return next((one.waiting for one in self.receipts if one.waiting is not None), None)


def agent_tools(language: LanguageCode) -> list[Tool]:
    """What a model may call: act, answer and look up more. A yes is the person's, so ``confirm`` is not."""
    offered = [tool for tool in tool_schemas(language) if tool["function"]["name"] != "confirm"]
    return [*offered, MORE_TOOL]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as a model wrote it, whatever that was."""

    id: str = ""
    name: str = ""
    arguments: object = "{}"

    @classmethod
    def of(cls, written: object) -> ToolCall:
        """The call of an OpenAI-style message; an empty one where it is none."""
        call = written if isinstance(written, Mapping) else {}
        function = call.get("function")
        told = function if isinstance(function, Mapping) else {}
        return cls(str(call.get("id") or ""), str(told.get("name") or ""), told.get("arguments") or "{}")

    @property
    def message(self) -> ChatMessage:
        """The call alone in a message of the assistant's."""
        function = {"name": self.name, "arguments": self.arguments}
        calls = [{"id": self.id, "type": "function", "function": function}]
        return {"role": "assistant", "content": None, "tool_calls": calls}


async def answer_calls(
    engine: ToolEngine, retrieval: Retrieval, reply: ModelReply, functions: Functions
) -> ToolReplies:
    """The reply's tool calls carried out, one after the other. Raises what a function raises, StoreError."""
    said = reply_message(reply)
    if not isinstance(written := said.get("tool_calls"), Sequence):
        return ToolReplies(retrieval)
    calls, results, context = list(map(ToolCall.of, written)), list[ToolResult](), retrieval.context
    for number, call in enumerate(calls):
        if number < MAX_CALLS:
            result = await _answer_call(engine, retrieval, call, functions)
        else:
            result = _error(message("tool_too_many", retrieval.reading.language, count=MAX_CALLS))
        # An answer leads to another plan, more data to more results: the next call goes back to that turn.
        retrieval = result.retrieval or retrieval
        results.append(result)
    tools = [
        {"role": "tool", "tool_call_id": call.id, "content": result.text}
        for call, result in zip(calls, results, strict=True)
    ]
    extended = append_messages(context, (said, *tools), engine.contexts.counter)
    dialogue = retrieval.context.dialogue or context.dialogue
    return ToolReplies(replace(retrieval, context=replace(extended, dialogue=dialogue)), tuple(results))


async def _answer_call(
    engine: ToolEngine, retrieval: Retrieval, call: ToolCall, functions: Functions
) -> ToolResult:
    """What came of one call, whatever a model wrote."""
    language = retrieval.reading.language
    if call.name in functions:
        return await _call_function(functions[call.name], call.arguments)
    if call.name == MORE_TOOL_NAME:
        return await _look_up(engine, retrieval, call)
    if call.name in TOOL_SCHEMAS and call.name != "confirm":
        given = call.arguments if isinstance(call.arguments, str | Mapping) else ""
        who = replace(retrieval.utterance, home=retrieval.home_id, language=language)
        return await Tools(engine, who).call(call.name, given)
    offered: list[Any] = [*agent_tools(language)]
    names = [*(tool["function"]["name"] for tool in offered), *functions]
    return _error(message("tool_unknown", language, what=call.name[:64], names=names))


def _error(text: str) -> ToolResult:
    return ToolResult(text, {"status": "error"})


async def _call_function(function: Callable[..., Any], arguments: object) -> ToolResult:
    """What a function of the host answers."""
    given = first_object(arguments[:MAX_ARGUMENT_CHARS]) if isinstance(arguments, str) else arguments
    came = function(**given) if isinstance(given, Mapping) else function()
    if inspect.isawaitable(came):
        came = await came
    text = came if isinstance(came, str) else compact_json(came, MAX_RESULT_CHARS)
    return ToolResult(text[:MAX_RESULT_CHARS], {"status": "called"})


async def _look_up(engine: ToolEngine, retrieval: Retrieval, call: ToolCall) -> ToolResult:
    """What a call for more brought to light."""
    deeper = await engine.more(retrieval, call.message)
    grown = deeper.context.messages[len(retrieval.context.messages) :]
    none = message("nothing_more", retrieval.reading.language)
    text = str(grown[-1].get("content")) if grown else none
    return ToolResult(text, {"status": "nothing" if text == none else "found"}, retrieval=deeper)


def reply_message(reply: ModelReply) -> ChatMessage:
    """The reply as a message that can be sent back. Raises ArgumentError."""
    said = reply.model_dump(exclude_none=True) if hasattr(reply, "model_dump") else reply
    if not isinstance(said, Mapping):
        raise ArgumentError("reply", "must be the message of a model", reply)
    kept = {name: said[name] for name in ("content", "tool_calls") if said.get(name)}
    return {"role": "assistant", "content": None, **kept}


def reply_text(reply: ModelReply | str) -> str:
    """What a reply says, without its calls. Raises ArgumentError."""
    return reply if isinstance(reply, str) else str(reply_message(reply).get("content") or "")


class StreamedReply:
    """A model's reply put together from the chunks of a stream.

    reply = StreamedReply()
    async for chunk in stream:
        print(reply.add(chunk), end="")
    """

    def __init__(self) -> None:
        self.text = ""
        """What was said so far."""
        self._calls: dict[int, dict[str, Any]] = {}

    def add(self, chunk: ModelReply) -> str:
        """Take in one chunk, a mapping or an object of a client; the text that it adds."""
        told: Any = chunk if isinstance(chunk, Mapping) else chunk.model_dump(exclude_none=True)
        piece = ""
        for choice in told.get("choices") or ():
            delta = choice.get("delta") or {}
            piece += delta.get("content") or ""
            for part in delta.get("tool_calls") or ():
                self._add_call(part)
        self.text += piece
        return piece

    def _add_call(self, part: Mapping[str, Any]) -> None:
        """One piece of a call: its id and name come with the first, its arguments in all of them."""
        empty = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        call = self._calls.setdefault(int(part.get("index") or 0), empty)
        call["id"] = part.get("id") or call["id"]
        function = part.get("function") or {}
        call["function"]["name"] += function.get("name") or ""
        call["function"]["arguments"] += function.get("arguments") or ""

    @property
    def message(self) -> ChatMessage:
        """The reply as one message, as a model sends it that does not stream."""
        calls = [self._calls[index] for index in sorted(self._calls)]
        return {"role": "assistant", "content": self.text or None, **({"tool_calls": calls} if calls else {})}
