"""Homes in the store, with what belongs to a home: its states, usage, learned words and overrides.

Each import replaces its home as a whole; readers keep the version they began with.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, asdict, fields
from functools import cache
from typing import Any, TypeVar, cast

import sqlalchemy as sa

from winnow.adapters.stores.database import Database, StoreTable, reads, remembers, writes
from winnow.adapters.stores.schema import (
    HOME_MEMORY_TABLES,
    PART_TABLES,
    THE_HOME,
    homes,
    imports,
    in_scope,
    lexicon_entries,
    of_home,
    of_tenant,
    overrides,
    row_chunks,
    scope_columns,
    scope_parameters,
    states,
    usage,
)
from winnow.adapters.stores.schema import lessons as lesson_rows
from winnow.errors import HomeNotFound
from winnow.ports.stores import Clock
from winnow.types.home import (
    Attribute,
    Choice,
    Command,
    Device,
    Floor,
    Group,
    Home,
    Lesson,
    LexiconEntry,
    Note,
    Override,
    Parameter,
    Profile,
    Room,
    Scene,
    accepted_words,
)
from winnow.types.lru import LruCache
from winnow.types.scope import Scope
from winnow.types.state import EMPTY_SNAPSHOT, HomeInfo, ImportedHome, Snapshot
from winnow.types.utterance import Usage

# Values of ``types.catalog`` <-> rows of the store.

HomePart = TypeVar("HomePart", Floor, Room, Profile, Device, Scene, Group, Override)
ColumnValues = dict[str, Any]

_INNER: dict[str, type] = {
    "commands": Command,
    "attributes": Attribute,
    "parameters": Parameter,
    "choices": Choice,
}
"""Field name -> class of its elements; every other field is plain JSON."""


def part_row(part: object) -> ColumnValues:
    """Column -> value for one floor, room, profile, device, scene, group or override."""
    return {f.name: _plain_value(getattr(part, f.name)) for f in fields(part)}  # type: ignore[arg-type]


def part_of_row(kind: type[HomePart], columns: Mapping[str, Any]) -> HomePart:
    """The value a row was made from."""
    return kind(**{f.name: _part_value(f.name, columns[f.name]) for f in fields(kind)})


def _plain_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain_value(v) for v in value]
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, Choice | Parameter | Command | Attribute):
        return value
    defaults = _defaults(type(value))  # type: ignore[arg-type]
    return {name: _plain_value(v) for name in defaults if (v := getattr(value, name)) != defaults[name]}


@cache
def _defaults(kind: type) -> Mapping[str, Any]:
    # A field without a default has MISSING, which is equal to nothing.
    return {
        f.name: f.default_factory() if f.default_factory is not MISSING else f.default for f in fields(kind)
    }


def _part_value(name: str, plain: Any) -> Any:
    inner = _INNER.get(name)
    if not isinstance(plain, list):
        return plain
    if inner is None:
        return tuple(plain)
    return tuple(inner(**{k: _part_value(k, v) for k, v in item.items()}) for item in plain)


# Use by person in the store.

_USAGE = sa.select(usage.c.device_id, usage.c.count, usage.c.last_used).where(in_scope(usage))
_COUNT_MORE = (
    sa.update(usage)
    .where(in_scope(usage), usage.c.device_id.in_(sa.bindparam("used", expanding=True)))
    .values(count=usage.c.count + 1, last_used=sa.bindparam("now"))
)


class HabitTable(StoreTable):
    """The ``Habits`` of a store."""

    async def use(self, scope: Scope, device_ids: Sequence[str]) -> None:
        """Count one more use of each device, now."""
        if device_ids:
            await self._count(scope, tuple(dict.fromkeys(device_ids)))

    @writes()
    def _count(self, db: sa.Connection, scope: Scope, device_ids: Sequence[str]) -> None:
        """One more for those counted before, the first for the others."""
        now = self._clock.now()
        known = {row.device_id for row in db.execute(_USAGE, scope_parameters(scope))}
        if again := [i for i in device_ids if i in known]:
            db.execute(_COUNT_MORE, scope_parameters(scope, used=again, now=now))
        first = {**scope_columns(usage, scope), "count": 1, "last_used": now}
        if fresh := [{**first, "device_id": i} for i in device_ids if i not in known]:
            db.execute(sa.insert(usage), fresh)

    @reads
    def usage(self, db: sa.Connection, scope: Scope) -> Usage:
        """All counts of the scope's user."""
        rows = db.execute(_USAGE, scope_parameters(scope)).all()
        return Usage({i: count for i, count, _ in rows}, {i: last for i, _, last in rows})


# What devices reported when their home was imported, beside the home.

KEPT_HOMES = 32
"""Homes whose states are kept at hand; the one not read for longest goes first."""
_ROWS_AT_A_TIME = 2000
"""Rows written at a time."""
_VERSION = sa.select(homes.c.version).where(THE_HOME)
_HOMES = sa.select(homes.c.id).where(of_tenant(homes))
_STATES = sa.select(states).where(in_scope(states))


class StateTable(StoreTable):
    """The ``States`` of a store. They change with an import alone, so each version of a home is read once."""

    def __init__(self, db: Database, clock: Clock) -> None:
        super().__init__(db, clock)
        self._kept: LruCache[tuple[str, str], tuple[int, Snapshot]] = LruCache(KEPT_HOMES)

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """What was stored of these devices, or of all."""
        place = scope.tenant, scope.home
        known = self._kept.get(place)
        if known is None or known[0] != await self._version(scope):
            known = await self._current(scope)
        self._kept.put(place, known)
        return known[1].about(refs) if refs else known[1]

    @remembers
    def _version(self, db: sa.Connection, scope: Scope) -> int | None:
        return cast("int | None", db.scalar(_VERSION, scope_parameters(scope)))

    @reads
    def _current(self, db: sa.Connection, scope: Scope) -> tuple[int, Snapshot]:
        """The home's version and its states."""
        version = db.scalar(_VERSION, scope_parameters(scope))
        if version is None:
            raise HomeNotFound(scope.home, sorted(db.scalars(_HOMES, scope_parameters(scope))))
        rows = db.execute(_STATES, scope_parameters(scope)).mappings().all()
        if not rows:
            return version, Snapshot()
        snapshot = Snapshot(
            {row["device_id"]: row["reported"] for row in rows},
            rows[0]["read_at"],  # an import has one moment and one source
            rows[0]["source"],
            frozenset(row["device_id"] for row in rows if not row["online"]),
        )
        return version, snapshot


def save_states(db: sa.Connection, scope: Scope, snapshot: Snapshot) -> None:
    """Store what the devices of a new home report; those of the one before went with it."""
    belongs = {**scope_columns(states, scope), "read_at": snapshot.read_at, "source": snapshot.source}
    rows = (
        {**belongs, "device_id": i, "reported": dict(snapshot.of(i)), "online": snapshot.online(i)}
        for i in dict.fromkeys([*snapshot.values, *sorted(snapshot.offline)])
    )
    for part in row_chunks(rows, _ROWS_AT_A_TIME):
        db.execute(sa.insert(states), part)


_PART_KINDS: dict[str, Any] = {
    "floors": Floor,
    "rooms": Room,
    "profiles": Profile,
    "devices": Device,
    "scenes": Scene,
    "groups": Group,
}
_HOME, _FORGET_HOME = sa.select(homes).where(THE_HOME), sa.delete(homes).where(THE_HOME)
_PARTS = {
    n: sa.select(table).where(in_scope(table)).order_by(table.c.position) for n, table in PART_TABLES.items()
}
_LAST_VERSION = sa.select(sa.func.max(imports.c.version)).where(in_scope(imports))
_DEVICES = sa.select(imports.c.devices).where(in_scope(imports), imports.c.version == sa.bindparam("of"))
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

    async def save_home(self, scope: Scope, home: Home, states: Snapshot = EMPTY_SNAPSHOT) -> int:
        """Replace the tenant's home of that id as a whole; its new version. On an error the old one stays."""
        return await self._save(scope.at(home.id), home, states)

    @writes()
    def _save(self, db: sa.Connection, scope: Scope, home: Home, states: Snapshot) -> int:
        return save_home(db, scope, ImportedHome(home, states), self._clock.now())

    @reads
    def load_home(self, db: sa.Connection, scope: Scope) -> Home:
        """The home, with its version. All of it from one moment, whatever is being written meanwhile."""
        head = db.execute(_HOME, scope_parameters(scope)).mappings().first()
        if head is None:
            raise _not_found(db, scope)
        parts: dict[str, Any] = {
            name: tuple(
                part_of_row(_PART_KINDS[name], dict(row))
                for row in db.execute(_PARTS[name], scope_parameters(scope)).mappings()
            )
            for name in PART_TABLES
        }
        notes = tuple(Note(**note) for note in head["notes"])
        about = {name: head[name] for name in ("id", "name", "source", "version")}
        return Home(**about, **parts, notes=notes)

    @remembers
    def list_homes(self, db: sa.Connection, scope: Scope) -> tuple[HomeInfo, ...]:
        """All homes of the tenant, by id."""
        return _home_infos(db, scope)

    @writes()
    def delete_home(self, db: sa.Connection, scope: Scope) -> None:
        """Forget a home and all that was remembered about it. Raises HomeNotFound."""
        if not db.execute(_FORGET_HOME, scope_parameters(scope)).rowcount:
            raise _not_found(db, scope)
        for table in HOME_MEMORY_TABLES:
            db.execute(sa.delete(table).where(of_home(table)), scope_parameters(scope))


def save_home(db: sa.Connection, scope: Scope, imported: ImportedHome, now: float) -> int:
    """Replace the scope's home and its states as a whole; the home's new version."""
    home, version = imported.home, _last_version(db, scope) + 1
    db.execute(_FORGET_HOME, scope_parameters(scope))  # and its parts, by their foreign key
    head = {"name": home.name, "source": home.source, "version": version, "imported_at": now}
    head["notes"] = [asdict(note) for note in home.notes]
    db.execute(sa.insert(homes), {"tenant": scope.tenant, "id": home.id, **head})
    _note_version(db, scope, version, now, len(home.devices))
    for name, table in PART_TABLES.items():
        belongs = scope_columns(table, scope)
        rows = ({**belongs, "position": n, **part_row(p)} for n, p in enumerate(getattr(home, name)))
        for part in row_chunks(rows, _ROWS_AT_A_TIME):
            db.execute(sa.insert(table), part)
    save_states(db, scope, imported.states.with_read_time(now))
    return version


def raise_version(db: sa.Connection, scope: Scope, now: float) -> None:
    """Make the home another version without an import, so that whoever has it open reads it again.

    Raises HomeNotFound.
    """
    last = _last_version(db, scope)
    if not db.execute(_AT_VERSION, scope_parameters(scope, to=last + 1)).rowcount:
        raise _not_found(db, scope)
    devices = db.scalar(_DEVICES, scope_parameters(scope, of=last))
    _note_version(db, scope, last + 1, now, devices or 0)


def _home_infos(db: sa.Connection, scope: Scope) -> tuple[HomeInfo, ...]:
    """By id, as Python orders texts: a server may have an order of its own."""
    infos = (HomeInfo(**row) for row in db.execute(_INFOS, scope_parameters(scope)).mappings())
    return tuple(sorted(infos, key=lambda info: info.id))


def _not_found(db: sa.Connection, scope: Scope) -> HomeNotFound:
    return HomeNotFound(scope.home, [info.id for info in _home_infos(db, scope)])


def _last_version(db: sa.Connection, scope: Scope) -> int:
    """The highest version the home ever had; 0 before its first import."""
    return db.scalar(_LAST_VERSION, scope_parameters(scope)) or 0


def _note_version(db: sa.Connection, scope: Scope, version: int, now: float, devices: int) -> None:
    row = {"version": version, "imported_at": now, "devices": devices}
    db.execute(sa.insert(imports), {**scope_columns(imports, scope), **row})


# Learned words in the store, and the lessons they come from.

KEPT_LESSONS = 5000
"""Lessons kept of one home."""
_WORDS = (
    sa.select(*(lexicon_entries.c[f.name] for f in fields(LexiconEntry)))
    .where(of_home(lexicon_entries))
    .order_by(lexicon_entries.c.number)
)
_FORGET_WORDS = sa.delete(lexicon_entries).where(of_home(lexicon_entries))
_LESSONS = (
    sa.select(*(lesson_rows.c[f.name] for f in fields(Lesson)))
    .where(of_home(lesson_rows))
    .order_by(lesson_rows.c.position)
)
_LAST_LESSON = sa.select(sa.func.max(lesson_rows.c.position)).where(of_home(lesson_rows))
_FORGET_LESSONS = sa.delete(lesson_rows).where(
    of_home(lesson_rows), lesson_rows.c.position <= sa.bindparam("position")
)


class LexiconTable(StoreTable):
    """The ``Lexicon`` of a store."""

    @reads
    def entries(self, db: sa.Connection, scope: Scope) -> tuple[LexiconEntry, ...]:
        """All words by number, whatever their status."""
        return _lexicon_entries(db, scope)

    @writes()
    def save_entries(self, db: sa.Connection, scope: Scope, entries: Sequence[LexiconEntry]) -> None:
        """Put these in the place of all words; the home's version rises when the accepted ones changed."""
        is_changed = accepted_words(_lexicon_entries(db, scope)) != accepted_words(entries)
        db.execute(_FORGET_WORDS, scope_parameters(scope))
        if entries:
            belongs = scope_columns(lexicon_entries, scope)
            db.execute(sa.insert(lexicon_entries), [{**belongs, **asdict(e)} for e in entries])
        if is_changed:
            raise_version(db, scope, self._clock.now())

    @writes()
    def log(self, db: sa.Connection, scope: Scope, lessons: Sequence[Lesson]) -> None:
        """Keep what a turn taught; of each home the last 5,000."""
        last, belongs = (
            db.scalar(_LAST_LESSON, scope_parameters(scope)) or 0,
            scope_columns(lesson_rows, scope),
        )
        rows = [{**belongs, "position": n, **asdict(lesson)} for n, lesson in enumerate(lessons, last + 1)]
        if rows:
            db.execute(sa.insert(lesson_rows), rows)
        db.execute(_FORGET_LESSONS, scope_parameters(scope, position=last + len(rows) - KEPT_LESSONS))

    @reads
    def lessons(self, db: sa.Connection, scope: Scope) -> tuple[Lesson, ...]:
        """What was kept, oldest first."""
        return tuple(Lesson(**row) for row in db.execute(_LESSONS, scope_parameters(scope)).mappings())


def _lexicon_entries(db: sa.Connection, scope: Scope) -> tuple[LexiconEntry, ...]:
    return tuple(LexiconEntry(**row) for row in db.execute(_WORDS, scope_parameters(scope)).mappings())


# What people said of the things of their homes, in the store.

_OVERRIDES = sa.select(overrides).where(in_scope(overrides))
_FORGET_OVERRIDES = sa.delete(overrides).where(in_scope(overrides))


class OverrideTable(StoreTable):
    """The ``Overrides`` of a store."""

    @reads
    def overrides(self, db: sa.Connection, scope: Scope) -> tuple[Override, ...]:
        """What was said of the scope's home, by the id of the thing."""
        return _all_overrides(db, scope)

    @writes()
    def save_overrides(self, db: sa.Connection, scope: Scope, said: Sequence[Override]) -> None:
        """Put these in the place of all that was said; the home's version rises when they differ."""
        in_order = tuple(sorted(said, key=lambda override: override.thing_id))
        if in_order == _all_overrides(db, scope):
            return
        db.execute(_FORGET_OVERRIDES, scope_parameters(scope))
        if in_order:
            belongs = scope_columns(overrides, scope)
            db.execute(sa.insert(overrides), [{**belongs, **part_row(o)} for o in in_order])
        raise_version(db, scope, self._clock.now())


def _all_overrides(db: sa.Connection, scope: Scope) -> tuple[Override, ...]:
    """By thing, as Python orders texts: a server may have an order of its own."""
    stored = (
        part_of_row(Override, dict(row)) for row in db.execute(_OVERRIDES, scope_parameters(scope)).mappings()
    )
    return tuple(sorted(stored, key=lambda override: override.thing_id))
