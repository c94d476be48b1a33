"""Statements of persons: what each is about, what a later one is to an earlier one, and what holds.

By rules of language and a small fitted layer over them, without any model: docs/decisions/0048.
"""

from winnow.recall.facts.conflict import asked_words, conflicts, is_of_asked, stated, terms
from winnow.recall.facts.contradiction import contradiction
from winnow.recall.facts.gone import ends
from winnow.recall.facts.judge import judge
from winnow.recall.facts.rank import asks_past, ranked_facts
from winnow.recall.facts.standing import is_news, lineage, settled
from winnow.recall.facts.statements import all_statements, fact_of, speaks_of_somebody, statements

__all__ = [
    "all_statements",
    "asked_words",
    "asks_past",
    "conflicts",
    "contradiction",
    "ends",
    "fact_of",
    "is_news",
    "is_of_asked",
    "judge",
    "lineage",
    "ranked_facts",
    "settled",
    "speaks_of_somebody",
    "stated",
    "statements",
    "terms",
]
