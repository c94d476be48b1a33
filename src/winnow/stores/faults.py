"""Errors of the databases as ours: the one place that knows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from winnow.errors import Phrase, StoreBusy, StoreError
from winnow.stores.place import Place

BUSY = frozenset({"55P03", "40001", "40P01", "57014", "53300"})
"""SQLSTATEs of what passes by itself: a lock not had in time, a deadlock, too many connections."""
READ_ONLY, NOT_ALLOWED = "25006", "42501"
READ_ONLY_FILE = "Make the data folder writable, or choose another with WINNOW_HOME."
READ_ONLY_SERVER = "Name the server that may be written in WINNOW_STORE, not a copy of it."


@contextmanager
def translated(place: Place) -> Iterator[None]:
    """What the database says within, as a StoreError."""
    try:
        yield
    except PoolTimeout as error:
        raise busy(place) from error
    except DBAPIError as error:
        raise _fault(place, error) from error
    except SQLAlchemyError as error:
        raise _unusable(place, str(error), _again(place)) from error


def busy(place: Place) -> StoreBusy:
    """Somebody else is writing."""
    return StoreBusy(
        Phrase("{path} is being written by another process.", path=place), hint="Try again in a moment."
    )


def read_only(place: Place) -> StoreError:
    """Nothing can be written there."""
    return StoreError(
        Phrase("{path} may only be read, so nothing can be stored.", path=place),
        hint=READ_ONLY_SERVER if place.file is None else READ_ONLY_FILE,
    )


def _fault(place: Place, error: DBAPIError) -> StoreError:
    why = str(error.orig)
    if isinstance(error, IntegrityError):
        return StoreError(
            Phrase("The home cannot be stored: {why}.", why=place.hides(why)),
            hint="Two things of one kind share an id; ids must be unique.",
        )
    if place.file is not None:
        if not isinstance(error, OperationalError):
            return _unusable(place, why, _again(place))
        if "locked" in why or "busy" in why:
            return busy(place)
        return _unusable(place, why, "Check the path and its permissions.")
    return _of_server(place, error)


def _of_server(place: Place, error: DBAPIError) -> StoreError:
    why = str(error.orig)
    state = getattr(error.orig, "sqlstate", None)
    if state in BUSY:
        return busy(place)
    if state == READ_ONLY:
        return read_only(place)
    if state == NOT_ALLOWED:
        return _unusable(place, why, "Give that user the right to make and change tables there.")
    if state is None and isinstance(error, OperationalError):
        unreachable = StoreError(
            Phrase("Cannot reach the store {path}: {why}.", path=place, why=_why(place, why)),
            hint="Check that the server runs, and the address, user and database in WINNOW_STORE.",
        )
        unreachable.retryable = True
        return unreachable
    return _unusable(place, why, _again(place))


def _unusable(place: Place, why: str, hint: str) -> StoreError:
    return StoreError(
        Phrase("Cannot use the store {path}: {why}.", path=place, why=_why(place, why)), hint=hint
    )


def _why(place: Place, why: str) -> str:
    """The first line of it, without what must not be shown."""
    return place.hides(why.strip().partition("\n")[0].rstrip("."))


def _again(place: Place) -> str:
    if place.file is not None:
        return "Keep a copy of the file; put a backup in its place, or begin with another: WINNOW_STORE."
    return "Check that nobody else changed the tables in that database."
