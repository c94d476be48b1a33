"""What becomes of a turn while its home, its key or the server changes: over real connections."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.model_server import Reply, Request, model_server, said
from tests.unit.app.server.conftest import Served, cottage, served
from tests.unit.app.server.test_serve import winnow_serve
from tests.unit.app.server.test_shelves import TOY, zipped
from tests.unit.app.server.test_turns import post

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import import_path, open_store
from winnow.ports.services import Actuator, run_blocking
from winnow.ports.stores import States
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

ORDER = {"text": "turn off the reading lamp", "user": "ida", "session": "talk"}


class Gate:
    """States that are read once the gate is open: a turn has its home by then, and stands still."""

    def __init__(self, below: States) -> None:
        self.below, self.reached, self.opened = below, threading.Event(), threading.Event()

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        self.reached.set()
        assert await asyncio.to_thread(self.opened.wait, 20)
        return await self.below.read(scope, refs)


class Slow:
    """Hands that take longer than anybody waits."""

    def __init__(self, below: Actuator) -> None:
        self.below = below

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        return await self.below.look(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        await asyncio.sleep(1.0)
        return await self.below.do(scope, calls)


@pytest.fixture
def meanwhile() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def held(
    start: Callable[..., Served], meanwhile: ThreadPoolExecutor
) -> Iterator[tuple[Served, httpx.Client, Gate, Future[httpx.Response]]]:
    """A server, what speaks to it, the gate, and the turn that stands before it."""
    engine = cottage()
    gate = Gate(engine.states.below)
    engine.states.below = gate
    server = start(engine)
    with ExitStack() as stack:
        stack.callback(gate.opened.set)
        asking, other = (stack.enter_context(server.client(server.key())) for _ in range(2))
        turn = meanwhile.submit(asking.post, "/v1/retrieve", json=ORDER)
        assert gate.reached.wait(10)
        yield server, other, gate, turn


def test_a_turn_ends_in_the_home_it_began_in_and_does_nothing_in_the_one_that_came(held) -> None:
    _, client, gate, turn = held
    toy = {**TOY, "id": "cottage"}
    assert client.post("/v1/homes/cottage", content=zipped(home=toy)).status_code == 201
    gate.opened.set()
    found = turn.result(20).json()
    assert [call["device_id"] for call in found["verdict"]["calls"]] == ["light.reading_lamp"]
    done = post(client, "/v1/act", plan=found["plan"], user="ida", session="talk")
    assert (done["receipt"]["status"], done["receipt"]["outcomes"]) == ("refused", [])
    assert "no longer fits" in done["said"]
    assert post(client, "/v1/retrieve", **ORDER)["verdict"]["kind"] == "refuse"


def test_a_turn_whose_home_is_deleted_says_so(held) -> None:
    _, client, gate, turn = held
    assert client.delete("/v1/homes/cottage").status_code == 200
    gate.opened.set()
    answered = turn.result(20)
    assert (answered.status_code, answered.json()["error"]["code"]) == (404, "home_not_found")


def test_a_turn_whose_key_is_revoked_is_answered_and_none_after_it(held) -> None:
    server, _, gate, turn = held
    for key in run_blocking(server.engine.storage.access.keys(Scope("default"))):
        run_blocking(server.access.revoke("default", key.id))
    gate.opened.set()
    assert turn.result(20).status_code == 200
    with server.client(server.key()) as client:
        assert client.post("/v1/retrieve", json=ORDER).status_code == 200
        client.headers["Authorization"] = turn.result().request.headers["Authorization"]
        assert client.post("/v1/retrieve", json=ORDER).status_code == 401


def test_an_act_goes_on_to_its_end_though_nobody_waits_and_the_server_ends() -> None:
    engine = cottage()
    assert engine.acting.actuator is not None
    engine.acting.actuator = Slow(engine.acting.actuator)
    with served(engine, keyless=True, seconds=0.3) as server, server.client() as client:
        assert client.post("/v1/act", json=ORDER).status_code == 504
    audit = engine.acting.storage.audit
    last = [entry.record for entry in run_blocking(audit.last(Scope(home="cottage"), 3))]
    assert [record.kind for record in last] == ["begun", "outcome", "ended"]
    assert last[-1].body["status"] == "done"


@pytest.mark.e2e
@pytest.mark.slow
def test_what_is_under_way_when_the_server_is_told_to_end_is_answered(
    tmp_path: Path, meanwhile: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_path(Scope(), "example:cottage", open_store(load_settings({}, tmp_path)).storage.homes)
    asked = threading.Event()

    def answer(_: Request) -> Reply:
        asked.set()
        return replace(said("Once upon a time."), delay=0.5)

    with model_server(answer) as model:
        monkeypatch.setenv("WINNOW_MODEL_SERVER", model.url)
        monkeypatch.setenv("WINNOW_MODEL_NORMAL", "big")
        with winnow_serve(tmp_path) as (url, process):
            body = {"model": "big", "messages": [{"role": "user", "content": "tell me a story"}]}
            turn = meanwhile.submit(httpx.post, f"{url}/v1/chat/completions", json=body, timeout=30)
            assert asked.wait(20)
            process.send_signal(signal.SIGTERM)
            answered = turn.result(20)
            assert process.wait(20) in (0, -signal.SIGTERM)
    assert answered.status_code == 200
    assert answered.json()["choices"][0]["message"]["content"] == "Once upon a time."
