"""A home as imported -> the catalog, with a report of what changed."""

from __future__ import annotations

from winnow.errors import HomeNotFound
from winnow.ports import Catalog
from winnow.types.catalog import Home
from winnow.types.imports import ImportReport, Renamed

_COUNTED = ("floors", "rooms", "devices", "profiles", "scenes", "groups")


def import_home(home: Home, catalog: Catalog) -> ImportReport:
    """Store the home as a whole and tell how it differs from the version before.

    Raises StoreError; then nothing changed.
    """
    before = _stored(home.id, catalog)
    version = catalog.save_home(home)
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


def _stored(home_id: str, catalog: Catalog) -> Home | None:
    try:
        return catalog.load_home(home_id)
    except HomeNotFound:
        return None
