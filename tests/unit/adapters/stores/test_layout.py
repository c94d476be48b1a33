"""Every statement names the tenant of whoever asks, so that rows may lie apart: in pieces, on machines."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from sqlalchemy.sql import operators
from tests.docs.runner import blocks
from tests.postgres import shown
from tests.unit.adapters.stores.test_migrations import everything, fill

import winnow.adapters.stores
from winnow.adapters.stores import schema
from winnow.adapters.stores.host.messages import HostMessages
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import store_sql
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.types.fact import Fact
from winnow.types.feedback import MAX_ACCOUNTS, Account, Feedback
from winnow.types.home import Home
from winnow.types.message import HostColumns, HostTable, Message
from winnow.types.scope import Scope
from winnow.types.vector import Space, Tally

DOCS = Path(__file__).resolve().parents[4] / "docs"
(PIECE,) = (block.text for block in blocks(DOCS / "scale-messages.md") if block.language == "sql")
STATEMENTS = store_sql(16)
CUT_UP = ";\n".join(["BEGIN", *STATEMENTS, "COMMIT"])
LEFT_OUT = re.compile("PARTITION OF|^INSERT|^DROP")
"""What the page leaves out of these to fill the pieces one by one."""
TENANTS = tuple(Scope(f"tenant {n}", "ida", "flat", "s") for n in range(5))
SPACE = Space("some-model", "1", 3)
AT = datetime.fromisoformat("2025-04-01T10:00")
CUT = ("messages", "histories", "vectors", "claims")
Seen = list[tuple[str, Any]]
"""Statements and their parameters."""


def test_the_pages_in_both_languages_give_the_same_sql() -> None:
    both = [
        [block.text for block in blocks(DOCS / name) if block.language == "sql"]
        for name in ("scale-messages.md", "scale-messages.zh.md")
    ]
    assert both[0] == both[1]


def statements() -> Iterator[tuple[str, sa.Select | sa.Update | sa.Delete]]:
    """Every statement that a module of the stores holds ready, and where."""
    for module in pkgutil.iter_modules(winnow.adapters.stores.__path__, "winnow.adapters.stores."):
        for name, held in vars(importlib.import_module(module.name)).items():
            for one in held.values() if isinstance(held, dict) else [held]:
                if isinstance(one, sa.Select | sa.Update | sa.Delete):
                    yield f"{module.name}.{name}", one


def test_every_statement_names_the_tenant_of_whoever_asks() -> None:
    found = dict(statements())
    assert len(found) >= 35
    assert [where for where, one in found.items() if not names_the_tenant(one)] == []


def names_the_tenant(statement: sa.Select | sa.Update | sa.Delete) -> bool:
    """Whether all rows it touches must have the tenant that is given to it."""
    return any(
        isinstance(part, sa.BinaryExpression)
        and part.operator is operators.eq
        and getattr(part.left, "name", "") == "tenant"
        and getattr(part.right, "key", "") == "scope_tenant"
        for part in _parts(statement.whereclause)
    )


def _parts(condition: Any) -> Iterator[Any]:
    """What must all be true."""
    if getattr(condition, "operator", None) is operators.and_:
        for part in condition.clauses:
            yield from _parts(part)
    else:
        yield condition


@pytest.mark.parametrize("careless", [schema.messages.c.user == sa.bindparam("u"), sa.true()])
def test_a_statement_that_does_not_is_noticed(careless: Any) -> None:
    rows = sa.select(schema.messages)
    assert not names_the_tenant(rows.where(careless))
    assert not names_the_tenant(rows.where(schema.of_tenant(schema.messages) | careless))
    assert names_the_tenant(rows.where(schema.of_tenant(schema.messages), careless))


@pytest.fixture
def store(postgres_store: str, home: Home) -> Iterator[SqlStore]:
    """A store on a server with rows of several tenants in every table."""
    opened = SqlStore.open(postgres_store, FrozenClock())
    for scope in TENANTS:
        fill(opened.storage, scope, home)
        said = [Message(f"m{n}", "user", f"{scope.tenant} said {n}", AT) for n in range(3)]
        run_blocking(opened.storage.messages.add(scope, said))
        run_blocking(opened.storage.vectors.put(scope, SPACE, {"a": np.ones(3, "f4"), "b": np.ones(3, "f4")}))
    yield opened
    opened.close()


def test_cut_into_pieces_the_store_answers_as_before_and_can_be_written_to(store: SqlStore) -> None:
    before = [known(store.storage, scope) for scope in TENANTS]
    run(store, CUT_UP)
    assert [known(store.storage, scope) for scope in TENANTS] == before
    assert len({where for (where,) in rows(store, "SELECT tableoid::regclass::text FROM messages")}) > 1
    assert rows(store, "SELECT tablename FROM pg_tables WHERE right(tablename, 6) = '_whole'") == []
    run_blocking(store.storage.messages.add(TENANTS[0], [Message("m1", "user", "said anew", AT)]))
    assert known(store.storage, TENANTS[0]) != before[0]
    assert store.revision() == schema.SCHEMA_REVISION


def test_keys_and_indexes_keep_their_names_so_that_later_migrations_find_them(store: SqlStore) -> None:
    before = [sa.inspect(store._db.engine).get_indexes(name) for name in CUT]
    keys = [sa.inspect(store._db.engine).get_pk_constraint(name) for name in CUT]
    run(store, CUT_UP)
    assert [_plain(sa.inspect(store._db.engine).get_indexes(name)) for name in CUT] == [
        _plain(some) for some in before
    ]
    assert [sa.inspect(store._db.engine).get_pk_constraint(name) for name in CUT] == keys


def _plain(indexes: Iterable[Any]) -> list[tuple[str, list[str]]]:
    return sorted((index["name"], index["column_names"]) for index in indexes)


def test_pieces_that_were_filled_on_their_own_hold_everything_when_they_are_attached(store: SqlStore) -> None:
    before = [known(store.storage, scope) for scope in TENANTS]
    run(store, ";\n".join(one for one in STATEMENTS if not LEFT_OUT.search(one)))
    for n in range(16):
        for name in CUT:
            made = PIECE.replace("messages", name).replace(f"{name}_0", f"{name}_{n}")
            run(store, made.replace("16, 0,", f"16, {n},").replace("REMAINDER 0", f"REMAINDER {n}"))
    counts = [rows(store, f"SELECT count(*) FROM {name}{end}") for name in CUT for end in ("", "_whole")]
    assert counts[::2] == counts[1::2]
    assert [known(store.storage, scope) for scope in TENANTS] == before


def test_every_statement_of_every_port_touches_the_rows_of_one_piece(store: SqlStore, home: Home) -> None:
    run(store, CUT_UP)
    seen = recorded(lambda: use(store.storage, TENANTS[1], home))
    verbs = {statement.split()[0] for statement, _ in seen}
    assert {"SELECT", "INSERT", "UPDATE", "DELETE"} <= verbs
    pieces = {
        statement: _pieces(plan(store, statement, given))
        for statement, given in seen
        if _plannable(statement)
    }
    assert len(pieces) >= 13, sorted(pieces)
    assert {sent: found for sent, found in pieces.items() if len(found) != 1} == {}


def test_every_row_that_is_written_tells_its_tenant(store: SqlStore, home: Home) -> None:
    seen = recorded(lambda: use(store.storage, TENANTS[1], home))
    inserts = [statement for statement, _ in seen if statement.startswith("INSERT")]
    assert len(inserts) >= 15
    assert [one for one in inserts if "(tenant," not in one.replace('"', "")] == []


def test_what_is_read_of_a_hosts_table_names_person_and_tenant(postgres: sa.URL) -> None:
    engine = sa.create_engine(postgres)
    with engine.begin() as db:
        db.exec_driver_sql(
            "CREATE TABLE messages (id text, team text, user_id text, role text, content text,"
            " created_at timestamp)"
        )
    engine.dispose()
    host = HostMessages(HostTable(shown(postgres), columns=HostColumns(tenant="team")))
    selects = [host.rows.messages(), host.rows.stamp]
    told = [str(one.compile(dialect=sa.create_engine(postgres).dialect)) for one in selects]
    host.close()
    assert [all(f"{name} = %(" in one for name in ("user_id", "team")) for one in told] == [True, True]


def use(storage: Storage, scope: Scope, home: Home) -> None:
    """Every port once, for one scope."""
    fill(storage, scope, home)
    everything(storage, scope)
    messages, vectors, claims = storage.messages, storage.vectors, storage.claims
    said = [Message(f"m{n}", "user", f"said again {n}", AT) for n in range(5)]
    run_blocking(messages.add(scope, said))
    known(storage, scope)
    run_blocking(messages.forget(scope, ["m1", "m4"]))
    run_blocking(vectors.put(scope, SPACE, {"c": np.ones(3, "f4")}))
    run_blocking(vectors.stored_keys(scope, SPACE, ["a", "c"]))
    run_blocking(vectors.tell(scope, SPACE, Tally(calls=1)))
    claim = run_blocking(claims.take(scope, SPACE, ["d", "e"], 5.0))
    run_blocking(claims.active_claims(scope, SPACE))
    run_blocking(claims.renew(scope, claim, 9.0))
    run_blocking(claims.drop(scope, claim))
    run_blocking(storage.overrides.overrides(scope))
    run_blocking(storage.sessions.question(scope, "q1"))
    run_blocking(storage.sessions.note(scope, (), answered="q1"))
    fact = Fact("f1", "I live in Porto.", at=AT)
    for status in ("current", "withdrawn"):
        run_blocking(storage.facts.keep(scope, [replace(fact, status=status)]))
    assert [held.status for held in run_blocking(storage.facts.facts(scope))] == ["withdrawn"]
    assert run_blocking(storage.facts.forget(scope, ["f1"])) + run_blocking(storage.facts.forget(scope)) == 1
    of_turns(storage, scope)
    run_blocking(vectors.forget(scope, ["a"]))
    run_blocking(vectors.forget(scope))
    run_blocking(messages.forget(scope))
    run_blocking(storage.homes.delete_home(scope))


def of_turns(storage: Storage, scope: Scope) -> None:
    """Both ports over what is told of turns."""
    for n in range(MAX_ACCOUNTS + 1):
        account = Account(f"r{n}", "where?", float(n))
        run_blocking(storage.counts.count(scope, {"turns": 1, f"figure {n % 2}": 2.5}, account))
    assert run_blocking(storage.counts.account(scope, "r0")) is None
    assert run_blocking(storage.counts.account(scope)) == run_blocking(
        storage.counts.account(scope, f"r{MAX_ACCOUNTS}")
    )
    tenant = Scope(scope.tenant)
    assert run_blocking(storage.counts.totals(tenant))["turns"].count == MAX_ACCOUNTS + 1
    run_blocking(storage.feedback.keep(scope, Feedback("b1", scope.user, "useful", "r1", 3.0)))
    assert run_blocking(storage.feedback.feedback(tenant)) == run_blocking(storage.feedback.feedback(scope))
    for one in (scope, tenant):
        assert run_blocking(storage.feedback.forget(one, ["b2"])) == 0
    assert run_blocking(storage.feedback.forget(scope)) + run_blocking(storage.feedback.forget(tenant)) == 1
    assert run_blocking(storage.counts.forget(scope)) == MAX_ACCOUNTS
    assert run_blocking(storage.counts.forget(tenant)) == 0


def known(storage: Storage, scope: Scope) -> list[object]:
    """All that a scope can read of messages and vectors."""

    async def read() -> list[object]:
        pages = [list(page) async for page in storage.messages.stream(scope, 2)]
        keys = [list(page) async for page in storage.vectors.keys(scope, SPACE, 1)]
        got = await storage.vectors.get(scope, SPACE, ["a", "b", "c"])
        told = {key: row if row is None else row.tolist() for key, row in got.items()}
        counts = await storage.vectors.spaces(scope), await storage.messages.users(scope)
        return [pages, keys, told, *counts, await storage.messages.stamp(scope)]

    return run_blocking(read())


def run(store: SqlStore, sql: str) -> None:
    """As a person runs it, statement after statement, each committed unless it says otherwise."""
    with store._db.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as db:
        db.connection.cursor().execute(sql)


def rows(store: SqlStore, sql: str) -> list[tuple[Any, ...]]:
    with store._db.read() as db:
        return [tuple(row) for row in db.exec_driver_sql(sql)]


def recorded(work: Callable[[], None]) -> Seen:
    """The statements that are sent while the work is done, each once."""
    seen: dict[str, Any] = {}

    def note(_db: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        seen.setdefault(statement, parameters)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        work()
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    return list(seen.items())


def _plannable(statement: str) -> bool:
    """Where rows go that are only added is found out when they are written: no plan tells."""
    return not statement.startswith("INSERT") and any(f" {name}" in statement for name in CUT)


def plan(store: SqlStore, statement: str, parameters: Any) -> list[str]:
    """The tables that the planner means to touch."""
    one = parameters if isinstance(parameters, dict) else parameters[0]
    with store._db.read() as db:
        (told,) = db.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", one).one()
    text = told if isinstance(told, str) else json.dumps(told)
    return sorted(set(re.findall(r'"Relation Name": "(\w+)"', text)))


def _pieces(tables: Iterable[str]) -> list[str]:
    """Those of the tables that are a piece of one."""
    return [name for name in tables if re.search(r"_\d+$", name)]
