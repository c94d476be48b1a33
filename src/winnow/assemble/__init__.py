"""Verdict -> Briefing: the smallest sufficient text for an agent, within a budget of tokens."""

from winnow.assemble.brief import assemble

__all__ = ["assemble"]
