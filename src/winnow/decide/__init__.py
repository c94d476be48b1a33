"""Shortlist -> Verdict."""

from winnow.decide.before import Before, question_before
from winnow.decide.decide import decide
from winnow.decide.limits import LIMITS, Limits
from winnow.decide.options import arbitration
from winnow.decide.ruled import ruled_call
from winnow.decide.which_act import asked_anyway

__all__ = [
    "LIMITS",
    "Before",
    "Limits",
    "arbitration",
    "asked_anyway",
    "decide",
    "question_before",
    "ruled_call",
]
