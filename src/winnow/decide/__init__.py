"""Shortlist -> Verdict."""

from winnow.decide.decide import decide

__all__ = ["decide"]
