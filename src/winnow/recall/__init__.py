"""Reading -> Shortlist: one folder a source."""

from winnow.recall.home import HomeIndex, build_index, recall

__all__ = ["HomeIndex", "build_index", "recall"]
