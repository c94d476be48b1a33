"""What a later statement is to an earlier one: news of it, the same again, or something beside it.

Rules read both, and a softmax over what they found decides; ``training/knowledge/fit_facts.py`` fits it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np

from winnow.language.normalise import fold, language_of, normalise
from winnow.ports import Embedder
from winnow.recall.facts.features import features
from winnow.recall.facts.marks import pattern
from winnow.recall.facts.novelty import VALUE, is_of_another, is_of_same, novelty
from winnow.recall.facts.plain import plainly
from winnow.recall.facts.said import said
from winnow.recall.history.times import spans
from winnow.text.tables import table as read
from winnow.types.fact import Fact, Judgement, Relation

RELATIONS: tuple[Relation, ...] = ("update", "duplicate", "compatible")
"""What can become of a statement when a later one comes, in the order of the weights."""
Weights = Mapping[str, tuple[float, float, float]]
"""Feature -> what it counts for each relation; ``bias`` is added always."""


def judge(old: Fact, new: Fact, table: Embedder, least: float = 0.0) -> Judgement:
    """What ``new``, the later one, is to ``old``, which it is near to in some way.

    ``unsure`` where less than ``least`` speaks for it. ``table``: the built-in embedder.
    About two milliseconds.
    """
    pair = _read(old, new, table)
    if pair.plain is not None:
        return pair.plain
    shares = likely(pair.features)
    best = max(pair.possible, key=shares.__getitem__)
    if shares[best] < least:
        return Judgement("unsure", "too little tells", shares[best])
    return Judgement(best, reason(pair.features, best), shares[best])


def met(old: Fact, new: Fact, table: Embedder, least: float) -> Judgement:
    """The same among all that a person says, of which most is no news of anything.

    ``unsure`` unless it is as likely as ``least`` that both are about one matter. ``compatible`` only where
    the later one would repeat the earlier, were there nothing new in it.
    """
    pair = _read(old, new, table)
    if pair.plain is not None:
        return pair.plain
    before, after = said(old.text), said(new.text)
    if is_of_another(before, after):
        return Judgement("compatible", "of another")
    if pair.news and is_of_same(before, after):
        return Judgement("update", pair.news)
    shares = likely(pair.features)
    sure = of_one_matter({**pair.features, "update": shares["update"], "duplicate": shares["duplicate"]})
    if sure < least:
        return Judgement("unsure", "too little tells", sure)
    best: Relation = "update" if shares["update"] >= shares["duplicate"] else "duplicate"
    if best not in pair.possible:
        best = max(pair.possible, key=shares.__getitem__)
        return Judgement("compatible", pair.news, sure)
    return Judgement(best, reason(pair.features, best), sure)


@dataclass(frozen=True, slots=True)
class _Pair:
    """What rules find of two statements."""

    features: Mapping[str, float]
    news: str = ""
    """The rule by which the later one is no repetition."""
    plain: Judgement | None = None
    """The judgement, where words or grammar alone decide."""

    @property
    def possible(self) -> Sequence[Relation]:
        return [relation for relation in RELATIONS if not (self.news and relation == "duplicate")]


def _read(old: Fact, new: Fact, table: Embedder) -> _Pair:
    before, after = said(old.text), said(new.text)
    shifted = VALUE if _is_of_another_day(old, new) else ""
    if fold(old.text) == fold(new.text) and not shifted:
        return _Pair({}, plain=Judgement("duplicate", "same words"))
    news, plain = novelty(before, after, table) or shifted, plainly(before, after)
    if plain is not None and not (news and plain.relation == "duplicate"):
        return _Pair({}, news, plain)
    return _Pair(features(before, after, table), news)


def _is_of_another_day(old: Fact, new: Fact) -> bool:
    """Whether both name a time by the day on which they were said, and another one each: ``tomorrow``."""
    if old.at is None or new.at is None or old.at.date() == new.at.date():
        return False
    if not all(pattern("shifting", language_of(one.text)).search(normalise(one.text)) for one in (old, new)):
        return False
    before, after = spans(old.text, old.at), spans(new.text, new.at)
    return [(span.start, span.end) for span in before] != [(span.start, span.end) for span in after]


def of_one_matter(told: Mapping[str, float], given: Mapping[str, float] | None = None) -> float:
    """How likely two statements that share words are about one matter, by features and relations, 0..1."""
    found = matter_weights() if given is None else given
    return float(
        1 / (1 + np.exp(-found["bias"] - sum(told[name] * found[name] for name in told if name in found)))
    )


def likely(told: Mapping[str, float], given: Weights | None = None) -> Mapping[Relation, float]:
    """How likely each relation is, by what was found; together 1."""
    found = weights() if given is None else given
    sums = np.array(found["bias"]) + sum(told[name] * np.array(found[name]) for name in told if name in found)
    shares = np.exp(sums - sums.max())
    return dict(zip(RELATIONS, (shares / shares.sum()).tolist(), strict=True))


def reason(told: Mapping[str, float], relation: Relation) -> str:
    """The rule that says most for the relation and can be put in words."""
    at = RELATIONS.index(relation)
    worth = {
        why: sum(told[name] * (weights()[name][at] - sum(weights()[name]) / 3) for name in names)
        for why, names in reasons()[relation].items()
    }
    return max(worth, key=lambda why: worth[why])


@cache
def weights() -> Weights:
    """Those in force."""
    return {name: tuple(row) for name, row in read(__package__, "weights.yaml").items()}


@cache
def matter_weights() -> Mapping[str, float]:
    """Those in force for ``of_one_matter``."""
    return cast("Mapping[str, float]", read(__package__, "matter.yaml"))


def reasons() -> Mapping[str, Mapping[str, list[str]]]:
    """Relation -> reason in words -> the features that are it."""
    return cast("Mapping[str, Mapping[str, list[str]]]", read(__package__, "reasons.yaml"))
