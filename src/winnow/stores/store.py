"""Homes, and what is remembered of them, in a SQLite file.

Each import replaces its home in one transaction; readers keep seeing the version they began with.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from winnow.errors import HomeNotFound
from winnow.ports import Clock
from winnow.stores import codec, schema
from winnow.stores.database import Database
from winnow.stores.habits import HabitTable
from winnow.stores.lexicon import LexiconTable
from winnow.stores.sessions import SessionTable
from winnow.types.catalog import Device, Floor, Group, Home, Profile, Room, Scene
from winnow.types.imports import HomeInfo

_KINDS: dict[str, Any] = {
    "floors": Floor,
    "rooms": Room,
    "profiles": Profile,
    "devices": Device,
    "scenes": Scene,
    "groups": Group,
}
_CHUNK = 2000


class Store:
    """A ``Storage`` in one file. ``Store.open`` makes one."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self.clock, self.path = db, clock, db.path

    @classmethod
    def open(cls, path: Path | str, clock: Clock, *, wait: float = 5.0) -> Store:
        """The store at ``path``, created or migrated when needed; ``wait`` seconds for another writer.

        Raises StoreError.
        """
        store = cls(Database(Path(path), wait), clock)
        if store.revision() != schema.HEAD:
            store._migrate()
        return store

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @cached_property
    def sessions(self) -> SessionTable:
        """Turns and open questions."""
        return SessionTable(self._db)

    @cached_property
    def habits(self) -> HabitTable:
        """Use by person."""
        return HabitTable(self._db, self.clock)

    @cached_property
    def lexicon(self) -> LexiconTable:
        """Learned words."""
        return LexiconTable(self._db, self.clock)

    def revision(self) -> str:
        """The schema revision of the file; empty when it has none yet."""
        with self._db.read() as db:
            if not sa.inspect(db).has_table("alembic_version"):
                return ""
            return str(db.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() or "")

    def save_home(self, home: Home) -> int:
        """Replace the home of that id as a whole; its new version. On any error the old one stays."""
        with self._db.write() as db:
            last = db.scalar(
                sa.select(sa.func.max(schema.imports.c.version)).where(schema.imports.c.home_id == home.id)
            )
            version, now = (last or 0) + 1, self.clock.now()
            db.execute(sa.delete(schema.homes).where(schema.homes.c.id == home.id))
            db.execute(
                sa.insert(schema.homes).values(
                    id=home.id, name=home.name, source=home.source, version=version, imported_at=now
                ),
            )
            db.execute(
                sa.insert(schema.imports).values(
                    home_id=home.id, version=version, imported_at=now, devices=len(home.devices)
                ),
            )
            for name, table in schema.PARTS.items():
                _insert(db, table, home.id, getattr(home, name))
        return version

    def load_home(self, home_id: str) -> Home:
        """The home, with its version. All of it from one moment, whatever is being written meanwhile."""
        with self._db.read() as db:
            head = db.execute(sa.select(schema.homes).where(schema.homes.c.id == home_id)).mappings().first()
            if head is None:
                raise HomeNotFound(home_id, [h.id for h in self._infos(db)])
            parts: dict[str, Any] = {
                name: _parts(db, table, home_id, _KINDS[name]) for name, table in schema.PARTS.items()
            }
        return Home(id=head["id"], name=head["name"], source=head["source"], version=head["version"], **parts)

    def list_homes(self) -> tuple[HomeInfo, ...]:
        """All stored homes, by id."""
        with self._db.read() as db:
            return self._infos(db)

    def delete_home(self, home_id: str) -> None:
        """Forget a home and all that was remembered about it. Raises HomeNotFound."""
        with self._db.write() as db:
            known = [h.id for h in self._infos(db)]
            if home_id not in known:
                raise HomeNotFound(home_id, known)
            db.execute(sa.delete(schema.homes).where(schema.homes.c.id == home_id))
            for table in schema.REMEMBERED:
                db.execute(sa.delete(table).where(table.c.home_id == home_id))

    def _infos(self, db: sa.Connection) -> tuple[HomeInfo, ...]:
        h, i = schema.homes.c, schema.imports.c
        joined = schema.homes.join(schema.imports, (h.id == i.home_id) & (h.version == i.version))
        query = (
            sa.select(h.id, h.name, h.source, h.version, h.imported_at, i.devices)
            .select_from(joined)
            .order_by(h.id)
        )
        return tuple(HomeInfo(**r) for r in db.execute(query).mappings())

    def _migrate(self) -> None:
        """Bring the schema to its newest revision.

        Alembic is imported only here: a current store opens without it.
        """
        from winnow.stores.migrate import upgrade

        with self._db.write() as db:
            upgrade(db)


def _insert(db: sa.Connection, table: sa.Table, home_id: str, parts: tuple[object, ...]) -> None:
    rows = [{"home_id": home_id, "position": n, **codec.row(p)} for n, p in enumerate(parts)]
    for start in range(0, len(rows), _CHUNK):
        db.execute(sa.insert(table), rows[start : start + _CHUNK])


def _parts(db: sa.Connection, table: sa.Table, home_id: str, kind: Any) -> tuple[Any, ...]:
    rows = db.execute(
        sa.select(table).where(table.c.home_id == home_id).order_by(table.c.position)
    ).mappings()
    return tuple(codec.part(kind, dict(r)) for r in rows)
