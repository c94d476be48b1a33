"""A home as imported -> the catalog, with a report of what changed."""

from __future__ import annotations

from dataclasses import replace

from winnow.errors import HomeNotFound
from winnow.ports import Catalog
from winnow.types.catalog import Device, Home, Profile
from winnow.types.imports import Imported, ImportReport, Renamed
from winnow.types.scope import Scope
from winnow.types.view import HomeView

_ARRANGED = ("floors", "rooms", "scenes", "groups")
_COUNTED = ("floors", "rooms", "devices", "profiles", "scenes", "groups")


async def import_home(scope: Scope, imported: Imported, catalog: Catalog) -> ImportReport:
    """Store the home among those of the tenant as a whole and tell how it differs from the version before.

    Raises StoreError; then nothing changed.
    """
    home = imported.home
    try:
        before: Home | None = await catalog.load_home(scope.at(home.id))
    except HomeNotFound:
        before = None
    version = await catalog.save_home(scope, home, imported.states)
    counts = {name: len(getattr(home, name)) for name in _COUNTED}
    counts["parts"] = sum(not device.stands_alone for device in home.devices)
    report = ImportReport(home.id, version, counts, first=before is None)
    return _compared(before, home, report) if before else report


def _compared(before: Home, home: Home, report: ImportReport) -> ImportReport:
    """The report, with the devices that came, went or have another name."""
    old, new = _by_id(before), _by_id(home)
    kept = [(i, old[i], new[i]) for i in sorted(old.keys() & new.keys())]
    return replace(
        report,
        added=tuple(i for i in new if i not in old),
        removed=tuple(i for i in old if i not in new),
        renamed=tuple(Renamed(i, a.name, b.name) for i, (a, _), (b, _) in kept if a.name != b.name),
        altered=tuple(i for i, was, now in kept if _facts(*was) != _facts(*now)),
        rearranged=_rearranged(before, home),
    )


def _rearranged(before: Home, home: Home) -> tuple[str, ...]:
    return tuple(name for name in _ARRANGED if getattr(before, name) != getattr(home, name))


def _by_id(home: Home) -> dict[str, tuple[Device, Profile]]:
    """Each device with what it can do and tell."""
    view = HomeView.of(home)
    return {i: (device, view.profile(i)) for i, device in view.devices.items()}


def _facts(device: Device, profile: Profile) -> tuple[Device, Profile]:
    """All that is known of a device but its name and what its profile is called."""
    return replace(device, name="", profile_id=""), replace(profile, id="")
