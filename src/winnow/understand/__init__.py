"""Utterance -> Reading."""

from winnow.understand.reading import drawing, understand
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

__all__ = ["Vocabulary", "build_vocabulary", "drawing", "understand"]
