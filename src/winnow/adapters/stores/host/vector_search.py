"""Nearest-neighbour search in a host's own pgvector column, behind the port ``Neighbours``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from winnow.adapters.stores.host.connection import SchemaType
from winnow.adapters.stores.host.messages import HostMessages, IdValue, id_text
from winnow.errors import ConfigError, Phrase, Problem, StoreError
from winnow.ports.services import run_aside
from winnow.types.message import HostTable, VectorDistance
from winnow.types.scope import Scope

if TYPE_CHECKING:
    from winnow.ports.stores import Floats

# pgvector in a host's database: its version, the column that holds vectors, and what is indexed how.

OPERATORS: dict[VectorDistance, str] = {"cosine": "<=>", "l2": "<->", "inner": "<#>"}
_CLASSES: dict[VectorDistance, str] = {"cosine": "cosine", "l2": "l2", "inner": "ip"}
VECTOR_TYPES = ("vector", "halfvec")
ITERATIVE_VERSION = (0, 8)
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
    def has_iterative_scan(self) -> bool:
        """Whether HNSW can be asked to go on until a filter has let enough rows through."""
        return self.version >= ITERATIVE_VERSION

    def has_index(self, distance: VectorDistance) -> bool:
        """Whether an HNSW index orders by that distance."""
        return f"{self.type}_{_CLASSES[distance]}_ops" in self.classes

    def index_sql(self, table: str, column: str, distance: VectorDistance) -> str:
        """The statement that makes such an index."""
        made = f"USING hnsw ({column} {self.type}_{_CLASSES[distance]}_ops)"
        return f"CREATE INDEX CONCURRENTLY ON {table} {made}"


def vector_column(db: sa.Connection, table: HostTable) -> VectorColumn:
    """What there is under the mapped name, in PostgreSQL."""
    where = {"table": table_sql(db, table), "column": table.columns.vector}
    extension = db.execute(_EXTENSION).first()
    version, schema = extension or ("", "")
    kind, dimension = db.execute(_COLUMN, where).first() or ("", 0)
    classes = db.execute(_INDEXES, where).scalars().all() if extension else ()
    numbers = tuple(int(part) for part in re.findall(r"[0-9]+", version))
    return VectorColumn(table.columns.vector, kind, max(dimension, 0), numbers, schema, tuple(classes))


def table_sql(db: sa.Connection, table: HostTable) -> str:
    """The table as it is written in a statement."""
    return db.dialect.identifier_preparer.format_table(sa.table(table.table, schema=table.schema or None))


def vector_problems(column: VectorColumn, dimension: int) -> Iterator[Problem]:
    """Why the host's vectors cannot be searched; ``dimension`` is the expected one, 0: any."""
    if not column.version:
        told = Phrase("pgvector is not installed in this database: {sql}", sql="CREATE EXTENSION vector")
        yield Problem("", "messages.url", told)
    if not column.name:
        yield Problem("", "messages.columns.vector", "must name a column")
    elif column.type not in VECTOR_TYPES:
        text = "{name} is of the type {type}; vectors are of {types}"
        unlike = Phrase(text, name=column.name, type=column.type or "?", types=VECTOR_TYPES)
        yield Problem("", "messages.columns.vector", unlike)
    elif dimension and column.dimension and column.dimension != dimension:
        text = "{name} holds vectors of {there} numbers, not of {asked}"
        why = Phrase(text, name=column.name, there=column.dimension, asked=dimension)
        yield Problem("", "vector_search.embedding_dim", why)


MAX_EXACT_ROWS = 50_000
"""Rows of one person that are all compared: 2,000 of 256 numbers take 2 ms, 20,000 take 13, 100,000 take 96.

Of 100,000 rows an HNSW index finds 99 % of the nearest in a few ms. The smaller a part of the table they are,
the less it finds and the longer it takes: of 2,000 rows among 160,000 it found 57 %, and took a hundred times
as long. Measured by ``benchmarks.host_vectors``.
"""
_WIDTH = 200
"""Candidates the index holds at least while it goes on."""
_WIDEST = 1000
"""More of them pgvector refuses."""
_SIMILARITY: dict[VectorDistance, Callable[[float], float]] = {
    "cosine": lambda far: 1.0 - far,
    "l2": lambda far: 1.0 - far * far / 2.0,
    "inner": lambda far: -far,
}
"""Distance -> the similarity: of vectors of length 1 it is the cosine each time."""


class HostNeighbours:
    """The ``Neighbours`` of a host's table in PostgreSQL with pgvector.

    ``dimension`` is what the vectors of questions have, 0: whatever the column has. The order is exact: all
    rows of the person are compared. Only where they are more than ``exact_up_to`` and there is an HNSW index
    for the distance is that one asked. Raises ConfigError with all that is missing, StoreError.
    """

    def __init__(
        self,
        messages: HostMessages,
        distance: VectorDistance = "cosine",
        dimension: int = 0,
        exact_up_to: int = MAX_EXACT_ROWS,
    ) -> None:
        self._messages, self._dimension = messages, dimension
        self._distance, self._exact_up_to = distance, exact_up_to

    async def nearest(self, scope: Scope, vector: Floats, limit: int) -> Mapping[str, float]:
        """Ids of the user's nearest messages and their similarity, best first.

        Messages without a vector are none of them.
        """

        def read() -> Mapping[str, float]:
            length = len(vector)
            column = self.column
            if column.dimension not in {0, length}:
                raise StoreError(
                    Phrase(
                        "{name} holds vectors of {there} numbers, and the question is one of {asked}.",
                        name=column.name,
                        there=column.dimension,
                        asked=length,
                    ),
                    hint="Set the model that made the vectors of the table: vector_search.embedding_model.",
                )
            whose = self._messages.rows.whose(scope) if scope.user else None
            if whose is None:
                return {}
            question = f"[{','.join(f'{x:.9g}' for x in vector.tolist())}]"
            bound = {**whose, "question": question, "most": limit}
            with self._messages.database.read() as db:
                rows = self._scan_index(db, bound, limit) if self._is_large(db, whose) else ()
                if len(rows) < limit:  # it is a small one, or the scan gave up
                    rows = db.execute(self._exact(len(vector)), bound).all()
            similarity = _SIMILARITY[self._distance]
            # A vector of zeros has no direction and is like none.
            return {id_text(key): similarity(far) for key, far in rows if not math.isnan(far)}

        return await run_aside(read)

    @cached_property
    def column(self) -> VectorColumn:
        """Where the vectors are. Raises ConfigError, StoreError."""
        database = self._messages.database
        if database.kind != "postgresql":
            raise ConfigError([Problem("", "vector_search.type", "only PostgreSQL has pgvector")])
        table = self._messages.rows.table  # once its mapping fits
        with database.read() as db:
            found = vector_column(db, table)
        if problems := tuple(vector_problems(found, self._dimension)):
            raise ConfigError(problems)
        return found

    def _is_large(self, db: sa.Connection, whose: Mapping[str, IdValue]) -> bool:
        """Whether the person has so many rows that an index is asked, where there is a fit one."""
        if not (self.column.has_iterative_scan and self.column.has_index(self._distance)):
            return False
        rows = self._messages.rows
        more = sa.select(sa.literal(1)).select_from(rows.source).where(rows.owned_by_user())
        return db.execute(more.offset(self._exact_up_to).limit(1), whose).first() is not None

    def _scan_index(self, db: sa.Connection, bound: Mapping[str, Any], limit: int) -> Sequence[Any]:
        """By the index, which goes on until enough rows are the person's or it has seen too many."""
        width = str(min(max(_WIDTH, 4 * limit), _WIDEST))
        for name, value in (("hnsw.iterative_scan", "strict_order"), ("hnsw.ef_search", width)):
            db.execute(sa.select(sa.func.set_config(name, value, sa.true())))
        found = self._distances(0)
        return db.execute(found.order_by(found.selected_columns.far).limit(sa.bindparam("most")), bound).all()

    def _exact(self, length: int) -> sa.Select[Any]:
        """All rows of the person are found first and then ordered.

        Else the planner may take the index on vectors, and drop those of others from the few it gives.
        """
        found = self._distances(length).cte("mine").prefix_with("MATERIALIZED")
        ordered = sa.select(found.c.id, found.c.far).order_by(found.c.far, found.c.id)
        return ordered.limit(sa.bindparam("most"))

    def _distances(self, length: int) -> sa.Select[Any]:
        """Id and distance of the person's rows; of vectors of this length, if given, where they may vary."""
        rows, column = self._messages.rows, self.column
        held: sa.ColumnClause[Any] = sa.column(column.name)
        question = sa.cast(sa.bindparam("question", type_=sa.Text), SchemaType(column.type, column.schema))
        operator = f'OPERATOR("{column.schema}".{OPERATORS[self._distance]})'
        far = held.op(operator, return_type=sa.Float())(question)
        chosen = sa.select(rows.sql("id").label("id"), far.label("far"))
        found = chosen.select_from(rows.source).where(rows.visible_to_user(), held.is_not(None))
        if column.dimension or not length:
            return found
        return found.where(getattr(sa.func, column.schema).vector_dims(held) == length)
