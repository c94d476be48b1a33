"""How a ranking may be bent: by age, by a least similarity, against near-duplicates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from winnow.types.message import Message

Floats = npt.NDArray[np.float32]
DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Tuning:
    """With the defaults a ranking is as the weights make it."""

    similarity_threshold: float = 0.0
    """Least cosine of a message that no word of the question finds. 0: none is asked."""
    diversity: float = 0.0
    """How much a message loses that says what a better one says, 0 to 1 (MMR)."""
    half_life_days: float = 0.0
    """After how many days a message counts half as much. 0: age does not count."""


PLAIN = Tuning()


def fresh(now: datetime | None, messages: tuple[Message, ...], half_life: float) -> Floats:
    """What is left of each message's score, 0..1; all of it where nobody knows its time or age is nothing."""
    nothing_lost = np.ones(len(messages), np.float32)
    if half_life <= 0:
        return nothing_lost
    newest = now or max((message.at for message in messages if message.at), default=None)
    if newest is None:
        return nothing_lost
    ages = [(newest - m.at).total_seconds() / DAY if m.at else 0.0 for m in messages]
    left: Floats = np.exp2(-np.maximum(np.array(ages, np.float32), 0) / np.float32(half_life))
    return left


def found_at_all(words: Floats, cosines: Floats, least: float) -> npt.NDArray[np.bool_]:
    """Which messages a word of the question finds, or whose cosine is high enough."""
    return (words > 0) | (cosines >= least) if least > 0 else np.ones(len(words), np.bool_)
