"""``winnow messages worker``: what is said is embedded in the background, on a file and on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.model_server import ModelServer, embedded, model_server

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope

Run = Callable[..., Any]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(embedded) as running:
        yield running


@pytest.fixture(params=["file", "server"])
def told(request: pytest.FixtureRequest, winnow: Run, server: ModelServer, monkeypatch: Any) -> Run:
    """The command line on a store of each kind that has messages, and a model."""
    if request.param == "server":
        url: sa.URL = request.getfixturevalue("postgres")
        monkeypatch.setenv("WINNOW_STORE", url.set(drivername="postgresql").render_as_string(False))
    settings = load_settings()
    settings.data.mkdir(parents=True, exist_ok=True)
    Path(settings.data, "history.yaml").write_text(
        f"vector_search:\n  dynamic:\n    embedding_model: m\n    api_url: {server.url}\n", "utf-8"
    )
    say("anna", "I feed the cat at seven", "the cat is called Mika")
    say("bert", "I like tea")
    return lambda *given: winnow("messages", *given)


def say(user: str, *texts: str) -> None:
    messages = [Message(text, "user", text) for text in texts]
    run_blocking(open_store(load_settings()).storage.messages.add(Scope(user=user), messages))


def asked(server: ModelServer) -> list[str]:
    return sorted(text for request in server.asked for text in request.body["input"])


def test_a_worker_makes_what_is_missing_and_later_only_what_is_new(told: Run, server: ModelServer) -> None:
    ran = told("worker", "--once")
    assert (ran.code, ran.err) == (0, "")
    assert sorted(ran.out.splitlines()) == ["anna: 2 vectors made.", "bert: 1 vectors made."]
    say("bert", "and now coffee")
    assert told("worker", "--once").out.splitlines() == ["bert: 1 vectors made."]
    assert asked(server) == [
        "I feed the cat at seven",
        "I like tea",
        "and now coffee",
        "the cat is called Mika",
    ]


@pytest.mark.parametrize("told", ["server"], indirect=True)
def test_persons_are_left_to_the_workers(told: Run, server: ModelServer) -> None:
    assert told("precompute", "--user", "bert", "--queue").out.splitlines() == ["1 jobs queued."]
    assert server.asked == []
    assert told("worker", "--once", "--every", "0").out.splitlines() == ["bert: 1 vectors made."]


@pytest.mark.parametrize("told", ["file"], indirect=True)
def test_a_file_has_no_queue(told: Run) -> None:
    ran = told("precompute", "--all", "--queue")
    assert ran.code == 2
    assert "no queue" in ran.err
