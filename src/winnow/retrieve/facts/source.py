"""Facts as a source of retrieval, and their extraction from what a person says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from math import log

from winnow.errors import NoSuchFact
from winnow.language.normalize import normalise
from winnow.language.registry import language_of
from winnow.language.tables import table
from winnow.ports.services import Embedder, run_aside
from winnow.ports.stores import Clock, Facts, Storage
from winnow.retrieve.bearing import FoundText, with_bearing
from winnow.retrieve.facts import FACTS
from winnow.retrieve.facts.extract import (
    FactStatement,
    all_statements,
    fact_pattern,
    parse_fact,
    parse_statement,
    speaks_of_somebody,
)
from winnow.retrieve.facts.merge import is_news, merge_fact
from winnow.retrieve.facts.topic import attribute_families, cosines, word_similarities
from winnow.types.candidate import Candidate, Evidence, Ref, Search, Shortlist, Step, wall_clock
from winnow.types.fact import Fact
from winnow.types.scope import Scope


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
    found = Shortlist(FACTS.name, tuple(_candidate(fact, score) for score, fact in best), weights=weights)
    texts = [FoundText(fact.text, score) for score, fact in best]
    return with_bearing(search.text, found, texts, "facts", weights, table)


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


# Facts as a source of retrieval, and their extraction from what a person says.


class FactSource:
    """A ``Source`` over what is held to be true for persons.

    ``table`` is the built-in embedder, which knows words of both languages.
    """

    row = FACTS
    waits = False
    """Without an event loop it blocks and never suspends."""

    def __init__(self, facts: Facts, table: Embedder) -> None:
        self.facts, self.table = facts, table

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        """The facts that the question is about, at most ``limit``. Raises StoreError.

        Superseded ones are among them only where it asks for the past.
        """
        if not scope.user:
            return Shortlist(
                FACTS.name, steps=(Step("user", "none", "nobody was named, so there are no facts"),)
            )
        known = await self.facts.facts(scope)
        return await run_aside(lambda: rank_facts(search, known, self.table, limit))

    async def current(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Mapping[str, object]]:
        """Those of the facts that are still there, as they stand now. Raises StoreError."""
        known = await self.facts.facts(scope)
        return {fact.id: fact_data(fact) for fact in known if fact.id in ids}


@dataclass(frozen=True, slots=True)
class PersonText:
    """A text of a person: a message, a note."""

    text: str
    at: datetime | None = None
    source: str = "user"
    """``message:ID``, ``document:ID`` ..."""


class FactExtractor:
    """Keeps what persons tell: each statement is judged against what is known, and nothing is overwritten."""

    def __init__(self, facts: Facts, table: Embedder, clock: Clock) -> None:
        self.facts, self.table, self.clock = facts, table, clock

    def now(self) -> datetime | None:
        """This moment by the clock on the wall."""
        return wall_clock(self.clock.now())

    async def extract(
        self, scope: Scope, text: str, at: datetime | None = None, source: str = "user"
    ) -> tuple[Fact, ...]:
        """Keep what a text tells of whoever says it: the facts that are new or stand otherwise now.

        Questions, requests and wishes tell nothing. Raises StoreError.
        """
        return await self.extract_all(scope, [PersonText(text, at, source)])

    async def extract_all(self, scope: Scope, told: Iterable[PersonText]) -> tuple[Fact, ...]:
        """The same of many texts, oldest first; what was read before changes nothing. Raises StoreError."""
        known = await self.facts.facts(scope)
        changed = await run_aside(lambda: self._changes(known, told))
        await self.facts.keep(scope, changed)
        return changed

    async def add(self, scope: Scope, text: str, at: datetime | None = None) -> tuple[Fact, ...]:
        """Keep a statement as the person's own, whatever it says; empty: it is known. Raises StoreError."""
        known = await self.facts.facts(scope)
        new = replace(parse_fact(text, at), credibility=1.0)
        changed = await run_aside(lambda: merge_fact(known, new, self.table))
        await self.facts.keep(scope, changed)
        return changed

    async def correct(
        self, scope: Scope, id_: str, text: str, at: datetime | None = None
    ) -> tuple[Fact, ...]:
        """Put another statement in the place of a fact; it wins. Raises NoSuchFact, StoreError."""
        known = {fact.id: fact for fact in await self.facts.facts(scope)}
        if id_ not in known:
            raise NoSuchFact(id_)
        new = replace(parse_fact(text, at), credibility=1.0)
        old = replace(known[id_], status="superseded", replaced_by=new.id, reason="corrected by the person")
        await self.facts.keep(scope, (old, new))
        return old, new

    def _changes(self, known: Sequence[Fact], told: Iterable[PersonText]) -> tuple[Fact, ...]:
        """Statement by statement: each is judged against what the ones before it left."""
        held = {fact.id: fact for fact in known}
        before = dict(held)
        for text in told:
            for fact in all_statements(text.text, text.at, text.source):
                held.update({fact.id: fact for fact in self._merge(tuple(held.values()), fact)})
        return tuple(fact for id_, fact in held.items() if before.get(id_) != fact)

    def _merge(self, known: Sequence[Fact], fact: Fact) -> tuple[Fact, ...]:
        """What changes by one statement; one that names nobody is kept only where it is news of something."""
        if any(fact.id == old.id for old in known):
            return ()
        if not speaks_of_somebody(fact) and not is_news(known, fact, self.table):
            return ()
        return merge_fact(known, fact, self.table)


async def stored_texts(storage: Storage, scope: Scope) -> list[PersonText]:
    """What the scope's user said in the stored messages and wrote in private notes, oldest first.

    Raises StoreError.
    """
    heard = [
        PersonText(message.content, message.at, f"message:{message.id}")
        async for page in storage.messages.stream(scope)
        for message in page
        if message.role in {"user", scope.user}
    ]
    for id_, document in (await storage.documents.documents(scope, "private")).items():
        if document.kind == "note":
            text = await storage.documents.text(scope, "private", id_)
            heard.append(PersonText(text, document.at, f"document:{id_}"))
    return sorted(heard, key=lambda one: one.at or datetime.min)  # noqa: DTZ901 - a wall clock has no zone
