"""Private sources first; the public one only where they do not suffice (seed 004, section 1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.bridge import aside
from winnow.recall.sufficiency import sufficiency, weights_of
from winnow.sources.conflicting import reconciled
from winnow.sources.gate import ASKED, IF_NEEDED, SPARED
from winnow.sources.merged import merged
from winnow.types.knowledge import KnowledgeSettings, Sufficiency
from winnow.types.search import Search
from winnow.types.shortlist import Shortlist, Step

Ask = Callable[[str, Search], Awaitable[Shortlist]]
"""What the source of that name offers."""
Reach = Callable[[Mapping[str, float]], Awaitable[float | None]]
"""How much better private documents match a question of these terms than public ones, told by their indexes
alone; None where that cannot be told without a search."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the sources offer that were asked, in the order they were asked, and why each was."""

    found: tuple[Shortlist, ...] = ()
    gate: tuple[Step, ...] = ()
    sufficiency: Sufficiency | None = None
    """None: nothing private was asked, so nothing was judged."""


async def gathered(
    search: Search,
    gate: Sequence[Step],
    ask: Ask,
    settings: KnowledgeSettings | None = None,
    reach: Reach | None = None,
) -> Gathered:
    """What the sources offer that the gate lets through, those of last resort only where they are needed.

    Raises what a source raises.
    """
    limits = settings or KnowledgeSettings()
    found = await _offered(search, _of(gate, ASKED), ask)
    last = _of(gate, IF_NEEDED)
    judged = await _judged(search, found, limits, reach if last else None)
    spared = judged is not None and judged.enough
    public = [] if spared else await _offered(search, last, ask)
    steps = tuple(_resolved(step, judged) if step in last else step for step in gate)
    return Gathered(
        await aside(lambda: reconciled(search, merged(search, found, public, limits))), steps, judged
    )


def _of(gate: Sequence[Step], chosen: str) -> list[Step]:
    return [step for step in gate if step.chosen == chosen]


async def _offered(search: Search, asked: Sequence[Step], ask: Ask) -> list[Shortlist]:
    return [await ask(step.what, search) for step in asked]


async def _judged(
    search: Search, found: Sequence[Shortlist], limits: KnowledgeSettings, reach: Reach | None
) -> Sufficiency | None:
    """Whether what is private suffices, by what it holds and by how far the public index would reach."""
    if not found:
        return None
    weights = weights_of(found)
    beside = await reach(weights) if reach and limits.glance and weights else None
    return await aside(lambda: sufficiency(search, found, limits, beside))


def _resolved(step: Step, judged: Sufficiency | None) -> Step:
    """A source of last resort, asked or not."""
    if judged is None:
        return replace(step, chosen=ASKED, reason="there is nothing private to be searched")
    return replace(step, chosen=SPARED if judged.enough else ASKED, reason=judged.reason)
