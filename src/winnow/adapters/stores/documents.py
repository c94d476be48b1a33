"""Documents of persons and of everybody in the store, the passages they are cut into, and their index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence

import sqlalchemy as sa

from winnow.adapters.stores import document_writer
from winnow.adapters.stores.database import StoreTable, asks, reads, writes
from winnow.adapters.stores.document_rows import (
    DocumentTier,
    document_passages,
    documents_by_id,
    of_tier,
    passages_by_id,
    segment_passages,
    tier_head,
)
from winnow.adapters.stores.schema import documents, marks, row_chunks, segments
from winnow.adapters.stores.validation import check_tier
from winnow.ports.stores import NO_DUPLICATES, DuplicateMarks, IndexPart, Segment, StoredDocument
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.message import HistoryVersion
from winnow.types.scope import Scope

MAX_SIMILAR = 1000
"""Passages that are compared with those of one batch, at most: of a thousand letters after one pattern the
last need not be compared with all before."""
_PARTS = (
    sa.select(segments.c.id, segments.c.count, segments.c.dead)
    .where(of_tier(segments))
    .order_by(segments.c.position)
)
_DATA = sa.select(segments.c.data, segments.c.dead).where(
    of_tier(segments), segments.c.id == sa.bindparam("segment")
)
_TEXT = sa.select(documents.c.text).where(of_tier(documents), documents.c.id == sa.bindparam("document"))
_ALIKE = (
    sa.select(marks.c.passage)
    .distinct()
    .where(of_tier(marks), marks.c.mark.in_(sa.bindparam("wanted", expanding=True)))
    .limit(MAX_SIMILAR)
)


class DocumentTable(StoreTable):
    """The ``DocumentStore`` of a store."""

    @asks
    def stamp(self, db: sa.Connection, scope: Scope, tier: KnowledgeTier) -> HistoryVersion:
        """One row, however many documents there are. A mark is never given twice."""
        now = tier_head(db, DocumentTier.of(scope, tier))
        return HistoryVersion(now.count, now.mark)

    async def segments(
        self, scope: Scope, tier: KnowledgeTier, known: Collection[str] = ()
    ) -> AsyncIterator[Segment]:
        """All parts of the index, oldest first; the known ones without their data.

        Data is read one part at a time: one that another joins meanwhile does not come, and the stamp tells.
        """
        for id_, _, dead in await self._parts(scope, tier):
            if id_ in known:
                yield Segment(id_, b"", frozenset(dead))
            elif found := await self._data(scope, tier, id_):
                yield Segment(id_, found[0], frozenset(found[1]))

    @asks
    def _parts(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier
    ) -> list[tuple[str, int, list[str]]]:
        return [
            (row[0], row[1], row[2]) for row in db.execute(_PARTS, DocumentTier.of(scope, tier).parameters())
        ]

    @asks
    def _data(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, segment: str
    ) -> tuple[bytes, list[str]] | None:
        row = db.execute(_DATA, DocumentTier.of(scope, tier).parameters(segment=segment)).first()
        return (row[0], row[1]) if row else None

    @reads
    def within(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, segment: str, most: int = 100_000
    ) -> Sequence[Passage]:
        """The passages that still are of that segment; of ``""``: those that no segment has yet."""
        return segment_passages(db, DocumentTier.of(scope, tier), segment, most)

    @reads
    def passages(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, ids: Sequence[str]
    ) -> Mapping[str, Passage]:
        """Those of the passages that stand for themselves, with their texts."""
        return passages_by_id(db, DocumentTier.of(scope, tier), ids)

    @reads
    def documents(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> Mapping[str, Document]:
        """These documents, or all, without their texts."""
        return documents_by_id(db, DocumentTier.of(scope, tier), ids)

    async def put(
        self,
        scope: Scope,
        tier: KnowledgeTier,
        entries: Sequence[StoredDocument],
        index: bytes = b"",
        likeness: DuplicateMarks = NO_DUPLICATES,
    ) -> int:
        """Keep these whole or not at all, in the place of those of the same ids; how many are new."""
        given = {entry.document.id: entry for entry in entries}
        if not given:
            return 0
        check_tier(scope, tier, [*given, *(p.id for entry in given.values() for p in entry.passages)])
        return await self._put(scope, tier, list(given.values()), index, likeness)

    @writes(alone="user")
    def _put(
        self,
        db: sa.Connection,
        scope: Scope,
        tier: KnowledgeTier,
        entries: Sequence[StoredDocument],
        index: bytes,
        likeness: DuplicateMarks,
    ) -> int:
        return document_writer.put_documents(db, DocumentTier.of(scope, tier), entries, index, likeness)

    @writes(alone="user")
    def forget(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> int:
        """Delete these documents and all made of them, or all of the tier; how many there were."""
        return document_writer.forget_documents(db, DocumentTier.of(scope, tier), ids)

    @reads
    def passages_of(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, id_: str
    ) -> Sequence[Passage]:
        """The passages of one document in order, without those that others stand for."""
        return document_passages(db, DocumentTier.of(scope, tier), id_)

    @asks
    def text(self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, id_: str) -> str:
        """The text of one document; empty: there is none."""
        return db.scalar(_TEXT, DocumentTier.of(scope, tier).parameters(document=id_)) or ""

    @reads
    def alike(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, marks: Collection[int]
    ) -> Sequence[Passage]:
        """Passages that have any of these marks and are folded into no other, at most a thousand."""
        shelf = DocumentTier.of(scope, tier)
        ids = {
            passage: None
            for part in row_chunks(dict.fromkeys(marks))
            for passage in db.scalars(_ALIKE, shelf.parameters(wanted=part))
        }
        return list(passages_by_id(db, shelf, list(ids)[:MAX_SIMILAR]).values())

    async def parts(self, scope: Scope, tier: KnowledgeTier) -> Sequence[IndexPart]:
        """What the index is made of, oldest first."""
        return [IndexPart(id_, count, len(dead)) for id_, count, dead in await self._parts(scope, tier)]

    @writes(alone="user")
    def join(
        self,
        db: sa.Connection,
        scope: Scope,
        tier: KnowledgeTier,
        parts: Collection[str],
        ids: Collection[str],
        index: bytes,
    ) -> bool:
        """Put one segment, made of these passages, in the place of the parts."""
        return document_writer.join_segments(db, DocumentTier.of(scope, tier), parts, set(ids), index)
