"""One SQLite file: its transactions, and its errors as ours."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from winnow.bridge import aside
from winnow.errors import Phrase, StoreBusy, StoreError
from winnow.stores.readonly import is_read_only, readable

P = ParamSpec("P")
R = TypeVar("R")


class Database:
    """The file at ``path``; created when something is written.

    ``wait``: seconds for another writer; ``read_only``: that the file, or its folder, cannot be written.
    Raises StoreError.
    """

    def __init__(self, path: Path, wait: float) -> None:
        self.path, self.read_only = path, is_read_only(path)
        self._engine = readable(path, wait) if self.read_only else _connectable(path, wait)
        weakref.finalize(self, self._engine.dispose)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """One moment of the store."""
        with _translated(self.path), self._engine.connect() as db, db.begin():
            yield db

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """All or nothing, one writer at a time."""
        if self.read_only:
            raise StoreError(
                Phrase("{path} may only be read, so nothing can be stored.", path=self.path),
                hint="Make the data folder writable, or choose another with WINNOW_HOME.",
            )
        with _translated(self.path), self._engine.connect() as plain:
            db = plain.execution_options(winnow_write=True)
            with db.begin():
                yield db

    async def reading(
        self, work: Callable[Concatenate[sa.Connection, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """What ``work`` returns of one moment of the store. Raises StoreError."""
        return await aside(lambda: _done(self.read(), work, *args, **kwargs))

    async def writing(
        self, work: Callable[Concatenate[sa.Connection, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """What ``work`` returns, once all it wrote is stored. Raises StoreError."""
        return await aside(lambda: _done(self.write(), work, *args, **kwargs))


def _done(
    moment: AbstractContextManager[sa.Connection],
    work: Callable[Concatenate[sa.Connection, P], R],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    with moment as db:
        return work(db, *args, **kwargs)


def _connectable(path: Path, wait: float) -> sa.Engine:
    """SQLite with write-ahead log, foreign keys, and transactions that begin when SQLAlchemy says so."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            Phrase("Cannot create the folder {folder}: {why}.", folder=path.parent, why=error.strerror),
            hint="Choose another with WINNOW_HOME.",
        ) from error
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)), connect_args={"timeout": wait})

    @sa.event.listens_for(engine, "connect")
    def _prepare(dbapi: Any, _record: object) -> None:
        dbapi.isolation_level = None
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL"):
            dbapi.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(db: sa.Connection) -> None:
        db.exec_driver_sql("BEGIN IMMEDIATE" if db.get_execution_options().get("winnow_write") else "BEGIN")

    return engine


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Database errors as ours: the one place that knows them."""
    try:
        yield
    except IntegrityError as error:
        raise StoreError(
            Phrase("The home cannot be stored: {why}.", why=error.orig),
            hint="Two things of one kind share an id; ids must be unique.",
        ) from error
    except OperationalError as error:
        if "locked" in str(error.orig) or "busy" in str(error.orig):
            raise StoreBusy(
                Phrase("{path} is being written by another process.", path=path),
                hint="Try again in a moment.",
            ) from error
        raise StoreError(
            Phrase("Cannot use the store {path}: {why}.", path=path, why=error.orig),
            hint="Check the path and its permissions.",
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(
            Phrase("Cannot use the store {path}: {why}.", path=path, why=getattr(error, "orig", error)),
            hint="Move the file away and import the homes again.",
        ) from error
