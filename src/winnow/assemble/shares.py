"""The shares of a budget of tokens, and what each of them holds (seed 004, section 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from threading import Lock
from typing import get_args

from winnow.errors import OverBudget, Phrase
from winnow.text.tokens import Counter, counter
from winnow.types.context import Part, Use

TOTAL = 4000
"""Tokens of a context, where nobody says otherwise."""
SHARES: Mapping[Part, float] = {"history": 0.30, "knowledge": 0.50, "system": 0.15, "reserve": 0.05}
"""Which part of the total is whose."""
NEARLY_FULL = 0.85
"""A share that holds more than this part of its tokens is warned of."""
PARTS: tuple[Part, ...] = get_args(Part)


class ContextBudget:
    """Tokens of one context, divided among its parts.

    ``shares``: parts of the whole, 0..1, together at most 1; what is not named gets nothing, and a sum of 1
    leaves what rounding down loses to ``reserve``. ``counted_by``: a counter or its name, which counts the
    texts that come without a number (default: the exact one that is installed, else the estimate).
    Each method is one step for all threads: together they never add more than a share holds.
    """

    def __init__(
        self,
        total: int = TOTAL,
        shares: Mapping[Part, float] = SHARES,
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
        given = dict.fromkeys(PARTS, 0)
        for part, share in shares.items():
            given[_known(part)] = math.floor(total * share + 1e-9)
        if whole > 1 - 1e-9:
            given["reserve"] += total - sum(given.values())
        self._given = given
        self._used = dict.fromkeys(PARTS, 0)

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
            self._used[part] = max(0, self._used[_known(part)] - tokens)

    def reallocate(self, tokens: Mapping[Part, int]) -> None:
        """Give these parts so many tokens each; the others keep theirs.

        Raises OverBudget where all together are more than the total, or a part less than it holds already;
        then nothing changed.
        """
        with self._lock:
            given = {**self._given, **{_known(part): count for part, count in tokens.items()}}
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
            self._given = given

    def allocation(self, part: Part) -> int:
        """Tokens of the share, used or not."""
        return self._given[_known(part)]

    def usage(self) -> Mapping[Part, Use]:
        """What each share holds, all at the same moment."""
        with self._lock:
            return {part: Use(self._used[part], self._given[part]) for part in PARTS}

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

    def emptied(self) -> ContextBudget:
        """A budget with the same shares that holds nothing yet."""
        fresh = ContextBudget(self.total, {}, self.counter)
        fresh._given = dict(self._given)  # another of the same class
        return fresh

    def _fits(self, part: Part, tokens: int) -> bool:
        if tokens < 0:
            raise ValueError("tokens must be 0 or more")
        return self._used[_known(part)] + tokens <= self._given[part]


def _known(part: Part) -> Part:
    """The part, where it is one. Raises OverBudget."""
    if part not in PARTS:
        told: str = Phrase("A context has no share {part!r}.", part=part)
        raise OverBudget(told, hint=Phrase("It has {parts}.", parts=PARTS))
    return part
