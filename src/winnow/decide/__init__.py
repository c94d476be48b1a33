"""Shortlist -> Verdict."""

from winnow.decide.bulk import LIMITS, Limits, asked_anyway
from winnow.decide.decide import decide
from winnow.decide.options import arbitration

__all__ = ["LIMITS", "Limits", "arbitration", "asked_anyway", "decide"]
