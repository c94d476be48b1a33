"""Receipts of acts, and the audit records that are kept of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from winnow.types.home import Scalar
from winnow.types.state import Values
from winnow.types.verdict import Call, ConditionCheck, Refusal

# What is kept of every act, for whoever asks later who did what. Entries are added, never changed.


EntryKind = Literal["begun", "outcome", "ended", "asked", "confirmed", "refused"]
"""``begun``: about to be sent; whatever has no ``outcome`` after it is unknown. ``asked``: a yes was asked
for. ``confirmed``: the person asked gave it. ``refused``: somebody, or an agent, wanted what was not done;
also a yes or an answer to a question that was put to another, of which ``question`` is the id."""


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that happened: when (seconds since the epoch), for whom, in which act."""

    at: float
    user: str
    kind: EntryKind
    act: str
    """Id of the act that it belongs to."""
    body: Mapping[str, object] = field(default_factory=dict)
    """JSON values: ids, calls, outcomes, states before and after; none of the words that people said.

    ``calls`` of what is begun or asked about: device id, command id and arguments of each.
    ``outcomes``: ``device``, ``command`` and ``status`` of each call, with what else is known of it.
    """


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A record in the chain of its home: its number from 1, and what it hangs on."""

    number: int
    record: Record
    previous: str
    """Hash of the entry before; of the first one, the digest of tenant and home."""
    hash: str
    """SHA-256 (HMAC with the configured key, where there is one) over all of the above, as hex."""


@dataclass(frozen=True, slots=True)
class ChainHead:
    """Where a chain ends, kept beside it."""

    home: str
    name: str
    """What its archives are called by: the beginning of the hash of its first entry."""
    first: int
    """Number of the first entry that is not archived."""
    after: str
    """What that entry hangs on."""
    number: int
    """Of the last entry."""
    hash: str
    """Of the last entry."""

    @property
    def entry_count(self) -> int:
        """Entries that are not archived."""
        return self.number - self.first + 1


FlawKind = Literal["altered", "unsealed", "loose", "missing", "cut", "head", "expected", "archive"]
"""``altered``: not what was written at that place. ``unsealed``: written without the key, after others with
it. ``loose``: hangs on another entry than the one before it. ``cut``: the last ones are gone. ``head``: what
is kept beside the chain does not fit it. ``expected``: no entry has the hash that was asked for.
``archive``: a file with them is not here, or cannot be read."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a chain, from which entry to which."""

    kind: FlawKind
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class UnfinishedAct:
    """An act that was begun and never ended, with the calls of which nobody knows what came."""

    act: str
    at: float
    user: str
    calls: tuple[Call, ...] = ()
    """Empty: the outcome of each is known, only the end is missing."""


@dataclass(frozen=True, slots=True)
class ChainVerification:
    """What a look through a chain found."""

    entries: int
    """How many there are, with those in archives."""
    head: str
    """Hash of the last entry: kept elsewhere, it tells later whether anything was cut off."""
    broken: tuple[Flaw, ...] = ()
    """What is wrong; empty: nothing."""
    unknown: tuple[UnfinishedAct, ...] = ()


def recorded_calls(body: Mapping[str, object]) -> Iterator[Call]:
    """The calls a record is about: those that were begun, or those whose outcome it tells."""
    for name in ("calls", "outcomes"):
        told = body.get(name)
        for one in told if isinstance(told, list | tuple) else ():
            if isinstance(one, Mapping):
                yield Call(
                    str(one.get("device", "")), str(one.get("command", "")), dict(one.get("arguments", {}))
                )
                continue
            device, command, *rest = one if isinstance(one, list | tuple) else ("", "")
            yield Call(str(device), str(command), dict(rest[0]) if rest else {})


OutcomeStatus = Literal["done", "sent", "failed", "unknown", "skipped"]
"""``done``: the home shows it. ``sent``: the home took it, and tells nothing that would show it. ``failed``:
certainly not done. ``unknown``: it may or may not have been done. ``skipped``: not tried."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call and what came of it."""

    call: Call
    status: OutcomeStatus
    code: str = ""
    """Why it is not done: a key of the message table (``device_offline``, ``not_seen`` ...)."""
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    """What fills the sentence of ``code``."""
    before: Mapping[str, Scalar] = field(default_factory=dict)
    """Attribute id -> value of the call's device before, of those that it changes."""
    changed: Mapping[str, Scalar] = field(default_factory=dict)
    """Attribute id -> value afterwards, as the home tells it."""
    retry_after: float | None = None
    """Seconds after which it may be tried again, by whoever tried it; None: trying again may not help."""
    tries: int = 1
    moved: Values = field(default_factory=dict)
    """Of a scene: device id -> attribute id -> value of what it moved, as far as the home tells."""

    @property
    def ok(self) -> bool:
        """Whether the home took it."""
        return self.status in ("done", "sent")


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question that waits for a person's yes."""

    token: str = field(repr=False)
    """What says yes to exactly this, once, before it expires. For the person, never for a model."""
    question: str
    """Every act, in words."""
    expires_at: float
    """Seconds since the epoch."""


ReceiptStatus = Literal["done", "partly", "failed", "unknown", "waiting", "refused", "nothing"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of one act. It is complete: every call of the plan is in ``outcomes`` or ``refused``."""

    id: str
    """What the audit log calls it; empty where nothing was to be done."""
    at: float
    """When it was begun, in seconds since the epoch."""
    plan: str = ""
    """The handle of the plan that was carried out."""
    outcomes: tuple[Outcome, ...] = ()
    refused: tuple[Refusal, ...] = ()
    """What was not even tried, and why."""
    conditions: tuple[ConditionCheck, ...] = ()
    """Conditions as they were found just before."""
    waiting: Confirmation | None = None
    """The question that has to be answered first."""
    reason: str = ""
    """A key of the message table: why nothing was to be done, where nothing was."""
    undoes: str = ""
    """Id of the act that this one took back."""

    @property
    def status(self) -> ReceiptStatus:
        """All of it in one word."""
        if self.waiting is not None:
            return "waiting"
        if not self.outcomes:
            return "refused" if self.refused else "nothing"
        came = {o.ok for o in self.outcomes}
        if came == {True}:
            return "partly" if self.refused else "done"
        if True in came:
            return "partly"
        return "unknown" if self.of("unknown") else "failed"

    def of(self, *statuses: OutcomeStatus) -> tuple[Outcome, ...]:
        """The outcomes of these statuses."""
        return tuple(o for o in self.outcomes if o.status in statuses)

    @property
    def device_ids(self) -> tuple[str, ...]:
        """Devices that did something, each once."""
        return tuple(dict.fromkeys(o.call.device_id for o in self.outcomes if o.ok))
