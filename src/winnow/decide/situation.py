"""Where, when and for whom something is decided."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.decide.limits import LIMITS, Limits
from winnow.types.dialogue import Language
from winnow.types.state import UNREAD, Snapshot
from winnow.types.usage import Usage
from winnow.types.view import HomeView


@dataclass(frozen=True, slots=True)
class Situation:
    """What all instructions of a sentence are decided in."""

    view: HomeView
    language: Language
    snapshot: Snapshot = UNREAD
    area: str | None = None
    """Id of the room the person stands in."""
    habits: Usage | None = None
    limits: Limits = LIMITS
    guess: str = ""
    """What a model took the words for, where only the person can say whether it is right."""
    clarified: bool = False
    """Our question what to do was answered: it is not asked a second time."""
    confirmed: bool = False
    """Our question whether to do it was answered with a yes."""
    text: str = ""
    """What was said, normalised."""
