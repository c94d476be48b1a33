"""News about what a question asks for stand before what they are news of, though nothing may be marked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import combinations, product
from typing import Literal, cast

from winnow.language.content_words import content_terms, is_character
from winnow.language.normalize import language_of, normalise
from winnow.language.tables import table
from winnow.retrieve.statements.chinese import chinese
from winnow.retrieve.statements.claims import SELF, UNNAMED, Claim, Tone, differ, looks, words
from winnow.retrieve.statements.english import english
from winnow.retrieve.statements.english.subjects import english_tone
from winnow.types.message import Message

Rarity = Callable[[str], float]
"""How much a term says in a history: the fewer messages have it, the more."""
DEPTH = 16
"""Rows that may be news."""
MOST = 120
"""Characters of news, at most: longer messages tell a story."""
OLDEST = 3
"""Rows that they may be news of."""
ENOUGH = 5.0
"""Weight of shared terms from which more of them say no more."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a message is about at a glance, and how it tells it."""

    terms: frozenset[str]
    looks: Mapping[str, str]
    tone: Tone


@lru_cache(maxsize=65536)
def note(text: str) -> Note:
    """What a text is about; read once."""
    terms = frozenset(term for term in content_terms(text) if not is_character(term))
    plain = normalise(text)
    return Note(terms, looks(plain), english_tone(text))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and how rare the terms of the history are."""

    note: Note
    rarity: Rarity

    def weight(self, terms: Collection[str]) -> float:
        """How much terms say in this history."""
        return sum(map(self.rarity, terms))

    def share(self, terms: Collection[str]) -> float:
        """How much of the question they are, 0 to 1."""
        return self.weight(terms) / (self.weight(self.note.terms) or 1)


@dataclass(frozen=True, slots=True)
class News:
    """A pair of rows, the older first, and what makes news of the newer."""

    old: int
    new: int
    reasons: Mapping[str, float]
    score: float


def asks_before(question: str) -> bool:
    """Whether a question asks for what was before something else."""
    return note(question).tone.before


def score_of(news: News) -> float:
    """How much speaks for it."""
    return news.score


def news_first(
    rows: Sequence[int], messages: Sequence[Message], question: str, rarity: Rarity
) -> tuple[tuple[int, ...], Mapping[int, int]]:
    """Rows best first, with the best news of one of the first before them; old row -> news where it is sure.

    Only for English questions for what holds now, and among what a person told an assistant: in Chinese the
    claims are enough, and in talks of several people the first row is mostly right.
    """
    asked = Asked(note(question), rarity)
    if asked.note.tone.before:
        return _earlier_first(rows, messages, asked), {}
    if asked.note.tone.then or language_of(question) == "zh":
        return tuple(rows), {}
    found = [news for news in pairs_of(rows, messages, asked) if news.score > weights()["least"]]
    best = [_latest(found)] if found else []
    return tuple(dict.fromkeys((*best, *rows))), _sure(found, messages, asked)


def _latest(found: Sequence[News]) -> int:
    """The row of the best news, or of later ones nearly as good that tell another value still."""
    best = max(found, key=score_of)
    least = best.score - weights()["nearly"]
    later = (
        n.new for n in found if n.score >= least and n.reasons["other_value"] and not n.reasons["of_another"]
    )
    return max((best.new, *later))


def _sure(found: Sequence[News], messages: Sequence[Message], asked: Asked) -> dict[int, int]:
    """Old row -> the best news of it, where it may be called outdated."""
    sure = (news for news in found if _is_sure(news, note(messages[news.old].content), asked))
    return {news.old: news.new for news in sorted(sure, key=score_of)}


def _earlier_first(rows: Sequence[int], messages: Sequence[Message], asked: Asked) -> tuple[int, ...]:
    """For who asks what was before: the best of what was said before the first row."""
    earlier = [row for row in rows[:DEPTH] if row < rows[0] and messages[row].role in words("users")]
    found = {row: _tells_before(asked, note(messages[row].content)) for row in earlier}
    best = max(found, key=lambda row: found[row], default=rows[0])
    return tuple(dict.fromkeys((best, *rows))) if found.get(best, 0) > 0 else tuple(rows)


def _tells_before(asked: Asked, old: Note) -> float:
    """How much of what is asked for an older text tells; less than 0 for one of somebody else."""
    question = asked.note
    if old.tone.asks or not _is_of_asked(question.tone, old.tone):
        return -1.0
    return asked.weight(question.terms & old.terms)


def pairs_of(rows: Sequence[int], messages: Sequence[Message], asked: Asked) -> Iterator[News]:
    """Each pair of one of the first and a later message, if that may be news of it."""
    told = [row for row in rows[:DEPTH] if messages[row].role in words("users")]
    for old, (place, new) in product(told[:OLDEST], enumerate(told)):
        before, after = messages[old], messages[new]
        if new > old and len(after.content) <= MOST:
            found = reasons(asked, note(before.content), note(after.content))
            if found is not None:
                found["place"] = 1 - place / DEPTH
                yield News(old, new, found, sum(weights()[name] * value for name, value in found.items()))


def _is_sure(news: News, old: Note, asked: Asked) -> bool:
    """Whether the older may be called outdated: both are of whom is asked for, and the value is another."""
    told, question = news.reasons, asked.note.tone
    if not _is_of_asked(question, old.tone):
        return False
    if told["of_another"] or told["not_of_them"] or not told["other_value"]:
        return False
    return news.score > weights()["sure"] and bool(told["changed"] or told["ended"])


def weights() -> Mapping[str, float]:
    """What each reason counts for; ``least`` is what makes news of a message."""
    return cast("Mapping[str, float]", table(__package__, "news.yaml"))


def reasons(asked: Asked, old: Note, new: Note) -> dict[str, float] | None:
    """What speaks for and against ``new`` being news of ``old``, for whoever asks; each 0 to 1.

    None where it cannot be: a question, the same value again, or what neither has a word of the question nor
    says that anything changed.
    """
    alike = old.looks.keys() & new.looks.keys()
    differs = any(old.looks[kind] != new.looks[kind] for kind in alike)
    on_it = asked.note.terms & new.terms
    if new.tone.asks or (alike and not differs) or not (on_it or _is_new(new.tone)):
        return None
    return {
        "asked": asked.share(on_it),
        "shared": min(asked.weight((old.terms & new.terms) - asked.note.terms) / ENOUGH, 1),
        "other_value": differs,
        "value_lost": bool(old.looks) and not alike,
        **_tells(asked.note.tone, old.tone, new.tone),
    }


def _is_new(tone: Tone) -> bool:
    """Whether a text says that something changed or ended."""
    return tone.changed or tone.ended


def _tells(question: Tone, old: Tone, new: Tone) -> dict[str, float]:
    """The reasons that lie in how it is told."""
    ours = old.names - question.names
    return {
        "old_name": not ours.isdisjoint(new.words) and (new.changed or new.ended),
        "new_name": bool(new.names - ours - question.names),
        "changed": new.changed,
        "ended": new.ended,
        "of_another": _is_of_another(question, new),
        "not_of_them": _is_of_others(question, new) and not new.there,
    }


def _is_of_others(question: Tone, told: Tone) -> bool:
    """Whether a question names people whom a text does not name."""
    return bool(question.owners) and not question.owners <= told.owners | told.words


def _is_of_asked(question: Tone, told: Tone) -> bool:
    """Whether a text speaks of those whom a question names, and begins with no one else."""
    return not (_is_of_another(question, told) or _is_of_others(question, told))


def _is_of_another(question: Tone, told: Tone) -> bool:
    """Whether a text begins with somebody whom the question does not name."""
    return bool(told.first - question.owners - question.words)


# Which statements of a history were replaced by later ones.


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


# Ranked messages with the newest value first.


@dataclass(frozen=True, slots=True)
class Current:
    """Rows in their new order, and those of them that are outdated with the row that replaced each."""

    rows: tuple[int, ...]
    replaced: Mapping[int, int]


def newest_first(rows: Sequence[int], told: Told) -> Current:
    """Rows of a history, best first: what tells the newest value stands before what it replaced.

    A row that replaces one of these and was not found is put in. Costs a few look-ups.
    """
    order: dict[int, None] = {}
    for row in rows:
        newest = _newest(row, told)
        if newest is not None:
            order[newest] = None
        order[row] = None
    return Current(tuple(order), {row: told.replaced[row] for row in order if row in told.replaced})


def arranged(
    rows: Sequence[int], messages: Sequence[Message], question: str, told: Told, rarity: Rarity
) -> Current:
    """The same for whoever asks: news of what is asked for stand first, whatever could be read of them.

    ``messages`` are those of the history by row, ``told`` what was read of them, ``rarity``
    says how rare a term is in them.
    """
    if not rows:
        return Current((), {})
    news, sure = news_first(rows, messages, question, rarity)
    if asks_before(question):
        return Current(news, {row: told.replaced[row] for row in news if row in told.replaced})
    found = newest_first(news, told)
    return Current(found.rows, {**sure, **found.replaced})


def _newest(row: int, told: Told) -> int | None:
    """What replaced the row in the end. Replacements point to later rows only, so this comes to an end."""
    newest = None
    while row in told.newer:
        row = newest = told.newer[row]
    return newest


def told_among(rows: Sequence[int], messages: Sequence[Message]) -> Told:
    """What the messages of these rows alone say that one of them said anew; rows as in ``messages``."""
    oldest = sorted(rows)
    told = Told.of([messages[row] for row in oldest])
    return Told(*({oldest[a]: oldest[b] for a, b in pairs.items()} for pairs in (told.newer, told.replaced)))


def current(ranked: Sequence[Message]) -> Current:
    """The same for ranked messages alone; rows are positions in ``ranked``.

    Their times order them; where one has none they are taken as the ranking gives them, oldest last.
    """
    oldest = sorted(range(len(ranked)), key=lambda at: (_time(ranked[at]), -at))
    told = Told.of([ranked[at] for at in oldest])
    back = Told(
        {oldest[old]: oldest[new] for old, new in told.newer.items()},
        {oldest[old]: oldest[new] for old, new in told.replaced.items()},
    )
    return newest_first(range(len(ranked)), back)


def _time(message: Message) -> datetime:
    return message.at or datetime.min  # noqa: DTZ901 - a wall clock has no zone
