"""The readings of a word or paraphrase: what the grammar may take it for, and what skipping it costs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import NamedTuple

from winnow.language.gazetteer import Gazetteer, GazetteerEntry, GazetteerMatch, inside_words
from winnow.language.lexicon import surfaces
from winnow.language.normalize import is_han
from winnow.language.ways.idioms import composed_forms, turns
from winnow.language.ways.templates import (
    TURNED,
    VERB,
    ParaphraseTemplate,
    TemplateRule,
    first_of,
    rules,
    ways,
    words_of,
)
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS
from winnow.understand.grammar.rulebook import INFINITE_COST, Rulebook

HOURS_PER_DAY = 24
MANY_SYMBOL = "many"
"""In the place of its unit: a number without one that is no hour."""
UNKNOWN_SYMBOL = "unknown"
MAX_STRANGE_WORDS = 10_000
"""Words that nothing explains, kept with their readings."""
MAX_KNOWN_ENTRIES = 50_000
"""Entries whose readings are kept."""
ACT_KINDS = frozenset({"verb", "step"})
CONTENT_KINDS = DEVICE_KINDS | PLACE_KINDS
VALUED_KINDS = frozenset({"white", "property", "mode", "choice", "step"})
"""Kinds of words for values that are made of others: ``warm white``, ``color temperature``."""
STAYING_KINDS = frozenset({"type", "readable"})
"""Kinds of words that stay what they are where they are also a name."""
FIRM_KINDS = frozenset(
    {"condition", "negation", "except", "correction", "question", "number", "timing", "compare", "hostile"}
    | {"reference", "conj"}
)
"""Kinds of longer words that are not torn apart cheaply."""
IS_CONTENT, IS_FIRM, IS_KNOWN, IS_ROOM, IS_PART, IS_ACT, IS_PLACE, IS_HOME, IS_TIME = (
    1 << n for n in range(9)
)
"""Bits of what a reading is as far as words inside or around it are concerned."""
Symbols = tuple[tuple[int, int, float], ...]
"""(symbol, its bit, cost) of what a word may be."""


class Sense(NamedTuple):
    """One reading of an entry: its symbols with their cost, and the price of passing it over."""

    symbols: Symbols
    skip: float
    kind: str
    entry: GazetteerEntry
    meaning: str
    sorts: int
    """What it is as far as words inside or around it are concerned, as bits."""
    before: int
    """Mask of the symbols that may end where it begins."""
    any: bool = True
    """Whether the last of its symbols is that of any word."""


@dataclass(slots=True)
class SenseCache:
    """The readings of the entries met so far, kept as long as the vocabulary they belong to."""

    book: Rulebook
    known: dict[int, tuple[tuple[Sense, ...], GazetteerEntry]] = field(default_factory=dict)
    """Readings of an entry by its id, and the entry itself, so that the id stays its own."""
    strange: dict[str, Sense] = field(default_factory=dict)

    def entry_senses(self, entry: GazetteerEntry) -> tuple[Sense, ...]:
        """Every reading of an entry."""
        found = self.known.get(id(entry))
        if found is None:
            if len(self.known) > MAX_KNOWN_ENTRIES:
                self.known.clear()
            found = self.known[id(entry)] = tuple(self._entry_senses(entry)), entry
        return found[0]

    def unknown(self, word: str, kind: str) -> Sense:
        """The reading of what nothing explains."""
        if len(self.strange) > MAX_STRANGE_WORDS:
            self.strange.clear()
        found = self.strange.get(word)
        if found is None:
            found = self.strange[word] = self.sense(GazetteerEntry(word, "word"), kind, "")
        return found

    def _entry_senses(self, entry: GazetteerEntry) -> Iterable[Sense]:
        also = entry.data.get("also")
        # What a word means; of a number its unit, or whether without one it may be an hour
        if entry.kind != "number":
            what = str(entry.data.get("is", ""))
        else:
            unit = str(entry.data.get("unit", ""))
            what = unit or (MANY_SYMBOL if float(str(entry.data.get("value", 0))) > HOURS_PER_DAY else "")
        senses = [(entry.kind, what), *(also.items() if isinstance(also, dict) else ())]
        if "named" in entry.data and entry.kind not in STAYING_KINDS:
            senses.append(("name", ""))
        also_form = entry.data.get("also_form")
        forms = dict(also_form) if isinstance(also_form, dict) else {}
        forms[entry.kind] = entry.data.get("form")
        for kind, meaning in senses:
            form = forms.get(kind)
            yield self.sense(entry, f"{kind}.{form}" if form else kind, str(meaning))

    def sense(self, entry: GazetteerEntry, kind: str, meaning: str) -> Sense:
        """One reading of an entry, as of a section of the lexicon."""
        section, book = kind.partition(".")[0], self.book
        spoken = section != "mark"  # no mark is a word
        # What it is in talk, unless it may bind, deny or report what stands beside it.
        exact = (kind, f"{section}.{meaning}")
        in_talk = (symbol for symbol, never in book.talk if never.isdisjoint(exact))
        talk = (*in_talk, *book.any) if spoken else ()
        words = (*self._entry_symbols(entry, kind, meaning), *talk)
        bits = tuple((symbol, 1 << symbol, cost) for symbol, cost in words)
        ends = mask_before(book, (symbol for symbol, _ in words))
        skip = book.skips.get(f"{kind}.{meaning}", book.skips.get(kind, INFINITE_COST))
        return Sense(bits, skip, section, entry, meaning, sense_sorts(section, entry), ends, any=spoken)

    def _entry_symbols(self, entry: GazetteerEntry, kind: str, meaning: str) -> list[tuple[int, float]]:
        """What the grammar calls it: by its exact meaning, else by its section, and by its last character."""
        if kind.startswith("part."):
            return [(self.book.symbol(meaning), 0.0)]
        exact, classes = f"{kind}.{meaning}", self.book.classes
        named = classes.get(exact) or classes.get(kind) or ()
        return [*named, *classes.get(f"{exact}~{entry.surface[-1:]}", ())]


def mask_before(book: Rulebook, symbols: Iterable[int]) -> int:
    """Mask of the symbols that may end where any of these begins."""
    mask = 0
    for symbol in symbols:
        mask |= book.may_precede(symbol)
    return mask


def sense_sorts(kind: str, entry: GazetteerEntry) -> int:
    """What a reading is as far as words inside or around it are concerned, as bits."""
    place = kind in PLACE_KINDS
    held = (
        (IS_CONTENT, kind in CONTENT_KINDS | VALUED_KINDS),
        (IS_FIRM, kind in FIRM_KINDS),
        (IS_KNOWN, kind != UNKNOWN_SYMBOL),
        (IS_ROOM, kind == "room"),
        (IS_PART, kind == "part"),
        (IS_ACT, kind in ACT_KINDS and is_han(entry.surface[:1] or " ")),
        (IS_PLACE, place),
        (IS_TIME, kind == "timing"),
        (IS_HOME, kind in PLACE_KINDS | {"group"} and bool(entry.refs)),
    )
    return sum(bit for bit, holds in held if holds)


# Ways of saying an act, found in a sentence: their words stand around things, places and values.


PARAPHRASE_KIND = "way"
"""The kind of the words of a way."""
IDIOM_PRICE = 0.3
"""What the words of a way cost: what the grammar reads by its rules is read by them."""
_BETWEEN = re.compile("[。！？；.!?;]")
"""No way goes on behind the end of a sentence."""
SpanReading = tuple[int, int, Sense]
"""Words of ways: where they begin and end, and as what."""
PhraseSpans = dict[tuple[int, int, str], list[ParaphraseTemplate]]
"""Where words of ways stand, and as which symbol -> the ways."""


@dataclass(frozen=True, slots=True)
class _Templates:
    """The ways of a language by the words that come first in them."""

    first: Gazetteer
    goes_on: Mapping[str, tuple[ParaphraseTemplate, ...]]
    rules: Mapping[str, tuple[TemplateRule, ...]]
    """By what they may begin with."""
    verbs: Mapping[str, tuple[TemplateRule, ...]]
    """Those of the rules that are verbs."""


@cache
def _templates(language: str) -> _Templates:
    by_first: dict[str, list[ParaphraseTemplate]] = {}
    for way in ways(language):
        by_first.setdefault(way.words[0], []).append(way)
    by_word: dict[str, list[TemplateRule]] = {}
    for rule in rules(language):
        for word in rule.first:
            by_word.setdefault(word, []).append(rule)
    return _Templates(
        Gazetteer(GazetteerEntry(word, PARAPHRASE_KIND) for word in by_first),
        {word: tuple(found) for word, found in by_first.items()},
        {word: tuple(found) for word, found in by_word.items()},
        {word: tuple(rule for rule in found if rule.is_verb) for word, found in by_word.items()},
    )


def paraphrase_words(text: str, book: Rulebook) -> Iterator[SpanReading]:
    """The words of ways in a text, each as one reading of its span."""
    inside = inside_words(text)
    known = _templates(book.language)
    found: PhraseSpans = {}
    spoken = (at for at, ch in enumerate(text) if ch != " ")
    for first in chain.from_iterable(known.first.scan(text, spoken, inside)):
        for way in known.goes_on[first.entry.surface]:
            _add_spans(way, _template_spans(way, first, text, inside), found)
    _add_rule_spans(known.rules, text, inside, found)
    yield from _span_readings(found, text, book)


def paraphrase_verbs(text: str, book: Rulebook) -> Iterator[SpanReading]:
    """Those of them that are verbs by a rule and none of the lexicon: they belong to the grammar."""
    found: PhraseSpans = {}
    _add_rule_spans(_templates(book.language).verbs, text, inside_words(text), found)
    for start, end, sense in _span_readings(found, text, book):
        if text[start:end] not in surfaces("verb"):
            yield start, end, sense


def _add_rule_spans(
    rules: Mapping[str, Sequence[TemplateRule]], text: str, inside: Collection[int], found: PhraseSpans
) -> None:
    words = words_of(text)
    for at in range(len(text)):
        if at not in inside:
            for rule in rules.get(first_of(text, at), ()):
                if not any(map(words.isdisjoint, rule.musts)):
                    _add_spans(rule, _rule_spans(rule, at, text, inside), found)


def _span_readings(found: PhraseSpans, text: str, book: Rulebook) -> Iterator[SpanReading]:
    for (start, end, name), said in found.items():
        if name in book.ids:
            # One reading for all the ways these words may belong to; which of them it is, all its words
            # tell
            entry = GazetteerEntry(text[start:end], PARAPHRASE_KIND, {"ways": tuple(said)})
            is_verb = name.startswith(f"W{VERB}")
            symbols = ((book.ids[name], 0.0 if is_verb else IDIOM_PRICE), *(book.any if is_verb else ()))
            bits = tuple((symbol, 1 << symbol, cost) for symbol, cost in symbols)
            ends = mask_before(book, (symbol for symbol, _ in symbols))
            meaning = " ".join(sorted({way.meaning for way in said}))
            skip = INFINITE_COST if is_verb else -1.0
            yield (
                start,
                end,
                Sense(
                    bits,
                    skip,
                    PARAPHRASE_KIND,
                    entry,
                    meaning,
                    sense_sorts(PARAPHRASE_KIND, entry),
                    ends,
                    any=is_verb,
                ),
            )


def _template_spans(
    way: ParaphraseTemplate, first: GazetteerMatch, text: str, inside: Collection[int]
) -> list[tuple[int, int]]:
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


def _rule_spans(rule: TemplateRule, at: int, text: str, inside: Collection[int]) -> list[tuple[int, int]]:
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


def _add_spans(way: ParaphraseTemplate, spans: list[tuple[int, int]], found: PhraseSpans) -> None:
    for number, (start, end) in enumerate(spans):
        found.setdefault((start, end, f"W{way.shape}{number}"), []).append(way)


# The words that ways are composed of by rule, found in a sentence.


STRUCTURE_KIND = "part"
"""The kind of words that only the structure needs."""
UNTOLD_SKIP = -1.0
"""Whether such a word may be passed over, its other readings tell."""


def composed_words(text: str, book: Rulebook) -> Iterator[tuple[int, int, Sense]]:
    """The words in a text that ways are composed of, each as one reading of its span."""
    spoken = (at for at, ch in enumerate(text) if ch != " ")
    for start, end, entry in chain.from_iterable(
        _composed_gazetteer(book.language).scan(text, spoken, inside_words(text))
    ):
        # Made once a book, in its symbols; the entry is kept with it, so that its id stays its own
        known = book.composed
        if id(entry) not in known:
            symbol = book.symbol(str(entry.data["is"]))
            symbols, ends = ((symbol, 1 << symbol, 0.0),), mask_before(book, (symbol,))
            meaning = " ".join(sorted({way.meaning for way in entry.data.get("ways", ())}))  # type: ignore[attr-defined]
            sorts = sense_sorts(entry.kind, entry)
            made = Sense(
                symbols,
                UNTOLD_SKIP,
                entry.kind,
                entry,
                meaning or str(entry.data["is"]),
                sorts,
                ends,
                any=False,
            )
            known[id(entry)] = made, entry
        yield start, end, known[id(entry)][0]


@cache
def _composed_gazetteer(language: str) -> Gazetteer:
    entries = []
    for word in composed_forms(language):
        data: dict[str, object] = {"is": word.symbol, "ways": word.ways} if word.ways else {"is": word.symbol}
        entries.append(GazetteerEntry(word.surface, PARAPHRASE_KIND if word.ways else STRUCTURE_KIND, data))
    return Gazetteer(entries)


# Turns of phrase in a sentence: words read only where a production asks for them.


UNDECIDED_SKIP = -1.0


@cache
def _idiom_gazetteer(language: str) -> Gazetteer:
    return Gazetteer(GazetteerEntry(t.text, t.symbol, {"ways": t.ways}) for t in turns(language))


def idiom_words(text: str, book: Rulebook) -> Iterator[SpanReading]:
    """The turns of phrase in a text, each as one reading of its span."""
    spoken = (at for at, ch in enumerate(text) if ch != " ")
    for here in _idiom_gazetteer(book.language).scan(text, spoken, inside_words(text)):
        for found in here:
            if found.entry.kind in book.ids:
                word = found.entry
                ways: tuple[ParaphraseTemplate, ...] = word.data["ways"]  # type: ignore[assignment]
                entry = _idiom_entry(word.surface, word.kind, ways)
                symbol = book.ids[word.kind]
                meaning = " ".join(sorted({way.meaning for way in ways})) or word.kind
                symbols = ((symbol, 1 << symbol, 0.0),)
                ends = mask_before(book, (symbol,))
                sense = Sense(
                    symbols,
                    UNDECIDED_SKIP,
                    entry.kind,
                    entry,
                    meaning,
                    sense_sorts(entry.kind, entry),
                    ends,
                    any=False,
                )
                yield found.start, found.end, sense


@cache
def _idiom_entry(text: str, symbol: str, ways: tuple[ParaphraseTemplate, ...]) -> GazetteerEntry:
    if not ways:
        return GazetteerEntry(text, "part", {"is": symbol, "way": text})
    return GazetteerEntry(
        text, PARAPHRASE_KIND, {"ways": ways, TURNED: True} if symbol == "CEASING" else {"ways": ways}
    )
