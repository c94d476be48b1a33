"""A host's database is only read: nothing in it changes, and nothing could."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.unit.adapters.stores.host.conftest import Host, read
from tests.unit.adapters.stores.host.test_messages import plain, row

from winnow.adapters.stores.host import connection as connect
from winnow.adapters.stores.host.connection import HostDatabase, url_without_secrets, usable_url
from winnow.adapters.stores.host.messages import HostMessages
from winnow.errors import ConfigError, StoreBusy, StoreError
from winnow.ports.services import run_blocking
from winnow.types.message import HostTable
from winnow.types.scope import Scope

READING = re.compile(r"SELECT|WITH|PRAGMA|SHOW|DESCRIBE", re.IGNORECASE)
WRITES = (
    "INSERT INTO messages (id, user_id) VALUES (5, 'x')",
    "UPDATE messages SET content = 'x'",
    "DELETE FROM messages",
    "DROP TABLE messages",
    "CREATE TABLE other (id INTEGER)",
)


@pytest.mark.parametrize("write", WRITES)
def test_whatever_writes_fails(host: Host, write: str) -> None:
    host.make(plain(), [row(1)])
    before = host.dump("messages")
    database = HostDatabase(host.url)
    with pytest.raises(StoreError, match=r"(?i)read.?only"), database.read() as db:
        db.exec_driver_sql(write)
    assert host.dump("messages") == before


def test_nothing_but_reading_is_ever_asked_for(host: Host) -> None:
    host.make(plain(), [row(n) for n in range(1, 30)])
    before = host.dump("messages")
    messages = HostMessages(HostTable(host.url))
    asked: list[str] = []
    sa.event.listen(
        messages.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2].strip())
    )
    assert len(read(messages, "anna", size=10)) == 29
    assert run_blocking(messages.stamp(Scope(user="anna"))).count == 29
    assert asked
    assert [statement for statement in asked if not READING.match(statement)] == []
    assert host.dump("messages") == before


def test_a_file_of_sqlite_is_not_even_made(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(StoreError, match=r"none\.db") as caught:
        read(HostMessages(HostTable(f"sqlite:///{path}")), "anna")
    assert not path.exists()
    assert caught.value.hint


def test_a_file_that_may_only_be_read_is_read(tmp_path: Path) -> None:
    host = Host(sa.URL.create("sqlite", database=str(tmp_path / "host.db")))
    host.make(plain(), [row(1)])
    (tmp_path / "host.db").chmod(0o444)
    assert len(read(HostMessages(HostTable(host.url)), "anna")) == 1
    host.engine.dispose()


def test_rows_that_wait_in_the_log_of_a_file_are_read_while_the_host_writes(tmp_path: Path) -> None:
    host = Host(sa.URL.create("sqlite", database=str(tmp_path / "host.db")))
    host.make(plain(), [row(1)])
    with closing(sqlite3.connect(tmp_path / "host.db")) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("UPDATE messages SET content = 'in the log'")
        writer.commit()
        writer.execute("DELETE FROM messages")
        (found,) = read(HostMessages(HostTable(host.url)), "anna")
    assert found.content == "in the log"


def test_a_file_that_is_locked_may_be_read_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_WAIT", 0.01)
    host = Host(sa.URL.create("sqlite", database=str(tmp_path / "host.db")))
    host.make(plain(), [row(1)])
    with closing(sqlite3.connect(tmp_path / "host.db")) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreBusy) as caught:
            read(HostMessages(HostTable(host.url)), "anna")
    assert caught.value.retryable


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("sqlite+aiosqlite:///a.db", "sqlite+pysqlite:///a.db"),
        ("postgres://u@h/db", "postgresql+psycopg://u@h/db"),
        ("postgresql+asyncpg://u@h/db", "postgresql+psycopg://u@h/db"),
        ("postgresql://u@h/db?sslmode=require", "postgresql+psycopg://u@h/db?sslmode=require"),
        ("mysql+aiomysql://u@h/db", "mysql+pymysql://u@h/db"),
        ("mariadb://u@h/db", "mariadb+pymysql://u@h/db"),
    ],
)
def test_the_hosts_own_url_will_do_whatever_driver_it_names(given: str, used: str) -> None:
    assert str(usable_url(given)) == used


@pytest.mark.parametrize(
    "url",
    [
        "hunter2",
        "",
        "postgresql://u:hunter2@h:port/db",
        "mssql+pyodbc://u:hunter2@h/db",
        "oracle://u:hunter2@h/db",
        "nosuch://u:hunter2@h/db",
        "sqlite://",
        "sqlite:///:memory:",
    ],
)
def test_a_url_that_cannot_be_used_is_told_without_its_password(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        HostDatabase(url)
    assert [p.path for p in caught.value.problems] == ["messages.url"]
    assert "hunter2" not in told(caught.value)


SECRETS = [
    "postgresql://anna:hunter2@127.0.0.1:1/db",
    "postgresql://anna:hunter2@127.0.0.1:1/db?sslpassword=hunter2&connect_timeout=1",
    "postgresql://anna@127.0.0.1:1/db?password=hunter2",
    "postgresql://anna:hunter2@127.0.0.1:1/db?nonsense=1",
    "mysql://anna:hunter2@127.0.0.1:1/db",
    "mysql://anna@127.0.0.1:1/db?password=hunter2",
]


@pytest.mark.parametrize("url", SECRETS)
def test_a_server_that_does_not_answer_is_told_without_the_password(url: str) -> None:
    table = HostTable(url)
    messages = HostMessages(table)
    with pytest.raises(StoreError) as caught:
        read(messages, "anna")
    assert "127.0.0.1" in told(caught.value)
    for text in (told(caught.value), repr(table), repr(messages), url_without_secrets(messages.database.url)):
        assert "hunter2" not in text


def told(error: BaseException | None) -> str:
    """All that an error shows, and those behind it."""
    if error is None:
        return ""
    hint = getattr(error, "hint", "")
    return f"{error!r} {error} {hint} {told(error.__cause__)} {told(error.__context__)}"


def test_a_table_that_is_gone_later_is_an_error_of_ours(host: Host) -> None:
    host.make(plain(), [row(1)])
    messages = HostMessages(HostTable(host.url))
    assert len(read(messages, "anna")) == 1
    host.run("DROP TABLE messages")
    with pytest.raises(StoreError, match="messages"):
        read(messages, "anna")


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(StoreError) as caught:
        HostDatabase("postgresql://u:hunter2@h/db")
    assert ".[postgres]" in caught.value.hint
    assert "hunter2" not in told(caught.value)
