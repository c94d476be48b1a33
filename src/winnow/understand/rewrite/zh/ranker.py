"""Which span goes into which slot.

A small network over named features, its weights fitted by ``training/fit_rewrite_zh.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from winnow.understand.rewrite.zh.candidates import Slot, Stretch
from winnow.understand.rewrite.zh.features import Encoded, Scene, encode, pairs

Floats = npt.NDArray[np.float32]
PAIRED = 16
"""Spans whose fit with each slot is looked at closely: the best ones by themselves."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What the network says of one query.

    The chance that it is complete, and the best edit with its chance.
    """

    complete: float
    stretch: Stretch | None = None
    slot: Slot | None = None
    chance: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranker:
    """One hidden layer, its first weights split by what a feature speaks of, so that spans and slots are read once each."""

    stretch_names: Mapping[str, int]
    slot_names: Mapping[str, int]
    weights: Mapping[str, Floats]
    """``stretch`` and ``slot`` with a row of zeros at the end, ``pair``: (features, hidden + 1), the last
    column straight to the score;
    ``bias``, ``out``: (hidden,).
    """

    def best(self, scene: Scene) -> Ranked:
        """The best edit of the query; no softmax over an empty history."""
        encoded = encode(scene)
        slots = self._sum(encoded.slots, self.slot_names, "slot")
        null = float(self._out(slots[:1])[0])
        if not encoded.stretches:
            return Ranked(1.0)
        stretches = self._sum(encoded.stretch_features, self.stretch_names, "stretch")
        rough = self._out(stretches[:, None] + slots[None, 1:])
        kept = np.argsort(-rough.max(axis=1), kind="stable")[:PAIRED]
        found = pairs([encoded.stretches[i] for i in kept], encoded.places, scene)
        scores = self._out(stretches[kept][:, None] + slots[None, 1:] + found @ self.weights["pair"])
        return _ranked(scores, null, [encoded.stretches[i] for i in kept], encoded)

    def _sum(self, features: Sequence[Sequence[str]], names: Mapping[str, int], part: str) -> Floats:
        columns: list[int] = []
        starts = []
        for found in features:
            starts.append(len(columns))
            columns.append(
                -1
            )  # the last row of the weights is zero, so that a row without a known feature has a sum
            columns += {names[name] for name in found if name in names}
        summed: Floats = np.add.reduceat(self.weights[part][columns], starts, axis=0)
        return summed

    def _out(self, summed: Floats) -> Floats:
        hidden = np.maximum(summed[..., :-1] + self.weights["bias"], 0)
        scores: Floats = hidden @ self.weights["out"] + summed[..., -1]
        return scores


def _ranked(scores: Floats, null: float, stretches: Sequence[Stretch], encoded: Encoded) -> Ranked:
    top = max(float(scores.max()), null)
    shares = np.exp(scores - top)
    alone = float(np.exp(null - top))
    total = float(shares.sum()) + alone
    i, j = np.unravel_index(int(shares.argmax()), shares.shape)
    return Ranked(alone / total, stretches[int(i)], encoded.places[int(j)], float(shares[i, j]) / total)


@lru_cache(maxsize=1)
def ranker() -> Ranker:
    """The network of ``weights.npz``."""
    with (
        files("winnow.understand.rewrite.zh").joinpath("weights.npz").open("rb") as data,
        np.load(data) as stored,
    ):
        names = [
            {str(name): i for i, name in enumerate(stored[f"{part}_names"])} for part in ("stretch", "slot")
        ]
        weights = {
            part: stored[part].astype(np.float32) for part in ("stretch", "slot", "pair", "bias", "out")
        }
        return Ranker(
            names[0], names[1], {**weights, **{part: padded(weights[part]) for part in ("stretch", "slot")}}
        )


def padded(weights: Floats) -> Floats:
    """Weights with a row of zeros at the end."""
    return np.vstack([weights, np.zeros_like(weights[:1])])
