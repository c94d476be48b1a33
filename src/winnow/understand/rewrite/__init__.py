"""A follow-up question -> one that stands alone, by copying spans of the history and never a word from elsewhere."""

from winnow.understand.rewrite.rewrite import rewrite

__all__ = ["rewrite"]
