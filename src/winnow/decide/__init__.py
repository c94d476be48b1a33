"""Shortlist -> Verdict."""

from winnow.decide.bulk import Limits, asked_anyway
from winnow.decide.decide import decide
from winnow.decide.options import arbitrate

__all__ = ["Limits", "arbitrate", "asked_anyway", "decide"]
