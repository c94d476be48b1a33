"""Documents and facts, as the rest of Winnow sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
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
    """What ``recall.passages`` made of it; of another version it is made anew. Empty: known already."""
    dead: frozenset[str] = frozenset()
    """Ids of passages in it that no longer are. One may stand in a later segment, as it is now."""


@dataclass(frozen=True, slots=True)
class Part:
    """How much of a segment is still needed."""

    id: str
    passages: int
    """That it was made of."""
    dead: int = 0


@dataclass(frozen=True, slots=True)
class Likeness:
    """What is known of passages that say the same as others."""

    folded: Mapping[str, str] = field(default_factory=dict)
    """Id of a passage, given or kept -> id of the one, given or kept, that stands for it from now on."""
    marks: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Id of a given passage -> numbers (64 bits, signed); what nearly says the same has one in common."""


UNLIKE = Likeness()


class Documents(Protocol):
    """Documents of a person (``private``) or of everybody of the tenant (``public``), cut into passages.

    Private rows are reached with the scope's tenant and user, public ones with its tenant.
    """

    async def stamp(self, scope: Scope, tier: KnowledgeTier) -> Stamp:
        """What tells whether anything changed since it was read last; documents are counted.

        Raises StoreError.
        """

    def segments(
        self, scope: Scope, tier: KnowledgeTier, known: Collection[str] = ()
    ) -> AsyncIterator[Segment]:
        """All parts of the index, oldest first; those that are known come without their data.

        A known one that does not come is no longer needed. Raises StoreError.
        """

    async def within(
        self, scope: Scope, tier: KnowledgeTier, segment: str, most: int = 100_000
    ) -> Sequence[Passage]:
        """The passages that still are of that segment; of ``""``: those that no segment has yet.

        Raises StoreError.
        """

    async def passages(self, scope: Scope, tier: KnowledgeTier, ids: Sequence[str]) -> Mapping[str, Passage]:
        """Those of the passages that are still there, with their texts. Raises StoreError."""

    async def documents(
        self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> Mapping[str, Document]:
        """These documents, or all, by id in the order they came, without their texts. Raises StoreError."""


class DocumentStore(Documents, Protocol):
    """Documents that Winnow keeps."""

    async def put(
        self,
        scope: Scope,
        tier: KnowledgeTier,
        entries: Sequence[Entry],
        index: bytes = b"",
        likeness: Likeness = UNLIKE,
    ) -> int:
        """Keep these whole or not at all, in the place of those of the same ids; how many are new.

        ``index``: what ``recall.passages`` made of their passages, without the folded ones. Without it they
        are found once ``join`` puts them into a segment. Raises StoreError.
        """

    async def forget(self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None) -> int:
        """Delete these documents and all made of them, or all of the tier; how many there were.

        What was folded into a passage of theirs stands for itself again, in no segment. Raises StoreError.
        """

    async def passages_of(self, scope: Scope, tier: KnowledgeTier, id_: str) -> Sequence[Passage]:
        """The passages of one document in order, without those that others stand for. Raises StoreError."""

    async def text(self, scope: Scope, tier: KnowledgeTier, id_: str) -> str:
        """The text of one document, as it was when it was added; empty: there is none. Raises StoreError."""

    async def alike(self, scope: Scope, tier: KnowledgeTier, marks: Collection[int]) -> Sequence[Passage]:
        """Passages that have any of these marks and are folded into no other. Raises StoreError."""

    async def parts(self, scope: Scope, tier: KnowledgeTier) -> Sequence[Part]:
        """What the index is made of, oldest first. Raises StoreError."""

    async def join(
        self, scope: Scope, tier: KnowledgeTier, parts: Collection[str], ids: Collection[str], index: bytes
    ) -> bool:
        """Put one segment, made of these passages, in the place of the parts.

        False, and nothing is changed: the passages are no longer all that still are of those parts, and of
        none. Raises StoreError.
        """


class Facts(Protocol):
    """What is held to be true for one person. Nothing is overwritten: what is superseded stays, marked."""

    async def facts(self, scope: Scope) -> Sequence[Fact]:
        """All facts of the scope's user, in the order they came. Raises StoreError."""

    async def keep(self, scope: Scope, facts: Sequence[Fact]) -> None:
        """Add these; of a known id only status, ``replaced_by`` and ``reason`` change. Raises StoreError."""

    async def forget(self, scope: Scope, ids: Collection[str] | None = None) -> int:
        """Delete these facts of the user, or all; how many there were. Raises StoreError."""
