"""Verdict or agent calls -> Receipt: planned, looked at anew, carried out, seen, and told as it was."""
