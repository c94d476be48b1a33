"""The vectors of a host's own table, searched where they are: behind the port ``Neighbours``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from winnow.bridge import aside
from winnow.errors import ConfigError, Phrase, Problem, StoreError
from winnow.stores.host.identity import Value
from winnow.stores.host.messages import HostMessages, identified
from winnow.stores.host.pgvector import OPERATORS, VectorColumn, vector_column, vector_problems
from winnow.stores.host.vector_types import Named
from winnow.types.history import Distance
from winnow.types.scope import Scope

if TYPE_CHECKING:
    from winnow.ports.vectors import Floats

EXACT_UP_TO = 50_000
"""Rows of one person that are all compared: 2,000 of 256 numbers take 2 ms, 20,000 take 13, 100,000 take 96.

Of 100,000 rows an HNSW index finds 99 % of the nearest in a few ms. The smaller a part of the table they are,
the less it finds and the longer it takes: of 2,000 rows among 160,000 it found 57 %, and took a hundred times
as long. Measured by ``benchmarks.host_vectors``.
"""
_WIDTH = 200
"""Candidates the index holds at least while it goes on."""
_WIDEST = 1000
"""More of them pgvector refuses."""
_SIMILARITY: dict[Distance, Callable[[float], float]] = {
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
        distance: Distance = "cosine",
        dimension: int = 0,
        exact_up_to: int = EXACT_UP_TO,
    ) -> None:
        self._messages, self._dimension = messages, dimension
        self._distance, self._exact_up_to = distance, exact_up_to

    async def nearest(self, scope: Scope, vector: Floats, limit: int) -> Mapping[str, float]:
        """Ids of the user's nearest messages and their similarity, best first.

        Messages without a vector are none of them.
        """

        def read() -> Mapping[str, float]:
            self._check(len(vector))
            whose = self._messages.rows.whose(scope) if scope.user else None
            if whose is None:
                return {}
            question = f"[{','.join(f'{x:.9g}' for x in vector.tolist())}]"
            bound = {**whose, "question": question, "most": limit}
            with self._messages.database.read() as db:
                rows = self._scanned(db, bound, limit) if self._is_large(db, whose) else ()
                if len(rows) < limit:  # it is a small one, or the scan gave up
                    rows = db.execute(self._exact(len(vector)), bound).all()
            similarity = _SIMILARITY[self._distance]
            # A vector of zeros has no direction and is like none.
            return {identified(key): similarity(far) for key, far in rows if not math.isnan(far)}

        return await aside(read)

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

    def _check(self, length: int) -> None:
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

    def _is_large(self, db: sa.Connection, whose: Mapping[str, Value]) -> bool:
        """Whether the person has so many rows that an index is asked, where there is a fit one."""
        if not (self.column.iterative and self.column.has_index(self._distance)):
            return False
        rows = self._messages.rows
        more = sa.select(sa.literal(1)).select_from(rows.source).where(rows.owned())
        return db.execute(more.offset(self._exact_up_to).limit(1), whose).first() is not None

    def _scanned(self, db: sa.Connection, bound: Mapping[str, Any], limit: int) -> Sequence[Any]:
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
        question = sa.cast(sa.bindparam("question", type_=sa.Text), Named(column.type, column.schema))
        operator = f'OPERATOR("{column.schema}".{OPERATORS[self._distance]})'
        far = held.op(operator, return_type=sa.Float())(question)
        chosen = sa.select(rows.sql("id").label("id"), far.label("far"))
        found = chosen.select_from(rows.source).where(rows.mine(), held.is_not(None))
        if column.dimension or not length:
            return found
        return found.where(getattr(sa.func, column.schema).vector_dims(held) == length)
