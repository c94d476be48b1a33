"""A follow-up question -> one that stands alone, by copying spans of the history and nothing else."""
