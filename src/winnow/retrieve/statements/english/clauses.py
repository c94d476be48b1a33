"""English text -> its clauses, and what stands around each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from winnow.language.patterns import patterns
from winnow.retrieve.statements.claims import groups, looks, phrases, words
from winnow.retrieve.statements.english.attributes import content, family

Tokens = tuple[str, ...]

_NAME = re.compile(r"(?<=[\w,'&-] )[A-Z][\w.&'-]*")
_FIRST = re.compile(r"(?:^|[.!?]\s+)([A-Z][a-z]+) ([a-z]+) ([a-z]+)([^.!?]*)")
_OWNER = re.compile(r"^([A-Z][a-z]+)'s\b")
_TOKEN = re.compile(r"(?:[^\s,!?\"()]|,(?=\d))+")
SHORT = 14
"""A sentence of fewer words is about one thing: what one clause says of change is said of all."""
_OF_MANY = re.compile(r"s'$")
_APOSTROPHE = re.compile("[\u2019\u2018]")
_SPELLED = (
    (re.compile(r"\b(i)'m\b"), r"\1 am"),
    (re.compile(r"\b(\w+)'re\b"), r"\1 are"),
    (re.compile(r"\b(\w+)'ve\b"), r"\1 have"),
    (re.compile(r"\b(\w+)'(?:ll|d)\b"), r"\1 would"),
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\b(\w+)n't\b"), r"\1 not"),
    (re.compile(r"\b(it|he|she|that|there|here|who|what)'s\b"), r"\1 is"),
)
"""What is written together, put apart."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a sentence says of its statements."""

    changed: bool
    """Something changed or was wrong."""
    recent: bool
    """It is news, which changes only what has one value."""
    tied: bool
    """It is said of one day."""
    over: frozenset[str]
    """Words of what holds no longer."""


@dataclass(frozen=True, slots=True)
class Said:
    """A clause from its subject on."""

    tokens: Tokens
    names: frozenset[str]
    """Words of the text that are written large inside a sentence."""
    marks: Marks


def clauses(text: str) -> Iterator[Said]:
    """The clauses that may state something: no questions, wishes or guesses."""
    split = patterns(__package__, "clauses.yaml")
    raw = split["abbreviated"].sub(r"\1", _APOSTROPHE.sub("'", text))
    names = large_words(raw)
    corrected = phrases("corrects").found(raw.lower())
    for sentence in split["sentence"].split(raw):
        if not sentence.rstrip().endswith("?"):
            yield from _of_sentence(sentence.lower(), names, corrected)


def large_words(raw: str) -> frozenset[str]:
    """Words that are written large inside a sentence, or carry an owner's mark at its beginning."""
    found = {name.lower().rstrip(".'") for name in _NAME.findall(raw)}
    found |= {name.removesuffix("'s") for name in found}
    found |= {m[1].lower() for m in _FIRST.finditer(raw) if family((m[2], m[3])) and not looks(m[4].lower())}
    return frozenset(found - words("self") - {""}) | {m[1].lower() for m in _OWNER.finditer(raw)}


def _of_sentence(sentence: str, names: frozenset[str], corrected: bool) -> Iterator[Said]:
    split = patterns(__package__, "clauses.yaml")
    plain = split["label"].sub(groups("labelled"), sentence)
    for pattern, put in _SPELLED:
        plain = pattern.sub(put, plain)
    plain = split["short_is"].sub(groups("labelled"), plain)
    short = plain.count(" ") < SHORT
    for clause in split["clause"].split(plain):
        tokens = _without_lead(tokens_of(clause))
        if len(tokens) > 1 and not words("unsure") & set(tokens):
            yield Said(tokens, names, _marks(plain if short else clause, corrected))


def _marks(sentence: str, corrected: bool) -> Marks:
    sentence = phrases("passing").pattern.sub("", sentence)
    changed = corrected or phrases("changes").found(sentence)
    tied = phrases("once").found(sentence)
    return Marks(changed, changed or phrases("recent").found(sentence), tied, _over(sentence))


def _over(sentence: str) -> frozenset[str]:
    """What the sentence says holds no longer: ``not Tuesday``, ``from Rome to Oslo``."""
    split = patterns(__package__, "clauses.yaml")
    found: set[str] = set()
    for match in split["over"].finditer(sentence):
        said = split["over_ends"].split(match["over"])[0].strip()
        found |= set(looks(said).values()) | content(tokens_of(said))
    return frozenset(found)


def tokens_of(text: str) -> Tokens:
    """The words of a text, without the marks around them."""
    tokens = (_OF_MANY.sub("s's", token).rstrip(".'") for token in _TOKEN.findall(text))
    return tuple(token for token in tokens if token)


def _without_lead(tokens: Tokens) -> Tokens:
    """The clause from its subject on."""
    while tokens and (length := phrases("lead").at(tokens)):
        tokens = tokens[length:]
    return tokens
