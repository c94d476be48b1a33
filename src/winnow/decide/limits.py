"""How much is done without asking, and what is never done."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from winnow.decide.options import MARGIN, TOP1_RATIO, WINDOW
from winnow.types.acting import Rules


@dataclass(frozen=True, slots=True)
class Limits:
    """What is done without asking. Counts, and shares of 0..1."""

    max_targets: int = 100
    """Devices acted on unasked."""
    max_groups: int = 10
    """Groups of alike commands acted on unasked."""
    everywhere: int = 10
    """Devices acted on unasked when everything in the whole home is switched, or a set of the whole home that
    nobody called so."""
    batch: int = 20
    """Most calls of one batch."""
    options: int = 3
    """Most answers offered when the act is unclear."""
    top1_ratio: float = TOP1_RATIO
    """Share of the best capability from which on it is trusted."""
    margin: float = MARGIN
    """Lead of the best capability from which on it is trusted."""
    window: int = WINDOW
    """Pieces of evidence looked at when it is told which capability leads."""
    representatives: int = 5
    """Devices named when a set stays unclear after one question."""
    rules: Rules = field(default_factory=Rules)
    """What is done about danger; every danger is asked about unless they say something else."""

    def under(self, rules: Rules) -> Limits:
        """The same under these rules; a set is asked about from where they say on."""
        if not rules.many:
            return replace(self, rules=rules)
        everywhere = min(self.everywhere, rules.many)
        return replace(self, rules=rules, max_targets=rules.many, everywhere=everywhere)


LIMITS = Limits()
