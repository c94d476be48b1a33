"""Ways of saying an act, found in a sentence: their words stand around things, places and values.

All words of a way are looked for at once, so what stands between them is read by the grammar as ever.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from winnow.language.gazetteer import Entry, Gazetteer, Match, inside_words
from winnow.language.lexicon import surfaces
from winnow.language.ways.read import VERB, Way, ways
from winnow.language.ways.rules import Rule, first_of, rules, words_of
from winnow.understand.grammar.rulebook import NEVER, Rulebook
from winnow.understand.grammar.senses import Sense, before, sorts_of

WAY = "way"
"""The kind of the words of a way."""
IDIOM = 0.3
"""What the words of a way cost: what the grammar reads by its rules is read by them."""
_BETWEEN = re.compile("[。！？；.!?;]")
"""No way goes on behind the end of a sentence."""
Spoken = tuple[int, int, Sense]
"""Words of ways: where they begin and end, and as what."""
Found = dict[tuple[int, int, str], list[Way]]
"""Where words of ways stand, and as which symbol -> the ways."""


@dataclass(frozen=True, slots=True)
class _Ways:
    """The ways of a language by the words that come first in them."""

    first: Gazetteer
    goes_on: Mapping[str, tuple[Way, ...]]
    rules: Mapping[str, tuple[Rule, ...]]
    """By what they may begin with."""
    verbs: Mapping[str, tuple[Rule, ...]]
    """Those of the rules that are verbs."""


@cache
def _ways(language: str) -> _Ways:
    by_first: dict[str, list[Way]] = {}
    for way in ways(language):
        by_first.setdefault(way.words[0], []).append(way)
    by_word: dict[str, list[Rule]] = {}
    for rule in rules(language):
        for word in rule.first:
            by_word.setdefault(word, []).append(rule)
    return _Ways(
        Gazetteer(Entry(word, WAY) for word in by_first),
        {word: tuple(found) for word, found in by_first.items()},
        {word: tuple(found) for word, found in by_word.items()},
        {word: tuple(rule for rule in found if rule.is_verb) for word, found in by_word.items()},
    )


def said_ways(text: str, book: Rulebook) -> Iterator[Spoken]:
    """The words of ways in a text, each as one reading of its span."""
    inside = inside_words(text)
    known = _ways(book.language)
    found: Found = {}
    spoken = (at for at, ch in enumerate(text) if ch != " ")
    for first in chain.from_iterable(known.first.scan(text, spoken, inside)):
        for way in known.goes_on[first.entry.surface]:
            _note(way, _all_of(way, first, text, inside), found)
    _note_rules(known.rules, text, inside, found)
    yield from _readings(found, text, book)


def said_verbs(text: str, book: Rulebook) -> Iterator[Spoken]:
    """Those of them that are verbs by a rule and none of the lexicon: they belong to the grammar."""
    found: Found = {}
    _note_rules(_ways(book.language).verbs, text, inside_words(text), found)
    for start, end, sense in _readings(found, text, book):
        if text[start:end] not in surfaces("verb"):
            yield start, end, sense


def _note_rules(
    rules: Mapping[str, Sequence[Rule]], text: str, inside: Collection[int], found: Found
) -> None:
    words = words_of(text)
    for at in range(len(text)):
        if at not in inside:
            for rule in rules.get(first_of(text, at), ()):
                if not any(map(words.isdisjoint, rule.musts)):
                    _note(rule, _ruled(rule, at, text, inside), found)


def _readings(found: Found, text: str, book: Rulebook) -> Iterator[Spoken]:
    for (start, end, name), said in found.items():
        if name in book.ids:
            # One reading for all the ways these words may belong to; which of them it is, all its words
            # tell
            entry = Entry(text[start:end], WAY, {"ways": tuple(said)})
            is_verb = name.startswith(f"W{VERB}")
            symbols = ((book.ids[name], 0.0 if is_verb else IDIOM), *(book.any if is_verb else ()))
            bits = tuple((symbol, 1 << symbol, cost) for symbol, cost in symbols)
            ends = before(book, (symbol for symbol, _ in symbols))
            meaning = " ".join(sorted({way.meaning for way in said}))
            skip = NEVER if is_verb else -1.0
            yield start, end, Sense(bits, skip, WAY, entry, meaning, sorts_of(WAY, entry), ends, any=is_verb)


def _all_of(way: Way, first: Match, text: str, inside: Collection[int]) -> list[tuple[int, int]]:
    """Where each of its words stands, the nearest ones; empty where one of them does not."""
    spans = [(first.start, first.end)]
    for word in way.words[1:]:
        at = text.find(word, spans[-1][1] + 1)
        while at >= 0 and (at in inside or at + len(word) in inside):
            at = text.find(word, at + 1)
        if at < 0 or _BETWEEN.search(text, spans[-1][1], at):
            return []
        spans.append((at, at + len(word)))
    return spans


def _ruled(rule: Rule, at: int, text: str, inside: Collection[int]) -> list[tuple[int, int]]:
    """Where each of the pieces of a rule stands that begins at ``at``; empty where one of them does not."""
    spans: list[tuple[int, int]] = []
    for piece in rule.pieces:
        if spans:
            # Where a piece stands next that does not begin inside a word
            found = piece.search(text, spans[-1][1] + 1)
            while found and found.start() in inside:
                found = piece.search(text, found.start() + 1)
        else:
            found = piece.match(text, at)
        if found is None:
            return []
        end = len(text[: found.end()].rstrip())
        if end in inside or (spans and _BETWEEN.search(text, spans[-1][1], found.start())):
            return []
        spans.append((found.start(), end))
    return spans


def _note(way: Way, spans: list[tuple[int, int]], found: Found) -> None:
    for number, (start, end) in enumerate(spans):
        found.setdefault((start, end, f"W{way.shape}{number}"), []).append(way)
