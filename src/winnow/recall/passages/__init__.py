"""Passages of documents: which of them a question is about, found by words, spread and meaning."""

from winnow.recall.passages.first import First, first, reached
from winnow.recall.passages.index import PassageIndex
from winnow.recall.passages.rank import ranked
from winnow.recall.passages.segment import VERSION, readable, segment_of

__all__ = ["VERSION", "First", "PassageIndex", "first", "ranked", "reached", "readable", "segment_of"]
