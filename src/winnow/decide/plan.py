"""A plan: what each instruction of a sentence was, what was found for it, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from winnow.decide.outcome import Deed, Outcome, Situation
from winnow.types.candidate import HomeShortlist
from winnow.types.query import QueryIR
from winnow.types.verdict import Refusal


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction, in the order of the sentence; of an order not to act the outcome is empty."""

    query: QueryIR
    shortlist: HomeShortlist = field(default_factory=HomeShortlist)
    outcome: Outcome = field(default_factory=Outcome)

    @property
    def device_ids(self) -> frozenset[str]:
        """Who gets a call."""
        return frozenset(d.call.device_id for d in self.outcome.deeds)

    @property
    def left_out(self) -> frozenset[str]:
        """Ids of what its exceptions take away, wherever it stands."""
        return frozenset(d.id for d in self.shortlist.dropped if d.stage == "exclude")


Plan = Sequence[Step]


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a plan, and how it is told.

    ``struck`` are the deeds that are not done for it; where there are none, nothing of the sentence is done.
    """

    refusal: Refusal
    struck: tuple[Deed, ...] = ()


Check = Callable[[Plan, Situation], Iterable[Flaw]]
"""One thing that every plan must keep. It looks at no words, only at what was read, found and planned."""


def deeds_of(plan: Plan) -> tuple[Deed, ...]:
    """Everything that would be done, in order."""
    return tuple(d for step in plan for d in step.outcome.deeds)


def mended(plan: Plan, flaw: Flaw) -> tuple[Step, ...]:
    """The plan without what has the flaw, which is told."""
    if not flaw.struck:
        first, *rest = plan
        came = first.outcome
        spoilt = replace(first, outcome=replace(came, refused=(*came.refused, flaw.refusal), spoilt=True))
        return (spoilt, *rest)
    out = []
    for step in plan:
        came = step.outcome
        kept = tuple(d for d in came.deeds if d not in flaw.struck)
        if len(kept) < len(came.deeds):
            came = replace(came, deeds=kept, refused=(*came.refused, flaw.refusal))
        out.append(replace(step, outcome=came))
    return tuple(out)
