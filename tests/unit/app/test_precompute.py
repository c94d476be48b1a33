"""``winnow messages precompute``: what it says it will do, does, and keeps when the model fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.model_server import ModelServer, embedded, failed, model_server

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope

Run = Callable[..., Any]
TEXTS = ("I feed the cat at seven", "the cat is called Mika", "thanks", "thanks")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(embedded) as running:
        yield running


@pytest.fixture
def told(winnow: Run, server: ModelServer) -> Run:
    """The command on a store with messages of two users, and a model."""
    settings = load_settings()
    settings.data.mkdir(parents=True, exist_ok=True)
    Path(settings.data, "history.yaml").write_text(
        f"vector_search:\n  dynamic:\n    embedding_model: m\n    api_url: {server.url}\n", "utf-8"
    )
    say("anna", *TEXTS)
    say("bert", "I like tea")
    return lambda *given: winnow("messages", "precompute", *given)


def say(user: str, *texts: str) -> None:
    messages = [Message(str(n), "user", text) for n, text in enumerate(texts)]
    run_blocking(open_store(load_settings()).storage.messages.add(Scope(user=user), messages))


def test_a_dry_run_says_what_it_takes_and_asks_nobody(told: Run, server: ModelServer) -> None:
    ran = told("--all", "--dry-run")
    assert ran.code == 0
    assert "users: 2, messages: 5, texts: 4; without a vector of m: 4" in ran.out
    assert "about 15 tokens in 1 requests" in ran.out
    assert server.asked == []


def test_what_is_missing_is_made_once(told: Run, server: ModelServer) -> None:
    assert "3 vectors made in 1 requests." in told("--user", "anna").out
    assert "1 vectors made in 1 requests." in told("--all").out
    assert "0 vectors made" in told("--all").out
    assert [sorted(request.body["input"]) for request in server.asked] == [
        sorted({*TEXTS}),
        ["I like tea"],
    ]


def test_batches_keep_the_size_that_is_asked_for(told: Run, server: ModelServer) -> None:
    told("--all", "--batch", "2")
    assert sorted(len(request.body["input"]) for request in server.asked) == [2, 2]


def test_data_is_printed_for_a_program(told: Run) -> None:
    plan, done = map(json.loads, told("--all", "--json").out.splitlines())
    assert plan["plan"]["missing"] == 4
    assert done == {
        "schema": "winnow.embedded/1",
        "done": {"made": 4, "calls": 1, "again": 0, "refused": 0, "why": ""},
        "pruned": 0,
    }


def test_when_the_model_fails_it_says_what_is_kept_and_goes_on_from_there(
    told: Run, server: ModelServer
) -> None:
    server.answers = [embedded, failed(401)]
    ran = told("--all", "--batch", "1")
    assert ran.code == 2
    assert "vectors were made by then and are kept" in ran.err
    assert "answered 401" in ran.err
    made = int(ran.err.split()[0])
    server.answers = [embedded]
    assert f"{4 - made} vectors made" in told("--all").out


def test_vectors_of_gone_messages_are_deleted_when_asked_for(told: Run) -> None:
    told("--all")
    storage = open_store(load_settings()).storage
    run_blocking(storage.messages.forget(Scope(user="bert")))
    assert "1 vectors that no message needs" in told("--user", "anna", "--prune").out
    (space,) = run_blocking(storage.vectors.spaces(Scope()))
    assert run_blocking(storage.vectors.size(Scope(), space)) == 3


def test_another_model_behind_the_name_is_told_and_everything_made_anew_when_asked_for(
    told: Run, server: ModelServer
) -> None:
    told("--user", "anna")
    longer = json.dumps({"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
    server.answers = [lambda request: type(embedded(request))(longer)]
    ran = told("--all", "--batch", "1")
    assert ran.code == 2
    assert "m gives vectors of 2 numbers now, and gave vectors of 3 before" in ran.err
    assert "--afresh" in ran.err
    ran = told("--all", "--batch", "1", "--afresh")
    assert (ran.code, "3 vectors forgotten" in ran.out, "4 vectors made" in ran.out) == (0, True, True)


@pytest.mark.parametrize("given", [(), ("--all", "--user", "anna"), ("--all", "--rate", "fast")])
def test_wrong_use_is_explained(told: Run, given: tuple[str, ...]) -> None:
    ran = told(*given)
    assert ran.code == 2
    assert "--user" in ran.err or "50/s" in ran.err


def test_the_built_in_table_needs_no_such_thing(winnow: Run) -> None:
    ran = winnow("messages", "precompute", "--all")
    assert ran.code == 2
    assert "nothing to make beforehand" in ran.err
    assert "embedding_model" in ran.err


def test_both_languages_tell_it(told: Run, winnow: Run) -> None:
    assert (
        "还没有 m 向量的：4" in winnow("--language", "zh", "messages", "precompute", "--all", "--dry-run").out
    )
