"""Whether two statements of unknown order can both be true. Says so only where rules of language are sure.

Both must speak of one thing: what one says beside what contradicts the other must, but for a few words, be
said by the other too, and neither may name another time, place or part than the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import cast

from winnow.language.content_words import core
from winnow.language.normalize import fold, normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.tables import table as read
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement, parse_statement
from winnow.retrieve.facts.overlap import SAME_WORD, word_similarities
from winnow.retrieve.facts.topic import has_other_mark, split_clauses
from winnow.types.fact import Fact, Judgement

MIN_WORD_SIMILARITY = 0.6
"""Cosine from which a word of one statement is said by the other too."""
OTHER_NUMBER, OTHER_DAY = "another number of the same", "another day of the same"
DENIAL, OPPOSITE = "one denies what the other says", "one says the opposite"
VALUE_RULES = frozenset({OTHER_NUMBER, OTHER_DAY})
MAX_UNSHARED = {OTHER_NUMBER: 0.6, OTHER_DAY: 0.6, DENIAL: 0.6, OPPOSITE: 0.5}
"""Rule -> most of what a statement says that the other does not, as a share of its words."""
MAX_UNSHARED_SHORTER = {OTHER_NUMBER: 0.0, OTHER_DAY: 0.0, DENIAL: 0.34, OPPOSITE: 0.34}
"""The same for the one of them that says less. Beside two values nothing else may differ."""
MIN_SUBJECT_SIMILARITY = 0.8
"""Cosine from which two statements speak of one subject."""


def judge_contradiction(one: Fact, other: Fact, table: Embedder) -> Judgement:
    """``duplicate`` for the same words, ``contradiction`` where both cannot be true, else ``unsure``."""
    if fold(one.text) == fold(other.text):
        return Judgement("duplicate", "same words")
    a, b = parse_statement(one.text), parse_statement(other.text)
    for rule in contradiction_rules(a, b):
        sure = _agreement(a, b, rule, table)
        if sure:
            return Judgement("contradiction", rule, sure)
    return Judgement("unsure", "too little tells", 0.0)


def _agreement(a: FactStatement, b: FactStatement, rule: str, table: Embedder) -> float:
    """How much of both is said by both, where they speak of one thing; else 0."""
    shares = sorted((_unshared_share(a, b, table), _unshared_share(b, a, table)))
    less = (
        min(_unshared_share(a, b, table, SAME_WORD), _unshared_share(b, a, table, SAME_WORD))
        if rule in VALUE_RULES
        else shares[0]
    )
    if less > MAX_UNSHARED_SHORTER[rule] or shares[1] > MAX_UNSHARED[rule] or names_other_thing(a, b, rule):
        return 0.0
    both = _speaks_of(a, b, table), _speaks_of(b, a, table)
    return 1 - shares[1] if all(both) or (rule in VALUE_RULES and any(both)) else 0.0


def _speaks_of(one: FactStatement, other: FactStatement, table: Embedder) -> bool:
    """Whether what a statement begins with, mostly its subject, is in the other too."""
    first = next(((word,) for word in one.words if not is_value(word, one)), ())
    near = word_similarities(table, first, other.words)
    return bool(len(near)) and float(near[0]) >= MIN_SUBJECT_SIMILARITY


def contradiction_rules(a: FactStatement, b: FactStatement) -> Iterator[str]:
    """The rules by which the two may contradict each other."""
    denied, opposite = denies(a) != denies(b), has_opposite(a, b)
    if denied != opposite:
        limits = denied and bool(a.numbers and b.numbers) and _loose(a, b)
        yield from () if limits else (DENIAL if denied else OPPOSITE,)
    if not denied:
        yield from _other_values(a, b)


def _other_values(a: FactStatement, b: FactStatement) -> Iterator[str]:
    # Whether both give exact numbers of one unit, and one each that the other does not
    if len(a.numbers - b.numbers) != 1 or len(b.numbers - a.numbers) != 1:
        other_numbers = False
    else:
        other_numbers = not _loose(a, b) and bool(_units(a) & _units(b))
    if other_numbers:
        yield OTHER_NUMBER
    if a.weekdays and b.weekdays and a.weekdays.isdisjoint(b.weekdays):
        yield OTHER_DAY


def _loose(a: FactStatement, b: FactStatement) -> bool:
    """Whether a number of theirs is a limit or about so much."""
    return any(_pattern("loose", one).search(normalise(one.text)) for one in (a, b))


def _units(one: FactStatement) -> set[str]:
    return {number.unit for number in find_numbers(normalise(one.text))}


def denies(one: FactStatement, part: str = "") -> bool:
    """Whether a statement, or a part of it, denies something."""
    return denial_pattern(one).search(part or normalise(one.text)) is not None


def denial_pattern(one: FactStatement) -> re.Pattern[str]:
    """What denies, in the language of a statement."""
    return _pattern("denies", one)


def has_opposite(a: FactStatement, b: FactStatement) -> bool:
    """Whether one has a word and the other its opposite, and neither has both."""
    one, other = _sides(a.text, a.chinese), _sides(b.text, b.chinese)
    return any(other.get(pair) == 1 - side for pair, side in one.items())


@lru_cache(maxsize=16384)
def _sides(text: str, chinese: bool) -> Mapping[int, int]:
    """Number of a pair of opposites -> which of the two a text has; none where it has both."""
    plain = normalise(text)
    found = {
        at: [side.search(plain) is not None for side in pair]
        for at, pair in _opposite_patterns(chinese).items()
    }
    return {at: has.index(True) for at, has in found.items() if sum(has) == 1}


@cache
def _opposite_patterns(chinese: bool) -> Mapping[int, tuple[re.Pattern[str], ...]]:
    """The opposites of a language as patterns, by number; a word of English stands between borders."""
    frame = "(?:{})" if chinese else r"\b(?:{})\b"
    told: dict[int, tuple[re.Pattern[str], ...]] = {}
    for at, pair in enumerate(_opposites()):
        words = [[re.escape(word) for word in side if word.isascii() != chinese] for side in pair]
        if all(words):
            told[at] = tuple(re.compile(frame.format("|".join(side))) for side in words)
    return told


def _unshared_share(
    one: FactStatement, other: FactStatement, table: Embedder, least: float = MIN_WORD_SIMILARITY
) -> float:
    """The share of what one says that is not said by the other, beside numbers and opposites, 0..1."""
    words = tuple(word for word in one.words if not is_value(word, one))
    if not words:
        return 1.0
    near = word_similarities(table, words, other.words)
    return sum(1 for at in range(len(words)) if not len(near) or near[at] < least) / len(words)


def is_value(word: str, one: FactStatement) -> bool:
    """Whether a word of a statement is a number, a day or one of two opposites."""
    return (
        bool(find_numbers(word))
        or word[:3] in one.weekdays
        or any(word in flat for flat in _opposite_words())
    )


def names_other_thing(a: FactStatement, b: FactStatement, rule: str) -> bool:
    """Whether they name other times, places or persons, or one a part only: then both may be true."""
    if _matches("part", a) != _matches("part", b) or (rule == OTHER_NUMBER and a.people != b.people):
        return True
    # Whether a word both have is numbered otherwise: ``paper 1`` and ``paper 2``
    if rule not in VALUE_RULES and has_other_mark(split_clauses(a.text), split_clauses(b.text), signs=True):
        return True
    return _differ_both_ways(set(a.names), set(b.names)) or _differ_both_ways(
        _times_and_parts(a, rule), _times_and_parts(b, rule)
    )


def _differ_both_ways(one: set[str], other: set[str]) -> bool:
    """Whether each has what the other has not."""
    return bool(one - other) and bool(other - one)


def _times_and_parts(one: FactStatement, rule: str) -> set[str]:
    """The times and parts it names, but for days where those are what differs."""
    told = _matches("apart", one)
    return {when for when in told if not bool(parse_statement(when).weekdays)} if rule == OTHER_DAY else told


def _matches(name: str, one: FactStatement) -> set[str]:
    return set(_pattern(name, one).findall(normalise(one.text)))


def _pattern(name: str, one: FactStatement) -> re.Pattern[str]:
    return _language_pattern(name, "zh" if one.chinese else "en")


@cache
def _language_pattern(name: str, language: str) -> re.Pattern[str]:
    return re.compile(read(__package__, "contradiction.yaml")[name][language])


def _opposites() -> list[tuple[list[str], list[str]]]:
    return cast("list[tuple[list[str], list[str]]]", read(__package__, "contradiction.yaml")["opposites"])


@cache
def _opposite_words() -> tuple[frozenset[str], ...]:
    """The words of each pair of opposites, as they are written and without their endings."""
    pairs = ((*some, *others) for some, others in _opposites())
    return tuple(frozenset(words) | frozenset(map(core, words)) for words in pairs)
