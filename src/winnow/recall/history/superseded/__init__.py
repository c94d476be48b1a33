"""What was said anew later: the newest value first, the older marked with what replaced it.

By rules of language, without any model: docs/decisions/0038.
"""

from winnow.recall.history.superseded.current import Current, arranged, current, newest_first, told_among
from winnow.recall.history.superseded.told import Told, claims

__all__ = ["Current", "Told", "arranged", "claims", "current", "newest_first", "told_among"]
