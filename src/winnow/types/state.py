"""States of devices with their moment and source, imports of homes, and events of live homes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from winnow.types.home import Home, Note, Scalar

# A home that is read where it runs: at which server, and what is heard from there.


@dataclass(frozen=True, slots=True)
class Link:
    """Where a home is read. It names where the token lies; the token itself is kept nowhere."""

    url: str
    platform: str
    token_env: str
    """Name of the environment variable that holds the token."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """A value of a device that became another one."""

    device_id: str
    attribute_id: str
    before: Scalar
    """None: nothing was known of it."""
    after: Scalar
    """None: it is no longer told."""
    at: float | None = None
    """Seconds since the epoch, as the server told; None: it told no moment."""


@dataclass(frozen=True, slots=True)
class HomeChange:
    """What the home consists of may have changed: its things, their names, rooms or abilities."""


@dataclass(frozen=True, slots=True)
class Connected:
    """The connection stands, and the states of so many things were read anew."""

    things: int
    again: bool = False
    """Whether it had been lost."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection is gone; it is tried again after ``pause`` seconds."""

    why: str
    """A phrase that can be told in other languages."""
    pause: float


HomeEvent = StateChange | HomeChange | Connected | ConnectionLost
"""What is heard of a home while it is watched."""

ReadProgress = Callable[[str, int], None]
"""Told what was read, and how many of it."""


def no_read_progress(what: str, count: int) -> None:
    """Progress that nobody wants to see."""


Values = Mapping[str, Mapping[str, Scalar]]
"""Device id -> attribute id -> value."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from. ``at`` is seconds since the epoch; None: nobody knows when it was read."""

    source: str
    at: float | None = None

    @property
    def age(self) -> float:
        """What tells the newer of two: a moment that nobody knows is older than any other."""
        return float("-inf") if self.at is None else self.at


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The states of a home as read at one moment from one source. A value that is not in it was not read."""

    values: Values = field(default_factory=dict)
    read_at: float | None = None
    """Seconds since the epoch; None: nobody knows."""
    source: str = ""
    """``smartthings``, ``homeassistant``, ``neutral``, ``simulated``, ``told`` ..."""
    offline: frozenset[str] = frozenset()
    """Devices that cannot be reached. What is known of them may be long gone."""
    origins: Mapping[str, Mapping[str, Origin]] = field(default_factory=dict)
    """Device id -> attribute id -> where that value comes from, if not from ``source`` at ``read_at``."""

    def of(self, device_id: str) -> Mapping[str, Scalar]:
        """Attribute id -> value of one device; empty when nothing is known of it."""
        return self.values.get(device_id, {})

    def value(self, device_id: str, attribute_id: str) -> Scalar:
        """One value; None when it is not known."""
        return self.of(device_id).get(attribute_id)

    def online(self, device_id: str) -> bool:
        """Whether the device can be reached, as far as anybody knows."""
        return device_id not in self.offline

    def origin(self, device_id: str, attribute_id: str) -> Origin:
        """When and from where that value was read."""
        own = self.origins.get(device_id, {}).get(attribute_id)
        return own or Origin(self.source, self.read_at)

    def about(self, device_ids: Collection[str]) -> Snapshot:
        """What it says of these devices and of no other."""
        return Snapshot(
            {i: self.values[i] for i in device_ids if i in self.values},
            self.read_at,
            self.source,
            self.offline.intersection(device_ids),
            {i: self.origins[i] for i in device_ids if i in self.origins},
        )

    def with_read_time(self, now: float) -> Snapshot:
        """The same, as taken over ``now``: read then, where it tells no moment, and never later than that."""
        return replace(self, read_at=now if self.read_at is None else min(self.read_at, now))

    def with_changes(self, changes: Values, at: float) -> Snapshot:
        """The same with these values, read from the same source at that moment."""
        origin = Origin(self.source, at)
        values = {i: {**self.of(i), **new} for i, new in changes.items()}
        origins = {i: {**self.origins.get(i, {}), **dict.fromkeys(new, origin)} for i, new in changes.items()}
        return Snapshot(
            {**self.values, **values}, self.read_at, self.source, self.offline, {**self.origins, **origins}
        )

    def over(self, below: Snapshot) -> Snapshot:
        """Both as one: of each value the newer, this one's where they are as old or ``below`` has none."""
        values, origins = dict(below.values), dict(below.origins)
        for i, told in self.values.items():
            counts = {a: self.origin(i, a) for a in told if self._newer(i, a, below)}
            values[i] = {**below.of(i), **{a: told[a] for a in counts}}
            origins[i] = {**below.origins.get(i, {}), **counts}
        return Snapshot(values, below.read_at, below.source, below.offline, origins)

    def _newer(self, device_id: str, attribute_id: str, below: Snapshot) -> bool:
        if attribute_id not in below.of(device_id):
            return True
        return self.origin(device_id, attribute_id).age >= below.origin(device_id, attribute_id).age


EMPTY_SNAPSHOT = Snapshot()
"""Nothing was read."""


# What an import reads, what the store knows about the homes it holds, and what an import changed.


@dataclass(frozen=True, slots=True)
class ImportedHome:
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
class RenamedDevice:
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
    renamed: tuple[RenamedDevice, ...] = ()
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
