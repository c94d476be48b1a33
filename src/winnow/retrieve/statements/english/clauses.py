"""English text -> its clauses, and what stands around each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from winnow.language.patterns import compiled_patterns
from winnow.retrieve.statements.claims import phrase_list, statement_groups, statement_words, typed_values
from winnow.retrieve.statements.english.attributes import content_stems, verb_family

Tokens = tuple[str, ...]

_NAME = re.compile(r"(?<=[\w,'&-] )[A-Z][\w.&'-]*")
_FIRST = re.compile(r"(?:^|[.!?]\s+)([A-Z][a-z]+) ([a-z]+) ([a-z]+)([^.!?]*)")
_OWNER = re.compile(r"^([A-Z][a-z]+)'s\b")
_TOKEN = re.compile(r"(?:[^\s,!?\"()]|,(?=\d))+")
MAX_SINGLE_TOPIC_WORDS = 14
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
class ClauseMarks:
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
class EnglishClause:
    """A clause from its subject on."""

    tokens: Tokens
    names: frozenset[str]
    """Words of the text that are written large inside a sentence."""
    marks: ClauseMarks


def english_clauses(text: str) -> Iterator[EnglishClause]:
    """The clauses that may state something: no questions, wishes or guesses."""
    split = compiled_patterns(__package__, "clauses.yaml")
    raw = split["abbreviated"].sub(r"\1", _APOSTROPHE.sub("'", text))
    names = capitalized_words(raw)
    corrected = phrase_list("corrects").is_in(raw.lower())
    for sentence in split["sentence"].split(raw):
        if not sentence.rstrip().endswith("?"):
            yield from _of_sentence(sentence.lower(), names, corrected)


def capitalized_words(raw: str) -> frozenset[str]:
    """Words that are written large inside a sentence, or carry an owner's mark at its beginning."""
    found = {name.lower().rstrip(".'") for name in _NAME.findall(raw)}
    found |= {name.removesuffix("'s") for name in found}
    found |= {
        m[1].lower()
        for m in _FIRST.finditer(raw)
        if verb_family((m[2], m[3])) and not typed_values(m[4].lower())
    }
    return frozenset(found - statement_words("self") - {""}) | {m[1].lower() for m in _OWNER.finditer(raw)}


def _of_sentence(sentence: str, names: frozenset[str], corrected: bool) -> Iterator[EnglishClause]:
    split = compiled_patterns(__package__, "clauses.yaml")
    plain = split["label"].sub(statement_groups("labelled"), sentence)
    for pattern, put in _SPELLED:
        plain = pattern.sub(put, plain)
    plain = split["short_is"].sub(statement_groups("labelled"), plain)
    short = plain.count(" ") < MAX_SINGLE_TOPIC_WORDS
    for clause in split["clause"].split(plain):
        tokens = english_tokens(clause)
        while tokens and (length := phrase_list("lead").prefix_length(tokens)):
            tokens = tokens[length:]
        if len(tokens) > 1 and not statement_words("unsure") & set(tokens):
            yield EnglishClause(tokens, names, _marks(plain if short else clause, corrected))


def _marks(sentence: str, corrected: bool) -> ClauseMarks:
    sentence = phrase_list("passing").pattern.sub("", sentence)
    changed = corrected or phrase_list("changes").is_in(sentence)
    tied = phrase_list("once").is_in(sentence)
    # What the sentence says holds no longer: ``not Tuesday``, ``from Rome to Oslo``
    split = compiled_patterns(__package__, "clauses.yaml")
    found: set[str] = set()
    for match in split["over"].finditer(sentence):
        said = split["over_ends"].split(match["over"])[0].strip()
        found |= set(typed_values(said).values()) | content_stems(english_tokens(said))
    return ClauseMarks(changed, changed or phrase_list("recent").is_in(sentence), tied, frozenset(found))


def english_tokens(text: str) -> Tokens:
    """The words of a text, without the marks around them."""
    tokens = (_OF_MANY.sub("s's", token).rstrip(".'") for token in _TOKEN.findall(text))
    return tuple(token for token in tokens if token)
