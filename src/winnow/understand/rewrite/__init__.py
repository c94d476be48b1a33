"""Rewrite a follow-up question to stand alone, by copying spans of the history and nothing else."""
