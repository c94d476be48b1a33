"""Ranges of users are dealt out to processes; nothing is lost with one of them, and nothing made twice."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.model_server import ModelServer, Reply, Request, embedded, model_server
from tests.unit.retrieve.filling import fill, opened, work
from tests.unit.retrieve.people import talk

from winnow.errors import ClusterError
from winnow.ports.services import run_blocking
from winnow.retrieve.precompute import (
    BackfillProgress,
    EmbeddingProgress,
    RangeResult,
    UserRange,
    cluster,
    run_backfill,
    user_ranges,
)
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.vector import text_key

TENANT = "acme"
PEOPLE, EACH = 12, 24


def test_ranges_hold_neighbours_and_about_so_many_messages() -> None:
    users = {f"u{n:02}": 10 * n for n in range(8)}
    found = list(user_ranges(TENANT, users, 100))
    assert [name for each in found for name in each.users] == sorted(users)
    assert [each.messages for each in found] == [100, 110, 70]
    assert list(user_ranges(TENANT, {})) == []


def test_one_user_with_more_than_a_range_is_a_range() -> None:
    found = list(user_ranges(TENANT, {"a": 1, "b": 500, "c": 1}, 100))
    assert [each.users for each in found] == [("a", "b"), ("c",)]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(slowly) as running:
        yield running


def slowly(request: Request) -> Reply:
    """Vectors after a while."""
    return replace(embedded(request), delay=0.03)


@pytest.fixture
def store(tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with messages of twelve people, of whom each says one thing that all say."""
    monkeypatch.setenv("TEST_STORE", str(tmp_path / "winnow.db"))
    monkeypatch.setenv("TEST_SERVER", server.url)
    messages = opened(os.environ["TEST_STORE"]).messages
    for number in range(PEOPLE):
        own = talk(EACH, first=number * EACH)
        all_say = Message("all", "user", "Good morning.", own[0].at)
        run_blocking(messages.add(Scope(TENANT, f"u{number:02}"), [*own, all_say]))
    return os.environ["TEST_STORE"]


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing_and_nothing_is_made_twice(
    store: str, server: ModelServer
) -> None:
    work_here = work(store, server.url)
    users = run_blocking(opened(store).messages.users(Scope(TENANT)))
    wanted = list(user_ranges(TENANT, users, 50))
    with cluster("local", 2) as client:
        pids = list(client.run(os.getpid).values())
        told = Told(lambda: os.kill(pids[0], signal.SIGKILL))
        course = run_backfill(client, wanted, fill, told)
    assert (course.done, course.users, course.messages) == (len(wanted), PEOPLE, PEOPLE * (EACH + 1))
    texts = {m.content for n in range(PEOPLE) for m in talk(EACH, first=n * EACH)} | {"Good morning."}
    space = run_blocking(work_here.maker.space(Scope(TENANT)))
    held = run_blocking(
        work_here.vectors.stored_keys(Scope(TENANT), space, [text_key(text) for text in texts])
    )
    assert len(held) == len(texts)
    asked = [text for request in server.asked for text in request.body["input"]]
    again = len(asked) - len(set(asked))
    assert set(asked) == texts
    assert again <= 8, "only the one batch that was on its way is asked for once more"


class Told:
    """Called with the course; does something once, when the first range is done."""

    def __init__(self, once: Callable[[], None]) -> None:
        self.courses: list[BackfillProgress] = []
        self._once = once

    def __call__(self, course: BackfillProgress) -> None:
        self.courses.append(course)
        if course.done == 1:
            self._once()


def refused(task: UserRange) -> RangeResult:
    """What a model that is down leaves behind."""
    return RangeResult(task, EmbeddingProgress(made=3), "The server is down.", "Start it.")


class Inline:
    """A client of a cluster that consists of nobody: work is done when its result is asked for."""

    def __init__(self) -> None:
        self.cancelled = 0

    def map(
        self, work: Callable[[UserRange], RangeResult], wanted: Sequence[UserRange], *, pure: bool
    ) -> Sequence[Any]:
        return [SimpleNamespace(result=partial(work, one)) for one in wanted]

    def run(self, work: Callable[[], Any]) -> dict[str, Any]:
        return {}

    def cancel(self, futures: Sequence[Any]) -> None:
        self.cancelled += len(futures)


def test_what_stops_a_worker_stops_the_run_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("distributed.as_completed", iter)
    client, done = Inline(), list[BackfillProgress]()
    with pytest.raises(ClusterError, match="The server is down") as caught:
        run_backfill(client, [UserRange(TENANT, ("a",), 1)], refused, done.append)
    assert caught.value.hint == "Start it."
    assert (done, client.cancelled) == ([], 1)


def test_a_library_that_is_absent_and_a_scheduler_that_does_not_answer_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("winnow.retrieve.precompute.CONNECT_TIMEOUT", 0.2)
    with (
        pytest.raises(ClusterError, match="No scheduler answers"),
        cluster("tcp://127.0.0.1:9", 1),
    ):
        pass
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match="not installed: distributed") as caught, cluster("local", 1):
        pass
    assert ".[backfill]" in caught.value.hint
