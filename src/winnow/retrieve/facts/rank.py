"""Which facts a question is about: by words, by vectors of words, by named attributes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from functools import cache, lru_cache
from math import log

from winnow.language.normalize import language_of, normalise
from winnow.language.tables import table
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement, fact_pattern, parse_statement
from winnow.retrieve.facts.overlap import cosines, word_similarities
from winnow.retrieve.statements.chinese import canonical_attribute as chinese_attribute
from winnow.retrieve.statements.claims import statement_groups
from winnow.retrieve.statements.english.attributes import canonical_attribute as english_attribute
from winnow.retrieve.statements.english.attributes import verb_lemma
from winnow.retrieve.statements.english.clauses import english_tokens
from winnow.types.candidate import Candidate, Evidence, Ref, Search, Shortlist
from winnow.types.fact import Fact

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


@lru_cache(maxsize=16384)
def bears_on(question: str, told: str) -> bool:
    """Whether what was told bears on a question by its subject: an allergy on what to cook."""
    asked, said_ = normalise(question), normalise(told)
    return any(ask.search(asked) and tell.search(said_) for ask, tell in _subjects())


@cache
def _subjects() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """What is asked and what is told, for each subject."""
    listed = table(__package__, "bears.yaml").values()
    return tuple((re.compile(one["asked"]), re.compile(one["told"])) for one in listed)


SOURCE_NAME = "facts"
EXACT_WEIGHT, SIMILARITY_WEIGHT = 0.4, 0.35
"""What words that are the same count, and words that come near; the rest is for both texts as a whole."""
ATTRIBUTE_WEIGHT = 0.3
"""What an attribute counts that both name, however they do: ``where do I live``, ``we moved to Lisbon``."""
MAX_RANKED_FACTS = 24
"""Facts whose words are compared with those of the question, one by one."""
MIN_FACT_SCORE = 0.3
"""Least share of a question that a fact must be about."""


def rank_facts(search: Search, facts: Sequence[Fact], table: Embedder, limit: int) -> Shortlist:
    """The facts that a question is about, best first; superseded ones only where it asks for the past."""
    asked = parse_statement(search.text)
    shown = facts if asks_past(search.text) else [fact for fact in facts if fact.status != "superseded"]
    live = [fact for fact in shown if fact.status != "withdrawn"]
    weights = term_rarity(asked.terms, live)
    scored = [
        (_score(asked, fact, first, table), fact) for first, fact in _first_pass(asked, live, weights, table)
    ]
    best = sorted((one for one in scored if one[0] >= MIN_FACT_SCORE), key=lambda one: -one[0])[:limit]
    return Shortlist(SOURCE_NAME, tuple(_candidate(fact, score) for score, fact in best), weights=weights)


def asks_past(text: str) -> bool:
    """Whether a question asks for what held before."""
    return fact_pattern("past_asked", language_of(text)).search(normalise(text)) is not None


def term_rarity(terms: frozenset[str], facts: Sequence[Fact]) -> Mapping[str, float]:
    """How much each term tells among these facts."""
    held = Counter(term for fact in facts for term in terms & parse_statement(fact.text).terms)
    return {term: log(1 + (len(facts) + 1) / (held[term] + 0.5)) for term in sorted(terms)}


def _first_pass(
    asked: FactStatement, facts: Sequence[Fact], weights: Mapping[str, float], table: Embedder
) -> list[tuple[float, Fact]]:
    """The likeliest facts with what they have in common with the question, whatever comes near its words."""
    near = cosines(table, asked.text, [fact.text for fact in facts]).tolist()
    alike = [_in_common(asked, fact, weights) for fact in facts]
    rest = 1 - EXACT_WEIGHT - SIMILARITY_WEIGHT
    found = [(one + rest * max(0.0, cos), fact) for one, cos, fact in zip(alike, near, facts, strict=True)]
    return sorted(found, key=lambda one: -one[0])[:MAX_RANKED_FACTS]


def _in_common(asked: FactStatement, fact: Fact, weights: Mapping[str, float]) -> float:
    """What words that are the same, and an attribute or a subject that is, count."""
    exact = sum(weights[term] for term in asked.terms & parse_statement(fact.text).terms) / (
        sum(weights.values()) or 1.0
    )
    # Whether it is about an attribute that is asked for, of whom it is asked for
    people = parse_statement(fact.text).people
    of_them = not asked.people.isdisjoint(people) if asked.people else not people
    same_attribute = of_them and not attribute_families(asked.text).isdisjoint(attribute_families(fact.text))
    return EXACT_WEIGHT * exact + ATTRIBUTE_WEIGHT * (same_attribute or bears_on(asked.text, fact.text))


def _score(asked: FactStatement, fact: Fact, first: float, table: Embedder) -> float:
    """How much of the question the fact is about, with what comes near its words, 0..1."""
    near = word_similarities(table, asked.words, parse_statement(fact.text).words)
    return min(1.0, first + SIMILARITY_WEIGHT * (float(near.mean()) if len(near) else 0.0))


def _candidate(fact: Fact, score: float) -> Candidate:
    return Candidate(Ref("fact", fact.id), (Evidence("words", score),), score, fact_data(fact))


def fact_data(fact: Fact) -> dict[str, object]:
    """What is known of a fact, as its reader gets it."""
    known = {
        "text": fact.text,
        "at": fact.at.isoformat() if fact.at else "",
        "source": fact.source,
        "replaced_by": fact.replaced_by,
    }
    told = {name: value for name, value in known.items() if value}
    return {**told, "status": fact.status, "credibility": fact.credibility}
