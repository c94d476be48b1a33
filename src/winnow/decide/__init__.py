"""Shortlist -> Verdict."""
