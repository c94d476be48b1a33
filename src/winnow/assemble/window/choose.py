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
LOOKED_AT = 60
"""Turns, counted from the last one, that may stay: older ones are looked up."""

Worth = Callable[[Exchange], float]


def chosen(
    turns: Sequence[Exchange], question: str, room: int, settings: WindowSettings, counter: Counter
) -> tuple[Exchange, ...]:
    """The turns that stay, in order, together within ``room`` tokens; the last one always does if it can.

    What is too long for the room is cut; no turn is ever split.
    """
    near = turns[-LOOKED_AT:]
    worth = _worths(near, question)[settings.kind]
    most = math.ceil(settings.turns * settings.low / settings.high) if settings.kind == "fixed" else len(near)
    kept: list[Exchange] = []
    for turn in (*near[-1:], *sorted(near[:-1], key=worth, reverse=True)):
        fitting = _fitting(turn, int(room * (1 if not kept else LARGEST)), counter)
        if len(kept) < most and fitting is not None and fitting.tokens(counter) <= room:
            kept.append(fitting)
            room -= fitting.tokens(counter)
        elif settings.kind == "fixed":
            break
    return tuple(sorted(kept, key=lambda turn: turn.place))


def _fitting(turn: Exchange, most: int, counter: Counter) -> Exchange | None:
    """The turn, cut where it would be more than ``most``; None: it cannot be cut so far."""
    return turn if turn.tokens(counter) <= most else shortened(turn, most, counter)


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
