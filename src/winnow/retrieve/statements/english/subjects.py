"""Of whom and of what of theirs a clause speaks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from winnow.retrieve.statements.claims import SPEAKER, Tone, person_word, phrase_list, statement_words
from winnow.retrieve.statements.english.attributes import is_finite, statement_verbs, verb_lemma
from winnow.retrieve.statements.english.clauses import (
    EnglishClause,
    Tokens,
    capitalized_words,
    english_tokens,
)

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


# How an English text tells what it tells.


def english_tone(text: str) -> Tone:
    """The tone of an English text."""
    tokens = english_tokens(text.lower())
    bare = _bare(tokens)
    named = _bare(token for token in tokens if token.endswith("'s"))
    names = _bare(capitalized_words(text))
    plain = phrase_list("passing").pattern.sub("", text.lower())
    return Tone(
        owners=_people(bare) | (named & names),
        names=names,
        words=bare,
        first=_first(text),
        there=not (statement_words("there") | statement_words("theirs")).isdisjoint(bare),
        changed=_has(plain, "corrects", "changes"),
        ended=_has(plain, "recent", "ended"),
        asks=plain.rstrip().endswith("?"),
        then=_has(plain, "asks_then"),
        before=_has(plain, "asks_before"),
    )


def _bare(tokens: Iterable[str]) -> frozenset[str]:
    """Words without the mark of an owner."""
    return frozenset(token.removesuffix("'s") for token in tokens)


def _has(plain: str, *lists: str) -> bool:
    """Whether a text has a phrase of these lists."""
    return any(phrase_list(name).is_in(plain) for name in lists)


def _people(tokens: Iterable[str]) -> frozenset[str]:
    """The people among words."""
    return frozenset(filter(None, map(person_word, tokens)))


def _first(text: str) -> frozenset[str]:
    """Whom the first words speak of: ``my sister``, ``Gran``, ``Ben's``, ``Lena eats``."""
    large = text[:1].isupper()
    tokens = english_tokens(text[:60])[:2]
    if len(tokens) < 2:
        return frozenset()
    first, second = (token.lower().removesuffix("'s") for token in tokens)
    led = first in statement_words("owner") | statement_words("theirs") | statement_words("determiner")
    people = _people((first, second) if led else (first,))
    if people or not large or first in _openers():
        return people
    named = (
        tokens[0].endswith("'s")
        or second.endswith("s")
        or second in statement_words("copulas") | statement_words("joins")
    )
    return frozenset({first}) if named else frozenset()


@cache
def _openers() -> frozenset[str]:
    """What begins a sentence and is no name."""
    lists = ("owner", "self", "there", "theirs", "determiner", "others", "copulas", "adverb", "unsure")
    return frozenset().union(*map(statement_words, lists))
