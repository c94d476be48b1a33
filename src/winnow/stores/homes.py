"""Homes in the store. Each import replaces its home as a whole; readers keep the version they began with."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from winnow.errors import HomeNotFound
from winnow.ports import Clock
from winnow.stores import codec
from winnow.stores.database import Database
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
from winnow.types.imports import HomeInfo, Imported
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


class HomeTable:
    """The ``Catalog`` of a store."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def save_home(self, scope: Scope, home: Home, states: Snapshot = UNREAD) -> int:
        """Replace the tenant's home of that id as a whole; its new version. On an error the old one stays."""
        now = self._clock.now()
        return await self._db.writing(_save, scope.at(home.id), Imported(home, states.dated(now)), now)

    async def load_home(self, scope: Scope) -> Home:
        """The home, with its version. All of it from one moment, whatever is being written meanwhile."""
        return await self._db.reading(_load, scope)

    async def list_homes(self, scope: Scope) -> tuple[HomeInfo, ...]:
        """All homes of the tenant, by id."""
        return await self._db.reading(_infos, scope)

    async def delete_home(self, scope: Scope) -> None:
        """Forget a home and all that was remembered about it. Raises HomeNotFound."""
        await self._db.writing(_delete, scope)


def raise_version(db: sa.Connection, scope: Scope, now: float) -> None:
    """Make the home another version without an import, so that whoever has it open reads it again.

    Raises HomeNotFound.
    """
    last = _last_version(db, scope)
    if not db.execute(_AT_VERSION, whose(scope, to=last + 1)).rowcount:
        raise _not_found(db, scope)
    devices = db.scalar(_DEVICES, whose(scope, of=last))
    _note_version(db, scope, last + 1, now, devices or 0)


def _save(db: sa.Connection, scope: Scope, imported: Imported, now: float) -> int:
    home = imported.home
    version = _last_version(db, scope) + 1
    db.execute(_FORGET, whose(scope))  # and its parts, by their foreign key
    head = {"name": home.name, "source": home.source, "version": version, "imported_at": now}
    head["notes"] = [asdict(note) for note in home.notes]
    db.execute(sa.insert(homes), {"tenant": scope.tenant, "id": home.id, **head})
    _note_version(db, scope, version, now, len(home.devices))
    for name, table in PARTS.items():
        _insert(db, table, scope, getattr(home, name))
    save_states(db, scope, imported.states)
    return version


def _load(db: sa.Connection, scope: Scope) -> Home:
    head = db.execute(_HOME, whose(scope)).mappings().first()
    if head is None:
        raise _not_found(db, scope)
    parts: dict[str, Any] = {name: _parts(db, name, scope) for name in PARTS}
    notes = tuple(Note(**note) for note in head["notes"])
    told = {name: head[name] for name in ("id", "name", "source", "version")}
    return Home(**told, **parts, notes=notes)


def _infos(db: sa.Connection, scope: Scope) -> tuple[HomeInfo, ...]:
    """By id, as Python orders texts: a server may have an order of its own."""
    infos = (HomeInfo(**row) for row in db.execute(_INFOS, whose(scope)).mappings())
    return tuple(sorted(infos, key=lambda info: info.id))


def _delete(db: sa.Connection, scope: Scope) -> None:
    if not db.execute(_FORGET, whose(scope)).rowcount:
        raise _not_found(db, scope)
    for table in REMEMBERED:
        db.execute(sa.delete(table).where(of_home(table)), whose(scope))


def _not_found(db: sa.Connection, scope: Scope) -> HomeNotFound:
    return HomeNotFound(scope.home, [info.id for info in _infos(db, scope)])


def _last_version(db: sa.Connection, scope: Scope) -> int:
    """The highest version the home ever had; 0 before its first import."""
    return db.scalar(_LAST, whose(scope)) or 0


def _note_version(db: sa.Connection, scope: Scope, version: int, now: float, devices: int) -> None:
    row = {"version": version, "imported_at": now, "devices": devices}
    db.execute(sa.insert(imports), {**key(imports, scope), **row})


def _insert(db: sa.Connection, table: sa.Table, scope: Scope, parts: tuple[object, ...]) -> None:
    belongs = key(table, scope)
    rows = [{**belongs, "position": n, **codec.row(p)} for n, p in enumerate(parts)]
    for start in range(0, len(rows), _CHUNK):
        db.execute(sa.insert(table), rows[start : start + _CHUNK])


def _parts(db: sa.Connection, name: str, scope: Scope) -> tuple[Any, ...]:
    return tuple(codec.part(_KINDS[name], dict(r)) for r in db.execute(_PARTS[name], whose(scope)).mappings())
