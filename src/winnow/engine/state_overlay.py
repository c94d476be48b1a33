"""States this process was given, laid over those of another source until that has newer ones."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from winnow.errors import NoSuchState
from winnow.ports.stores import Clock, States
from winnow.types.home import HomeView
from winnow.types.scope import Scope
from winnow.types.state import Snapshot, Values

MAX_NEAR_IDS = 3
"""Ids named that may have been meant."""


class StateOverlay:
    """``States`` over those of ``below``: of each value the newer one counts."""

    def __init__(self, below: States, clock: Clock) -> None:
        self.below, self._clock = below, clock
        self._overlays: dict[tuple[str, str], Snapshot] = {}
        """By tenant and home."""

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        below, told = await self.below.read(scope, refs), self._overlays.get((scope.tenant, scope.home))
        if told is None:
            return below
        return (told.about(refs) if refs else told).over(below)

    async def add_states(self, scope: Scope, changes: Values, view: HomeView) -> None:
        """Take these in as reported now. Raises NoSuchState; then none of them is taken in."""
        known = await self.below.read(scope, tuple(changes))
        # ``device`` or ``device.attribute`` that the home does not have -> the ids that come nearest.
        unknown: dict[str, tuple[str, ...]] = {}
        for device_id, states in changes.items():
            if device_id not in view.devices:
                unknown[device_id] = tuple(get_close_matches(device_id, view.devices, MAX_NEAR_IDS))
                continue
            attributes = {*(a.id for a in view.profile(device_id).attributes), *known.of(device_id)}
            for name in states:
                if name not in attributes:
                    near = get_close_matches(name, sorted(attributes), MAX_NEAR_IDS)
                    unknown[f"{device_id}.{name}"] = tuple(near)
        if unknown:
            raise NoSuchState(scope.home, unknown)
        place = scope.tenant, scope.home
        told = self._overlays.get(place, Snapshot(source="told"))
        self._overlays[place] = told.with_changes(changes, self._clock.now())
