"""What a look at a host's table tells: every problem with what may be meant, and what would be better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.unit.adapters.stores.host.conftest import Host, read
from tests.unit.adapters.stores.host.test_messages import plain, row
from tests.unit.adapters.stores.host.test_shapes import talks

from winnow.adapters.stores.host.messages import HostMessages
from winnow.adapters.stores.host.table_inspection import check_table, guess_tables, table_names
from winnow.errors import ConfigError, Phrase, StoreError
from winnow.language.messages import translate_text, translations
from winnow.types.message import HostColumns, HostReport, HostTable


def problems(report: HostReport) -> list[tuple[str, str]]:
    assert all(known_in_chinese(p.message) for p in report.problems)
    return [(p.path, str(p.message)) for p in report.problems]


def advice(report: HostReport) -> list[str]:
    assert all(known_in_chinese(a.text) for a in report.advice)
    return [str(a.text) for a in report.advice]


def known_in_chinese(text: str) -> bool:
    told = text.template if isinstance(text, Phrase) else text
    return told in translations() and translate_text(text, "zh") != text


def odd() -> sa.Table:
    return sa.Table(
        "chat_log",
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Integer),
        sa.Column("userName", sa.String(20)),
        sa.Column("body", sa.Text),
        sa.Column("sent", sa.DateTime),
        sa.Column("is_deleted", sa.Boolean),
        sa.Column("threadId", sa.Integer),
        sa.Column("updatedAt", sa.DateTime),
        sa.Column("org_id", sa.Integer),
    )


def test_every_misfit_is_told_at_once_with_what_may_be_meant(host: Host) -> None:
    host.make(odd())
    mapping = HostColumns(
        user="user_id", content="sent", role="", created_at="sendt", conversation="thread_id"
    )
    table = HostTable(host.url, "chat_log", columns=mapping, timezone="Nowhere/Land")
    report = check_table(table)
    told = dict(problems(report))
    assert sorted(told) == [
        "messages.columns.content",
        "messages.columns.conversation",
        "messages.columns.created_at",
        "messages.columns.user",
        "messages.timezone",
    ]
    assert told["messages.columns.user"] == (
        "there is no column user_id; did you mean uid?"
        " There are id, uid, userName, body, sent, is_deleted, threadId, updatedAt, org_id"
    )
    assert "did you mean threadId?" in told["messages.columns.conversation"]
    assert told["messages.columns.created_at"].startswith("there is no column sendt; there are")
    assert told["messages.columns.content"].startswith("sent is of the type ")
    assert list(report.columns)[:3] == ["id", "uid", "userName"]
    with pytest.raises(ConfigError) as caught:
        read(HostMessages(HostTable(host.url, "chat_log", columns=mapping)), "1")
    assert len(caught.value.problems) == 4


def test_a_table_that_is_not_there(host: Host) -> None:
    host.run("CREATE TABLE passing (id INTEGER)", "DROP TABLE passing")  # else SQLite has no file
    assert problems(check_table(HostTable(host.url))) == [
        ("messages.table", "there is no table messages, and no other")
    ]
    host.make(odd())
    assert problems(check_table(HostTable(host.url, "chatlog"))) == [
        ("messages.table", "there is no table chatlog; did you mean chat_log? There are chat_log")
    ]
    assert problems(check_table(HostTable(host.url, "zzz"))) == [
        ("messages.table", "there is no table zzz; there are chat_log")
    ]


def test_a_url_and_zones_that_are_wrong_are_told_together() -> None:
    report = check_table(HostTable("nonsense", timezone="A/B"))
    assert [path for path, _ in problems(report)] == ["messages.timezone", "messages.url"]


def test_what_would_be_better(host: Host) -> None:
    host.make(odd(), [{"id": 1, "uid": 1, "body": "x"}])
    mapping = HostColumns(user="uid", content="body", role="", created_at="sent")
    report = check_table(HostTable(host.url, "chat_log", columns=mapping))
    assert problems(report) == []
    told = advice(report)
    assert told == [
        "chat_log has no index on uid, sent: every question reads the whole table",
        "is_deleted seems to mark deleted rows, which are found too: map messages.columns.deleted",
        "threadId seems to tell the talk of a row: map messages.columns.conversation",
        "updatedAt seems to tell of edits: messages.columns.edited_at spares reading all contents",
        "org_id seems to tell the tenant, and rows of all are read: map messages.columns.tenant",
        "times of sent carry no zone: set messages.stored_timezone, often UTC",
        "1 of 1 rows have no time in sent that can be read, such as None",
    ]


def test_the_statement_for_a_missing_index_works(host: Host) -> None:
    host.make(odd())
    mapping = HostColumns(
        "id", "uid", "body", "", "sent", "threadId", "updatedAt", "is_deleted", "", "org_id"
    )
    table = HostTable(host.url, "chat_log", columns=mapping, stored_timezone="UTC")
    (only,) = check_table(table).advice
    assert only.sql
    with host.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.exec_driver_sql(only.sql)
    assert check_table(table).advice == ()


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("user_id", "created_at"), 0),
        (("created_at",), 1),
        (("user_id",), 1),
        (("user_id", "created_at", "id"), 0),
    ],
)
def test_an_index_that_begins_as_needed_is_enough(host: Host, names: tuple[str, ...], told: int) -> None:
    table = plain()
    sa.Index("some_index", *(table.c[name] for name in names))
    host.make(table)
    found = advice(check_table(HostTable(host.url, stored_timezone="UTC")))
    assert len(found) == told
    assert all("are sorted" in text for text in found) or names == ("created_at",)


def test_words_that_mean_deleted_are_told(host: Host) -> None:
    states = sa.Column("status", sa.String(20))
    rows = [row(n, status=s) for n, s in enumerate(("sent", "Deleted", "archived", None), 1)]
    host.make(plain(states), rows)
    told = advice(check_table(HostTable(host.url, columns=HostColumns(deleted="status"))))
    assert "of the values of status, these mean deleted: Deleted; these do not: archived, sent" in told
    kept = advice(
        check_table(HostTable(host.url, columns=HostColumns(deleted="status"), deleted_values=("archived",)))
    )
    assert "of the values of status, these mean deleted: Deleted, archived; these do not: sent" in kept


def test_contents_without_a_text(host: Host) -> None:
    host.make(plain(), [row(1, '[{"type": "image"}]'), row(2, " ")])
    assert "none of 2 rows has a text in content" in advice(check_table(HostTable(host.url)))


def test_a_view_is_not_told_to_have_an_index(host: Host) -> None:
    host.make(plain())
    host.run("CREATE VIEW seen AS SELECT * FROM messages")
    assert advice(check_table(HostTable(host.url, "seen", stored_timezone="UTC"))) == []


def test_the_two_indexes_of_a_table_that_is_reached_by_another(host: Host) -> None:
    for table in talks(declared=True):
        host.make(table)
    mapping = HostColumns(user="Conversations.user_id", conversation="conversation_id")
    report = check_table(HostTable(host.url, columns=mapping, stored_timezone="UTC"))
    assert problems(report) == []
    (only,) = advice(report)
    assert "conversation_id, created_at" in only


def test_a_server_that_does_not_answer_is_an_error() -> None:
    with pytest.raises(StoreError):
        check_table(HostTable("postgresql://nobody@127.0.0.1:1/db"))


VECTORS = HostColumns(vector="embedding")


def vectors(empty_postgres: sa.URL, kind: str, *, extension: bool = True) -> Host:
    host = Host(empty_postgres)
    names = "id integer PRIMARY KEY, user_id text, role text, content text, created_at timestamptz"
    if extension:
        host.run("CREATE EXTENSION vector")
    host.run(
        f"CREATE TABLE messages ({names}, embedding {kind})",
        "CREATE INDEX by_user ON messages (user_id, created_at)",
    )
    return host


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("vector(3)", ("vector_search.embedding_dim", "embedding holds vectors of 3 numbers, not of 768")),
        (
            "real[]",
            ("messages.columns.vector", "embedding is of the type _float4; vectors are of vector, halfvec"),
        ),
        ("text", ("messages.columns.vector", "embedding is of the type text, which cannot be that")),
    ],
)
def test_vectors_that_cannot_be_searched(empty_postgres: sa.URL, kind: str, told: tuple[str, str]) -> None:
    host = vectors(empty_postgres, kind)
    assert problems(check_table(HostTable(host.url, columns=VECTORS), dimension=768)) == [told]


def test_a_database_without_pgvector(empty_postgres: sa.URL) -> None:
    host = vectors(empty_postgres, "real[]", extension=False)
    assert (
        "messages.url",
        "pgvector is not installed in this database: CREATE EXTENSION vector",
    ) in problems(check_table(HostTable(host.url, columns=VECTORS)))


def test_what_would_be_better_for_vectors(empty_postgres: sa.URL) -> None:
    host = vectors(empty_postgres, "vector(2)")
    host.run(
        "INSERT INTO messages SELECT n, 'team', 'user', 'x', now(), '[1,2]' FROM generate_series(1, 60000) n",
        "UPDATE messages SET embedding = NULL WHERE id > 59000",
        "ANALYZE messages",
        "UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'",
    )
    report = check_table(HostTable(host.url, columns=VECTORS), dimension=2)
    assert problems(report) == []
    assert advice(report) == [
        "pgvector 0.7.4 knows no iterative scan, so that its indexes are never asked: update it",
        "somebody has about 60000 rows; an HNSW index for the distance cosine would be quicker",
    ]
    assert [a.sql for a in report.advice] == [
        "ALTER EXTENSION vector UPDATE",
        "CREATE INDEX CONCURRENTLY ON messages USING hnsw (embedding vector_cosine_ops)",
    ]


def test_rows_without_a_vector_are_counted(empty_postgres: sa.URL) -> None:
    host = vectors(empty_postgres, "vector(2)")
    host.run("INSERT INTO messages VALUES (1, 'a', '', 'x', now(), '[1,2]'), (2, 'a', '', 'x', now(), NULL)")
    assert advice(check_table(HostTable(host.url, columns=VECTORS))) == [
        "1 of 2 rows have no vector in embedding, and are found by their words alone"
    ]


def named(*names: tuple[str, Any], table: str = "messages") -> sa.Table:
    made = [sa.Column(name, kind, primary_key=not n) for n, (name, kind) in enumerate(names)]
    return sa.Table(table, sa.MetaData(), *made)


def test_the_table_of_messages_is_found_among_others(host: Host) -> None:
    host.make(odd())
    host.make(
        named(("id", sa.Integer), ("username", sa.String(9)), ("created_at", sa.DateTime), table="users")
    )
    host.make(named(("id", sa.Integer), ("total", sa.Integer), table="orders"))
    likely, *others = guess_tables(host.url)
    assert others == []
    assert likely.table.table == "chat_log"
    assert likely.missing == ()
    assert likely.table.columns == HostColumns(
        "id", "uid", "body", "", "sent", "threadId", "updatedAt", "is_deleted", "", "org_id"
    )
    assert check_table(likely.table).problems == ()


def test_the_owner_may_be_that_of_the_conversation(host: Host) -> None:
    for table in talks(declared=True):
        host.make(table)
    likely = guess_tables(host.url)[0]
    assert (likely.table.columns.user, likely.missing) == ("Conversations.user_id", ())
    assert check_table(likely.table).problems == ()


def test_tables_in_partitions_and_views_that_are_kept(empty_postgres: sa.URL) -> None:
    host = Host(empty_postgres)
    host.run(
        "CREATE TABLE messages (id int, user_id text, role text, content text, created_at timestamptz)"
        " PARTITION BY HASH (user_id)",
        "CREATE TABLE piece PARTITION OF messages FOR VALUES WITH (MODULUS 1, REMAINDER 0)",
        "INSERT INTO messages VALUES (1, 'anna', 'user', 'x', now())",
        "CREATE MATERIALIZED VIEW kept AS SELECT * FROM messages",
    )
    (index,) = check_table(HostTable(host.url)).advice
    host.run(index.sql)
    assert check_table(HostTable(host.url)).advice == ()
    assert {"kept", "messages"} <= {likely.table.table for likely in guess_tables(host.url)}
    assert [m.id for m in read(HostMessages(HostTable(host.url, "kept")), "anna")] == ["1"]


def test_what_is_missing_is_named(host: Host) -> None:
    host.make(
        named(("nr", sa.Integer), ("content", sa.Text), ("role", sa.String(9)), ("created", sa.DateTime))
    )
    (likely,) = guess_tables(host.url)
    assert likely.table.columns.id == "nr"
    assert likely.missing == ("user",)


def test_a_status_in_numbers_is_not_taken_for_deleted(host: Host) -> None:
    host.make(plain(sa.Column("status", sa.Integer)))
    assert guess_tables(host.url)[0].table.columns.deleted == ""


def test_nothing_looks_like_messages(host: Host) -> None:
    host.run("CREATE TABLE numbers (id INTEGER, content INTEGER, created_at INTEGER)")
    assert guess_tables(host.url) == ()


def test_a_text_of_no_usual_name_and_a_time_of_no_type_are_meant_where_nothing_else_may_be(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'chat.db'}"
    engine = sa.create_engine(url)
    with engine.begin() as db:
        db.exec_driver_sql(
            "CREATE TABLE chats (msg_id INTEGER PRIMARY KEY, uid TEXT, sender TEXT, said TEXT, ts)"
        )
        db.exec_driver_sql(
            "INSERT INTO chats (uid, sender, said, ts) VALUES ('a', 'user', 'Hens lay less.', 9)"
        )
    engine.dispose()
    (likely,) = guess_tables(url)
    columns = likely.table.columns
    assert (columns.content, columns.created_at, columns.role) == ("said", "ts", "sender")
    assert problems(check_table(likely.table)) == []
    assert table_names(url) == ("chats",)
