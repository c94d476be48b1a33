"""How the shares of a budget move with what a turn is like (seed 004, 2.1). The rules are data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from winnow.assemble.parts import Parts
from winnow.assemble.shares import PARTS, ContextBudget
from winnow.assemble.window.exchanges import Exchange
from winnow.errors import Phrase
from winnow.text.tables import table
from winnow.types.context import Part
from winnow.types.shortlist import Step

SHARES = "shares"
Signals = Mapping[str, float]
Rule = Mapping[str, Any]


def signals(parts: Parts, turns: Sequence[Exchange]) -> Signals:
    """What the rules may ask for: how long and complex the dialogue is, what was found, what is preferred."""
    scores = [c.score for shortlist in parts.found for c in shortlist.candidates]
    calls = sum(any(one.get("tool_calls") for one in turn.messages) for turn in turns)
    return {
        "turns": len(turns),
        "tools": calls / len(turns) if turns else 0.0,
        "found": len(scores),
        "relevance": max(scores, default=0.0),
        "prefers_history": float(parts.prefer == "history"),
        "prefers_knowledge": float(parts.prefer == "knowledge"),
    }


def allotted(budget: ContextBudget, known: Signals) -> tuple[Step, ...]:
    """Move the shares of the budget as the rules say; each move with its reason."""
    steps = []
    for rule in _rules("move", known):
        giver, taker = cast("Part", rule["from"]), cast("Part", rule["to"])
        tokens = min(int(budget.total * rule["part"]), budget.allocation(giver))
        moved(budget, giver, taker, tokens)
        steps.append(share_step(giver, taker, tokens, rule["reason"]))
    return tuple(steps)


def lent(budget: ContextBudget, known: Signals) -> tuple[Step, ...]:
    """Let this turn's data have what another share does not use; each loan with its reason."""
    steps = []
    for rule in _rules("lend", known):
        giver = cast("Part", rule["from"])
        use = budget.usage()[giver]
        tokens = int((use.total - use.used) * rule["part"])
        if tokens > 0:
            moved(budget, giver, "knowledge", tokens)
            steps.append(share_step(giver, "knowledge", tokens, rule["reason"]))
    return tuple(steps)


def claimed(budget: ContextBudget, taker: Part, tokens: int, least: Mapping[Part, int]) -> tuple[Step, ...]:
    """Let a share have at least so many tokens, or all that others can give; each loan with its reason.

    ``least``: tokens that shares keep in any case.
    """
    own = {giver: budget.allocation(giver) for giver in PARTS}
    free = budget.total - sum(own.values())
    budget.reallocate({taker: max(own[taker], min(tokens, own[taker] + free))})
    steps = []
    for rule in table("winnow.assemble", "allotment.yaml")["yield"]:
        giver = cast("Part", rule["from"])
        more = tokens - budget.allocation(taker)
        stays = max(least.get(giver, 0), int(rule["keeps"] * own[giver]), budget.usage()[giver].used)
        given = min(more, budget.allocation(giver) - stays)
        if giver != taker and given > 0:
            moved(budget, giver, taker, given)
            steps.append(share_step(giver, taker, given, rule["reason"][taker]))
    return tuple(steps)


def moved(budget: ContextBudget, giver: Part, taker: Part, tokens: int) -> None:
    """Give tokens of one share to another. Raises OverBudget where the giver uses them."""
    left, more = budget.allocation(giver) - tokens, budget.allocation(taker) + tokens
    budget.reallocate({giver: left, taker: more})


def share_step(giver: Part, taker: Part, tokens: int, reason: str) -> Step:
    """What one share gave to another, and why."""
    told: str = Phrase("{count} tokens from {giver} to {taker}", count=tokens, giver=giver, taker=taker)
    return Step(SHARES, told, reason)


def _rules(kind: str, known: Signals) -> list[Rule]:
    """The rules of that kind whose signals all reach what they ask for."""
    rules: Sequence[Rule] = table("winnow.assemble", "allotment.yaml")[kind]
    return [rule for rule in rules if all(known[name] >= least for name, least in rule["when"].items())]
