"""Which facts a question is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np

from winnow.language.normalise import language_of, normalise
from winnow.ports import Embedder
from winnow.recall.facts.families import bears_on, families_of
from winnow.recall.facts.marks import pattern
from winnow.recall.facts.near import cosine, cosines, covered
from winnow.recall.facts.said import Said, said
from winnow.types.fact import Fact
from winnow.types.ref import Ref
from winnow.types.search import Search
from winnow.types.shortlist import Candidate, Evidence, Shortlist

NAME = "facts"
EXACT, NEAR = 0.4, 0.35
"""What words that are the same count, and words that come near; the rest is for both texts as a whole."""
FAMILY = 0.3
"""What an attribute counts that both name, however they do: ``where do I live``, ``we moved to Lisbon``."""
NEAREST = 30
"""Facts without a word of the question that are looked at."""
LEAST = 0.3
"""Least share of a question that a fact must be about."""


def ranked_facts(search: Search, facts: Sequence[Fact], table: Embedder, limit: int) -> Shortlist:
    """The facts that a question is about, best first; superseded ones only where it asks for the past."""
    asked = said(search.text)
    shown = facts if asks_past(search.text) else [fact for fact in facts if fact.status != "superseded"]
    live = [fact for fact in shown if fact.status != "withdrawn"]
    weights = rarity(asked.terms, live)
    scored = [(_score(asked, fact, weights, table), fact) for fact in _looked_at(asked, live, table)]
    best = sorted((one for one in scored if one[0] >= LEAST), key=lambda one: -one[0])[:limit]
    return Shortlist(NAME, tuple(_candidate(fact, score) for score, fact in best), weights=weights)


def asks_past(text: str) -> bool:
    """Whether a question asks for what held before."""
    return pattern("past_asked", language_of(text)).search(normalise(text)) is not None


def rarity(terms: frozenset[str], facts: Sequence[Fact]) -> Mapping[str, float]:
    """How much each term tells among these facts."""
    held = Counter(term for fact in facts for term in terms & said(fact.text).terms)
    return {term: log(1 + (len(facts) + 1) / (held[term] + 0.5)) for term in sorted(terms)}


def _looked_at(asked: Said, facts: Sequence[Fact], table: Embedder) -> list[Fact]:
    """Those that share a term with the question, and those nearest to it as a whole."""
    order = np.argsort(-cosines(table, asked.text, [fact.text for fact in facts]), kind="stable")
    near = set(order[:NEAREST].tolist())
    return [fact for at, fact in enumerate(facts) if at in near or _shares(asked, fact)]


def _shares(asked: Said, fact: Fact) -> bool:
    """A term, or the attribute it is about."""
    if not asked.terms.isdisjoint(said(fact.text).terms):
        return True
    return _same_attribute(asked, fact) or bears_on(asked.text, fact.text)


def _same_attribute(asked: Said, fact: Fact) -> bool:
    """Whether it is about an attribute that is asked for, of whom it is asked for."""
    people = said(fact.text).people
    of_them = not asked.people.isdisjoint(people) if asked.people else not people
    return of_them and not families_of(asked.text).isdisjoint(families_of(fact.text))


def _score(asked: Said, fact: Fact, weights: Mapping[str, float], table: Embedder) -> float:
    """How much of the question the fact is about, by words, what comes near them and as a whole; 0..1."""
    told = said(" ".join((fact.text, fact.attribute)))
    whole = sum(weights.values()) or 1.0
    exact = sum(weights[term] for term in asked.terms & told.terms) / whole
    near = covered(table, asked.words, told.words)
    mean = float(near.mean()) if len(near) else 0.0
    same = FAMILY * (_same_attribute(asked, fact) or bears_on(asked.text, fact.text))
    return min(
        1.0,
        same
        + EXACT * exact
        + NEAR * mean
        + (1 - EXACT - NEAR) * max(0.0, cosine(table, asked.text, fact.text)),
    )


def _candidate(fact: Fact, score: float) -> Candidate:
    return Candidate(Ref("fact", fact.id), (Evidence("words", score),), score, data_of(fact))


def data_of(fact: Fact) -> dict[str, object]:
    """What is known of a fact, as its reader gets it."""
    known = {
        "text": fact.text,
        "at": fact.at.isoformat() if fact.at else "",
        "source": fact.source,
        "replaced_by": fact.replaced_by,
    }
    told = {name: value for name, value in known.items() if value}
    return {**told, "status": fact.status, "credibility": fact.credibility}
