"""A database of a PostgreSQL server: how it is connected to, and how its writers wait for each other."""

from __future__ import annotations

from hashlib import blake2b
from math import ceil

import sqlalchemy as sa

from winnow.errors import Phrase, StoreError

EXTRA = 'pip install "winnow-context[postgres]"'
CONNECTIONS, MORE = 5, 15
"""Kept open, and opened beside them while many wait."""
PREPARED = "prepare_threshold"
"""Option of a URL, ``none`` where a pooler between gives each transaction another connection."""
_WAIT = sa.text("SELECT set_config('lock_timeout', :wait, true)")
_ALONE = sa.text("SELECT pg_advisory_xact_lock(:key)")


def connectable(url: sa.URL, wait: float) -> sa.Engine:
    """Connections to the database, none of which is opened yet. Raises StoreError."""
    # What the URL says goes first. The driver takes no less than 2 seconds to connect.
    ours = {"application_name": "winnow", "connect_timeout": max(2, ceil(wait))}
    arguments: dict[str, object] = {name: value for name, value in ours.items() if name not in url.query}
    if PREPARED in url.query:
        times = str(url.query[PREPARED])
        arguments[PREPARED] = int(times) if times.isdecimal() else None
    try:
        return sa.create_engine(
            url.difference_update_query([PREPARED]),
            connect_args=arguments,
            pool_size=CONNECTIONS,
            max_overflow=MORE,
            pool_timeout=max(1.0, wait),
            pool_pre_ping=True,  # a server that was started anew is no error
            hide_parameters=True,  # what persons said has no place in a log of errors
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            Phrase("PostgreSQL needs a driver that is not installed: {name}.", name=error.name),
            hint=Phrase("Install it: {command}", command=EXTRA),
        ) from error


def wait_for(db: sa.Connection, parts: tuple[str, ...], wait: float) -> None:
    """Keep all who name the same parts from writing until this transaction ends.

    Raises an error of the database where another has not ended within ``wait`` seconds.
    """
    db.execute(_WAIT, {"wait": f"{max(1, ceil(wait * 1000))}ms"})
    db.execute(_ALONE, {"key": lock(parts)})


def lock(parts: tuple[str, ...]) -> int:
    """A number of 64 bits for these parts. Two that share one only wait for each other needlessly."""
    made = blake2b(digest_size=8, person=b"winnow")
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8) + data)
    return int.from_bytes(made.digest(), signed=True)
