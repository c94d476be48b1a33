"""What a later statement tells that an earlier one does not, by rules: then it is no repetition of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product

from winnow.language.content_words import content_terms
from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.sentences import sentences
from winnow.ports.services import Embedder
from winnow.retrieve.facts.contradiction import denial, denies, is_value, opposed
from winnow.retrieve.facts.extract import Said, marks_of, pattern, said, without
from winnow.retrieve.facts.overlap import cosine
from winnow.retrieve.facts.topic import clauses_of, is_sign
from winnow.retrieve.facts.values import OF_DATE, Given, given, unknown
from winnow.retrieve.statements.supersession import matter

VALUE, NAME, OPPOSITE = "another value of the same", "another name", "now the opposite"
NEWS = frozenset({VALUE, NAME, OPPOSITE})
_LETTER = re.compile(r"(?<=[^\W\d_] )[A-HJ-Z](?![\w'.])|(?<=[\u3400-\u9fff])[A-Z](?![A-Za-z0-9'.])")
"""A capital that names one of several: ``room A``, ``方案B``."""
HEAD = 3
"""Words in which a statement says of which of several things it speaks."""
ALIKE = 0.8
"""Cosine from which two words that stand in each other's place say the same."""


def novelty(old: Said, new: Said, table: Embedder) -> str:
    """The rule by which the later statement is news beside the earlier; empty: nothing of it is new.

    Whether something is denied; numbers with their units, hours, days and codes; names; what the grammar of
    both tells of one attribute; another word where all the others are the same.
    """
    if _is_opposite(old, new):
        return OPPOSITE
    if unknown(given(old.text), given(new.text)):
        return VALUE
    if _is_named_anew(old, new):
        return NAME
    claims = product(old.claims, new.claims)
    matters = {matter(a, b) for a, b in claims if a.who == b.who} - {""}
    is_other = "replaced" in matters if matters else _is_swapped(old, new, table)
    return VALUE if is_other else ""


def is_of_same(old: Said, new: Said, least: int = 0) -> bool:
    """Whether two statements say the same but for one value, or but for what one denies.

    ``least``: words that they must share beside that.
    """
    before, after = given(old.text), given(new.text)
    if (_is_several(before, after, new) and unknown(after, before)) or _is_of_theirs(old) != _is_of_theirs(
        new
    ):
        return False
    words = frame(old)
    same = len(words) >= least and words == frame(new)
    return same and _is_of_theirs(old) == _is_of_theirs(new)


def _is_several(before: Given, after: Given, new: Said) -> bool:
    """Whether more than one value is new, beside the day from which another holds."""
    kinds = {value.unit in OF_DATE or value for value in unknown(before, after)}
    begins = pattern("begins", "zh" if new.chinese else "en").search(normalise(new.text))
    return len(kinds - {True} if begins and len(kinds) > 1 else kinds) > 1


def is_other(one: Said, other: Said) -> bool:
    """Whether each of two statements gives a value that the other does not, or one denies the other."""
    before, after = given(one.text), given(other.text)
    return _is_opposite(one, other) or bool(unknown(before, after) and unknown(after, before))


def frame(one: Said) -> frozenset[str]:
    """The words of a statement without its values, and without what denies or says that it changed."""
    words = said(denial(one).sub("", given(one.text).rest)).words
    return frozenset(word for word in words if not is_value(word, one) and "changes" not in marks_of(word))


def _is_of_theirs(one: Said) -> bool:
    """Whether it begins with a pronoun of somebody else."""
    return pattern("theirs", "zh" if one.chinese else "en").search(normalise(one.text)) is not None


def is_of_another(old: Said, new: Said) -> bool:
    """Whether a number or a letter tells that two things of one kind are meant: ``bus 5``, ``bus 6``."""
    before, after = _which(old), _which(new)
    return bool(before and after) and before != after


def _which(one: Said) -> list[str]:
    """The bare numbers and letters that a statement of nobody's begins with, and the letters within it."""
    if pattern("own", "zh" if one.chinese else "en").match(normalise(one.text)):
        return []
    head = filter(is_sign, _words(one.text)[:HEAD])
    return [word for word in head if not _is_measured(word, one)] or _LETTER.findall(one.text)


def _is_measured(word: str, one: Said) -> bool:
    """Whether a word is a number that has a unit there."""
    bare = {value.amount for value in given(one.text).values if not value.unit}
    return word.isdigit() and float(word) not in bare


def _is_opposite(old: Said, new: Said) -> bool:
    """Whether one denies what the other does not, or both deny but not the same."""
    if denies(old) != denies(new):
        return not opposed(old, new)
    return opposed(old, new) or (_denies_another(old, new) and _denies_another(new, old))


def _denies_another(one: Said, other: Said) -> bool:
    """Whether one denies what the other says beside what it denies: ``no meat but fish``, ``no fish``."""
    denied, said = _told(one), _told(other)
    return not (denied[True] - denied[False]).isdisjoint(said[False] - said[True])


def _told(one: Said) -> dict[bool, frozenset[str]]:
    """The words of the clauses of a statement that deny (True) and of those that do not."""
    clauses = [(denies(one, clause.text), clause.telling) for clause in clauses_of(one.text)]
    return {
        kind: frozenset[str]().union(*(words for denied, words in clauses if denied == kind))
        for kind in (True, False)
    }


def _is_named_anew(old: Said, new: Said) -> bool:
    """Whether the later one names what the earlier does not; of Chinese, what stands in Latin letters too."""
    latin = {word for word in new.words if word.isascii() and word.isalpha()} if new.chinese else set[str]()
    known = {*old.terms, *old.names, *old.tokens}
    return any(name not in known and name not in old.text for name in new.names | latin)


def _is_swapped(old: Said, new: Said, table: Embedder) -> bool:
    """Whether both say the same but for one word in one place, or but for what each ends with.

    ``I am a nurse``, ``I am a baker``; ``I am allergic to sesame``, ``I have an allergy to walnuts``.
    """
    before, after = (_words(given(one.text).rest) for one in (old, new))
    swapped = _in_place(before, after) or _at_the_end(old, new)
    return swapped is not None and cosine(table, *swapped) < ALIKE


def _words(text: str) -> list[str]:
    """All words of a text in order."""
    return [word for clause in clauses_of(text) for word in clause.words]


def _in_place(before: Sequence[str], after: Sequence[str]) -> tuple[str, str] | None:
    """The telling word of each, where one stands for the other and all else is the same."""
    pieces = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    others = [(before[a:b], after[c:d]) for kind, a, b, c, d in pieces if kind != "equal"]
    if len(others) != 1 or 2 * len(others[0][0]) > len(before):
        return None
    gone, come = ([word for word in some if content_terms(word)] for some in others[0])
    return (gone[0], come[0]) if len(gone) == len(come) == 1 else None


def _at_the_end(old: Said, new: Said) -> tuple[str, str] | None:
    """The last telling word of each, where the other has all others."""
    before, after = frame(old), frame(new)
    both = before - after == {*old.words[-1:]} and after - before == {*new.words[-1:]}
    return (old.words[-1], new.words[-1]) if both and old.words and new.words else None


# Where two texts tell otherwise of one matter: another number, another day, or the opposite. Rules alone.


MOST = 24
"""Sentences of a text that are compared."""
HEADING, BULLETS = "#", ("-", "+", "*", "•", "·")
SHARED = 0.5
"""Part of the terms of two sentences, numbers aside, that both must have before they are read closely."""
ASKED = 0.5
"""Part of a question's words from which on a sentence that has them tells by itself of what it speaks."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence of a text, and its terms without numbers."""

    text: str
    terms: frozenset[str]


@lru_cache(maxsize=4096)
def stated(text: str) -> tuple[Stated, ...]:
    """The first sentences of a text that say anything; headings do not."""
    told = (sentence.text.strip() for sentence in sentences(text)[:MOST])
    made = (Stated(one, terms(one)) for one in told if not one.startswith(HEADING))
    return tuple(one for one in made if one.terms)


def terms(text: str) -> frozenset[str]:
    """The terms of a text without numbers."""
    return frozenset(term for term in content_terms(text) if not find_numbers(term))


def asked_words(question: str) -> frozenset[str]:
    """The words of a question that tell what is asked about."""
    return frame(said(without("asks", question)))


def is_of_asked(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence names what is asked about, whatever it stands in; a line of a list does not."""
    listed = sentence.startswith(BULLETS)
    return not listed and len(asked & frame(said(sentence))) >= ASKED * max(1, len(asked))


def conflicts(one: str, other: str) -> Iterator[tuple[str, str]]:
    """The sentences of two texts that cannot both hold, if both speak of one thing."""
    for a, b in product(stated(one), stated(other)):
        if len(a.terms & b.terms) >= SHARED * max(len(a.terms), len(b.terms)) and _conflict(a.text, b.text):
            yield a.text, b.text


def _conflict(one: str, other: str) -> bool:
    a, b = said(one), said(other)
    return is_other(a, b) and is_of_same(a, b, least=1) and not is_of_another(a, b)
