"""Formats of message exports: JSON lines or lists, chat model requests, ChatGPT exports."""

from __future__ import annotations

import json
from codecs import BOM_UTF8, getincrementaldecoder
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain
from typing import IO, Any

from winnow.language.clocks import Clocks
from winnow.types.home import Note
from winnow.types.message import Message

# ChatGPT: a conversation is a tree of messages; one path of it is what was shown last.


def is_conversation(value: Any) -> bool:
    """Whether it is one: messages by id, each with its parent."""
    return isinstance(value, Mapping) and isinstance(value.get("mapping"), Mapping)


def visible_messages(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages from the first to the one that was looked at last; those of other branches are not."""
    tree = conversation["mapping"]
    last = conversation.get("current_node")
    # From a node to the root; a tree that bites its tail ends where it begins again
    path_last = last if last in tree else _newest(tree)
    path: list[Mapping[str, Any]] = []
    passed: set[str] = set()
    while isinstance(path_last, str) and path_last not in passed and isinstance(tree.get(path_last), Mapping):
        passed.add(path_last)
        path.append(tree[path_last])
        path_last = tree[path_last].get("parent")
    return [node["message"] for node in reversed(path) if _has_message(node)]


def other_branch_count(conversation: Mapping[str, Any]) -> int:
    """How many messages with a text stand on other branches: answers made anew, questions put otherwise."""
    return sum(map(_has_message, conversation["mapping"].values())) - len(visible_messages(conversation))


def is_hidden(message: Mapping[str, Any]) -> bool:
    """Whether the application itself put it there and never showed it."""
    more = message.get("metadata")
    return isinstance(more, Mapping) and bool(more.get("is_visually_hidden_from_conversation"))


def _has_message(node: Any) -> bool:
    return isinstance(node, Mapping) and isinstance(node.get("message"), Mapping)


def _newest(tree: Mapping[str, Any]) -> str | None:
    """Where nobody says what was looked at last: the leaf that was written last."""
    leaves = {}
    for name, node in tree.items():
        if _has_message(node) and not node.get("children"):
            at = node["message"].get("create_time")
            leaves[name] = float(at) if isinstance(at, int | float) else 0.0
    return max(leaves, key=leaves.__getitem__, default=None)


# Content of one message: a text, parts, or nested parts.


TEXT_FIELDS = ("text", "content", "value", "result")
"""Fields of a part that may hold its text."""
_MAX_DEPTH = 4


def content_text(content: Any) -> str:
    """The text of a message: of a text itself, or of the parts that are text, one a line."""
    return "\n".join(part for part in _texts(content, _MAX_DEPTH) if part.strip()).strip()


def other_parts(content: Any) -> list[str]:
    """The sorts of what else is in it: ``image_url``, ``audio``, ``tool_use`` ..."""
    return sorted(set(_others(content, _MAX_DEPTH)))


def _texts(content: Any, depth: int) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif depth and isinstance(content, list):
        for part in content:
            yield from _texts(part, depth - 1)
    elif depth and isinstance(content, Mapping) and _is_text(content):
        yield from _texts(content.get("parts") or _text_field(content), depth - 1)


def _others(content: Any, depth: int) -> Iterator[str]:
    if depth and isinstance(content, list):
        for part in content:
            yield from _others(part, depth - 1)
    elif isinstance(content, Mapping):
        if _is_text(content):
            yield from _others(content.get("parts"), depth - 1)
        else:
            yield _kind(content) or "other"


def _is_text(part: Mapping[str, Any]) -> bool:
    """Whether a part is text by its type; one without a type is, where it holds any."""
    kind = _kind(part)
    return "text" in kind if kind else bool(part.get("parts")) or isinstance(_text_field(part), str)


def _kind(part: Mapping[str, Any]) -> str:
    return str(part.get("type") or part.get("content_type") or "")


def _text_field(part: Mapping[str, Any]) -> Any:
    return next((part[name] for name in TEXT_FIELDS if part.get(name)), None)


# Ids of messages that have none: the same message gets the same id in every import.


MAX_ID_BYTES = 200
"""Bytes of an id that is kept as it is; a longer one is hashed."""


class MessageIds:
    """Those given away while one export is read."""

    def __init__(self) -> None:
        self._own: dict[int, int] = {}
        self._positions: Counter[str] = Counter()
        self._moment: tuple[object, str] = (None, "")
        self._here: Counter[str] = Counter()

    def id_of(self, message: Message) -> str:
        """Its own id where it has one that none before it had, else a hash of what it is.

        Of a message with a time the time counts, of another its place in the talk: so what an export grew by
        is all that a second import adds.
        """
        # Without a time, only the place in the dialogue tells two equal messages apart.
        position = self._positions[message.conversation]
        self._positions[message.conversation] += 1
        if own := self._own_of(message):
            return own
        if message.at is None:
            return _hash("place", message.conversation, str(position), message.role, message.content)
        facts = ("time", message.conversation, message.at.isoformat(), message.role, message.content)
        # How often the same was said before at that moment
        fact = _hash(*facts)
        moment = message.at, message.conversation
        if moment != self._moment:
            self._moment, self._here = moment, Counter()
        self._here[fact] += 1
        again = self._here[fact] - 1
        return _hash(*facts, str(again))

    def restart(self) -> None:
        """Another talk begins, or the same once more: a log of requests repeats what was said before."""
        self._positions.clear()
        self._moment = (None, "")

    def _own_of(self, message: Message) -> str:
        """The id it brings, if that is one and no other message of the export brought it."""
        if not message.id:
            return ""
        said = hash((message.conversation, message.role, message.content))
        # Two different messages with one id occur in merged exports: only the first keeps it.
        if self._own.setdefault(hash(message.id), said) != said:
            return ""
        short = len(message.id.encode("utf-8", "surrogatepass")) <= MAX_ID_BYTES
        return message.id if short else _hash("id", message.id)


def talk_id(role: str, text: str) -> str:
    """A name for a talk that brings none: by how it begins."""
    return _hash("talk", role, text)


def _hash(*parts: str) -> str:
    made = blake2b(digest_size=12)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()


ID_FIELDS = ("id", "message_id", "uuid")
TIME_FIELDS = ("created_at", "at", "timestamp", "create_time", "createdAt", "time", "date")
TALK_FIELDS = ("conversation", "conversation_id", "thread_id", "session_id", "chat_id")
ROLE_FIELDS = ("role", "author", "sender", "from", "speaker")
CONTENT_FIELDS = ("content", "text", "value", "parts")
ROLE_ALIASES = {
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "model": "assistant",
}
"""Other names of the two roles."""
SYSTEM_ROLES = frozenset({"system", "developer", "tool", "function"})
"""Roles of what nobody said."""

ExportItem = Message | Note


class ExportForms:
    """Reads values; ``clocks`` turn their times to the clock on the person's wall."""

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks

    def messages_in(self, value: Any, place: str) -> Iterator[ExportItem]:
        """Messages, without their final ids, and notes of what is none."""
        if is_conversation(value):
            talk = _first_name(value, ("conversation_id", "id", "title"))
            for message in visible_messages(value):
                if not is_hidden(message):
                    yield from self._message(message, talk, place)
            if left := other_branch_count(value):
                yield Note("other_branch", place, detail=str(left))
        elif (said := _talk_messages(value)) is not None:
            yield from self._talk(
                said, _first_name(value, TALK_FIELDS) if isinstance(value, Mapping) else "", place
            )
        elif isinstance(value, Mapping):
            yield from self._message(value, _first_name(value, TALK_FIELDS), place)
        else:
            yield Note("not_message", place, detail=type(value).__name__)

    def _talk(self, said: Sequence[Any], talk: str, place: str) -> Iterator[ExportItem]:
        """The messages of one talk: of a request to a model, of a list in a line."""
        found: list[ExportItem] = []
        for number, one in enumerate(said, 1):
            at = f"{place}.{number}"
            if isinstance(one, Mapping):
                found += self._message(one, _first_name(one, TALK_FIELDS), at)
            else:
                found.append(Note("not_message", at, detail=type(one).__name__))
        begun = next((each for each in found if isinstance(each, Message)), None)
        if not talk and begun is not None:
            talk = talk_id(begun.role, begun.content)
        for each in found:
            if isinstance(each, Message) and not each.conversation:
                yield replace(each, conversation=talk)
            else:
                yield each

    def _message(self, value: Mapping[str, Any], talk: str, place: str) -> Iterator[ExportItem]:
        """One message, or why it is none; both where its time alone cannot be read."""
        role, content = _role(value), _first_value(value, CONTENT_FIELDS)
        if not role:
            note: Note | None = Note("no_role", place, detail=", ".join(map(str, list(value)[:6])))
        elif role in SYSTEM_ROLES:
            note = Note("not_said", place, detail=role)
        elif not content_text(content):
            note = Note("no_text", place, detail=", ".join(other_parts(content)))
        else:
            note = None
        if fault := note:
            yield fault
            return
        told = _first_value(value, TIME_FIELDS)
        at = self._clocks.moment(told)
        if told is not None and at is None:
            yield Note("no_moment", place, detail=str(told)[:40])
        if left := other_parts(content):
            yield Note("parts_left", place, detail=", ".join(left))
        yield Message(_first_name(value, ID_FIELDS), role, content_text(content), at, talk)


def is_talk(value: Any) -> bool:
    """Whether a value holds the messages of a talk, and is not one itself."""
    return is_conversation(value) or _talk_messages(value) is not None


def _talk_messages(value: Any) -> Sequence[Any] | None:
    """The messages of a list, of a request to a model, or of one in a batch; None: it is none of these."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    body = value.get("body")
    held = value.get("messages", body.get("messages") if isinstance(body, Mapping) else None)
    return held if isinstance(held, list) else None


def _role(value: Mapping[str, Any]) -> str:
    told = _first_value(value, ROLE_FIELDS)
    if isinstance(told, Mapping):
        told = told.get("role") or told.get("name")
    role = told.strip() if isinstance(told, str) else ""
    return ROLE_ALIASES.get(
        role.lower(), role.lower() if role.lower() in {"user", "assistant", *SYSTEM_ROLES} else role
    )


def _first_value(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first of the fields that holds anything."""
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def _first_name(value: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of the fields that is a name or a number, as text."""
    told = next((value[name] for name in names if isinstance(value.get(name), str | int)), "")
    return "" if isinstance(told, bool) else str(told)


# JSON values of a file, streamed, however large it is.


CHUNK_BYTES = 1 << 20
"""Bytes read at a time from a list."""
_NEAR_THE_END = 16
"""An error so few characters before the end of what was read may only mean that more is to come."""
_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class JsonValue:
    """One JSON value and the line it begins in, from 1."""

    line: int
    data: Any


def json_values(file: IO[bytes]) -> Iterator[JsonValue | Note]:
    """The values of a file: those of each line, or the elements of a list, or the one there is.

    A line that is no JSON is noted, and so is where a list breaks off.
    """
    line, first = 1, file.readline(CHUNK_BYTES).removeprefix(BOM_UTF8)
    while first and not first.strip():
        line, first = line + first.count(b"\n"), file.readline(CHUNK_BYTES)
    if first.lstrip()[:1] == b"[":
        yield from _Elements(file, first, line).elements()
        return
    if first and not first.endswith(b"\n"):
        first += file.readline()
    # An object that begins in a line and does not end in it was laid out for people: it is the only one.
    start = first.strip()
    if start[:1] == b"{" and start[-1:] in b"{[,:":
        yield _line_value(first + file.read(), line)
        return
    for number, each in enumerate(chain([first], file), line):
        if each.strip():
            yield _line_value(each, number)


def _line_value(data: bytes, line: int) -> JsonValue | Note:
    try:
        return JsonValue(line, json.loads(data))
    except UnicodeDecodeError:
        return _note("bad_text", line)
    except (ValueError, RecursionError) as error:
        return _note("bad_json", line, _why(error))


def _note(code: str, line: int, detail: str = "") -> Note:
    return Note(code, str(line), detail=detail)


def _why(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__


class _Elements:
    """The elements of lists, while no more of the file is held than the longest of them takes."""

    def __init__(self, file: IO[bytes], first: bytes, line: int) -> None:
        self._file, self._decoder = file, getincrementaldecoder("utf-8")()
        self._parse = json.JSONDecoder().raw_decode
        self._unread: bytes | None = first
        self._text, self._at, self._line = "", 0, line
        self._whole = False

    def elements(self) -> Iterator[JsonValue | Note]:
        try:
            while self._next_begins():
                yield JsonValue(self._line, self._element())
        except UnicodeDecodeError:
            yield _note("bad_text", self._line)
        except (ValueError, RecursionError) as error:
            yield _note("broken_off", self._line, _why(error))

    def _next_begins(self) -> bool:
        """Go to the next element; whether there is one."""
        while True:
            signs = _SPACE + ",[]"
            start = self._at
            while self._at < len(self._text) and self._text[self._at] in signs:
                self._at += 1
            self._line += self._text.count("\n", start, self._at)
            if self._at < len(self._text):
                return True
            if not self._more():
                return False

    def _element(self) -> Any:
        """The element that begins here. Raises ValueError, RecursionError."""
        while True:
            try:
                found, end = self._parse(self._text, self._at)
            except json.JSONDecodeError as error:
                if not (
                    (error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR_THE_END)
                    and self._more()
                ):
                    raise
            else:
                self._line += self._text.count("\n", self._at, end)
                self._at = end
                return found

    def _more(self) -> bool:
        """Read on, twice as much as is held; whether there was anything."""
        rest = self._text[self._at :]
        data, self._unread = self._unread or self._file.read(max(CHUNK_BYTES, len(rest))), None
        if not data and self._whole:
            return False
        self._whole = not data
        self._text, self._at = rest + self._decoder.decode(data, final=self._whole), 0
        return bool(data)
