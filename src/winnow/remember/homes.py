"""A home as imported -> the catalog, with a report of what changed."""

from __future__ import annotations

from winnow.errors import HomeNotFound
from winnow.ports import Catalog
from winnow.types.catalog import Home
from winnow.types.imports import ImportReport, Renamed
from winnow.types.scope import Scope

_COUNTED = ("floors", "rooms", "devices", "profiles", "scenes", "groups")


async def import_home(scope: Scope, home: Home, catalog: Catalog) -> ImportReport:
    """Store the home among those of the tenant as a whole and tell how it differs from the version before.

    Raises StoreError; then nothing changed.
    """
    before = await _stored(scope.at(home.id), catalog)
    version = await catalog.save_home(scope, home)
    counts = {name: len(getattr(home, name)) for name in _COUNTED}
    if before is None:
        return ImportReport(home.id, version, counts, first=True)
    old = {d.id: d.name for d in before.devices}
    new = {d.id: d.name for d in home.devices}
    return ImportReport(
        home.id,
        version,
        counts,
        added=tuple(i for i in new if i not in old),
        removed=tuple(i for i in old if i not in new),
        renamed=tuple(Renamed(i, old[i], new[i]) for i in new if i in old and old[i] != new[i]),
    )


async def _stored(scope: Scope, catalog: Catalog) -> Home | None:
    try:
        return await catalog.load_home(scope)
    except HomeNotFound:
        return None
