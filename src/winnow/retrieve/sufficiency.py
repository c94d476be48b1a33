"""Whether private results suffice, and how relevant each page is: features, logistic weights, the decision.

Every figure is free of the size of the tier: shares of the question's weights, ratios of scores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from math import log1p
from typing import NamedTuple, cast

from winnow.errors import Phrase
from winnow.language.content_words import content_terms, is_character, telling_terms
from winnow.language.linear import probability
from winnow.language.normalize import is_han, normalise
from winnow.language.registry import rows_for
from winnow.language.sentences import split_sentences
from winnow.language.tables import table
from winnow.language.term_weights import UNIGRAM_WEIGHT, inverse_frequency, saturation, term_weight
from winnow.types.candidate import Candidate, Evidence, Search, Shortlist
from winnow.types.document import KnowledgeSettings, Sufficiency
from winnow.types.utterance import LanguageCode

# A question and the pages found for it, in terms: what sufficiency and relevance are computed from.


_QUOTED = re.compile('[《「『“"]([^》」』”"]+)[》」』”"]')
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9.'’-]*|\d[\d,.]*")
_SIGN = re.compile(r"[a-z0-9\u00e0-\u024f]+|[\u3007\u3400-\u4dbf\u4e00-\u9fff]")
MAX_CACHED_PAGES = 512
"""Texts whose terms are remembered: the same passages are read for relevance and for sufficiency."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is read of one thing that was found: a passage, a message, a fact."""

    text: str
    title: str = ""


@dataclass(frozen=True)
class PageQuestion:
    """A question with how much each of its terms tells."""

    text: str
    weights: Mapping[str, float]
    """Term -> inverse document frequency, in the order of the question."""

    @cached_property
    def language(self) -> LanguageCode:
        """Chinese as soon as a Chinese character is in it."""
        return "zh" if any(is_han(sign) for sign in self.text) else "en"

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Its terms in order, as often as they occur, single Chinese characters left out."""
        return tuple(telling_terms(self.text))

    @cached_property
    def distinct_terms(self) -> tuple[str, ...]:
        """The terms that tell by themselves, each once; all where there is no such term."""
        return tuple(term for term in self.weights if not is_character(term)) or tuple(self.weights)

    @cached_property
    def mass(self) -> float:
        """All weights together; 1 where nothing is asked for."""
        return sum(self.weights.values()) or 1.0

    @cached_property
    def named_terms(self) -> frozenset[str]:
        """Terms of what is called by its name: quoted, with a digit, or with a capital inside the text."""
        quoted = _QUOTED.findall(self.text)
        words = enumerate(_WORD.findall(self.text))
        names = [
            word
            for place, word in words
            if self.language == "zh" or (place > 0 and word[0].isupper()) or any(map(str.isdigit, word))
        ]
        return frozenset(term for part in (*quoted, *names) for term in content_terms(part))

    @cached_property
    def unnamed_terms(self) -> tuple[str, ...]:
        """The terms that tell and name nothing."""
        return tuple(term for term in self.distinct_terms if term not in self.named_terms)

    @cached_property
    def _set(self) -> frozenset[str]:
        return frozenset(self.weights)

    def terms_in(self, terms: Iterable[str]) -> frozenset[str]:
        """Those of its terms that are among these."""
        return self._set.intersection(terms)

    def sum(self, terms: Iterable[str]) -> float:
        """The weights of these terms together."""
        return sum(self.weights[term] for term in terms)

    def share(self, held: frozenset[str], of: Sequence[str] | None = None) -> float:
        """Their part of the weights; of the weights of ``of`` alone, 1 where that is nothing."""
        if of is None:
            return self.sum(self._set & held) / self.mass
        mass = self.sum(of)
        return self.sum(term for term in of if term in held) / mass if mass else 1.0


@dataclass(frozen=True)
class PageText:
    """The terms of a page."""

    title: frozenset[str]
    counts: Counter[str]
    ordered_terms: tuple[str, ...]
    """Its terms in order, single Chinese characters left out."""
    sentences: tuple[tuple[str, ...], ...]
    """The terms of each of its sentences."""
    sentence_texts: tuple[str, ...]
    """The sentences themselves."""

    @cached_property
    def all_terms(self) -> frozenset[str]:
        """All its terms."""
        return frozenset(self.counts)

    @cached_property
    def length(self) -> float:
        """Its terms, single Chinese characters as little as they count."""
        characters = self.counts.total() - len(self.ordered_terms)
        return len(self.ordered_terms) + UNIGRAM_WEIGHT * characters


def text_symbols(text: str) -> list[str]:
    """The Latin words and the Chinese characters of a text, in order."""
    return _SIGN.findall(normalise(text))


@lru_cache(MAX_CACHED_PAGES)
def page_text(page: Page) -> PageText:
    """The terms of a page; those of its title count as its own."""
    title = content_terms(page.title)
    said = tuple(part.text for part in split_sentences(page.text))
    parts = tuple(tuple(content_terms(part)) for part in said)
    terms = [*title, *chain.from_iterable(parts)]
    telling = tuple(
        term for term in terms if len(term) > 1 or term.isascii()
    )  # not is_character, said faster
    return PageText(frozenset(title), Counter(terms), telling, parts, said)


def weigh_question(text: str, weights: Mapping[str, float], pages: Sequence[Page]) -> PageQuestion:
    """The question, each of its terms with its weight.

    A term without one is as telling as the most telling one; where none has one, what was found tells how
    rare each is.
    """
    terms = dict.fromkeys(content_terms(text))
    if not any(term in weights for term in terms):
        return PageQuestion(text, {term: _rareness(term, pages) for term in terms})
    most = {alone: _greatest_weight(weights, alone) for alone in (True, False)}
    return PageQuestion(text, {term: weights.get(term, most[is_character(term)]) for term in terms})


def _greatest_weight(weights: Mapping[str, float], alone: bool) -> float:
    """The greatest weight of a single character, or of a term that is none."""
    found = [weight for term, weight in weights.items() if is_character(term) == alone]
    other = UNIGRAM_WEIGHT if alone else 1 / UNIGRAM_WEIGHT
    return max(found) if found else other * max(weights.values())


def _rareness(term: str, pages: Sequence[Page]) -> float:
    number = sum(term in page_text(page).all_terms for page in pages)
    return term_weight(term) * inverse_frequency(len(pages), number)


# Whether private results suffice, and how relevant each page is: features, logistic weights, the decision.


MAX_ANSWER_PAGES = 3
"""Pages whose sentences are looked at for the answer."""
DENSE_SENTENCE_TERMS, DENSE_EXPONENT = 12, 0.3
"""Terms of a sentence from which on its coverage counts less, and how fast."""


@dataclass(frozen=True, slots=True)
class PageFigures:
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


def page_figures(question: PageQuestion, pages: Sequence[Page]) -> tuple[PageFigures, ...]:
    """What each page holds of the question."""
    texts = [page_text(page) for page in pages]
    mean = sum(text.length for text in texts) / len(texts) if texts else 0.0
    return tuple(_bearing(question, text, mean or 1.0) for text in texts)


def sufficiency_features(
    question: PageQuestion, found: Sequence[tuple[Page, PageFigures]]
) -> dict[str, float]:
    """What speaks for the answer being among the pages, which stand best first; there is at least one."""
    ahead = _lead_features(question, [bearing for _, bearing in found])
    return {**ahead, **_term_features(question, [page_text(page) for page, _ in found])}


def _lead_features(question: PageQuestion, found: Sequence[PageFigures]) -> dict[str, float]:
    """How well the best pages do, and by how much better than the others."""
    windows, deep = _descending(one.window for one in found), found[:MAX_ANSWER_PAGES]
    first, second = found[0], found[1].coverage if len(found) > 1 else 0.0
    coverage = {
        "coverage": first.coverage,
        "coverage_lead": first.coverage - second,
        "beyond": first.beyond,
    }
    falling = _descending(one.score for one in found)
    best = falling[0]
    scores = {
        "score": best,
        "lead": best - falling[1],
        "third": falling[2] / (best or 1.0),
        "fifth": falling[4] / (best or 1.0),
    }
    return {
        **scores,
        **coverage,
        "window": windows[0],
        "window_lead": windows[0] - windows[1],
        "dense": max(one.dense for one in deep),
        "sentence": max(one.sentence for one in deep),
        "plain": max(one.plain for one in deep),
        "runs": _runs(question, max(deep, key=lambda one: one.window).best),
    }


def _descending(figures: Iterable[float]) -> list[float]:
    """The greatest first; where there are few, 0 stands for those that are not there."""
    return [*sorted(figures, reverse=True), *[0.0] * 5]


def _term_features(question: PageQuestion, texts: Sequence[PageText]) -> dict[str, float]:
    """Which of the question's terms the best page holds, and what becomes of the others."""
    first, telling = texts[0], question.distinct_terms
    held = [term for term in telling if term in first.all_terms]
    anywhere = frozenset[str]().union(*(text.all_terms for text in texts))
    return {
        "named": question.share(
            first.all_terms, [term for term in question.weights if term in question.named_terms]
        ),
        "title": question.share(first.title),
        "others": question.share(anywhere) - question.share(first.all_terms),
        "pairs": _pairs(question, first),
        "telling": len(held) / (len(telling) or 1),
        "missing": float(len(telling) - len(held)),
        "long": log1p(len(telling)),
    }


def page_features(found: Sequence[PageFigures]) -> list[dict[str, float]]:
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


def _bearing(question: PageQuestion, text: PageText, mean: float) -> PageFigures:
    said = [question.terms_in(sentence) for sentence in text.sentences] or [frozenset[str]()]
    title, everything = question.terms_in(text.title), question.terms_in(text.counts)
    windows = [first | second for first, second in pairwise([*said, frozenset[str]()])]
    outside = [term for term in question.distinct_terms if term not in title]
    shares = [question.share(window) for window in windows]
    at = shares.index(max(shares))
    return PageFigures(
        score=_score(question.weights, text, mean) / question.mass,
        coverage=question.share(everything),
        window=max(question.share(title | window) for window in windows),
        dense=_dense(question, text, said),
        beyond=question.share(everything, outside),
        sentence=_most(question, said, outside),
        plain=_most(question, said, question.unnamed_terms),
        best="".join(text.sentence_texts[at : at + 2]),
    )


def _most(question: PageQuestion, said: Sequence[frozenset[str]], of: Sequence[str]) -> float:
    """The share that the best sentence has of the weights of these terms."""
    mass = question.sum(of)
    wanted = frozenset(of)
    return max(question.sum(part & wanted) for part in said) / mass if mass else 1.0


def _dense(question: PageQuestion, text: PageText, said: Sequence[frozenset[str]]) -> float:
    """Coverage of the best sentence or of the title, long ones counting less."""
    parts = [(text.title, question.terms_in(text.title)), *zip(text.sentences, said, strict=False)]
    return max(
        question.share(held) * float(min(1.0, DENSE_SENTENCE_TERMS / (len(part) or 1)) ** DENSE_EXPONENT)
        for part, held in parts
    )


def _score(weights: Mapping[str, float], text: PageText, mean: float) -> float:
    counted = ((weight, text.counts.get(term, 0)) for term, weight in weights.items())
    return sum(weight * saturation(count, text.length, mean) for weight, count in counted if count)


def _pairs(question: PageQuestion, text: PageText) -> float:
    """Of the neighbours in the question the share, by weight, that are neighbours in the text too."""
    pairs = list(pairwise(question.terms))
    there = set(pairwise(text.ordered_terms))
    weight = {pair: sum(question.weights.get(term, 0.0) for term in pair) for pair in pairs}
    mass = sum(weight[pair] for pair in pairs)
    return sum(weight[pair] for pair in pairs if pair in there) / mass if mass else 0.0


def _runs(question: PageQuestion, window: str) -> float:
    """Share of the question's signs that stand in the window in runs of two or more, in the same order."""
    asked, there = text_symbols(question.text), text_symbols(window)
    blocks = SequenceMatcher(None, asked, there, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size > 1) / (len(asked) or 1)


# How relevant each thing is that was found: a probability, so that 0.7 means seven of ten.


RELEVANCE_CHANNEL = "relevance"


def sufficiency_weights(judgement: str, language: LanguageCode) -> Mapping[str, float]:
    """What each figure counts for in ``confidence``, ``beside`` (the public tier) or ``relevance``."""
    rows = table("winnow.retrieve", "sufficiency.yaml")[judgement]
    return cast("Mapping[str, float]", rows_for(rows, language))


def page_relevances(question: PageQuestion, pages: Sequence[Page]) -> tuple[float, ...]:
    """The probability of each page to bear on the answer, beside the others."""
    return _relevances(page_figures(question, pages), sufficiency_weights("relevance", question.language))


def _relevances(found: Sequence[PageFigures], by: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(probability(figures, by) for figures in page_features(found))


class RankedPage(NamedTuple):
    """A page, what it holds and how relevant that makes it."""

    relevance: float
    page: Page
    bearing: PageFigures


def rank_pages(question: PageQuestion, pages: Sequence[Page]) -> list[RankedPage]:
    """The pages, the most relevant first."""
    found = page_figures(question, pages)
    scores = _relevances(found, sufficiency_weights("relevance", question.language))
    ranked = (RankedPage(*one) for one in zip(scores, pages, found, strict=True))
    return sorted(ranked, key=lambda one: -one.relevance)


def calibrate_scores(text: str, found: Shortlist) -> Shortlist:
    """The same in the same order, with calibrated scores."""
    pages = tuple(candidate_page(candidate) for candidate in found.candidates)
    by = page_relevances(weigh_question(text, found.weights, pages), pages)
    scored = (
        replace(one, score=score, evidence=(*one.evidence, Evidence(RELEVANCE_CHANNEL, round(score, 3))))
        for one, score in zip(found.candidates, by, strict=True)
    )
    return replace(found, candidates=tuple(scored))


def candidate_page(candidate: Candidate) -> Page:
    """What is read of a candidate of any source."""
    data = candidate.data
    if not isinstance(data, Mapping):
        return Page(str(data or ""))
    headings = data.get("headings") or ()
    title = [str(data.get("title") or ""), *(str(heading) for heading in cast("Sequence[object]", headings))]
    return Page(str(data.get("text") or ""), "\n".join(part for part in title if part))


def all_candidates(found: Sequence[Shortlist]) -> Iterator[Candidate]:
    """The candidates of all shortlists."""
    return (candidate for shortlist in found for candidate in shortlist.candidates)


# Whether private results answer a question: computed from what they hold of it, and calibrated.


MAX_JUDGED_PAGES = 10
"""Results that are looked at, the most relevant ones."""


def judge_sufficiency(
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
    pages = tuple(dict.fromkeys(candidate_page(candidate) for candidate in all_candidates(found)))
    question = weigh_question(search.text, weights_of(found), pages)
    if not pages or not question.weights:
        return Sufficiency(False, 0, 0.0, 0.0, "nothing private was found")
    ranked = rank_pages(question, pages)[:MAX_JUDGED_PAGES]
    documents = frozenset(candidate_page(one) for one in all_candidates(found) if one.ref.kind == "passage")
    spoken = ranked[0].page not in documents
    confidence_reach = None if spoken else reach
    figures = sufficiency_features(question, [(one.page, one.bearing) for one in ranked])
    if confidence_reach is None:
        confidence = probability(figures, sufficiency_weights("confidence", question.language))
    else:
        confidence = probability(
            {**figures, "reach": confidence_reach}, sufficiency_weights("beside", question.language)
        )
    return _judge_pages(question, ranked, confidence, limits)


def _judge_pages(
    question: PageQuestion, ranked: Sequence[RankedPage], confidence: float, limits: KnowledgeSettings
) -> Sufficiency:
    """How many are relevant, what those cover that would be kept, and whether that is enough."""
    results = sum(one.relevance >= limits.private_least for one in ranked)
    floor = min(limits.private_least, limits.least_share * ranked[0].relevance)
    pages = [one.page for one in ranked if one.relevance >= floor]
    held = frozenset[str]().union(*(page_text(one).all_terms for one in pages))
    coverage = question.share(held)
    enough, why = _decide_sufficiency(limits, results, coverage, confidence)
    return Sufficiency(enough, results, coverage, confidence, why)


def weights_of(found: Sequence[Shortlist]) -> dict[str, float]:
    """How much each term tells, by the source that holds most: a handful of facts tells little of any term.

    The weight of a term that nothing holds grows with what is searched, so the greatest one tells which holds
    most.
    """
    told = sorted((one.weights for one in found if one.weights), key=lambda by: max(by.values()))
    return {term: weight for by in told for term, weight in by.items()}


def _decide_sufficiency(
    limits: KnowledgeSettings, results: int, coverage: float, confidence: float
) -> tuple[bool, str]:
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
