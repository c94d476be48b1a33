"""A home as imported -> the catalog, with a report of what changed."""

from __future__ import annotations

from dataclasses import replace

from winnow.errors import HomeNotFound
from winnow.ports import Catalog
from winnow.types.catalog import Home
from winnow.types.imports import Imported, ImportReport, Renamed
from winnow.types.scope import Scope

_COUNTED = ("floors", "rooms", "devices", "profiles", "scenes", "groups")


async def import_home(scope: Scope, imported: Imported, catalog: Catalog) -> ImportReport:
    """Store the home among those of the tenant as a whole and tell how it differs from the version before.

    Raises StoreError; then nothing changed.
    """
    home = imported.home
    before = await _stored(scope.at(home.id), catalog)
    version = await catalog.save_home(scope, home, imported.states)
    counts = {name: len(getattr(home, name)) for name in _COUNTED}
    report = ImportReport(home.id, version, counts, first=before is None)
    return _compared(before, home, report) if before else report


def _compared(before: Home, home: Home, report: ImportReport) -> ImportReport:
    """The report, with the devices that came, went or have another name."""
    old = {d.id: d.name for d in before.devices}
    new = {d.id: d.name for d in home.devices}
    return replace(
        report,
        added=tuple(i for i in new if i not in old),
        removed=tuple(i for i in old if i not in new),
        renamed=tuple(Renamed(i, old[i], new[i]) for i in new if i in old and old[i] != new[i]),
    )


async def _stored(scope: Scope, catalog: Catalog) -> Home | None:
    try:
        return await catalog.load_home(scope)
    except HomeNotFound:
        return None
