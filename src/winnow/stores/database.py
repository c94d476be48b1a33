"""The database of a store: its transactions, whichever it is."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, TypeVarTuple

import sqlalchemy as sa

from winnow.bridge import aside
from winnow.stores import postgres, sqlite
from winnow.stores.faults import read_only, translated
from winnow.stores.place import placed
from winnow.stores.readonly import is_read_only, readable
from winnow.types.scope import Scope

R = TypeVar("R")
Ts = TypeVarTuple("Ts")
Whom = Literal["tenant", "user", "home", "nobody"]
"""Whom a writer keeps from writing meanwhile: all of its tenant, all for its user or home, nobody."""


class Database:
    """The file or server at ``where``; a file is created when something is written.

    ``wait``: seconds for another writer; ``read_only``: that the file, or its folder, cannot be written.
    Raises StoreError.
    """

    def __init__(self, where: Path | str, wait: float) -> None:
        self.place, self.wait = placed(where), wait
        file = self.place.file
        self.read_only = file is not None and is_read_only(file)
        self._engines = _engines(self.place.url, file, wait, read_only=self.read_only)
        self.plain = self._engines.plain
        """The connections as they are, for what is no part of a transaction."""
        self.close = self.plain.dispose
        weakref.finalize(self, self.close)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """One moment of the store."""
        with self._begun(self._engines.reading) as db:
            yield db

    @contextmanager
    def write(self, *alone: str) -> Iterator[sa.Connection]:
        """All or nothing. In a file one writer at a time; on a server one of those who name the same parts.

        Without parts nobody is waited for there.
        """
        if self.read_only:
            raise read_only(self.place)
        with self._begun(self._engines.writing) as db:
            if alone and self.place.file is None:
                postgres.wait_for(db, alone, self.wait)
            yield db

    @contextmanager
    def _begun(self, engine: sa.Engine) -> Iterator[sa.Connection]:
        with translated(self.place), engine.connect() as db, db.begin():
            yield db

    async def asking(self, work: Callable[[sa.Connection, Scope, *Ts], R], scope: Scope, *given: *Ts) -> R:
        """As ``reading``, for work of one statement: one moment by itself, on half the way to a server."""

        def done() -> R:
            with self._begun(self._engines.asking) as db:
                return work(db, scope, *given)

        return await aside(done)

    async def reading(self, work: Callable[[sa.Connection, Scope, *Ts], R], scope: Scope, *given: *Ts) -> R:
        """What ``work`` returns of one moment of the store. Raises StoreError."""

        def done() -> R:
            with self.read() as db:
                return work(db, scope, *given)

        return await aside(done)

    async def writing(
        self,
        work: Callable[[sa.Connection, Scope, *Ts], R],
        scope: Scope,
        *given: *Ts,
        alone: Whom = "tenant",
    ) -> R:
        """What ``work`` returns, once all it wrote is stored. Raises StoreError."""

        def done() -> R:
            with self.write(*_parts(scope, alone)) as db:
                return work(db, scope, *given)

        return await aside(done)


def _parts(scope: Scope, alone: Whom) -> tuple[str, ...]:
    """What those have in common who are to wait for each other."""
    if alone == "nobody":
        return ()
    further = {"user": (scope.user,), "home": (scope.home,)}.get(alone, ())
    return alone, scope.tenant, *further


@dataclass(frozen=True, slots=True)
class _Engines:
    """The same connections, as they are used for one thing or another."""

    plain: sa.Engine
    reading: sa.Engine
    asking: sa.Engine
    writing: sa.Engine


def _engines(url: sa.URL, file: Path | None, wait: float, *, read_only: bool) -> _Engines:
    if file is None:
        plain = postgres.connectable(url, wait)
        # a moment is one for all its statements; a writer sees what those before it left
        moment = plain.execution_options(isolation_level="REPEATABLE READ")
        return _Engines(plain, moment, plain.execution_options(isolation_level="AUTOCOMMIT"), plain)
    plain = readable(file, wait) if read_only else sqlite.connectable(file, wait)
    return _Engines(plain, plain, plain, plain.execution_options(**{sqlite.WRITES: True}))
