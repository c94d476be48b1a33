"""Of whom and of what of theirs a clause speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import cast

from winnow.language.gazetteer import stem
from winnow.language.patterns import compiled_patterns
from winnow.retrieve.statements.claims import (
    SPEAKER,
    person_word,
    phrase_list,
    statement_groups,
    statement_words,
    typed_values,
)

# English text -> its clauses, and what stands around each of them.

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
    found |= {m[1].lower() for m in _OWNER.finditer(raw)}
    return frozenset(found.difference({""}, *map(statement_words, ("self", "contracted", "calendar"))))


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


# Attributes and values in one spelling.

MAX_VALUE_WORDS = 8
"""Words of a value."""


@dataclass(frozen=True, slots=True)
class ClauseValue:
    """What a clause says of something."""

    tokens: tuple[str, ...]
    looks: Mapping[str, str]
    words: frozenset[str]
    """Stems of what is no number, date or the like."""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not (self.looks or self.words)


def clause_value(tokens: Sequence[str]) -> ClauseValue:
    """The value behind what leads to it, up to what ends it."""
    start = 0
    while start < len(tokens) and tokens[start] in statement_words("into"):
        start += 1
    end = min(start + 1, len(tokens))
    while end < min(len(tokens), start + MAX_VALUE_WORDS) and tokens[end] not in statement_words("stop"):
        end += 1
    told = tuple(tokens[start:end])
    found = typed_values(" ".join(told))
    before = tokens[:start]
    if set(found) == {"number"} and statement_words("at") & set(before):
        found = {"time": found["number"]}
    return ClauseValue(told, found, content_stems(told) - (typed_words(told) if found else frozenset()))


def typed_words(tokens: Sequence[str]) -> frozenset[str]:
    """The words that are part of a number or a date."""
    return frozenset(stem(token) for token in tokens if typed_values(token)) | {
        stem(w) for w in statement_words("units")
    }


def content_stems(tokens: Sequence[str]) -> frozenset[str]:
    """Stems of the words that say something."""
    return frozenset(
        stem(token.removesuffix("'s")) for token in tokens if token not in statement_words("empty")
    )


@cache
def stem_list(name: str) -> frozenset[str]:
    """The stems of a list of words."""
    return frozenset(map(stem, statement_words(name)))


def canonical_attribute(what: Sequence[str]) -> frozenset[str]:
    """The attribute in one spelling: families for words of one meaning, else stems."""
    text, found = " ".join(what), set()
    for pattern, family in _families():
        text, times = pattern.subn(" ", text)
        if times:
            found.add(family)
    return frozenset(found) | content_stems(text.split())


@cache
def _families() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (
            re.compile(
                rf"(?<!\S)(?:{'|'.join(map(re.escape, sorted(alike, key=len, reverse=True)))})s?(?!\S)"
            ),
            name,
        )
        for name, alike in statement_groups("same").items()
    )


# The forms of the verbs that state something.

_ENDINGS = ("s", "es", "ed", "d", "ing")


@cache
def statement_verbs() -> frozenset[str]:
    """Plain forms of all verbs that are listed."""
    listed = {verb for family in statement_groups("says").values() for verb in family}
    return frozenset(listed) | statement_words("habit") | statement_words("change") | statement_words("leave")


@lru_cache(maxsize=16384)
def verb_lemma(token: str) -> str:
    """The plain form of a listed verb; any other word as it is."""
    known = _irregular().get(token)
    return known or next((plain for plain in _plain_forms(token) if plain in statement_verbs()), token)


def _irregular() -> Mapping[str, str]:
    return cast("Mapping[str, str]", statement_groups("irregular"))


def _plain_forms(token: str) -> Iterator[str]:
    yield token
    for ending in _ENDINGS:
        if token.endswith(ending):
            bare = token[: -len(ending)]
            yield from (bare, bare + "e", bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare)
    if token.endswith(("ies", "ied")):
        yield token[:-3] + "y"


@lru_cache(maxsize=16384)
def is_past(token: str) -> bool:
    """Whether a form of a verb tells of what was: an event is no habit."""
    irregular = token in _irregular() and not token.endswith(("s", "ing")) and token != verb_lemma(token)
    return irregular or token.endswith("ed")


def is_finite(token: str) -> bool:
    """Whether it is a verb of a third person: ``starts``, ``moved``."""
    return token != verb_lemma(token) and not token.endswith("ing") and verb_lemma(token) in statement_verbs()


def verb_family(tokens: Sequence[str]) -> str:
    """The attribute a verb and its preposition state (``live in``: home); empty where they state none."""
    verb = verb_lemma(tokens[0])
    following = tokens[1] if len(tokens) > 1 else ""
    for name, listed in statement_groups("says").items():
        leading = listed.get(verb, ())
        if following in leading or "" in leading:
            return str(name)
    return ""


# Of whom and of what of theirs a clause speaks.

NO_PERSON = ""
"""Who is meant by a pronoun that stands for nothing said."""
MAX_SUBJECT_WORDS = 8
"""Words of a subject, at most."""


@dataclass(frozen=True, slots=True)
class ClauseSubject:
    """Whose and what of theirs, and the words behind it."""

    who: str
    what: Tokens
    rest: Tokens
    fresh: bool = False
    """``new``, ``current``: there was another before."""
    topic: Tokens = ()
    """What was said to be another now, before it was said which: ``I switched dentists.``"""


def clause_subject(said: EnglishClause, before: ClauseSubject | None) -> ClauseSubject | None:
    """Whom the clause speaks of; a pronoun stands for the subject before, and so does nothing at all."""
    tokens, first = said.tokens, said.tokens[0]
    if first in statement_words("self"):
        return ClauseSubject(SPEAKER, (), tokens[1:])
    if first in statement_words("there"):
        if not before:
            return ClauseSubject(NO_PERSON, (), tokens[1:])
        # The subject before, which a pronoun stands for; ``it`` may be what was said to be new
        what = before.what or before.topic if tokens[0] in statement_words("it") else before.what
        return replace(before, what=what, rest=tokens[1:])
    if _begins_with_verb(tokens, before):
        if before is not None:
            return replace(before, rest=tokens)
        return (
            ClauseSubject(SPEAKER, (), tokens) if verb_lemma(tokens[0]) in statement_words("change") else None
        )
    end = _verb_at(tokens)
    return None if end is None else noun_phrase(tokens[:end], tokens[end:], said, before)


def _begins_with_verb(tokens: Tokens, before: ClauseSubject | None) -> bool:
    """Whether a clause has no subject of its own: ``moved to Oslo``, ``and drive a Fiat``."""
    first, second = tokens[0], tokens[1]
    if first in statement_words("change") and second in statement_words("owner") | statement_words(
        "determiner"
    ):
        return True
    if first in statement_words("auxiliary") or (
        first != verb_lemma(first) and first not in statement_words("nouns")
    ):
        return True
    return before is not None and first in statement_verbs() and second in statement_words("into")


def _verb_at(tokens: Tokens) -> int | None:
    """Where the finite verb of a third person stands, behind at least one word."""
    reached = enumerate(tokens[1 : MAX_SUBJECT_WORDS + 1], 1)
    return next(
        (at for at, token in reached if token in statement_words("copulas") or is_finite(token)), None
    )


def noun_phrase(
    phrase: Tokens, rest: Tokens, said: EnglishClause, before: ClauseSubject | None
) -> ClauseSubject | None:
    """``my sister's new number`` -> i/sister, number."""
    told = _head(tuple(token for token in phrase if token not in statement_words("silent")))
    if not told or statement_words("others").union(statement_words("further")) & set(told):
        return None
    owned = told[0] in statement_words("owner").union(statement_words("theirs"))
    root = None if not owned and _is_loose(phrase, told) else _root(told, said, before)
    chain, nouns = _owners(told[owned:], said.names, owned)
    if root is None or not (chain or nouns):
        return None
    return ClauseSubject("/".join([*root, *chain]), nouns, rest, _is_fresh(phrase))


def _is_fresh(phrase: Tokens) -> bool:
    """Whether a phrase says that there was another: ``my new number``, but not ``this new spot``."""
    return not statement_words("fresh").isdisjoint(phrase) and phrase[0] not in statement_words("pointing")


def _head(phrase: Tokens) -> Tokens:
    """A long phrase up to its first preposition: ``trash pickup (on our street)``."""
    if len(phrase) <= 3:
        return phrase
    at = next(
        (at for at, token in enumerate(phrase) if at and token in statement_words("located")), len(phrase)
    )
    return phrase[:at]


def _is_loose(phrase: Tokens, told: Tokens) -> bool:
    """Whether words without an article are rather a remark: ``taking care of them is``."""
    return phrase[0] not in statement_words("determiner") and (len(told) > 4 or told[0].endswith("ing"))


def is_person(name: str, names: frozenset[str]) -> bool:
    """Whether a word is a person's: by the word, or by how it is written."""
    return name in names or bool(person_word(name))


def _root(told: Tokens, said: EnglishClause, before: ClauseSubject | None) -> list[str] | None:
    """Whose the phrase is: the speaker's, or another's by name or by pronoun; None: nobody knows."""
    first = told[0]
    if first in statement_words("theirs"):
        return [before.who] if before and before.who != SPEAKER else None
    named = first.removesuffix("'s") in said.names and (len(told) == 1 or first.endswith("'s"))
    return [] if named else [SPEAKER]


def _owners(told: Tokens, names: frozenset[str], owned: bool) -> tuple[list[str], Tokens]:
    """The people it goes through, and the words of the attribute."""
    chain = [name for token in told if (name := token.removesuffix("'s")) != token and is_person(name, names)]
    nouns = tuple(
        name
        for token in told
        if (name := token.removesuffix("'s")) not in {*chain, *statement_words("empty")}
    )
    if nouns and (person_word(nouns[-1]) or (not owned and names.issuperset(nouns))):
        return [*chain, " ".join(nouns)], ()
    return chain, nouns
