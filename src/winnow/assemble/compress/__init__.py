"""Texts made smaller by measured rules, and by a model whose words are checked (seed 004, section 3)."""

from winnow.assemble.compress.abstract import abstracted
from winnow.assemble.compress.compress import compress
from winnow.assemble.compress.meaning import Meaning, meaning_of

__all__ = ["Meaning", "abstracted", "compress", "meaning_of"]
