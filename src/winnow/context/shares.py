"""The shares of a token budget, what each holds, and how they move with the turn (seed 004, section 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, cast, get_args

from winnow.context.parts import ContextParts
from winnow.context.window import Exchange, things_asked
from winnow.errors import OverBudget, Phrase
from winnow.language.tables import table
from winnow.language.tokens import Counter, counter
from winnow.types.candidate import Step
from winnow.types.context import Part, Use

DEFAULT_TOTAL = 4000
"""Tokens of a context, where nobody says otherwise."""
DEFAULT_SHARES: Mapping[Part, float] = {"history": 0.30, "knowledge": 0.50, "system": 0.15, "reserve": 0.05}
"""Which part of the total is whose."""
NEARLY_FULL = 0.85
"""A share that holds more than this part of its tokens is warned of."""
BUDGET_PARTS: tuple[Part, ...] = get_args(Part)


class ContextBudget:
    """Tokens of one context, divided among its parts.

    ``shares``: parts of the whole, 0..1, together at most 1; what is not named gets nothing, and a sum of 1
    leaves what rounding down loses to ``reserve``. ``counted_by``: a counter or its name, which counts the
    texts that come without a number (default: the exact one that is installed, else the estimate).
    Each method is one step for all threads: together they never add more than a share holds.
    """

    def __init__(
        self,
        total: int = DEFAULT_TOTAL,
        shares: Mapping[Part, float] = DEFAULT_SHARES,
        counted_by: Counter | str = "",
    ) -> None:
        self.total = total
        self.counter = counter(counted_by) if isinstance(counted_by, str) else counted_by
        self._lock = Lock()
        if total < 1:
            told: str = Phrase("A context of {total} tokens holds nothing.", total=total)
            raise OverBudget(told, hint="Give it 1 token or more.")
        # All shares together
        whole = math.fsum(shares.values())
        if whole > 1 + 1e-9 or min(shares.values(), default=0) < 0:
            raise OverBudget(
                Phrase("The shares add up to {sum}, not to 1 or less.", sum=f"{whole:g}"),
                hint="Shares are parts of the whole: 0.3 is 30 in a hundred. None may be below 0.",
            )
        given = dict.fromkeys(BUDGET_PARTS, 0)
        for part, share in shares.items():
            given[_checked_part(part)] = math.floor(total * share + 1e-9)
        if whole > 1 - 1e-9:
            given["reserve"] += total - sum(given.values())
        self._allocations = given
        self._used = dict.fromkeys(BUDGET_PARTS, 0)

    def can_add(self, part: Part, tokens: int) -> bool:
        """Whether so many tokens still fit into the share."""
        with self._lock:
            return self._fits(part, tokens)

    def add(self, part: Part, content: str, tokens: int | None = None) -> bool:
        """Count the content, or so many tokens, into the share; False: it does not fit, nothing changed."""
        more = self.counter.count(content) if tokens is None else tokens
        with self._lock:
            fits = self._fits(part, more)
            self._used[part] += more if fits else 0
            return fits

    def release(self, part: Part, tokens: int) -> None:
        """Give back tokens that were added; a share never holds less than nothing."""
        with self._lock:
            self._used[part] = max(0, self._used[_checked_part(part)] - tokens)

    def reallocate(self, tokens: Mapping[Part, int]) -> None:
        """Give these parts so many tokens each; the others keep theirs.

        Raises OverBudget where all together are more than the total, or a part less than it holds already;
        then nothing changed.
        """
        with self._lock:
            given = {**self._allocations, **{_checked_part(part): count for part, count in tokens.items()}}
            if (whole := sum(given.values())) > self.total:
                most = max(given, key=lambda part: given[part])
                template = "The shares would have {sum} tokens together, and the context has {total}."
                too_many: str = Phrase(template, sum=whole, total=self.total)
                template = "Take {count} from another share, such as {part}."
                raise OverBudget(too_many, hint=Phrase(template, count=whole - self.total, part=most))
            for part, count in given.items():
                if count < (used := self._used[part]):
                    template = "The share {part} cannot shrink to {count} tokens: it holds {used}."
                    too_few: str = Phrase(template, part=part, count=count, used=used)
                    raise OverBudget(too_few, hint="Release what it holds first, or give it more.")
            self._allocations = given

    def allocation(self, part: Part) -> int:
        """Tokens of the share, used or not."""
        return self._allocations[_checked_part(part)]

    def usage(self) -> Mapping[Part, Use]:
        """What each share holds, all at the same moment."""
        with self._lock:
            return {part: Use(self._used[part], self._allocations[part]) for part in BUDGET_PARTS}

    def remaining(self) -> int:
        """Tokens that nothing holds yet, of all shares together and of what no share was given."""
        with self._lock:
            return self.total - sum(self._used.values())

    def warnings(self) -> tuple[str, ...]:
        """One sentence for each share that is fuller than 85 in a hundred."""
        return tuple(
            Phrase("{part} holds {used} of its {total} tokens", part=part, used=use.used, total=use.total)
            for part, use in self.usage().items()
            if use.used > NEARLY_FULL * use.total
        )

    def empty_copy(self) -> ContextBudget:
        """A budget with the same shares that holds nothing yet."""
        fresh = ContextBudget(self.total, {}, self.counter)
        fresh._allocations = dict(self._allocations)  # another of the same class
        return fresh

    def _fits(self, part: Part, tokens: int) -> bool:
        if tokens < 0:
            raise ValueError("tokens must be 0 or more")
        return self._used[_checked_part(part)] + tokens <= self._allocations[part]


def _checked_part(part: Part) -> Part:
    """The part, where it is one. Raises OverBudget."""
    if part not in BUDGET_PARTS:
        told: str = Phrase("A context has no share {part!r}.", part=part)
        raise OverBudget(told, hint=Phrase("It has {parts}.", parts=BUDGET_PARTS))
    return part


# How the shares of a budget move with what a turn is like (seed 004, 2.1). The rules are data.

STEP_SHARES = "shares"
Signals = Mapping[str, float]
Rule = Mapping[str, Any]


def share_signals(parts: ContextParts, turns: Sequence[Exchange]) -> Signals:
    """What the rules may ask for: of the dialogue, the question, what was found, and what is preferred."""
    scores = [c.score for shortlist in parts.found for c in shortlist.candidates]
    calls = sum(any(one.get("tool_calls") for one in turn.messages) for turn in turns)
    return {
        "turns": len(turns),
        "tools": calls / len(turns) if turns else 0.0,
        "asks": things_asked(parts.question),
        "found": len(scores),
        "sources": sum(bool(shortlist.candidates) for shortlist in parts.found),
        "relevance": max(scores, default=0.0),
        "prefers_history": float(parts.prefer == "history"),
        "prefers_knowledge": float(parts.prefer == "knowledge"),
    }


def move_shares(budget: ContextBudget, known: Signals) -> tuple[Step, ...]:
    """Move the shares of the budget as the rules say; each move with its reason."""
    steps = []
    for rule in _matching_rules("move", known):
        giver, taker = cast("Part", rule["from"]), cast("Part", rule["to"])
        tokens = min(int(budget.total * rule["part"]), budget.allocation(giver))
        move_tokens(budget, giver, taker, tokens)
        steps.append(share_step(giver, taker, tokens, rule["reason"]))
    return tuple(steps)


def lend_unused(budget: ContextBudget, known: Signals) -> tuple[Step, ...]:
    """Let this turn's data have what another share does not use; each loan with its reason."""
    steps = []
    for rule in _matching_rules("lend", known):
        giver = cast("Part", rule["from"])
        use = budget.usage()[giver]
        tokens = int((use.total - use.used) * rule["part"])
        if tokens > 0:
            move_tokens(budget, giver, "knowledge", tokens)
            steps.append(share_step(giver, "knowledge", tokens, rule["reason"]))
    return tuple(steps)


def claim_tokens(
    budget: ContextBudget, taker: Part, tokens: int, least: Mapping[Part, int]
) -> tuple[Step, ...]:
    """Let a share have at least so many tokens, or all that others can give; each loan with its reason.

    ``least``: tokens that shares keep in any case.
    """
    if tokens <= budget.allocation(taker):
        return ()  # as in most turns: what every share holds need not be counted
    own = {giver: budget.allocation(giver) for giver in BUDGET_PARTS}
    free = budget.total - sum(own.values())
    budget.reallocate({taker: min(tokens, own[taker] + free)})
    steps = []
    for rule in table("winnow.context", "data/share_rules.yaml")["yield"]:
        giver = cast("Part", rule["from"])
        if giver == taker:
            continue
        more = tokens - budget.allocation(taker)
        stays = max(least.get(giver, 0), int(rule["keeps"] * own[giver]), budget.usage()[giver].used)
        given = min(more, budget.allocation(giver) - stays)
        if given > 0:
            move_tokens(budget, giver, taker, given)
            steps.append(share_step(giver, taker, given, rule["reason"][taker]))
    return tuple(steps)


def move_tokens(budget: ContextBudget, giver: Part, taker: Part, tokens: int) -> None:
    """Give tokens of one share to another. Raises OverBudget where the giver uses them."""
    left, more = budget.allocation(giver) - tokens, budget.allocation(taker) + tokens
    budget.reallocate({giver: left, taker: more})


def share_step(giver: Part, taker: Part, tokens: int, reason: str) -> Step:
    """What one share gave to another, and why."""
    told: str = Phrase("{count} tokens from {giver} to {taker}", count=tokens, giver=giver, taker=taker)
    return Step(STEP_SHARES, told, reason)


def _matching_rules(kind: str, known: Signals) -> list[Rule]:
    """The rules of that kind whose signals all reach what they ask for."""
    rules: Sequence[Rule] = table("winnow.context", "data/share_rules.yaml")[kind]
    return [rule for rule in rules if all(known[name] >= least for name, least in rule["when"].items())]
