"""What was deleted or changed does not come back in the talk it was given in, wherever that was done."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from tests import homes

import winnow
from winnow import Engine, Retrieval
from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.config.settings import Settings
from winnow.app.wiring.documents import open_fact_extractor
from winnow.ports.stores import Storage, StoredDocument
from winnow.types.candidate import Candidate, Ref, Search, Shortlist
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.fact import Fact
from winnow.types.home import Attribute, Command, Device, Home, LexiconEntry, Profile
from winnow.types.message import Message
from winnow.types.scope import Scope

pytestmark = pytest.mark.slow

IDA = Scope(user="ida")
OLD, NEW = (
    "The brick oven in the cabin is 311 degrees hot.",
    "The brick oven in the cabin is 288 degrees hot.",
)
MARK = "311"
FIRST = "How hot is the brick oven in the cabin?"
AFTER = ("Thanks!", FIRST, "Tell me more about the brick oven in the cabin.")
AT = datetime(2026, 3, 2)  # noqa: DTZ001 - a wall clock has no zone

Work = Callable[[Storage, Scope], Awaitable[object]]


@dataclass(frozen=True)
class Kind:
    """Something that is found, and what people do with it."""

    put: Work
    forget: Work
    change: Work


def entry(text: str) -> StoredDocument:
    document = Document("oven", "Oven", source="oven.md")
    return StoredDocument(document, text, (Passage(f"oven#{text[-12:-10]}", document, text),))


def documents(tier: KnowledgeTier) -> Kind:
    return Kind(
        lambda storage, whose: storage.documents.put(whose, tier, [entry(OLD)]),
        lambda storage, whose: storage.documents.forget(whose, tier, ["oven"]),
        lambda storage, whose: storage.documents.put(whose, tier, [entry(NEW)]),
    )


def message(text: str) -> Message:
    return Message("m1", "user", text, AT)


KINDS = {
    "document": documents("private"),
    "public": documents("public"),
    "message": Kind(
        lambda storage, whose: storage.messages.add(whose, [message(OLD)]),
        lambda storage, whose: storage.messages.forget(whose, ["m1"]),
        lambda storage, whose: storage.messages.add(whose, [message(NEW)]),
    ),
    "fact": Kind(
        lambda storage, whose: storage.facts.keep(whose, [Fact("f1", OLD, at=AT)]),
        lambda storage, whose: storage.facts.forget(whose, ["f1"]),
        lambda storage, whose: open_fact_extractor(storage, homes.embedder()).correct(whose, "f1", NEW),
    ),
}


@dataclass
class Place:
    """A store, and engines over it that know nothing of each other."""

    folder: Path
    store: str

    @property
    def engine(self) -> Engine:
        settings = Settings(self.folder, store=self.store, extract_facts=False)
        return winnow.open(settings=settings, embedder=homes.embedder())


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    server = request.param == "postgresql"
    return Place(tmp_path, request.getfixturevalue("postgres_store") if server else "")


async def asked(engine: Engine, text: str, user: str = "ida") -> Retrieval:
    return await engine.retrieve(text, user=user, session="tablet")


def told(found: Retrieval) -> str:
    return "\n".join(str(one["content"]) for one in found.context.messages)


def unmarked(found: Retrieval, mark: str = MARK) -> list[str]:
    """Lines that tell the old as if it held."""
    lines = [line for line in told(found).splitlines() if mark in line]
    return [line for line in lines if '"status":"superseded"' not in line]


def test_what_is_gone_or_other_is_not_given_again(place: Place) -> None:
    async def talk(kind: Kind, what: str, engine: Engine, by: Engine, user: str) -> None:
        whose = Scope(user=user)
        await kind.put(engine.storage, whose)
        for _ in range(2):  # the second time what is known of the person stands before the dialogue
            assert MARK in told(await asked(engine, FIRST, user))
        await getattr(kind, what)(by.storage, whose)
        for text in AFTER:
            found = await asked(engine, text, user)
            assert not unmarked(found), (text, told(found))
        await kind.forget(by.storage, whose)

    async def talks() -> None:
        this, another = place.engine, place.engine
        for name, kind in KINDS.items():
            for what in ("forget", "change"):
                for by in (this, another):
                    await talk(kind, what, this, by, f"{name}-{what}-{by is this}")

    asyncio.run(talks())


def test_what_still_holds_is_given_again_without_being_found() -> None:
    async def talk() -> str:
        engine = Engine(memory_storage(FrozenClock()), homes.embedder(), sources={"knowledge": Once()})
        await asked(engine, FIRST)
        return told(await asked(engine, FIRST))

    assert MARK in asyncio.run(talk())


COMMANDS = (("messages", "forget", "m1"), ("knowledge", "forget", "oven"), ("facts", "forget", "f1"))


def test_commands_of_another_process_count_at_once(tmp_path: Path) -> None:
    place = Place(tmp_path, "")
    script = "\n".join(
        f"app({[*words, '--user', 'ida', '--yes']!r}, standalone_mode=False)" for words in COMMANDS
    )

    async def talk() -> None:
        engine = place.engine
        for kind in ("document", "message", "fact"):
            await KINDS[kind].put(engine.storage, IDA)
        first = told(await asked(engine, FIRST))
        assert MARK in first  # of what says the same, a turn is given what suffices
        env = {**os.environ, "WINNOW_HOME": str(tmp_path)}
        subprocess.run(
            [sys.executable, "-c", f"from winnow.app.cli.program import app\n{script}"], env=env, check=True
        )
        for text in AFTER:
            assert MARK not in told(await asked(engine, text))

    asyncio.run(talk())


@pytest.mark.parametrize("change", ["DELETE FROM chat WHERE id = 1", "UPDATE chat SET body = 'It is cold.'"])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_table_of_the_host_is_read_where_it_is(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str, change: str
) -> None:
    make = "CREATE TABLE chat (id INTEGER PRIMARY KEY, owner TEXT, who TEXT, body TEXT, sent TIMESTAMP)"
    row = f"INSERT INTO chat VALUES (1, 'ida', 'user', '{OLD}', '2026-03-02 08:00:00')"
    url, run = host(request, tmp_path, kind)
    run(make, row)
    columns = {"user": "owner", "role": "who", "content": "body", "created_at": "sent"}
    history = {"messages": {"url": url, "table": "chat", "columns": columns}}

    async def talk() -> None:
        engine = winnow.open(settings=Settings(tmp_path), history=history, embedder=homes.embedder())
        assert MARK in told(await asked(engine, FIRST))
        run(change)
        for text in AFTER:
            assert MARK not in told(await asked(engine, text))

    asyncio.run(talk())


def host(request: pytest.FixtureRequest, folder: Path, kind: str) -> tuple[str, Callable[..., None]]:
    """The URL of a host's database, and what runs statements in it."""
    if kind == "sqlite":
        return f"sqlite:///{folder}/app.db", lambda *sql: _in_file(folder / "app.db", sql)
    import sqlalchemy as sa

    url: sa.URL = request.getfixturevalue("postgres")
    database = sa.create_engine(url)
    request.addfinalizer(database.dispose)

    def run(*statements: str) -> None:
        with database.begin() as db:
            for statement in statements:
                db.exec_driver_sql(statement)

    return url.set(drivername="postgresql").render_as_string(hide_password=False), run


def _in_file(path: Path, statements: Collection[str]) -> None:
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()


SECRET = "My locker in the swimming hall has the number 311."


def test_a_talk_in_which_a_deleted_message_was_said_is_gone(place: Place) -> None:
    async def talk(engine: Engine, by: Engine, user: str) -> None:
        whose = Scope(user=user)
        await asked(engine, SECRET, user)
        assert MARK in told(await asked(engine, "What can I bake tomorrow?", user))
        await engine.storage.messages.add(whose, [message(SECRET), Message("m2", "user", "Bake.", AT)])
        await by.storage.messages.forget(whose, ["m2"])
        assert MARK in told(await asked(engine, "And the day after?", user))
        await by.storage.messages.forget(whose, ["m1"])
        for text in ("Let us talk about something else.", "What can I bake tomorrow?", *AFTER):
            assert MARK not in told(await asked(engine, text, user))

    engine = place.engine
    asyncio.run(talk(engine, engine, "ida"))
    asyncio.run(talk(engine, place.engine, "jo"))


LAMP = Profile(
    "lamp", (Command("on", "Switch.On"), Command("off", "Switch.Off")), (Attribute("s", "switch"),)
)
HOME = Home(
    "flat", "Flat", "neutral", profiles=(LAMP,), devices=(Device("d1", "desk lamp", "lamp", ("light",)),)
)


def test_a_home_and_a_learned_word_are_gone_within_the_talk(place: Place) -> None:
    async def talk() -> None:
        engine, other = place.engine, place.engine.storage
        at = IDA.at("flat")
        await other.homes.save_home(at, HOME)
        await other.lexicon.save_entries(at, [LexiconEntry(1, "glowworm", "alias", "d1", "accepted")])
        assert (await asked(engine, "turn on the glowworm")).device_ids == ("d1",)
        await other.lexicon.save_entries(at, [])
        assert (await asked(engine, "turn on the glowworm")).device_ids == ()
        assert "desk lamp" in told(await asked(engine, "turn off the desk lamp"))
        await other.homes.delete_home(at)
        found = await asked(engine, "turn it on")
        assert (found.device_ids, "desk lamp" in told(found), "glowworm" in told(found)) == ((), False, False)

    asyncio.run(talk())


LONG = "turn {} the desk lamp in the evening at seven please and then wait for me in the hall"


@pytest.mark.parametrize(("turns", "told_in_short"), [(5, True), (12, False)])
def test_what_was_told_of_a_talk_in_short_is_gone_with_it(
    tmp_path: Path, turns: int, told_in_short: bool
) -> None:
    """Of a long talk nothing is told in short that the session does not hold any more."""
    settings = Settings(tmp_path, extract_facts=False, context=600)

    async def talk() -> None:
        engine, other = (winnow.open(settings=settings, embedder=homes.embedder()) for _ in range(2))
        await engine.storage.homes.save_home(IDA.at("flat"), HOME)
        await engine.storage.messages.add(IDA, [message(SECRET)])
        for text in (SECRET, *(LONG.format("on" if n % 2 else "off") for n in range(turns))):
            found = await asked(engine, text)
        short = [m["content"] for m in found.context.messages if m["role"] == "system"]
        assert any(MARK in str(content) for content in short) == told_in_short
        await other.storage.messages.forget(IDA, ["m1"])
        await asked(other, "Good morning!")
        for text in AFTER:
            assert MARK not in told(await asked(engine, text))

    asyncio.run(talk())


class Once:
    """A source that finds a thing the first time, and says that it holds for ever."""

    found = False

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        first, self.found = not self.found, True
        told = Candidate(Ref("passage", "p"), score=1.0, data={"text": OLD})
        return Shortlist("knowledge", (told,) if first else ())

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        return {id_: {"text": OLD} for id_ in ids}


def test_what_was_looked_up_ends_half_an_hour_later_however_often_it_is_asked_for() -> None:
    clock = FrozenClock()
    engine = Engine(memory_storage(clock), homes.embedder(), sources={"knowledge": Once()})
    given = []
    for minute in (0, 10, 20, 29, 31, 40):
        clock.seconds = 60.0 * minute
        given.append(MARK in told(asyncio.run(asked(engine, FIRST))))
    assert given == [True, True, True, True, False, False]


def test_what_no_source_vouches_for_is_given_in_its_own_turn_alone() -> None:
    async def talk() -> list[bool]:
        source = Once().__call__  # it finds, and tells nothing of what it found before
        engine = Engine(memory_storage(FrozenClock()), homes.embedder(), sources={"knowledge": source})
        return [MARK in told(await asked(engine, FIRST)) for _ in range(2)]

    assert asyncio.run(talk()) == [True, False]
