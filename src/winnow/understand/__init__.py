"""Utterance -> Reading."""

from winnow.understand.sentence import Vocabulary, build_vocabulary, understand

__all__ = ["Vocabulary", "build_vocabulary", "understand"]
