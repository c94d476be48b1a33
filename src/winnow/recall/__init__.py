"""Reading -> Shortlist."""

from winnow.recall.index import HomeIndex, build_index
from winnow.recall.recall import recall

__all__ = ["HomeIndex", "build_index", "recall"]
