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
from winnow.recall.facts.said import said
from winnow.text.tables import table as read
from winnow.types.fact import Fact, Judgement, Relation

RELATIONS: tuple[Relation, ...] = ("update", "duplicate", "compatible")
"""What can become of a statement when a later one comes, in the order of the weights."""
Weights = Mapping[str, tuple[float, float, float]]
"""Feature -> what it counts for each relation; ``bias`` is added always."""


def judge(old: Fact, new: Fact, table: Embedder, least: float = 0.0) -> Judgement:
    """What ``new``, the later one, is to ``old``; ``unsure`` where less than ``least`` speaks for it.

    ``table``: the built-in embedder. About a millisecond.
    """
    if fold(old.text) == fold(new.text):
        return Judgement("duplicate", "same words")
    told = features(said(old.text), said(new.text), table)
    shares = likely(told)
    best = max(RELATIONS, key=shares.__getitem__)
    if shares[best] < least:
        return Judgement("unsure", "too little tells", shares[best])
    return Judgement(best, reason(told, best), shares[best])


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


def reasons() -> Mapping[str, Mapping[str, list[str]]]:
    """Relation -> reason in words -> the features that are it."""
    return cast("Mapping[str, Mapping[str, list[str]]]", read(__package__, "reasons.yaml"))
