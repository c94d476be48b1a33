"""Whether a question turns to something else than the dialogue was about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from winnow.assemble.window.exchanges import Exchange
from winnow.assemble.window.words import pointing, wished
from winnow.language.content import content_terms, is_character
from winnow.ports import Embedder
from winnow.text.tables import table

LOOKED_AT = 4
"""Turns, counted from the last one, that the question may be about."""
READ = 600
"""Characters of a turn that are compared."""


@dataclass(frozen=True, slots=True)
class Topic:
    """How likely the question is about something else, 0..1; ``wished``: the person says so."""

    shift: float
    wished: bool = False

    @property
    def turned(self) -> bool:
        """Whether it is another topic."""
        return self.wished or self.shift >= cast("float", _fitted()["least"])


def topic(question: str, turns: Sequence[Exchange], embedder: Embedder | None) -> Topic:
    """What the question is to the last turns. Without any there is nothing to turn from."""
    near = [turn.text[:READ] for turn in turns[-LOOKED_AT:]]
    if not near or not question:
        return Topic(0.0)
    if wished(question):
        return Topic(1.0, wished=True)
    weights: Mapping[str, float] = _fitted()["words" if embedder is None else "meaning"]
    known = features(question, near, embedder)
    return Topic(1 / (1 + math.exp(-weights["bias"] - sum(weights[name] * x for name, x in known.items()))))


def features(question: str, near: Sequence[str], embedder: Embedder | None) -> dict[str, float]:
    """What tells: shared terms, the nearness of meanings, words that point back; each 0..1.

    ``near``: the last turns as texts, oldest first.
    """
    asked = terms(question)
    earlier = [terms(text) for text in near]
    told = {
        "shared_last": _share(asked, earlier[-1]),
        "shared_any": _share(asked, frozenset().union(*earlier)),
        "pointing": float(pointing(question)),
        "short": 1 / (1 + len(asked)),
    }
    return told if embedder is None else told | _nearness(question, near, embedder)


def _nearness(question: str, near: Sequence[str], embedder: Embedder) -> dict[str, float]:
    vectors = embedder.embed([question, *near])
    cosines = (vectors[1:] @ vectors[0]).tolist()
    return {"near_last": max(0.0, cosines[-1]), "near_any": max(0.0, *cosines)}


def terms(text: str) -> frozenset[str]:
    """What a text is about: its words, and pairs of characters rather than single ones."""
    found = frozenset(content_terms(text))
    pairs = frozenset(term for term in found if not is_character(term))
    return pairs or found


def _share(asked: frozenset[str], there: frozenset[str]) -> float:
    return len(asked & there) / len(asked) if asked else 1.0


def _fitted() -> Mapping[str, Mapping[str, float]]:
    return cast("Mapping[str, Mapping[str, float]]", table("winnow.assemble.window", "topic.yaml"))
