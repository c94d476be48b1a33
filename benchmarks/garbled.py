"""``python -m benchmarks.garbled``: orders of the scenario files, garbled more and more; what comes of them.

Each word (English) or character (Chinese) is hit with the chance of a rate, by one of these: it sounds like
another (``benchmarks.misheard``), is left out, is said twice, is typed wrongly (letters or characters that
change places), comes in another script (traditional characters, full-width letters). Numerals stay: another
number is another order, and nobody can tell.

Printed is a row for each language and rate: of a hundred orders that are right as written how many do exactly
that still, how many ask for exactly that, how many do something else. ``--kind`` takes one sort of error
alone; ``--show N`` prints wrong acts.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random

from tests.property.test_laws import full_width, traditional
from tests.scenarios.runner import Scenario

from benchmarks import places
from benchmarks.misheard import NUMERALS, is_right, judged, misheard, orders
from winnow.language.normalize import is_han
from winnow.language.registry import language_of

RATES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
ORDERS = 150
"""Of each language, drawn at random."""
_UNIT = re.compile(r"[a-zA-Z']+|[\u4e00-\u9fff]")
Garble = Callable[[str, Random], str]


def _sounding(unit: str, rng: Random) -> str:
    return misheard(unit, 1, rng) or unit


def _typed(unit: str, rng: Random) -> str:
    """Two letters that changed places, or one that is missing or twice there."""
    if len(unit) < 3:
        return unit
    at = rng.randrange(len(unit) - 1)
    ways = (unit[:at] + unit[at + 1] + unit[at] + unit[at + 2 :], unit[:at] + unit[at + 1 :])
    return rng.choice((*ways, unit[:at] + unit[at] + unit[at:]))


def _scripted(unit: str, rng: Random) -> str:
    return unit.translate(traditional()) if is_han(unit) else full_width(unit)


KINDS: Mapping[str, Garble] = {
    "sounds": _sounding,
    "dropped": lambda unit, rng: "",
    "doubled": lambda unit, rng: unit + (unit if is_han(unit) else f" {unit}"),
    "typed": _typed,
    "script": _scripted,
}


def garbled(text: str, rate: float, rng: Random, kinds: Sequence[str] = tuple(KINDS)) -> str:
    """The text, each of its words or characters hit with that chance by one of the kinds."""

    def one(found: re.Match[str]) -> str:
        unit = found[0]
        if rng.random() >= rate or unit in NUMERALS:
            return unit
        return KINDS[rng.choice(kinds)](unit, rng)

    return _UNIT.sub(one, text)


@cache
def chosen(language: str) -> tuple[Scenario, ...]:
    """Some orders of the language that are right as written."""
    every = [one for one in orders() if language_of(one.utterance.text) == language]
    Random(1).shuffle(every)
    found: list[Scenario] = []
    for one in every:
        if len(found) == ORDERS:
            break
        if is_right(one):
            found.append(one)
    return tuple(found)


def measured(language: str, rate: float, kinds: Sequence[str], show: int = 0) -> dict[str, float]:
    """Orders, and of a hundred how many are exact, asked and wrong."""
    tally: Counter[str] = Counter()
    for one in chosen(language):
        text = garbled(one.utterance.text, rate, Random(f"{rate} {one.id}"), kinds)
        came = judged(replace(one, utterance=replace(one.utterance, text=text)))
        tally[came] += 1
        if came == "wrong" and show:
            print(f"  {one.utterance.text} -> {text}")
            show -= 1
    names = {"exact": "done", "asked": "asked", "wrong": "wrong"}
    share = {name: round(100 * tally[came] / max(1, tally.total()), 1) for name, came in names.items()}
    return {"orders": tally.total(), **share}


def main() -> None:
    """Print, and keep where that is wanted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    kinds = [given.kind] if given.kind else list(KINDS)
    found: dict[str, dict[str, dict[str, float]]] = {}
    print(f"{'':4}{'rate':>7}" + "".join(f"{name:>9}" for name in ("orders", "exact", "asked", "wrong")))
    for language in ("en", "zh"):
        for rate in RATES:
            row = measured(language, rate, kinds, given.show)
            found.setdefault(language, {})[str(rate)] = row
            print(f"{language:4}{rate:7}" + "".join(f"{value:9}" for value in row.values()), flush=True)
    if not given.kind:
        places.keep("garbled", {"kinds": kinds, "orders": found})


if __name__ == "__main__":
    main()
