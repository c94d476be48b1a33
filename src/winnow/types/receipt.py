"""What was done of an act: of every call, what came of it and how anybody knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from winnow.types.catalog import Scalar
from winnow.types.state import Values
from winnow.types.verdict import Call, Judged, Refusal

Status = Literal["done", "sent", "failed", "unknown", "skipped"]
"""``done``: the home shows it. ``sent``: the home took it, and tells nothing that would show it. ``failed``:
certainly not done. ``unknown``: it may or may not have been done. ``skipped``: not tried."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call and what came of it."""

    call: Call
    status: Status
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
    conditions: tuple[Judged, ...] = ()
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

    def of(self, *statuses: Status) -> tuple[Outcome, ...]:
        """The outcomes of these statuses."""
        return tuple(o for o in self.outcomes if o.status in statuses)

    @property
    def device_ids(self) -> tuple[str, ...]:
        """Devices that did something, each once."""
        return tuple(dict.fromkeys(o.call.device_id for o in self.outcomes if o.ok))
