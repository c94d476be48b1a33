"""What a turn of a talk asks for, before anything is searched: the first half of the trace."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.types.briefing import Stage
from winnow.types.completion import ModelCall, degraded
from winnow.types.dialogue import Utterance
from winnow.types.intent import Intent
from winnow.types.query import Reading
from winnow.types.rewrite import Rewrite


@dataclass(frozen=True, slots=True)
class Understanding:
    """Intent, then the standalone query, then what the home makes of it (seed 002).

    ``reading`` is None where no home is known.
    """

    utterance: Utterance
    intent: Intent
    rewrite: Rewrite
    reading: Reading | None = None
    stages: tuple[Stage, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    """Models that were asked, with what came of it."""

    @property
    def query(self) -> str:
        """What is to be searched for: the standalone query where one is needed, else the words as said."""
        return self.rewrite.query

    @property
    def degraded(self) -> tuple[str, ...]:
        """``purpose: outcome`` of every model that was asked in vain, so that the rules answered."""
        return degraded(self.calls)
