"""What was found in several tiers, put together: private first, the newer before the older, nothing twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

from winnow.errors import Phrase
from winnow.language.content import content_terms
from winnow.recall.facts import conflicts
from winnow.types.knowledge import KnowledgeSettings
from winnow.types.search import Search
from winnow.types.shortlist import Candidate, Dropped, Shortlist, Step

ALIKE = 0.9
"""Share of the terms of two texts that are in both, from which on they say the same."""
BEHIND = "hardly about the question"
AGAIN = "says the same as what is private"
ELSEWHERE = "of another domain than the question"
DAY = 86_400


def merged(
    search: Search, private: Sequence[Shortlist], public: Sequence[Shortlist], settings: KnowledgeSettings
) -> tuple[Shortlist, ...]:
    """All of them, each candidate with its tier, weighed by its age and in that order; empty ones stand last.

    Of documents what is hardly relevant is left out; of the public ones those of other domains too, and those
    that say what a private one says.
    """
    near = [_relevant(one, settings.private_least, settings) for one in private]
    own = [_told(one, "private", search, settings) for one in near]
    domains = relevant_domains(search.text, own, settings)
    far = [_relevant(_within(one, domains), settings.public_least, settings) for one in public]
    said = [_text(one, "text") for one in _candidates(own)]
    theirs = [_new(_told(one, "public", search, settings), said) for one in far]
    return tuple(sorted([*own, *theirs], key=lambda one: not one.candidates))


def relevant_domains(
    question: str, private: Sequence[Shortlist], settings: KnowledgeSettings
) -> frozenset[str]:
    """The domains a question is about: those it names, else that of the best relevant private document.

    Empty: nobody can tell, and any may be.
    """
    own = [(one, _text(one, "domain")) for one in _candidates(private)]
    words = {**{domain: () for _, domain in own if domain}, **settings.domains}
    asked = frozenset(content_terms(question))
    named = frozenset(name for name, others in words.items() if _named(asked, (name, *others)))
    return named or _of_the_best(own, settings.private_least)


def _of_the_best(domains: Sequence[tuple[Candidate, str]], least: float) -> frozenset[str]:
    relevant = [(-one.score, domain) for one, domain in domains if domain and one.score >= least]
    return frozenset(domain for _, domain in sorted(relevant)[:1])


def _candidates(found: Sequence[Shortlist]) -> Iterator[Candidate]:
    return (one for shortlist in found for one in shortlist.candidates)


def _behind(candidate: Candidate) -> float:
    return -candidate.score


def _named(asked: frozenset[str], words: Iterable[str]) -> bool:
    terms = (content_terms(word) for word in words)
    return any(part and asked.issuperset(part) for part in terms)


def _relevant(shortlist: Shortlist, least: float, settings: KnowledgeSettings) -> Shortlist:
    """Documents of that relevance or a share of the best one's; scores of others are no relevance."""
    scores = {one.ref.id: one.score for one in shortlist.candidates if one.ref.kind == "passage"}
    floor = min(least, settings.least_share * max(scores.values(), default=0.0))
    return _without(shortlist, [id_ for id_, score in scores.items() if score < floor], BEHIND)


def _told(shortlist: Shortlist, tier: str, search: Search, settings: KnowledgeSettings) -> Shortlist:
    """Each with where it comes from; documents also weighed by their age and in that order."""
    found = [_from(one, shortlist.source, tier) for one in shortlist.candidates]
    if settings.half_life_days and search.at and any(one.ref.kind == "passage" for one in found):
        found = [_aged(one, search.at, settings.half_life_days) for one in found]
        found.sort(key=_behind)
    return replace(shortlist, candidates=tuple(found))


def _from(candidate: Candidate, source: str, tier: str) -> Candidate:
    if not isinstance(candidate.data, Mapping):
        return candidate
    return replace(candidate, data={"source": source, **candidate.data, "tier": tier})


def _aged(candidate: Candidate, now: datetime, half_life: float) -> Candidate:
    """Half as relevant after the half-life; what has no time is as if it were new."""
    told = _text(candidate, "at")
    if not told:
        return candidate
    days = max(0.0, (now - datetime.fromisoformat(told).replace(tzinfo=None)).total_seconds() / DAY)
    return replace(candidate, score=candidate.score * 0.5 ** (days / half_life))


def _new(shortlist: Shortlist, said: Sequence[str]) -> Shortlist:
    told = ((one.ref.id, _text(one, "text")) for one in shortlist.candidates)
    again = [id_ for id_, text in told if any(_alike(text, own) for own in said)]
    return _without(shortlist, again, AGAIN)


def _within(shortlist: Shortlist, domains: frozenset[str]) -> Shortlist:
    """Those of these domains and of none; all where none is of them: rather another domain than nothing."""
    told = {one.ref.id: _text(one, "domain") for one in shortlist.candidates}
    outside = [id_ for id_, domain in told.items() if domain and domain not in domains]
    if not domains or len(outside) == len(told):
        return shortlist
    step = Step("domains", ", ".join(sorted(domains)), Phrase("{count} of other domains", count=len(outside)))
    return replace(_without(shortlist, outside, ELSEWHERE), steps=(*shortlist.steps, step))


def _without(shortlist: Shortlist, ids: Sequence[str], reason: str) -> Shortlist:
    kept = tuple(one for one in shortlist.candidates if one.ref.id not in ids)
    dropped = (Dropped(id_, shortlist.source, reason) for id_ in ids)
    return replace(shortlist, candidates=kept, dropped=(*shortlist.dropped, *dropped))


def _alike(one: str, other: str) -> bool:
    """Whether two texts say the same: nearly all terms are in both, and nothing of them contradicts."""
    terms, others = frozenset(content_terms(one)), frozenset(content_terms(other))
    if not terms or len(terms & others) < ALIKE * len(terms | others):
        return False
    return not any(conflicts(one, other))


def _text(candidate: Candidate, name: str) -> str:
    data = candidate.data
    return str(cast("Mapping[str, object]", data).get(name) or "") if isinstance(data, Mapping) else ""
