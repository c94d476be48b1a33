"""What of a home may be meant: the shortlist of devices and scenes, with what only they need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from winnow.types.ref import Ref, RefKind
from winnow.types.shortlist import Candidate, Evidence, Shortlist


@dataclass(frozen=True, slots=True)
class DeviceCandidate(Candidate):
    """A command of a device (or the device alone when there is no key; or a scene, or a sensor)."""

    data: str = ""

    @classmethod
    def of(
        cls,
        device_id: str,
        command_key: str = "",
        score: float = 0.0,
        evidence: Iterable[Evidence] = (),
        kind: RefKind = "device",
    ) -> DeviceCandidate:
        """That device, or what else of a home has the id."""
        return cls(Ref(kind, device_id), tuple(evidence), score, command_key)

    @property
    def device_id(self) -> str:
        """Id of the device, scene or sensor."""
        return self.ref.id

    @property
    def command_key(self) -> str:
        """The command of the device's profile that is meant; empty: none in particular."""
        return self.data


@dataclass(frozen=True, slots=True)
class HomeShortlist(Shortlist):
    """The candidates of one instruction, best first."""

    source: str = "home"
    candidates: tuple[DeviceCandidate, ...] = ()
    unplaced: tuple[str, ...] = ()
    """Exceptions, and what is taken back of them, that match nothing in the home."""
    idle: tuple[str, ...] = ()
    """Exceptions that match something in the home, and nothing of what is meant."""
    sensors: tuple[tuple[DeviceCandidate, ...], ...] = ()
    """What may tell whether each condition of the query holds."""
    near: tuple[DeviceCandidate, ...] = ()
    """Devices or scenes nearest in meaning to words that nothing was found by, nearest first.

    To be named, never to be acted on.
    """

    weak: tuple[DeviceCandidate, ...] = ()
    """What may be meant where not every word is known, best first: to be asked about, never acted on unasked.
    """
    uncounted: str = ""
    """A word that counts out one of what was named (``the second``), where nothing tells which that is."""

    @property
    def device_ids(self) -> tuple[str, ...]:
        """Each device once, best first."""
        return tuple(dict.fromkeys(c.device_id for c in self.candidates))
