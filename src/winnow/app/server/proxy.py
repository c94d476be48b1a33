"""``/v1/chat/completions``: an application's base URL points here, and each turn gets the smallest context.

What a person says is understood first. A question that needs a yes goes back to the person as the answer, and
their yes is carried out here. Everything else goes to the configured model, with Winnow's own tools beside
the application's; calls of the former are checked and carried out, calls of the latter pass through as they
are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import time
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from winnow.app.access import key_scope
from winnow.app.output import json_text
from winnow.app.server.door import Caller, Door, TheDoor, told, used
from winnow.app.server.faults import DataResponse, RequestError, error_data, fault_of, language_of
from winnow.app.server.pace import PacedRoute
from winnow.app.server.telemetry import memory_span, turn_attributes
from winnow.context.more import MORE_TOOL, MORE_TOOL_NAME
from winnow.engine.replies import receipt_sentences, verdict_reply
from winnow.engine.tool_calls import ToolResult, Tools
from winnow.errors import HomeNotFound, WinnowError
from winnow.language.answers import ClosedQuestion, meaning
from winnow.language.tokens import counter
from winnow.ports.services import ChatStream
from winnow.types.context import ContextOptions
from winnow.types.query import UNDO
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import AccessKey, Scope
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Clarify, Confirm, Nothing

Message = dict[str, Any]
PREFIX = "winnow_"
"""Of our tools' names, so that an application may have an ``act`` of its own."""
OWN_TOOLS = {PREFIX + name: name for name in ("act", "answer")}
"""There is no ``confirm``: a yes is the person's to say, and never a model's."""
MAX_ROUNDS = 4
"""Questions to the model in one turn."""
INSTRUCTION_ROLES = frozenset({"system", "developer"})
OWN_FIELDS = frozenset({"messages", "model", "stream", "stream_options", "tools", "user", "n"})
"""Fields of a request that are not passed on as they are."""
routes = APIRouter(route_class=PacedRoute, prefix="/v1", tags=["proxy"])


class ChatRequest(BaseModel):
    """A request of OpenAI's protocol; what is not named here goes to the model as it is."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {"model": "winnow", "messages": [{"role": "user", "content": "turn on the desk lamp"}]}
            ]
        },
    )

    messages: list[Message] = Field(min_length=1)
    model: str = Field("", description="Any: the configured model answers.")
    stream: bool = False
    stream_options: dict[str, Any] | None = None
    tools: list[Message] | None = None
    user: str = Field("", description="Who speaks, where the key does not say it.")
    n: int | None = Field(None, ge=1, le=1)


@dataclass(frozen=True, slots=True)
class ProxyTalk:
    """The parts of a request: instructions, what was said before, the sentence, and what came after it."""

    system: str
    before: tuple[Message, ...]
    sentence: Message
    after: tuple[Message, ...]
    """Calls and results of the application's tools in this turn."""

    @property
    def text(self) -> str:
        """What the person said."""
        return content_text(self.sentence.get("content"))

    @property
    def asked(self) -> str:
        """What was said to the person last."""
        last = self.before[-1] if self.before else {}
        return content_text(last.get("content")) if last.get("role") == "assistant" else ""

    @property
    def digest(self) -> str:
        """What tells this sentence of this talk from others."""
        return hashlib.sha256(json_text([self.before, self.sentence]).encode()).hexdigest()

    def session(self, scope: Scope) -> str:
        """An id of the talk: the same as long as it begins with the same words of the same person."""
        first = next((one for one in (*self.before, self.sentence) if one.get("role") == "user"), {})
        begins = json.dumps([scope.tenant, scope.user, self.system, content_text(first.get("content"))])
        return f"chat-{hashlib.sha256(begins.encode()).hexdigest()[:24]}"


@dataclass(slots=True)
class ProxyTurn:
    """One turn on its way: what was retrieved, what the model is asked, and what it has cost."""

    door: Door
    who: Utterance
    found: Retrieval
    tools: list[Message]
    messages: list[Message]
    fields: Mapping[str, Any]
    text: list[str] = field(default_factory=list)
    calls: list[Message] = field(default_factory=list)
    """Calls of the application's tools, which are its own to answer."""
    finish: str = "stop"
    model: str = "winnow"
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt_tokens": 0, "completion_tokens": 0})

    def say(self, text: str) -> Message:
        """The person is told that."""
        return self.delta({"content": f"\n{text}" if self.text else text})

    def delta(self, delta: Message) -> Message:
        """A piece of the answer, which is remembered."""
        if isinstance(piece := delta.get("content"), str):
            self.text.append(piece)
        return delta

    def take(self, chunk: Mapping[str, Any], calls: dict[int, Message]) -> Iterator[Message]:
        """The pieces of a chunk; its parts of calls are put together in ``calls``, by their index."""
        self.model = str(chunk.get("model") or self.model)
        usage = chunk.get("usage") or {}
        for name in self.tokens:
            self.tokens[name] += int(usage.get(name) or 0)
        for choice in chunk.get("choices") or ():
            self.finish = choice.get("finish_reason") or self.finish
            delta = without_nulls(choice.get("delta"))
            for part in delta.pop("tool_calls", ()):
                join_call(calls.setdefault(part.get("index", 0), {"type": "function"}), part)
            yield delta

    def own_calls(self, calls: Mapping[int, Message]) -> list[Message]:
        """The calls of our tools; those of the application's are kept for it."""
        made = [calls[index] for index in sorted(calls)]
        ours = [call for call in made if call["function"]["name"] in (*OWN_TOOLS, MORE_TOOL_NAME)]
        self.calls = [call for call in made if call not in ours]
        return ours


@routes.get("/models")
async def models(request: Request, key: Caller) -> Response:
    """The one model there is, under a name that applications can choose."""
    return told(
        request, {"object": "list", "data": [{"id": "winnow", "object": "model", "owned_by": "winnow"}]}
    )


@routes.post("/chat/completions")
async def complete(request: Request, asked: ChatRequest, key: Caller, door: TheDoor) -> Response:
    """One turn of a chat, as OpenAI's protocol has it, streaming too.

    Headers say more: `X-Winnow-User`, `X-Winnow-Home`, `X-Winnow-Room`, `X-Winnow-Session`. Without a session
    a talk is known by how it begins. The field `winnow` of the response tells the retrieval behind it.
    """
    talk, scope = _talk(asked.messages), _scope(request, asked, key)
    who = await _who(door, scope, talk, request.headers.get("x-winnow-room"))
    turn, direct = await _open_turn(door, who, talk, asked)
    pieces = _direct(turn, direct) if direct is not None else _answer(turn)
    if asked.stream:
        return StreamingResponse(
            _stream(request, turn, pieces, asked),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store"},
        )
    return await _whole(request, turn, pieces)


def content_text(content: object) -> str:
    """The words of a message's content: a text, or the parts of it that are text."""
    if not isinstance(content, Sequence) or isinstance(content, str):
        return content if isinstance(content, str) else ""
    parts = (part.get("text") for part in content if isinstance(part, Mapping))
    return " ".join(text for text in parts if isinstance(text, str))


def _talk(messages: Sequence[Message]) -> ProxyTalk:
    """The parts of the messages. Raises RequestError where no person says anything."""
    told = [content_text(one.get("content")) for one in messages if one.get("role") in INSTRUCTION_ROLES]
    said = [one for one in messages if one.get("role") not in INSTRUCTION_ROLES]
    last = max((n for n, one in enumerate(said) if one.get("role") == "user"), default=-1)
    if last < 0 or not content_text(said[last].get("content")).strip():
        raise RequestError(
            400, "nothing_said", "No message is of a user.", hint='{"role": "user", "content": "..."}'
        )
    return ProxyTalk("\n\n".join(filter(None, told)), tuple(said[:last]), said[last], tuple(said[last + 1 :]))


def _scope(request: Request, asked: ChatRequest, key: AccessKey) -> Scope:
    """Whose talk it is. A key of one person is of that person, whatever an application calls its users."""
    headers = request.headers
    user = headers.get("x-winnow-user") or (asked.user if len(key.users) != 1 else "")
    return key_scope(key, user, headers.get("x-winnow-home", ""), headers.get("x-winnow-session", ""))


async def _open_turn(
    door: Door, who: Utterance, talk: ProxyTalk, asked: ChatRequest
) -> tuple[ProxyTurn, str | None]:
    """The turn, and what Winnow itself answers; None: the model answers."""
    given, agreed = asked.tools or [], await _agreed(door, who, talk)
    with memory_span(door.tracer, "search_memory", "winnow", who.scope) as span:
        found, answers = await _retrieve(door, who, talk, given)
        span.update(turn_attributes(found))
    door.remember(found)
    fields = {name: value for name, value in (asked.model_extra or {}).items() if name not in OWN_FIELDS}
    tools = [*given, *_own_tools(Tools(door.engine, who), found, is_new=not talk.after)]
    turn = ProxyTurn(door, who, found, tools, _messages(found, talk), fields)
    if agreed is not None:
        view = await door.view(found)
        return turn, receipt_sentences(agreed, view, found.reading.language)
    return turn, await _own_answer(turn, answers=answers)


async def _agreed(door: Door, who: Utterance, talk: ProxyTalk) -> Receipt | None:
    """What came of a yes to what a model wanted to do, where that was asked last; None: it is no such yes."""
    question, token = door.recent.asked.pop(who.scope) or ("", "")
    if not token or talk.after or not talk.asked.strip().endswith(question.strip()):
        return None
    if meaning(who.text, ClosedQuestion("confirm", "")).kind != "yes":
        return None
    return await door.run_to_end(door.engine.confirm(token, user=who.user, tenant=who.tenant))


async def _who(door: Door, scope: Scope, talk: ProxyTalk, room: str | None) -> Utterance:
    """The sentence with whose it is: in the only home, where none is named, and in a session of its own."""
    scope = await door.in_only_home(scope)
    home = scope.home
    try:
        home = (await door.engine.load_home(home, scope.tenant)).home.id
    except HomeNotFound:
        if home:  # without any home a talk goes on
            raise
    session = scope.session or talk.session(scope)
    return Utterance(talk.text, None, home, room, scope.user, session, tenant=scope.tenant)


async def _retrieve(
    door: Door, who: Utterance, talk: ProxyTalk, tools: Sequence[Message]
) -> tuple[Retrieval, bool]:
    """The retrieval of a turn, and whether it answers a question that was put to the person here."""
    engine, kept = door.engine, (who.scope, talk.digest)
    if talk.after and (known := door.recent.talks.get(kept)):
        return known, False
    # What an application always sends is never cut: it has its room beside what is found.
    count = counter(engine.policy.tokenizer).count
    always = count(talk.system) + count(json_text(list(tools))) + count(talk.text)
    options = ContextOptions(tokens=engine.policy.context + always)
    more: dict[str, Any] = {"system": talk.system, "tools": tools, "options": options}
    if asked := "" if talk.after else await _open_question(door, who, talk):
        found = await engine.answer(asked, who.text, user=who.user, tenant=who.tenant, **more)
        return found, found.after == asked
    # Words that were said already are looked at again for the application's sake: nothing is kept of that.
    said = replace(who, session="") if talk.after else who
    found = await engine.retrieve(said, history=talk.before, **more)
    door.recent.talks.put(kept, found)
    return found, False


async def _open_question(door: Door, who: Utterance, talk: ProxyTalk) -> str:
    """Id of the question that the person was asked last; empty where the talk says otherwise."""
    kept = await door.engine.storage.sessions.session(who.scope)
    if kept.question is None or not kept.turns or talk.asked.strip() != kept.turns[-1].content.strip():
        return ""
    return kept.question.id


def _own_tools(engine_tools: Tools, found: Retrieval, *, is_new: bool) -> list[Message]:
    """Those of our tools that there is something for."""
    wanted = {"answer"} if isinstance(found.verdict, Clarify) else set()
    if isinstance(found.verdict, Act) or found.attempt.is_handover:
        wanted = {"act"}
    own = [
        {**schema, "function": {**schema["function"], "name": PREFIX + schema["function"]["name"]}}
        for schema in engine_tools.schemas(found.reading.language)
        if is_new and schema["function"]["name"] in wanted
    ]
    return [*own, dict(MORE_TOOL)] if found.context.more else own


def _messages(found: Retrieval, talk: ProxyTalk) -> list[Message]:
    """The messages of the turn; the sentence stands as the application sent it, with pictures, if any."""
    messages = [dict(one) for one in found.context.messages]
    for message in reversed(messages):
        if message.get("role") == "user":
            message["content"] = talk.sentence.get("content")
            break
    return [*messages, *talk.after]


async def _own_answer(turn: ProxyTurn, *, answers: bool) -> str | None:
    """What Winnow answers without the model, where it does."""
    found, door = turn.found, turn.door
    view = await door.view(found)
    does = isinstance(found.verdict, Act) or found.verdict == Nothing(UNDO)
    has_model = isinstance(door.engine.chat, ChatStream)
    if does and (answers or not has_model or not isinstance(found.verdict, Act)):
        receipt = await door.run_to_end(door.engine.act(found))
        return receipt_sentences(receipt, view, found.reading.language)
    if isinstance(found.verdict, Confirm) or answers:
        return verdict_reply(found, view)
    if has_model:
        return None
    if isinstance(found.verdict, Nothing):
        raise RequestError(
            503,
            "no_model",
            "There is no language model that could answer.",
            hint="Name one: WINNOW_MODEL_SERVER and WINNOW_MODEL_NORMAL.",
        )
    return verdict_reply(found, view)


async def _direct(turn: ProxyTurn, text: str) -> AsyncIterator[Message]:
    yield turn.delta({"content": text})


async def _answer(turn: ProxyTurn) -> AsyncIterator[Message]:
    """The pieces of the model's answer, with what came of its calls of our tools."""
    results: list[ToolResult] = []
    for _ in range(MAX_ROUNDS):
        calls: dict[int, Message] = {}
        async for chunk in _ask(turn):
            for delta in filter(None, turn.take(chunk, calls)):
                yield turn.delta(delta)
        ours = turn.own_calls(calls)
        if not ours:
            return
        results = [await _carry_out(turn, call) for call in ours]
        if (words := _last_words(turn, results)) is not None:
            yield turn.say(words)
            return
        turn.messages.append({"role": "assistant", "content": None, "tool_calls": ours})
        for call, result in zip(ours, results, strict=True):
            turn.messages.append({"role": "tool", "tool_call_id": call.get("id", ""), "content": result.text})
    turn.finish = "stop"
    yield turn.say("\n".join(result.text for result in results))


def _ask(turn: ProxyTurn) -> AsyncIterator[Mapping[str, Any]]:
    """The chunks of one answer of the model."""
    chat: object = turn.door.engine.chat
    assert isinstance(chat, ChatStream)
    body: Message = {**turn.fields, "messages": turn.messages}
    if turn.tools:
        body["tools"] = turn.tools
    else:
        body.pop("tool_choice", None)
    return chat.stream(body)


def _last_words(turn: ProxyTurn, results: Sequence[ToolResult]) -> str | None:
    """What ends the turn: a question for the person, or what was done before the application goes on."""
    if question := next(filter(None, map(_question, results)), None):
        turn.calls, turn.finish = [], "stop"
        return question
    return "\n".join(result.text for result in results) if turn.calls else None


def without_nulls(delta: Mapping[str, Any] | None) -> Message:
    """What a piece really holds; that it is of the assistant is known."""
    return {name: value for name, value in (delta or {}).items() if value is not None and name != "role"}


def join_call(call: Message, part: Mapping[str, Any]) -> None:
    """Add a piece to a call: its id and name come first, then its arguments."""
    function = call.setdefault("function", {"name": "", "arguments": ""})
    for name, value in (part.get("function") or {}).items():
        function[name] = function.get(name, "") + (value or "")
    call |= {name: value for name, value in part.items() if name not in ("index", "function") and value}


async def _carry_out(turn: ProxyTurn, call: Message) -> ToolResult:
    """What came of a call of one of our tools, carried out to its end."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    engine = turn.door.engine
    if name == MORE_TOOL_NAME:
        after = await engine.more(turn.found, {"role": "assistant", "content": None, "tool_calls": [call]})
        turn.found = after
        return ToolResult(content_text(after.context.messages[-1].get("content")))
    result = await turn.door.run_to_end(Tools(engine, turn.who).call(OWN_TOOLS[name], arguments))
    if result.receipt is not None and (asked := result.receipt.waiting) is not None:
        turn.door.recent.asked.put(turn.who.scope, (asked.question, asked.token))
    return result


def _question(result: ToolResult) -> str | None:
    """What the person has to be asked before anything is done."""
    if result.receipt is not None and result.receipt.waiting is not None:
        return result.receipt.waiting.question
    asked = result.retrieval.verdict if result.retrieval else None
    return asked.question if isinstance(asked, Confirm) else None


async def _whole(request: Request, turn: ProxyTurn, pieces: AsyncIterator[Message]) -> Response:
    """The answer in one piece. Raises ModelError, StoreError."""
    rest: Message = {}
    async for delta in pieces:
        for name in delta.keys() - {"content"}:
            value = delta[name]
            rest[name] = rest.get(name, "") + value if isinstance(value, str) else value
    message = {"role": "assistant", "content": "".join(turn.text) or None, **rest}
    if turn.calls:
        message["tool_calls"] = turn.calls
    choice = {"index": 0, "message": message, "finish_reason": turn.finish, "logprobs": None}
    data = {**_head(turn, "chat.completion"), "choices": [choice], "usage": _usage(turn)}
    return DataResponse({**data, "winnow": {**_account(turn), **used(request, turn.found)}})


async def _stream(
    request: Request, turn: ProxyTurn, pieces: AsyncIterator[Message], asked: ChatRequest
) -> AsyncIterator[bytes]:
    """The answer as OpenAI's server-sent events."""

    def event(delta: Message, finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _data({**_head(turn, "chat.completion.chunk"), "choices": [choice], **more})

    yield event({"role": "assistant", "content": ""})
    try:
        async for delta in pieces:
            yield event(delta)
    except WinnowError as error:
        yield _data(error_data(fault_of(error)[1], error.message, error.hint, language_of(request)))
        return
    if turn.calls:
        yield event({"tool_calls": [{"index": n, **call} for n, call in enumerate(turn.calls)]})
    yield event({}, turn.finish, winnow={**_account(turn), **used(request, turn.found)})
    if (asked.stream_options or {}).get("include_usage"):
        yield _data({**_head(turn, "chat.completion.chunk"), "choices": [], "usage": _usage(turn)})
    yield b"data: [DONE]\n\n"


def _data(value: Message) -> bytes:
    return f"data: {json_text(value)}\n\n".encode("utf-8", "backslashreplace")


def _head(turn: ProxyTurn, kind: str) -> Message:
    return {"id": f"chatcmpl-{turn.found.id}", "object": kind, "created": int(time()), "model": turn.model}


def _usage(turn: ProxyTurn) -> dict[str, int]:
    return {**turn.tokens, "total_tokens": sum(turn.tokens.values())}


def _account(turn: ProxyTurn) -> Message:
    """What Winnow did for the turn."""
    return {
        "id": turn.found.id,
        "verdict": type(turn.found.verdict).__name__.lower(),
        "plan": turn.found.plan,
    }
