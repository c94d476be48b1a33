"""A yes counts only from the person who was asked, whatever way it is said and whoever else tries before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from tests import homes

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.engine.engine import Engine
from winnow.engine.tool_calls import Tools
from winnow.errors import NoOpenQuestion
from winnow.ports.stores import Storage
from winnow.types.home import Attribute, Command, Device, Home, Profile, Room
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import Utterance

ROUNDS = {"memory": 24, "sqlite": 5, "postgresql": 3}
PEOPLE = ("ida", "bob", "jo", "Ida", "ida ", "")
"""Who is asked is drawn from these too; an empty name is one more person."""
SESSION, DOOR = "kitchen-tablet", "hall.door"
YES = ("yes", "ok, do it", "yes please", "好", "确认")
BOLT = Profile(
    "bolt",
    (Command("lock", "Lock.Lock", "lock"), Command("unlock", "Lock.Unlock", "unlock")),
    (Attribute("lock", "lock"),),
)
HOME = Home(
    "flat",
    "Flat",
    "neutral",
    rooms=(Room("hall", "hall"),),
    profiles=(BOLT,),
    devices=(Device(DOOR, "front door lock", "bolt", ("lock",), room_id="hall"),),
)


@pytest.fixture(params=ROUNDS)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Storage, int]]:
    clock, rounds = FrozenClock(1_000.0), ROUNDS[request.param]
    if request.param == "memory":
        yield memory_storage(clock, HOME), rounds
        return
    where = tmp_path / "winnow.db" if request.param == "sqlite" else request.getfixturevalue("postgres_store")
    store = SqlStore.open(where, clock)
    asyncio.run(store.storage.homes.save_home(Scope(), HOME))
    yield store.storage, rounds
    store.close()


@dataclass
class Tablet:
    """A tablet that several people speak to in one session."""

    engine: Engine
    random: Random
    asked: Retrieval
    token: str

    @classmethod
    async def asking(cls, engine: Engine, random: Random, user: str) -> Tablet:
        """After this person wanted the door unlocked and was asked whether really."""
        asked = await engine.retrieve("unlock the front door lock", user=user, session=SESSION)
        receipt = await engine.act(asked)
        assert receipt.waiting is not None
        return cls(engine, random, asked, receipt.waiting.token)

    async def yes(self, user: str) -> tuple[str, Receipt | None]:
        """What this person's yes comes to, said in any way; None: it is no answer to any question."""
        way = self.random.choice(("words", "token", "answer", "tool"))
        if way == "words":
            said = await self.engine.retrieve(self.random.choice(YES), user=user, session=SESSION)
            return way, await self.engine.act(said)
        if way == "token":
            return way, await self.engine.confirm(self.token, user=user)
        if way == "tool":
            who = Utterance("", home="flat", user=user, session=SESSION)
            return way, (await Tools(self.engine, who).call("confirm", {"token": self.token})).receipt
        with suppress(NoOpenQuestion):
            choice = self.random.choice((True, *YES))
            return way, await self.engine.act(await self.engine.answer(self.asked.id, choice, user=user))
        return way, None


def test_a_yes_of_others_does_nothing_and_closes_nothing(stored: tuple[Storage, int]) -> None:
    storage, rounds = stored
    asyncio.run(_played(storage, rounds, Random(1)))


async def _played(storage: Storage, rounds: int, random: Random) -> None:
    engine, clock = Engine(storage, homes.embedder()), storage.clock
    assert isinstance(clock, FrozenClock)
    for _ in range(rounds):
        house = SimulatedHome(HOME, Snapshot({DOOR: {"lock": "locked"}}, source="neutral"), clock)
        engine.states.below = engine.acting.actuator = house
        owner = random.choice(PEOPLE)
        tablet = await Tablet.asking(engine, random, owner)
        start = (await storage.audit.last(tablet.asked.scope, 1))[-1].number
        others = random.choices([user for user in PEOPLE if user != owner], k=random.randint(1, 4))
        tries = [(user, *await tablet.yes(user)) for user in others]
        assert (await house.read(Scope(home="flat"))).value(DOOR, "lock") == "locked", tries
        assert all(came is None or not came.outcomes for _, _, came in tries), tries
        way, came = await tablet.yes(owner)
        assert came is not None, (tries, way)
        assert came.device_ids == (DOOR,), (tries, way, came)
        entries = [e.record for e in await storage.audit.entries(tablet.asked.scope, start)]
        assert {e.user for e in entries if e.kind in {"confirmed", "begun"}} == {owner}
        told = [(e.user, e.body["why"]) for e in entries if e.kind == "refused"]
        assert told == [(user, ["not_asked"]) for user, way, _ in tries if way != "words"]
        assert not any(text in repr(e.body) for e in entries if e.kind == "refused" for text in YES)
        clock.seconds += 3600.0


def test_with_as_many_tries_as_one_likes_nobody_takes_a_yes_from_the_person_asked() -> None:
    async def played() -> Receipt:
        engine = Engine(memory_storage(FrozenClock(), HOME), homes.embedder())
        engine.acting.actuator = SimulatedHome(HOME, Snapshot({DOOR: {"lock": "locked"}}), FrozenClock())
        tablet = await Tablet.asking(engine, Random(2), "ida")
        for n in range(200):
            token = tablet.token if n % 2 else f"guess{n}"
            assert not (await engine.confirm(token, user=("bob", "")[n % 3 % 2])).outcomes
        return await engine.confirm(tablet.token, user="ida")

    assert asyncio.run(played()).device_ids == (DOOR,)
