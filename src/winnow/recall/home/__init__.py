"""What of a home a sentence may mean: devices, their commands, what tells of a condition."""

from winnow.recall.home.index import HomeIndex, build_index
from winnow.recall.home.recall import recall

__all__ = ["HomeIndex", "build_index", "recall"]
