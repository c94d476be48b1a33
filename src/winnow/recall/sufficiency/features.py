"""What speaks for and against a page answering a question, and all pages together holding the answer.

Every figure is free of the size of the tier: shares of the question's weights, ratios of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from math import log1p

from winnow.recall.sufficiency.pages import Asked, Page, Text, read, signs

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
