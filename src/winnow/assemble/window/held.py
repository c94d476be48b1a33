"""What stayed of a dialogue since the turn before, and what is new."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.assemble.window.exchanges import Exchange, shortened
from winnow.text.tokens import Counter
from winnow.types.context import Held

UNFINISHED = 2
"""Turns at the end that may be others now: one that went on with a tool, one that was said anew."""


def continued(turns: Sequence[Exchange], held: Held, counter: Counter) -> tuple[Exchange, ...] | None:
    """The turns the window held, as they stood, and all that came after them; None: it is another dialogue.

    A host may hand in only the end of a dialogue; what was held and is not there any more is gone.
    """
    if not held.kept:
        return None if held.count else tuple(turns)
    for later in range(min(UNFINISHED, len(held.kept))):
        known = held.kept[: len(held.kept) - later]
        last = _place(turns, known[-1][0], held.count - 1 - later)
        if last is not None:
            kept = _found(turns[: last + 1], known, counter)
            return None if kept is None else (*kept, *turns[last + 1 :])
    return None


def _place(turns: Sequence[Exchange], key: str, expected: int) -> int | None:
    """Where a turn of the window stands now: where it stood, else where it is seen last."""
    if 0 <= expected < len(turns) and turns[expected].key == key:
        return expected
    return next((n for n in range(len(turns) - 1, -1, -1) if turns[n].key == key), None)


def _found(
    turns: Sequence[Exchange], kept: Sequence[tuple[str, int]], counter: Counter
) -> list[Exchange] | None:
    """The turns of these digests, in order; those that are gone from the beginning are left out."""
    found: list[Exchange] = []
    waiting = list(kept)
    for turn in reversed(turns):
        if waiting and turn.key == waiting[-1][0]:
            limit = waiting.pop()[1]
            as_it_stood = shortened(turn, limit, counter) if limit else turn
            if as_it_stood is None:
                return None
            found.append(as_it_stood)
    return found[::-1]
