"""Whether a dialogue turned to something else than it was about.

One question beside the topic is an aside, and people come back from it. So the topic turned when the
question and the turn before it are both about something else than the turns before them: seen one turn late,
and more seldom wrongly. Who says that it turns is believed at once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from winnow.assemble.window.exchanges import Exchange
from winnow.assemble.window.words import pointing, wished
from winnow.language.content import content_terms, is_character
from winnow.ports import Embedder
from winnow.text.tables import table

LOOKED_AT, FEWEST = 8, 3
"""Turns, counted from the last one, that are compared: at most and at least."""
READ = 600
"""Characters of a turn that are compared."""


@dataclass(frozen=True, slots=True)
class Topic:
    """How likely the dialogue turned to another topic, 0..1; ``wished``: the person says so."""

    shift: float = 0.0
    least: float = 1.0
    """From which chance on it is taken for true."""
    wished: bool = False

    @property
    def turned(self) -> bool:
        """Whether it is another topic."""
        return self.wished or self.shift >= self.least


def topic(question: str, turns: Sequence[Exchange], embedder: Embedder | None) -> Topic:
    """What the question and the last turn are to those before; too few turns have nothing to turn from."""
    if question and turns and wished(question):
        return Topic(1.0, wished=True)
    if not question or len(turns) < FEWEST:
        return Topic()
    weights: Mapping[str, float] = cast(
        "Mapping[str, Mapping[str, float]]", table("winnow.assemble.window", "topic.yaml")
    )["words" if embedder is None else "meaning"]
    known = features(question, turns[-LOOKED_AT:], embedder)
    total = weights["bias"] + sum(weights[name] * x for name, x in known.items())
    return Topic(1 / (1 + math.exp(-total)), weights["least"])


def features(question: str, turns: Sequence[Exchange], embedder: Embedder | None) -> dict[str, float]:
    """What tells: shared terms, the nearness of meanings, words that point back; each 0..1.

    ``turns``: the last ones, oldest first, at least two.
    """
    last, before = turns[-1], [turn.text[:READ] for turn in turns[:-1]]
    asked, told, said = terms(question), terms(last.text[:READ]), terms(last.said[:READ])
    earlier = frozenset[str]().union(*map(terms, before))
    shares = {
        "question_before": (asked, earlier),
        "last_before": (said, earlier),
        "question_last": (asked, told),
    }
    known = {name: len(one & other) / len(one) if one else 1.0 for name, (one, other) in shares.items()}
    known["pointing"] = float(pointing(question))
    return known if embedder is None else known | _nearness((question, last.text[:READ]), before, embedder)


def _nearness(now: tuple[str, str], before: Sequence[str], embedder: Embedder) -> dict[str, float]:
    """Cosines of question and last turn with those before, and with each other."""
    vectors = embedder.embed([*now, *before])
    question, last = (vectors[2:] @ vectors[:2].T).max(0).tolist()
    return {
        "question_near": max(0.0, question),
        "last_near": max(0.0, last),
        "near_last": max(0.0, float(vectors[0] @ vectors[1])),
    }


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """What a text is about: its words, and pairs of characters rather than single ones."""
    found = frozenset(content_terms(text))
    pairs = frozenset(term for term in found if not is_character(term))
    return pairs or found
