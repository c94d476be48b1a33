"""Whether private results answer a question: computed from what they hold of it, and calibrated."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.errors import Phrase
from winnow.recall.sufficiency.features import features
from winnow.recall.sufficiency.pages import Asked, Page, asked, read
from winnow.recall.sufficiency.relevance import Ranked, best_first, page, probability, together, weights
from winnow.types.knowledge import KnowledgeSettings, Sufficiency
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist

MOST = 10
"""Results that are looked at, the most relevant ones."""


def sufficiency(
    search: Search,
    found: Sequence[Shortlist],
    settings: KnowledgeSettings | None = None,
    reach: float | None = None,
) -> Sufficiency:
    """Whether what private sources found answers the question.

    ``reach``: how much better the private documents match the question than the public ones, by index alone
    and as a share of the most there could be; None: nobody knows. It tells nothing where what the person said
    is more relevant than any document.
    """
    limits = settings or KnowledgeSettings()
    pages = tuple(dict.fromkeys(page(candidate) for candidate in together(found)))
    question = asked(search.text, weights_of(found), pages)
    if not pages or not question.weights:
        return Sufficiency(False, 0, 0.0, 0.0, "nothing private was found")
    ranked = best_first(question, pages)[:MOST]
    spoken = ranked[0].page not in _documents(found)
    confidence = _confidence(question, ranked, None if spoken else reach)
    return _judged(question, ranked, confidence, limits)


def _judged(
    question: Asked, ranked: Sequence[Ranked], confidence: float, limits: KnowledgeSettings
) -> Sufficiency:
    """How many are relevant, what those cover that would be kept, and whether that is enough."""
    results = sum(one.relevance >= limits.private_least for one in ranked)
    floor = min(limits.private_least, limits.least_share * ranked[0].relevance)
    coverage = _coverage(question, [one.page for one in ranked if one.relevance >= floor])
    enough, why = _decided(limits, results, coverage, confidence)
    return Sufficiency(enough, results, coverage, confidence, why)


def weights_of(found: Sequence[Shortlist]) -> dict[str, float]:
    """How much each term tells, by the source that holds most: a handful of facts tells little of any term.

    The weight of a term that nothing holds grows with what is searched, so the greatest one tells which holds
    most.
    """
    told = sorted((one.weights for one in found if one.weights), key=lambda by: max(by.values()))
    return {term: weight for by in told for term, weight in by.items()}


def _documents(found: Sequence[Shortlist]) -> frozenset[Page]:
    return frozenset(page(one) for one in together(found) if one.ref.kind == "passage")


def _coverage(question: Asked, pages: Sequence[Page]) -> float:
    held = frozenset[str]().union(*(read(one).held for one in pages))
    return question.share(held)


def _confidence(question: Asked, ranked: Sequence[Ranked], reach: float | None) -> float:
    figures = features(question, [(one.page, one.bearing) for one in ranked])
    if reach is None:
        return probability(figures, weights("confidence", question.language))
    return probability({**figures, "reach": reach}, weights("beside", question.language))


def _decided(limits: KnowledgeSettings, results: int, coverage: float, confidence: float) -> tuple[bool, str]:
    """By confidence alone, or by all three as the settings say; and why."""
    short = confidence < limits.enough_confidence
    if limits.enough_by == "all" and not short:
        if results < limits.enough_results:
            why = Phrase(
                "{count} relevant results, {least} are enough", count=results, least=limits.enough_results
            )
            return False, why
        if coverage < limits.enough_coverage:
            told = {"share": round(coverage, 2), "least": limits.enough_coverage}
            return False, Phrase("{share} of the question is covered, {least} is enough", **told)
    told = {"share": round(confidence, 2), "least": limits.enough_confidence}
    if short:
        return False, Phrase("the answer is private with a probability of {share}, {least} is enough", **told)
    return True, Phrase("the answer is private with a probability of {share}, at least {least}", **told)
