"""People who speak in one session see nothing of each other: 10,000 turns of them at random."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests import homes

from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import open_engine
from winnow.ports.stores import Storage
from winnow.types.fact import Fact
from winnow.types.home import Attribute, Command, Device, Home, Profile, Room
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.utterance import Question, Turn, Utterance
from winnow.types.verdict import Clarify, Confirm

pytestmark = pytest.mark.slow

TURNS = {"memory": 10_000, "sqlite": 10_000, "postgresql": 2_000}
"""Of each store; a server is a way to go."""
AT_ONCE = 20
"""Turns of one write."""
ENGINE_TURNS = 200
PEOPLE = ("ida", "jo", "Ida", "ida ", "", "i%", "ida' OR '1'='1")
HOMES, SESSIONS = ("flat", "attic"), ("tablet", "phone")
MARK = re.compile(r"mark(\d+)x")
"""Stands in all that a person says or keeps, with the person's place among ``PEOPLE``."""


@pytest.fixture(params=TURNS)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Storage, int]]:
    if request.param == "memory":
        yield memory_storage(FrozenClock()), TURNS["memory"]
        return
    where = tmp_path / "winnow.db" if request.param == "sqlite" else request.getfixturevalue("postgres_store")
    store = SqlStore.open(where, FrozenClock())
    yield store.storage, TURNS[request.param]
    store.close()


def mark(user: str) -> str:
    return f"mark{PEOPLE.index(user)}x"


def marks(told: object) -> set[str]:
    return {PEOPLE[int(number)] for number in MARK.findall(repr(told))}


def test_of_ten_thousand_turns_nobody_reads_one_of_another(stored: tuple[Storage, int]) -> None:
    storage, turns = stored
    random, last = Random(3), dict[Scope, list[Turn]]()

    async def written(number: int) -> None:
        whose = Scope("default", random.choice(PEOPLE), random.choice(HOMES), random.choice(SESSIONS))
        said = [Turn("user", f"{mark(whose.user)} {number} {n}") for n in range(random.randint(1, AT_ONCE))]
        utterance = Utterance(said[-1].content, home=whose.home, user=whose.user, session=whose.session)
        asked = Question(f"q{number}", whose.home, 1, utterance, 0.0, "mark")
        await storage.sessions.note(whose, said, asked if random.random() < 0.5 else None)
        last[whose] = [*last.get(whose, []), *said][-20:]

    async def read() -> None:
        whose = random.choice(list(last))
        known = await storage.sessions.session(whose)
        assert list(known.turns) == last[whose]
        assert marks(known) == {whose.user}
        for stranger in random.sample([user for user in PEOPLE if user != whose.user], 2):
            asked = known.question.id if known.question else "none"
            theirs = Scope("default", stranger, whose.home, whose.session)
            assert not await storage.sessions.note(theirs, [], answered=asked)
        assert (await storage.sessions.session(whose)) == known

    async def talk() -> None:
        for number in range(turns // AT_ONCE * 2):  # a write has half as many turns, on average
            await written(number)
            if number % 2:
                await read()

    asyncio.run(talk())


SWITCH = Profile("s", (Command("on", "Switch.On"), Command("off", "Switch.Off")), (Attribute("s", "switch"),))
BOLT = Profile(
    "b", (Command("lock", "Lock.Lock"), Command("unlock", "Lock.Unlock")), (Attribute("l", "lock"),)
)
HOME = Home(
    "flat",
    "Flat",
    "neutral",
    rooms=(Room("hall", "hall"), Room("study", "study")),
    profiles=(SWITCH, BOLT),
    devices=(
        Device("hall.lamp", "wall lamp", "s", ("light",), room_id="hall"),
        Device("study.lamp", "wall lamp", "s", ("light",), room_id="study"),
        Device("door", "front door", "b", ("lock",), room_id="hall"),
    ),
)
SENTENCES = (
    "turn on the wall lamp",
    "the {0} one",
    "the second one",
    "unlock the front door",
    "yes",
    "turn it off",
    "what did I say about the {0} cupboard?",
    "where is the key of the {0} cupboard?",
    "tell me more about it",
    "my {0} is in the cupboard",
    "thanks",
)


async def kept(storage: Storage, user: str) -> None:
    """A message and a fact of this person about a cupboard that everybody has."""
    whose = Scope(user=user)
    said = f"The key of the cupboard of {mark(user)} hangs behind the mirror."
    await storage.messages.add(whose, [Message("m1", "user", said)])
    await storage.facts.keep(whose, [Fact("f1", f"My {mark(user)} cupboard is green.")])


def test_of_hundreds_of_whole_turns_no_message_tells_anything_of_another(tmp_path: Path) -> None:
    engine = open_engine(HOME, settings=Settings(tmp_path), embedder=homes.embedder())
    random = Random(5)

    async def talk() -> None:
        asked: set[str] = set()
        found_own = 0
        for user in filter(None, PEOPLE):
            await kept(engine.storage, user)
        for _ in range(ENGINE_TURNS):
            user = random.choice(PEOPLE)
            text = random.choice(SENTENCES).format(mark(user))
            found = await engine.retrieve(text, user=user, session="tablet")
            told = found.context.messages, found.briefing, found.results, found.utterance.history
            assert marks(told) <= {user}, (user, text)
            found_own += bool(marks(found.results))
            assert text != "yes" or not found.device_ids or user in asked, user
            waits = isinstance(found.verdict, Confirm | Clarify)
            asked = asked | {user} if waits else asked - {user}
        assert found_own > ENGINE_TURNS // 10

    asyncio.run(talk())
