"""Documents of persons and of everybody in the store, the passages they are cut into, and their index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence

import sqlalchemy as sa

from winnow.adapters.stores import document_writer as shelving
from winnow.adapters.stores.database import StoreTable, asks, reads, writes
from winnow.adapters.stores.document_rows import (
    Shelf,
    found_documents,
    found_passages,
    head,
    of_document,
    of_segment,
    on_shelf,
)
from winnow.adapters.stores.schema import chunks, documents, marks, segments
from winnow.adapters.stores.validation import check_tier
from winnow.ports.stores import UNLIKE, Entry, Likeness, Part, Segment
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.message import Stamp
from winnow.types.scope import Scope

ALIKE = 1000
"""Passages that are compared with those of one batch, at most: of a thousand letters after one pattern the
last need not be compared with all before."""
_PARTS = (
    sa.select(segments.c.id, segments.c.count, segments.c.dead)
    .where(on_shelf(segments))
    .order_by(segments.c.position)
)
_DATA = sa.select(segments.c.data, segments.c.dead).where(
    on_shelf(segments), segments.c.id == sa.bindparam("segment")
)
_TEXT = sa.select(documents.c.text).where(on_shelf(documents), documents.c.id == sa.bindparam("document"))
_ALIKE = (
    sa.select(marks.c.passage)
    .distinct()
    .where(on_shelf(marks), marks.c.mark.in_(sa.bindparam("wanted", expanding=True)))
    .limit(ALIKE)
)


class DocumentTable(StoreTable):
    """The ``DocumentStore`` of a store."""

    @asks
    def stamp(self, db: sa.Connection, scope: Scope, tier: KnowledgeTier) -> Stamp:
        """One row, however many documents there are. A mark is never given twice."""
        now = head(db, Shelf.of(scope, tier))
        return Stamp(now.count, now.mark)

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
        return [(row[0], row[1], row[2]) for row in db.execute(_PARTS, Shelf.of(scope, tier).given())]

    @asks
    def _data(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, segment: str
    ) -> tuple[bytes, list[str]] | None:
        row = db.execute(_DATA, Shelf.of(scope, tier).given(segment=segment)).first()
        return (row[0], row[1]) if row else None

    @reads
    def within(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, segment: str, most: int = 100_000
    ) -> Sequence[Passage]:
        """The passages that still are of that segment; of ``""``: those that no segment has yet."""
        return of_segment(db, Shelf.of(scope, tier), segment, most)

    @reads
    def passages(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, ids: Sequence[str]
    ) -> Mapping[str, Passage]:
        """Those of the passages that stand for themselves, with their texts."""
        return found_passages(db, Shelf.of(scope, tier), ids)

    @reads
    def documents(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> Mapping[str, Document]:
        """These documents, or all, without their texts."""
        return found_documents(db, Shelf.of(scope, tier), ids)

    async def put(
        self,
        scope: Scope,
        tier: KnowledgeTier,
        entries: Sequence[Entry],
        index: bytes = b"",
        likeness: Likeness = UNLIKE,
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
        entries: Sequence[Entry],
        index: bytes,
        likeness: Likeness,
    ) -> int:
        return shelving.put(db, Shelf.of(scope, tier), entries, index, likeness)

    @writes(alone="user")
    def forget(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> int:
        """Delete these documents and all made of them, or all of the tier; how many there were."""
        return shelving.forget(db, Shelf.of(scope, tier), ids)

    @reads
    def passages_of(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, id_: str
    ) -> Sequence[Passage]:
        """The passages of one document in order, without those that others stand for."""
        return of_document(db, Shelf.of(scope, tier), id_)

    @asks
    def text(self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, id_: str) -> str:
        """The text of one document; empty: there is none."""
        return db.scalar(_TEXT, Shelf.of(scope, tier).given(document=id_)) or ""

    @reads
    def alike(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, marks: Collection[int]
    ) -> Sequence[Passage]:
        """Passages that have any of these marks and are folded into no other, at most a thousand."""
        shelf = Shelf.of(scope, tier)
        ids = {
            passage: None
            for part in chunks(dict.fromkeys(marks))
            for passage in db.scalars(_ALIKE, shelf.given(wanted=part))
        }
        return list(found_passages(db, shelf, list(ids)[:ALIKE]).values())

    async def parts(self, scope: Scope, tier: KnowledgeTier) -> Sequence[Part]:
        """What the index is made of, oldest first."""
        return [Part(id_, count, len(dead)) for id_, count, dead in await self._parts(scope, tier)]

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
        return shelving.join(db, Shelf.of(scope, tier), parts, set(ids), index)
