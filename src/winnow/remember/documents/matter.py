"""What a document says of itself: the front matter of a Markdown file, the fields of a record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

import yaml

from winnow.text.clocks import Clocks
from winnow.types.document import Document

LONGEST = 20_000
"""Characters of front matter."""
TITLE = 200
"""Characters of a title."""
TIMES = ("date", "at", "updated", "modified", "created", "created_at", "timestamp", "time")
SOURCES = ("source", "url", "link")
NOTE = 1_000
"""Characters up to which a plain text is a note."""
_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Told:
    """What whoever adds documents says of all of them; None: nothing, so that each may say it itself."""

    collection: str = ""
    domain: str | None = None
    importance: float | None = None
    credibility: float | None = None
    kind: Literal["document", "note"] | None = None

    def over(self, document: Document) -> Document:
        """The document as it is kept."""
        told = {
            name: value
            for name in ("domain", "importance", "credibility", "kind")
            if (value := getattr(self, name)) is not None
        }
        return replace(document, **told)


def parted(text: str) -> tuple[Mapping[str, Any], str]:
    """The front matter of a text and the rest of it; a text that has none is all rest."""
    found = _MATTER.match(text[: LONGEST + 10])
    if not found:
        return {}, text
    try:
        said = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError):  # a rule across the page begins like front matter
        return {}, text
    return (said, text[found.end() :]) if isinstance(said, dict) else ({}, text)


def described(document: Document, said: Mapping[str, Any], clocks: Clocks) -> Document:
    """The document with what it says of itself; what makes no sense is left out."""
    moments = (clocks.moment(said[name]) for name in TIMES if name in said)
    return replace(
        document,
        title=_text(said.get("title"))[:TITLE] or document.title,
        domain=_text(said.get("domain")) or document.domain,
        source=next((told for name in SOURCES if (told := _text(said.get(name)))), document.source),
        importance=_share(said.get("importance"), document.importance),
        credibility=_share(said.get("credibility"), document.credibility),
        kind="note" if said.get("kind") == "note" else document.kind,
        at=next((at for at in moments if at is not None), document.at),
    )


def _text(value: object) -> str:
    """One line of text; empty where the value is none."""
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _share(value: object, otherwise: float) -> float:
    """A number from 0 to 1."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if fits else otherwise  # type: ignore[arg-type]


def file_time(seconds: float) -> datetime:
    """When a file was written, by the clock of this machine."""
    return datetime.fromtimestamp(seconds)  # noqa: DTZ006 - a wall clock has no zone
