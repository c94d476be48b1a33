"""Homes of one process: for a single home handed over as a value, for tests and for evaluation."""

from __future__ import annotations

from dataclasses import replace

from winnow.errors import HomeNotFound
from winnow.ports import Clock
from winnow.types.catalog import Home
from winnow.types.imports import HomeInfo


class MemoryCatalog:
    """A ``Catalog`` that forgets everything when the process ends."""

    def __init__(self, clock: Clock, *homes: Home) -> None:
        self._clock = clock
        self._homes: dict[str, tuple[Home, float]] = {}
        self._versions: dict[str, int] = {}
        for home in homes:
            self.save_home(home)

    def save_home(self, home: Home) -> int:
        """Replace the home of that id; its new version."""
        version = self._versions.get(home.id, 0) + 1
        self._versions[home.id] = version
        self._homes[home.id] = (replace(home, version=version), self._clock.now())
        return version

    def load_home(self, home_id: str) -> Home:
        """The home, with its version."""
        if home_id not in self._homes:
            raise HomeNotFound(home_id, sorted(self._homes))
        return self._homes[home_id][0]

    def list_homes(self) -> tuple[HomeInfo, ...]:
        """All homes, by id."""
        return tuple(
            HomeInfo(h.id, h.name, h.source, h.version, when, len(h.devices))
            for _, (h, when) in sorted(self._homes.items(), key=lambda kv: kv[0])
        )

    def delete_home(self, home_id: str) -> None:
        """Forget a home. Raises HomeNotFound."""
        self.load_home(home_id)
        del self._homes[home_id]
