"""Facts of a person: extracted from statements, compared with what is known, merged, ranked.

By rules of language and a small fitted layer over them, without any model: docs/decisions/0048.
"""

from winnow.types.candidate import SourceRow

FACTS = SourceRow("facts", "private", True, "nobody was named, so there are no facts to search")
