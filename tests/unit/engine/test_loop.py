"""A model in a loop: what it calls is answered, what was replied is known, and the person alone says yes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import OpenAI
from tests.model_server import ModelServer
from tests.openai_stand_in import openai_server, stream

import winnow
from winnow import Act, Confirm, Engine, MessageError, StreamedReply, ToolReplies, rehearse_on_copy

WHO: dict[str, Any] = {"user": "ida", "session": "talk"}
PLAN = {"calls": None}


@pytest.fixture
def engine() -> Engine:
    made = winnow.open("example:cottage")
    rehearse_on_copy(made)
    return made


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with openai_server() as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[OpenAI]:
    with OpenAI(base_url=server.url, api_key="none") as made:
        yield made


def calling(name: str, arguments: Any, *, number: int = 1) -> dict[str, Any]:
    told = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": told}
    call = {"id": f"c{number}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def answered(engine: Engine, words: str, reply: Any, **more: Any) -> ToolReplies:
    found = engine.sync.retrieve(words, tools=engine.tools(), **WHO)
    return engine.sync.call_tools(found, reply(found) if callable(reply) else reply, **more)


def act(found: Any) -> dict[str, Any]:
    return calling("act", {"plan": found.plan, **PLAN})


def test_a_plan_is_carried_out_and_the_model_is_told(engine: Engine) -> None:
    done = answered(engine, "turn off the desk lamp", act)
    assert [receipt.status for receipt in done.receipts] == ["done"]
    *_, question, call, told = done.retrieval.context.messages
    assert question["role"] == "user"
    assert call["tool_calls"][0]["id"] == told["tool_call_id"] == "c1"  # type: ignore[index]
    assert told["content"] == "Done: Study Desk Lamp."
    context = done.retrieval.context
    assert context.token_count == engine.contexts.counter.messages(context.messages) + context.tool_tokens


def test_the_tools_are_the_schemas_that_were_counted_and_no_yes(engine: Engine) -> None:
    context = engine.sync.retrieve("turn off the desk lamp", tools=engine.tools()).context
    names = [tool["function"]["name"] for tool in context.tools]  # type: ignore[index]
    assert names == ["act", "answer", "winnow_more"]
    assert context.tool_tokens == engine.contexts.counter.tools(context.tools) > 0
    assert engine.tools("zh")[0] != engine.tools("en")[0]


def test_a_yes_of_the_model_does_nothing_and_that_of_the_person_does(engine: Engine) -> None:
    asked = answered(engine, "unlock the front door", act)
    assert isinstance(asked.retrieval.verdict, Confirm)
    assert asked.waiting is not None
    told = str(asked.retrieval.context.messages[-1]["content"])
    assert asked.waiting.token not in json.dumps(asked.retrieval.context.messages)
    assert "Ask the person" in told
    alone = engine.sync.call_tools(asked.retrieval, calling("confirm", {"token": asked.waiting.token}))
    assert not alone.receipts
    assert engine.sync.confirm(asked.waiting.token, user="ida").status == "done"


def test_what_a_person_answers_stands_in_the_messages_as_it_was_said(engine: Engine) -> None:
    asked = engine.sync.retrieve("unlock the front door", **WHO)
    assert engine.sync.replied(asked, "That is the front door. Shall I?")
    agreed = engine.sync.retrieve("yes please", **WHO)
    assert isinstance(agreed.verdict, Act)
    said = [(m["role"], m["content"]) for m in agreed.context.messages if m["role"] != "system"]
    assert said == [
        ("user", "unlock the front door"),
        ("assistant", "That is the front door. Shall I?"),
        ("user", "yes please"),
    ]
    assert engine.sync.call_tools(agreed, act(agreed)).receipts[0].status == "done"
    assert engine.sync.replied(agreed, "It is open.")
    later = engine.sync.retrieve("thanks", **WHO).context.messages
    assert {"role": "assistant", "content": "It is open."} in later


def test_an_answer_without_a_session_has_its_question_before_it(engine: Engine) -> None:
    asked = engine.sync.retrieve("unlock the front door")
    after = engine.sync.answer(asked.id, "yes")
    words = [m["content"] for m in after.context.messages if m["role"] != "system"]
    assert words == ["unlock the front door", "Shall I really unlock Front Door (Hall)?", "yes"]


def test_a_reply_without_a_session_or_a_text_is_kept_nowhere(engine: Engine) -> None:
    assert not engine.sync.replied(engine.sync.retrieve("hello", user="ida"), "Hello!")
    assert not engine.sync.replied(engine.sync.retrieve("hello", **WHO), calling("act", PLAN))


def test_a_model_chooses_what_the_person_chose_and_then_acts(engine: Engine) -> None:
    chosen = answered(
        engine, "turn on the light", lambda f: calling("answer", {"id": f.plan, "choice": "Garage Light"})
    )
    after = chosen.retrieval
    assert isinstance(after.verdict, Act)
    done = engine.sync.call_tools(after, calling("act", {"plan": after.plan, **PLAN}, number=2))
    assert done.receipts[0].device_ids == ("light.garage_light",)
    roles = [m["role"] for m in done.retrieval.context.messages]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool"]


def test_more_is_looked_up_and_stands_in_the_answer_of_the_tool(engine: Engine) -> None:
    engine.sync.add_documents(["The boiler of the cottage is serviced by Hansen every May."], user="ida")
    done = answered(engine, "hello", calling("winnow_more", {"query": "population of Mongolia"}))
    assert (done.results[0].text, done.results[0].data["status"]) == ("Nothing more was found.", "nothing")
    found = answered(engine, "who repairs the oven?", calling("winnow_more", {"query": "boiler service"}))
    assert found.results[0].data["status"] == "found"
    assert "Hansen" in found.results[0].text


def test_functions_of_the_host_are_called_by_name_and_may_be_coroutines(engine: Engine) -> None:
    async def weather(city: str) -> dict[str, object]:
        return {"city": city, "rain": True}

    done = answered(engine, "hello", calling("weather", {"city": "Porto"}), functions={"weather": weather})
    assert json.loads(done.results[0].text) == {"city": "Porto", "rain": True}


@pytest.mark.parametrize(
    "reply",
    [
        {"role": "assistant", "content": "no calls"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "assistant", "content": None, "tool_calls": ["nonsense", {}, {"function": 3}]},
        calling("act", "no json at all"),
        calling("delete_everything", {}),
        calling("act", {"plan": "nobody", **PLAN}),
        calling("act", {"plan": None, "calls": [{"device": "x", "command": "y", "arguments": None}]}),
    ],
)
def test_whatever_a_model_writes_is_answered_and_nothing_is_done(engine: Engine, reply: Any) -> None:
    done = answered(engine, "hello", reply)
    assert not any(receipt.outcomes for receipt in done.receipts)
    calls = reply.get("tool_calls") or []
    assert len(done.results) == len(calls)
    assert [m["role"] for m in done.retrieval.context.messages].count("tool") == len(calls)


def test_too_many_calls_are_told_so(engine: Engine) -> None:
    reply = {"tool_calls": [calling("nothing", {}, number=n)["tool_calls"][0] for n in range(22)]}
    done = answered(engine, "hello", reply)
    assert [one.text.startswith("Not done: only") for one in done.results].count(True) == 2


def test_a_reply_that_is_no_message_is_an_argument_error(engine: Engine) -> None:
    with pytest.raises(winnow.WinnowError, match="must be the message of a model"):
        answered(engine, "hello", 7)


def test_tool_messages_push_the_oldest_of_a_full_dialogue_out(engine: Engine) -> None:
    history = [
        {"role": role, "content": f"{n} " + "bread and butter " * 12}
        for n in range(6)
        for role in ("user", "assistant")
    ]
    options = winnow.ContextOptions(tokens=700)
    found = engine.sync.retrieve("turn off the desk lamp", history=history, options=options, user="ida")
    long = {"note": "x " * 400, "plan": found.plan}
    done = engine.sync.call_tools(found, calling("act", long))
    context = done.retrieval.context
    assert context.token_count <= context.total or context.warnings
    assert context.messages[-3]["content"] == "turn off the desk lamp"


def test_messages_are_taken_as_they_are_sent_to_a_model(engine: Engine) -> None:
    talk = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "turn on the desk lamp"},
        {"role": "assistant", "content": "It is on."},
        {"role": "user", "content": [{"type": "text", "text": "turn it off"}]},
    ]
    found = engine.sync.retrieve(talk, user="ida")
    assert found.device_ids == ("light.desk_lamp",)
    assert found.context.messages[0]["content"] == "Be brief."
    for wrong in ([], talk[:3], [{"role": "user", "content": ""}]):
        with pytest.raises(MessageError):
            engine.sync.retrieve(wrong)


def test_room_home_and_tenant_are_said_in_the_call(engine: Engine) -> None:
    assert engine.sync.retrieve("turn off the light", room="Study").device_ids == ("light.desk_lamp",)
    assert engine.sync.retrieve("turn off the desk lamp", tenant="other").device_ids == ()
    with pytest.raises(winnow.HomeNotFound):
        engine.sync.retrieve("turn off the desk lamp", home="castle")


def test_a_stream_comes_to_the_message_that_was_streamed() -> None:
    whole = calling("act", {"plan": "abc", "calls": None})
    reply = StreamedReply()
    pieces = [
        json.loads(line[6:]) for line in "".join(stream(whole)).splitlines() if line.startswith("data: {")
    ]
    assert "".join(reply.add(piece) for piece in pieces) == ""
    assert reply.message == whole
    spoken = StreamedReply()
    for line in "".join(stream({"content": "It is off now."})).splitlines():
        if line.startswith("data: {"):
            spoken.add(json.loads(line[6:]))
    assert (spoken.text, spoken.message["content"]) == ("It is off now.", "It is off now.")


@pytest.mark.parametrize("streams", [True, False])
def test_the_loop_runs_over_http(engine: Engine, client: OpenAI, streams: bool) -> None:
    found = engine.sync.retrieve("turn off the desk lamp", tools=engine.tools(), **WHO)
    for _ in range(3):
        asked: Any = {"messages": list(found.context.messages), "tools": list(found.context.tools)}
        if streams:
            reply = StreamedReply()
            for chunk in client.chat.completions.create(model="any", stream=True, **asked):
                reply.add(chunk)
            message: Any = reply.message
        else:
            message = client.chat.completions.create(model="any", **asked).choices[0].message
        done = engine.sync.call_tools(found, message)
        found = done.retrieval
        if not done.results:
            break
    assert engine.sync.replied(found, message)
    history = engine.sync.retrieve("thank you", **WHO).context.messages
    assert {"role": "assistant", "content": "Done: Study Desk Lamp."} in history


def test_nothing_found_is_told_apart_from_nothing_to_look_up(engine: Engine) -> None:
    assert engine.sync.retrieve("what is my locker number?", user="ida").nothing_found
    assert not engine.sync.retrieve("turn off the desk lamp", user="ida").nothing_found
    engine.sync.add_documents(["My locker number is 417."], user="ida")
    assert not engine.sync.retrieve("what is my locker number?", user="ida").nothing_found
    assert engine.sync.retrieve("what is my locker number?", user="bob").nothing_found
