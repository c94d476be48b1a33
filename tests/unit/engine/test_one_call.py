"""One call for an assistant: what is known of a turn, and the messages to be sent, also without a home."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.retrieve.home.small import HOME

from winnow import Candidate, Engine, Ref, Retrieval, Shortlist, Turn, Utterance
from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock, ScriptedChat
from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import open_embedder, open_engine
from winnow.context.more import missing_data
from winnow.engine.policy import Policy
from winnow.errors import MessageError, WinnowError
from winnow.ports.services import run_blocking
from winnow.types.candidate import Search
from winnow.types.scope import Scope

TALK = (
    {"role": "user", "content": "how do I make a leek tart"},
    {"role": "assistant", "content": "Soften the leeks in butter, then bake."},
)
SOURCES = ("history", "facts", "knowledge", "public")


class Shelf:
    """A source of so many texts that counts how often it was asked."""

    waits = False

    def __init__(self, name: str, *texts: str) -> None:
        self.name, self.texts, self.asked = name, texts, list[tuple[Search, Scope, int]]()

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        self.asked.append((search, scope, limit))
        return Shortlist(
            self.name,
            tuple(Candidate(Ref("passage", f"{self.name}{n}"), data=t) for n, t in enumerate(self.texts)),
        )


def shelves(**texts: tuple[str, ...]) -> dict[str, Shelf]:
    return {name: Shelf(name, *texts.get(name, ())) for name in SOURCES}


def engine(sources: dict[str, Shelf], **policy: Any) -> Engine:
    return Engine(memory_storage(FrozenClock()), open_embedder(), sources=sources, policy=Policy(**policy))


def said(found: Retrieval) -> str:
    return "\n".join(str(message["content"]) for message in found.context.messages)


def test_one_call_gives_what_was_understood_what_was_found_and_the_messages() -> None:
    held = shelves(knowledge=("A leek tart bakes for 35 minutes.",), facts=("Nina eats no butter.",))
    found = engine(held).sync.retrieve(
        "how long do I bake it", history=TALK, user="nina", system="You are a cook."
    )
    assert found.intent is not None
    assert found.intent.need_retrieval
    assert "leek tart" in found.query
    assert {s.source for s in found.results} == set(SOURCES) - {"public"}
    messages = found.context.messages
    assert messages[0]["role"] == "system"
    assert str(messages[0]["content"]).startswith("You are a cook.")
    assert messages[-1] == {"role": "user", "content": "how long do I bake it"}
    for text in ("35 minutes", "no butter", "Soften the leeks"):
        assert text in said(found)


def test_what_the_talk_turns_on_goes_with_the_question_into_the_search() -> None:
    held = shelves()
    found = engine(held).sync.retrieve("how long do I bake it", history=TALK)
    ((search, _, _),) = held["knowledge"].asked
    assert "soften" in search.context
    assert search.context == (found.rewrite.context if found.rewrite else None)
    assert "Soften the leeks in butter, then bake." in search.seen


def test_a_waiting_caller_gets_the_same_as_a_blocking_one() -> None:
    import asyncio

    asked = engine(shelves(knowledge=("A leek tart bakes for 35 minutes.",)))

    async def waited() -> Retrieval:
        return await asked.retrieve("how long do I bake it", history=TALK, user="nina")

    assert asyncio.run(waited()).context.messages == (
        asked.sync.retrieve("how long do I bake it", history=TALK, user="nina").context.messages
    )


@pytest.mark.parametrize(
    "text", ["thank you", "谢谢", "好的，我知道了", "ok got it", "就用第一个方案", "早上好"]
)
def test_a_turn_that_needs_nothing_asks_no_source(text: str) -> None:
    held = shelves()
    found = engine(held).sync.retrieve(text, history=TALK, user="nina")
    assert [len(shelf.asked) for shelf in held.values()] == [0, 0, 0, 0]
    assert found.context.messages[-1] == {"role": "user", "content": text}
    assert found.sufficiency is None


def test_an_order_for_the_home_asks_no_source_and_its_briefing_is_in_the_messages() -> None:
    held = shelves()
    found = open_engine(HOME, sources=held).sync.retrieve("打开书房的台灯", user="nina")
    assert [len(shelf.asked) for shelf in held.values()] == [0, 0, 0, 0]
    _, *lines = found.briefing.text.splitlines()  # what the data is, is said once for all of it
    assert lines
    assert all(line in said(found) for line in lines)


def test_the_public_is_asked_only_when_too_little_is_private() -> None:
    others = ("The oven door squeaks.", "Nina eats no butter.")
    lacking, holding = (
        shelves(knowledge=others),
        shelves(knowledge=(*others, "A leek tart bakes for an hour.")),
    )
    for held in (lacking, holding):
        engine(held).sync.retrieve("how long does a leek tart bake", user="nina")
    assert (len(lacking["public"].asked), len(holding["public"].asked)) == (1, 0)


def test_what_was_said_in_the_call_wins_over_the_utterance() -> None:
    held = shelves()
    turn = Utterance("how long do I bake it", user="otto", history=(Turn("user", "tell me about owls"),))
    found = engine(held).sync.retrieve(turn, history=TALK, user="nina")
    ((search, scope, _),) = held["facts"].asked
    assert scope.user == "nina"
    assert "leek tart" in search.text
    assert [t.content for t in found.utterance.history] == [m["content"] for m in TALK]


def test_the_messages_never_exceed_what_was_set() -> None:
    long = tuple(
        {"role": role, "content": f"{n} word " * 60} for n in range(20) for role in ("user", "assistant")
    )
    held = shelves(knowledge=tuple(f"{n} tart " * 90 for n in range(10)))
    found = engine(held, context=600).sync.retrieve(
        "how long does a leek tart bake", history=long, user="nina"
    )
    assert found.context.total == 600
    assert found.context.token_count <= 600
    assert found.context.messages[-1]["content"] == "how long does a leek tart bake"
    assert found.context.trimmed


def test_a_session_begins_each_time_with_what_it_began_with_before() -> None:
    talk = engine(shelves(knowledge=("A leek tart bakes for 35 minutes.",)))
    first = talk.sync.retrieve("how long does it bake", history=TALK, session="s", system="You are a cook.")
    reply = {"role": "assistant", "content": "35 minutes."}
    more = (*TALK, {"role": "user", "content": "how long does it bake"}, reply)
    second = talk.sync.retrieve("and at which heat", history=more, session="s", system="You are a cook.")
    same = len(TALK) + 1
    assert second.context.messages[:same] == first.context.messages[:same]
    assert second.context.shared > 0


def test_tool_calls_stay_with_their_replies() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "oven"}}]}
    answered = {"role": "tool", "tool_call_id": "1", "content": "180"}
    history = (TALK[0], call, answered, TALK[1])
    messages = engine(shelves()).sync.retrieve("how long do I bake it", history=history).context.messages
    assert [m["role"] for m in messages if m["role"] != "system"] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]


def test_what_a_person_tells_is_known_in_the_next_turn() -> None:
    talk = open_engine(HOME, extract_facts=True)
    talk.sync.retrieve("我对花生过敏", user="nina")
    talk.sync.retrieve("谢谢", user="nina")
    kept = run_blocking(talk.storage.facts.facts(Scope(user="nina")))
    assert [fact.text for fact in kept] == ["我对花生过敏"]
    found = talk.sync.retrieve("我对什么过敏", user="nina")
    assert "我对花生过敏" in said(found)
    assert run_blocking(talk.storage.facts.facts(Scope(user="otto"))) == ()


def test_what_an_agent_wrote_tells_nothing_of_the_person() -> None:
    talk = open_engine(HOME, extract_facts=True)
    talk.sync.retrieve(Utterance("我对花生过敏", user="nina", by_agent=True))
    assert run_blocking(talk.storage.facts.facts(Scope(user="nina"))) == ()


@pytest.mark.parametrize("wanted", [None, False])
def test_what_persons_tell_is_not_kept_unless_asked_for(tmp_path: Path, wanted: bool | None) -> None:
    kept_by_setting = Settings(tmp_path, extract_facts=wanted is not None)
    talk = open_engine(HOME, settings=kept_by_setting, extract_facts=wanted)
    talk.sync.retrieve("我对花生过敏", user="nina")
    assert run_blocking(talk.storage.facts.facts(Scope(user="nina"))) == ()


def test_the_model_that_writes_answers_gets_the_messages_and_another_prepares() -> None:
    chat = ScriptedChat("35 minutes.")
    asked = Engine(memory_storage(FrozenClock()), open_embedder(), chat=chat, sources=shelves())
    found = asked.sync.retrieve("how long does a leek tart bake", system="You are a cook.")
    answer = asked.sync.reply(found)
    assert (answer.text, answer.model) == ("35 minutes.", "scripted-normal")
    sent, schema = chat.asked[-1]
    assert (sent[0]["content"], sent[-1]["content"]) == ("You are a cook.", found.utterance.text)
    assert schema is None


def test_without_a_model_nobody_answers_and_the_error_says_what_to_do() -> None:
    asked = engine(shelves())
    with pytest.raises(WinnowError, match="no language model") as caught:
        asked.sync.reply(asked.sync.retrieve("how long does a leek tart bake"))
    assert "WINNOW_MODEL_NORMAL" in caught.value.hint


def test_the_settings_say_how_much_a_context_holds(tmp_path: Path) -> None:
    small = open_engine(HOME, settings=Settings(tmp_path, context=500))
    assert small.sync.retrieve("打开书房的台灯").context.total == 500


def test_a_message_that_makes_no_sense_is_an_error_that_names_it() -> None:
    with pytest.raises(MessageError, match="Message 0"):
        engine(shelves()).sync.retrieve("hi", history=[{"role": "robot", "content": "hi"}])


def test_a_turn_that_is_no_longer_word_for_word_can_be_looked_up_again() -> None:
    held = shelves()
    talk = [
        message
        for n in range(30)
        for message in (
            {"role": "user", "content": f"what about loaf number {n}"},
            {"role": "assistant", "content": f"Loaf {n} wants flour and water, and a night in the cold."},
        )
    ]
    engine(held).sync.retrieve("what did I say about the first loaf?", history=talk, user="nina")
    seen = held["history"].asked[0][0].seen
    assert "what about loaf number 29" in seen
    assert "what about loaf number 0" not in seen


def test_little_is_given_first_and_more_where_detail_is_wanted() -> None:
    """Six long passages were found; most of each waits until somebody asks."""
    care = " ".join(f"Guest number {n} wants the dough to rest in room {n}." for n in range(20))
    texts = tuple(f"A leek tart of sort {n} bakes for {30 + n} minutes. {care}" for n in range(6))
    asked = engine(shelves(knowledge=texts), context=4000)
    question = "how long do I bake a leek tart"
    first = asked.sync.retrieve(question, user="nina")
    assert first.context.more[-1] == "knowledge5"
    by_call = asked.sync.retrieve(question, user="nina", detail=True)
    by_words = asked.sync.retrieve("tell me more details: how long do I bake a leek tart", user="nina")
    for found in (by_call, by_words):
        assert found.context.more == ()
        assert len(said(found)) > 2 * len(said(first))
    lack = missing_data("The documents given do not say how long. I need more information.")
    assert lack is not None
    again = asked.sync.retrieve(lack.query or question, user="nina", detail=True)
    assert again.context.more == ()


def test_what_a_model_lacks_is_looked_up_deeper_and_stands_beside_what_it_was_given() -> None:
    held = shelves(knowledge=tuple(f"Tart number {n} bakes for {n + 30} minutes." for n in range(9)))
    asked = engine(held)
    first = asked.sync.retrieve("how long does the tart bake?", user="nina", session="s")
    function = {"name": "winnow_more", "arguments": '{"query": "baking time of tarts"}'}
    reply = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": function}]}
    more = asked.sync.more(first, reply)
    assert held["knowledge"].asked[-1][0].text == "baking time of tarts"
    assert held["knowledge"].asked[-1][2] == 3 * held["knowledge"].asked[0][2]
    assert more.context.messages[-1]["role"] == "tool"
    assert more.context.token_count <= more.context.total
    assert asked.sync.more(first, "It bakes for half an hour.") is first
