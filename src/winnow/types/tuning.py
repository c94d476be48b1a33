"""What feedback taught about ranking and about how room is used; empty changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winnow.types.context import Part


@dataclass(frozen=True, slots=True)
class Tuning:
    """Settings that ``training/knowledge/tune.py`` proposes and a person switches on."""

    ranking: Mapping[str, float] = field(default_factory=dict)
    """Feature -> what it adds to the log-odds of a candidate's relevance: the lanes of its evidence,
    ``importance``, ``credibility``, ``age`` (as ``features`` scales it), and ``source:NAME``."""
    shares: Mapping[Part, float] = field(default_factory=dict)
    """Shares of the budget, 0..1, in the place of the default ones; empty: the default ones."""
    relevant: float | None = None
    """Part of its source's best score that a candidate has to be given at first; None: the default."""
    protect: float | None = None
    """Importance from which on a text is made smaller last; None: the default."""

    def __bool__(self) -> bool:
        """Whether anything is changed."""
        return self != NOTHING


NOTHING = Tuning()
