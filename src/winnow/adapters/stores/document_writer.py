"""How the rows of documents are written: what is put in the place of others, folded, joined, forgotten.

Each function is the work of one transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.document_rows import (
    DOCUMENT_FIELDS,
    DocumentTier,
    having_ids,
    of_tier,
    tier_head,
    write_tier_head,
)
from winnow.adapters.stores.schema import DOCUMENT_TABLES, documents, marks, passages, row_chunks, segments
from winnow.adapters.stores.validation import stored_document
from winnow.ports.stores import DuplicateMarks, StoredDocument

_KEPT = [passages.c[name] for name in ("id", "document", "segment", "folded", "also", "marks")]
_OF_DOCUMENTS = sa.select(*_KEPT).where(having_ids(passages.c.document))
_THESE = sa.select(*_KEPT).where(having_ids(passages.c.id))
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
    return [row for part in row_chunks(ids) for row in db.execute(_THESE, shelf.parameters(ids=part))]


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
