"""Rows of documents and what the reading and the writing of them share: whose they are, what a row says."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.schema import Text, chunks, documents, key, passages, shelves, whose, within
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.scope import Scope

FIELDS = (
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
ABOUT = [documents.c[name] for name in FIELDS]
_READ = [passages.c[name] for name in ("id", "document", "text", "headings", "start", "also")]


@dataclass(frozen=True, slots=True)
class Shelf:
    """All documents of one tier that a scope reaches."""

    scope: Scope
    tier: KnowledgeTier

    @classmethod
    def of(cls, scope: Scope, tier: KnowledgeTier) -> Shelf:
        """What is public is everybody's, whoever asks."""
        return cls(scope if tier == "private" else replace(scope, user=""), tier)

    def given(self, **more: object) -> dict[str, object]:
        """The parameters of a statement over ``on_shelf``."""
        return whose(self.scope, scope_tier=self.tier, **more)

    def key(self, table: sa.Table) -> dict[str, str]:
        """What a new row of that table begins with."""
        return {**key(table, self.scope), "tier": self.tier}


def on_shelf(table: sa.Table) -> sa.ColumnElement[bool]:
    """The rows of that table that the shelf of ``given`` holds."""
    return sa.and_(within(table), table.c.tier == sa.bindparam("scope_tier", type_=Text))


def among(column: sa.Column[Any]) -> sa.ColumnElement[bool]:
    """Of these the ones whose column is one of ``ids``."""
    return sa.and_(on_shelf(column.table), column.in_(sa.bindparam("ids", expanding=True)))


_HEAD = sa.select(shelves.c.count, shelves.c.last, shelves.c.mark).where(on_shelf(shelves))
_BEHEAD = sa.delete(shelves).where(on_shelf(shelves))
_THESE = sa.select(*_READ).where(among(passages.c.id), passages.c.folded == "")
_DOCUMENTS = sa.select(*ABOUT).where(among(documents.c.id))
_ALL_DOCUMENTS = sa.select(*ABOUT).where(on_shelf(documents)).order_by(documents.c.position)
_OF_SEGMENT = (
    sa.select(*_READ)
    .where(on_shelf(passages), passages.c.folded == "")
    .where(passages.c.segment == sa.bindparam("segment", type_=Text))
    .order_by(passages.c.document, passages.c.position)
    .limit(sa.bindparam("most"))
)
_OF_DOCUMENT = (
    sa.select(*_READ)
    .where(on_shelf(passages), passages.c.folded == "")
    .where(passages.c.document == sa.bindparam("of_document", type_=Text))
    .order_by(passages.c.position)
)


@dataclass(frozen=True, slots=True)
class Head:
    """The row of a shelf: its documents, the last position given away, a mark that no two writes share."""

    count: int = 0
    last: int = 0
    mark: str = ""


def head(db: sa.Connection, shelf: Shelf) -> Head:
    """What the shelf looks like."""
    row = db.execute(_HEAD, shelf.given()).first()
    return Head(*row) if row else Head()


def write_head(db: sa.Connection, shelf: Shelf, count: int, last: int) -> None:
    """Say with a new mark what the shelf looks like now; of an empty one nothing is left."""
    db.execute(_BEHEAD, shelf.given())
    if count:
        row = {"count": count, "last": last, "mark": secrets.token_hex(8)}
        db.execute(sa.insert(shelves), {**shelf.key(shelves), **row})


def found_documents(db: sa.Connection, shelf: Shelf, ids: Iterable[str] | None) -> dict[str, Document]:
    """These documents, or all in the order they came."""
    if ids is None:
        return {row.id: Document(*row) for row in db.execute(_ALL_DOCUMENTS, shelf.given())}
    parts = chunks(dict.fromkeys(ids))
    return {r.id: Document(*r) for part in parts for r in db.execute(_DOCUMENTS, shelf.given(ids=part))}


def found_passages(db: sa.Connection, shelf: Shelf, ids: Iterable[str]) -> dict[str, Passage]:
    """Those of the passages that stand for themselves."""
    rows = [row for part in chunks(ids) for row in db.execute(_THESE, shelf.given(ids=part))]
    return {passage.id: passage for passage in read(db, shelf, rows)}


def of_segment(db: sa.Connection, shelf: Shelf, segment: str, most: int) -> list[Passage]:
    """What is of that segment, by document and place."""
    return read(db, shelf, db.execute(_OF_SEGMENT, shelf.given(segment=segment, most=most)).all())


def of_document(db: sa.Connection, shelf: Shelf, document: str) -> list[Passage]:
    """The passages of that document that stand for themselves, in order."""
    return read(db, shelf, db.execute(_OF_DOCUMENT, shelf.given(of_document=document)).all())


def read(db: sa.Connection, shelf: Shelf, rows: Sequence[sa.Row[Any]]) -> list[Passage]:
    """Rows with their documents."""
    known = found_documents(db, shelf, (row.document for row in rows))
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
