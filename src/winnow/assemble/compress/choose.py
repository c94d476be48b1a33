"""Which pieces are kept within a number of tokens: the likeliest for their size, with their sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from winnow.assemble.compress.joined import GAP, joined
from winnow.assemble.compress.units import Units
from winnow.language.segment import segment
from winnow.language.sentences import is_han

Floats = npt.NDArray[np.float32]
Count = Callable[[str], int]
SHARE = 0.4
"""A whole sentence is taken for its best piece where it costs at most this share of what is left."""
LENGTH = 0.5
"""How much a long piece is held against it: the exponent of its tokens."""

@dataclass(slots=True)
class Draft:
    """What is kept so far."""

    units: Units
    count: Count
    budget: int
    costs: Sequence[int]
    """Tokens of each unit by itself."""
    mark: int
    """Tokens of the mark of a gap."""
    taken: dict[int, str] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    """The pieces taken, in that order."""

    @property
    def texts(self) -> dict[int, str]:
        """Number of an item -> what is kept of it."""
        return joined(self.units, self.taken)

    @property
    def left(self) -> int:
        """Tokens that are still free, as counted with all that is kept written out."""
        return self.budget - self.count("\n".join(self.texts.values()))

    def take(self, numbers: Iterable[int]) -> None:
        """Keep these pieces whole, those known already as they are."""
        for number in numbers:
            if number not in self.taken:
                self.taken[number] = self.units.all[number].text
                self.order.append(number)

    def take_if_it_fits(self, numbers: Sequence[int], spare: int = 0) -> bool:
        """Keep all of these pieces whole, or none; ``spare`` tokens stay free."""
        before = len(self.order)
        self.take(numbers)
        if self.left >= spare:
            return True
        for number in self.order[before:]:
            del self.taken[number]
        del self.order[before:]
        return False

    def with_heads(self, numbers: Sequence[int]) -> list[int]:
        """Those of the pieces that are not kept yet, behind what they say nothing without."""
        heads = [head for n in numbers if (head := self.units.all[n].head) is not None]
        return [number for number in dict.fromkeys((*heads, *numbers)) if number not in self.taken]

    def cost(self, numbers: Iterable[int]) -> int:
        """What these pieces cost, at most."""
        return sum(self.costs[number] for number in numbers)


def draft(units: Units, count: Count, budget: int) -> Draft:
    """Nothing yet."""
    return Draft(units, count, budget, [count(unit.text.strip()) for unit in units.all], count(GAP))


def ranked(scores: Floats, costs: Sequence[int]) -> list[int]:
    """Units, best first: what they promise for what they cost."""
    worth = scores - LENGTH * np.log(np.maximum(np.array(costs, np.float32), 1))
    return [int(number) for number in np.argsort(-worth, kind="stable")]


def fill(found: Draft, order: Sequence[int], budget: int | None = None) -> None:
    """Take the best pieces as long as some fit; ``budget``: what they may cost, where that is not all."""
    spare = 0 if budget is None else max(0, found.left - budget)
    left = found.left - spare
    for number in order:
        if number in found.taken or found.costs[number] > left:
            continue
        chosen = _with_sentence(found, number, left)
        cost = found.cost(chosen)
        if cost + len(chosen) * found.mark <= left:
            found.take(chosen)
            left -= cost + len(chosen) * found.mark
        elif _fits(found, chosen, number, spare):
            left = found.left - spare


def _with_sentence(found: Draft, number: int, left: int) -> list[int]:
    """A piece and what belongs to it: its sentence, where that is cheap."""
    sentence = found.with_heads(found.units.of_sentence(number))
    return sentence if found.cost(sentence) <= SHARE * left else found.with_heads([number])


def _fits(found: Draft, chosen: Sequence[int], number: int, spare: int) -> bool:
    """Keep the pieces, or this one alone, where they fit with all that is kept written out."""
    return found.take_if_it_fits(chosen, spare) or found.take_if_it_fits(found.with_heads([number]), spare)


def complete(found: Draft) -> None:
    """Complete every sentence that was torn and has room, in the order they were taken."""
    for number in list(found.order):
        missing = [at for at in found.units.of_sentence(number) if at not in found.taken]
        if missing and found.left > 0:
            found.take_if_it_fits(missing)


def explain(found: Draft) -> None:
    """Keep the headings over what is kept, where there is room."""
    for number in list(found.order):
        heading = found.units.all[number].under
        if heading is not None and heading not in found.taken:
            found.take_if_it_fits([heading])


def begin(found: Draft, order: Sequence[int]) -> None:
    """Keep the beginning of the next best piece, as far as it fits; never half a word."""
    open_ = (n for n in order if n not in found.taken and found.units.all[n].prose)
    best = next(open_, None)
    if best is None or found.left <= 0 or found.with_heads([best]) != [best]:
        return
    words = _words(found.units.all[best].text.strip())
    most = _most(found, best, words)
    if most:
        found.taken[best] = _start(words, most)
    else:
        found.taken.pop(best, None)


def _most(found: Draft, unit: int, words: Sequence[str]) -> int:
    """How many words of a piece fit, but not all of them."""
    low, high = 0, len(words) - 1
    while low < high:
        middle = (low + high + 1) // 2
        found.taken[unit] = _start(words, middle)
        low, high = (middle, high) if found.left >= 0 else (low, middle - 1)
    return low


def _start(words: Sequence[str], number: int) -> str:
    return "".join(words[:number]).rstrip()


def _words(text: str) -> list[str]:
    if any(map(is_han, text)):
        return [word.text for word in segment(text)]
    return [f"{word} " for word in text.split(" ")]
