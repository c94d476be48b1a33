"""What may be meant: candidates by id, each with its evidence, and what was dropped on the way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a candidate. ``score`` is 0..1 within its lane."""

    lane: str
    """``name``, ``alias``, ``pinyin``, ``fuzzy``, ``room``, ``type``, ``lexical``, ``vector``, ``near``,
    ``trait`` ..."""
    score: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A command of a device (or the device alone when ``command_key`` is empty; or a scene)."""

    device_id: str
    command_key: str = ""
    score: float = 0.0
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that was looked at and left out."""

    id: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The candidates of one instruction, best first."""

    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    unplaced: tuple[str, ...] = ()
    """Exceptions that match nothing in the home."""
    sensors: tuple[tuple[Candidate, ...], ...] = ()
    """What may tell whether each condition of the query holds."""
    near: tuple[Candidate, ...] = ()
    """Devices or scenes nearest in meaning to words that nothing was found by, nearest first: to be named,
    never to be acted on."""

    @property
    def device_ids(self) -> tuple[str, ...]:
        """Each device once, best first."""
        return tuple(dict.fromkeys(c.device_id for c in self.candidates))
