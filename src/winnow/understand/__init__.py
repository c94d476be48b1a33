"""Words -> Reading."""

from winnow.understand.understand import understand
from winnow.understand.vocabulary import Vocabulary, build_vocabulary

__all__ = ["Vocabulary", "build_vocabulary", "understand"]
