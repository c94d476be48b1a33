"""What may be done. Always a value: uncertainty is an answer, never an exception."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.types.home import Scalar

RISK_UNSURE_TARGET = "meant"
"""The risk of having taken the wrong thing: not every word for it was known, and the question names it."""


RISK_ISLAND = "island"
"""The risk of an order inside words that nothing reads: the question names what would be done."""


@dataclass(frozen=True, slots=True)
class Call:
    """One command of one device, with its arguments under their names on the wire."""

    device_id: str
    command_id: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Read:
    """One attribute to read from one device; empty ``attribute_id`` means its main state."""

    device_id: str
    attribute_id: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one instruction cannot be done.

    ``code`` is a key of the message table, ``facts`` fill its template.
    """

    code: str
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    device_ids: tuple[str, ...] = ()
    """The devices that cannot do it, when it is known which."""
    near: tuple[str, ...] = ()
    """Devices or scenes nearest in meaning to a thing that is not there; naming one takes a new order."""


@dataclass(frozen=True, slots=True)
class ConditionCheck:
    """A condition, what was read for it, and whether it held (None: could not be decided)."""

    text: str
    reads: tuple[Read, ...]
    holds: bool | None
    value: Scalar = None
    unit: str = ""
    """Of the value; told in receipts."""
    at: float | None = None
    """When the value was told, in seconds since the epoch; in receipts, where it is known."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer a question offers."""

    label: str
    device_ids: tuple[str, ...]
    capability: str = ""
    """What would be done, when that is the question: ``Trait.Action``, or a native command id."""
    examples: tuple[str, ...] = ()
    """Names of some of the devices, with their rooms."""


@dataclass(frozen=True, slots=True)
class CallGroup:
    """Devices of a set that take one command in one shape.

    They may safely be sent the same thing (seed 001 §8.4).
    """

    command_id: str
    signature: str
    """Name, kind, limits and choices of the command's parameters; empty for a command without any."""
    device_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Up to 20 calls that share one command and one parameter shape (seed 001 §8.4)."""

    command_id: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Bulk:
    """What is to be told of a set beside its calls. ``excluded`` and ``uncovered`` name what was left out."""

    batches: tuple[Batch, ...] = ()
    excluded: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    groups: tuple[CallGroup, ...] = ()
    """The targets by what they can be sent together; ``batches`` cut each into pieces of at most 20."""


@dataclass(frozen=True, slots=True)
class Act:
    """Do these calls. ``bulk`` is there when they are those of a set."""

    calls: tuple[Call, ...]
    bulk: Bulk | None = None
    refused: tuple[Refusal, ...] = ()
    conditions: tuple[ConditionCheck, ...] = ()

    @property
    def coverage(self) -> float:
        """0..1, share of the members of a set that get a call."""
        left = len(set(self.bulk.uncovered)) if self.bulk else 0
        done = len({c.device_id for c in self.calls})
        return done / max(1, done + left)


@dataclass(frozen=True, slots=True)
class Confirm:
    """Ask whether ``proposed`` may be done; ``question`` names the act. Nothing is done before a yes."""

    proposed: tuple[Call, ...]
    question: str
    risks: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()
    conditions: tuple[ConditionCheck, ...] = ()
    hints: tuple[str, ...] = ()
    """``too_many_targets``: the set is larger than is acted on unasked."""


@dataclass(frozen=True, slots=True)
class Clarify:
    """Ask which one. Two to five options."""

    question: str
    options: tuple[Option, ...] = ()
    by: str = ""
    """What the options differ in: ``room``, ``floor``, ``name``, ``kind``, ``action``."""
    hints: tuple[str, ...] = ()
    """``need_clarification``: the act of a set is unclear; ``arbitration_failed``, ``arbitration_asks``: a
    model was asked, in vain;
    ``also_open``: another order of the sentence is unclear too."""
    more: tuple[str, ...] = ()
    """Ids of those beyond the options: an answer may name them as well."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Not done, and why."""

    refusals: tuple[Refusal, ...]
    message: str = ""
    conditions: tuple[ConditionCheck, ...] = ()
    hints: tuple[str, ...] = ()
    """``be_more_specific``: asked once already; the refusal names some of the devices that may be meant."""


@dataclass(frozen=True, slots=True)
class Query:
    """Nothing to do but to read and answer."""

    reads: tuple[Read, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Not a device request, or an order not to act. ``reason`` is a key of the message table."""

    reason: str
    conditions: tuple[ConditionCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """It orders or asks something of the home and could not be read: nothing is done, and that is told."""

    words: tuple[str, ...] = ()
    """Those that nothing explains, as said; empty where every word is known and the sentence is to blame."""
    mentioned: tuple[str, ...] = ()
    """Ids of the devices and scenes that its words point to, best first: told to whoever can judge it."""
    message: str = ""


Verdict = Act | Confirm | Clarify | Refuse | Query | Nothing | NotUnderstood


def conditions_of(verdict: Verdict) -> tuple[ConditionCheck, ...]:
    """The conditions that were judged for a verdict."""
    return () if isinstance(verdict, Clarify | Query | NotUnderstood) else verdict.conditions


def named_reads(verdict: Verdict) -> tuple[Read, ...]:
    """What a verdict was read from, or wants read: the answer to a question, or what conditions depend on."""
    match verdict:
        case Query(reads=reads):
            return reads
        case _:
            return tuple(dict.fromkeys(r for judged in conditions_of(verdict) for r in judged.reads))


def named_calls(verdict: Verdict) -> tuple[Call, ...]:
    """The calls a verdict speaks of, to be told and never done: of an act, or proposed by a question."""
    match verdict:
        case Act(calls=calls) | Confirm(proposed=calls):
            return calls
        case _:
            return ()


def verdict_digest(verdict: Verdict) -> str:
    """A digest of the verdict: equal for equal verdicts, also in another process."""
    return hashlib.sha256(repr(verdict).encode()).hexdigest()[:32]
