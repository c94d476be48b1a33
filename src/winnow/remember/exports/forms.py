"""One JSON value of an export -> what was said in it, by its form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from winnow.remember.exports.chatgpt import hidden, is_conversation, seen, unseen
from winnow.remember.exports.contents import others_of, text_of
from winnow.remember.exports.ids import talk_of
from winnow.text.clocks import Clocks
from winnow.types.catalog import Note
from winnow.types.message import Message

IDS = ("id", "message_id", "uuid")
TIMES = ("created_at", "at", "timestamp", "create_time", "createdAt", "time", "date")
TALKS = ("conversation", "conversation_id", "thread_id", "session_id", "chat_id")
ROLES = ("role", "author", "sender", "from", "speaker")
CONTENTS = ("content", "text", "value", "parts")
USUAL = {"human": "user", "ai": "assistant", "bot": "assistant", "gpt": "assistant", "model": "assistant"}
"""Other names of the two roles."""
UNSAID = frozenset({"system", "developer", "tool", "function"})
"""Roles of what nobody said."""

Found = Message | Note


class Forms:
    """Reads values; ``clocks`` turn their times to the clock on the person's wall."""

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks

    def found(self, value: Any, place: str) -> Iterator[Found]:
        """Messages, without their final ids, and notes of what is none."""
        if is_conversation(value):
            talk = _first(value, ("conversation_id", "id", "title"))
            for message in seen(value):
                if not hidden(message):
                    yield from self._message(message, talk, place)
            if left := unseen(value):
                yield Note("other_branch", place, detail=str(left))
        elif (said := _listed(value)) is not None:
            yield from self._talk(said, _first(value, TALKS) if isinstance(value, Mapping) else "", place)
        elif isinstance(value, Mapping):
            yield from self._message(value, _first(value, TALKS), place)
        else:
            yield Note("not_message", place, detail=type(value).__name__)

    def _talk(self, said: Sequence[Any], talk: str, place: str) -> Iterator[Found]:
        """The messages of one talk: of a request to a model, of a list in a line."""
        found: list[Found] = []
        for number, one in enumerate(said, 1):
            at = f"{place}.{number}"
            if isinstance(one, Mapping):
                found += self._message(one, _first(one, TALKS), at)
            else:
                found.append(Note("not_message", at, detail=type(one).__name__))
        begun = next((each for each in found if isinstance(each, Message)), None)
        if not talk and begun is not None:
            talk = talk_of(begun.role, begun.content)
        for each in found:
            if isinstance(each, Message) and not each.conversation:
                yield replace(each, conversation=talk)
            else:
                yield each

    def _message(self, value: Mapping[str, Any], talk: str, place: str) -> Iterator[Found]:
        """One message, or why it is none; both where its time alone cannot be read."""
        role, content = _role(value), _told(value, CONTENTS)
        if fault := _fault(role, content, value, place):
            yield fault
            return
        told = _told(value, TIMES)
        at = self._clocks.moment(told)
        if told is not None and at is None:
            yield Note("no_moment", place, detail=str(told)[:40])
        if left := others_of(content):
            yield Note("parts_left", place, detail=", ".join(left))
        yield Message(_first(value, IDS), role, text_of(content), at, talk)


def is_talk(value: Any) -> bool:
    """Whether a value holds the messages of a talk, and is not one itself."""
    return is_conversation(value) or _listed(value) is not None


def _listed(value: Any) -> Sequence[Any] | None:
    """The messages of a list, of a request to a model, or of one in a batch; None: it is none of these."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    body = value.get("body")
    held = value.get("messages", body.get("messages") if isinstance(body, Mapping) else None)
    return held if isinstance(held, list) else None


def _fault(role: str, content: Any, value: Mapping[str, Any], place: str) -> Note | None:
    """Why nothing was said by anybody."""
    if not role:
        return Note("no_role", place, detail=", ".join(map(str, list(value)[:6])))
    if role in UNSAID:
        return Note("not_said", place, detail=role)
    if not text_of(content):
        return Note("no_text", place, detail=", ".join(others_of(content)))
    return None


def _role(value: Mapping[str, Any]) -> str:
    told = _told(value, ROLES)
    if isinstance(told, Mapping):
        told = told.get("role") or told.get("name")
    role = told.strip() if isinstance(told, str) else ""
    return USUAL.get(role.lower(), role.lower() if role.lower() in {"user", "assistant", *UNSAID} else role)


def _told(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first of the fields that holds anything."""
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def _first(value: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of the fields that is a name or a number, as text."""
    told = next((value[name] for name in names if isinstance(value.get(name), str | int)), "")
    return "" if isinstance(told, bool) else str(told)
