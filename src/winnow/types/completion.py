"""What a language model said, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tier = Literal["fast", "normal"]
"""``fast``: a small model for preparing a turn; ``normal``: the one that writes answers (seed 002)."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model."""

    text: str
    model: str = ""
    prompt_tokens: int | None = None
    """As the server counted them; None when it did not say."""
    completion_tokens: int | None = None
    ms: float = 0.0
    attempts: int = 1
    """Requests it took, retries included."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call as it stands in a trace. ``outcome`` is ``ok``, or the code of what went wrong and made the rules answer instead."""

    purpose: Literal["intent", "rewrite", "compile", "arbitration", "prepare"]
    outcome: str
    tier: Tier = "fast"
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    ms: float = 0.0
    attempts: int = 1
