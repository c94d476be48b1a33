"""Files of messages as applications write them, read whatever their form and size."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import MessagesUnread
from winnow.language.clocks import Clocks
from winnow.ports.services import run_blocking
from winnow.ports.stores import MessageStore
from winnow.retrieve.history import export_formats as reading
from winnow.retrieve.history.export_formats import JsonValue, json_values
from winnow.retrieve.history.ingest import import_messages, read_export
from winnow.types.document import MessagesReport
from winnow.types.home import Note
from winnow.types.message import Message
from winnow.types.scope import Scope

IDA = Scope(user="ida")
HI = {"role": "user", "content": "The spare key is under the blue pot."}
ANSWER = {"role": "assistant", "content": "Noted, under the blue pot."}


def read(data: object, *, raw: bool = False) -> tuple[list[Message], list[Note]]:
    """What stands in a file of that JSON, or of that text."""
    text = data if raw else json.dumps(data, ensure_ascii=False)
    found = list(read_export(io.BytesIO(str(text).encode()), Clocks()))
    return [f for f in found if isinstance(f, Message)], [f for f in found if isinstance(f, Note)]


def lines(*values: object) -> str:
    return "\n".join(v if isinstance(v, str) else json.dumps(v) for v in values)


def said(messages: list[Message]) -> list[tuple[str, str]]:
    return [(m.role, m.content) for m in messages]


BOTH = [(HI["role"], HI["content"]), (ANSWER["role"], ANSWER["content"])]


@pytest.mark.parametrize(
    "text",
    [
        lines(HI, ANSWER),
        f"\ufeff\n\n{lines(HI, ANSWER)}\n\n",
        json.dumps([HI, ANSWER]),
        json.dumps([HI, ANSWER], indent=2),
        lines([HI, ANSWER]),
        json.dumps({"model": "m", "messages": [HI, ANSWER]}),
        json.dumps({"model": "m", "messages": [HI, ANSWER]}, indent=2),
        json.dumps([{"messages": [HI, ANSWER]}]),
        lines({"custom_id": "1", "body": {"messages": [HI, ANSWER]}}),
        lines({"from": "human", "value": HI["content"]}, {"from": "gpt", "value": ANSWER["content"]}),
        lines({**HI, "author": "x"}, {"author": {"role": "assistant"}, "text": ANSWER["content"]}),
    ],
)
def test_the_form_of_a_file_is_told_by_what_stands_in_it(text: str) -> None:
    messages, notes = read(text, raw=True)
    assert said(messages) == BOTH
    assert notes == []


@pytest.mark.parametrize(
    ("content", "text", "left"),
    [
        ("  plain ", "plain", ""),
        (["one", "two"], "one\ntwo", ""),
        (
            [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {"url": "u"}}],
            "one",
            "image_url",
        ),
        ([{"type": "input_text", "text": "one"}, {"type": "output_text", "text": "two"}], "one\ntwo", ""),
        (
            {"content_type": "text", "parts": ["one", {"content_type": "image_asset_pointer"}]},
            "one",
            "image_asset_pointer",
        ),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "audio"}, "one"]}, "one", "audio"),
        ([{"type": "tool_result", "content": "42"}, {"text": "one"}], "one", "tool_result"),
    ],
)
def test_of_parts_the_text_is_kept_and_the_rest_is_noted(content: Any, text: str, left: str) -> None:
    (message,), notes = read([{"role": "user", "content": content}])
    assert message.content == text
    assert [(n.code, n.detail) for n in notes] == ([("parts_left", left)] if left else [])


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("{oops", "bad_json"),
        ("[" * 100_000, "bad_json"),
        ({"content": "who?"}, "no_role"),
        ({"role": "system", "content": "Be brief."}, "not_said"),
        ({"role": "tool", "content": "42"}, "not_said"),
        ({"role": "assistant", "content": None, "tool_calls": []}, "no_text"),
        ({"role": "user", "content": [{"type": "image_url"}]}, "no_text"),
        ("17", "not_message"),
        ('"words"', "not_message"),
        ({**HI, "created_at": "soon"}, "no_moment"),
    ],
)
def test_whatever_is_left_out_is_noted_with_its_line_and_the_rest_is_kept(value: object, code: str) -> None:
    messages, notes = read(lines(HI, value, "", ANSWER), raw=True)
    assert {(BOTH[0]), (BOTH[1])} <= set(said(messages))
    assert [(n.code, n.id) for n in notes] == [(code, "2")]


def test_a_line_in_another_encoding_is_noted_and_the_rest_is_kept() -> None:
    data = (
        lines(HI).encode()
        + b"\n"
        + '{"role": "user", "content": "你好"}'.encode("gbk")
        + b"\n"
        + lines(ANSWER).encode()
    )
    found = list(read_export(io.BytesIO(data), Clocks()))
    assert [f.id if isinstance(f, Note) else f.content for f in found] == [
        HI["content"],
        "2",
        ANSWER["content"],
    ]


@pytest.mark.parametrize("end", ['{"role": "us', '{"role" "user"}]', "", '{"a": "\\ud8'])
def test_of_a_list_that_breaks_off_all_before_is_kept(end: str) -> None:
    messages, notes = read(f"[\n{lines(HI)},\n{lines(ANSWER)},\n{end}", raw=True)
    assert said(messages) == BOTH
    assert [(n.code, n.id) for n in notes] == ([("broken_off", "4")] if end else [])


@pytest.mark.parametrize(
    ("told", "at"),
    [
        ("2026-03-01T09:30:00+08:00", "2026-03-01T01:30:00"),
        ("2026-03-01 09:30", "2026-03-01T09:30:00"),
        (1772328600, "2026-03-01T01:30:00"),
        (1772328600000, "2026-03-01T01:30:00"),
    ],
)
@pytest.mark.parametrize("field", ["created_at", "at", "timestamp", "create_time"])
def test_times_are_read_as_the_clock_on_the_wall_shows_them(field: str, told: object, at: str) -> None:
    (message,), _ = read([{**HI, field: told}])
    assert message.at is not None
    assert message.at.isoformat() == at


def test_what_a_message_tells_of_itself_is_kept() -> None:
    (message,), _ = read([{**HI, "id": 7, "conversation_id": "move"}])
    assert (message.id, message.conversation) == ("7", "move")


# ids


def ids(text: str) -> list[str]:
    return [m.id for m in read(text, raw=True)[0]]


def test_a_message_without_an_id_has_the_same_one_each_time_it_is_read() -> None:
    assert ids(lines(HI, ANSWER, HI)) == ids(lines(HI, ANSWER, HI))
    assert len(set(ids(lines(HI, ANSWER, HI)))) == 3


def test_what_a_file_grew_by_is_all_that_is_new() -> None:
    assert ids(lines(HI, ANSWER, HI))[:2] == ids(lines(HI, ANSWER))


def test_a_message_with_a_time_is_known_again_wherever_it_stands() -> None:
    dated = {**HI, "created_at": "2026-03-01T09:30"}
    assert ids(lines(dated))[0] in ids(lines(ANSWER, HI, dated))


def test_the_same_said_twice_at_one_moment_is_two_messages() -> None:
    dated = {**HI, "created_at": "2026-03-01T09:30"}
    assert len(set(ids(lines(dated, dated)))) == 2


def test_a_log_of_requests_repeats_what_was_said_and_it_is_kept_once() -> None:
    more = {"role": "user", "content": "And the bike?"}
    log = lines(
        {"messages": [HI]}, {"messages": [HI, ANSWER, more]}, {"messages": [{**HI, "content": "Other talk"}]}
    )
    messages, _ = read(log, raw=True)
    assert len({m.id for m in messages}) == 4
    assert len({m.conversation for m in messages}) == 2


def test_an_id_that_two_messages_bring_is_given_to_one_of_them() -> None:
    first, second = {**HI, "id": "0", "conversation": "a"}, {**HI, "id": "0", "conversation": "b"}
    assert len(set(ids(lines(first, second)))) == 2
    assert ids(lines(first, second)) == ids(lines(first, second))
    assert ids(lines(first, first)) == ["0", "0"]


def test_a_long_id_is_hashed() -> None:
    (message,), _ = read([{**HI, "id": "x" * 5000}])
    assert len(message.id) < 100


# ChatGPT


def node(
    name: str, parent: str | None, children: list[str], text: str = "", role: str = "user", **more: Any
) -> dict:
    message = {
        "id": name,
        "author": {"role": role},
        "content": {"content_type": "text", "parts": [text]},
        **more,
    }
    return {
        "id": name,
        "parent": parent,
        "children": children,
        "message": message if text or role == "system" else None,
    }


@pytest.fixture
def chatgpt() -> dict[str, Any]:
    """A talk whose second answer was made anew."""
    nodes = [
        node("root", None, ["sys"]),
        node("sys", "root", ["q"], role="system"),
        node("q", "sys", ["old", "new"], "Where is the key?", create_time=1772328600.5),
        node("old", "q", ["thanks"], "In the car.", "assistant", create_time=1772328601),
        node("thanks", "old", [], "Thanks", create_time=1772328602),
        node("new", "q", ["why"], "Under the pot.", "assistant", create_time=1772328603),
        node("why", "new", [], "Why there?", create_time=1772328604),
    ]
    return {
        "title": "Key",
        "conversation_id": "talk-1",
        "mapping": {n["id"]: n for n in nodes},
        "current_node": "why",
    }


@pytest.mark.parametrize("form", [lambda talk: [talk], lambda talk: talk])
def test_of_a_chatgpt_talk_the_branch_seen_last_is_kept_and_the_others_are_noted(
    chatgpt: dict[str, Any], form: Callable[[Any], Any]
) -> None:
    messages, notes = read(form(chatgpt))
    assert [m.id for m in messages] == ["q", "new", "why"]
    assert {m.conversation for m in messages} == {"talk-1"}
    assert messages[0].at is not None
    assert [(n.code, n.detail) for n in notes] == [("not_said", "system"), ("other_branch", "2")]


@pytest.mark.parametrize("current", [None, "gone", 5])
def test_where_nobody_says_what_was_seen_last_it_is_what_was_written_last(
    chatgpt: dict[str, Any], current: object
) -> None:
    messages, _ = read([{**chatgpt, "current_node": current}])
    assert [m.id for m in messages] == ["q", "new", "why"]


def test_a_tree_that_bites_its_tail_is_read_to_where_it_begins_again(chatgpt: dict[str, Any]) -> None:
    chatgpt["mapping"]["q"]["parent"] = "why"
    assert [m.id for m in read([chatgpt])[0]] == ["q", "new", "why"]


def test_what_the_application_hid_was_not_said(chatgpt: dict[str, Any]) -> None:
    chatgpt["mapping"]["new"]["message"]["metadata"] = {"is_visually_hidden_from_conversation": True}
    assert [m.id for m in read([chatgpt])[0]] == ["q", "why"]


def test_damaged_talks_leave_the_others(chatgpt: dict[str, Any]) -> None:
    broken: list[Any] = [{"mapping": {}}, {"mapping": {"a": None, "b": {"message": 5}}}, {"mapping": 5}, None]
    messages, _ = read([*broken, chatgpt])
    assert [m.id for m in messages] == ["q", "new", "why"]


# files as a whole


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(
    given=st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=6),
    laid_out=st.booleans(),
    chunk=st.integers(1, 40),
)
def test_a_list_is_read_bit_by_bit_as_if_it_were_read_at_once(
    given: list[Any], laid_out: bool, chunk: int
) -> None:
    text = json.dumps(given, indent=2 if laid_out else None, ensure_ascii=chunk % 2 == 0)
    before, reading.CHUNK_BYTES = reading.CHUNK_BYTES, chunk
    try:
        found = list(json_values(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
    finally:
        reading.CHUNK_BYTES = before
    if "\ud7ff" < max(text, default="") < "\ue000":
        return  # half a surrogate pair is no UTF-8
    assert [v.data for v in found if isinstance(v, JsonValue)] == given
    assert not [n for n in found if isinstance(n, Note)]


@given(st.binary(max_size=300))
def test_no_file_is_an_error_of_another_kind(data: bytes) -> None:
    for found in read_export(io.BytesIO(data), Clocks()):
        assert isinstance(found, Message | Note)


def no_messages() -> MessageStore:
    return memory_storage(FrozenClock()).messages


def imported(path: Path | str, store: MessageStore) -> MessagesReport:
    return run_blocking(import_messages(IDA, str(path), store, Clocks()))


def test_a_second_import_adds_only_what_the_file_grew_by(tmp_path: Path) -> None:
    store, file = no_messages(), tmp_path / "talk.jsonl"
    file.write_text(lines(HI))
    assert imported(file, store) == MessagesReport("ida", 1, 1, 1)
    file.write_text(lines(HI, ANSWER))
    assert imported(file, store) == MessagesReport("ida", 2, 1, 2)


def test_notes_name_the_file_and_the_line(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(lines(HI, "{oops", {"messages": [HI, {"role": "system", "content": "x"}]}))
    assert [n.id for n in imported(file, no_messages()).notes] == [
        "talk.jsonl:2",
        "talk.jsonl:3.2",
    ]


def test_the_archive_that_chatgpt_sends_is_read_as_it_is(tmp_path: Path, chatgpt: dict[str, Any]) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations-000.json", json.dumps([chatgpt]))
        archive.writestr("data/conversations-001.json", json.dumps([{"messages": [HI]}]))
        archive.writestr("user.json", "{}")
    heard: list[tuple[int, int]] = []
    work = import_messages(
        IDA,
        str(tmp_path / "export.zip"),
        no_messages(),
        Clocks(),
        lambda *so: heard.append(so),
    )
    assert run_blocking(work).found == 4
    assert heard[-1][0] == heard[-1][1] > 0


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.jsonl", b"", "holds nothing"),
        ("a.jsonl", b"hello\nworld\n", "a.jsonl: 2: is not JSON"),
        ("a.json", b"[1, 2]", "is no message"),
        ("a.json", b"[oops", "breaks off"),
        ("a.zip", b"no archive", "no archive"),
    ],
)
def test_a_file_without_any_message_is_an_error_that_says_why(
    tmp_path: Path, name: str, data: bytes, told: str
) -> None:
    (tmp_path / name).write_bytes(data)
    store = no_messages()
    with pytest.raises(MessagesUnread, match=told) as caught:
        imported(tmp_path / name, store)
    assert '"role"' in caught.value.hint
    assert run_blocking(store.users(IDA)) == {}


def test_an_archive_of_something_else_is_an_error_that_names_what_is_missing(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(MessagesUnread, match="conversations"):
        imported(tmp_path / "other.zip", no_messages())


def test_many_faults_are_counted_and_the_first_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("oops\n" * 50)
    with pytest.raises(MessagesUnread, match="50 problems") as caught:
        imported(tmp_path / "a.jsonl", no_messages())
    assert len(caught.value.problems) == 50
    assert str(caught.value).count("oops") == 0
    assert len(str(caught.value).splitlines()) == 21


def test_a_file_in_which_nobody_said_anything_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(lines({"role": "system", "content": "x"}))
    assert imported(tmp_path / "a.jsonl", no_messages()).found == 0


@pytest.mark.parametrize(
    ("value", "talk", "id_"),
    [
        ({**HI, "id": "m1", "conversation": "c"}, "c", "m1"),
        ({**HI, "uuid": "m2", "thread_id": "t"}, "t", ""),
        ({"role": "USER ", "content": HI["content"], "message_id": 7, "chat_id": 3}, "3", "7"),
        ({"sender": "Human", "text": HI["content"], "session_id": "s"}, "s", ""),
        ({"author": {"name": "user"}, "parts": [HI["content"]]}, "", ""),
    ],
)
def test_a_message_is_read_by_whatever_name_its_fields_have(value: object, talk: str, id_: str) -> None:
    (found,), notes = read(lines(value), raw=True)
    assert (found.role, found.content, notes) == (HI["role"], HI["content"], [])
    assert found.conversation == talk
    assert not id_ or found.id == id_


def test_messages_of_a_talk_belong_together_and_what_is_none_is_noted_by_its_place() -> None:
    asked = {"messages": [HI, "odd", {**ANSWER, "conversation": "own"}], "session_id": "s"}
    messages, notes = read(lines(HI, asked), raw=True)
    assert [m.conversation for m in messages] == ["", "s", "own"]
    assert [(n.code, n.id, n.detail) for n in notes] == [("not_message", "2.2", "str")]
    first, second, *others = read(lines({"messages": [HI, ANSWER]}, {"messages": [ANSWER]}), raw=True)[0]
    assert first.conversation == second.conversation != ""
    assert {other.conversation for other in others}.isdisjoint({first.conversation, ""})


def branch(parent: str | None, message: object, *children: str) -> dict[str, object]:
    return {"parent": parent, "message": message, "children": list(children)}


def shown(text: str, at: object = None, **metadata: object) -> dict[str, object]:
    return {"author": {"role": "user"}, "content": text, "create_time": at, "metadata": metadata}


TREE = {
    "root": branch(None, None, "a"),
    "a": branch("root", shown("first", 1), "b", "c"),
    "b": branch("a", shown("old way", 2)),
    "c": branch("a", shown("new way", 3), "d"),
    "d": branch("c", shown("secret", 4, is_visually_hidden_from_conversation=True)),
}


@pytest.mark.parametrize(
    ("current", "texts", "others"),
    [
        ("d", ["first", "new way"], "1"),
        ("b", ["first", "old way"], "2"),
        (None, ["first", "new way"], "1"),
        ("gone", ["first", "new way"], "1"),
    ],
)
def test_of_a_talk_with_branches_what_was_looked_at_last_is_read(
    current: str | None, texts: list[str], others: str
) -> None:
    messages, notes = read({"conversation_id": "talk", "mapping": TREE, "current_node": current})
    assert [(m.content, m.conversation) for m in messages] == [(text, "talk") for text in texts]
    assert [(n.code, n.detail) for n in notes if n.code == "other_branch"] == [("other_branch", others)]


def test_a_tree_that_bites_its_tail_ends() -> None:
    tree = {"a": branch("b", shown("one")), "b": branch("a", shown("two"))}
    messages, notes = read({"mapping": tree, "current_node": "a"})
    assert [m.content for m in messages] == ["two", "one"]
    assert notes == []
