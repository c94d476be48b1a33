"""The database of a store: its transactions, whichever it is."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import sqlalchemy as sa

from winnow.adapters.stores import connection, schema
from winnow.adapters.stores.connection import (
    is_read_only,
    read_only_error,
    readable,
    store_place,
    translate_errors,
)
from winnow.ports.services import run_aside
from winnow.ports.stores import Clock
from winnow.types.scope import Scope

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
                db.connection.driver_connection.executescript(schema.sqlite_script())  # type: ignore[union-attr]

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
