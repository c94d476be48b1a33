"""A copy of a store's file, made and put back while others use it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic

from winnow.errors import Phrase, StoreBusy, StoreError

DAMAGED_HINT = "Take another copy; this one is damaged or is not Winnow's."


def copy_file(source: Path, target: Path, wait: float = 5.0) -> None:
    """Put what the source holds at one moment in the place of all that the target holds.

    Both may be in use: readers see the old or the new, never a mixture. ``wait``: seconds for a writer.
    Raises StoreError.
    """
    deadline = monotonic() + wait

    def waited(status: int, _remaining: int, _total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and monotonic() > deadline:
            raise sqlite3.OperationalError("database is locked")

    with _errors_of(target):
        read = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=wait)
        with closing(read), closing(sqlite3.connect(target, timeout=wait)) as written:
            read.backup(written, progress=waited)


def check_file(path: Path) -> None:
    """Raises StoreError unless the file is a whole database."""
    with _errors_of(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise StoreError(Phrase("{path} is damaged: {why}.", path=path, why=found), hint=DAMAGED_HINT)


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise StoreBusy(
                Phrase("{path} is being written by another process.", path=path),
                hint="Try again in a moment.",
            ) from error
        raise StoreError(
            Phrase("Cannot use the store {path}: {why}.", path=path, why=error),
            hint="Check the path and its permissions.",
        ) from error
    except sqlite3.DatabaseError as error:
        raise StoreError(
            Phrase("{path} is damaged: {why}.", path=path, why=error), hint=DAMAGED_HINT
        ) from error
