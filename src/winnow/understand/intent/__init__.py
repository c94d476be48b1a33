"""Does this turn need something looked up, where, and of what class is it?"""

from winnow.understand.intent.intent import intent_of
from winnow.understand.intent.taxonomy import names, read_taxonomy, taxonomy

__all__ = ["intent_of", "names", "read_taxonomy", "taxonomy"]
