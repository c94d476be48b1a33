"""Verdict -> Briefing: the smallest sufficient text for an agent, within a budget of tokens."""
