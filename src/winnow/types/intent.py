"""Whether a turn needs anything looked up, where, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Source = Literal["devices", "history", "knowledge", "none"]
"""Where what the turn needs is kept."""
By = Literal["rules", "model"]
"""Who said so."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What kind of turn it is (seed 002). ``label`` is a class of the taxonomy in force, ``act`` what the words do in the talk."""

    need_retrieval: bool
    source: Source
    label: str
    act: str = ""
    """``ack``, ``thanks``, ``greeting``, ``stop``, ``choice``, ``confirm``, ``smalltalk``, ``statement``, ``question``, ``request``."""
    confidence: float = 1.0
    """0..1: how sure ``need_retrieval`` is."""
    reason: str = ""
    """The rule or cue that decided."""
    by: By = "rules"
