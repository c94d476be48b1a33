"""What of a home a sentence may mean: devices, their commands, what tells of a condition."""

from winnow.recall.home.index import HomeIndex, build_index
from winnow.recall.home.limits import Limits
from winnow.recall.home.mentioned import mentioned
from winnow.recall.home.recall import recall
from winnow.recall.home.standpoint import Standpoint

__all__ = ["HomeIndex", "Limits", "Standpoint", "build_index", "mentioned", "recall"]
