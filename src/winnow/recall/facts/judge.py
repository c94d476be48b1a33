"""What a later statement is to an earlier one: news of it, the same again, or something beside it.

Rules read both, and a softmax over what they found decides; ``training/knowledge/fit_facts.py`` fits it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

import numpy as np

from winnow.language.normalise import fold
from winnow.ports import Embedder
from winnow.recall.facts.features import features
from winnow.recall.facts.plain import plainly
from winnow.recall.facts.said import said
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
    told, plain = _read(old, new, table)
    if plain is not None:
        return plain
    shares = likely(told)
    best = max(RELATIONS, key=shares.__getitem__)
    if shares[best] < least:
        return Judgement("unsure", "too little tells", shares[best])
    return Judgement(best, reason(told, best), shares[best])


def met(old: Fact, new: Fact, table: Embedder, least: float) -> Judgement:
    """The same among all that a person says, of which most is no news of anything.

    ``unsure`` unless it is as likely as ``least`` that both are about one matter: then what ``judge`` says.
    """
    told, plain = _read(old, new, table)
    if plain is not None:
        return plain
    shares = likely(told)
    best: Relation = "update" if shares["update"] >= shares["duplicate"] else "duplicate"
    sure = of_one_matter({**told, "update": shares["update"], "duplicate": shares["duplicate"]})
    if sure < least:
        return Judgement("unsure", "too little tells", sure)
    return Judgement(best, reason(told, best), sure)


def _read(old: Fact, new: Fact, table: Embedder) -> tuple[dict[str, float], Judgement | None]:
    """The features of a pair; or the judgement, where words or grammar alone decide."""
    if fold(old.text) == fold(new.text):
        return {}, Judgement("duplicate", "same words")
    before, after = said(old.text), said(new.text)
    plain = plainly(before, after)
    return ({}, plain) if plain is not None else (features(before, after, table), None)


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
