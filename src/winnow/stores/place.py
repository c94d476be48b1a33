"""Where a store is: a file, or a database of a PostgreSQL server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from winnow.errors import Phrase, StoreError

DRIVER = "postgresql+psycopg"
SERVERS = ("postgresql", "postgres", "postgresql+psycopg")
"""Ways to begin the URL of a server; all mean the one driver."""
EXAMPLE = "postgresql://USER@HOST/DATABASE"


@dataclass(frozen=True, slots=True)
class Place:
    """``str`` of it may be shown to anybody: it holds no password."""

    url: sa.URL = field(repr=False)

    @property
    def file(self) -> Path | None:
        """The file; None: a server."""
        return None if self.url.drivername == DRIVER else Path(self.url.database or "")

    def __str__(self) -> str:
        """The file's path, or the server's address without options; a password is ***."""
        if self.file is not None:
            return str(self.file)
        return self.url.set(drivername="postgresql", query={}).render_as_string()

    def hides(self, text: str) -> str:
        """The text of an error without what must not be shown."""
        secrets = [self.url.password, *(v for k, v in self.url.query.items() if "password" in k)]
        for secret in (str(s) for s in secrets if s):
            text = text.replace(secret, "***")
        return text


def placed(where: Path | str) -> Place:
    """The place of a path or a URL. Raises StoreError, which does not repeat the URL."""
    if isinstance(where, Path) or "://" not in where:
        return Place(sa.URL.create("sqlite", database=str(where)))
    try:
        url = sa.make_url(where)
    except (ArgumentError, ValueError):
        raise StoreError("The URL of the store cannot be read.", hint=_example()) from None
    if url.drivername in SERVERS:
        return Place(url.set(drivername=DRIVER))
    if url.drivername == "sqlite" and url.database:
        return Place(sa.URL.create("sqlite", database=url.database))
    raise StoreError(Phrase("A store cannot be kept in {kind}.", kind=url.drivername), hint=_example())


def _example() -> Phrase:
    return Phrase("Give the path of a file, or {example}.", example=EXAMPLE)
