"""What an import reads, what the store knows about the homes it holds, and what an import changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.types.catalog import Home, Note
from winnow.types.state import Snapshot


@dataclass(frozen=True, slots=True)
class Imported:
    """A home as read from its payloads: what it is, and apart from that what its devices report."""

    home: Home
    states: Snapshot = field(default_factory=Snapshot)
    """``read_at`` is None when the payloads do not tell; whoever keeps them puts in the import's own."""


@dataclass(frozen=True, slots=True)
class HomeInfo:
    """One stored home without its contents. ``imported_at`` is seconds since the epoch."""

    id: str
    name: str
    source: str
    version: int
    imported_at: float
    devices: int = 0


@dataclass(frozen=True, slots=True)
class Renamed:
    """A device that kept its id and changed its name."""

    id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import stored and how it differs from the version before.

    ``counts`` are by kind of thing; ``parts`` of the devices are no things of their own.
    """

    home_id: str
    version: int
    counts: Mapping[str, int] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    """Ids of devices the version before did not have; empty for a first import."""
    removed: tuple[str, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    altered: tuple[str, ...] = ()
    """Ids of devices that can do or tell other things than before, stand elsewhere or are of other kinds."""
    rearranged: tuple[str, ...] = ()
    """What else of the home is not as it was: ``floors``, ``rooms``, ``scenes``, ``groups``."""
    first: bool = False
    notes: tuple[Note, ...] = ()
    """What was left out, guessed or could not be used, and what is worth knowing of the home."""

    @property
    def same(self) -> bool:
        """Whether nothing is different from the version before."""
        changes = (self.added, self.removed, self.renamed, self.altered, self.rearranged)
        return not self.first and not any(changes)
