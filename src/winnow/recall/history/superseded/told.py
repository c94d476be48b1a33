"""Which statements of a history were replaced by later ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

from winnow.language.normalise import language_of
from winnow.recall.history.superseded.chinese import chinese
from winnow.recall.history.superseded.claim import SELF, UNNAMED, Claim, differ
from winnow.recall.history.superseded.english import english
from winnow.recall.history.superseded.words import words
from winnow.types.message import Message

LONGEST = 600
"""Longer texts are no statements of one thing; only so many characters are read."""
CROWD = 8
"""So many roles and names that each stand for several people, and none of the history is trusted."""
NAMES = frozenset({"name"})
"""What tells people apart: two names of ``my colleague`` are two people."""


@lru_cache(maxsize=65536)
def claims(text: str) -> tuple[Claim, ...]:
    """What a text states of somebody, as far as it can be told by the rules of its language."""
    read = chinese if language_of(text) == "zh" else english
    return tuple(read(text[:LONGEST]))


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim and the row of the message that makes it."""

    row: int
    claim: Claim


@dataclass(frozen=True, slots=True)
class Told:
    """What the messages of a history, oldest first, say that was said anew later.

    ``newer`` holds for each row the row that tells the newest value; ``replaced`` those of them of which
    nothing else holds any longer: only these may be called outdated.
    """

    newer: Mapping[int, int]
    replaced: Mapping[int, int]

    @classmethod
    def of(cls, messages: Sequence[Message]) -> Told:
        """Read messages, oldest first."""
        people = _facts(messages)
        gone: dict[int, list[int]] = defaultdict(list)
        for old, new in _all_replacements(people, {message.role for message in messages}):
            gone[old.row].append(new.row)
        stated = Counter(fact.row for facts in people.values() for fact in facts if fact.claim.counts)
        newer = {row: max(by) for row, by in gone.items()}
        whole = {row: by for row, by in newer.items() if len(gone[row]) >= stated[row]}
        return cls(newer, whole)


def _all_replacements(
    people: Mapping[str, Sequence[Fact]], speakers: Set[str]
) -> Iterator[tuple[Fact, Fact]]:
    """(old, what replaced it) of everybody; whoever speaks is one person, whatever they say."""
    doubtful = _doubtful({who: facts for who, facts in people.items() if who not in speakers})
    for who, facts in people.items():
        yield from _replacements(facts, who in doubtful)


def _doubtful(others: Mapping[str, Sequence[Fact]]) -> Set[str]:
    """Those of whom it is not sure that they are one person each."""
    torn = {who for who, facts in others.items() if several(facts)}
    return others.keys() if len(torn) >= CROWD else torn


def _facts(messages: Sequence[Message]) -> dict[str, list[Fact]]:
    """Person -> what is told of them, oldest first."""
    people: dict[str, list[Fact]] = defaultdict(list)
    for row, message in enumerate(messages):
        for claim in told_by(message):
            people[_spoken_of(claim.who, message.role)].append(Fact(row, claim))
            if claim.what == {"role"}:
                named = Claim(claim.who, NAMES, words=frozenset({claim.who}))
                people[f"{message.role}/{min(claim.words)}"].append(Fact(row, named))
    return people


def told_by(message: Message) -> tuple[Claim, ...]:
    """The claims of a message; what an assistant or a system says is none of a person's."""
    return () if message.role in words("machines") else claims(message.content)


def _spoken_of(who: str, role: str) -> str:
    """``i`` is whoever speaks."""
    return role + who[len(SELF) :] if who == SELF or who.startswith(f"{SELF}/") else who


def _replacements(facts: Sequence[Fact], doubtful: bool) -> Iterator[tuple[Fact, Fact]]:
    """(old, what replaced it) among the statements of one person."""
    for at, old in enumerate(facts):
        after = [f for f in facts[at + 1 :] if f.row > old.row and _same_matter(old.claim, f.claim)]
        new = _replacing(old, after, doubtful)
        if new is not None:
            yield old, new


def _replacing(old: Fact, after: Sequence[Fact], doubtful: bool) -> Fact | None:
    """The last that replaces a statement, if it is not said again later."""
    for new in reversed(after):
        if _repeats(old.claim, new.claim):
            return None
        if _replaces(old.claim, new.claim, doubtful):
            return new
    return None


def matter(old: Claim, new: Claim) -> Literal["", "replaced", "repeated"]:
    """What becomes of a claim by a later one of the same person; empty: nothing."""
    if not _same_matter(old, new):
        return ""
    if _repeats(old, new):
        return "repeated"
    return "replaced" if _replaces(old, new, doubtful=False) else ""


def _same_matter(old: Claim, new: Claim) -> bool:
    """Whether both speak of one attribute; a claim of change may name it shorter, longer or not at all."""
    if old.what == new.what:
        return old.what != UNNAMED
    if not new.changed or old.what == UNNAMED:
        return False
    if new.what == UNNAMED:
        return _says_over(new, old) or bool(old.words & new.words)
    return old.single and bool(old.what & new.what) and (old.what <= new.what or new.what <= old.what)


def _replaces(old: Claim, new: Claim, doubtful: bool) -> bool:
    if _says_over(new, old):
        return True
    if doubtful or not differ(old, new):
        return False
    return new.changed or (old.single and new.single and old.what != NAMES)


def _says_over(new: Claim, old: Claim) -> bool:
    """Whether the newer one says that this value holds no longer: ``not Tuesday``, ``from Rome to Oslo``."""
    if old.words:
        return 2 * len(old.words & new.over) >= len(old.words) and bool(new.over)
    return bool(old.looks) and new.over.issuperset(old.looks.values())


def _repeats(old: Claim, new: Claim) -> bool:
    return old.what == new.what and not differ(old, new)


def several(facts: Sequence[Fact]) -> bool:
    """Whether more than one person seems to be meant: ``my colleague`` with two birthdays and two numbers."""
    matters: dict[frozenset[str], list[Claim]] = defaultdict(list)
    for fact in facts:
        matters[fact.claim.what].append(fact.claim)
    torn = [what for what, said in matters.items() if _torn(said)]
    return NAMES in torn or len(torn) > 1 or any(_values(matters[what]) > 2 for what in torn)


def _torn(said: Sequence[Claim]) -> bool:
    return any(differ(a, b) and not b.changed for a, b in combinations(said, 2))


def _values(said: Sequence[Claim]) -> int:
    """How many different values there are."""
    kept: list[Claim] = []
    for claim in said:
        if all(differ(claim, other) for other in kept):
            kept.append(claim)
    return len(kept)
