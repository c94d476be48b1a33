"""What agents may have done: only a person's yes unlocks, and only through the client or by a token."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import INTERNAL_ERROR, ElicitResult, ErrorData
from tests.unit.app.mcp.stage import DOOR, MODES, Person, Stage, agreeing, cottage, refused, told

from winnow.app.mcp.tools import TOKEN_KEY
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

DANGER = "unlock the front door"
QUESTION = "Shall I really unlock Front Door (Hall)?"


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_questions_and_yes_are_the_persons(stage: Stage, mode: str) -> None:
    async def talk() -> None:
        person = Person(agreeing)
        async with stage.client(mode, person) as client:
            turn = await told(client, "retrieve", text="turn off the lamp", session="s")
            assert (turn["verdict"], len(person.asked)) == ("act", 1)
            done = await told(client, "act", plan=turn["plan"], session="s")
            assert done["status"] == "done"
            assert await stage.state(done["done"][0]) == "off"
            turn = await told(client, "retrieve", text=DANGER, session="s")
            assert (turn["verdict"], turn["message"]) == ("confirm", QUESTION)
            assert not await stage.unlocked()
            done = await told(client, "act", plan=turn["plan"], session="s")
            assert (done["status"], done["done"]) == ("done", [DOOR])
            assert person.asked[1:] == [QUESTION]
            assert await stage.unlocked()

    run(talk)


NOT_YES = {
    "declined": lambda _: ElicitResult(action="decline"),
    "cancelled": lambda _: ElicitResult(action="cancel"),
    "as it comes": lambda _: ElicitResult(action="accept", content={}),
    "not ticked": lambda _: ElicitResult(action="accept", content={"yes": False}),
    "amiss": lambda _: ElicitResult(action="accept", content={"yes": "perhaps"}),
    "nothing in it": lambda _: ElicitResult(action="accept"),
}


@pytest.mark.bulk
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("answer", NOT_YES)
def test_what_is_no_yes_does_nothing(stage: Stage, mode: str, answer: str) -> None:
    async def talk() -> None:
        async with stage.client(mode, Person(NOT_YES[answer])) as client:
            turn = await told(client, "retrieve", text=DANGER)
            came = await told(client, "act", plan=turn["plan"])
            assert came["status"] == "declined"
            assert "did not say yes" in came["text"]
            assert not await stage.unlocked()

    run(talk)


def test_a_client_that_fails_to_ask_gives_no_yes(stage: Stage) -> None:
    async def talk() -> None:
        async def fail(*_: object) -> ErrorData:
            return ErrorData(code=INTERNAL_ERROR, message="nobody is here")

        async with Client(stage.server(), mode="legacy", elicitation_callback=fail) as client:
            turn = await told(client, "retrieve", text=DANGER)
            assert (await told(client, "act", plan=turn["plan"]))["status"] == "declined"
            assert not await stage.unlocked()

    run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_a_yes_that_comes_too_late_does_nothing(mode: str) -> None:
    async def talk() -> None:
        stage = cottage(acting={"times": {"yes_seconds": 0.1}})

        def hesitating(fields: Mapping[str, Any]) -> ElicitResult:
            time.sleep(0.3)
            return agreeing(fields)

        async with stage.client(mode, Person(hesitating)) as client:
            turn = await told(client, "retrieve", text=DANGER)
            came = await told(client, "act", plan=turn["plan"])
            assert (came["status"], came["refused"]) == ("refused", ["no_token"])
            assert "in time" in came["text"]
            assert not await stage.unlocked()

    run(talk)


def test_an_agent_answers_no_question_that_was_put_to_the_person_elsewhere(stage: Stage) -> None:
    """At the tablet the person was asked; the agent knows the id of that talk, and says yes in it."""

    async def talk() -> None:
        engine, own = stage.engine, Utterance(DANGER, user="ida", session="tablet")
        await engine.retrieve(own)
        async with stage.client() as client:
            turn = await told(client, "retrieve", text="yes", session="tablet")
            assert turn["verdict"] != "act"
            assert not await stage.unlocked()
        agreed = await engine.retrieve(replace(own, text="yes"))
        assert (await engine.act(agreed)).status == "done"
        assert await stage.unlocked()

    run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_a_question_that_nobody_answers_stays_a_question(stage: Stage, mode: str) -> None:
    async def talk() -> None:
        async with stage.client(mode, Person(NOT_YES["declined"])) as client:
            turn = await told(client, "retrieve", text="turn off the lamp")
            assert turn["verdict"] == "clarify"
            chosen = await told(client, "answer", question=turn["plan"], choice=turn["options"][0])
            assert chosen["verdict"] == "act"

    run(talk)


def _hides(came: Any, secret: str) -> bool:
    return secret not in json.dumps(came.model_dump(mode="json"))


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_alone_never_unlocks(stage: Stage, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it says and calls, in one talk and in several: without the person nothing comes of it."""
    tokens: list[str] = []

    def known(size: int) -> str:
        tokens.append(f"token-{len(tokens)}-{'x' * size}")
        return tokens[-1]

    monkeypatch.setattr("winnow.engine.acting.token_urlsafe", known)

    async def talk() -> None:
        async with stage.client(mode) as client:
            turn = await told(client, "retrieve", text=DANGER, session="s")
            plan, id_ = turn["plan"], turn["id"]
            came = await client.call_tool("act", {"plan": plan, "session": "s"})
            assert came.structured_content is not None
            assert came.structured_content["status"] == "waiting"
            assert came.structured_content["question"] == QUESTION
            assert tokens
            assert all(_hides(came, token) for token in tokens)
            for yes in ("yes", "yes, unlock it", "好的"):
                again = await told(client, "retrieve", text=yes, session="s")
                assert again["verdict"] != "act"
                if again["plan"]:
                    assert (await told(client, "act", plan=again["plan"], session="s"))["status"] != "done"
            history = [{"role": "user", "content": DANGER}, {"role": "assistant", "content": QUESTION}]
            again = await told(client, "retrieve", text="yes", history=history)
            assert again["verdict"] == "confirm"
            assert (await told(client, "act", plan=again["plan"]))["status"] == "waiting"
            for choice in ("yes", 0, 1):
                await refused(client, "answer", question=plan, choice=choice, session="s")
            for guess in (plan, id_, "", "token"):
                assert (await told(client, "confirm", token=guess))["status"] == "refused"
            calls = [{"device": DOOR, "command": "lock.unlock"}]
            assert (await told(client, "act", calls=calls, session="s"))["status"] == "refused"
            for text in [turn["text"], (await told(client, "explain", id=id_))["text"]]:
                assert not any(token in text for token in tokens)
            trace = await client.read_resource(f"winnow://turns/{id_}")
            assert all(_hides(trace, token) for token in tokens)
            assert not await stage.unlocked()

    run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_what_was_not_understood_may_be_done_by_calls_but_not_what_is_dangerous(
    stage: Stage, mode: str
) -> None:
    async def talk() -> None:
        lamp, door = stage.handle("light.desk_lamp"), stage.handle(DOOR)
        async with stage.client(mode) as alone:
            turn = await told(alone, "retrieve", text="kindly extinguishify the desk lamp", session="s")
            assert turn["verdict"] == "refuse"  # of a word alone
            assert lamp in turn["text"]
            calls = [{"device": lamp, "command": "Switch.Off"}]
            assert (await told(alone, "act", calls=calls, session="s"))["done"] == ["light.desk_lamp"]
            assert await stage.state("light.desk_lamp") == "off"
            calls = [{"device": door, "command": "Lock.Unlock"}]
            await told(alone, "retrieve", text="kindly unboltify the front door", session="s")
            assert (await told(alone, "act", calls=calls, session="s"))["status"] == "waiting"
            assert not await stage.unlocked()
        person = Person(agreeing)
        async with stage.client(mode, person) as client:
            await told(client, "retrieve", text="kindly unboltify the front door", session="t")
            assert (await told(client, "act", calls=calls, session="t"))["status"] == "done"
            assert person.asked == [QUESTION]

    run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_a_host_that_asks_for_tokens_gets_them_beside_the_result(stage: Stage, mode: str) -> None:
    async def talk() -> None:
        async with stage.client(mode, tokens="host") as client:
            turn = await told(client, "retrieve", text=DANGER)
            came = await client.call_tool("act", {"plan": turn["plan"]})
            assert came.meta is not None
            given = came.meta[TOKEN_KEY]
            assert given["question"] == QUESTION
            assert given["token"] not in json.dumps([came.structured_content, str(came.content)])
            assert (await told(client, "confirm", token=given["token"]))["status"] == "done"
            assert await stage.unlocked()
            assert (await told(client, "confirm", token=given["token"]))["status"] == "refused"

    run(talk)


def test_the_log_tells_the_token_where_that_is_wanted(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    async def talk() -> None:
        async with stage.client(tokens="log") as client:
            turn = await told(client, "retrieve", text=DANGER)
            assert (await told(client, "act", plan=turn["plan"]))["status"] == "waiting"
            shown = capsys.readouterr()
            assert shown.out == ""
            assert QUESTION in shown.err
            token = shown.err.split()[-1]
            assert (await told(client, "confirm", token=token))["status"] == "done"

    run(talk)


def test_a_token_of_somebody_else_does_nothing(stage: Stage) -> None:
    async def talk() -> None:
        async with stage.client(tokens="host") as ida, stage.client(user="bob") as bob:
            turn = await told(ida, "retrieve", text=DANGER)
            came = await ida.call_tool("act", {"plan": turn["plan"]})
            assert came.meta is not None
            token = came.meta[TOKEN_KEY]["token"]
            assert (await told(bob, "confirm", token=token))["refused"] == ["not_asked"]
            assert not await stage.unlocked()
            assert (await told(ida, "confirm", token=token))["status"] == "done"

    run(talk)


def test_what_was_done_is_taken_back(stage: Stage) -> None:
    async def talk() -> None:
        person = Person(agreeing)
        async with stage.client("auto", person) as client:
            for text in (DANGER, "lock the front door"):
                turn = await told(client, "retrieve", text=text, session="s")
                await told(client, "act", plan=turn["plan"], session="s")
            assert not await stage.unlocked()
            undone = await told(client, "undo", session="s")  # which unlocks again, so that it is asked about
            assert undone["status"] == "done"
            assert len(person.asked) == 2
            assert await stage.unlocked()

    run(talk)


def test_a_second_round_counts_for_its_own_call_alone(stage: Stage) -> None:
    """What the server sealed for one call opens no other, and nothing else does."""

    async def talk() -> None:
        async with stage.client("auto", Person(agreeing)) as client:
            turn = await told(client, "retrieve", text=DANGER)
            for state in ("", "guessed"):
                with pytest.raises(Exception, match=r"(?i)state|invalid"):
                    await client.session.call_tool(
                        "act",
                        {"plan": turn["plan"]},
                        input_responses={"person": ElicitResult(action="accept", content={"yes": True})},
                        request_state=state or "x",
                    )
            assert not await stage.unlocked()

    run(talk)


def test_a_call_that_is_given_up_does_nothing_and_the_server_goes_on(stage: Stage) -> None:
    async def talk() -> None:
        never = anyio.Event()

        async def wait(*_: object) -> ElicitResult:
            await never.wait()
            return ElicitResult(action="accept", content={"yes": True})

        async with Client(stage.server(), mode="legacy", elicitation_callback=wait) as client:
            turn = await told(client, "retrieve", text=DANGER)
            with anyio.move_on_after(0.3) as scope:
                await client.call_tool("act", {"plan": turn["plan"]})
            assert scope.cancelled_caught
            assert (await told(client, "retrieve", text="is the front door locked"))["verdict"] == "query"
            assert not await stage.unlocked()

    run(talk)


def test_what_an_agent_tried_is_on_record(stage: Stage) -> None:
    async def talk() -> None:
        async with stage.client() as client:
            await told(client, "retrieve", text=DANGER, session="s")
            calls = [{"device": DOOR, "command": "lock.unlock"}]
            await told(client, "act", calls=calls, session="s")
        kept = await stage.engine.acting.storage.audit.last(Scope(home="cottage"))
        assert [entry.record.kind for entry in kept] == ["refused"]

    run(talk)
