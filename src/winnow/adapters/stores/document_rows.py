"""Rows of documents and what the reading and the writing of them share: whose they are, what a row says."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.schema import (
    StoredText,
    documents,
    in_scope,
    passages,
    row_chunks,
    scope_columns,
    scope_parameters,
    shelves,
)
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.scope import Scope

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
