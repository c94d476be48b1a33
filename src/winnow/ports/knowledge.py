"""Documents and facts, as the rest of Winnow sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.fact import Fact
from winnow.types.message import Stamp
from winnow.types.scope import Scope


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as it is stored."""

    document: Document
    text: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the index of documents, made when they were added, so that opening need not read texts."""

    id: str
    data: bytes
    """What ``recall.passages`` made of it; of another version it is made anew."""
    dead: frozenset[str] = frozenset()
    """Ids of passages in it that no longer are."""


class Documents(Protocol):
    """Documents of a person (``private``) or of everybody of the tenant (``public``), cut into passages.

    Private rows are reached with the scope's tenant and user, public ones with its tenant.
    """

    async def stamp(self, scope: Scope, tier: KnowledgeTier) -> Stamp:
        """What tells whether anything changed since it was read last. Raises StoreError."""

    def segments(
        self, scope: Scope, tier: KnowledgeTier, known: Collection[str] = ()
    ) -> AsyncIterator[Segment]:
        """The parts of the index that are not known yet, oldest first. Raises StoreError."""

    async def passages(self, scope: Scope, tier: KnowledgeTier, ids: Sequence[str]) -> Mapping[str, Passage]:
        """Those of the passages that are still there, with their texts. Raises StoreError."""

    async def documents(self, scope: Scope, tier: KnowledgeTier) -> Mapping[str, Document]:
        """All documents by id, without their texts. Raises StoreError."""


class DocumentStore(Documents, Protocol):
    """Documents that Winnow keeps."""

    async def put(self, scope: Scope, tier: KnowledgeTier, entries: Sequence[Entry]) -> int:
        """Keep these whole or not at all, in the place of those of the same ids; how many were new or other.

        Raises StoreError.
        """

    async def forget(self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None) -> int:
        """Delete these documents and all made of them, or all of the tier; how many there were."""

    async def text(self, scope: Scope, tier: KnowledgeTier, id_: str) -> str:
        """The text of one document, as it was when it was added; empty: there is none. Raises StoreError."""


class Facts(Protocol):
    """What is held to be true for one person. Nothing is overwritten: what is superseded stays, marked."""

    async def facts(self, scope: Scope) -> Sequence[Fact]:
        """All facts of the scope's user, in the order they came. Raises StoreError."""

    async def keep(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Add these; of a known id only status, ``replaced_by`` and ``reason`` change. Raises StoreError."""

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the user, or all; how many there were. Raises StoreError."""
