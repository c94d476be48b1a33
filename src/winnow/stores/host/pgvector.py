"""pgvector in a host's database: its version, the column that holds vectors, and what is indexed how."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from winnow.errors import Phrase, Problem
from winnow.types.history import Distance, HostTable

OPERATORS: dict[Distance, str] = {"cosine": "<=>", "l2": "<->", "inner": "<#>"}
_CLASSES: dict[Distance, str] = {"cosine": "cosine", "l2": "l2", "inner": "ip"}
TYPES = ("vector", "halfvec")
ITERATIVE = (0, 8)
"""The first version whose HNSW goes on scanning until a filter has let enough rows through."""
_EXTENSION = sa.text(
    "SELECT extversion, nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace"
    " WHERE extname = 'vector'"
)
_COLUMN = sa.text(
    "SELECT typname, atttypmod FROM pg_attribute JOIN pg_type t ON t.oid = atttypid"
    " WHERE attrelid = to_regclass(:table) AND attname = :column AND NOT attisdropped"
)
_INDEXES = sa.text(
    "SELECT opcname FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_am m ON m.oid = relam"
    " JOIN pg_attribute a ON a.attrelid = indrelid AND attnum = indkey[0]"
    " JOIN pg_opclass o ON o.oid = indclass[0]"
    " WHERE indrelid = to_regclass(:table) AND attname = :column AND amname = 'hnsw'"
    " AND indisvalid AND indpred IS NULL"
)


@dataclass(frozen=True, slots=True)
class VectorColumn:
    """Where a host keeps its vectors."""

    name: str
    type: str
    """Of the column; empty: there is none of that name."""
    dimension: int
    """0: the column takes vectors of any."""
    version: tuple[int, ...] = ()
    """Of the extension; empty: it is not installed."""
    schema: str = ""
    """Where its types and operators are."""
    classes: tuple[str, ...] = ()
    """Operator class of each HNSW index over all rows of the column."""

    @property
    def iterative(self) -> bool:
        """Whether HNSW can be asked to go on until a filter has let enough rows through."""
        return self.version >= ITERATIVE

    def has_index(self, distance: Distance) -> bool:
        """Whether an HNSW index orders by that distance."""
        return f"{self.type}_{_CLASSES[distance]}_ops" in self.classes

    def index_sql(self, table: str, column: str, distance: Distance) -> str:
        """The statement that makes such an index."""
        made = f"USING hnsw ({column} {self.type}_{_CLASSES[distance]}_ops)"
        return f"CREATE INDEX CONCURRENTLY ON {table} {made}"


def vector_column(db: sa.Connection, table: HostTable) -> VectorColumn:
    """What there is under the mapped name, in PostgreSQL."""
    where = {"table": quoted(db, table), "column": table.columns.vector}
    extension = db.execute(_EXTENSION).first()
    version, schema = extension or ("", "")
    kind, dimension = db.execute(_COLUMN, where).first() or ("", 0)
    classes = db.execute(_INDEXES, where).scalars().all() if extension else ()
    numbers = tuple(int(part) for part in re.findall(r"[0-9]+", version))
    return VectorColumn(table.columns.vector, kind, max(dimension, 0), numbers, schema, tuple(classes))


def quoted(db: sa.Connection, table: HostTable) -> str:
    """The table as it is written in a statement."""
    return db.dialect.identifier_preparer.format_table(sa.table(table.table, schema=table.schema or None))


def vector_problems(column: VectorColumn, dimension: int) -> Iterator[Problem]:
    """Why the host's vectors cannot be searched; ``dimension`` is the expected one, 0: any."""
    if not column.version:
        told = Phrase("pgvector is not installed in this database: {sql}", sql="CREATE EXTENSION vector")
        yield Problem("", "messages.url", told)
    if not column.name:
        yield Problem("", "messages.columns.vector", "must name a column")
    elif column.type not in TYPES:
        text = "{name} is of the type {type}; vectors are of {types}"
        unlike = Phrase(text, name=column.name, type=column.type or "?", types=TYPES)
        yield Problem("", "messages.columns.vector", unlike)
    elif dimension and column.dimension and column.dimension != dimension:
        text = "{name} holds vectors of {there} numbers, not of {asked}"
        why = Phrase(text, name=column.name, there=column.dimension, asked=dimension)
        yield Problem("", "vector_search.embedding_dim", why)
