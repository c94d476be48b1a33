"""Which messages of a person's history answer a question: the predictions of the task ``messages``.

A case holds its history, or the file beside it does: ``name.messages.jsonl`` beside ``name.jsonl``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from winnow.errors import Phrase
from winnow.ports import Embedder
from winnow.recall.history import HistoryIndex, build_history, questions, recall_history
from winnow.surfaces.cases import Row, rows
from winnow.types.message import Message
from winnow.types.search import Search
from winnow.wiring import open_table

LIMIT = 20
"""Messages that are predicted, at most."""
APART = timedelta(minutes=7)
"""Between messages whose time nobody told."""


@dataclass(frozen=True, slots=True)
class HistoryCase:
    """A question and the history it is about, oldest first."""

    id: str
    search: Search
    messages: tuple[Message, ...]


class Histories:
    """Answers cases, each history indexed once for the cases that follow each other."""

    def __init__(self) -> None:
        self.table: Embedder = open_table()
        self.messages: tuple[Message, ...] = ()
        self.index: HistoryIndex = build_history((), self.table)
        self.vectors = self.table.embed([])

    def predict(self, case: HistoryCase) -> dict[str, Any]:
        """The best messages, those of them that are outdated, and how long the question took."""
        if case.messages is not self.messages:
            self._open(case.messages)
        start = perf_counter()
        cosines = self.table.embed(questions(case.search, self.index)) @ self.vectors.T
        found = recall_history(case.search, self.index, cosines, LIMIT).candidates
        took = (perf_counter() - start) * 1000
        old = [c.ref.id for c in found if isinstance(c.data, Mapping) and "superseded_by" in c.data]
        return {"ids": [c.ref.id for c in found], "superseded": old, "ms": round(took, 3)}

    def _open(self, messages: tuple[Message, ...]) -> None:
        self.messages = messages
        self.index = build_history(messages, self.table)
        self.vectors = self.table.embed([message.content for message in messages])


@dataclass(frozen=True, slots=True)
class Told:
    """The messages of one file."""

    by_id: Mapping[str, Message]
    by_user: Mapping[str, tuple[Message, ...]]


def history_case(row: Row) -> HistoryCase:
    """``id, query``, and ``history`` or, of the file beside it, ``history_ids`` or ``user_id``.

    Raises CaseError.
    """
    search = Search(row.get("query", str, None), _time(row, "asked_at"), row.language())
    return HistoryCase(row.need("id"), search, _history(row))


def _history(row: Row) -> tuple[Message, ...]:
    if "history" in row.data:
        return tuple(_message(replace(row, data=told)) for told in row.get("history", list, []))
    told = told_beside(row.folder / row.file)
    if "history_ids" in row.data:
        ids: list[str] = row.get("history_ids", list, [])
        if missing := [id_ for id_ in ids if id_ not in told.by_id]:
            raise row.wrong("history_ids", Phrase("there is no message {id!r}", id=missing[0]))
        return timed([told.by_id[id_] for id_ in ids])
    return told.by_user.get(row.need("user_id"), ())


@lru_cache(maxsize=4)
def told_beside(cases: Path) -> Told:
    """The messages of ``name.messages.jsonl`` beside a case file; none where there is no such file."""
    path = cases.with_name(f"{cases.stem}.messages.jsonl")
    by_id: dict[str, Message] = {}
    by_user: dict[str, list[Message]] = {}
    for row in rows(path) if path.is_file() else ():
        message = by_id[row.need("id")] = _message(row)
        by_user.setdefault(row.get("user_id", str, ""), []).append(message)
    return Told(by_id, {user: tuple(messages) for user, messages in by_user.items()})


def _message(row: Row) -> Message:
    role, content = row.get("role", str, "user"), row.get("content", str, None)
    return Message(row.need("id"), role, content, _time(row, "created_at"), row.get("conversation", str, ""))


def _time(row: Row, name: str) -> datetime | None:
    told = row.get(name, str, "")
    try:
        return datetime.fromisoformat(told) if told else None
    except ValueError:
        raise row.wrong(name, Phrase("no time: {told!r}", told=told)) from None


def timed(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with a time each: who told none gets one between those of its neighbours."""
    known = [(at, message.at) for at, message in enumerate(messages) if message.at]
    if not known:
        return tuple(messages)
    return tuple(m if m.at else replace(m, at=_between(at, known)) for at, m in enumerate(messages))


def _between(at: int, known: Sequence[tuple[int, datetime]]) -> datetime:
    """A time for the message at a place, from the nearest before and after whose time is known."""
    before = [found for found in known if found[0] < at]
    after = [found for found in known if found[0] > at]
    if before and after:
        (first, start), (last, end) = before[-1], after[0]
        # The time between is shared out evenly; where it runs backwards, next to nothing passes.
        steps, span = at - first, end - start
        time = start + (span * (steps / (last - first)) if span > timedelta() else APART / 100 * steps)
    else:
        place, told = before[-1] if before else after[0]
        time = told + APART * (at - place)
    return time.replace(microsecond=0)
