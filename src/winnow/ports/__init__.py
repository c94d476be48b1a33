"""The outside, as the rest of Winnow sees it: protocols of a few methods each.

Only ``wiring`` names what stands behind them. A port over stored rows takes the ``Scope`` first, without a
default, and may wait for a database; nothing it answers or changes lies outside that scope's tenant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from winnow.ports.acting import Actuator, Audit, Plans
from winnow.ports.feedback import Counts, FeedbackBook
from winnow.ports.homes import (
    Catalog,
    Habits,
    Lexicon,
    LiveHome,
    Overrides,
    Sessions,
    States,
)
from winnow.ports.knowledge import Documents, DocumentStore, Entry, Facts, Likeness, Part, Segment
from winnow.ports.messages import Messages, MessageStore, Persons
from winnow.ports.models import Chat, Counsel, Embedder, Keeping, Neighbours, Source, Vectoriser
from winnow.ports.persons import PersonRows
from winnow.ports.vectors import Claims, Vectors

__all__ = [
    "Actuator",
    "Audit",
    "Catalog",
    "Chat",
    "Claims",
    "Clock",
    "Counsel",
    "Counts",
    "DocumentStore",
    "Documents",
    "Embedder",
    "Entry",
    "Facts",
    "FeedbackBook",
    "Habits",
    "Keeping",
    "Lexicon",
    "Likeness",
    "LiveHome",
    "MessageStore",
    "Messages",
    "Neighbours",
    "Overrides",
    "Part",
    "PersonRows",
    "Persons",
    "Plans",
    "Segment",
    "Sessions",
    "Source",
    "States",
    "Storage",
    "Vectoriser",
    "Vectors",
]


class Clock(Protocol):
    """What time it is."""

    def now(self) -> float:
        """Seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Storage:
    """Homes and everything remembered about them, each behind its port; ``wiring`` fills it."""

    clock: Clock
    """What the times of its rows are taken from."""
    homes: Catalog
    states: States
    """What the devices reported when their home was imported."""
    sessions: Sessions
    """Turns and open questions."""
    habits: Habits
    """Use by person."""
    lexicon: Lexicon
    """Learned words."""
    overrides: Overrides
    """What people said of their things."""
    messages: MessageStore
    """What persons said in earlier talks."""
    vectors: Vectors
    claims: Claims
    """What texts were turned into."""
    facts: Facts
    """What is held to be true for persons."""
    documents: DocumentStore
    """What persons wrote or keep, and what everybody may read."""
    feedback: FeedbackBook
    """What people say of what they were given."""
    counts: Counts
    """What is counted of turns, where that is switched on."""
    audit: Audit
    """What was done."""
    plans: Plans
    """What may be done, and waits for being done or for a yes."""
    persons: PersonRows
    """All rows of one person, to be exported or deleted."""
