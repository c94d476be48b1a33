"""Candidates and shortlists: what may be meant, with evidence; and the query a source is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from winnow.types.utterance import LanguageCode

# What identifies whatever is retrieved.


RefKind = Literal["device", "command", "group", "scene", "sensor", "message", "passage", "fact"]


@dataclass(frozen=True, slots=True)
class Ref:
    """One thing of one kind. Its text may change and may occur twice; ``id`` is what it is."""

    kind: RefKind
    id: str


# What is known of a source before it is asked, and what it is asked for.


@dataclass(frozen=True, slots=True)
class SourceRow:
    """What tells when a source is asked; the source itself may bear it as ``row``."""

    name: str
    tier: Literal["private", "public"] | None = None
    """``private``: asked whenever anything is looked up. ``public``: only where private ones do not suffice.
    None: only where the intent of a turn names it."""
    is_personal: bool = False
    """It holds what one person said, so it is not asked without a user."""
    nobody: str = "nobody was named, so there is nothing to search"
    """What is said then."""
    most: int | None = None
    """Candidates that are asked of it, at most; None: as many as of any source."""


@dataclass(frozen=True, slots=True)
class Search:
    """A standalone question, and the moment and tongue it was asked in."""

    text: str
    """The standalone query: nothing in it points back into the talk."""
    at: datetime | None = None
    """When it was asked, by the clock on the person's wall; what ``last week`` counts from."""
    language: LanguageCode | None = None
    """Language of the question; None lets the text decide."""
    seen: tuple[str, ...] = ()
    """What was said in this talk, the question itself among it: whoever asks has it before them. A host that
    keeps a message before it asks would find it again."""
    context: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Terms that the talk turns on and the question does not say, as ``content_terms`` gives them, and what
    each counts for against a term of the question, 0..1: a follow-up rarely repeats what it is about. They
    add to the score of what is searched by words, and never count for how well the question is covered."""
    wish: bool = False
    """Whether something is to be made or advised: what bears on it is often only implied."""


def wall_clock(seconds: float | None) -> datetime | None:
    """Seconds since the epoch as the clock of this machine shows them; None stays None."""
    return None if seconds is None else datetime.fromtimestamp(seconds)  # noqa: DTZ006 - a wall clock has no zone


# What may be meant: candidates by reference, each with its evidence, and what was dropped on the way.


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a candidate. ``score`` is 0..1 within its lane."""

    lane: str
    """``name``, ``alias``, ``pinyin``, ``fuzzy``, ``room``, ``type``, ``lexical``, ``vector``, ``near``,
    ``trait`` ..."""
    score: float
    detail: str = ""


BEARING_LANE = "bearing"
"""Evidence that is a probability: of bearing on the question."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be meant. ``data`` is what its source alone knows of it: a command's key, a text."""

    ref: Ref
    evidence: tuple[Evidence, ...] = ()
    score: float = 0.0
    data: object = None

    @property
    def bearing(self) -> float | None:
        """How likely it bears on the question: of a hundred with 0.7, seventy do. None: nobody tells."""
        return next((one.score for one in self.evidence if one.lane == BEARING_LANE), None)


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that was looked at and left out."""

    id: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was decided on the way, and why: ``strategy`` ``hybrid`` ``240 messages``."""

    what: str
    chosen: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class QuestionCoverage:
    """How much of a question what was found says, 0..1."""

    nearest: Mapping[str, float]
    """Word that is asked for -> how near any result comes to it."""
    best: float
    """The share of the question that the best single result says, or nearly so."""
    likely: float = 0.0
    """How likely the likeliest result bears on it."""
    named: float = 0.0
    """How near a single result comes to what it is about."""
    untyped: float = 0.0
    """1: an amount or a name is asked for, and the likeliest result has neither."""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """What one source offers for one query, best first."""

    source: str
    """``home``, ``history``, ``knowledge`` ..."""
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    steps: tuple[Step, ...] = ()
    """How it was searched."""
    weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    """How much each term of the question tells in all that was searched (inverse document frequency)."""
    coverage: QuestionCoverage | None = field(default=None, hash=False, repr=False)
    """None: nobody can tell."""

    @property
    def degradations(self) -> tuple[str, ...]:
        """What was to help and failed, so that less than was meant decided."""
        return tuple(step.reason for step in self.steps if step.what == "degraded")


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
