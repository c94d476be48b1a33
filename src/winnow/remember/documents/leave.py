"""The ways out: documents as records that can be added again, everything of one person told or deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from winnow.ports import Storage
from winnow.remember.documents.segments import Shelf, tidied
from winnow.remember.messages import all_of, forget_messages
from winnow.types.document import Document
from winnow.types.message import Message
from winnow.types.scope import Scope

Record = Mapping[str, Any]


async def exported(shelf: Shelf) -> AsyncIterator[Record]:
    """Each document of the tier with its text. Added again, it is the same document. Raises StoreError."""
    for id_, document in (await shelf.store.documents(shelf.scope, shelf.tier)).items():
        text = await shelf.store.text(shelf.scope, shelf.tier, id_)
        yield {**_told(document), "text": text}


async def everything(shelf: Shelf, storage: Storage) -> AsyncIterator[Record]:
    """All that is kept of the scope's user: documents, messages, facts, feedback. Raises StoreError."""
    async for record in exported(shelf):
        yield record
    async for message in all_of(storage.messages, shelf.scope):
        yield _message(message)
    for fact in await storage.facts.facts(shelf.scope):
        yield {"kind": "fact", **asdict(fact), "at": _when(fact.at)}
    for given in await storage.feedback.given(shelf.scope) if shelf.scope.user else ():
        yield {"kind": "feedback", **given.data()}


@dataclass(frozen=True, slots=True)
class Kept:
    """How much there is of one person."""

    documents: int = 0
    messages: int = 0
    facts: int = 0


async def kept(storage: Storage, scope: Scope) -> Kept:
    """What is kept of the scope's user. Raises StoreError."""
    documents = (await storage.documents.stamp(scope, "private")).count
    facts = len(await storage.facts.facts(scope))
    return Kept(documents, (await storage.messages.stamp(scope)).count, facts)


async def forget_documents(shelf: Shelf, ids: Collection[str] | None = None) -> int:
    """Delete these documents or all of the tier; how many there were.

    What was folded into theirs can be found again at once. Raises StoreError.
    """
    gone = await shelf.store.forget(shelf.scope, shelf.tier, ids)
    if ids is not None:
        await tidied(shelf)
    return gone


async def forget_everything(storage: Storage, scope: Scope) -> Kept:
    """Delete all that is kept of the scope's user, what they said of turns included; how much it was.

    Raises StoreError.
    """
    documents = await storage.documents.forget(scope, "private")
    messages = await forget_messages(scope, storage)
    if scope.user:  # without one all of the tenant would be meant
        await storage.feedback.forget(scope)
        await storage.counts.forget(scope)
    return Kept(documents, messages, await storage.facts.forget(scope))


def _message(message: Message) -> Record:
    """As ``winnow messages import`` reads it."""
    said = {"id": message.id, "role": message.role, "content": message.content}
    more = {"created_at": _when(message.at), "conversation": message.conversation}
    return {"kind": "message", **said, **more}


def _told(document: Document) -> Record:
    known = {**asdict(document), "at": _when(document.at)}
    return {name: value for name, value in known.items() if name != "digest"}


def _when(at: datetime | None) -> str:
    return at.isoformat() if at else ""
