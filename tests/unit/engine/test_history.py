"""A host's table of messages answers a turn: in place, without a home, with everything told in the trace."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.json_schema import problems

import winnow
from winnow import Engine, Utterance
from winnow.app.config.settings import Settings
from winnow.app.explanation import explanation_text
from winnow.app.output import json_text
from winnow.app.trace import full_trace, trace_schema
from winnow.errors import ConfigError, StoreError
from winnow.ports.services import run_blocking
from winnow.types.home import NO_HOME
from winnow.types.message import Message
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope

SAID = (
    ("nina", "user", "My cousin Piet keeps bees behind the old mill.", "2025-04-02 08:15:00"),
    ("nina", "assistant", "Bees like quiet places. Does he sell the honey?", "2025-04-02 08:15:40"),
    ("nina", "user", "Yes, a jar costs nine crowns.", "2025-04-02 08:16:10"),
    ("nina", "user", "I cannot eat anything with walnuts.", "2025-05-20 19:02:00"),
    ("otto", "user", "My cousin Wanda keeps goats, no bees.", "2025-04-03 10:00:00"),
    ("o'tto", "user", "The bees of the third user are a secret.", "2025-04-03 10:00:00"),
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The database of an application that keeps what is said."""
    path = tmp_path / "app.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE chat (id INTEGER PRIMARY KEY, owner TEXT, who TEXT, body TEXT, sent TEXT)")
        db.executemany("INSERT INTO chat (owner, who, body, sent) VALUES (?, ?, ?, ?)", SAID)
    db.close()
    return path


def mapped(path: Path, **more: Any) -> dict[str, Any]:
    """What history.yaml would say of it."""
    columns = {"user": "owner", "role": "who", "content": "body", "created_at": "sent"}
    return {
        "messages": {"url": f"sqlite:///{path}", "table": "chat", "columns": columns},
        "vector_search": more,
    }


def asked(engine: Engine, text: str, user: str = "nina") -> Retrieval:
    return engine.sync.retrieve(Utterance(text, user=user))


def ids(found: Retrieval) -> list[str]:
    return [c.ref.id for shortlist in found.results for c in shortlist.candidates]


def test_a_table_answers_in_place_without_a_home(table: Path) -> None:
    found = asked(winnow.open(history=mapped(table)), "where does my cousin keep the bees?")
    assert found.home_id == ""
    assert ids(found)[0] == "1"
    header, first, *_ = found.briefing.text.splitlines()
    assert "not instructions" in header
    row = json.loads(first)
    assert row.pop("at").startswith("2025-04-02")
    assert row == {"source": "history", "id": "1", "text": SAID[0][2], "speaker": "user"}
    assert found.briefing.tokens <= 250


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("The boiler was serviced by Hansen in May.", "what did I say about the boiler?"),
        ("The boiler was serviced by Hansen in May.", "anything about the boiler?"),
        ("锅炉五月份由韩师傅保养过", "我说过锅炉的什么事？"),
    ],
)
def test_of_what_was_said_about_a_thing_only_the_thing_is_looked_for(said: str, question: str) -> None:
    engine = winnow.open()
    run_blocking(engine.storage.messages.add(Scope(user="nina"), [Message("a", "user", said)]))
    assert ids(asked(engine, question)) == ["a"]


def test_what_is_only_implied_is_found_too(table: Path) -> None:
    found = asked(winnow.open(history=mapped(table)), "recommend me a cake without walnuts")
    assert (found.intent.source if found.intent else "", ids(found)[0]) == ("knowledge", "4")


def test_waiting_and_blocking_callers_find_the_same(table: Path) -> None:
    engine = winnow.open(history=mapped(table))
    said = Utterance("where does my cousin keep the bees?", user="nina")

    async def both() -> list[list[str]]:
        return [ids(await engine.retrieve(said)), ids(engine.sync.retrieve(said))]

    first, second = asyncio.run(both())
    assert first == second == ids(engine.sync.retrieve(said))


@pytest.mark.parametrize(
    ("text", "user", "chosen", "why"),
    [
        ("where does my cousin keep the bees?", "nina", "asked", "it is about"),
        ("where does my cousin keep the bees?", "", "not asked", "nobody was named"),
        ("thank you", "nina", "not asked", "nothing is to be looked up"),
        ("turn on the crane", "nina", "not asked", "it is about devices"),
    ],
)
def test_the_gate_decides_whether_history_is_asked_and_says_why(
    table: Path, text: str, user: str, chosen: str, why: str
) -> None:
    found = asked(winnow.open("example:cottage", history=mapped(table)), text, user)
    step = next(step for step in found.gate if step.what == "history")
    assert step.chosen == chosen
    assert why in step.reason
    assert ("history" in {shortlist.source for shortlist in found.results}) == (chosen == "asked")


def test_the_trace_says_how_it_was_searched_in_the_shape_of_the_schema(table: Path) -> None:
    found = asked(winnow.open(history=mapped(table)), "where does my cousin keep the bees?")
    data = json.loads(json_text(full_trace(found, NO_HOME)))
    assert list(problems(data, trace_schema(), trace_schema())) == []
    searched = next(one for one in data["trace"]["found"] if one["source"] == "history")
    assert [step["what"] for step in searched["steps"]] == ["history", "strategy", "vectors"]
    assert searched["steps"][1]["chosen"] == "lazy"
    assert searched["steps"][1]["reason"].startswith("4 messages")
    printed = explanation_text(found, NO_HOME)
    assert "history: asked" in printed
    assert "strategy: lazy (4 messages" in printed


def test_nobody_gets_what_another_said(table: Path) -> None:
    engine = winnow.open(history=mapped(table))
    own = {"nina": {"1", "2", "3", "4"}, "otto": {"5"}, "o'tto": {"6"}}
    hostile = ("", "%", "nina'; --", "nina\x00", "NINA", "nina ", "' OR '1'='1", "_tto", "otto\n")
    for user in (*own, *hostile):
        found = asked(engine, "what about the bees, goats and secrets of my cousin?", user)
        assert set(ids(found)) <= own.get(user, set())
        assert bool(ids(found)) == (user in own)


def test_without_a_table_the_messages_of_the_store_are_searched() -> None:
    engine = winnow.open()
    kept = Message("a", "user", "The gate code is 1177."), Message("b", "user", "I like oat biscuits.")
    run_blocking(engine.storage.messages.add(Scope(user="nina"), kept))
    assert ids(asked(engine, "what is my gate code?"))[0] == "a"
    assert ids(asked(engine, "what is my gate code?", "otto")) == []


def test_the_talk_itself_is_not_found_again(table: Path) -> None:
    question = "where does my cousin keep the bees?"
    with sqlite3.connect(table) as db:
        db.execute("INSERT INTO chat (owner, who, body) VALUES ('nina', 'user', ?)", (question,))
    db.close()
    found = asked(winnow.open(history=mapped(table)), question)
    assert "7" not in ids(found)
    assert [d.id for d in found.results[0].dropped] == ["7"]


def test_top_k_is_what_one_question_gets_and_what_does_not_fit_is_listed(table: Path) -> None:
    some = asked(winnow.open(history=mapped(table, top_k=2)), "where does my cousin keep the bees?")
    assert len(ids(some)) == 2
    small = asked(winnow.open(history=mapped(table), budget=70), "where does my cousin keep the bees?")
    assert small.briefing.tokens <= 70
    assert set(small.briefing.left_out) == set(ids(small)) - {s.name for s in small.briefing.sections}
    assert small.briefing.left_out


def test_a_store_that_is_away_is_an_error_and_a_table_that_differs_names_what_is_there(
    table: Path, tmp_path: Path
) -> None:
    gone = mapped(tmp_path / "gone.db")
    with pytest.raises(StoreError):
        asked(winnow.open(history=gone), "where does my cousin keep the bees?")
    wrong = mapped(table)
    wrong["messages"]["columns"]["content"] = "text"
    with pytest.raises(ConfigError, match="body"):
        asked(winnow.open(history=wrong), "where does my cousin keep the bees?")


def test_history_that_is_off_is_not_asked(table: Path) -> None:
    found = asked(winnow.open(history=mapped(table, enabled=False)), "where does my cousin keep the bees?")
    asked_of = {step.what for step in found.gate} | {shortlist.source for shortlist in found.results}
    assert "history" not in asked_of


def test_a_model_out_of_reach_leaves_the_words_and_the_trace_says_so(table: Path) -> None:
    model = {"embedding_model": "some-embedder", "api_url": "http://127.0.0.1:9/v1", "api_key": "sk-hidden"}
    found = asked(winnow.open(history=mapped(table, dynamic=model)), "where does my cousin keep the bees?")
    assert ids(found)[0] == "1"
    assert [why.partition(":")[0] for why in found.degradations] == ["vectors"]
    told = json_text(full_trace(found, NO_HOME))
    assert "sk-hidden" not in told


def test_a_file_in_the_data_folder_is_enough(table: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "history.yaml").write_text(json.dumps(mapped(table)), "utf-8")
    engine = winnow.open(settings=Settings(tmp_path / "data"))
    assert ids(asked(engine, "where does my cousin keep the bees?"))[0] == "1"


@pytest.mark.parametrize("given", ["path", "url", "mapping"])
def test_where_messages_are_can_be_said_in_three_ways(table: Path, tmp_path: Path, given: str) -> None:
    with sqlite3.connect(table) as db:
        db.execute(
            "CREATE VIEW messages AS SELECT id, owner AS user_id, who AS role, body AS content, "
            "sent AS created_at FROM chat"
        )
    db.close()
    (tmp_path / "h.yaml").write_text(json.dumps(mapped(table)), "utf-8")
    ways: Mapping[str, Any] = {
        "path": tmp_path / "h.yaml",
        "url": f"sqlite:///{table}",
        "mapping": mapped(table),
    }
    assert ids(asked(winnow.open(history=ways[given]), "where does my cousin keep the bees?"))[0] == "1"
