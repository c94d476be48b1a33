"""Which statements of a history were superseded by later ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from threading import Lock, Thread
from typing import Literal

import numpy as np
import numpy.typing as npt

from winnow.language.registry import language_of
from winnow.retrieve.statements.chinese import chinese_claims
from winnow.retrieve.statements.claims import (
    SPEAKER,
    UNNAMED_ATTRIBUTE,
    StatementClaim,
    statement_words,
    values_differ,
)
from winnow.retrieve.statements.english import english_claims
from winnow.types.message import Message

# Which statements of a history were replaced by later ones.

MAX_STATEMENT_CHARS = 600
"""Longer texts are no statements of one thing; only so many characters are read."""
MAX_AMBIGUOUS_PEOPLE = 8
"""So many roles and names that each stand for several people, and none of the history is trusted."""
NAME_ATTRIBUTE = frozenset({"name"})
"""What tells people apart: two names of ``my colleague`` are two people."""


@lru_cache(maxsize=65536)
def text_claims(text: str) -> tuple[StatementClaim, ...]:
    """What a text states of somebody, as far as it can be told by the rules of its language."""
    read = chinese_claims if language_of(text) == "zh" else english_claims
    return tuple(read(text[:MAX_STATEMENT_CHARS]))


@dataclass(frozen=True, slots=True)
class RowClaim:
    """A claim and the row of the message that makes it."""

    row: int
    claim: StatementClaim


@dataclass(frozen=True, slots=True)
class Supersession:
    """What the messages of a history, oldest first, say that was said anew later.

    ``newer`` holds for each row the row that tells the newest value; ``replaced`` those of them of which
    nothing else holds any longer: only these may be called outdated.
    """

    newer: Mapping[int, int]
    replaced: Mapping[int, int]

    @classmethod
    def from_messages(cls, messages: Sequence[Message]) -> Supersession:
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
    people: Mapping[str, Sequence[RowClaim]], speakers: Set[str]
) -> Iterator[tuple[RowClaim, RowClaim]]:
    """(old, what replaced it) of everybody; whoever speaks is one person, whatever they say."""
    # Those of whom it is not sure that they are one person each
    others = {who: facts for who, facts in people.items() if who not in speakers}
    torn = {who for who, facts in others.items() if is_several_people(facts)}
    doubtful = others.keys() if len(torn) >= MAX_AMBIGUOUS_PEOPLE else torn
    for who, facts in people.items():
        yield from _replacements(facts, who in doubtful)


def _facts(messages: Sequence[Message]) -> dict[str, list[RowClaim]]:
    """Person -> what is told of them, oldest first."""
    people: dict[str, list[RowClaim]] = defaultdict(list)
    for row, message in enumerate(messages):
        for claim in message_claims(message):
            who = claim.who
            people[
                message.role + who[len(SPEAKER) :] if who == SPEAKER or who.startswith(f"{SPEAKER}/") else who
            ].append(RowClaim(row, claim))
            if claim.what == {"role"}:
                named = StatementClaim(claim.who, NAME_ATTRIBUTE, words=frozenset({claim.who}))
                people[f"{message.role}/{min(claim.words)}"].append(RowClaim(row, named))
    return people


def message_claims(message: Message) -> tuple[StatementClaim, ...]:
    """The claims of a message; what an assistant or a system says is none of a person's."""
    return () if message.role in statement_words("machines") else text_claims(message.content)


def _replacements(facts: Sequence[RowClaim], doubtful: bool) -> Iterator[tuple[RowClaim, RowClaim]]:
    """(old, what replaced it) among the statements of one person."""
    for at, old in enumerate(facts):
        after = [f for f in facts[at + 1 :] if f.row > old.row and _same_matter(old.claim, f.claim)]
        new = _replacing(old, after, doubtful)
        if new is not None:
            yield old, new


def _replacing(old: RowClaim, after: Sequence[RowClaim], doubtful: bool) -> RowClaim | None:
    """The last that replaces a statement, if it is not said again later."""
    for new in reversed(after):
        if _repeats(old.claim, new.claim):
            return None
        if _replaces(old.claim, new.claim, doubtful):
            return new
    return None


def claim_relation(old: StatementClaim, new: StatementClaim) -> Literal["", "replaced", "repeated"]:
    """What becomes of a claim by a later one of the same person; empty: nothing."""
    if not _same_matter(old, new):
        return ""
    if _repeats(old, new):
        return "repeated"
    return "replaced" if _replaces(old, new, doubtful=False) else ""


def _same_matter(old: StatementClaim, new: StatementClaim) -> bool:
    """Whether both speak of one attribute; a claim of change may name it shorter, longer or not at all."""
    if old.what == new.what:
        return old.what != UNNAMED_ATTRIBUTE
    if not new.changed or old.what == UNNAMED_ATTRIBUTE:
        return False
    if new.what == UNNAMED_ATTRIBUTE:
        return _says_over(new, old) or bool(old.words & new.words)
    return old.single and bool(old.what & new.what) and (old.what <= new.what or new.what <= old.what)


def _replaces(old: StatementClaim, new: StatementClaim, doubtful: bool) -> bool:
    if _says_over(new, old):
        return True
    if doubtful or not values_differ(old, new):
        return False
    return new.changed or (old.single and new.single and old.what != NAME_ATTRIBUTE)


def _says_over(new: StatementClaim, old: StatementClaim) -> bool:
    """Whether the newer one says that this value holds no longer: ``not Tuesday``, ``from Rome to Oslo``."""
    if old.words:
        return 2 * len(old.words & new.ended_words) >= len(old.words) and bool(new.ended_words)
    return bool(old.looks) and new.ended_words.issuperset(old.looks.values())


def _repeats(old: StatementClaim, new: StatementClaim) -> bool:
    return old.what == new.what and not values_differ(old, new)


def is_several_people(facts: Sequence[RowClaim]) -> bool:
    """Whether more than one person seems to be meant: ``my colleague`` with two birthdays and two numbers."""
    matters: dict[frozenset[str], list[StatementClaim]] = defaultdict(list)
    for fact in facts:
        matters[fact.claim.what].append(fact.claim)
    torn = [what for what, said in matters.items() if _has_contradiction(said)]
    return NAME_ATTRIBUTE in torn or len(torn) > 1 or any(_value_count(matters[what]) > 2 for what in torn)


def _has_contradiction(said: Sequence[StatementClaim]) -> bool:
    return any(values_differ(a, b) and not b.changed for a, b in combinations(said, 2))


def _value_count(said: Sequence[StatementClaim]) -> int:
    """How many different values there are."""
    kept: list[StatementClaim] = []
    for claim in said:
        if all(values_differ(claim, other) for other in kept):
            kept.append(claim)
    return len(kept)


# Ranked messages with the newest value first.


@dataclass(frozen=True, slots=True)
class CurrentRows:
    """Rows in their new order, and those of them that are outdated with the row that replaced each."""

    rows: tuple[int, ...]
    replaced: Mapping[int, int]
    likely: Mapping[int, int] = field(default_factory=dict)
    """Old row -> a later one that is likely news of it, though not surely."""

    def before(self, tail: CurrentRows) -> CurrentRows:
        """These rows, and behind them those of ``tail`` that are not among them."""
        return CurrentRows(
            tuple(dict.fromkeys(self.rows + tail.rows)),
            {**tail.replaced, **self.replaced},
            {**tail.likely, **self.likely},
        )


def newest_first(rows: Sequence[int], told: Supersession) -> CurrentRows:
    """Rows of a history, best first: what tells the newest value stands before what it replaced.

    A row that replaces one of these and was not found is put in. Costs a few look-ups.
    """
    order: dict[int, None] = {}
    for row in rows:
        # What replaced the row in the end
        newest = row
        while newest in told.newer:
            newest = told.newer[newest]
        order[newest] = order[row] = None
    return CurrentRows(tuple(order), {row: told.replaced[row] for row in order if row in told.replaced})


def supersession_among(rows: Sequence[int], messages: Sequence[Message]) -> Supersession:
    """What the messages of these rows alone say that one of them said anew; rows as in ``messages``."""
    oldest = sorted(rows)
    told = Supersession.from_messages([messages[row] for row in oldest])
    return Supersession(
        *({oldest[a]: oldest[b] for a, b in pairs.items()} for pairs in (told.newer, told.replaced))
    )


# Read when it is first asked for, of many messages behind whoever asks.

MAX_SUPERSESSION_MESSAGES = 20_000
"""Messages of which it is read what was said anew; of more, only among those that are found."""
MAX_AT_ONCE = 2_000
"""Messages that are read while somebody waits."""


class SaidAnew:
    """The ``Supersession`` of messages, oldest first. Safe in threads."""

    def __init__(self, messages: Sequence[Message], known: Supersession | None = None) -> None:
        self._messages, self._known = messages, known
        self._lock = Lock()
        self._thread: Thread | None = None

    def get(self) -> Supersession | None:
        """What was said anew; None: it is being read, or there are too many messages to read all."""
        with self._lock:
            if self._known is not None or len(self._messages) > MAX_SUPERSESSION_MESSAGES:
                return self._known
            if self._thread is None and len(self._messages) > MAX_AT_ONCE:
                self._thread = Thread(target=self._read, daemon=True, name="said-anew")
                self._thread.start()
        if self._thread is None:
            self._read()
        return self._known

    def wait(self) -> None:
        """Until it is read, where somebody reads it."""
        if self._thread is not None:
            self._thread.join()

    def change(
        self,
        messages: Sequence[Message],
        old_rows: npt.NDArray[np.int32],
        changed: Sequence[Message],
    ) -> SaidAnew:
        """Of other messages: ``old_rows`` has the row where each stood, -1 of new ones.

        Where nobody states anything in those that are ``changed``, nothing is read again.
        """
        known = self._known
        roles = {message.role for message in self._messages} if known is not None else set[str]()
        if known is None or any(message.role not in roles or message_claims(message) for message in changed):
            return SaidAnew(messages)
        now = {old: row for row, old in enumerate(old_rows.tolist()) if old >= 0}
        newer, replaced = (
            {now[a]: now[b] for a, b in pairs.items()} for pairs in (known.newer, known.replaced)
        )
        return SaidAnew(messages, Supersession(newer, replaced))

    def _read(self) -> None:
        self._known = Supersession.from_messages(self._messages)
