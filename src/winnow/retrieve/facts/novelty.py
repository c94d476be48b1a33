"""What a later statement says that an earlier one does not, and sentences that contradict each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import product
from typing import cast

from winnow.language.content_words import content_terms, core
from winnow.language.normalize import fold, normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.registry import rows_for
from winnow.language.sentences import split_sentences as split_text
from winnow.language.tables import table as read
from winnow.ports.services import Embedder
from winnow.retrieve.facts.extract import FactStatement, fact_pattern, marks_of, parse_statement, without_mark
from winnow.retrieve.facts.topic import (
    SAME_WORD,
    cosine,
    has_other_mark,
    is_sign,
    split_clauses,
    word_similarities,
)
from winnow.retrieve.facts.values import DATE_UNITS, StatementValues, new_values, parse_values
from winnow.retrieve.statements.supersession import claim_relation
from winnow.types.fact import Fact, Judgement

# Whether two statements of unknown order can both be true. Says so only where rules of language are sure.


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
    return re.compile(rows_for(read(__package__, "contradiction.yaml")[name], language))


def _opposites() -> list[tuple[list[str], list[str]]]:
    return cast("list[tuple[list[str], list[str]]]", read(__package__, "contradiction.yaml")["opposites"])


@cache
def _opposite_words() -> tuple[frozenset[str], ...]:
    """The words of each pair of opposites, as they are written and without their endings."""
    pairs = ((*some, *others) for some, others in _opposites())
    return tuple(frozenset(words) | frozenset(map(core, words)) for words in pairs)


# What a later statement says that an earlier one does not, and sentences that contradict each other.


OTHER_VALUE, OTHER_NAME, NOW_OPPOSITE = "another value of the same", "another name", "now the opposite"
NOVELTY_RULES = frozenset({OTHER_VALUE, OTHER_NAME, NOW_OPPOSITE})
_LETTER = re.compile(r"(?<=[^\W\d_] )[A-HJ-Z](?![\w'.])|(?<=[\u3400-\u9fff])[A-Z](?![A-Za-z0-9'.])")
"""A capital that names one of several: ``room A``, ``方案B``."""
HEAD_WORDS = 3
"""Words in which a statement says of which of several things it speaks."""
MIN_SAME_WORD_SIMILARITY = 0.8
"""Cosine from which two words that stand in each other's place say the same."""


def novelty_rule(old: FactStatement, new: FactStatement, table: Embedder) -> str:
    """The rule by which the later statement is news beside the earlier; empty: nothing of it is new.

    Whether something is denied; numbers with their units, hours, days and codes; names; what the grammar of
    both tells of one attribute; another word where all the others are the same.
    """
    if _is_opposite(old, new):
        return NOW_OPPOSITE
    if new_values(parse_values(old.text), parse_values(new.text)):
        return OTHER_VALUE
    if _is_named_anew(old, new):
        return OTHER_NAME
    claims = product(old.claims, new.claims)
    matters = {claim_relation(a, b) for a, b in claims if a.who == b.who} - {""}
    is_other = "replaced" in matters if matters else _is_swapped(old, new, table)
    return OTHER_VALUE if is_other else ""


def is_of_same(old: FactStatement, new: FactStatement, least: int = 0) -> bool:
    """Whether two statements say the same but for one value, or but for what one denies.

    ``least``: words that they must share beside that.
    """
    before, after = parse_values(old.text), parse_values(new.text)
    if (_is_several(before, after, new) and new_values(after, before)) or _is_of_theirs(old) != _is_of_theirs(
        new
    ):
        return False
    words = statement_frame(old)
    same = len(words) >= least and words == statement_frame(new)
    return same and _is_of_theirs(old) == _is_of_theirs(new)


def _is_several(before: StatementValues, after: StatementValues, new: FactStatement) -> bool:
    """Whether more than one value is new, beside the day from which another holds."""
    kinds = {value.unit in DATE_UNITS or value for value in new_values(before, after)}
    begins = fact_pattern("begins", "zh" if new.chinese else "en").search(normalise(new.text))
    return len(kinds - {True} if begins and len(kinds) > 1 else kinds) > 1


def has_other_value(one: FactStatement, other: FactStatement) -> bool:
    """Whether each of two statements gives a value that the other does not, or one denies the other."""
    before, after = parse_values(one.text), parse_values(other.text)
    return _is_opposite(one, other) or bool(new_values(before, after) and new_values(after, before))


def statement_frame(one: FactStatement) -> frozenset[str]:
    """The words of a statement without its values, and what denies, or says that it changed or not."""
    words = parse_statement(denial_pattern(one).sub("", parse_values(one.text).rest)).words
    return frozenset(
        word for word in words if not is_value(word, one) and {"changes", "same"}.isdisjoint(marks_of(word))
    )


def _is_of_theirs(one: FactStatement) -> bool:
    """Whether it begins with a pronoun of somebody else."""
    return fact_pattern("theirs", "zh" if one.chinese else "en").search(normalise(one.text)) is not None


def is_of_another(old: FactStatement, new: FactStatement) -> bool:
    """Whether a number or a letter tells that two things of one kind are meant: ``bus 5``, ``bus 6``."""
    before, after = _which(old), _which(new)
    return bool(before and after) and before != after


def _which(one: FactStatement) -> list[str]:
    """The bare numbers and letters that a statement of nobody's begins with, and the letters within it."""
    if fact_pattern("own", "zh" if one.chinese else "en").match(normalise(one.text)):
        return []
    head = filter(is_sign, _words(one.text)[:HEAD_WORDS])
    return [word for word in head if not _is_measured(word, one)] or _LETTER.findall(one.text)


def _is_measured(word: str, one: FactStatement) -> bool:
    """Whether a word is a number that has a unit there."""
    bare = {value.amount for value in parse_values(one.text).values if not value.unit}
    return word.isdigit() and float(word) not in bare


def _is_opposite(old: FactStatement, new: FactStatement) -> bool:
    """Whether one denies what the other does not, or both deny but not the same."""
    if denies(old) != denies(new):
        return not has_opposite(old, new)
    return has_opposite(old, new) or (_denies_another(old, new) and _denies_another(new, old))


def _denies_another(one: FactStatement, other: FactStatement) -> bool:
    """Whether one denies what the other says beside what it denies: ``no meat but fish``, ``no fish``."""
    denied, said = _clause_words(one), _clause_words(other)
    return not (denied[True] - denied[False]).isdisjoint(said[False] - said[True])


def _clause_words(one: FactStatement) -> dict[bool, frozenset[str]]:
    """The words of the clauses of a statement that deny (True) and of those that do not."""
    clauses = [(denies(one, clause.text), clause.telling) for clause in split_clauses(one.text)]
    return {
        kind: frozenset[str]().union(*(words for denied, words in clauses if denied == kind))
        for kind in (True, False)
    }


def _is_named_anew(old: FactStatement, new: FactStatement) -> bool:
    """Whether the later one names what the earlier does not; of Chinese, what stands in Latin letters too."""
    latin = {word for word in new.words if word.isascii() and word.isalpha()} if new.chinese else set[str]()
    known = {*old.terms, *old.names, *old.tokens}
    return any(name not in known and name not in old.text for name in new.names | latin)


def _is_swapped(old: FactStatement, new: FactStatement, table: Embedder) -> bool:
    """Whether both say the same but for one word in one place, or but for what each ends with.

    ``I am a nurse``, ``I am a baker``; ``I am allergic to sesame``, ``I have an allergy to walnuts``.
    """
    before, after = (_words(parse_values(one.text).rest) for one in (old, new))
    swapped = _in_place(before, after)
    if not swapped:
        # The last telling word of each, where the other has all others
        left, right = statement_frame(old), statement_frame(new)
        both = left - right == {*old.words[-1:]} and right - left == {*new.words[-1:]}
        swapped = (old.words[-1], new.words[-1]) if both and old.words and new.words else None
    return swapped is not None and cosine(table, *swapped) < MIN_SAME_WORD_SIMILARITY


def _words(text: str) -> list[str]:
    """All words of a text in order."""
    return [word for clause in split_clauses(text) for word in clause.words]


def _in_place(before: Sequence[str], after: Sequence[str]) -> tuple[str, str] | None:
    """The telling word of each, where one stands for the other and all else is the same."""
    pieces = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    others = [(before[a:b], after[c:d]) for kind, a, b, c, d in pieces if kind != "equal"]
    if len(others) != 1 or 2 * len(others[0][0]) > len(before):
        return None
    gone, come = ([word for word in some if content_terms(word)] for some in others[0])
    return (gone[0], come[0]) if len(gone) == len(come) == 1 else None


# Where two texts tell otherwise of one matter: another number, another day, or the opposite. Rules alone.


MAX_SENTENCES = 24
"""Sentences of a text that are compared."""
HEADING, BULLETS = "#", ("-", "+", "*", "•", "·")
MIN_SHARED_TERMS = 0.5
"""Part of the terms of two sentences, numbers aside, that both must have before they are read closely."""
MIN_ASKED_SHARE = 0.5
"""Part of a question's words from which on a sentence that has them tells by itself of what it speaks."""


@dataclass(frozen=True, slots=True)
class SentenceTerms:
    """A sentence of a text, and its terms without numbers."""

    text: str
    terms: frozenset[str]


@lru_cache(maxsize=4096)
def split_sentences(text: str) -> tuple[SentenceTerms, ...]:
    """The first sentences of a text that say anything; headings do not."""
    told = (sentence.text.strip() for sentence in split_text(text)[:MAX_SENTENCES])
    made = (SentenceTerms(one, terms_without_numbers(one)) for one in told if not one.startswith(HEADING))
    return tuple(one for one in made if one.terms)


@lru_cache(maxsize=4096)
def terms_without_numbers(text: str) -> frozenset[str]:
    """The terms of a text without numbers."""
    return frozenset(term for term in content_terms(text) if not find_numbers(term))


def question_words(question: str) -> frozenset[str]:
    """The words of a question that tell what is asked about."""
    return statement_frame(parse_statement(without_mark("asks", question)))


def is_of_asked(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence names what is asked about, whatever it stands in; a line of a list does not."""
    listed = sentence.startswith(BULLETS)
    return not listed and len(asked & statement_frame(parse_statement(sentence))) >= MIN_ASKED_SHARE * max(
        1, len(asked)
    )


@lru_cache(maxsize=4096)
def conflicting_sentences(one: str, other: str) -> tuple[tuple[str, str], ...]:
    """The sentences of two texts that cannot both hold, if both speak of one thing."""
    return tuple(
        (a.text, b.text)
        for a, b in product(split_sentences(one), split_sentences(other))
        if len(a.terms & b.terms) >= MIN_SHARED_TERMS * max(len(a.terms), len(b.terms))
        and _conflict(a.text, b.text)
    )


def _conflict(one: str, other: str) -> bool:
    a, b = parse_statement(one), parse_statement(other)
    return has_other_value(a, b) and is_of_same(a, b, least=1) and not is_of_another(a, b)
