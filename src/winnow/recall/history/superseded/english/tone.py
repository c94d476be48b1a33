"""How an English text tells what it tells."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from winnow.recall.history.superseded.english.clauses import large_words, tokens_of
from winnow.recall.history.superseded.tone import Tone
from winnow.recall.history.superseded.words import person_in, phrases, words


def english_tone(text: str) -> Tone:
    """The tone of an English text."""
    tokens = tokens_of(text.lower())
    bare = _bare(tokens)
    named = _bare(token for token in tokens if token.endswith("'s"))
    names = _bare(large_words(text))
    plain = phrases("passing").pattern.sub("", text.lower())
    return Tone(
        owners=_people(bare) | (named & names),
        names=names,
        words=bare,
        first=_first(text),
        there=not (words("there") | words("theirs")).isdisjoint(bare),
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
    return any(phrases(name).found(plain) for name in lists)


def _people(tokens: Iterable[str]) -> frozenset[str]:
    """The people among words."""
    return frozenset(filter(None, map(person_in, tokens)))


def _first(text: str) -> frozenset[str]:
    """Whom the first words speak of: ``my sister``, ``Gran``, ``Ben's``, ``Lena eats``."""
    large = text[:1].isupper()
    tokens = tokens_of(text[:60])[:2]
    if len(tokens) < 2:
        return frozenset()
    first, second = (token.lower().removesuffix("'s") for token in tokens)
    led = first in words("owner") | words("theirs") | words("determiner")
    people = _people((first, second) if led else (first,))
    if people or not large or first in _openers():
        return people
    named = tokens[0].endswith("'s") or second.endswith("s") or second in words("copulas") | words("joins")
    return frozenset({first}) if named else frozenset()


@cache
def _openers() -> frozenset[str]:
    """What begins a sentence and is no name."""
    lists = ("owner", "self", "there", "theirs", "determiner", "others", "copulas", "adverb", "unsure")
    return frozenset().union(*map(words, lists))
