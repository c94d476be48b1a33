"""A question is answered once, however many processes (here engines over one store) answer it at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring import engine as wiring
from winnow.engine.engine import Engine
from winnow.engine.sessions import SessionStore
from winnow.errors import NoOpenQuestion
from winnow.ports.services import run_blocking
from winnow.ports.stores import Sessions
from winnow.types.home import Home
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Call, Confirm

DANGER = Utterance("unlock the front door lock", user="ida", session="s")
YES = replace(DANGER, text="yes")


@dataclass(slots=True)
class Door:
    """A home that counts what is done in it."""

    home: SimulatedHome
    calls: list[Call] = field(default_factory=list)

    async def look(self, scope: Scope, refs: Any = ()) -> Snapshot:
        return await self.home.look(scope, refs)

    async def do(self, scope: Scope, calls: Any) -> tuple[Outcome, ...]:
        self.calls += calls
        return await self.home.do(scope, calls)


@dataclass(slots=True)
class Paused:
    """The sessions of one process, which is held up for a while before it writes an answer down."""

    below: Sessions
    meanwhile: Callable[[], Any]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)

    async def note(self, *args: Any, answered: str = "", **kwargs: Any) -> bool:
        if answered:
            await self.meanwhile()
        return await self.below.note(*args, answered=answered, **kwargs)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    sqlite = request.param == "sqlite"
    return str(tmp_path / "winnow.db") if sqlite else request.getfixturevalue("postgres_store")


@pytest.fixture
def door(home: Home, states: Snapshot) -> Door:
    return Door(SimulatedHome(home, states, FrozenClock()))


@pytest.fixture
def processes(where: str, home: Home, states: Snapshot, door: Door) -> Iterator[list[Engine]]:
    """Two processes as far as they know: one store and one home, nothing else in common."""
    stores = [SqlStore.open(where, FrozenClock()) for _ in range(2)]
    run_blocking(stores[0].storage.homes.save_home(Scope(home=home.id), home, states))
    engines = [Engine(store.storage, wiring.open_embedder()) for store in stores]
    for engine in engines:
        engine.acting.actuator = door
    yield engines
    for store in stores:
        store.close()


async def answer(engine: Engine, said: Utterance | str) -> bool:
    """Whether an answer, in a sentence or to the question of that id, was acted on."""
    with suppress(NoOpenQuestion):
        found = await (
            engine.retrieve(said) if isinstance(said, Utterance) else engine.answer(said, "yes", user="ida")
        )
        return isinstance(found.verdict, Act) and bool((await engine.act(found)).outcomes)
    return False


@pytest.mark.slow
@pytest.mark.parametrize("by_id", [False, True])
def test_a_yes_while_another_process_carries_one_out_does_nothing_more(
    processes: list[Engine], door: Door, *, by_id: bool
) -> None:
    first, second = processes
    asked = first.sync.retrieve(DANGER)
    assert isinstance(asked.verdict, Confirm)
    acted: list[bool] = []

    async def meanwhile() -> None:
        acted.append(await answer(second, asked.id if by_id else YES))

    sessions: Any = Paused(first.storage.sessions, meanwhile)
    first.talk = SessionStore(replace(first.storage, sessions=sessions))
    acted.append(asyncio.run(answer(first, YES)))
    assert acted == [True, False]
    assert len(door.calls) == 1


def test_many_who_say_yes_at_once_have_it_done_once(processes: list[Engine], door: Door) -> None:
    processes[0].sync.retrieve(DANGER)

    async def at_once() -> list[bool]:
        return await asyncio.gather(*(answer(engine, YES) for engine in processes * 4))

    assert sum(asyncio.run(at_once())) == 1
    assert len(door.calls) == 1


def test_a_yes_after_the_answer_of_another_process_finds_nothing_to_agree_to(
    processes: list[Engine], door: Door
) -> None:
    processes[0].sync.retrieve(DANGER)
    assert [asyncio.run(answer(engine, YES)) for engine in processes] == [True, False]
    assert len(door.calls) == 1


def test_a_request_of_its_own_is_met_whoever_answered_meanwhile(processes: list[Engine], door: Door) -> None:
    first, second = processes
    first.sync.retrieve(DANGER)
    own = replace(DANGER, text="turn on the desk lamp")
    assert asyncio.run(answer(second, YES))
    assert asyncio.run(answer(first, own))
    assert [call.device_id for call in door.calls] == ["hall.door", "hall.desk"]
