"""A store that may only be read, by somebody who may not write, and in this process by what it is told."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from winnow.adapters.stores import connection
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import import_path, open_engine
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.feedback import Account, Feedback
from winnow.types.scope import Scope
from winnow.types.utterance import Turn, Utterance

HERE = Scope("default", home="cottage", session="s", user="me")
Ran = subprocess.CompletedProcess[str]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data folder with a home, which only its owner may write. Everybody may get there."""
    with tempfile.TemporaryDirectory() as made:
        data = Path(made, "data")
        store = SqlStore.open(data / "winnow.db", FrozenClock())
        import_path(HERE, "example:cottage", store.storage.homes, "cottage")
        run_blocking(store.storage.sessions.note(HERE, [Turn("user", "hello")]))
        store.close()
        data.chmod(0o555)
        for file in data.iterdir():
            file.chmod(0o444)
        yield data
        data.chmod(0o755)


@pytest.fixture
def reader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Storage:
    """The store, opened by one who may only read it."""
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
    return SqlStore.open(folder / "winnow.db", FrozenClock()).storage


def test_homes_states_and_sessions_are_read(reader: Storage) -> None:
    assert [info.id for info in run_blocking(reader.homes.list_homes(HERE))] == ["cottage"]
    assert len(run_blocking(reader.homes.load_home(HERE)).devices) > 50
    assert run_blocking(reader.states.read(HERE)).values
    assert [turn.content for turn in run_blocking(reader.sessions.session(HERE)).turns] == ["hello"]


def test_an_import_says_that_nothing_can_be_stored(reader: Storage) -> None:
    with pytest.raises(StoreError, match="may only be read") as raised:
        import_path(HERE, "example:cottage", reader.homes, "cottage")
    assert "WINNOW_HOME" in raised.value.hint


def test_a_talk_is_remembered_by_its_process_and_said_once_to_be_no_longer(reader: Storage) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for words in ("one", "two"):
            run_blocking(reader.sessions.note(HERE, [Turn("user", words)]))
        run_blocking(reader.habits.use(HERE, ["light.owl"]))
        run_blocking(reader.lexicon.log(HERE, []))
    assert [turn.content for turn in run_blocking(reader.sessions.session(HERE)).turns] == [
        "hello",
        "one",
        "two",
    ]
    assert [str(w.message).partition(": ")[2] for w in said] == [
        "what is said is remembered by this process alone."
    ]


def test_turns_are_not_counted_and_feedback_is_an_error(reader: Storage) -> None:
    run_blocking(reader.counts.count(HERE, {"turns": 1}, Account("r1", "where?", 1.0)))
    assert run_blocking(reader.counts.totals(HERE)) == {}
    assert run_blocking(reader.counts.account(HERE)) is None
    with pytest.raises(StoreError):
        run_blocking(reader.feedback.keep(HERE, Feedback("b1", "me", "useful", "r1", 1.0)))
    with pytest.raises(StoreError):
        run_blocking(reader.counts.forget(HERE))


def test_a_question_is_asked_and_answered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
    engine = open_engine(folder / "winnow.db")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = engine.sync.retrieve(Utterance("open the garage door", session="s"))
        told = engine.sync.retrieve(Utterance("yes", session="s"))
    assert (type(asked.verdict).__name__, type(told.verdict).__name__) == ("Confirm", "Act")


def test_an_older_store_is_not_brought_up_to_date(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o755)
    (folder / "winnow.db").chmod(0o644)
    with sqlite3.connect(folder / "winnow.db") as db:
        db.execute("UPDATE alembic_version SET version_num = '0000'")
    db.close()
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
    with pytest.raises(StoreError, match="older Winnow") as raised:
        SqlStore.open(folder / "winnow.db", FrozenClock())
    assert "where it can be written" in raised.value.hint


def test_a_log_that_cannot_be_opened_is_not_passed_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process stored last may be in it."""
    opened: list[str] = []

    def refused(path: Path, how: str, wait: float) -> Any:
        opened.append(how)
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(connection, "_opened", refused)
    reading = connection.readable(folder / "winnow.db", 1.0)
    with pytest.raises(OperationalError):
        reading.connect()
    (folder / "winnow.db-wal").write_bytes(bytes(100))
    with pytest.raises(OperationalError):
        reading.connect()
    assert opened == ["mode=ro", "mode=ro&immutable=1", "mode=ro"]


@pytest.fixture
def other(folder: Path) -> Callable[..., Ran]:
    """The program, run by somebody whom the system lets read the folder and nothing else.

    Root may write wherever it likes unless that capability is taken from it.
    """
    as_other: list[str] = []
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("root may write everywhere, and setpriv is not here to change that")
        as_other = [setpriv, "--bounding-set", "-dac_override,-dac_read_search"]
    env = {"WINNOW_HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C.UTF-8"}

    def run(*args: str, said: str = "") -> Ran:
        command = [*as_other, sys.executable, "-m", "winnow", *args]
        return subprocess.run(command, check=False, env=env, capture_output=True, text=True, input=said)

    return run


@pytest.mark.slow
def test_another_user_reads_all_there_is(other: Callable[..., Ran]) -> None:
    assert other("home", "list").stdout.startswith("cottage")
    assert "Sitting Room" in other("home", "show").stdout
    assert "light.turn_on" in other("ask", "turn", "on", "the", "crane").stdout
    assert "devices" in other("intent", "turn on the crane").stdout
    doctor = other("doctor")
    assert (doctor.returncode, "(read-only)" in doctor.stdout) == (0, True)


@pytest.mark.slow
def test_another_user_can_talk_and_is_told_once(other: Callable[..., Ran]) -> None:
    ran = other("chat", said="open the garage door\nyes\nturn on the crane\n")
    assert (ran.returncode, ran.stderr.count("may only be read")) == (0, 1)
    assert "cover.open_cover" in ran.stdout


def test_another_user_imports_nothing(other: Callable[..., Ran]) -> None:
    ran = other("home", "import", "example:home40")
    assert (ran.returncode, "Traceback" in ran.stderr) == (2, False)
    assert "may only be read, so nothing can be stored" in ran.stderr


def test_a_log_left_by_a_writer_is_read_too(folder: Path, other: Callable[..., Ran]) -> None:
    """The owner still has it open: what was stored last is in the log alone."""
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)
    writer = SqlStore.open(folder / "winnow.db", FrozenClock())
    import_path(HERE, "example:home40", writer.storage.homes, "later")
    folder.chmod(0o555)
    assert (folder / "winnow.db-wal").stat().st_size
    assert "later" in other("home", "list").stdout
    writer.close()


def test_a_copy_without_its_log_is_read(folder: Path, other: Callable[..., Ran]) -> None:
    twin = folder.parent / "twin"
    shutil.copytree(folder, twin)
    twin.chmod(0o555)
    assert other("home", "list").returncode == 0
    twin.chmod(0o755)
