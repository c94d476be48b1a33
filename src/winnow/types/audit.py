"""What is kept of every act, for whoever asks later who did what. Entries are added, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

EntryKind = Literal["begun", "outcome", "ended", "asked", "confirmed", "refused"]
"""``begun``: about to be sent; whatever has no ``outcome`` after it is unknown. ``asked``: a yes was asked
for. ``confirmed``: it was given. ``refused``: somebody, or an agent, wanted what was not done."""


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that happened: when (seconds since the epoch), for whom, in which act."""

    at: float
    user: str
    kind: EntryKind
    act: str
    """Id of the act that it belongs to."""
    body: Mapping[str, object] = field(default_factory=dict)
    """JSON values: what was said and understood, calls, outcomes, states before and after."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A record in the chain of its home: its number from 1, and what it hangs on."""

    number: int
    record: Record
    previous: str
    """Hash of the entry before; of the first one, 64 zeros."""
    hash: str
    """SHA-256 (HMAC with the configured key, where there is one) over all of the above, as hex."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a look through a chain found."""

    entries: int
    head: str
    """Hash of the last entry: kept elsewhere, it tells later whether anything was cut off."""
    broken: tuple[str, ...] = ()
    """What is wrong, for a person to read; empty: nothing."""
    unknown: tuple[str, ...] = ()
    """Ids of acts that were begun and never ended: of these nobody knows what was done."""
