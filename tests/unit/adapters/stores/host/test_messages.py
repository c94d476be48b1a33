"""What a host's table answers: order, size, deletions, tenants, and whether anything changed."""

from __future__ import annotations

import asyncio
import gc
import json
import tracemalloc
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from tests.unit.adapters.stores.host.conftest import Host, read, wall

from winnow.adapters.stores.host.messages import HostMessages
from winnow.adapters.stores.host.table_inspection import check_table
from winnow.errors import ConfigError, StoreError
from winnow.ports.services import run_blocking
from winnow.types.message import HistoryVersion, HostColumns, HostTable, Message
from winnow.types.scope import Scope

DAY = wall("2024-05-01T09:00")
ANNA = Scope(user="anna")


def plain(*more: sa.Column[Any], user: Any = None) -> sa.Table:
    return sa.Table(
        "messages",
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", user or sa.String(64)),
        sa.Column("role", sa.String(20)),
        sa.Column("content", sa.Text),
        sa.Column("created_at", sa.DateTime),
        *more,
    )


def row(number: int, content: str = "", user: object = "anna", **more: object) -> dict[str, Any]:
    told = {"id": number, "user_id": user, "role": "user", "content": content or f"text {number}"}
    return {**told, "created_at": DAY + timedelta(minutes=number), **more}


def filled(
    host: Host, rows: Sequence[Mapping[str, Any]], *more: sa.Column[Any], **mapping: str
) -> HostMessages:
    host.make(plain(*more), rows)
    return HostMessages(HostTable(host.url, columns=HostColumns(**mapping)))


def test_all_messages_come_oldest_first_and_a_page_at_a_time(host: Host) -> None:
    at_once = [row(n, created_at=DAY + timedelta(minutes=n // 3)) for n in range(1, 26)]
    messages = filled(host, at_once[::-1])

    async def pages() -> list[Sequence[Message]]:
        return [page async for page in messages.stream(ANNA, 10)]

    found = asyncio.run(pages())
    assert [len(page) for page in found] == [10, 10, 5]
    assert [int(m.id) for page in found for m in page] == list(range(1, 26))


def test_no_more_than_a_page_is_held(host: Host) -> None:
    """Of ten megabytes, neither here nor in the driver, whose memory is not seen: so its cursor is asked."""
    host.make(plain())
    long = [row(n, f"{n} " + "so much was said " * 100) for n in range(1, 6001)]
    with host.engine.begin() as db:
        db.execute(sa.insert(plain()), long)
    del long
    messages = HostMessages(HostTable(host.url))

    async def counted() -> int:
        return sum([len(page) async for page in messages.stream(ANNA, 100)])

    cursors: list[str] = []
    sa.event.listen(
        messages.database.engine,
        "after_cursor_execute",
        lambda _db, cursor, *_: cursors.append(type(cursor).__name__),
    )
    tracemalloc.start()
    try:
        assert asyncio.run(counted()) == 6000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert cursors[-1] == {"sqlite": "Cursor", "postgresql": "ServerCursor", "mysql": "SSCursor"}[host.kind]


def test_without_a_loop_it_is_read_at_once(host: Host) -> None:
    messages = filled(host, [row(1)])

    async def first() -> Message:
        return [m async for page in messages.stream(ANNA) for m in page].pop()

    assert run_blocking(first()).content == "text 1"


@pytest.mark.slow
def test_who_stops_early_holds_no_connection(host: Host) -> None:
    messages = filled(host, [row(n) for n in range(1, 51)])

    async def some() -> None:
        async for _ in messages.stream(ANNA, 5):
            break
        stream = messages.stream(ANNA, 5)
        await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(some())
    gc.collect()
    assert messages.database.busy == 0


def test_a_person_without_messages_and_nobody_at_all(host: Host) -> None:
    messages = filled(host, [row(1), row(2, user="")])
    for user in ("", "bert"):
        assert read(messages, user) == []
        assert run_blocking(messages.stamp(Scope(user=user))).count == 0


def test_only_what_was_said_by_somebody_who_counts_is_a_message(host: Host) -> None:
    rows = [
        row(1, role="system"),
        row(2, role="Human"),
        row(3, role="bot"),
        row(4, role=None),
        row(5, role="tool"),
        row(6, role="Mia"),
        row(7, "   "),
    ]
    assert [m.role for m in read(filled(host, rows), "anna")] == ["user", "assistant", "user", "Mia"]


def test_the_mapping_names_roles_and_those_that_do_not_count(host: Host) -> None:
    host.make(plain(), [row(1, role="0"), row(2, role="1"), row(3, role="9")])
    table = HostTable(host.url, roles={"0": "user", "1": "assistant"}, skip_roles=("9",))
    assert [m.role for m in read(HostMessages(table), "anna")] == ["user", "assistant"]


DELETED: list[tuple[Any, object, object]] = [
    (sa.Boolean, True, False),
    (sa.Boolean, True, None),
    (sa.SmallInteger, 1, 0),
    (sa.DateTime, DAY, None),
    (sa.BigInteger, 1_714_555_800_000, 0),
    (sa.String(30), "deleted", "active"),
    (sa.String(30), "Recalled ", ""),
    (sa.String(30), "2024-05-01T09:00:00Z", None),
    (sa.String(30), "true", "false"),
    (sa.String(30), "gone fishing", "sent"),
    (sa.String(30), "已撤回", "正常"),
    (sa.Enum("sent", "removed", name="state"), "removed", "sent"),
]


@pytest.mark.parametrize(("kind", "gone", "there"), DELETED)
def test_deleted_rows_are_left_out(host: Host, kind: Any, gone: object, there: object) -> None:
    rows = [row(1, state=gone), row(2, state=there)]
    host.make(plain(sa.Column("state", kind)), rows)
    table = HostTable(host.url, columns=HostColumns(deleted="state"), deleted_values=("Gone fishing",))
    messages = HostMessages(table)
    assert [m.id for m in read(messages, "anna")] == ["2"]
    assert run_blocking(messages.stamp(ANNA)).count == 1


IDS: list[tuple[Any, str, object, list[str]]] = [
    (sa.Integer, "7", 7, ["07", "7.0", " 7", "٧", "7 ", "+7", "7e0", "7abc", str(1 << 70), "-7"]),
    (sa.BigInteger, "-12", -12, ["12", "--12"]),
    (sa.Numeric(20, 0), "7", 7, ["07", "x"]),
    (sa.Uuid, str(UUID(int=5)), UUID(int=5), ["5", "{" + str(UUID(int=5)) + "}", str(UUID(int=6))]),
    (sa.LargeBinary(16), str(UUID(int=5)), UUID(int=5).bytes, ["5", "\x05", str(UUID(int=6))]),
    (sa.String(20), "007", "007", ["7", "0007", "007 "]),
    (sa.String(20), "小安", "小安", ["小", "小安 "]),
    (sa.CHAR(10), "anna", "anna", ["ann", "ANNA"]),
]


@pytest.mark.parametrize(("kind", "user", "stored", "others"), IDS)
def test_an_id_of_any_type_is_exactly_one_person(
    host: Host, kind: Any, user: str, stored: object, others: list[str]
) -> None:
    host.make(plain(user=kind), [row(1, user=stored)])
    messages = HostMessages(HostTable(host.url))
    assert [m.id for m in read(messages, user)] == ["1"]
    assert [other for other in others if read(messages, other)] == []


def test_a_collation_that_knows_no_case_is_not_believed(host: Host) -> None:
    collation = {"sqlite": "NOCASE", "mysql": "utf8mb4_general_ci"}.get(host.kind)
    if collation is None:
        pytest.skip("this build of PostgreSQL has none of those")
    host.make(plain(user=sa.String(64, collation)), [row(1)])
    messages = HostMessages(HostTable(host.url))
    assert [user for user in ("anna", "ANNA", "ánna") if read(messages, user)] == ["anna"]


def test_a_table_of_several_tenants_is_asked_for_one(host: Host) -> None:
    rows = [row(1, org="red"), row(2, org="blue"), row(3, org=None)]
    messages = filled(host, rows, sa.Column("org", sa.String(20)), tenant="org")
    assert [m.id for m in read(messages, "anna", tenant="red")] == ["1"]
    assert read(messages, "anna", tenant="RED") == []
    assert read(messages, "anna", tenant="default") == []


def test_a_table_that_knows_no_tenants_belongs_to_the_default_one(host: Host) -> None:
    messages = filled(host, [row(1)])
    assert len(read(messages, "anna")) == 1
    with pytest.raises(StoreError, match="which tenant"):
        read(messages, "anna", tenant="red")


CHANGES = {
    "a new row": "INSERT INTO messages (id, user_id, role, content, created_at)"
    " VALUES (9, 'anna', 'user', 'new', '2020-01-01 00:00:00')",
    "one row less": "DELETE FROM messages WHERE id = 2",
    "an edit of the same length": "UPDATE messages SET content = 'TEXT 2' WHERE id = 2",
    "two contents exchanged": "UPDATE messages SET content ="
    " CASE id WHEN 1 THEN 'text 2' WHEN 2 THEN 'text 1' ELSE content END",
    "another id": "UPDATE messages SET id = 20 WHERE id = 2",
    "another person's": "UPDATE messages SET user_id = 'bert' WHERE id = 3",
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_stamp_tells_that_something_changed(host: Host, change: str) -> None:
    messages = filled(host, [row(1), row(2), row(3)])
    before = run_blocking(messages.stamp(ANNA))
    assert run_blocking(messages.stamp(ANNA)) == before
    host.run(CHANGES[change])
    assert run_blocking(messages.stamp(ANNA)) != before


def test_other_persons_leave_the_stamp_alone(host: Host) -> None:
    messages = filled(host, [row(1), row(2, user="bert")])
    before = run_blocking(messages.stamp(ANNA))
    host.run("UPDATE messages SET content = 'other' WHERE user_id = 'bert'")
    assert run_blocking(messages.stamp(ANNA)) == before


def test_where_edits_have_a_time_the_stamp_reads_no_contents(host: Host) -> None:
    edited = sa.Column("updated_at", sa.DateTime)
    messages = filled(host, [row(1, updated_at=DAY), row(2, updated_at=DAY)], edited, edited_at="updated_at")
    before = run_blocking(messages.stamp(ANNA))
    host.run("UPDATE messages SET content = 'unseen' WHERE id = 2")
    assert run_blocking(messages.stamp(ANNA)) == before
    host.run("UPDATE messages SET updated_at = '2024-07-01 10:00:00' WHERE id = 2")
    assert run_blocking(messages.stamp(ANNA)) != before
    assert "content" not in str(messages.rows.stamp)


def test_an_empty_history_has_a_stamp_too(host: Host) -> None:
    assert run_blocking(filled(host, []).stamp(ANNA)) == run_blocking(filled_again(host).stamp(ANNA))


def filled_again(host: Host) -> HostMessages:
    return HostMessages(HostTable(host.url))


def test_a_view_is_as_good_as_a_table(host: Host) -> None:
    host.make(plain(), [row(1, "seen")])
    host.run("CREATE VIEW talks AS SELECT id, user_id AS who, content, created_at FROM messages")
    mapping = HostColumns(user="who", role="")
    assert [m.content for m in read(HostMessages(HostTable(host.url, "talks", columns=mapping)), "anna")] == [
        "seen"
    ]


def test_a_table_in_a_schema_of_its_own(host: Host) -> None:
    if host.kind != "postgresql":
        pytest.skip("has no schemas within a database")
    host.run('CREATE SCHEMA "Chat App"')
    table = plain()
    table.schema = "Chat App"
    host.make(table, [row(1, "in there")])
    found = read(HostMessages(HostTable(host.url, schema="Chat App")), "anna")
    assert [m.content for m in found] == ["in there"]
    with pytest.raises(ConfigError, match="no table messages"):
        read(HostMessages(HostTable(host.url)), "anna")


def test_times_with_a_zone_come_as_the_persons_clock(host: Host) -> None:
    table = plain()
    table.c.created_at.type = sa.DateTime(timezone=True)
    host.make(table, [row(1, created_at=datetime(2024, 5, 1, 20, 0, tzinfo=UTC))])
    zones = {"stored_timezone": "UTC"} if host.kind != "postgresql" else {}
    messages = HostMessages(HostTable(host.url, timezone="Asia/Shanghai", **zones))
    assert read(messages, "anna")[0].at == wall("2024-05-02T04:00")


def test_a_stamp_of_nobody_asks_nothing() -> None:
    messages = HostMessages(HostTable("sqlite:///nowhere/at/all.db"))
    assert run_blocking(messages.stamp(Scope())) == HistoryVersion(0)


def test_whose_rows_there_are_is_told_of_one_tenant_without_those_deleted(host: Host) -> None:
    columns = (sa.Column("org", sa.String(20)), sa.Column("gone", sa.Integer))
    rows = [
        row(1, user="bert", org="red", gone=0),
        row(2, user="anna", org="red", gone=0),
        row(3, user="anna", org="red", gone=0),
        row(4, user="anna", org="red", gone=1),
        row(5, user="carl", org="blue", gone=0),
        row(6, user="dora", org="red", gone=1),
    ]
    messages = filled(host, rows, *columns, tenant="org", deleted="gone")
    assert run_blocking(messages.users(Scope("red"))) == {"anna": 2, "bert": 1}
    assert run_blocking(messages.users(Scope("nobody"))) == {}


def test_users_are_named_as_they_are_asked_for(host: Host) -> None:
    messages = filled(host, [{**row(1), "user_id": 7}, {**row(2), "user_id": 40}])
    host_users = run_blocking(messages.users(Scope()))
    assert host_users == {"40": 1, "7": 1}
    assert all(read(messages, user) for user in host_users)


def users(messages: HostMessages, tenant: str = "default") -> dict[str, int]:
    return dict(run_blocking(messages.users(Scope(tenant))))


def test_the_users_of_a_table_and_their_rows_are_told_apart(host: Host) -> None:
    careless = sa.String(64).with_variant(sa.String(64, "NOCASE"), "sqlite")
    rows = [row(n, user=u) for n, u in enumerate(("anna", "ANNA", "anna", "anna ", None), 1)]
    host.make(plain(user=careless), rows)
    assert users(HostMessages(HostTable(host.url))) == {"ANNA": 1, "anna": 2, "anna ": 1}


@pytest.mark.parametrize(("kind", "user", "stored"), [one[:3] for one in IDS])
def test_every_user_that_is_told_can_be_read(host: Host, kind: Any, user: str, stored: object) -> None:
    host.make(plain(user=kind), [row(1, user=stored)])
    messages = HostMessages(HostTable(host.url))
    ((told, count),) = users(messages).items()
    assert (told.replace("-", ""), count) == (user.replace("-", ""), 1)
    assert len(read(messages, told)) == 1


def test_deleted_rows_and_other_tenants_are_not_counted(host: Host) -> None:
    more = (sa.Column("org", sa.String(20)), sa.Column("gone", sa.Boolean))
    rows = [row(1, org="red", gone=False), row(2, org="red", gone=True), row(3, org="blue", gone=False)]
    messages = filled(host, rows, *more, tenant="org", deleted="gone")
    assert users(messages, "red") == {"anna": 1}
    assert users(messages, "\0") == {}


def test_a_table_without_times_is_read_by_its_ids(host: Host) -> None:
    """As a well-known library keeps its histories: a session, and a message in JSON that tells its role."""
    table = sa.Table(
        "message_store",
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("session_id", sa.String(40)),
        sa.Column("message", sa.Text),
    )
    kinds = ("human", "ai", "system", "human")
    rows = [
        {"id": n, "session_id": "s1", "message": json.dumps({"type": k, "data": {"content": f"{k} {n}"}})}
        for n, k in enumerate(kinds, 1)
    ]
    host.make(table, rows[::-1])
    mapping = HostColumns("id", "session_id", "message", "", "")
    host_table = HostTable(host.url, "message_store", columns=mapping)
    messages = HostMessages(host_table)
    assert read(messages, "s1") == [
        Message("1", "user", "human 1"),
        Message("2", "assistant", "ai 2"),
        Message("4", "user", "human 4"),
    ]
    before = run_blocking(messages.stamp(Scope(user="s1")))
    host.run("DELETE FROM message_store WHERE id = 1")
    assert run_blocking(messages.stamp(Scope(user="s1"))) != before
    (index,) = check_table(host_table).advice
    assert str(index.text).startswith("message_store has no index on session_id:")


def test_a_file_that_nobody_wrote_to_is_not_read_for_its_stamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(sa.URL.create("sqlite", database=str(tmp_path / "host.db")))
    host.run(
        "CREATE TABLE messages (id INTEGER, user_id TEXT, role TEXT, content TEXT, created_at TEXT)",
        "INSERT INTO messages VALUES (1, 'nina', 'user', 'tea', NULL), (2, 'otto', 'user', 'x', NULL)",
    )
    messages, looked = HostMessages(HostTable(host.url)), list[object]()
    asked = messages._stamp_of

    def counted(db: sa.Connection, whose: Mapping[str, Any]) -> HistoryVersion:
        looked.append(whose)
        return asked(db, whose)

    monkeypatch.setattr(messages, "_stamp_of", counted)
    nina, otto = Scope(user="nina"), Scope(user="otto")
    first = [run_blocking(messages.stamp(scope)) for scope in (nina, otto, nina, otto, nina)]
    assert (len(looked), len(set(first))) == (2, 2)
    host.run("UPDATE messages SET content = 'pea' WHERE id = 1")
    assert run_blocking(messages.stamp(nina)) != first[0]
    assert run_blocking(messages.stamp(otto)) == first[1]


def test_types_of_postgresql_that_others_lack(empty_postgres: sa.URL) -> None:
    host = Host(empty_postgres)
    host.run(
        "CREATE DOMAIN person AS text",
        "CREATE TYPE name AS ENUM ('anna', 'bert')",
        "CREATE TABLE by_domain (id int, user_id person, role text, content jsonb, created_at timestamptz)",
        "CREATE TABLE by_enum (id int, user_id name, role text, content bytea, created_at timestamp)",
        "INSERT INTO by_domain VALUES (1, 'anna', '', '\"said\"', '-infinity'), (2, 'anna', '', '{}', now()),"
        " (3, 'bert', '', '{\"text\": \"said\"}', 'infinity'), (4, 'anna', '', '[\"more\"]', '0044-3-15 BC')",
        "INSERT INTO by_enum VALUES (1, 'anna', '', 'said', '2024-05-01'), (2, 'bert', '', 'x', 'infinity')",
    )
    domain, enum = (HostMessages(HostTable(host.url, name)) for name in ("by_domain", "by_enum"))
    assert read(domain, "anna") == [Message("1", "user", "said"), Message("4", "user", "more")]
    assert read(domain, "bert") == [Message("3", "user", "said")]
    assert read(enum, "anna") == [Message("1", "user", "said", wall("2024-05-01"))]
    assert run_blocking(enum.stamp(Scope(user="bert"))).count == 1
    assert [read(one, user) for one in (domain, enum) for user in ("ANNA", "x")] == [[]] * 4
    assert check_table(domain.table).problems == ()


ENCODED = ["latin1", "utf8mb3", "ascii", "gbk", "utf8mb4", "utf8mb4 COLLATE utf8mb4_unicode_ci"]


@pytest.mark.parametrize(
    "charset", [*ENCODED, "utf8mb4 COLLATE utf8mb4_bin", "latin1 COLLATE latin1_german1_ci"]
)
def test_a_column_of_another_encoding_in_mysql(mysql: sa.URL, charset: str) -> None:
    host = Host(mysql)
    host.run(
        "CREATE TABLE messages (id INT PRIMARY KEY, user_id VARCHAR(20), role TEXT, content TEXT,"
        f" created_at DATETIME, KEY by_user (user_id)) CHARACTER SET {charset}",
        "INSERT INTO messages VALUES (1, 'anna', 'user', 'x', now()), (2, '?', 'user', 'x', now())",
    )
    messages = HostMessages(HostTable(host.url))
    assert [m.id for m in read(messages, "anna")] == ["1"]
    assert [user for user in ("小安", "🙂", "ánna", "Ａnna", "ß") if read(messages, user)] == []
    with messages.database.read() as db:
        asked = messages.rows.messages().compile(db, compile_kwargs={"render_postcompile": True})
        (plan, *_) = db.exec_driver_sql(f"EXPLAIN {asked}", {"user": "anna"}).mappings()
    assert plan["possible_keys"] == "by_user"
    host.engine.dispose()
