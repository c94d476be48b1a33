"""Messages of persons as text, and as data: what was imported, found, kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from winnow.say.messages import message
from winnow.surfaces.plain import plain
from winnow.surfaces.report import note_lines
from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.types.export import MessagesReport
from winnow.types.message import Message
from winnow.types.shortlist import Candidate

LONG = 200
"""Characters of a message that are printed."""


def report_lines(report: MessagesReport, language: Language) -> list[str]:
    """What an import kept, and a line for each sort of thing it did not."""
    known = report.found - report.added
    facts = {"count": report.added, "known": known or None, "total": report.total}
    told = message("messages_imported", language, user=report.user, **facts)
    return [told, *note_lines(report.notes, language)]


def message_lines(messages: Iterable[Message]) -> list[str]:
    """One line a message: its id, when, who, what."""
    return [f"{encode(m.id, 64)}  {_line(_when(m), m.role, m.content)}" for m in messages]


def message_data(messages: Iterable[Message]) -> list[Mapping[str, Any]]:
    """The same as data."""
    return [{**plain(m), "at": _when(m)} for m in messages]


def found_lines(candidates: Sequence[Candidate], language: Language) -> list[str]:
    """One line a message that was found, best first; one that no longer holds says what took its place."""
    return [_found(number, candidate, language) for number, candidate in enumerate(candidates, 1)]


def found_data(candidates: Sequence[Candidate]) -> list[Mapping[str, Any]]:
    """The same as data."""
    return [{"id": c.ref.id, "score": c.score, **_data(c)} for c in candidates]


def _found(number: int, candidate: Candidate, language: Language) -> str:
    data = _data(candidate)
    line = f"{number:2d}  {_line(data['at'], data['speaker'], data['text'])}"
    newer = data.get("superseded_by")
    return f"{line}  {message('messages_superseded', language, id=newer)}" if newer else line


def _line(at: str, role: str, text: str) -> str:
    """When, to the minute (dashes where nobody knows), who and what."""
    return f"{at[:16].replace('T', ' ') or '-' * 16}  {encode(role)}: {encode(text, LONG)}"


def _data(candidate: Candidate) -> Mapping[str, Any]:
    data = candidate.data if isinstance(candidate.data, Mapping) else {"text": candidate.data}
    return {"text": "", "speaker": "", "at": "", **data}


def _when(message: Message) -> str:
    return message.at.isoformat() if message.at else ""
