"""A handle of what may be done: an agent names it, and so can neither add to it nor drop anything of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from winnow.types.dialogue import Utterance
from winnow.types.verdict import Call

PlanState = Literal["open", "asked", "spent"]
"""``open``: may be carried out once. ``asked``: only after a yes. ``spent``: was carried out, or answered."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one retrieval decided, kept until it is carried out or expires."""

    id: str
    """Short, for a model to repeat: equal for equal words of one person in one home."""
    home_id: str
    version: int
    """Version of the home it was made in."""
    utterance: Utterance
    """What was said, with the history it was understood by: saying it again leads to the same plan."""
    calls: tuple[Call, ...]
    """What would be done, as told."""
    mark: str
    """Digest of the verdict: another verdict is another plan."""
    made_at: float
    """Seconds since the epoch."""
    state: PlanState = "open"
    retrieval_id: str = ""
    offered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Device id -> command ids that the briefing named: what an agent may call."""
    token_hash: str = ""
    """SHA-256 of the token that says yes, as hex; empty where nobody was asked."""
    expires_at: float = 0.0
    proposed: bool = False
    """Whether an agent put the calls together, and no sentence: then they stand as they are."""
