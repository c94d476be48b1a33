"""Documents a person or everybody may search, and the passages they are cut into."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

KnowledgeTier = Literal["private", "public"]
"""``private``: of one person; ``public``: of everybody of the tenant. Private ones are searched first."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of a document beside its text."""

    id: str
    """Stable: told by where it comes from, never by what it says."""
    title: str = ""
    kind: Literal["document", "note"] = "document"
    collection: str = ""
    """What it belongs to, where somebody said so."""
    domain: str = ""
    """What field it is about (``cooking``, ``law``); empty: any."""
    importance: float = 0.5
    """0..1: from 0.8 on it is never compressed unless nothing else helps."""
    credibility: float = 0.5
    """0..1: who is believed where two contradict each other."""
    source: str = ""
    """Where it comes from, as people would look for it: a path within what was added, an address."""
    at: datetime | None = None
    """When it was written or last held, by the clock on the wall. None: nobody knows."""
    digest: str = ""
    """Of what it was read from, and how: while it is the same, reading it again gives the same document."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document that makes sense by itself."""

    id: str
    """Stable as long as the text of the document is."""
    document: Document
    text: str
    headings: tuple[str, ...] = ()
    """The headings it stands under, outermost first."""
    start: int = 0
    """Where it begins in the document's text, in characters."""
    also: tuple[str, ...] = ()
    """Ids of other documents that say the same; their passages are folded into this one."""
