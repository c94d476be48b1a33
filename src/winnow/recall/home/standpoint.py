"""Where a query is asked: one home, and the room of the person who speaks."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.recall.home.index import HomeIndex
from winnow.types.catalog import Room


@dataclass(frozen=True, slots=True)
class Standpoint:
    """One home as it is from one of its rooms, or from nowhere in particular."""

    index: HomeIndex
    area: str | None = None
    """Id of the room the person stands in; None when it is not known."""

    @property
    def room(self) -> Room | None:
        """The room the person stands in."""
        return self.index.view.rooms.get(self.area or "")

    @property
    def beside(self) -> frozenset[str]:
        """The devices of that room."""
        return self.index.by_room.get(self.area or "", frozenset())

    @property
    def around(self) -> frozenset[str]:
        """The devices of that room, of the whole home where it is not known."""
        return self.beside if self.area else self.index.all_ids
