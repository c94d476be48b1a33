"""Homes in the store. Each import replaces its home as a whole; readers keep the version they began with."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from winnow.errors import HomeNotFound
from winnow.stores import codec
from winnow.stores.chunks import chunks
from winnow.stores.database import StoreTable, reads, writes
from winnow.stores.schema import (
    PARTS,
    REMEMBERED,
    THE_HOME,
    homes,
    imports,
    key,
    of_home,
    of_tenant,
    whose,
    within,
)
from winnow.stores.states import save_states
from winnow.types.catalog import Device, Floor, Group, Home, Note, Profile, Room, Scene
from winnow.types.imports import HomeInfo
from winnow.types.scope import Scope
from winnow.types.state import UNREAD, Snapshot

_KINDS: dict[str, Any] = {
    "floors": Floor,
    "rooms": Room,
    "profiles": Profile,
    "devices": Device,
    "scenes": Scene,
    "groups": Group,
}
_CHUNK = 2000
"""Rows written at a time."""
_HOME, _FORGET = sa.select(homes).where(THE_HOME), sa.delete(homes).where(THE_HOME)
_PARTS = {n: sa.select(table).where(within(table)).order_by(table.c.position) for n, table in PARTS.items()}
_LAST = sa.select(sa.func.max(imports.c.version)).where(within(imports))
_DEVICES = sa.select(imports.c.devices).where(within(imports), imports.c.version == sa.bindparam("of"))
_AT_VERSION = sa.update(homes).where(THE_HOME).values(version=sa.bindparam("to"))
_IMPORTED = (
    (homes.c.tenant == imports.c.tenant)
    & (homes.c.id == imports.c.home_id)
    & (homes.c.version == imports.c.version)
)
_INFOS = (
    sa.select(*(homes.c[n] for n in ("id", "name", "source", "version", "imported_at")), imports.c.devices)
    .select_from(homes.join(imports, _IMPORTED))
    .where(of_tenant(homes))
)


class HomeTable(StoreTable):
    """The ``Catalog`` of a store."""

    async def save_home(self, scope: Scope, home: Home, states: Snapshot = UNREAD) -> int:
        """Replace the tenant's home of that id as a whole; its new version. On an error the old one stays."""
        return await self._save(scope.at(home.id), home, states)

    @writes()
    def _save(self, db: sa.Connection, scope: Scope, home: Home, states: Snapshot) -> int:
        now, version = self._clock.now(), _last_version(db, scope) + 1
        db.execute(_FORGET, whose(scope))  # and its parts, by their foreign key
        head = {"name": home.name, "source": home.source, "version": version, "imported_at": now}
        head["notes"] = [asdict(note) for note in home.notes]
        db.execute(sa.insert(homes), {"tenant": scope.tenant, "id": home.id, **head})
        _note_version(db, scope, version, now, len(home.devices))
        for name, table in PARTS.items():
            belongs = key(table, scope)
            rows = ({**belongs, "position": n, **codec.row(p)} for n, p in enumerate(getattr(home, name)))
            for part in chunks(rows, _CHUNK):
                db.execute(sa.insert(table), part)
        save_states(db, scope, states.dated(now))
        return version

    @reads
    def load_home(self, db: sa.Connection, scope: Scope) -> Home:
        """The home, with its version. All of it from one moment, whatever is being written meanwhile."""
        head = db.execute(_HOME, whose(scope)).mappings().first()
        if head is None:
            raise _not_found(db, scope)
        parts: dict[str, Any] = {
            name: tuple(
                codec.part(_KINDS[name], dict(row))
                for row in db.execute(_PARTS[name], whose(scope)).mappings()
            )
            for name in PARTS
        }
        notes = tuple(Note(**note) for note in head["notes"])
        about = {name: head[name] for name in ("id", "name", "source", "version")}
        return Home(**about, **parts, notes=notes)

    @reads
    def list_homes(self, db: sa.Connection, scope: Scope) -> tuple[HomeInfo, ...]:
        """All homes of the tenant, by id."""
        return _infos(db, scope)

    @writes()
    def delete_home(self, db: sa.Connection, scope: Scope) -> None:
        """Forget a home and all that was remembered about it. Raises HomeNotFound."""
        if not db.execute(_FORGET, whose(scope)).rowcount:
            raise _not_found(db, scope)
        for table in REMEMBERED:
            db.execute(sa.delete(table).where(of_home(table)), whose(scope))


def raise_version(db: sa.Connection, scope: Scope, now: float) -> None:
    """Make the home another version without an import, so that whoever has it open reads it again.

    Raises HomeNotFound.
    """
    last = _last_version(db, scope)
    if not db.execute(_AT_VERSION, whose(scope, to=last + 1)).rowcount:
        raise _not_found(db, scope)
    devices = db.scalar(_DEVICES, whose(scope, of=last))
    _note_version(db, scope, last + 1, now, devices or 0)


def _infos(db: sa.Connection, scope: Scope) -> tuple[HomeInfo, ...]:
    """By id, as Python orders texts: a server may have an order of its own."""
    infos = (HomeInfo(**row) for row in db.execute(_INFOS, whose(scope)).mappings())
    return tuple(sorted(infos, key=lambda info: info.id))


def _not_found(db: sa.Connection, scope: Scope) -> HomeNotFound:
    return HomeNotFound(scope.home, [info.id for info in _infos(db, scope)])


def _last_version(db: sa.Connection, scope: Scope) -> int:
    """The highest version the home ever had; 0 before its first import."""
    return db.scalar(_LAST, whose(scope)) or 0


def _note_version(db: sa.Connection, scope: Scope, version: int, now: float, devices: int) -> None:
    row = {"version": version, "imported_at": now, "devices": devices}
    db.execute(sa.insert(imports), {**key(imports, scope), **row})
