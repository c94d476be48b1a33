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
    old, new = _names(before), _names(home)
    return ImportReport(
        home.id,
        version,
        counts,
        added=tuple(i for i in new if i not in old),
        removed=tuple(i for i in old if i not in new),
        renamed=tuple(Renamed(i, old[i], name) for i, name in new.items() if old.get(i, name) != name),
    )


def _names(home: Home) -> dict[str, str]:
    """Id of each device -> its name."""
    return {device.id: device.name for device in home.devices}


async def _stored(scope: Scope, catalog: Catalog) -> Home | None:
    try:
        return await catalog.load_home(scope)
    except HomeNotFound:
        return None
