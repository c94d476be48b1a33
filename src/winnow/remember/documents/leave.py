"""The ways out: documents as records that can be added again, everything of one person told or deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import asdict
from typing import Any

from winnow.remember.documents.segments import Shelf, tidied

Record = Mapping[str, Any]


async def exported(shelf: Shelf) -> AsyncIterator[Record]:
    """Each document of the tier with its text. Added again, it is the same document. Raises StoreError."""
    for id_, document in (await shelf.store.documents(shelf.scope, shelf.tier)).items():
        text = await shelf.store.text(shelf.scope, shelf.tier, id_)
        known = {**asdict(document), "at": document.at.isoformat() if document.at else ""}
        yield {**{name: value for name, value in known.items() if name != "digest"}, "text": text}


async def forget_documents(shelf: Shelf, ids: Collection[str] | None = None) -> int:
    """Delete these documents or all of the tier; how many there were.

    What was folded into theirs can be found again at once. Raises StoreError.
    """
    gone = await shelf.store.forget(shelf.scope, shelf.tier, ids)
    if ids is not None:
        await tidied(shelf)
    return gone
