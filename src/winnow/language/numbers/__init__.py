"""Numbers in a sentence, with the unit that says what they measure.

Works on normalised text (lower case, simplified characters).
"""

from winnow.language.numbers.find import find_numbers
from winnow.language.numbers.number import VAGUE, Number

__all__ = ["VAGUE", "Number", "find_numbers"]
