"""Passages looked for as a turn looks for them, as text and as data."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from winnow.bridge import blocking
from winnow.text.encode import encode
from winnow.types.scope import Scope
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist

if TYPE_CHECKING:
    from winnow.config import Settings

LONG = 300
"""Characters of a passage that are printed."""


def found(settings: Settings, user: str, query: str, limit: int, *, public: bool = False) -> Shortlist:
    """The passages of a person, or of everybody, that answer the question best. Raises StoreError."""
    from winnow.knowledges import open_knowledge
    from winnow.wiring import open_store, open_table

    source = open_knowledge(open_store(settings).storage.documents, open_table)[
        "public" if public else "knowledge"
    ]
    now = datetime.now()  # noqa: DTZ005 - a wall clock has no zone
    return blocking(source(Search(query, now), Scope(settings.tenant, user=user), limit))


def found_lines(shortlist: Shortlist) -> list[str]:
    """Two lines a passage: how relevant it is and where it stands, and what it says."""
    lines = []
    for candidate, data in zip(shortlist.candidates, found_data(shortlist), strict=True):
        place = [str(data.get("document", "")), *data.get("headings", ())]
        told = " > ".join(encode(part, LONG) for part in place if part)
        text = encode(str(data.get("text", "")), LONG)
        lines += [f"{candidate.score:.2f}  {told}", f"      {text}"]
    return lines


def found_data(shortlist: Shortlist) -> list[Mapping[str, Any]]:
    """The same as data."""
    rows: list[Mapping[str, Any]] = []
    for candidate in shortlist.candidates:
        data = candidate.data if isinstance(candidate.data, Mapping) else {"text": candidate.data}
        rows.append({"id": candidate.ref.id, "score": candidate.score, **data})
    return rows
