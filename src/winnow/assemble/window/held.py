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
        # The last turn of the window stands where it stood, else where it is seen last.
        expected = held.count - 1 - later
        order = [expected, *range(len(turns) - 1, -1, -1)]
        last = next((n for n in order if 0 <= n < len(turns) and turns[n].key == known[-1][0]), None)
        if last is not None:
            kept = _found(turns[: last + 1], known, counter)
            return None if kept is None else (*kept, *turns[last + 1 :])
    return None


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
