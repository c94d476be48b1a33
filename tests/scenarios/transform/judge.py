"""What becomes of each changed order: whether it acts, and whether it is still the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise
from random import Random
from zlib import crc32

from tests.homes import engine
from tests.scenarios.contacts import judged
from tests.scenarios.runner import DOING, HERE, Scenario, collected, read
from tests.scenarios.transform import transformations as change
from tests.scenarios.transform.frames import LANGUAGES, NEVER, SAME, Frame, grammar
from tests.scenarios.transform.orders import language_of, slots

from winnow.types.retrieval import Retrieval
from winnow.types.utterance import Utterance
from winnow.types.verdict import RISK_UNSURE_TARGET, Act, Clarify, Confirm, Verdict, named_calls

ANSWERS = "answers"
"""The kind of answers to a question for a yes."""
FUNCTIONS = {
    "unmarked": (change.unmarked,),
    "capitals": (change.shouted, change.titled, change.small),
}
"""Kind -> what is done to the whole sentence, which stays what it was."""
PAIRS = ("joined", "reordered")
"""Kinds of two orders."""

Done = tuple[type, frozenset[str]]
"""Whether it is done or offered, and the calls."""


_RIGHT: dict[tuple[str, Utterance], bool] = {}
"""Orders that were judged as they were written."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed order, and the orders it was made of."""

    law: str
    kind: str
    language: str
    text: str
    of: tuple[Scenario, ...]
    halves: tuple[str, ...] = ()
    """What it was put together from, where that has to act by itself."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of it. ``bad``: the law is broken; ``acts``: something is done or offered that was not."""

    changed: Changed
    verdict: Verdict
    bad: bool
    acts: bool


@cache
def orders() -> tuple[Scenario, ...]:
    """Every sentence on an example home whose gold acts or confirms."""
    contact = [said for file in sorted((HERE / "contact").glob("*.yaml")) for said in read(file)]
    return tuple(s for s in [*collected(), *contact] if set(s.expect["decision"].split(" | ")) <= DOING)


@cache
def kinds() -> tuple[tuple[str, str], ...]:
    """(law, kind) of every transformation, in the order of the table."""
    framed = [(frame.law, frame.kind) for language in LANGUAGES for frame in grammar(language).frames]
    more = [(NEVER, ANSWERS), *((SAME, kind) for kind in (*FUNCTIONS, *PAIRS))]
    return tuple(sorted(dict.fromkeys([*framed, *more]), key=lambda row: row[0] != NEVER))


def changed(kind: str, language: str) -> list[Changed]:
    """Every order of the language, changed in each way of this kind."""
    return list(filter(_whole, _possible(kind, language)))


def _possible(kind: str, language: str) -> list[Changed]:
    """The same, before anything was asked."""
    cases = [case for case in orders() if language_of(case.utterance.text) == language]
    if kind in PAIRS:
        return list(_joined(cases) if kind == "joined" else _reordered(cases))
    return [row for case in cases for row in _changed(kind, language, case)]


def fits(kind: str, language: str) -> tuple[int, int]:
    """How many orders of the language some transformation of this kind takes, of how many."""
    cases = [case for case in orders() if language_of(case.utterance.text) == language]
    return len({case.id for row in changed(kind, language) for case in row.of}), len(cases)


def sample(kind: str, language: str, count: int) -> list[Changed]:
    """So many of them; mostly the same ones when orders are added."""
    rows = sorted(_possible(kind, language), key=lambda row: crc32(row.text.encode()))
    return list(islice(filter(_whole, rows), count))


def outcome(row: Changed) -> Outcome | None:
    """What becomes of it; None where the orders it was made of do not come out right by themselves."""
    if row.kind == ANSWERS:
        return _answered(row)
    if row.law == SAME and not all(is_right(case) for case in row.of):
        return None
    verdict = _retrieved(row.of[0], row.text).verdict
    after = None if _only_asks(verdict) else _done(verdict)
    if row.law == NEVER:
        return Outcome(row, verdict, after is not None, after is not None)
    held = isinstance(verdict, Clarify) or _only_asks(verdict) or _held(_together(row.of), after)
    return Outcome(row, verdict, not held, not held and after is not None)


def _only_asks(verdict: Verdict) -> bool:
    """Whether one thing is asked about that is known in part: a question, no offer to act."""
    return isinstance(verdict, Confirm) and RISK_UNSURE_TARGET in verdict.risks


def is_right(case: Scenario) -> bool:
    """Whether the order, as it was written, is answered as its gold says."""
    key = (case.home, case.utterance)
    if key not in _RIGHT:
        _RIGHT[key] = not judged(case).faults
    return _RIGHT[key]


def _changed(kind: str, language: str, case: Scenario) -> Iterator[Changed]:
    text = case.utterance.text
    if kind == ANSWERS:
        if case.expect["decision"] == "confirm":
            yield from (Changed(NEVER, kind, language, a, (case,)) for a in grammar(language).words[ANSWERS])
        return
    known = grammar(language)
    found = slots(text, change.noun_for(text, known))
    rows = [(frame.law, _framed(frame, found, case)) for frame in known.frames if frame.kind == kind]
    rows += [(SAME, function(text)) for function in FUNCTIONS.get(kind, ())]
    yield from (Changed(law, kind, language, made, (case,)) for law, made in rows if made)


def _framed(frame: Frame, found: dict[str, str], case: Scenario) -> str | None:
    """An answer to what was said before is no order; it is not quoted."""
    return None if frame.any and case.utterance.history else change.framed(frame, found)


def _joined(cases: Sequence[Scenario]) -> Iterator[Changed]:
    """Two orders of one home for two devices, each sufficient by itself."""
    single = [case for case in cases if _stands_alone(case)]
    for home in sorted({case.home for case in single}):
        there = [case for case in single if case.home == home]
        Random(home).shuffle(there)
        for first, second in pairwise(there):
            if first.expect["calls"][0][0] != second.expect["calls"][0][0]:
                text = change.joined(
                    slots(first.utterance.text)["order"], slots(second.utterance.text)["order"]
                )
                yield Changed(SAME, "joined", language_of(text), text, (first, second))


def _stands_alone(case: Scenario) -> bool:
    said = case.utterance
    alone = not said.history and not said.room and len(case.expect.get("calls", ())) == 1
    return alone and "order" in slots(said.text)


def _reordered(cases: Sequence[Scenario]) -> Iterator[Changed]:
    for case in cases:
        for halves in change.halves(case.utterance.text):
            text = change.swapped(*halves)
            yield Changed(SAME, "reordered", language_of(text), text, (case,), halves)


def _whole(row: Changed) -> bool:
    """Whether its halves, where it has any, act by themselves and together do what the whole does."""
    done = [_done(_retrieved(row.of[0], half).verdict) for half in row.halves]
    return all(done) and (not done or _held(_sum(done), _together(row.of)))


def _answered(row: Changed) -> Outcome | None:
    (case,) = row.of
    asked = _retrieved(case, case.utterance.text)
    if not isinstance(asked.verdict, Confirm):
        return None
    verdict = engine(case.home).sync.answer(asked.id, row.text).verdict
    acts = isinstance(verdict, Act) and bool(verdict.calls)
    return Outcome(row, verdict, acts, acts)


def _retrieved(case: Scenario, text: str) -> Retrieval:
    return engine(case.home).sync.retrieve(replace(case.utterance, text=text))


def _done(verdict: Verdict) -> Done | None:
    calls = frozenset(
        f"{c.device_id} {c.command_id} {sorted(c.arguments.items())}" for c in named_calls(verdict)
    )
    return (type(verdict), calls) if isinstance(verdict, Act | Confirm) and calls else None


def _together(cases: Iterable[Scenario]) -> Done | None:
    return _sum([_done(_retrieved(case, case.utterance.text).verdict) for case in cases])


def _sum(parts: Sequence[Done | None]) -> Done | None:
    """What all of them do; a yes is wanted for all where one wants it."""
    done = [part for part in parts if part]
    asks = any(kind is Confirm for kind, _ in done)
    return (Confirm if asks else Act, frozenset().union(*(calls for _, calls in done))) if done else None


def _held(before: Done | None, after: Done | None) -> bool:
    """The same calls, at once or only after a yes."""
    if before is None or after is None:
        return before is after
    return before[1] == after[1] and after[0] in {before[0], Confirm}
