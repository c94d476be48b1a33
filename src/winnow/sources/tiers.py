"""Private sources first; the public one only where they do not suffice (seed 004, section 1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from winnow.errors import Phrase
from winnow.sources.gate import ASKED, IF_NEEDED, SPARED
from winnow.types.knowledge import KnowledgeSettings, Sufficiency
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist, Step

Ask = Callable[[str, Search], Awaitable[Shortlist]]
"""What the source of that name offers."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the sources offer that were asked, in the order they were asked, and why each was."""

    found: tuple[Shortlist, ...] = ()
    gate: tuple[Step, ...] = ()
    sufficiency: Sufficiency | None = None
    """None: nothing private was asked, so nothing was judged."""


async def gathered(
    search: Search, gate: Sequence[Step], ask: Ask, settings: KnowledgeSettings | None = None
) -> Gathered:
    """What the sources offer that the gate lets through, those of last resort only where they are needed.

    Raises what a source raises.
    """
    limits = settings or KnowledgeSettings()
    found = [await ask(step.what, search) for step in gate if step.chosen == ASKED]
    judged = _judged(found, limits) if found else None
    steps = tuple(_resolved(step, judged) if step.chosen == IF_NEEDED else step for step in gate)
    late = [new.what for new, old in zip(steps, gate, strict=True) if new.chosen == ASKED != old.chosen]
    return Gathered((*found, *[await ask(name, search) for name in late]), steps, judged)


def _judged(found: Sequence[Shortlist], limits: KnowledgeSettings) -> Sufficiency:
    """Whether there is enough, by the number of what was found."""
    results = sum(len(shortlist.candidates) for shortlist in found)
    enough = results >= limits.enough_results
    told = Phrase("{count} private results, {least} are enough", count=results, least=limits.enough_results)
    return Sufficiency(enough, results, 0.0, 0.0, told)


def _resolved(step: Step, judged: Sufficiency | None) -> Step:
    """A source of last resort, asked or not."""
    if judged is None:
        return replace(step, chosen=ASKED, reason="there is nothing private to be searched")
    return replace(step, chosen=SPARED if judged.enough else ASKED, reason=judged.reason)
