"""Which turns stay word for word when a dialogue is built anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from winnow.assemble.window.exchanges import Exchange, shortened
from winnow.assemble.window.topic import terms
from winnow.assemble.window.words import decided, telling, told
from winnow.text.tokens import Counter
from winnow.types.context import WindowKind, WindowSettings

LARGEST = 0.5
"""A turn that would take more than this part of the room is cut to it."""
LEAST = 80
"""Tokens that a turn is cut to, at least; below, it is better told in short."""
LOOKED_AT = 60
"""Turns, counted from the last one, that may stay: older ones are looked up."""

Worth = Callable[[Exchange], float]


def chosen(
    turns: Sequence[Exchange], question: str, room: int, settings: WindowSettings, counter: Counter
) -> tuple[Exchange, ...]:
    """The turns that stay, in order, together within ``room`` tokens; the last one always does if it can.

    What is too long for the room is cut; no turn is ever split.
    """
    kept: list[Exchange] = []
    # The last turn, then those that are worth most; of a fixed window no more than its low mark
    turns = turns[-LOOKED_AT:]
    worth = _worths(turns, question)[settings.kind]
    ranked = [*turns[-1:], *sorted(turns[:-1], key=worth, reverse=True)]
    few = math.ceil(settings.turns * settings.low / settings.high)
    for turn in ranked[:few] if settings.kind == "fixed" else ranked:
        fitting = _fitting(turn, room, counter, first=not kept)
        if fitting is not None:
            kept.append(fitting)
            room -= fitting.tokens(counter)
    return tuple(sorted(kept, key=lambda turn: turn.place))


def _fitting(turn: Exchange, room: int, counter: Counter, *, first: bool) -> Exchange | None:
    """The turn, cut where it would take too much; None: too little of it would be left."""
    most = room if first else int(room * LARGEST)
    if turn.tokens(counter) <= most:
        return turn
    return shortened(turn, most, counter) if most >= LEAST or first else None


def _worths(turns: Sequence[Exchange], question: str) -> Mapping[WindowKind, Worth]:
    """How much a turn is worth keeping, for each kind of window."""
    asked, weights = terms(question), told()["worth"]
    newest = turns[-1].place if turns else 0

    def importance(turn: Exchange) -> float:
        shared = len(asked & terms(turn.text)) / len(asked) if asked else 0.0
        return float(
            weights["decision"] * decided(turn.text)
            + weights["telling"] * telling(turn.said)
            + weights["topic"] * shared
        )

    def recency(turn: Exchange) -> float:
        return float(0.5 ** ((newest - turn.place) / weights["fades"]))

    return {
        "fixed": lambda turn: turn.place,
        "importance": importance,
        "mixed": lambda turn: importance(turn) + weights["recent"] * recency(turn),
    }
