"""A follow-up question -> one that stands alone, by copying spans of the history and nothing else."""

from winnow.understand.rewrite.rewrite import rewrite

__all__ = ["rewrite"]
