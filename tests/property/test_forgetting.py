"""A person who is forgotten is gone from every table, file and memory; nobody else loses anything.

Persons of one storage have rows in every table that holds anything of persons, with a word of their own in
every text. What an export holds, what is left in the files and what others have is told by these words.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from time import monotonic

import numpy as np
import pytest
import sqlalchemy as sa

from winnow.adapters.models.embedders import FloatRows, HashingEmbedder
from winnow.adapters.models.vector_cache import CachedVectors
from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.stores import schema
from winnow.adapters.stores.store import SqlStore, memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import open_embedder, open_engine
from winnow.engine.engine import Engine
from winnow.engine.persons import PersonData
from winnow.errors import FeedbackError, NoOpenQuestion, StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import DuplicateMarks, Storage, StoredDocument
from winnow.retrieve.history.source import HistorySource
from winnow.types.document import Document, Passage
from winnow.types.fact import Fact
from winnow.types.feedback import Account, Feedback
from winnow.types.home import Attribute, Command, Device, Home, Lesson, LexiconEntry, Parameter, Profile, Room
from winnow.types.message import Message
from winnow.types.plan import Plan
from winnow.types.receipt import Record
from winnow.types.retrieval import Retrieval
from winnow.types.scope import ForgetReport, Scope
from winnow.types.state import Snapshot
from winnow.types.utterance import Question, Turn, Utterance
from winnow.types.vector import Space, text_key
from winnow.types.verdict import Call

pytestmark = pytest.mark.slow

IDA, JO, NAMESAKE = Scope(user="ida"), Scope(user="jo"), Scope("other", user="ida")
EVERYBODY = (IDA, JO, NAMESAKE)
AT = datetime(2026, 5, 4, 8, 15)  # noqa: DTZ001 - a wall clock has no zone
PATIENCE = 60.0
"""Seconds at most until transactions of others have ended."""
SPACE = Space("some-model", "1", 3)
LAMP = Profile(
    "lamp",
    (
        Command("on", "Switch.On"),
        Command("off", "Switch.Off"),
        Command("announce", "", "announce a text", (Parameter("text", "text"),)),
    ),
    (Attribute("switch", "switch"),),
)
LOCK = Profile("lock", (Command("unlock", "Lock.Unlock"), Command("lock", "Lock.Lock")), (Attribute("lock"),))
HOME = Home(
    "flat",
    "Flat",
    "neutral",
    rooms=(Room("r", "study"),),
    profiles=(LAMP, LOCK),
    devices=(
        Device("lamp", "desk lamp", "lamp", ("light",), room_id="r"),
        Device("door", "front door", "lock", ("lock",), room_id="r"),
    ),
)
STATES = Snapshot({"lamp": {"switch": "off"}, "door": {"lock": "locked"}}, 0.0, "neutral")


class Words:
    """Words of one person, each in one text alone."""

    def __init__(self, scope: Scope) -> None:
        self._stem, self.told = f"zq{scope.tenant}x{scope.user}", list[str]()

    def __call__(self, of: str) -> str:
        self.told.append(f"{self._stem}n{len(self.told)}{of}")
        return self.told[-1]


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def where(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    return (
        request.getfixturevalue("postgres_store") if kind == "postgresql" else tmp_path / "db" / "winnow.db"
    )


@pytest.fixture
def store(kind: str, where: Path | str) -> Iterator[SqlStore | None]:
    # Waited for are transactions of other tests on the same server; on a busy machine they take long.
    opened = None if kind == "memory" else SqlStore.open(where, FrozenClock(), wait=PATIENCE)
    yield opened
    if opened:
        opened.close()


@pytest.fixture
def storage(store: SqlStore | None) -> Storage:
    return store.storage if store else memory_storage(FrozenClock())


def fill(storage: Storage, scope: Scope, random: Random) -> list[str]:
    """Rows in every table that holds anything of persons; the words in them."""
    words, at_home = Words(scope), replace(scope, home="flat", session="tablet")
    homes = {home.id for home in run_blocking(storage.homes.list_homes(scope))}
    if "flat" not in homes:
        run_blocking(storage.homes.save_home(at_home, HOME))
    long = "".join(random.choices("abcdefghijklmnop ", k=30_000))
    said = [
        Message(f"m{n}", "user", words("message"), AT, words("talk")) for n in range(random.randint(3, 40))
    ]
    said.append(Message("long", "user", long + words("end"), AT))
    run_blocking(storage.messages.add(scope, said))
    vector = np.ones(3, "f4")
    run_blocking(storage.vectors.put(scope, SPACE, {text_key(said[0].content): vector, f"{scope}": vector}))
    run_blocking(storage.claims.take(scope, SPACE, [text_key(said[1].content)], 5.0))
    facts = [Fact("f1", words("fact"), words("subject"), words("attribute"), words("value"), AT)]
    run_blocking(storage.facts.keep(scope, facts))
    write(storage, scope, words)
    utterance = Utterance(
        words("asked"),
        history=(Turn("user", words("before")),),
        home="flat",
        user=scope.user,
        session="tablet",
        tenant=scope.tenant,
    )
    question = Question(f"q{scope.user}", "flat", 1, utterance, 5.0, "mark")
    run_blocking(storage.sessions.note(at_home, [Turn("user", words("turn"), ("lamp",))], question))
    run_blocking(storage.habits.use(at_home, ["lamp", "door"]))
    lesson = Lesson(words("lesson"), "target", "lamp", "light", "on", user=scope.user)
    run_blocking(storage.lexicon.log(at_home, [lesson]))
    learned = run_blocking(storage.lexicon.entries(at_home))
    new = LexiconEntry(len(learned) + 1, words("name"), "alias", "lamp", "accepted", user=scope.user)
    run_blocking(storage.lexicon.save_entries(at_home, [*learned, new]))
    account = Account("r1", words("query"), 3.0)
    run_blocking(storage.counts.count(scope, {"turns": 1}, account))
    given = Feedback("b1", scope.user, "wrong", "r1", 3.0, note=words("note"), account=account)
    run_blocking(storage.feedback.keep(scope, given))
    calls = (Call("lamp", "announce", {"text": words("announced")}),)
    run_blocking(storage.plans.keep(at_home, Plan("p1", "flat", 1, utterance, calls, "mark", 5.0)))
    record = Record(6.0, scope.user, "begun", f"act{scope.user}", {"calls": [["lamp", "on", {}]]})
    run_blocking(storage.audit.append(at_home, [record]))
    return words.told


def write(storage: Storage, scope: Scope, words: Words) -> None:
    """Documents of the person, one of whose passages stands for another's, and one of everybody."""
    for tier in ("private", "public"):
        stem = words if tier == "private" else Words(Scope(scope.tenant, user="everybody"))
        about = [
            Document(f"{scope.user}{n}.md", stem("title"), source=stem("source"), at=AT) for n in range(2)
        ]
        texts = [stem("text") for _ in about]
        entries = [
            StoredDocument(document, text, (Passage(f"{document.id}#0", document, text, (document.title,)),))
            for document, text in zip(about, texts, strict=True)
        ]
        first, second = (entry.passages[0].id for entry in entries)
        alike = DuplicateMarks({second: first}, {first: [1, 2]})
        index = f"index of {texts}".encode()
        run_blocking(storage.documents.put(scope, tier, entries, index, alike))  # type: ignore[arg-type]


def exported(storage: Storage, scope: Scope) -> str:
    async def whole() -> str:
        return "".join([piece async for piece in PersonData(storage).export(scope)])

    return run_blocking(whole())


def forgotten(storage: Storage, scope: Scope, *, dry_run: bool = False) -> ForgetReport:
    return run_blocking(PersonData(storage).forget(scope, dry_run=dry_run))


def test_no_byte_is_left_of_who_is_forgotten_and_others_keep_all(
    kind: str, store: SqlStore | None, storage: Storage, where: Path | str
) -> None:
    random = Random(secrets.randbits(32))
    words = {scope: fill(storage, scope, random) for scope in EVERYBODY}
    taken = {scope: json.loads(exported(storage, scope)) for scope in EVERYBODY}
    for scope in EVERYBODY:
        assert [word for word in words[scope] if word not in json.dumps(taken[scope])] == []
    before, planned = others(store) if store else None, forgotten(storage, IDA, dry_run=True)
    assert planned.dry_run
    covered = {table.name for table in (*schema.PERSONAL_TABLES, *schema.TEXT_TABLES)}
    assert planned.removed.keys() >= (covered if store else taken[IDA].keys() & covered)
    assert not store or set(words[IDA]) - {*left(store, where, words[IDA])} == set()
    report = forgotten(storage, IDA)
    assert (report.removed, report.statements) == (planned.removed, ())
    if store:
        assert left(store, where, words[IDA]) == []
        assert others(store) == before
    assert forgotten(storage, IDA).total == 0
    assert {entry.kind for entry in report.elsewhere} >= {"audit"}
    assert json.loads(exported(storage, IDA)).keys() <= taken[IDA].keys() - covered | {"audit", "elsewhere"}
    for scope in (JO, NAMESAKE):
        again = json.loads(exported(storage, scope))
        assert again | {"exported_at": ""} == taken[scope] | {"exported_at": ""}
        verified = run_blocking(storage.audit.verification(Scope(scope.tenant, home="flat")))
        assert verified.broken == ()
        assert verified.entries == (2 if scope is JO else 1)
    for scope in (JO, NAMESAKE):  # of tables that are empty then the planner's statistics must go, too
        assert forgotten(storage, scope).statements == ()
    assert not store or left(store, where, [*words[JO], *words[NAMESAKE]]) == []


def others(store: SqlStore) -> dict[str, list[str]]:
    """Every row that is not ida's, as the tables hold it."""
    found = {}
    with store._db.read() as db:
        ours = [
            text_key(text)
            for text in db.scalars(sa.select(schema.messages.c.content).where(of_ida(schema.messages)))
        ]
        for table in (*schema.PERSONAL_TABLES, schema.audit):
            rows = sa.select(table).where(sa.not_(of_ida(table)) if table is not schema.audit else sa.true())
            found[table.name] = sorted(map(repr, db.execute(rows)))
        for table in schema.TEXT_TABLES:
            rows = sa.select(table).where(table.c.key.not_in(ours) | (table.c.tenant != IDA.tenant))
            found[table.name] = sorted(map(repr, db.execute(rows)))
    return found


def of_ida(table: sa.Table) -> sa.ColumnElement[bool]:
    return (table.c.tenant == IDA.tenant) & (table.c.user == IDA.user)


def left(store: SqlStore, where: Path | str, words: list[str]) -> list[str]:
    """Which of the words stand in any file of the database."""
    return sorted({word for file in files(store, where) for word in words if word.encode() in file})


def files(store: SqlStore, where: Path | str) -> Iterator[bytes]:
    """What the files of the store hold, while it is open; of a server without its write-ahead log."""
    if isinstance(where, Path):
        yield from (path.read_bytes() for path in where.parent.iterdir())
        return
    with store._db.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as db:
        db.exec_driver_sql("ANALYZE")  # as the server does by itself after a while
        db.exec_driver_sql("CHECKPOINT")
        folder = Path(str(db.scalar(sa.text("SHOW data_directory"))))
        number = db.scalar(sa.text("SELECT oid FROM pg_database WHERE datname = current_database()"))
    for part in (folder / "base" / str(number), folder / "global"):
        yield from (path.read_bytes() for path in part.iterdir() if path.is_file())


def test_what_the_user_of_a_database_may_not_do_is_told_and_does_it(postgres_store: str) -> None:
    store, clerk = SqlStore.open(postgres_store, FrozenClock(), wait=1.0), f"clerk_{secrets.token_hex(4)}"
    words = fill(store.storage, IDA, Random(1))
    run(store, f"CREATE ROLE {clerk} LOGIN")
    run(store, f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {clerk}")
    url = sa.make_url(postgres_store).set(username=clerk).render_as_string(hide_password=False)
    with closing(SqlStore.open(url, FrozenClock())) as theirs:
        report = forgotten(theirs.storage, IDA)
    assert left(store, postgres_store, words) != []
    # Another test of the server may hold a transaction that still sees what was deleted.
    until = monotonic() + PATIENCE
    run(store, *report.statements)
    while left(store, postgres_store, words) and monotonic() < until:
        run(store, *report.statements)
    assert left(store, postgres_store, words) == []
    run(store, f"DROP OWNED BY {clerk}", f"DROP ROLE {clerk}")
    store.close()


def test_what_a_transaction_may_still_see_is_told_to_be_left(postgres_store: str) -> None:
    store = SqlStore.open(postgres_store, FrozenClock(), wait=0.3)
    words = fill(store.storage, IDA, Random(1))
    with store._db.engine.execution_options(isolation_level="REPEATABLE READ").connect() as watching:
        watching.scalar(sa.text("SELECT count(*) FROM messages"))
        report = forgotten(store.storage, IDA)
        assert "VACUUM (FULL, ANALYZE) messages" in report.statements
        assert left(store, postgres_store, words) != []
    store.close()


def run(store: SqlStore, *statements: str) -> None:
    with store._db.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as db:
        for statement in statements:
            db.exec_driver_sql(statement)


def test_every_table_is_told_to_be_of_persons_or_of_none() -> None:
    classes = [*schema.PERSONAL_TABLES, *schema.TEXT_TABLES, *schema.IMPERSONAL_TABLES]
    assert sorted(table.name for table in classes) == sorted(schema.metadata.tables)
    assert all("user" not in table.c or table is schema.audit for table in schema.IMPERSONAL_TABLES)


TURNS = (
    "turn on the desk lamp",
    "unlock the front door",
    "what did the plumber tell me about {word}",
    "I am allergic to {word}",
    "announce {word} at the desk lamp",
)


class Meaning(HashingEmbedder):
    """A model whose vectors are kept in the store."""

    name = "kept"


def engine_over(where: Path) -> Engine:
    """As each process has it."""
    given = Settings(where.parent / "settings", learn=True, metrics=True)
    kept = SqlStore.open(where, FrozenClock()).storage
    history = HistorySource(kept.messages, open_embedder(), CachedVectors(Meaning(), kept.vectors))
    made = open_engine(where, settings=given, extract_facts=True, sources={"history": history})
    made.states.below = made.acting.actuator = SimulatedHome(HOME, STATES, FrozenClock())
    return made


def talk(made: Engine, user: str, session: str, word: str) -> list[Retrieval]:
    """What a person says, does, is asked and judges in one talk."""
    said = [Utterance(one.format(word=word), "en", "flat", None, user, session) for one in TURNS]
    found = [made.sync.retrieve(one) for one in said]
    made.sync.act(found[0])
    made.sync.act(found[1])
    made.sync.feedback(found[2], "missing", note=f"nothing of {word}")
    return found


def remembered(made: Engine) -> str:
    """What a process remembers beside the store."""
    parts: list[object] = [vars(memory) for memory in made._memories()]
    parts += [
        made.talk._questions,
        made.contexts._contexts,
        made.feedback_log._recent,
        made.acting._retrievals,
        made.proposals._talks,
    ]
    history = made.sources["history"]
    assert isinstance(history, HistorySource)
    parts += [one.index.messages for one in history.histories.cache.values()]
    return repr(parts)


@pytest.mark.parametrize("session", ["tablet", ""])
def test_what_another_process_remembers_brings_nothing_back(tmp_path: Path, session: str) -> None:
    where = tmp_path / "db" / "winnow.db"
    with closing(SqlStore.open(where, FrozenClock())) as store:
        run_blocking(store.storage.homes.save_home(Scope(home="flat"), HOME))
        said = [Message(f"m{n}", "user", f"The plumber told me zqida{n}.", AT) for n in range(3)]
        run_blocking(store.storage.messages.add(IDA, said))
    here, there = engine_over(where), engine_over(where)
    words = {"ida": "zqida", "jo": "zqjo"}
    last = {user: talk(made, user, session, words[user]) for made in (here, there) for user in words}
    assert all("zqida" in remembered(made) for made in (here, there))
    assert read(where, "zqida")
    report = here.sync.forget("ida")
    expected = {"messages", "vectors", "usage", "feedback", "accounts", "facts", "plans"}
    assert report.removed.keys() >= expected | ({"turns"} if session else set())
    assert ("zqida" in remembered(here), "zqjo" in remembered(here)) == (False, True)
    there.sync.retrieve(Utterance("turn off the desk lamp", "en", "flat", None, "jo", session))
    assert ("zqida" in remembered(there), "zqjo" in remembered(there)) == (False, True)
    with pytest.raises(FeedbackError):
        there.sync.feedback(last["ida"][2].id, "useful", user="ida")
    with pytest.raises(NoOpenQuestion):
        there.sync.answer(last["ida"][1].id, "yes")
    for made in (here, there):
        again = made.sync.retrieve(
            Utterance("what did I say of the plumber", "en", "flat", None, "ida", session)
        )
        assert "zqida" not in repr((again.context.messages, again.results, again.utterance))
    assert here.sync.forget("ida").total > 0
    assert read(where, "zqida") == []
    assert read(where, "zqjo")
    verified = run_blocking(here.storage.audit.verification(Scope(home="flat")))
    assert (verified.broken, verified.entries > 0) == ((), True)


def read(where: Path, word: str) -> list[str]:
    """Files beside the store that hold the word, while processes have it open."""
    return [
        path.name for path in where.parent.rglob("*") if path.is_file() and word.encode() in path.read_bytes()
    ]


@pytest.mark.parametrize("here", [True, False])
def test_vectors_that_are_on_their_way_are_not_kept(tmp_path: Path, here: bool) -> None:
    where = tmp_path / "winnow.db"
    store = SqlStore.open(where, FrozenClock())
    persons = PersonData(store.storage)

    class Late(Meaning):
        def embed(self, texts: Sequence[str]) -> FloatRows:
            run_blocking(persons.forget(IDA))
            return super().embed(texts)

    cached = CachedVectors(Late(), store.storage.vectors)
    if here:  # and not in another process
        persons.memories = lambda: [cached]
    run_blocking(cached.vectors(IDA, ["The key lies under the pot."]))
    assert run_blocking(store.storage.vectors.spaces(IDA)) == {}
    assert not here or cached.report().entries == 0
    run_blocking(cached.vectors(JO, ["The bread is in the oven."]))
    assert len(run_blocking(store.storage.vectors.spaces(JO))) == 1
    store.close()


def test_nobody_without_a_name_is_forgotten(storage: Storage) -> None:
    with pytest.raises(StoreError, match="person"):
        forgotten(storage, Scope())


def test_who_is_not_known_has_nothing(storage: Storage) -> None:
    assert forgotten(storage, IDA) == ForgetReport("default", "ida")
    assert json.loads(exported(storage, IDA)).keys() == {
        "format",
        "version",
        "tenant",
        "user",
        "exported_at",
        "elsewhere",
    }


def test_half_a_character_and_a_long_history_are_exported_as_utf8(storage: Storage) -> None:
    said = [Message(f"m{n:04}", "user", f"\ud83d {n} 水管工 \x00", AT) for n in range(1200)]
    run_blocking(storage.messages.add(IDA, said))
    progress: list[tuple[int, int]] = []

    async def whole() -> bytes:
        pieces = PersonData(storage).export(IDA, lambda *told: progress.append(told))
        return b"".join([piece.encode() async for piece in pieces])

    data = json.loads(run_blocking(whole()))
    assert [row["content"] for row in data["messages"]] == [one.content for one in said]
    assert progress == [(500, 1200), (1000, 1200), (1200, 1200)]
