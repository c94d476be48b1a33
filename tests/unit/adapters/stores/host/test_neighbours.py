"""A host's own vectors: exactly those of one person, in exactly their order, whatever the planner likes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from tests.unit.adapters.stores.host.conftest import Host

from winnow.adapters.stores.host.messages import HostMessages
from winnow.adapters.stores.host.vector_search import HostNeighbours
from winnow.errors import ConfigError, StoreError
from winnow.ports.services import run_blocking
from winnow.types.message import HostColumns, HostTable, VectorDistance
from winnow.types.scope import Scope

SIZE = 8
RANDOM = np.random.default_rng(7)
BEGINNING = RANDOM.bit_generator.state
COLUMNS = "id integer PRIMARY KEY, user_id text, role text, content text, created_at timestamptz"


@pytest.fixture
def pg(empty_postgres: sa.URL) -> Iterator[Host]:
    host = Host(empty_postgres)
    yield host
    host.engine.dispose()


def literal(vector: Any) -> str:
    return "[" + ",".join(map(str, vector.tolist())) + "]"


def filled(host: Host, vectors: dict[str, Any], kind: str = f"vector({SIZE})") -> HostMessages:
    """Rows of these persons, numbered from 1 in their order."""
    host.run(
        "CREATE EXTENSION IF NOT EXISTS vector",
        f"CREATE TABLE messages ({COLUMNS}, embedding {kind})",
        "CREATE INDEX by_user ON messages (user_id, created_at)",
    )
    told = [(user, literal(v)) for user, rows in vectors.items() for v in rows]
    with host.engine.begin() as db:
        db.execute(
            sa.text("INSERT INTO messages VALUES (:n, :user, 'user', 'x', now(), CAST(:v AS vector))"),
            [{"n": n, "user": user, "v": v} for n, (user, v) in enumerate(told, 1)],
        )
    return HostMessages(HostTable(host.url, columns=HostColumns(vector="embedding")))


@pytest.fixture(autouse=True)
def the_same_numbers_in_whatever_order_tests_run() -> None:
    RANDOM.bit_generator.state = BEGINNING


def some(count: int, size: int = SIZE) -> Any:
    return RANDOM.normal(size=(count, size)).astype(np.float32)


def cosine(rows: Any, vector: Any) -> Any:
    return rows @ vector / np.linalg.norm(rows, axis=1) / np.linalg.norm(vector)


def squared(rows: Any, vector: Any) -> Any:
    return 1 - ((rows - vector) ** 2).sum(axis=1) / 2


def inner(rows: Any, vector: Any) -> Any:
    return rows @ vector


@pytest.mark.parametrize("kind", [f"vector({SIZE})", "vector", f"halfvec({SIZE})"])
@pytest.mark.parametrize(("distance", "similarity"), [("cosine", cosine), ("l2", squared), ("inner", inner)])
def test_the_nearest_are_those_of_numpy_in_their_order(
    pg: Host, kind: str, distance: VectorDistance, similarity: Any
) -> None:
    rows, question = some(60), some(1)[0]
    if "half" in kind:  # numbers that it holds as they are, so that it orders as numpy does
        rows, question = (numbers.astype(np.float16).astype(np.float32) for numbers in (rows, question))
    messages = filled(pg, {"bert": some(200), "anna": rows}, kind)
    found = run_blocking(HostNeighbours(messages, distance).nearest(Scope(user="anna"), question, 10))
    right = similarity(rows, question)
    best = np.argsort(-right)[:10]
    assert list(found) == [str(201 + n) for n in best]
    assert list(found.values()) == pytest.approx(right[best], abs=2e-2 if "half" in kind else 1e-5)


def test_an_index_on_the_vectors_takes_nothing_from_a_person_with_few(pg: Host) -> None:
    """Where the planner would rather scan HNSW, which knows no persons, all the person's rows count."""
    crowd, rows, question = some(3000), some(20), some(1)[0]
    messages = filled(pg, {"crowd": crowd, "anna": rows - 3 * question})
    pg.run(
        "DROP INDEX by_user",
        "CREATE INDEX nearness ON messages USING hnsw (embedding vector_cosine_ops)",
        "ANALYZE messages",
    )
    neighbours = HostNeighbours(messages)
    right = np.argsort(-cosine(rows - 3 * question, question))
    found = run_blocking(neighbours.nearest(Scope(user="anna"), question, 20))
    assert list(found) == [str(3001 + n) for n in right]
    assert "nearness" not in plan(messages, neighbours._exact(SIZE), question)


def test_one_persons_rows_are_found_by_the_index_on_persons(pg: Host) -> None:
    messages = filled(pg, {f"user {n}": some(20) for n in range(150)})
    pg.run("CREATE INDEX nearness ON messages USING hnsw (embedding vector_cosine_ops)", "ANALYZE messages")
    told = plan(messages, HostNeighbours(messages)._exact(SIZE), some(1)[0])
    assert "by_user" in told
    assert "nearness" not in told


def plan(messages: HostMessages, statement: Any, question: Any) -> str:
    bound = {"user": "user 7", "question": literal(question), "most": 5}
    with messages.database.read() as db:
        compiled = statement.compile(db)
        return "\n".join(db.exec_driver_sql(f"EXPLAIN {compiled}", bound).scalars())


def test_a_large_set_is_searched_by_the_index(pg: Host) -> None:
    rows, question = some(2000), some(1)[0]
    messages = filled(pg, {"team": rows, "bert": some(500)})
    pg.run("CREATE INDEX nearness ON messages USING hnsw (embedding vector_cosine_ops)", "ANALYZE messages")
    asked: list[str] = []
    sa.event.listen(messages.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    neighbours = HostNeighbours(messages, exact_up_to=1000)
    found = run_blocking(neighbours.nearest(Scope(user="team"), question, 10))
    best = [str(n + 1) for n in np.argsort(-cosine(rows, question))[:10]]
    assert len(set(found) & set(best)) >= 9
    assert [a for a in asked if "set_config" in a]
    assert not [a for a in asked if "MATERIALIZED" in a]
    asked.clear()
    assert len(run_blocking(neighbours.nearest(Scope(user="bert"), question, 10))) == 10
    assert not [a for a in asked if "set_config" in a]


def test_where_the_scan_gives_too_few_all_are_compared(pg: Host) -> None:
    rows, question = some(1100), some(1)[0]
    filled(pg, {"team": rows - 4 * question, "crowd": some(3000) + 4 * question})
    pg.run("CREATE INDEX nearness ON messages USING hnsw (embedding vector_cosine_ops)", "ANALYZE messages")
    forced = "-c hnsw.max_scan_tuples=1 -c enable_seqscan=off -c enable_sort=off -c enable_bitmapscan=off"
    url = pg.address.update_query_dict({"options": forced})
    table = HostTable(url.render_as_string(hide_password=False), columns=HostColumns(vector="embedding"))
    neighbours = HostNeighbours(HostMessages(table), exact_up_to=1000)
    found = run_blocking(neighbours.nearest(Scope(user="team"), question, 10))
    assert list(found) == [str(n + 1) for n in np.argsort(-cosine(rows - 4 * question, question))[:10]]


def test_an_old_pgvector_and_an_index_for_another_distance_are_left_alone(pg: Host) -> None:
    messages = filled(pg, {"team": some(30)})
    pg.run("CREATE INDEX ON messages USING hnsw (embedding vector_l2_ops)")
    asked: list[str] = []
    sa.event.listen(messages.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert (
        len(run_blocking(HostNeighbours(messages, exact_up_to=1).nearest(Scope(user="team"), some(1)[0], 5)))
        == 5
    )
    pg.run("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'")
    old = HostNeighbours(messages, "l2", exact_up_to=1)
    assert len(run_blocking(old.nearest(Scope(user="team"), some(1)[0], 5))) == 5
    assert not [a for a in asked if "set_config" in a]


def test_rows_without_a_vector_or_a_direction_are_not_near(pg: Host) -> None:
    messages = filled(pg, {"anna": np.stack([np.ones(SIZE), np.zeros(SIZE)])})
    pg.run("INSERT INTO messages VALUES (9, 'anna', 'user', 'x', now(), NULL)")
    found = run_blocking(HostNeighbours(messages).nearest(Scope(user="anna"), np.ones(SIZE, np.float32), 5))
    assert found == {"1": pytest.approx(1)}


@pytest.mark.parametrize("user", ["", "nobody", "ANNA", "anna ", "' OR true --", "anna\0"])
def test_nobody_else_is_near(pg: Host, user: str) -> None:
    messages = filled(pg, {"anna": some(3)})
    assert run_blocking(HostNeighbours(messages).nearest(Scope(user=user), some(1)[0], 5)) == {}


def test_deleted_rows_are_not_near(pg: Host) -> None:
    messages = filled(pg, {"anna": some(3)})
    pg.run("UPDATE messages SET role = 'deleted' WHERE id = 2")
    table = HostTable(messages.table.url, columns=HostColumns(role="", deleted="role", vector="embedding"))
    found = run_blocking(HostNeighbours(HostMessages(table)).nearest(Scope(user="anna"), some(1)[0], 5))
    assert sorted(found) == ["1", "3"]


def test_vectors_of_several_lengths_in_one_column(pg: Host) -> None:
    messages = filled(pg, {"anna": some(2)}, "vector")
    pg.run("INSERT INTO messages VALUES (9, 'anna', 'user', 'x', now(), '[1,2,3]')")
    nearest = HostNeighbours(messages).nearest
    assert set(run_blocking(nearest(Scope(user="anna"), some(1)[0], 5))) == {"1", "2"}
    assert set(run_blocking(nearest(Scope(user="anna"), some(1, 3)[0], 5))) == {"9"}


def test_the_extension_may_be_in_a_schema_nobody_searches(pg: Host) -> None:
    pg.run("CREATE SCHEMA tools", "CREATE EXTENSION vector SCHEMA tools")
    pg.run(
        f"CREATE TABLE messages ({COLUMNS}, embedding tools.vector(3))",
        "INSERT INTO messages VALUES (1, 'anna', 'user', 'x', now(), '[1,2,3]')",
    )
    messages = HostMessages(HostTable(pg.url, columns=HostColumns(vector="embedding")))
    found = run_blocking(HostNeighbours(messages).nearest(Scope(user="anna"), some(1, 3)[0], 5))
    assert set(found) == {"1"}


def problem(messages: HostMessages, dimension: int = 0) -> list[tuple[str, str]]:
    with pytest.raises(ConfigError) as caught:
        run_blocking(HostNeighbours(messages, dimension=dimension).nearest(Scope(user="anna"), some(1)[0], 5))
    return [(p.path, str(p.message)) for p in caught.value.problems]


def test_a_question_of_another_length(pg: Host) -> None:
    messages = filled(pg, {"anna": some(1)})
    with pytest.raises(StoreError, match="8 numbers, and the question is one of 5") as caught:
        run_blocking(HostNeighbours(messages).nearest(Scope(user="anna"), some(1, 5)[0], 5))
    assert "embedding_model" in caught.value.hint


def test_a_column_of_another_length_than_was_set(pg: Host) -> None:
    messages = filled(pg, {"anna": some(1)})
    assert problem(messages, 1536) == [
        ("vector_search.embedding_dim", "embedding holds vectors of 8 numbers, not of 1536")
    ]


def test_no_extension_and_a_column_of_another_type(pg: Host) -> None:
    pg.run(f"CREATE TABLE messages ({COLUMNS}, embedding real[])")
    messages = HostMessages(HostTable(pg.url, columns=HostColumns(vector="embedding")))
    assert problem(messages) == [
        ("messages.url", "pgvector is not installed in this database: CREATE EXTENSION vector"),
        ("messages.columns.vector", "embedding is of the type _float4; vectors are of vector, halfvec"),
    ]


def test_no_column_is_mapped_or_there(pg: Host) -> None:
    table = filled(pg, {"anna": some(1)}).table
    assert problem(HostMessages(HostTable(table.url))) == [("messages.columns.vector", "must name a column")]
    gone = HostMessages(HostTable(table.url, columns=HostColumns(vector="embeding")))
    ((path, message),) = problem(gone)
    assert path == "messages.columns.vector"
    assert message.startswith("there is no column embeding; did you mean embedding? There are id, user_id,")


def test_only_postgresql_has_vectors() -> None:
    messages = HostMessages(HostTable("sqlite:///any.db", columns=HostColumns(vector="embedding")))
    assert problem(messages) == [("vector_search.type", "only PostgreSQL has pgvector")]
