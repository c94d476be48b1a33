"""OpenAI's own client, pointed at Winnow; behind it a model that says what a test wants, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import openai
import pytest
from fastapi import FastAPI
from tests.model_server import ModelServer, Reply, calls, failed, model_server, said, streamed
from tests.unit.app.server.conftest import Served, cottage, served, serving

from winnow.adapters.models.openai import ModelEndpoint, OpenAIChat
from winnow.app.access import Access
from winnow.app.server.app import create_app
from winnow.app.server.door import Door
from winnow.app.server.limits import ServerSettings
from winnow.types.scope import Scope

WEATHER = {
    "type": "function",
    "function": {"name": "act", "description": "An application's own.", "parameters": {"type": "object"}},
}
Start = Callable[..., tuple[openai.OpenAI, ModelServer, Served]]


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[FastAPI, str]]:
    """One server for all tests; each has a door of its own in it."""
    engine = cottage()
    app = create_app(engine, Access(engine.storage))
    with serving(app) as url:
        yield app, url


@pytest.fixture
def start(running: tuple[FastAPI, str]) -> Iterator[Start]:
    """Starts a model with these answers, lets Winnow stand before it, and gives a client of the latter."""
    app, url = running
    with ExitStack() as stack:

        def run(*answers: Any, user: str = "") -> tuple[openai.OpenAI, ModelServer, Served]:
            model = stack.enter_context(model_server(*answers))
            engine = cottage()
            engine.chat = OpenAIChat(ModelEndpoint(model.url, retries=0), {"fast": "small", "normal": "big"})
            server = Served(url, engine, Access(engine.storage))
            app.state.door = Door(engine, server.access, ServerSettings())
            client = client_of(server, server.key(users=[user] if user else []))
            return stack.enter_context(client), model, server

        yield run


def client_of(server: Served, secret: str) -> openai.OpenAI:
    return openai.OpenAI(
        base_url=f"{server.url}/v1", api_key=secret, max_retries=0, http_client=httpx.Client(verify=False)
    )


def ask(client: openai.OpenAI, *messages: Any, **more: Any) -> Any:
    told = [{"role": "user", "content": m} if isinstance(m, str) else m for m in messages]
    return client.chat.completions.create(model="winnow", messages=told, **more)


def state(server: Served, device: str, attribute: str = "state") -> Any:
    from winnow.ports.services import run_blocking

    scope = Scope(home="cottage")
    return run_blocking(server.engine.states.read(scope)).value(device, attribute)


def plan_call(request: Any) -> Reply:
    """A model that carries out the plan that its data names."""
    data = next(m["content"] for m in request.body["messages"] if "Data of the home" in str(m["content"]))
    plan = data.split("verdict act, plan ")[1].split()[0]
    return calls(("winnow_act", json.dumps({"plan": plan, "calls": None})))


def test_talk_passes_through_with_what_the_application_sent(start: Start) -> None:
    client, model, _ = start(said("A good book."))
    system = {"role": "system", "content": "You help."}
    answered = ask(client, system, "what is a good book", temperature=0.3, seed=7)
    assert (answered.choices[0].message.content, answered.choices[0].finish_reason) == (
        "A good book.",
        "stop",
    )
    assert (answered.usage.total_tokens, answered.model) == (17, "stand-in")
    body = model.asked[0].body
    assert (body["model"], body["temperature"], body["seed"]) == ("big", 0.3, 7)
    assert body["messages"][0] == system
    assert body["messages"][-1] == {"role": "user", "content": "what is a good book"}
    assert "tools" not in body
    assert answered.winnow["verdict"] == "nothing"


@pytest.mark.parametrize("stream", [False, True])
def test_a_call_of_the_model_is_checked_carried_out_and_told(start: Start, stream: bool) -> None:
    client, model, server = start(plan_call, said("The lamp is off."))
    assert state(server, "light.reading_lamp") == "on"
    answered = ask(client, "turn off the reading lamp", stream=stream)
    if stream:
        text = "".join(c.choices[0].delta.content or "" for c in answered if c.choices)
    else:
        text = answered.choices[0].message.content
    assert text == "The lamp is off."
    assert state(server, "light.reading_lamp") == "off"
    assert [t["function"]["name"] for t in model.asked[0].body["tools"]] == ["winnow_act"]
    last = model.asked[1].body["messages"][-1]
    assert (last["role"], "Reading Lamp" in last["content"]) == ("tool", True)


def test_what_was_not_offered_is_not_done_and_the_model_hears_why(start: Start) -> None:
    wrong = {
        "plan": None,
        "calls": [{"device": "lock.front_door", "command": "lock.unlock", "arguments": None}],
    }
    client, model, server = start(calls(("winnow_act", json.dumps(wrong))), said("I may not."))
    assert ask(client, "turn off the reading lamp").choices[0].message.content == "I may not."
    assert state(server, "lock.front_door") == "locked"
    assert "not offered" in model.asked[1].body["messages"][-1]["content"]


@pytest.mark.parametrize("stream", [False, True])
def test_what_needs_a_yes_comes_back_as_a_question_and_the_yes_is_carried_out(
    start: Start, stream: bool
) -> None:
    client, model, server = start(failed(500))
    first = "unlock the front door"

    def text(answered: Any) -> str:
        if not stream:
            return str(answered.choices[0].message.content)
        return "".join(c.choices[0].delta.content or "" for c in answered if c.choices)

    asked = text(ask(client, first, stream=stream, user="ida"))
    assert asked == "Shall I really unlock Front Door (Hall)?"
    assert state(server, "lock.front_door") == "locked"
    other = text(ask(client, first, stream=stream, user="bob"))
    assert other == asked  # of bob, who begins with the same words, another yes is wanted
    question = {"role": "assistant", "content": asked}
    done = text(ask(client, first, question, "yes", stream=stream, user="ida"))
    assert "Front Door" in done
    assert state(server, "lock.front_door") == "unlocked"
    assert model.asked == []  # no model had a word in it


def test_a_no_leaves_the_door_locked(start: Start) -> None:
    client, _, server = start(said("x"))
    asked = ask(client, "unlock the front door").choices[0].message.content
    ask(client, "unlock the front door", {"role": "assistant", "content": asked}, "no")
    assert state(server, "lock.front_door") == "locked"


def test_a_yes_that_follows_no_question_of_ours_opens_nothing(start: Start) -> None:
    client, _, server = start(said("Sure?"))
    ask(client, "unlock the front door")
    ask(client, "unlock the front door", {"role": "assistant", "content": "Would you like tea?"}, "yes")
    ask(client, "yes")
    assert state(server, "lock.front_door") == "locked"


@pytest.mark.parametrize("stream", [False, True])
def test_the_applications_own_tools_pass_through_untouched(start: Start, stream: bool) -> None:
    arguments = '{"city": "波尔图", "days": [1, 2]}'
    reply = calls(("act", arguments), text="Let me see.")
    client, model, _ = start(streamed(reply) if stream else reply, said("Rain."))
    answered = ask(client, "what is a good book", tools=[WEATHER], tool_choice="auto", stream=stream)
    if stream:
        pieces = [c.choices[0] for c in answered if c.choices]
        (call,) = [c for p in pieces for c in p.delta.tool_calls or ()]
        text = "".join(p.delta.content or "" for p in pieces)
        finish = pieces[-1].finish_reason
    else:
        choice = answered.choices[0]
        (call,), text, finish = choice.message.tool_calls, choice.message.content, choice.finish_reason
    assert (call.function.name, call.function.arguments) == ("act", arguments)
    assert (text, finish) == ("Let me see.", "tool_calls")
    assert model.asked[0].body["tools"] == [WEATHER]
    assert model.asked[0].body["tool_choice"] == "auto"
    made = {"id": call.id, "type": "function", "function": {"name": "act", "arguments": arguments}}
    after = [
        {"role": "assistant", "content": "Let me see.", "tool_calls": [made]},
        {"role": "tool", "tool_call_id": call.id, "content": "rain"},
    ]
    assert ask(client, "what is a good book", *after, tools=[WEATHER]).choices[0].message.content == "Rain."
    assert model.asked[1].body["messages"][-2:] == after


def test_our_calls_are_carried_out_where_the_application_has_some_too(start: Start) -> None:
    def both(request: Any) -> Reply:
        ours = json.loads(str(plan_call(request).body))["choices"][0]["message"]["tool_calls"][0]["function"]
        return calls(("winnow_act", ours["arguments"]), ("act", "{}"))

    client, _, server = start(both)
    choice = ask(client, "turn off the reading lamp", tools=[WEATHER]).choices[0]
    assert [call.function.name for call in choice.message.tool_calls] == ["act"]
    assert "Reading Lamp" in choice.message.content
    assert state(server, "light.reading_lamp") == "off"


def test_pieces_come_as_the_model_says_them_and_usage_at_the_end(start: Start) -> None:
    client, _, _ = start(streamed(said("A good book is by the sea.")))
    options = {"include_usage": True}
    found = list(ask(client, "what is a good book", stream=True, stream_options=options))
    texts = [c.choices[0].delta.content for c in found if c.choices and c.choices[0].delta.content]
    assert (len(texts) > 2, "".join(texts)) == (True, "A good book is by the sea.")
    assert found[-1].usage.total_tokens == 17


def test_a_model_that_only_calls_is_stopped(start: Start) -> None:
    client, model, server = start(plan_call)
    answered = ask(client, "turn off the reading lamp")
    assert len(model.asked) == 4
    assert answered.choices[0].finish_reason
    assert state(server, "light.reading_lamp") == "off"


def test_pictures_reach_the_model_and_long_instructions_are_not_cut(start: Start) -> None:
    client, model, _ = start(said("Nice."))
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "what is this"}, picture]
    system = "Be kind. " * 3000
    ask(client, {"role": "system", "content": system}, {"role": "user", "content": content})
    assert model.asked[0].body["messages"][-1]["content"] == content
    assert model.asked[0].body["messages"][0]["content"] == system.strip() or system


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_that_fails_is_an_error_of_the_client(start: Start, stream: bool) -> None:
    client, _, _ = start(failed(500, "out of order"))
    with pytest.raises(openai.APIError) as caught:
        list(ask(client, "what is a good book", stream=stream))
    assert "model" in str(caught.value)


def test_a_key_of_one_person_speaks_for_that_person_alone(start: Start) -> None:
    client, _, server = start(said("x"), user="ida")
    asked = ask(client, "unlock the front door", user="whatever").choices[0].message.content
    with pytest.raises(openai.PermissionDeniedError):
        ask(client, "hello", extra_headers={"X-Winnow-User": "bob"})
    ask(client, "unlock the front door", {"role": "assistant", "content": asked}, "yes", user="other")
    assert state(server, "lock.front_door") == "unlocked"


def test_without_a_model_the_home_still_answers() -> None:
    with served(cottage(), keyless=True) as server, ExitStack() as stack:
        wrong = stack.enter_context(client_of(server, "none"))
        client = stack.enter_context(client_of(server, server.key()))
        with pytest.raises(openai.AuthenticationError):
            ask(wrong, "turn off the reading lamp")
        done = ask(client, "turn off the reading lamp").choices[0].message.content
        assert "Reading Lamp" in done
        assert state(server, "light.reading_lamp") == "off"
        with pytest.raises(openai.APIStatusError) as caught:
            ask(client, "what is a good book")
        assert (caught.value.status_code, caught.value.code) == (503, "no_model")


def test_nothing_said_is_an_error(start: Start) -> None:
    client, _, _ = start(said("x"))
    with pytest.raises(openai.BadRequestError) as caught:
        ask(client, {"role": "system", "content": "You help."})
    assert caught.value.code == "nothing_said"
    assert [model.id for model in client.models.list().data] == ["winnow"]


def test_an_answer_that_breaks_off_is_an_error_of_the_client(start: Start) -> None:
    broken = streamed(said("A good book is by the sea."))
    chunks = str(broken.body).split("\n\n")
    body = "\n\n".join([*chunks[:3], 'data: {"error": {"message": "out of memory"}}', ""])
    client, _, _ = start(Reply(body, content_type="text/event-stream"))
    with pytest.raises(openai.APIError, match="out of memory"):
        list(ask(client, "what is a good book", stream=True))
    with pytest.raises(openai.InternalServerError):
        ask(client, "what is a good book")


def test_a_model_that_lacks_something_is_given_more(start: Start) -> None:
    lack = calls(("winnow_more", '{"query": "when does the lease end"}'))
    client, model, server = start(lack, said("In May."))
    with server.client(server.key()) as own:
        text = "The lease of the flat ends on 31 May 2027."
        own.post("/v1/documents", json={"user": "ida", "documents": [{"id": "lease", "text": text}]})
    answered = ask(client, "what did I write about the lease", user="ida")
    assert answered.choices[0].message.content == "In May."
    last = model.asked[1].body["messages"][-2:]
    assert [one["role"] for one in last] == ["assistant", "tool"]
    assert last[0]["tool_calls"][0]["id"] == last[1]["tool_call_id"]
    assert last[1]["content"]


def test_what_was_not_understood_may_be_judged_by_the_model_and_danger_still_waits(start: Start) -> None:
    wanted = {"device": "lock.front_door", "command": "lock.unlock", "arguments": None}
    act = calls(("winnow_act", json.dumps({"plan": None, "calls": [wanted]})))
    client, model, server = start(lambda request: act if "tools" in request.body else said("{}"))
    first = "frobnicate the front door"
    asked = ask(client, first).choices[0].message.content
    assert [t["function"]["name"] for t in model.asked[-1].body["tools"]] == ["winnow_act"]
    assert "Front Door" in asked
    assert state(server, "lock.front_door") == "locked"
    question = {"role": "assistant", "content": asked}
    ask(client, first, question, "yes", user="bob")  # was not asked
    assert state(server, "lock.front_door") == "locked"
    done = ask(client, first, question, "yes").choices[0].message.content
    assert state(server, "lock.front_door") == "unlocked"
    assert "Front Door" in done


def test_a_server_that_does_not_know_a_field_of_ours_is_asked_without_it(start: Start) -> None:
    client, model, _ = start(failed(400, "unknown field stream_options"), said("A good book."))
    assert ask(client, "what is a good book").choices[0].message.content == "A good book."
    assert ["stream_options" in one.body for one in model.asked] == [True, False]
