"""Histories of any length with questions about one talk in them; the rest are pieces of other texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from winnow.types.message import Message

TALK = "conv-26"
PADDING = ("dstc10_faq.en", "cranfield.en", "cast.en", "xquad.en", "howtocook.zh", "cmrc.zh", "xquad.zh")
LONGEST = 240
"""Characters of a padding message: about as long as those of the talk."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and the ids of the messages that answer it."""

    text: str
    evidence: frozenset[str]


def questions(bench: Path) -> list[Asked]:
    """The questions about the talk."""
    rows = _rows(bench / "dev" / "messages" / "locomo.en.jsonl")
    return [Asked(r["query"], frozenset(r["evidence_ids"])) for r in rows if r["user_id"] == TALK]


def history(bench: Path, size: int) -> list[Message]:
    """The talk, oldest first, with padding before it up to ``size`` messages."""
    rows = _rows(bench / "dev" / "messages" / "locomo.en.messages.jsonl")
    talk = [_message(r) for r in rows if r["user_id"] == TALK]
    first = datetime.fromisoformat("2023-05-08T13:00:00")
    texts = list(islice(_padding(bench), size - len(talk)))
    Random(7).shuffle(texts)
    step = timedelta(minutes=3)
    before = [
        Message(f"p{n}", ("user", "assistant")[n % 2], text, first - step * (len(texts) - n))
        for n, text in enumerate(texts)
    ]
    return [*before, *talk]


def _message(row: dict[str, Any]) -> Message:
    return Message(row["id"], row["role"], row["content"], datetime.fromisoformat(row["created_at"]))


def _padding(bench: Path) -> Iterator[str]:
    """Pieces of the documents, round after round: later rounds start elsewhere, so no text comes twice."""
    files = [bench / "docs" / f"{name}.docs.jsonl" for name in PADDING]
    documents = [str(row["text"]) for file in files for row in _rows(file)]
    for shift in range(0, LONGEST, LONGEST // 8):
        for text in documents:
            yield from (text[at : at + LONGEST] for at in range(shift, max(len(text), shift + 1), LONGEST))


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
