"""Whether two statements are about the same thing: clauses, owners, and marks such as ``bay 2``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from winnow.language.content_words import content_terms, core
from winnow.language.normalize import language_of, normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.segment import segment_words
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement, fact_pattern, marks_of
from winnow.retrieve.facts.overlap import cosine, cosines

_CUT = re.compile(r"[,;!?()，；。！？（）、：]+|[.:](?=\s|$)|\s[—–-]\s")
_WORD = re.compile(r"[a-z0-9][a-z0-9'.]*")
POSSESSIVE = "的"
"""Stands between what a thing is of and the thing."""
CHANGE_PARTS = (("change", True), ("rest", False))
CHANGE_MARKS = frozenset({"corrects", "changes", "ended", "began", "news"})


@dataclass(frozen=True, slots=True)
class StatementClause:
    """A stretch of a statement between two marks."""

    text: str
    words: tuple[str, ...]
    """All of them, in order; English ones without their endings."""
    telling: frozenset[str]
    """Those that say something."""
    owners: tuple[tuple[str, str], ...]
    """Whose and what: a word that owns, and the word after."""
    changes: bool
    stays: bool


@lru_cache(maxsize=16384)
def split_clauses(text: str) -> tuple[StatementClause, ...]:
    """The clauses of a statement."""
    language = language_of(text)
    statement_clauses: list[StatementClause] = []
    for part in _CUT.split(normalise(text)):
        if part and part.strip():
            words = tuple(
                word if language == "zh" else core(word.removesuffix("'s").strip(".'"))
                for word in _raw_words(part, language)
            )
            telling = frozenset(word for word in words if content_terms(word) and not find_numbers(word))
            changes = not CHANGE_MARKS.isdisjoint(marks_of(part))
            stays = fact_pattern("stays", language).search(part) is not None
            found: list[tuple[str, str]] = []
            for owner, thing in fact_pattern("owner", language).findall(" ".join(_raw_words(part, language))):
                found.append((core(owner), core(thing)))
            statement_clauses.append(StatementClause(part, words, telling, tuple(found), changes, stays))
    return tuple(statement_clauses)


def _raw_words(plain: str, language: str) -> Iterator[str]:
    if language == "zh":
        yield from (word.text for word in segment_words(plain) if word.text.strip())
    else:
        yield from _WORD.findall(plain)


def topic_features(old: FactStatement, new: FactStatement, table: Embedder) -> dict[str, float]:
    """Where the later one shares words with the earlier one, and whose and which things are meant."""
    before, after = split_clauses(old.text), split_clauses(new.text)
    known = frozenset[str]().union(*(clause.telling for clause in before))
    fresh = frozenset[str]().union(*(clause.telling for clause in after)) - known
    return {
        **_clause_features(known, after),
        **_change_features(old, known, after, table),
        **_subject_features(known, before, after, table),
        **_owner_features(known, fresh, before, after),
        "which_other": float(has_other_mark(before, after)),
        "which_first": float(has_other_mark(before[:1], after[:1])),
    }


def _clause_features(known: frozenset[str], after: Sequence[StatementClause]) -> dict[str, float]:
    """Whether what changes, or stays, is said beside words of the earlier statement."""
    beside = [clause for clause in after if clause.telling & known]
    changes = any(clause.changes for clause in beside)
    told = {
        "change_with": changes,
        "change_apart": not changes and any(clause.changes for clause in after),
        "stays_with": any(clause.stays for clause in beside),
        "first_clause": beside[:1] == list(after[:1]),
    }
    return {**{name: float(holds) for name, holds in told.items()}, "clauses": min(1.0, len(after) / 4)}


def _change_features(
    old: FactStatement, known: frozenset[str], after: Sequence[StatementClause], table: Embedder
) -> dict[str, float]:
    """How much of the earlier statement is in what changes, and how much in the rest."""
    parts = {
        name: [clause for clause in after if clause.changes == changes] for name, changes in CHANGE_PARTS
    }
    told: dict[str, float] = {}
    for name, clauses in parts.items():
        words = frozenset[str]().union(*(clause.telling for clause in clauses))
        told[f"{name}_covers"] = len(words & known) / max(1, len(known))
        told[f"{name}_near"] = float(max(cosines(table, old.text, [one.text for one in clauses]), default=0))
    first = _first(parts["change"])
    return {**told, "change_first": float(first in known)}


def _subject_features(
    known: frozenset[str],
    before: Sequence[StatementClause],
    after: Sequence[StatementClause],
    table: Embedder,
) -> dict[str, float]:
    """What each begins with, mostly its subject, and whether the other has it."""
    first, then = _first(before), _first(after)
    every = frozenset[str]().union(*(clause.telling for clause in after))
    new, gone = bool(then) and then not in known, bool(first) and first not in every
    near = cosine(table, first, then) if new and gone else 0.0
    told = {"topic_new": new, "topic_gone": gone, "topic_other": new and gone}
    return {**{name: float(holds) for name, holds in told.items()}, "topic_near": near}


def _first(clauses: Sequence[StatementClause]) -> str:
    return next((word for clause in clauses[:1] for word in clause.words if word in clause.telling), "")


def _owner_features(
    known: frozenset[str],
    fresh: frozenset[str],
    before: Sequence[StatementClause],
    after: Sequence[StatementClause],
) -> dict[str, float]:
    """Something of what was spoken of (``Mia's teacher`` after ``Mia``), or the same of another."""
    had, pairs = ({pair for clause in some for pair in clause.owners} for some in (before, after))
    sorts = {"own_thing": (known, fresh), "own_other": (fresh, known), "own_both": (fresh, fresh)}
    told = {
        name: any(owner in whose and thing in what for owner, thing in pairs - had)
        for name, (whose, what) in sorts.items()
    }
    return {name: float(holds) for name, holds in told.items()}


def has_other_mark(
    before: Sequence[StatementClause], after: Sequence[StatementClause], *, signs: bool = False
) -> bool:
    """Whether one word both have stands beside another mark of which it is: ``bay 2`` and ``bay 5``.

    ``signs``: numbers and letters only.
    """
    old, new = _marks_by_word(before, signs), _marks_by_word(after, signs)
    return any(old[word].isdisjoint(new[word]) for word in old.keys() & new.keys())


def _marks_by_word(clauses: Sequence[StatementClause], signs: bool) -> dict[str, set[str]]:
    """Word -> what stands right before it, or as a number or letter right behind."""
    found: dict[str, set[str]] = {}
    for clause in clauses:
        for word, mark in _marked_words(clause, signs):
            found.setdefault(word, set()).add(mark)
    return found


def _marked_words(clause: StatementClause, signs: bool) -> Iterator[tuple[str, str]]:
    for one, other in pairwise(word for word in clause.words if word != POSSESSIVE):
        if other in clause.telling and (is_sign(one) or (one in clause.telling and not signs)):
            yield other, one
        if one in clause.telling and is_sign(other):
            yield one, other


def is_sign(word: str) -> bool:
    """A bare number, or a letter."""
    return word.isascii() and (
        word.isdigit() or (len(word) == 1 and word.isalpha() and word not in {"a", "i", "s"})
    )
