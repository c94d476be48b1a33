"""A tenant's rows are reachable only with that tenant's scope, in every storage.

Tenants of one storage give the same ids to their homes, people, sessions and questions, and write at random.
Each of them also has a storage to itself. Whatever is read from the common one must be what the tenant's own
would say: then nothing of another came back, and nothing another wrote changed anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import HomeNotFound
from winnow.ports.services import run_blocking
from winnow.ports.stores import DuplicateMarks, Storage, StoredDocument
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.home import Device, Home, Lesson, LexiconEntry, Override, Room
from winnow.types.scope import Scope
from winnow.types.utterance import Question, Turn, Utterance

READS = {"memory": 2_000, "sqlite": 25_000, "postgresql": 600}
"""Of each storage: one in memory is of the same code as a file, and a server is a way to go."""
BEFORE, BETWEEN = 400, 60
"""Writes before the first read, and reads between two writes after it."""
TENANTS = ("anna", "bert", "carl")
HOMES, USERS, SESSIONS = ("flat", "attic", "barn"), ("ida", "jo"), ("tablet", "phone")
QUESTIONS = tuple(f"q{n}" for n in range(12))
TIERS: tuple[KnowledgeTier, ...] = ("private", "public")
MARK = re.compile(r"<(\w+)>")
"""Stands in all that a tenant writes."""


@pytest.fixture(params=READS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def common(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if kind == "memory":
        yield memory_storage(FrozenClock())
        return
    where = tmp_path / "winnow.db" if kind == "sqlite" else request.getfixturevalue("postgres_store")
    store = SqlStore.open(where, FrozenClock())
    yield store.storage
    store.close()


@dataclass
class World:
    """The common storage, and beside it one for each tenant alone."""

    common: Storage
    random: Random
    alone: dict[str, Storage] = field(
        default_factory=lambda: {tenant: memory_storage(FrozenClock()) for tenant in TENANTS}
    )
    written: int = 0

    def scope(self) -> Scope:
        """Of any tenant, with ids that all of them use."""
        pick = self.random.choice
        return Scope(pick(TENANTS), user=pick(USERS), home=pick(HOMES), session=pick(SESSIONS))

    def both(self, act: Callable[[Storage], object], tenant: str) -> tuple[object, object]:
        """What comes of it in the common storage, and in the tenant's own."""
        return outcome(act, self.common), outcome(act, self.alone[tenant])

    def write(self) -> None:
        self.written += 1
        scope = self.scope()
        kind = self.random.choices(tuple(WRITES), (10, 1, 6, 4, 4, 3, 3, 5, 1))[0]
        together, alone = self.both(WRITES[kind](scope, self.written, self.random), scope.tenant)
        assert together == alone, (kind, scope)

    def read(self) -> None:
        scope, kind = (
            self.scope(),
            self.random.choices(tuple(READINGS), (1, 3, 6, 8, 8, 6, 5, 4, 2, 1, 1, 1))[0],
        )
        together, alone = self.both(READINGS[kind](scope, self.random), scope.tenant)
        assert together == alone, (kind, scope)
        assert set(MARK.findall(repr(together))) <= {scope.tenant}, (kind, scope)


def outcome(act: Callable[[Storage], object], storage: Storage) -> object:
    """What it returns; a home that is not there is an outcome too."""
    try:
        return act(storage)
    except HomeNotFound as error:
        return error.known


Act = Callable[[Storage], object]


def question_id(scope: Scope, random: Random) -> str:
    """One of a few ids, which are open in one talk of a tenant only."""
    return f"{random.choice(QUESTIONS)}-{scope.home}-{scope.user}-{scope.session}"


def note(scope: Scope, number: int, random: Random) -> Act:
    said = Utterance(
        f"<{scope.tenant}> {number}",
        home=scope.home,
        user=scope.user,
        session=scope.session,
        tenant=scope.tenant,
    )
    free = question_id(scope, random)
    asked = Question(free, scope.home, 1, said, float(number), "mark") if random.random() < 0.7 else None
    turns = [Turn("user", said.text, (f"d{number}",)), Turn("assistant", f"<{scope.tenant}> done")]
    return lambda storage: run_blocking(storage.sessions.note(scope, turns, asked))


def delete(scope: Scope, number: int, random: Random) -> Act:
    return lambda storage: run_blocking(storage.homes.delete_home(scope))


def save(scope: Scope, number: int, random: Random) -> Act:
    named = f"<{scope.tenant}> {number}"
    devices = tuple(Device(f"d{n}", named, "p", room_id="r") for n in range(random.randint(0, 3)))
    home = Home(scope.home, named, "neutral", rooms=(Room("r", named),), devices=devices)
    return lambda storage: run_blocking(storage.homes.save_home(scope, home))


def use(scope: Scope, number: int, random: Random) -> Act:
    ids = [f"<{scope.tenant}> d{random.randint(1, 4)}" for _ in range(2)]
    return lambda storage: run_blocking(storage.habits.use(scope, ids))


def log(scope: Scope, number: int, random: Random) -> Act:
    lessons = [Lesson(f"<{scope.tenant}> {number}", "target", "d1")]
    return lambda storage: run_blocking(storage.lexicon.log(scope, lessons))


def learn(scope: Scope, number: int, random: Random) -> Act:
    words = [LexiconEntry(1, f"<{scope.tenant}> {number}", "alias", "d1", "accepted")]
    return lambda storage: run_blocking(storage.lexicon.save_entries(scope, words))


def say(scope: Scope, number: int, random: Random) -> Act:
    said = [Override(f"d{random.randint(1, 4)}", f"<{scope.tenant}> {number}")]
    return lambda storage: run_blocking(storage.overrides.save_overrides(scope, said))


def put(scope: Scope, number: int, random: Random) -> Act:
    """A document of a person or of everybody, which may say what one of another tenant says."""
    tier = random.choice(TIERS)
    about = Document(f"doc{random.randint(1, 4)}", f"<{scope.tenant}> {number}")
    passages = [Passage(f"{about.id}-{n}", about, f"<{scope.tenant}> {n}") for n in range(2)]
    same = DuplicateMarks(marks={passage.id: (n,) for n, passage in enumerate(passages)})
    entry, index = StoredDocument(about, f"<{scope.tenant}>", tuple(passages)), f"<{scope.tenant}>".encode()
    return lambda storage: run_blocking(storage.documents.put(scope, tier, [entry], index, same))


def forget(scope: Scope, number: int, random: Random) -> Act:
    tier, ids = random.choice(TIERS), random.choice(([f"doc{random.randint(1, 4)}"], None))
    return lambda storage: run_blocking(storage.documents.forget(scope, tier, ids))


WRITES = {
    "note": note,
    "delete": delete,
    "save": save,
    "use": use,
    "log": log,
    "learn": learn,
    "say": say,
    "put": put,
    "forget": forget,
}


def question(scope: Scope, random: Random) -> Act:
    """A question of any tenant, by its id."""
    id_ = question_id(scope, random)
    return lambda storage: run_blocking(storage.sessions.question(scope, id_))


async def index(storage: Storage, scope: Scope, tier: KnowledgeTier) -> list[tuple[bytes, int]]:
    """The parts of an index, without what each store calls them."""
    return [(part.data, len(part.dead)) async for part in storage.documents.segments(scope, tier)]


def passages(scope: Scope, random: Random) -> Act:
    tier, ids = random.choice(TIERS), [f"doc{random.randint(1, 4)}-{n}" for n in range(2)]
    return lambda storage: run_blocking(storage.documents.passages(scope, tier, ids))


def alike(scope: Scope, random: Random) -> Act:
    tier = random.choice(TIERS)
    return lambda storage: {p.id: p for p in run_blocking(storage.documents.alike(scope, tier, (0, 1)))}


def text(scope: Scope, random: Random) -> Act:
    tier, id_ = random.choice(TIERS), f"doc{random.randint(1, 4)}"
    return lambda storage: run_blocking(storage.documents.text(scope, tier, id_))


READINGS: dict[str, Callable[[Scope, Random], Act]] = {
    "home": lambda scope, _: lambda storage: run_blocking(storage.homes.load_home(scope)),
    "homes": lambda scope, _: lambda storage: run_blocking(storage.homes.list_homes(scope)),
    "session": lambda scope, _: lambda storage: run_blocking(storage.sessions.session(scope)),
    "usage": lambda scope, _: lambda storage: run_blocking(storage.habits.usage(scope)),
    "words": lambda scope, _: lambda storage: run_blocking(storage.lexicon.entries(scope)),
    "said": lambda scope, _: lambda storage: run_blocking(storage.overrides.overrides(scope)),
    "lessons": lambda scope, _: lambda storage: run_blocking(storage.lexicon.lessons(scope)),
    "question": question,
    "passages": passages,
    "alike": alike,
    "text": text,
    "index": lambda scope, random: lambda storage: run_blocking(index(storage, scope, "public")),
}


@pytest.mark.slow
def test_whatever_is_asked_for_no_row_of_another_tenant_comes_back(kind: str, common: Storage) -> None:
    world = World(common, Random(7))
    for _ in range(min(BEFORE, READS[kind] // 4)):
        world.write()
    for n in range(READS[kind]):
        if n % BETWEEN == 0:
            world.write()
        world.read()


def test_a_question_is_not_answered_by_its_id_for_another_tenant(common: Storage) -> None:
    anna, bert = (Scope(tenant, home="flat", session="tablet") for tenant in ("anna", "bert"))
    asked = Question("q", "flat", 1, Utterance("<anna>", tenant="anna"), 0.0, "mark")
    run_blocking(common.sessions.note(anna, [], asked))
    for scope in (bert, Scope("bert"), Scope("anna ", home="flat"), Scope("default")):
        assert run_blocking(common.sessions.question(scope, "q")) is None
        assert not run_blocking(common.sessions.note(scope, [], answered="q"))
    assert run_blocking(common.sessions.session(bert)).question is None
    assert run_blocking(common.sessions.question(anna, "q")) is not None
    assert run_blocking(common.sessions.note(anna, [], answered="q"))
