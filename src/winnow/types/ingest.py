"""What adding documents did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from winnow.errors import Problem
from winnow.types.document import KnowledgeTier

Outcome = Literal["added", "changed", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one document."""

    name: str
    """Its place within what was added."""
    outcome: Outcome
    passages: int = 0
    folded: int = 0
    """Of these, what other passages say already."""


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of all that was to be added."""

    tier: KnowledgeTier
    collection: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    passages: int = 0
    """Of what was added and changed."""
    folded: int = 0
    rows: tuple[Added, ...] = ()
    """The first documents that were added or changed."""
    refused: int = 0
    problems: tuple[Problem, ...] = ()
    """What was refused and why, the first of them."""
    others: int = 0
    """Files in folders that are no documents."""
    gone: tuple[str, ...] = ()
    """Ids of documents whose files are no longer there."""
    pruned: int = 0
    """Of these, how many were removed."""
    total: int = 0
    """Documents of the tier now."""

    @property
    def read(self) -> int:
        """Documents that could be read."""
        return self.added + self.changed + self.unchanged
