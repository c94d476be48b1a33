"""Three tables as applications have them: each is read by its mapping alone, on every kind of database."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
import sqlalchemy as sa
from tests.unit.adapters.stores.host.conftest import Host, read, wall

from winnow.adapters.stores.host.messages import HostMessages
from winnow.errors import ConfigError
from winnow.ports.services import run_blocking
from winnow.types.message import HostColumns, HostTable, Message
from winnow.types.scope import Scope

ANNA, BERT = UUID("11111111-1111-4111-8111-111111111111"), UUID("22222222-2222-4222-8222-222222222222")
CHANNEL = UUID("33333333-3333-4333-8333-333333333333")


def key(number: int) -> UUID:
    return UUID(int=number, version=4)


def chat() -> sa.Table:
    """Who wrote what in which channel, at which thousandth of a second."""
    return sa.Table(
        "im_message",
        sa.MetaData(),
        sa.Column("msg_uuid", sa.Uuid, primary_key=True),
        sa.Column("channel_id", sa.Uuid, nullable=False),
        sa.Column("sender_id", sa.Uuid, nullable=False),
        sa.Column("body", sa.Text),
        sa.Column("sent_at_ms", sa.BigInteger, nullable=False),
        sa.Index("by_sender", "sender_id", "sent_at_ms"),
    )


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def test_a_chat_applications_table(host: Host) -> None:
    said = [
        (2, ANNA, "The plumber comes on Friday", at("2024-05-02T22:30:00")),
        (1, ANNA, "早上好，水管又漏了", at("2024-05-02T01:00:00.250")),
        (3, BERT, "Somebody else's words", at("2024-05-02T10:00:00")),
        (4, ANNA, None, at("2024-05-03T10:00:00")),
    ]
    names = ("msg_uuid", "sender_id", "body", "sent_at_ms")
    rows = [dict(zip(names, (key(n), *rest), strict=True)) | {"channel_id": CHANNEL} for n, *rest in said]
    host.make(chat(), rows)
    mapping = HostColumns("msg_uuid", "sender_id", "body", "", "sent_at_ms", conversation="channel_id")
    messages = HostMessages(HostTable(host.url, "im_message", columns=mapping, timezone="Asia/Shanghai"))
    first, second = read(messages, str(ANNA))
    assert first.content == "早上好，水管又漏了"
    assert (first.role, UUID(first.conversation), UUID(first.id)) == ("user", CHANNEL, key(1))
    assert (first.at, second.at) == (
        wall("2024-05-02T09:00:00.250"),
        wall("2024-05-03T06:30"),
    )
    assert [m.content for m in read(messages, str(BERT))] == ["Somebody else's words"]


def assistant() -> sa.Table:
    """Turns of people and of an assistant that calls tools, their contents in JSON."""
    return sa.Table(
        "chat_turns",
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("thread", sa.String(40), nullable=False),
        sa.Column("speaker", sa.String(20), nullable=False),
        sa.Column("parts", sa.JSON, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )


TURNS = [
    (
        "human",
        [{"type": "text", "text": "Which tyres fit my bicycle?"}, {"type": "image_url", "image_url": {}}],
    ),
    ("ai", [{"type": "tool_use", "id": "t1", "name": "lookup", "input": {"q": "tyres"}}]),
    ("tool", [{"type": "tool_result", "content": [{"type": "text", "text": "28-622"}]}]),
    ("ai", [{"type": "thinking", "thinking": "size?"}, {"type": "text", "text": "28-622 ones."}]),
    ("human", {"text": "谢谢"}),
    ("ai", {"content_type": "text", "parts": ["不客气", "路上小心"]}),
]


def test_an_assistants_table_with_parts_and_tool_calls(host: Host) -> None:
    when = datetime(2024, 3, 1, 8, 0, tzinfo=UTC)
    rows = [
        {"owner": 7, "thread": "th_1", "speaker": role, "parts": parts, "created": when.replace(minute=n)}
        for n, (role, parts) in enumerate(TURNS)
    ]
    host.make(assistant(), [*rows, rows[0] | {"owner": 70}])
    mapping = HostColumns("id", "owner", "parts", "speaker", "created", conversation="thread")
    found = read(HostMessages(HostTable(host.url, "chat_turns", columns=mapping)), "7")
    assert [(m.role, m.content) for m in found] == [
        ("user", "Which tyres fit my bicycle?"),
        ("assistant", "28-622 ones."),
        ("user", "谢谢"),
        ("assistant", "不客气\n路上小心"),
    ]
    assert found[0] == Message("1", "user", found[0].content, wall("2024-03-01T08:00"), "th_1")


def forum() -> sa.Table:
    """Soft deletes, edits, and names that are words of SQL, or none at all."""
    return sa.Table(
        "order",
        sa.MetaData(),
        sa.Column("select", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("from", sa.String(64), nullable=False),
        sa.Column('what is "said" 100%', sa.Text, nullable=False),
        sa.Column("when", sa.DateTime, nullable=False),
        sa.Column("Edited:At", sa.DateTime),
        sa.Column("deleted_at", sa.DateTime),
    )


FORUM = HostColumns(
    "select", "from", 'what is "said" 100%', "", "when", edited_at="Edited:At", deleted="deleted_at"
)


def test_a_table_with_soft_deletes_edits_and_words_of_sql_for_names(host: Host) -> None:
    day = wall("2024-06-01T12:00")
    said, gone, edited = FORUM.content, FORUM.deleted, FORUM.edited_at
    rows = [
        {"select": 1, "from": "anna", said: "was there", "when": day, gone: day, edited: None},
        {"select": 2, "from": "anna", said: "is there, edited", "when": day, gone: None, edited: day},
        {"select": 3, "from": "bert", said: "is another's", "when": day, gone: None, edited: None},
    ]
    host.make(forum(), rows)
    messages = HostMessages(HostTable(host.url, "order", columns=FORUM))
    assert read(messages, "anna") == [Message("2", "user", "is there, edited", day)]


@pytest.mark.parametrize("wrong", ["anna ", "ANNA", "anná", "a%", "' OR 1=1 --", "", "anna\0", "\ud800"])
def test_nobody_elses_id_reaches_them(host: Host, wrong: str) -> None:
    row = {"select": 1, "from": "anna", FORUM.content: "hers", "when": wall("2024-06-01")}
    host.make(forum(), [row])
    messages = HostMessages(HostTable(host.url, "order", columns=FORUM))
    assert read(messages, wrong) == []
    assert len(read(messages, "anna")) == 1


def talks(declared: bool) -> tuple[sa.Table, sa.Table]:
    """Messages of conversations, which alone say whose they are."""
    metadata = sa.MetaData()
    conversations = sa.Table(
        "Conversations",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.String(40), index=True),
        sa.Column("created_at", sa.DateTime),
    )
    refers = (sa.ForeignKey(conversations.c.id),) if declared else ()
    messages = sa.Table(
        "messages",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("conversation_id", sa.Integer, *refers),
        sa.Column("role", sa.String(20)),
        sa.Column("content", sa.Text),
        sa.Column("created_at", sa.DateTime),
    )
    return conversations, messages


@pytest.mark.parametrize("declared", [True, False])
def test_messages_whose_conversation_alone_says_whose_they_are(host: Host, declared: bool) -> None:
    conversations, messages = talks(declared)
    day = wall("2024-06-01T12:00")
    host.make(conversations, [{"id": n, "user_id": u} for n, u in ((1, "anna"), (2, "bert"), (3, "anna"))])
    rows = [(1, 2), (2, 1), (3, 3), (4, 1)]
    host.make(
        messages,
        [
            {"id": n, "conversation_id": talk, "role": "user", "content": f"{n} in {talk}", "created_at": day}
            for n, talk in rows
        ],
    )
    mapping = HostColumns(user="Conversations.user_id", conversation="" if declared else "conversation_id")
    reader = HostMessages(HostTable(host.url, columns=mapping))
    assert [m.content for m in read(reader, "anna")] == ["2 in 1", "3 in 3", "4 in 1"]
    assert [m.content for m in read(reader, "bert")] == ["1 in 2"]
    assert read(reader, "ANNA") == []


def test_a_conversation_that_nothing_leads_to(host: Host) -> None:
    for table in talks(declared=False):
        host.make(table)
    reader = HostMessages(HostTable(host.url, columns=HostColumns(user="Conversations.user_id")))
    with pytest.raises(ConfigError, match=r"no foreign key leads from messages to Conversations"):
        read(reader, "anna")


def test_users_are_counted_by_way_of_their_conversations(host: Host) -> None:
    conversations, messages = talks(declared=True)
    host.make(conversations, [{"id": n, "user_id": u} for n, u in ((1, "anna"), (2, "bert"), (3, "anna"))])
    host.make(messages, [{"id": n, "conversation_id": talk} for n, talk in ((1, 2), (2, 1), (3, 3), (4, 1))])
    reader = HostMessages(HostTable(host.url, columns=HostColumns(user="Conversations.user_id")))
    assert run_blocking(reader.users(Scope())) == {"anna": 3, "bert": 1}
