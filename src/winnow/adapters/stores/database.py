"""The database of a store: its transactions, whichever it is."""

from __future__ import annotations

import atexit
import inspect
import sqlite3
import weakref
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from functools import cache, wraps
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar

import sqlalchemy as sa

from winnow.adapters.stores import connection, schema
from winnow.adapters.stores.connection import (
    is_read_only,
    read_only_error,
    readable,
    store_place,
    translate_errors,
)
from winnow.errors import Phrase, StoreError
from winnow.ports.services import run_aside
from winnow.ports.stores import Clock
from winnow.types.document import Document, KnowledgeTier
from winnow.types.fact import Fact
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.vector import Space

if TYPE_CHECKING:
    from winnow.ports.stores import Floats

P = ParamSpec("P")
R = TypeVar("R")
Stored = TypeVar("Stored", bound="StoreTable")
MAX_REMEMBERED = 1000
"""Answers of a store in memory that are kept."""
WriterScope = Literal["tenant", "user", "home", "nobody"]
"""Whom a writer keeps from writing meanwhile: all of its tenant, all for its user or home, nobody."""


class Database:
    """The file or server at ``where``; a file is created when something is written.

    ``:memory:`` is a place that ends with the process and has its tables from the beginning. ``wait``:
    seconds for another writer; ``read_only``: that the file, or its folder, cannot be written. Raises
    StoreError.
    """

    remembered: dict[Any, Any] | None = None
    """What was read since something was written, in memory: nobody else writes there."""

    def __init__(self, where: Path | str, wait: float = 0.0) -> None:
        self.place, self.wait = store_place(where), wait
        file = self.place.file
        self.read_only = file is not None and is_read_only(file)
        if file is None:
            # A moment is one for all its statements; a writer sees what those before it left.
            self.engine = connection.postgresql_engine(self.place.url, wait)
            self._reading: sa.Engine = self.engine.execution_options(isolation_level="REPEATABLE READ")
            self._asking: sa.Engine = self.engine.execution_options(isolation_level="AUTOCOMMIT")
            self._writing: sa.Engine = self.engine
        else:
            self.engine = readable(file, wait) if self.read_only else connection.sqlite_engine(file, wait)
            self._reading = self._asking = self.engine
            self._writing = self.engine.execution_options(**{connection.WRITES_OPTION: True})
        self.close = self.engine.dispose
        weakref.finalize(self, self.close)
        # In memory there is one connection: whoever uses it keeps the others waiting.
        self._turns: AbstractContextManager[Any] = nullcontext()
        if self.place.in_memory:
            self._turns, self.remembered = Lock(), {}
            with self.engine.connect() as db:
                _empty().backup(db.connection.driver_connection)  # type: ignore[arg-type]

    @contextmanager
    def read(self, *, one_statement: bool = False) -> Iterator[sa.Connection]:
        """One moment of the store. One statement is a moment by itself, on half the way to a server."""
        engine = self._asking if one_statement else self._reading
        with self._turns, translate_errors(self.place), engine.connect() as db, db.begin():
            yield db

    @contextmanager
    def write(self, *alone: str) -> Iterator[sa.Connection]:
        """All or nothing. In a file one writer at a time; on a server one of those who name the same parts.

        Without parts nobody is waited for there.
        """
        if self.read_only:
            raise read_only_error(self.place)
        with self._turns, translate_errors(self.place), self._writing.connect() as db, db.begin():
            if alone and self.place.file is None:
                connection.lock_parts(db, alone, self.wait)
            if self.remembered is not None:
                self.remembered.clear()
            yield db


@cache
def _empty() -> sqlite3.Connection:
    """The tables of a store in memory: to copy them takes a quarter of the time that making them takes."""
    made = sqlite3.connect(connection.MEMORY, check_same_thread=False)
    atexit.register(made.close)
    made.executescript(";".join(schema.table_statements(connection.sqlite_dialect()[0])))
    return made


class StoreTable:
    """What all tables of a store have: the database, and the clock that rows are dated by."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock


TransactionMethod = Callable[Concatenate[Stored, sa.Connection, P], R]
"""A method that works on an open connection; the scope is its first argument after that."""
AwaitedMethod = Callable[Concatenate[Stored, P], Coroutine[Any, Any, R]]
"""The same as callers see it: without the connection, and awaited."""


Transaction = Callable[[Any, Any], AbstractContextManager[sa.Connection]]
"""What a method of a table works in, given the table and the scope."""


def _in_transaction(
    work: TransactionMethod[Stored, P, R], transaction: Transaction
) -> AwaitedMethod[Stored, P, R]:
    """The method in a transaction of its own, with the signature that callers see."""

    @wraps(work)
    async def call(self: Stored, /, *args: P.args, **kwargs: P.kwargs) -> R:
        scope = args[0] if args else kwargs.get("scope")

        def run() -> R:
            with transaction(self, scope) as db:
                return work(self, db, *args, **kwargs)

        # A store in memory makes nobody wait: changing threads takes longer than the statement.
        return run() if self._db.place.in_memory else await run_aside(run)

    signature = inspect.signature(work)
    shown = [parameter for parameter in signature.parameters.values() if parameter.name != "db"]
    call.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    return call


def reads(work: TransactionMethod[Stored, P, R]) -> AwaitedMethod[Stored, P, R]:
    """The method in a transaction that reads: all of its statements see one moment. Raises StoreError."""
    return _in_transaction(work, lambda table, _: table._db.read())


def asks(work: TransactionMethod[Stored, P, R]) -> AwaitedMethod[Stored, P, R]:
    """As ``reads``, for a method of one statement."""
    return _in_transaction(work, lambda table, _: table._db.read(one_statement=True))


def remembers(work: TransactionMethod[Stored, P, R]) -> AwaitedMethod[Stored, P, R]:
    """As ``asks``, for what each turn asks; its arguments can be hashed, and nobody changes its answers."""

    @wraps(work)
    def noted(self: Stored, db: sa.Connection, /, *args: P.args, **kwargs: P.kwargs) -> R:
        answer, known = work(self, db, *args, **kwargs), self._db.remembered
        if known is not None:  # nobody can write meanwhile
            if len(known) >= MAX_REMEMBERED:
                known.clear()
            known[work, args, *kwargs.items()] = answer
        return answer

    ask = asks(noted)

    @wraps(ask)
    async def call(self: Stored, /, *args: P.args, **kwargs: P.kwargs) -> R:
        known = self._db.remembered or {}
        answer = known.get((work, args, *kwargs.items()), known)
        return await ask(self, *args, **kwargs) if answer is known else answer

    return call


def writes(
    alone: WriterScope = "tenant",
) -> Callable[[TransactionMethod[Stored, P, R]], AwaitedMethod[Stored, P, R]]:
    """The method in a transaction that writes: all of it is stored, or nothing. Raises StoreError."""

    def transaction(table: StoreTable, scope: Scope) -> AbstractContextManager[sa.Connection]:
        further = {"user": (scope.user,), "home": (scope.home,)}.get(alone, ())
        return table._db.write(*(() if alone == "nobody" else (alone, scope.tenant, *further)))

    return lambda work: _in_transaction(work, transaction)


# Checks of what a store is given, and values in the form in which a store returns them.

UNKNOWN_TIME = datetime.min  # noqa: DTZ901 - a wall clock has no zone
"""Stands where nobody knows when: before all that is known."""
MAX_KEY_BYTES = 500
"""Bytes of a tenant, a user or an id: what PostgreSQL can index together."""


def check_person(scope: Scope, ids: Iterable[str]) -> None:
    """Raises StoreError unless somebody is named and every id can be a part of a key."""
    if not scope.user:
        raise StoreError(
            "What is kept here belongs to a person, and none is named.", hint="Name one: --user NAME."
        )
    check_length((scope.tenant, scope.user, *ids))


def check_tier(scope: Scope, tier: KnowledgeTier, ids: Iterable[str]) -> None:
    """The same where nobody is named: what is public belongs to everybody of the tenant."""
    if tier == "private":
        check_person(scope, ids)
    check_length((scope.tenant, *ids))


def check_length(parts: Iterable[str]) -> None:
    """Raises StoreError unless each can be a part of a key."""
    for part in parts:
        if len(part) > MAX_KEY_BYTES or len(part.encode("utf-8", "surrogatepass")) > MAX_KEY_BYTES:
            raise StoreError(
                Phrase("A name or id is too long to be kept: {start}...", start=part[:40]),
                hint=Phrase("Use at most {longest} bytes, such as a hash of it.", longest=MAX_KEY_BYTES),
            )


def stored_message(message: Message) -> Message:
    """As it comes back: its time is what the clock on the wall showed."""
    if message.at is None or message.at == UNKNOWN_TIME:
        return replace(message, at=None)
    return replace(message, at=message.at.replace(tzinfo=None, fold=0))


def stored_fact(fact: Fact) -> Fact:
    """As it comes back: its time is what the clock on the wall showed."""
    return fact if fact.at is None else replace(fact, at=fact.at.replace(tzinfo=None, fold=0))


def stored_document(document: Document) -> Document:
    """As it comes back: its time is what the clock on the wall showed."""
    return document if document.at is None else replace(document, at=document.at.replace(tzinfo=None, fold=0))


def checked_vector(space: Space, vector: Floats) -> Floats:
    """The vector, float32 and little end first. ValueError: it is not of the space's dimension."""
    import numpy as np

    if vector.shape != (space.dimension,):
        raise ValueError(f"a vector of {space.name} has {space.dimension} numbers")
    return np.ascontiguousarray(vector, "<f4")
