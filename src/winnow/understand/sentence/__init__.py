"""One sentence read: Utterance -> Reading."""

from winnow.understand.sentence.understand import understand
from winnow.understand.sentence.vocabulary import Vocabulary, build_vocabulary

__all__ = ["Vocabulary", "build_vocabulary", "understand"]
