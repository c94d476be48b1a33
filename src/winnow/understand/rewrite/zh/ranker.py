"""Which span goes into which slot.

A small network over named features, its weights fitted by ``training/fit_rewrite_zh.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate, chain

import numpy as np
import numpy.typing as npt

from winnow.understand.rewrite.zh.candidates import Slot, Stretch
from winnow.understand.rewrite.zh.features import encode
from winnow.understand.rewrite.zh.pairs import Floats, pairs
from winnow.understand.rewrite.zh.scene import Scene

PAIRED = 16
"""Spans whose fit with each slot is looked at closely: the best ones by themselves."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What the network says of one query: the chance that it is complete, and the best edit."""

    complete: float
    stretch: Stretch | None = None
    slot: Slot | None = None


@dataclass(frozen=True, slots=True)
class Ranker:
    """One hidden layer.

    Its first weights are split by what a feature speaks of, so that spans and slots are read once each.
    """

    stretch_names: Mapping[str, int]
    slot_names: Mapping[str, int]
    weights: Mapping[str, Floats]
    """``stretch`` and ``slot`` with a row of zeros at the end, and ``pair``: (features, hidden + 1), the last
    column straight to the score; ``bias`` and ``out``: (hidden,)."""

    def best(self, scene: Scene) -> Ranked:
        """The best edit of the query; complete when there is nothing to copy."""
        encoded = encode(scene)
        if not encoded.stretches:
            return Ranked(1.0)
        slots = self._sum(encoded.slots, self.slot_names, "slot")
        stretches = self._sum(encoded.stretch_features, self.stretch_names, "stretch")
        edits = slots[None, 1:]
        kept = self._likely(stretches, edits)
        likely = [encoded.stretches[i] for i in kept]
        fit = pairs(likely, encoded.places, scene) @ self.weights["pair"]
        scores = self._out(stretches[kept][:, None] + edits + fit)
        return _ranked(scores, self._out(slots[:1]), likely, encoded.places)

    def _likely(self, stretches: Floats, edits: Floats) -> npt.NDArray[np.intp]:
        """The spans that do best in some slot, judged without looking at both together."""
        rough = self._out(stretches[:, None] + edits)
        return np.argsort(-rough.max(axis=1), kind="stable")[:PAIRED]

    def _sum(self, features: Sequence[Sequence[str]], names: Mapping[str, int], part: str) -> Floats:
        """The weights of the features of each span or slot, summed.

        The last row of the weights is zero, so that what has no known feature has a sum.
        """
        rows = [[-1, *{names[name] for name in found if name in names}] for found in features]
        starts = [0, *accumulate(len(row) for row in rows[:-1])]
        summed: Floats = np.add.reduceat(self.weights[part][list(chain.from_iterable(rows))], starts, axis=0)
        return summed

    def _out(self, summed: Floats) -> Floats:
        hidden = np.maximum(summed[..., :-1] + self.weights["bias"], 0)
        scores: Floats = hidden @ self.weights["out"] + summed[..., -1]
        return scores


def _ranked(scores: Floats, alone: Floats, stretches: Sequence[Stretch], places: Sequence[Slot]) -> Ranked:
    """The best of the edits, and the chance of leaving the query ``alone`` by a softmax over all of them."""
    top = max(float(scores.max()), float(alone[0]))
    shares = np.exp(scores - top)
    complete = float(np.exp(float(alone[0]) - top))
    i, j = np.unravel_index(int(shares.argmax()), shares.shape)
    return Ranked(complete / (float(shares.sum()) + complete), stretches[int(i)], places[int(j)])


@lru_cache(maxsize=1)
def ranker() -> Ranker:
    """The network of ``weights.npz``."""
    with files(__package__).joinpath("weights.npz").open("rb") as data, np.load(data) as stored:
        weights = {part: stored[part].astype(np.float32) for part in ("pair", "bias", "out")}
        weights |= {part: padded(stored[part].astype(np.float32)) for part in ("stretch", "slot")}
        stretch, slot = (
            {str(name): n for n, name in enumerate(stored[f"{part}_names"])} for part in ("stretch", "slot")
        )
    return Ranker(stretch, slot, weights)


def padded(weights: Floats) -> Floats:
    """Weights with a row of zeros at the end."""
    return np.vstack([weights, np.zeros_like(weights[:1])])
