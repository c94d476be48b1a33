"""Hostile and broken sentences: none ends in a traceback, and what holds no order is never acted upon.

``python -m tests.hostile --count 50000`` says them to the example homes and reports what came of them, and
which took longest to understand. The same seed makes the same sentences.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from time import perf_counter

from benchmarks.hostile import CONTROL, EMOJI, KINDS, SCRIPTS, SYMBOLS, forbidden, names_of
from tests.homes import engine, home
from tests.scenarios.transform.judge import orders

from winnow.language import lexicon
from winnow.language.gazetteer import GazetteerEntry
from winnow.types.retrieval import Retrieval

HOMES = ("home40", "home150", "cottage", "townhouse-en", "apartment-zh", "smartthings-raw")
IDLE = (
    "type",
    "room",
    "zone",
    "quantifier",
    "conj",
    "except",
    "reference",
    "condition",
    "compare",
    "timing",
    "question",
    "address",
    "statement",
    "domain",
)
"""Sections whose words, however many, say of nothing what is to be done. A negation may: ``don't let``."""
DRESSED = {("except", "only"), ("question", "state")}
"""Orders without a verb: ``only the lamp``, ``lamp lit``."""
GAPS = (" ", " ", "", ", ", "，", "。", "... ", "\n", "\t", " - ")
SHOWN = 10
Make = Callable[[Random, Sequence[str]], str]


@cache
def words() -> tuple[str, ...]:
    """The words of the lexicon."""
    return tuple(entry.surface for entry in lexicon.entries())


@cache
def idle() -> tuple[str, ...]:
    """Those of no act and no value, which are no scene of a home either."""
    scenes = {scene.name.lower() for name in HOMES for scene in home(name).scenes}
    return tuple(e.surface for e in lexicon.entries() if _is_idle(e) and e.surface not in scenes)


def _is_idle(entry: GazetteerEntry) -> bool:
    also = entry.data.get("also")
    meant = {(entry.kind, entry.data["is"]), *(also.items() if isinstance(also, Mapping) else ())}
    return {section for section, _ in meant} <= set(IDLE) and not meant & DRESSED


def salad(rng: Random, names: Sequence[str]) -> str:
    """Words that name, ask, count or join, and names of the home, in no order: no verb, no value."""
    return _tossed(rng, [*rng.choices(idle(), k=8), *rng.choices(names, k=2)])


def medley(rng: Random, names: Sequence[str]) -> str:
    """Any words, verbs and numbers among them; some make an order by chance."""
    some = [*rng.choices(words(), k=8), *rng.choices(names, k=3), str(rng.randint(-5, 10**6))]
    return _tossed(rng, [*some, rng.choice(EMOJI), rng.choice(CONTROL)])


def cut(rng: Random, names: Sequence[str]) -> str:
    """An order that breaks off, or of which the beginning was not heard."""
    said = rng.choice(orders()).utterance.text
    at = rng.randint(0, len(said))
    return said[:at] if rng.random() < 0.7 else said[at:]


def spoilt(rng: Random, names: Sequence[str]) -> str:
    """An order with characters of other scripts, marks, pictures and control characters in it."""
    said = list(rng.choice(orders()).utterance.text)
    for _ in range(rng.randint(1, 6)):
        said.insert(rng.randint(0, len(said)), _odd(rng))
    return "".join(said)


def stuttered(rng: Random, names: Sequence[str]) -> str:
    """A piece of an order, many times over."""
    said = rng.choice(orders()).utterance.text
    at = rng.randint(0, len(said) - 1)
    piece = said[at : at + rng.randint(1, 12)]
    return said[:at] + (piece + rng.choice(("", " ", "，", ", "))) * rng.choice((2, 5, 40, 400)) + said[at:]


def _tossed(rng: Random, parts: list[str]) -> str:
    kept = rng.sample(parts, rng.randint(1, len(parts)))
    return "".join(part + rng.choice(GAPS) for part in kept)


def _odd(rng: Random) -> str:
    low, high = rng.choice(SCRIPTS)
    return rng.choice(
        (chr(rng.randint(low, high)), rng.choice(SYMBOLS), rng.choice(EMOJI), rng.choice(CONTROL))
    )


NOISE: Mapping[str, Make] = {**KINDS, "salad": salad}
"""What holds no order: nothing may be done about it, nor offered."""
BROKEN: Mapping[str, Make] = {"medley": medley, "cut": cut, "spoilt": spoilt, "stuttered": stuttered}
"""What may hold one: only answered it must be."""
WEIGHTS = {"endless": 1, "heaped": 4, "stuttered": 4, "salad": 40, "injected": 20}
"""How often a kind comes; 10 where nothing is said."""


@dataclass(slots=True)
class Report:
    """What came of so many sentences."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    raised: list[str] = field(default_factory=list)
    acted: list[str] = field(default_factory=list)
    longest: tuple[float, int, str] = (0.0, 0, "")
    """Milliseconds of one understanding, characters of its text, its kind."""
    slowest: tuple[float, int, str] = (0.0, 0, "")
    """The same of a whole turn: understood, looked for, decided and written down."""

    @property
    def failed(self) -> bool:
        """Whether any sentence raised, or acted without being an order."""
        return bool(self.raised or self.acted)


def run(count: int, seed: int, homes: Sequence[str] = HOMES) -> Report:
    """Say so many sentences to the homes in turn."""
    rng, report = Random(seed), Report()
    kinds = {**NOISE, **BROKEN}
    weights = [WEIGHTS.get(kind, 10) for kind in kinds]
    for number in range(count):
        name = homes[number % len(homes)]
        kind = rng.choices(list(kinds), weights)[0]
        _say(report, kind, kinds[kind](rng, _names(name)), name)
    return report


@cache
def _names(name: str) -> tuple[str, ...]:
    return names_of(home(name))


def _say(report: Report, kind: str, text: str, name: str) -> None:
    try:
        found, ms = _timed(text, name)
    except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
        report.raised.append(f"{kind} in {name}: {text[:160]!r}\n{traceback.format_exc(limit=-4)}")
        return
    if _understood(found) > report.longest[0] or ms > report.slowest[0]:
        _note_time(report, kind, text, name)
    report.outcomes[kind, type(found.verdict).__name__] += 1
    if kind in NOISE and forbidden(found.verdict):
        report.acted.append(f"{kind} in {name}: {text[:160]!r} -> {str(found.verdict)[:160]}")


def _note_time(report: Report, kind: str, text: str, name: str) -> None:
    """The quickest of three times, so that what else the machine did does not count."""
    again = [_timed(text, name) for _ in range(3)]
    report.longest = max(report.longest, (min(_understood(found) for found, _ in again), len(text), kind))
    report.slowest = max(report.slowest, (min(ms for _, ms in again), len(text), kind))


def _timed(text: str, name: str) -> tuple[Retrieval, float]:
    start = perf_counter()
    return engine(name).sync.retrieve(text), (perf_counter() - start) * 1000


def _understood(found: Retrieval) -> float:
    return sum(stage.ms for stage in found.stages if stage.name.startswith("understand"))


def main() -> int:
    """Run and print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--home", action="append", help="default: all that come along")
    given = parser.parse_args()
    start = perf_counter()
    report = run(given.count, given.seed, given.home or HOMES)
    for (kind, what), times in sorted(report.outcomes.items()):
        print(f"{kind:11} {what:8} {times:6}")
    for line in (*report.raised[:SHOWN], *report.acted[:SHOWN]):
        print(f"FAILED {line}", file=sys.stderr)
    raised, acted = len(report.raised), len(report.acted)
    print(f"{given.count} sentences, {raised} raised, {acted} acted, {perf_counter() - start:.0f} s")
    for what, (ms, size, kind) in (("understanding", report.longest), ("whole turn", report.slowest)):
        print(f"longest {what}: {ms:.1f} ms, {size} characters ({kind})")
    return int(report.failed)


if __name__ == "__main__":
    sys.exit(main())
