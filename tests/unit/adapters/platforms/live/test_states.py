"""States of linked homes: what the server tells, what stands when it is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping

import pytest

from winnow.adapters.platforms.live.linked_homes import LiveStates
from winnow.adapters.platforms.live.server import link_error
from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import HomeNotFound, LinkError
from winnow.ports.stores import LiveHome
from winnow.types.home import Device, Home, Profile
from winnow.types.scope import Scope
from winnow.types.state import HomeEvent, ImportedHome, ReadProgress, Snapshot, no_read_progress

HOME = Home("h", "h", "neutral", profiles=(Profile("p"),), devices=(Device("a", "A", "p"),))
IMPORTED = Snapshot({"a": {"on": False}}, 1.0, "neutral")
SCOPE = Scope(home="h")


class Server:
    """A live home that answers, or does not."""

    def __init__(self) -> None:
        self.now, self.asked = Snapshot({"a": {"on": True}}, 9.0, "live"), 0
        self.fault: LinkError | None = None

    async def documents(self, progress: ReadProgress = no_read_progress) -> Mapping[str, object]:
        return {}

    async def read(self, refs: Collection[str] = ()) -> Snapshot:
        self.asked += 1
        if self.fault:
            raise self.fault
        return self.now.about(refs) if refs else self.now

    async def news(self) -> AsyncIterator[HomeEvent]:
        return
        yield


def states(server: LiveHome | None, clock: FrozenClock) -> LiveStates:
    return LiveStates(memory_storage(clock, ImportedHome(HOME, IMPORTED)).states, lambda scope: server, clock)


def read(found: LiveStates, refs: Collection[str] = (), home: str = "h") -> Snapshot:
    return asyncio.run(found.read(Scope(home=home), refs))


def test_what_the_server_tells_counts() -> None:
    found = states(Server(), FrozenClock(10.0))
    assert read(found).value("a", "on") is True
    assert read(found, ["a"]).origin("a", "on").at == 9.0


def test_a_home_without_a_server_is_read_from_the_store() -> None:
    assert read(states(None, FrozenClock(10.0))).value("a", "on") is False


def test_a_home_that_is_not_stored_is_an_error_and_asks_nobody() -> None:
    server = Server()
    with pytest.raises(HomeNotFound):
        read(states(server, FrozenClock(10.0)), home="palace")
    assert server.asked == 0


def test_while_the_server_is_away_what_it_told_last_stands_with_its_moment() -> None:
    server, clock = Server(), FrozenClock(10.0)
    found = states(server, clock)
    read(found)
    server.fault = link_error("timeout", server="s", seconds=1)
    assert read(found).origin("a", "on").at == 9.0
    assert read(found, ["a"]).value("a", "on") is True


def test_a_server_that_never_answered_leaves_what_was_imported() -> None:
    server = Server()
    server.fault = link_error("unreachable", server="s", why="down")
    assert read(states(server, FrozenClock(10.0))).value("a", "on") is False


def test_a_server_that_is_away_is_not_asked_by_every_turn() -> None:
    server, clock = Server(), FrozenClock(10.0)
    found = states(server, clock)
    server.fault = link_error("unreachable", server="s", why="down")
    for _ in range(5):
        read(found)
    assert server.asked == 1
    clock.seconds += 60
    server.fault = None
    assert read(found).value("a", "on") is True


def test_what_does_not_pass_by_itself_is_raised() -> None:
    server = Server()
    server.fault = link_error("unauthorised", server="s", name="T")
    with pytest.raises(LinkError):
        read(states(server, FrozenClock(10.0)))
