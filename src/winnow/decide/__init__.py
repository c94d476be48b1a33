"""Shortlist -> Verdict."""

from winnow.decide.bulk import Limits, asked_anyway
from winnow.decide.decide import decide
from winnow.decide.options import arbitration

__all__ = ["Limits", "arbitration", "asked_anyway", "decide"]
