"""What speaks for and against a page answering a question, and all pages together holding the answer.

Every figure is free of the size of the tier: shares of the question's weights, ratios of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from math import exp, log1p
from typing import NamedTuple, cast

from winnow.errors import Phrase
from winnow.language.tables import table
from winnow.retrieve.public_pages import Asked, Page, Text, asked, read, signs
from winnow.types.candidate import Candidate, Evidence, Search, Shortlist
from winnow.types.document import KnowledgeSettings, Sufficiency
from winnow.types.utterance import Language

K1, B = 1.2, 0.4
"""As ``recall.postings``: how fast repeating a word stops helping, how much a long text is discounted."""
DEEP = 3
"""Pages whose sentences are looked at for the answer."""
DENSE, DENSER = 12, 0.3
"""Terms of a sentence from which on its coverage counts less, and how fast."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """What one page holds of a question; all 0..1 but ``score``."""

    score: float
    """BM25 by the question's weights, over their mass."""
    coverage: float
    """Share of the question's weights that the page holds."""
    window: float
    """The same of its title and the best two neighbouring sentences."""
    dense: float
    """The same of its best sentence, long ones counting less."""
    beyond: float
    """Of the question's terms that are not in its title: the page's share."""
    sentence: float
    """The same of its best sentence."""
    plain: float
    """Of the question's terms that name nothing: the share of its best sentence."""
    best: str
    """Its best two neighbouring sentences."""


def bearings(question: Asked, pages: Sequence[Page]) -> tuple[Bearing, ...]:
    """What each page holds of the question."""
    texts = [read(page) for page in pages]
    mean = sum(text.length for text in texts) / len(texts) if texts else 0.0
    return tuple(_bearing(question, text, mean or 1.0) for text in texts)


def features(question: Asked, found: Sequence[tuple[Page, Bearing]]) -> dict[str, float]:
    """What speaks for the answer being among the pages, which stand best first; there is at least one."""
    ahead = _ahead(question, [bearing for _, bearing in found])
    return {**ahead, **_held(question, [read(page) for page, _ in found])}


def _ahead(question: Asked, found: Sequence[Bearing]) -> dict[str, float]:
    """How well the best pages do, and by how much better than the others."""
    windows, deep = _falling(one.window for one in found), found[:DEEP]
    return {
        **_scores(_falling(one.score for one in found)),
        **_coverage(found),
        "window": windows[0],
        "window_lead": windows[0] - windows[1],
        "dense": max(one.dense for one in deep),
        "sentence": max(one.sentence for one in deep),
        "plain": max(one.plain for one in deep),
        "runs": _runs(question, max(deep, key=lambda one: one.window).best),
    }


def _scores(falling: Sequence[float]) -> dict[str, float]:
    best = falling[0]
    return {
        "score": best,
        "lead": best - falling[1],
        "third": falling[2] / (best or 1.0),
        "fifth": falling[4] / (best or 1.0),
    }


def _coverage(found: Sequence[Bearing]) -> dict[str, float]:
    first, second = found[0], found[1].coverage if len(found) > 1 else 0.0
    return {
        "coverage": first.coverage,
        "coverage_lead": first.coverage - second,
        "beyond": first.beyond,
    }


def _falling(figures: Iterable[float]) -> list[float]:
    """The greatest first; where there are few, 0 stands for those that are not there."""
    return [*sorted(figures, reverse=True), *[0.0] * 5]


def _held(question: Asked, texts: Sequence[Text]) -> dict[str, float]:
    """Which of the question's terms the best page holds, and what becomes of the others."""
    first, telling = texts[0], question.telling
    held = [term for term in telling if term in first.held]
    anywhere = frozenset[str]().union(*(text.held for text in texts))
    return {
        "named": question.share(first.held, [term for term in question.weights if term in question.named]),
        "title": question.share(first.title),
        "others": question.share(anywhere) - question.share(first.held),
        "pairs": _pairs(question, first),
        "telling": len(held) / (len(telling) or 1),
        "missing": float(len(telling) - len(held)),
        "long": log1p(len(telling)),
    }


def page_features(found: Sequence[Bearing]) -> list[dict[str, float]]:
    """What speaks for each page bearing on the answer, beside the others."""
    scores = [one.score for one in found]
    most = max(scores, default=0.0) or 1.0
    return [
        {
            "score": one.score,
            "share": one.score / most,
            "lead": one.score - max((other for at, other in enumerate(scores) if at != row), default=0.0),
            "coverage": one.coverage,
            "window": one.window,
            "dense": one.dense,
            "beyond": one.beyond,
            "sentence": one.sentence,
        }
        for row, one in enumerate(found)
    ]


def _bearing(question: Asked, text: Text, mean: float) -> Bearing:
    said = [question.terms_in(sentence) for sentence in text.sentences] or [frozenset[str]()]
    title, everything = question.terms_in(text.title), question.terms_in(text.counts)
    windows = [first | second for first, second in pairwise([*said, frozenset[str]()])]
    outside = [term for term in question.telling if term not in title]
    return Bearing(
        score=_score(question.weights, text, mean) / question.mass,
        coverage=question.share(everything),
        window=max(question.share(title | window) for window in windows),
        dense=_dense(question, text, said),
        beyond=question.share(everything, outside),
        sentence=_most(question, said, outside),
        plain=_most(question, said, question.unnamed),
        best=_best(question, text, windows),
    )


def _best(question: Asked, text: Text, windows: Sequence[frozenset[str]]) -> str:
    shares = [question.share(window) for window in windows]
    at = shares.index(max(shares))
    return "".join(text.said[at : at + 2])


def _most(question: Asked, said: Sequence[frozenset[str]], of: Sequence[str]) -> float:
    """The share that the best sentence has of the weights of these terms."""
    mass = question.sum(of)
    wanted = frozenset(of)
    return max(question.sum(part & wanted) for part in said) / mass if mass else 1.0


def _dense(question: Asked, text: Text, said: Sequence[frozenset[str]]) -> float:
    """Coverage of the best sentence or of the title, long ones counting less."""
    parts = [(text.title, question.terms_in(text.title)), *zip(text.sentences, said, strict=False)]
    return max(question.share(held) * _short(len(part)) for part, held in parts)


def _short(terms: int) -> float:
    return float(min(1.0, DENSE / (terms or 1)) ** DENSER)


def _score(weights: Mapping[str, float], text: Text, mean: float) -> float:
    discount = K1 * (1 - B + B * text.length / mean)
    counted = ((weight, text.counts.get(term, 0)) for term, weight in weights.items())
    return sum(weight * count * (K1 + 1) / (count + discount) for weight, count in counted if count)


def _pairs(question: Asked, text: Text) -> float:
    """Of the neighbours in the question the share, by weight, that are neighbours in the text too."""
    pairs = list(pairwise(question.terms))
    there = set(pairwise(text.telling))
    weight = {pair: sum(question.weights.get(term, 0.0) for term in pair) for pair in pairs}
    mass = sum(weight[pair] for pair in pairs)
    return sum(weight[pair] for pair in pairs if pair in there) / mass if mass else 0.0


def _runs(question: Asked, window: str) -> float:
    """Share of the question's signs that stand in the window in runs of two or more, in the same order."""
    asked, there = signs(question.text), signs(window)
    blocks = SequenceMatcher(None, asked, there, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size > 1) / (len(asked) or 1)


# How relevant each thing is that was found: a probability, so that 0.7 means seven of ten.


LANE = "relevance"
_STEEP = 30.0


def weights(judgement: str, language: Language) -> Mapping[str, float]:
    """What each figure counts for in ``confidence``, ``beside`` (with the public tier) or ``relevance``."""
    return cast("Mapping[str, float]", table("winnow.retrieve", "sufficiency.yaml")[judgement][language])


def probability(figures: Mapping[str, float], by: Mapping[str, float]) -> float:
    """0..1, of figures by their weights."""
    told = by["always"] + sum(by[name] * value for name, value in figures.items())
    return 1 / (1 + exp(-min(_STEEP, max(-_STEEP, told))))


def relevance(question: Asked, pages: Sequence[Page]) -> tuple[float, ...]:
    """The probability of each page to bear on the answer, beside the others."""
    return _relevances(bearings(question, pages), weights("relevance", question.language))


def _relevances(found: Sequence[Bearing], by: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(probability(figures, by) for figures in page_features(found))


class Ranked(NamedTuple):
    """A page, what it holds and how relevant that makes it."""

    relevance: float
    page: Page
    bearing: Bearing


def best_first(question: Asked, pages: Sequence[Page]) -> list[Ranked]:
    """The pages, the most relevant first."""
    found = bearings(question, pages)
    scores = _relevances(found, weights("relevance", question.language))
    ranked = (Ranked(*one) for one in zip(scores, pages, found, strict=True))
    return sorted(ranked, key=lambda one: -one.relevance)


def graded(text: str, found: Shortlist) -> Shortlist:
    """The same in the same order, with calibrated scores."""
    pages = tuple(page(candidate) for candidate in found.candidates)
    by = relevance(asked(text, found.weights, pages), pages)
    scored = (_scored(one, score) for one, score in zip(found.candidates, by, strict=True))
    return replace(found, candidates=tuple(scored))


def page(candidate: Candidate) -> Page:
    """What is read of a candidate of any source."""
    data = candidate.data
    if not isinstance(data, Mapping):
        return Page(str(data or ""))
    headings = data.get("headings") or ()
    title = [str(data.get("title") or ""), *(str(heading) for heading in cast("Sequence[object]", headings))]
    return Page(str(data.get("text") or ""), "\n".join(part for part in title if part))


def _scored(candidate: Candidate, score: float) -> Candidate:
    evidence = (*candidate.evidence, Evidence(LANE, round(score, 3)))
    return replace(candidate, score=score, evidence=evidence)


def together(found: Sequence[Shortlist]) -> Iterator[Candidate]:
    """The candidates of all shortlists."""
    return (candidate for shortlist in found for candidate in shortlist.candidates)


# Whether private results answer a question: computed from what they hold of it, and calibrated.


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
    coverage = _coverage_enough(question, [one.page for one in ranked if one.relevance >= floor])
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


def _coverage_enough(question: Asked, pages: Sequence[Page]) -> float:
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
