"""Of the things a set names, those of which what was said holds: ``the lights that are on``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from winnow.decide.conditions import judged
from winnow.decide.score import Scored
from winnow.decide.situation import Situation
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import Condition, Mention
from winnow.types.verdict import Judged


@dataclass(frozen=True, slots=True)
class Held:
    """Members by what was said of them."""

    rows: tuple[Scored, ...]
    """Those it holds for."""
    told: tuple[Judged, ...]
    """What was read of them, one for each thing that was said."""
    unknown: tuple[str, ...] = ()
    """Ids of those of whom nothing tells."""


def holding(
    rows: Sequence[Scored],
    where: Sequence[Condition],
    candidates: Sequence[DeviceCandidate],
    situation: Situation,
) -> Held:
    """The members that are as was said; that none is so is told as a condition that does not hold."""
    kept, unknown, told = list(rows), list[str](), []
    for condition in where:
        each = {row.device.id: _of(row, condition, candidates, situation) for row in kept}
        unknown += [i for i, known in each.items() if known.holds is None]
        kept = [row for row in kept if each[row.device.id].holds]
        reads = tuple(read for known in each.values() for read in known.reads)
        told.append(Judged(condition.text, reads, _any(kept, unknown)))
    return Held(tuple(kept), tuple(told), tuple(dict.fromkeys(unknown)))


def _any(kept: Sequence[Scored], unknown: Sequence[str]) -> bool | None:
    """Whether it holds for any; None when it holds for none and of some nothing is known."""
    return bool(kept) if kept or not unknown else None


def _of(
    row: Scored, condition: Condition, candidates: Sequence[DeviceCandidate], situation: Situation
) -> Judged:
    """Whether a thing itself is as was said."""
    if not condition.decidable:
        return Judged(condition.text, (), None)
    own = [replace(c, score=1.0) for c in candidates if c.device_id == row.device.id][:1]
    return judged(replace(condition, mention=Mention()), own, situation.view, situation.snapshot)
