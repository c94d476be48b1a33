"""The readings of a word: what the grammar may take it for, and the price of passing it over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from winnow.language.gazetteer import Entry
from winnow.language.normalise import is_han
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS
from winnow.understand.grammar.rulebook import NEVER, Rulebook

HOURS = 24
MANY = "many"
"""In the place of its unit: a number without one that is no hour."""
UNKNOWN = "unknown"
STRANGE = 10_000
"""Words that nothing explains, kept with their readings."""
KNOWN = 50_000
"""Entries whose readings are kept."""
ACTS = frozenset({"verb", "step"})
CONTENT = DEVICE_KINDS | PLACE_KINDS
VALUED = frozenset({"white", "property", "mode", "choice", "step"})
"""Kinds of words for values that are made of others: ``warm white``, ``color temperature``."""
STAYING = frozenset({"type", "readable"})
"""Kinds of words that stay what they are where they are also a name."""
FIRM = frozenset(
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
    entry: Entry
    meaning: str
    sorts: int
    """What it is as far as words inside or around it are concerned, as bits."""
    before: int
    """Mask of the symbols that may end where it begins."""
    any: bool = True
    """Whether the last of its symbols is that of any word."""


@dataclass(slots=True)
class Senses:
    """The readings of the entries met so far, kept as long as the vocabulary they belong to."""

    book: Rulebook
    known: dict[int, tuple[tuple[Sense, ...], Entry]] = field(default_factory=dict)
    """Readings of an entry by its id, and the entry itself, so that the id stays its own."""
    strange: dict[str, Sense] = field(default_factory=dict)

    def of(self, entry: Entry) -> tuple[Sense, ...]:
        """Every reading of an entry."""
        found = self.known.get(id(entry))
        if found is None:
            if len(self.known) > KNOWN:
                self.known.clear()
            found = self.known[id(entry)] = tuple(self._made(entry)), entry
        return found[0]

    def unknown(self, word: str, kind: str) -> Sense:
        """The reading of what nothing explains."""
        if len(self.strange) > STRANGE:
            self.strange.clear()
        found = self.strange.get(word)
        if found is None:
            found = self.strange[word] = self.sense(Entry(word, "word"), kind, "")
        return found

    def _made(self, entry: Entry) -> Iterable[Sense]:
        also = entry.data.get("also")
        # What a word means; of a number its unit, or whether without one it may be an hour
        if entry.kind != "number":
            what = str(entry.data.get("is", ""))
        else:
            unit = str(entry.data.get("unit", ""))
            what = unit or (MANY if float(str(entry.data.get("value", 0))) > HOURS else "")
        senses = [(entry.kind, what), *(also.items() if isinstance(also, dict) else ())]
        if "named" in entry.data and entry.kind not in STAYING:
            senses.append(("name", ""))
        also_form = entry.data.get("also_form")
        forms = dict(also_form) if isinstance(also_form, dict) else {}
        forms[entry.kind] = entry.data.get("form")
        for kind, meaning in senses:
            form = forms.get(kind)
            yield self.sense(entry, f"{kind}.{form}" if form else kind, str(meaning))

    def sense(self, entry: Entry, kind: str, meaning: str) -> Sense:
        """One reading of an entry, as of a section of the lexicon."""
        section, book = kind.partition(".")[0], self.book
        spoken = section != "mark"  # no mark is a word
        talk = (*self._talk(kind, f"{section}.{meaning}"), *book.any) if spoken else ()
        words = (*self._symbols(entry, kind, meaning), *talk)
        bits = tuple((symbol, 1 << symbol, cost) for symbol, cost in words)
        ends = before(book, (symbol for symbol, _ in words))
        skip = book.skips.get(f"{kind}.{meaning}", book.skips.get(kind, NEVER))
        return Sense(bits, skip, section, entry, meaning, sorts_of(section, entry), ends, any=spoken)

    def _talk(self, kind: str, exact: str) -> Iterable[tuple[int, float]]:
        """What it is in talk, unless it may bind, deny or report what stands beside it."""
        return (symbol for symbol, never in self.book.talk if never.isdisjoint((kind, exact)))

    def _symbols(self, entry: Entry, kind: str, meaning: str) -> list[tuple[int, float]]:
        """What the grammar calls it: by its exact meaning, else by its section, and by its last character."""
        if kind.startswith("part."):
            return [(self.book.symbol(meaning), 0.0)]
        exact, classes = f"{kind}.{meaning}", self.book.classes
        named = classes.get(exact) or classes.get(kind) or ()
        return [*named, *classes.get(f"{exact}~{entry.surface[-1:]}", ())]


def before(book: Rulebook, symbols: Iterable[int]) -> int:
    """Mask of the symbols that may end where any of these begins."""
    mask = 0
    for symbol in symbols:
        mask |= book.may_precede(symbol)
    return mask


def sorts_of(kind: str, entry: Entry) -> int:
    """What a reading is as far as words inside or around it are concerned, as bits."""
    place = kind in PLACE_KINDS
    held = (
        (IS_CONTENT, kind in CONTENT | VALUED),
        (IS_FIRM, kind in FIRM),
        (IS_KNOWN, kind != UNKNOWN),
        (IS_ROOM, kind == "room"),
        (IS_PART, kind == "part"),
        (IS_ACT, kind in ACTS and is_han(entry.surface[:1] or " ")),
        (IS_PLACE, place),
        (IS_TIME, kind == "timing"),
        (IS_HOME, kind in PLACE_KINDS | {"group"} and bool(entry.refs)),
    )
    return sum(bit for bit, holds in held if holds)
