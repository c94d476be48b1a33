"""Passages of documents: which of them a question is about, found by words, spread and meaning."""

from winnow.recall.passages.feedback import fed_back
from winnow.recall.passages.first import First, first, reached
from winnow.recall.passages.index import PassageIndex
from winnow.recall.passages.rank import ranked
from winnow.recall.passages.segment import VERSION, readable, segment_of
from winnow.recall.passages.sentences import Sentence, best_sentences

__all__ = [
    "VERSION",
    "First",
    "PassageIndex",
    "Sentence",
    "best_sentences",
    "fed_back",
    "first",
    "ranked",
    "reached",
    "readable",
    "segment_of",
]
