"""Documents of persons and of everybody in the store, the passages they are cut into, and their index."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.database import StoreTable, asks, check_tier, reads, stored_document, writes
from winnow.adapters.stores.schema import (
    DOCUMENT_TABLES,
    StoredText,
    documents,
    in_scope,
    marks,
    passages,
    row_chunks,
    scope_columns,
    scope_parameters,
    segments,
    shelves,
)
from winnow.ports.stores import NO_DUPLICATES, DuplicateMarks, IndexPart, Segment, StoredDocument
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.message import HistoryVersion
from winnow.types.scope import Scope

# Rows of documents and what the reading and the writing of them share: whose they are, what a row says.

DOCUMENT_FIELDS = (
    "id",
    "title",
    "kind",
    "collection",
    "domain",
    "importance",
    "credibility",
    "source",
    "at",
    "digest",
)
"""Columns of a document, in the order of the fields of ``Document``."""
DOCUMENT_COLUMNS = [documents.c[name] for name in DOCUMENT_FIELDS]
_READ = [passages.c[name] for name in ("id", "document", "text", "headings", "start", "also")]


@dataclass(frozen=True, slots=True)
class DocumentTier:
    """All documents of one tier that a scope reaches."""

    scope: Scope
    tier: KnowledgeTier

    @classmethod
    def of(cls, scope: Scope, tier: KnowledgeTier) -> DocumentTier:
        """What is public is everybody's, whoever asks."""
        return cls(scope if tier == "private" else replace(scope, user=""), tier)

    def parameters(self, **more: object) -> dict[str, object]:
        """The parameters of a statement over ``of_tier``."""
        return scope_parameters(self.scope, scope_tier=self.tier, **more)

    def key_columns(self, table: sa.Table) -> dict[str, str]:
        """What a new row of that table begins with."""
        return {**scope_columns(table, self.scope), "tier": self.tier}


def of_tier(table: sa.Table) -> sa.ColumnElement[bool]:
    """The rows of that table that the shelf of ``given`` holds."""
    return sa.and_(in_scope(table), table.c.tier == sa.bindparam("scope_tier", type_=StoredText))


def having_ids(column: sa.Column[Any]) -> sa.ColumnElement[bool]:
    """Of these the ones whose column is one of ``ids``."""
    return sa.and_(of_tier(column.table), column.in_(sa.bindparam("ids", expanding=True)))


_HEAD = sa.select(shelves.c.count, shelves.c.last, shelves.c.mark).where(of_tier(shelves))
_BEHEAD = sa.delete(shelves).where(of_tier(shelves))
_THESE = sa.select(*_READ).where(having_ids(passages.c.id), passages.c.folded == "")
_DOCUMENTS = sa.select(*DOCUMENT_COLUMNS).where(having_ids(documents.c.id))
_ALL_DOCUMENTS = sa.select(*DOCUMENT_COLUMNS).where(of_tier(documents)).order_by(documents.c.position)
_OF_SEGMENT = (
    sa.select(*_READ)
    .where(of_tier(passages), passages.c.folded == "")
    .where(passages.c.segment == sa.bindparam("segment", type_=StoredText))
    .order_by(passages.c.document, passages.c.position)
    .limit(sa.bindparam("most"))
)
_OF_DOCUMENT = (
    sa.select(*_READ)
    .where(of_tier(passages), passages.c.folded == "")
    .where(passages.c.document == sa.bindparam("of_document", type_=StoredText))
    .order_by(passages.c.position)
)


@dataclass(frozen=True, slots=True)
class TierHead:
    """The row of a shelf: its documents, the last position given away, a mark that no two writes share."""

    count: int = 0
    last: int = 0
    mark: str = ""


def tier_head(db: sa.Connection, shelf: DocumentTier) -> TierHead:
    """What the shelf looks like."""
    row = db.execute(_HEAD, shelf.parameters()).first()
    return TierHead(*row) if row else TierHead()


def write_tier_head(db: sa.Connection, shelf: DocumentTier, count: int, last: int) -> None:
    """Say with a new mark what the shelf looks like now; of an empty one nothing is left."""
    db.execute(_BEHEAD, shelf.parameters())
    if count:
        row = {"count": count, "last": last, "mark": secrets.token_hex(8)}
        db.execute(sa.insert(shelves), {**shelf.key_columns(shelves), **row})


def documents_by_id(db: sa.Connection, shelf: DocumentTier, ids: Iterable[str] | None) -> dict[str, Document]:
    """These documents, or all in the order they came."""
    if ids is None:
        return {row.id: Document(*row) for row in db.execute(_ALL_DOCUMENTS, shelf.parameters())}
    parts = row_chunks(dict.fromkeys(ids))
    return {r.id: Document(*r) for part in parts for r in db.execute(_DOCUMENTS, shelf.parameters(ids=part))}


def passages_by_id(db: sa.Connection, shelf: DocumentTier, ids: Iterable[str]) -> dict[str, Passage]:
    """Those of the passages that stand for themselves."""
    rows = [row for part in row_chunks(ids) for row in db.execute(_THESE, shelf.parameters(ids=part))]
    return {passage.id: passage for passage in passages_of_rows(db, shelf, rows)}


def segment_passages(db: sa.Connection, shelf: DocumentTier, segment: str, most: int) -> list[Passage]:
    """What is of that segment, by document and place."""
    return passages_of_rows(
        db, shelf, db.execute(_OF_SEGMENT, shelf.parameters(segment=segment, most=most)).all()
    )


def document_passages(db: sa.Connection, shelf: DocumentTier, document: str) -> list[Passage]:
    """The passages of that document that stand for themselves, in order."""
    return passages_of_rows(db, shelf, db.execute(_OF_DOCUMENT, shelf.parameters(of_document=document)).all())


def passages_of_rows(db: sa.Connection, shelf: DocumentTier, rows: Sequence[sa.Row[Any]]) -> list[Passage]:
    """Rows with their documents."""
    known = documents_by_id(db, shelf, (row.document for row in rows))
    return [
        Passage(
            row.id,
            known[row.document],
            row.text,
            tuple(row.headings),
            row.start,
            tuple(dict.fromkeys(row.also.values())),
        )
        for row in rows
    ]


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
        return put_documents(db, DocumentTier.of(scope, tier), entries, index, likeness)

    @writes(alone="user")
    def forget(
        self, db: sa.Connection, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> int:
        """Delete these documents and all made of them, or all of the tier; how many there were."""
        return forget_documents(db, DocumentTier.of(scope, tier), ids)

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
        return join_segments(db, DocumentTier.of(scope, tier), parts, set(ids), index)


# How the rows of documents are written: what is put in the place of others, folded, joined, forgotten.

_KEPT = [passages.c[name] for name in ("id", "document", "segment", "folded", "also", "marks")]
_OF_DOCUMENTS = sa.select(*_KEPT).where(having_ids(passages.c.document))
_THESE_KEPT = sa.select(*_KEPT).where(having_ids(passages.c.id))
_OF_SEGMENTS = sa.select(passages.c.id).where(having_ids(passages.c.segment), passages.c.folded == "")
_LOOSE = sa.select(passages.c.id).where(
    having_ids(passages.c.id), passages.c.segment == "", passages.c.folded == ""
)
_DEAD = sa.select(segments.c.id, segments.c.count, segments.c.dead).where(having_ids(segments.c.id))
_DELETE_DOCUMENTS = sa.delete(documents).where(having_ids(documents.c.id))
_DELETE_PASSAGES = sa.delete(passages).where(having_ids(passages.c.document))
_DELETE_SEGMENTS = sa.delete(segments).where(having_ids(segments.c.id))
_DELETE_ALL = {table.name: sa.delete(table).where(of_tier(table)) for table in DOCUMENT_TABLES}
_UNMARK = sa.delete(marks).where(
    of_tier(marks), marks.c.mark == sa.bindparam("gone"), marks.c.passage == sa.bindparam("of_passage")
)
_THIS = of_tier(passages) & (passages.c.id == sa.bindparam("changed"))
_FOLD = (
    sa.update(passages)
    .where(_THIS)
    .values(folded=sa.bindparam("into"), segment="", also=sa.bindparam("none", type_=sa.JSON))
)
_NAME = sa.update(passages).where(_THIS).values(also=sa.bindparam("others", type_=sa.JSON))
_FREE = sa.update(passages).where(_THIS).values(folded="")
_MOVE = sa.update(passages).where(having_ids(passages.c.id)).values(segment=sa.bindparam("into"))
_BURY = (
    sa.update(segments)
    .where(of_tier(segments), segments.c.id == sa.bindparam("changed"))
    .values(dead=sa.bindparam("ids_of_dead", type_=sa.JSON))
)


def put_documents(
    db: sa.Connection,
    shelf: DocumentTier,
    entries: Sequence[StoredDocument],
    index: bytes,
    likeness: DuplicateMarks,
) -> int:
    """Write these in the place of those of the same ids; how many are new."""
    ids = [entry.document.id for entry in entries]
    before, known = tier_head(db, shelf), _remove(db, shelf, ids)
    on_their_own = sum(p.id not in likeness.folded for entry in entries for p in entry.passages)
    segment = _insert_segment(db, shelf, before.last + 1, on_their_own, index)
    about = [
        {
            **shelf.key_columns(documents),
            **{name: getattr(stored_document(entry.document), name) for name in DOCUMENT_FIELDS},
            "position": position,
            "text": entry.text,
        }
        for position, entry in enumerate(entries, before.last + 2)
    ]
    db.execute(sa.insert(documents), about)
    _insert_passages(db, shelf, entries, segment, likeness)
    _fold(db, shelf, likeness.folded)
    write_tier_head(db, shelf, before.count + len(ids) - known, before.last + 1 + len(entries))
    return len(ids) - known


def forget_documents(db: sa.Connection, shelf: DocumentTier, ids: Collection[str] | None) -> int:
    """Delete these documents or all; how many there were."""
    before = tier_head(db, shelf)
    if ids is None:
        for statement in _DELETE_ALL.values():
            db.execute(statement, shelf.parameters())
        return before.count
    gone = _remove(db, shelf, dict.fromkeys(ids))
    if gone:
        write_tier_head(db, shelf, before.count - gone, before.last)
    return gone


def join_segments(
    db: sa.Connection, shelf: DocumentTier, parts: Collection[str], ids: set[str], index: bytes
) -> bool:
    """One segment of these passages in the place of the parts; False: they are no longer what is there."""
    there = {
        id_ for part in row_chunks(parts) for id_ in db.scalars(_OF_SEGMENTS, shelf.parameters(ids=part))
    }
    loose = {
        id_ for part in row_chunks(ids - there) for id_ in db.scalars(_LOOSE, shelf.parameters(ids=part))
    }
    if not ids or there | loose != ids:
        return False
    before = tier_head(db, shelf)
    segment = _insert_segment(db, shelf, before.last + 1, len(ids), index)
    for part in row_chunks(ids):
        db.execute(_MOVE, shelf.parameters(ids=part, into=segment))
    for part in row_chunks(parts):
        db.execute(_DELETE_SEGMENTS, shelf.parameters(ids=part))
    write_tier_head(db, shelf, before.count, before.last + 1)
    return True


def _remove(db: sa.Connection, shelf: DocumentTier, ids: Iterable[str]) -> int:
    """Delete these documents and all made of them; how many there were."""
    removed = 0
    for part in row_chunks(ids):
        gone = db.execute(_OF_DOCUMENTS, shelf.parameters(ids=part)).all()
        _unmark(db, shelf, gone)
        _mark_dead(db, shelf, gone)
        db.execute(_DELETE_PASSAGES, shelf.parameters(ids=part))
        # What they stood for stands for itself again; what stood for them names them no longer.
        for freed in _rows(db, shelf, [id_ for row in gone for id_ in row.also]):
            db.execute(_FREE, shelf.parameters(changed=freed.id))
            _mark(db, shelf, {freed.id: freed.marks})
        gone_ids = {row.id for row in gone}
        for row in _rows(db, shelf, {row.folded for row in gone} - {""}):
            left = {id_: document for id_, document in row.also.items() if id_ not in gone_ids}
            db.execute(_NAME, shelf.parameters(changed=row.id, others=left))
        removed += db.execute(_DELETE_DOCUMENTS, shelf.parameters(ids=part)).rowcount
    return removed


def _mark_dead(db: sa.Connection, shelf: DocumentTier, rows: Iterable[sa.Row[Any]]) -> None:
    """Note in their segments that these passages no longer are; of one without any other nothing is left."""
    dead: dict[str, list[str]] = {}
    for row in rows:
        dead.setdefault(row.segment, []).append(row.id)
    dead.pop("", None)
    for part in row_chunks(dead):
        for id_, count, known in db.execute(_DEAD, shelf.parameters(ids=part)).all():
            now = sorted({*known, *dead[id_]})
            if len(now) < count:
                db.execute(_BURY, shelf.parameters(changed=id_, ids_of_dead=now))
            else:
                db.execute(_DELETE_SEGMENTS, shelf.parameters(ids=[id_]))


def _rows(db: sa.Connection, shelf: DocumentTier, ids: Iterable[str]) -> list[sa.Row[Any]]:
    """The rows of these passages, as far as they are there."""
    return [row for part in row_chunks(ids) for row in db.execute(_THESE_KEPT, shelf.parameters(ids=part))]


def _fold(db: sa.Connection, shelf: DocumentTier, folded: Mapping[str, str]) -> None:
    """Let each passage be stood for by its other; where that is not there it stands for itself."""
    for into, pairs in groupby(sorted(folded.items(), key=lambda pair: pair[1]), key=lambda pair: pair[1]):
        ids = [id_ for id_, _ in pairs]
        there = {row.id: row for row in _rows(db, shelf, [into, *ids])}
        kept = there.get(into)
        if kept is None or kept.folded:
            continue
        _fold_into(db, shelf, kept, [there[id_] for id_ in ids if id_ in there])


def _fold_into(
    db: sa.Connection, shelf: DocumentTier, kept: sa.Row[Any], rows: Sequence[sa.Row[Any]]
) -> None:
    """The rows, and what they stood for, are stood for by the one that is kept."""
    named = dict(kept.also)
    for row in rows:
        named |= {row.id: row.document, **row.also}
    _unmark(db, shelf, rows)
    _mark_dead(db, shelf, rows)
    fresh = [id_ for id_ in named if id_ not in kept.also]
    db.execute(_FOLD, [shelf.parameters(changed=id_, into=kept.id, none={}) for id_ in fresh])
    db.execute(_NAME, shelf.parameters(changed=kept.id, others=named))


def _insert_segment(db: sa.Connection, shelf: DocumentTier, position: int, count: int, index: bytes) -> str:
    """The id of a new segment; empty where there is nothing in it."""
    if not (index and count):
        return ""
    id_ = secrets.token_hex(8)
    row = {"id": id_, "position": position, "count": count, "dead": [], "data": index}
    db.execute(sa.insert(segments), {**shelf.key_columns(segments), **row})
    return id_


def _insert_passages(
    db: sa.Connection,
    shelf: DocumentTier,
    entries: Sequence[StoredDocument],
    segment: str,
    likeness: DuplicateMarks,
) -> None:
    marked = {
        # Numbers as 8 bytes each, every one once.
        id_: b"".join(number.to_bytes(8, "little", signed=True) for number in sorted(set(numbers)))
        for id_, numbers in likeness.marks.items()
    }
    rows = [
        {
            **shelf.key_columns(passages),
            "id": passage.id,
            "document": entry.document.id,
            "segment": "" if passage.id in likeness.folded else segment,
            "folded": "",
            "also": {},
            "headings": list(passage.headings),
            "position": position,
            "start": passage.start,
            "marks": marked.get(passage.id, b""),
            "text": passage.text,
        }
        for entry in entries
        for position, passage in enumerate(entry.passages)
    ]
    if rows:
        db.execute(sa.insert(passages), rows)
    _mark(db, shelf, marked)


def _mark(db: sa.Connection, shelf: DocumentTier, marked: Mapping[str, bytes]) -> None:
    belongs = shelf.key_columns(marks)
    rows = [
        {**belongs, "mark": mark, "passage": id_}
        for id_, packed in marked.items()
        for mark in _unpack_marks(packed)
    ]
    if rows:
        db.execute(sa.insert(marks), rows)


def _unmark(db: sa.Connection, shelf: DocumentTier, rows: Iterable[sa.Row[Any]]) -> None:
    gone = [
        shelf.parameters(gone=mark, of_passage=row.id)
        for row in rows
        if not row.folded
        for mark in _unpack_marks(row.marks)
    ]
    if gone:
        db.execute(_UNMARK, gone)


def _unpack_marks(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 8], "little", signed=True) for at in range(0, len(data), 8)]
