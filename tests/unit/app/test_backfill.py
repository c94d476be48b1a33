"""``winnow messages backfill``: what it says, and whom it does not let work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.model_server import ModelServer, embedded, failed, model_server

from winnow.app import precompute as backfilling
from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store
from winnow.ports.services import run_blocking
from winnow.retrieve.precompute import RangeResult, UserRange
from winnow.types.message import Message
from winnow.types.scope import Scope

Run = Callable[..., Any]


class Here:
    """Workers of a cluster that are this very process, but may be told to be set otherwise."""

    def __init__(self) -> None:
        self.equipment: tuple[str, ...] | None = None

    def map(
        self, work: Callable[[UserRange], RangeResult], wanted: list[UserRange], *, pure: bool
    ) -> list[SimpleNamespace]:
        return [SimpleNamespace(result=lambda one=one: work(one)) for one in wanted]

    def run(self, work: Callable[[], Any]) -> dict[str, Any]:
        return {"tcp://10.0.0.7:1": self.equipment or work()}

    def cancel(self, futures: list[Any]) -> None:
        pass


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Here:
    here = Here()

    @contextmanager
    def cluster(scheduler: str, workers: int) -> Iterator[Here]:
        yield here

    monkeypatch.setattr(backfilling, "cluster", cluster)
    monkeypatch.setattr("distributed.as_completed", iter)
    backfilling._local_precomputing.cache_clear()
    return here


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(embedded) as running:
        yield running


@pytest.fixture
def said(server: ModelServer) -> None:
    """A store with messages of three users, and a model."""
    settings = load_settings()
    settings.data.mkdir(parents=True, exist_ok=True)
    Path(settings.data, "history.yaml").write_text(
        f"vector_search:\n  dynamic:\n    embedding_model: m\n    api_url: {server.url}\n", "utf-8"
    )
    for user in ("anna", "bert", "cleo"):
        texts = [f"{user} has a boat", f"{user} sold it", "thanks"]
        messages = [Message(str(n), "user", text) for n, text in enumerate(texts)]
        run_blocking(open_store(load_settings()).storage.messages.add(Scope(user=user), messages))


@pytest.mark.usefixtures("said", "workers")
def test_what_is_missing_is_made_once_by_all_workers_together(winnow: Run, server: ModelServer) -> None:
    ran = winnow("messages", "backfill", "--size", "4")
    assert ran.code == 0
    assert "9 messages of 3 users looked through in 2 ranges." in ran.out
    assert "7 vectors made" in ran.out
    assert sum(len(request.body["input"]) for request in server.asked) == 7
    again = json.loads(winnow("messages", "backfill", "--json").out)
    assert (again["done"], again["messages"], again["progress"]["made"]) == (1, 9, 0)


@pytest.mark.usefixtures("said")
def test_a_worker_that_keeps_vectors_elsewhere_is_not_let_to_work(
    winnow: Run, workers: Here, server: ModelServer
) -> None:
    workers.equipment = ("/elsewhere/winnow.db", "m", "1")
    ran = winnow("messages", "backfill")
    assert ran.code != 0
    assert "A worker is set otherwise: /elsewhere/winnow.db" in ran.err
    assert server.asked == []


@pytest.mark.usefixtures("said", "workers")
def test_a_file_is_not_shared_with_other_machines(winnow: Run, server: ModelServer) -> None:
    ran = winnow("messages", "backfill", "--scheduler", "tcp://10.0.0.5:8786")
    assert ran.code != 0
    assert "is a file, which only this machine can write to" in ran.err
    assert server.asked == []


@pytest.mark.usefixtures("said", "workers")
def test_a_model_that_fails_stops_the_run_and_says_why(winnow: Run, server: ModelServer) -> None:
    server.answers = [embedded, failed(401)]
    ran = winnow("messages", "backfill", "--size", "4")
    assert ran.code != 0
    assert "answered 401" in ran.err
