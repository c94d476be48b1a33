"""A plan: what each instruction of a sentence was, what was found for it, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from winnow.decide.outcome import DecisionContext, InstructionOutcome, PlannedCall
from winnow.types.candidate import HomeShortlist
from winnow.types.query import QueryIR
from winnow.types.verdict import Refusal


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One instruction, in the order of the sentence; of an order not to act the outcome is empty."""

    query: QueryIR
    shortlist: HomeShortlist = field(default_factory=HomeShortlist)
    outcome: InstructionOutcome = field(default_factory=InstructionOutcome)

    @property
    def device_ids(self) -> frozenset[str]:
        """Who gets a call."""
        return frozenset(d.call.device_id for d in self.outcome.calls)

    @property
    def excluded_ids(self) -> frozenset[str]:
        """Ids of what its exceptions take away, wherever it stands."""
        return frozenset(d.id for d in self.shortlist.dropped if d.stage == "exclude")


Plan = Sequence[PlanStep]


@dataclass(frozen=True, slots=True)
class PlanFlaw:
    """What is wrong with a plan, and how it is told.

    ``struck_calls`` are the deeds that are not done for it; where there are none, nothing of the sentence is
    done.
    """

    refusal: Refusal
    struck_calls: tuple[PlannedCall, ...] = ()


PlanCheck = Callable[[Plan, DecisionContext], Iterable[PlanFlaw]]
"""One thing that every plan must keep. It looks at no words, only at what was read, found and planned."""


def planned_calls(plan: Plan) -> tuple[PlannedCall, ...]:
    """Everything that would be done, in order."""
    return tuple(d for step in plan for d in step.outcome.calls)


def mend_plan(plan: Plan, flaw: PlanFlaw) -> tuple[PlanStep, ...]:
    """The plan without what has the flaw, which is told."""
    if not flaw.struck_calls:
        first, *rest = plan
        came = first.outcome
        spoilt = replace(
            first, outcome=replace(came, refused=(*came.refused, flaw.refusal), blocks_sentence=True)
        )
        return (spoilt, *rest)
    out = []
    for step in plan:
        came = step.outcome
        kept = tuple(d for d in came.calls if d not in flaw.struck_calls)
        if len(kept) < len(came.calls):
            came = replace(came, calls=kept, refused=(*came.refused, flaw.refusal))
        out.append(replace(step, outcome=came))
    return tuple(out)
