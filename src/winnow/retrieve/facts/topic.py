"""Whether two statements are about the same thing: clauses, owners, and marks such as ``bay 2``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from winnow.language.content_words import content_terms, core
from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.registry import language_of
from winnow.language.segment import segment_words
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement, fact_pattern, marks_of, parse_statement
from winnow.retrieve.statements.chinese import canonical_attribute as chinese_attribute
from winnow.retrieve.statements.claims import SPEAKER, statement_groups
from winnow.retrieve.statements.english.subjects import canonical_attribute as english_attribute
from winnow.retrieve.statements.english.subjects import english_tokens, verb_lemma

if TYPE_CHECKING:
    from winnow.ports.stores import Floats


# Attributes that have a name here, in statements and in questions of both languages: ``home``, ``age``.


@lru_cache(maxsize=16384)
def attribute_families(text: str) -> Set[str]:
    """The attributes a text names or states: ``where do I live`` and ``I moved to Oslo`` are of ``home``."""
    language, plain = language_of(text), normalise(text)
    if language == "zh":
        named = chinese_attribute(plain)
    else:
        tokens = english_tokens(plain)
        named = english_attribute(tokens) | {_verbs().get(verb_lemma(token), "") for token in tokens}
    stated = frozenset[str]().union(*(claim.what for claim in parse_statement(text).claims))
    return (named | stated) & known_families()


@cache
def known_families() -> Set[str]:
    """Their names."""
    return (
        frozenset(statement_groups("same"))
        | frozenset(statement_groups("same", "zh"))
        | frozenset(statement_groups("says"))
    )


@cache
def _verbs() -> dict[str, str]:
    """Verb -> the one attribute it states; those that state several, or anything, tell nothing."""
    told: dict[str, set[str]] = {}
    for name, listed in statement_groups("says").items():
        for verb in listed:
            told.setdefault(verb, set()).add(str(name))
    return {verb: min(names) for verb, names in told.items() if len(names) == 1}


def stated_attributes(told: FactStatement, people: Set[str]) -> Set[str]:
    """The attributes a text states of one of these people, of who says it where there are none."""
    whose = {f"{SPEAKER}/{one}" for one in people} or {SPEAKER}
    return frozenset[str]().union(*(one.what for one in told.claims if one.who in whose)) & known_families()


# How near the words of two statements are to each other.


MAX_COMPARED_WORDS = 60
"""Words of a statement that are compared."""


@lru_cache(maxsize=32768)
def _embed_once(table: Any, text: str) -> Any:
    """The vector of a word or a text, made once; an embedder is known by which one it is."""
    return table.embed([text])[0]


def _vector(table: Any, text: str) -> Any:
    return _embed_once(table, text)


def word_vectors(table: Embedder, texts: tuple[str, ...]) -> Floats:
    """A row for each, made once."""
    return np.array([_vector(table, text) for text in texts], np.float32)


def cosine(table: Embedder, one: str, other: str) -> float:
    """How near two texts are as a whole."""
    return float(_vector(table, one) @ _vector(table, other))


def cosines(table: Embedder, one: str, others: Sequence[str]) -> Floats:
    """How near each of the others is to a text as a whole."""
    if not others:
        return np.zeros(0, np.float32)
    return np.asarray(word_vectors(table, tuple(others)) @ _vector(table, one))


def word_similarities(table: Embedder, words: tuple[str, ...], by: tuple[str, ...]) -> Floats:
    """For each word how near the nearest of the others comes, 1 for the same; empty where there is none."""
    words, by = words[:MAX_COMPARED_WORDS], by[:MAX_COMPARED_WORDS]
    if not words or not by:
        return np.zeros(len(words), np.float32)
    near = word_vectors(table, words) @ word_vectors(table, by).T
    for row, word in enumerate(words):
        if any(
            word == other or (min(len(word), len(other)) > 1 and (word in other or other in word))
            for other in by
        ):
            near[row] = 1.0
    return np.asarray(near.max(1))


def best_similarity(table: Embedder, words: tuple[str, ...], others: tuple[str, ...]) -> float:
    """How near the nearest two of them are; 0 where one side has none."""
    if not words or not others:
        return 0.0
    one, other = (word_vectors(table, some[:MAX_COMPARED_WORDS]) for some in (words, others))
    return float((one @ other.T).max())


T = TypeVar("T")
SAME_WORD, UNRELATED_WORD = 0.99, 0.45
"""Cosines from which two words are one, and below which a word has none like it."""


def overlap_features(old: FactStatement, new: FactStatement, table: Embedder) -> dict[str, float]:
    """How much of what each says the other says too."""
    from_old, from_new = (
        word_similarities(table, old.words, new.words),
        word_similarities(table, new.words, old.words),
    )
    both = len(old.terms & new.terms)
    shared_term_features = {
        "old_shared": both / max(1, len(old.terms)),
        "new_shared": both / max(1, len(new.terms)),
        "shared": float(both > 0),
        "contained": float(is_within(old.terms, new.terms)),
        "contains": float(is_within(new.terms, old.terms)),
    }
    return {
        "near": cosine(table, old.text, new.text),
        "swapped": best_similarity(table, tuple(_alone(old, from_old)), tuple(_alone(new, from_new))),
        **_coverage_features("old", from_old, 4),
        **_coverage_features("new", from_new, 6),
        **shared_term_features,
        **_first_word_features(old, new),
        **_token_features(old, new),
        "old_end": _last(from_old),
        "new_end": _last(from_new),
    }


def _alone(one: FactStatement, near: Floats) -> Iterator[str]:
    """The words that the other statement has not."""
    return (word for word, cosine_ in zip(one.words, near, strict=False) if cosine_ < SAME_WORD)


def _coverage_features(name: str, near: Floats, many: int) -> dict[str, float]:
    """How near the words of one come to those of the other; ``far`` is 1 from so many that do not."""
    far = int((near < UNRELATED_WORD).sum())
    return {
        f"{name}_covered": mean_or_zero(near.tolist()),
        f"{name}_least": float(min(near, default=0)),
        f"{name}_far": min(1.0, far / many),
        f"{name}_any_far": float(far > 0),
    }


def _last(near: Floats) -> float:
    """How near the last word comes, which is mostly what is said of the others."""
    return float(near[-1]) if len(near) else 0.0


def _token_features(old: FactStatement, new: FactStatement) -> dict[str, float]:
    """How many words, of Chinese characters, both have, those that say nothing among them."""
    before, after = ({t for t in one.tokens if len(t) == 1 or t.isascii()} for one in (old, new))
    both = len(before & after)
    return {
        "old_tokens": both / max(1, len(before)),
        "new_tokens": both / max(1, len(after)),
        "all_tokens": both / max(1, len(before | after)),
    }


def _first_word_features(old: FactStatement, new: FactStatement) -> dict[str, float]:
    """Whether the later one speaks of what the earlier one begins with."""
    first = set(old.words[:1])
    return {
        "same_first": float(bool(first) and old.words[0] in new.words[:1]),
        "first_again": float(not first.isdisjoint(new.words)),
    }


def is_within(some: Set[T], others: Set[T]) -> bool:
    """Whether there are some, and all of them are among the others."""
    return bool(some) and some <= others


def mean_or_zero(values: Collection[float]) -> float:
    """0 where there is none."""
    return sum(values) / len(values) if values else 0.0


# Whether two statements are about the same thing: clauses, owners, and marks such as ``bay 2``.


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
