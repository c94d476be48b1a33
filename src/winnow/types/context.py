"""What is sent to a language model for one turn: messages within one budget, and an account of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from winnow.types.shortlist import Dropped, Step

Part = Literal["history", "knowledge", "system", "reserve"]
"""The shares of a budget (seed 004): 30, 50, 15 and 5 in a hundred."""
ChatMessage = Mapping[str, object]
"""An OpenAI-style message: ``role``, ``content``, perhaps ``tool_calls`` or ``tool_call_id``."""


@dataclass(frozen=True, slots=True)
class Use:
    """What one share holds."""

    used: int
    total: int

    @property
    def percentage(self) -> int:
        """0..100, rounded."""
        return round(100 * self.used / self.total) if self.total else 0


@dataclass(frozen=True, slots=True)
class Context:
    """Messages ready to be sent; what changes from turn to turn stands last."""

    messages: tuple[ChatMessage, ...] = ()
    token_count: int = 0
    total: int = 0
    """Tokens the messages may have."""
    counted_by: str = ""
    usage: Mapping[Part, Use] | None = None
    stable: int = 0
    """Tokens of the beginning that the next turn begins with as well, byte by byte."""
    warnings: tuple[str, ...] = ()
    trimmed: tuple[Dropped, ...] = ()
    """What was left out or shortened, where, and why."""
    steps: tuple[Step, ...] = ()
    """How the shares were set, what was compressed how far, whether it was built anew, and why."""
    last_reconstruction_time: float | None = None
    """Seconds since the epoch; None: it never was."""
