"""What every ``States`` does: of an import, told over it, of a simulated home, of one read where it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from pathlib import Path

import pytest

from winnow.adapters.platforms.live.linked_homes import LiveStates
from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.engine.home_cache import StateOverlay
from winnow.errors import HomeNotFound
from winnow.ports.stores import States
from winnow.types.home import Device, Home, Profile
from winnow.types.scope import Scope
from winnow.types.state import HomeEvent, ImportedHome, ReadProgress, Snapshot, no_read_progress

HOME = Home(
    "h", "h", "neutral", profiles=(Profile("p"),), devices=(Device("a", "A", "p"), Device("b", "B", "p"))
)
SNAPSHOT = Snapshot({"a": {"on": True}, "b": {"on": False}}, 3.0, "neutral", frozenset({"b"}))


class Running:
    """The server of the home."""

    async def documents(self, progress: ReadProgress = no_read_progress) -> Mapping[str, object]:
        return {}

    async def read(self, refs: Collection[str] = ()) -> Snapshot:
        return SNAPSHOT.about(refs) if refs else SNAPSHOT

    async def news(self) -> AsyncIterator[HomeEvent]:
        return
        yield


@pytest.fixture(params=["memory", "store", "told", "simulated", "live"])
def states(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[States]:
    clock = FrozenClock(5.0)
    stored = memory_storage(clock, ImportedHome(HOME, SNAPSHOT)).states
    store = SqlStore.open(tmp_path / "winnow.db", clock)
    asyncio.run(store.storage.homes.save_home(Scope(), HOME, SNAPSHOT))
    made: dict[str, States] = {
        "memory": stored,
        "store": store.storage.states,
        "told": StateOverlay(stored, clock),
        "simulated": SimulatedHome(HOME, SNAPSHOT, clock),
        "live": LiveStates(stored, lambda scope: Running(), clock),
    }
    yield made[request.param]
    store.close()


def read(states: States, home_id: str = "h", refs: Collection[str] = ()) -> Snapshot:
    return asyncio.run(states.read(Scope(home=home_id), refs))


def test_all_of_a_home_is_read_when_nothing_is_named(states: States) -> None:
    snapshot = read(states)
    assert (snapshot.values, snapshot.offline) == (SNAPSHOT.values, SNAPSHOT.offline)


def test_only_what_is_named_is_read(states: States) -> None:
    assert (read(states, refs=["a"]).values, read(states, refs=["a"]).offline) == (
        {"a": {"on": True}},
        frozenset(),
    )
    assert read(states, refs=["nobody"]).values == {}


def test_every_value_has_a_moment_and_a_source(states: States) -> None:
    origin = read(states).origin("a", "on")
    assert origin.source
    assert origin.at is not None
    assert origin.at <= 5.0


def test_a_home_that_is_not_there_is_an_error(states: States) -> None:
    with pytest.raises(HomeNotFound, match="palace"):
        read(states, "palace")
