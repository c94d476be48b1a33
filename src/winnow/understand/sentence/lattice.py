"""Every reading of every span of a sentence.

Words of the language, the home's names, numbers, the grammar's own words. Nothing is segmented
beforehand: the structure chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from winnow.language.gazetteer import Entry, is_latin
from winnow.language.normalise import is_han
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.rulebook import NEVER, Rulebook
from winnow.understand.words.tag import entries_at, refs_of
from winnow.understand.words.vocabulary import Vocabulary

INSIDE = 0.15
"""What a word costs that is a piece of a longer word for a thing or place."""
CLOSING = 0.01
"""What a mark costs that closes the sentence."""
HEARD = 0.5
"""What a name costs that only sounds or looks like what was said."""
UNKNOWN = "unknown"
DOUBLED = "doubled"
"""A character nobody knows, said twice."""
STRANGE = 10_000
"""Words that nothing explains, kept with their readings."""
TORN = 0.5
"""What a word of the grammar's own costs that is a piece of a longer word of the language."""
SHRED = 1.0
"""What a piece of a longer word costs that is no word itself."""
ACTS = frozenset({"verb", "step"})
CONTENT = DEVICE_KINDS | PLACE_KINDS
VALUED = frozenset({"white", "property", "mode", "choice", "step"})
"""Kinds of words for values that are made of others: ``warm white``, ``color temperature``."""
FIRM = frozenset(
    {"condition", "negation", "except", "correction", "question", "number", "timing", "compare", "hostile"}
)
"""Kinds of longer words that are not torn apart cheaply."""


class Sense(NamedTuple):
    """One reading of an entry: its symbols with their cost, and the price of passing it over."""

    symbols: tuple[tuple[int, float], ...]
    skip: float
    kind: str
    entry: Entry
    meaning: str


class Edge(NamedTuple):
    """One reading of one span."""

    start: int
    end: int
    sense: Sense
    cost: float = 0.0


@dataclass(slots=True)
class Lattice:
    """A sentence as nodes between words, and what may stand between two of them.

    ``into[n]``: (first node, edge, price of what is passed over behind it), for edges that end at ``n``.
    ``first``: node -> price of what is passed over before it. ``size``: number of the last node.
    """

    text: str
    size: int
    into: list[list[tuple[int, Edge, float]]]
    first: dict[int, float]


@dataclass(slots=True)
class Senses:
    """The readings of the entries met so far, kept as long as the vocabulary they belong to."""

    book: Rulebook
    known: dict[int, tuple[Entry, tuple[Sense, ...]]] = field(default_factory=dict)
    strange: dict[str, Sense] = field(default_factory=dict)

    def of(self, entry: Entry) -> tuple[Sense, ...]:
        """Every reading of an entry."""
        found = self.known.get(id(entry))
        if found is None:
            found = self.known[id(entry)] = entry, tuple(self._made(entry))
        return found[1]

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
        what = str(entry.data.get("unit" if entry.kind == "number" else "is", ""))
        senses = [(entry.kind, what), *(also.items() if isinstance(also, dict) else ())]
        if "named" in entry.data and entry.kind not in {
            "type",
            "readable",
        }:  # a kind that is also a name stays a kind
            senses.append(("name", ""))
        forms = {**entry.data.get("also_form", {}), entry.kind: entry.data.get("form")}
        for kind, meaning in senses:
            form = forms.get(kind)
            yield self.sense(entry, f"{kind}.{form}" if form else kind, str(meaning))

    def sense(self, entry: Entry, kind: str, meaning: str) -> Sense:
        """One reading of an entry, as of a section of the lexicon."""
        exact = f"{kind}.{meaning}"
        book = self.book
        symbols = book.classes.get(exact) or book.classes.get(kind) or ()
        symbols = [*symbols, *book.classes.get(f"{exact}~{entry.surface[-1:]}", ())]
        if kind.startswith("part."):
            symbols = [(book.symbol(meaning), 0.0)]
        skip = book.skips.get(exact, book.skips.get(kind, NEVER))
        return Sense((*symbols, *book.any), skip, kind.partition(".")[0], entry, meaning)


def lattice(text: str, vocabulary: Vocabulary, book: Rulebook, heard: Sequence[Token] = ()) -> Lattice:
    """The lattice of a normalised text.

    ``heard``: names put in the place of what only sounds like them, and other stretches read as a whole.
    """
    senses = vocabulary.senses.setdefault(id(book), Senses(book))
    spans = _spans(text, vocabulary, book, senses, heard)
    after = _skipping_spaces(text)
    ends = {start: {after[end] for end in row} for start, row in spans.items()}
    nodes = _on_a_path(ends, after[0], len(text))
    return _numbered(text, spans, nodes, after, book)


_Spans = dict[int, dict[int, list[Edge]]]


def _spans(
    text: str, vocabulary: Vocabulary, book: Rulebook, senses: Senses, heard: Sequence[Token]
) -> _Spans:
    """Where a word begins -> where it ends -> its readings."""
    spans: _Spans = {}
    for start, end, entry in entries_at(text, vocabulary, book.words):
        row = spans.setdefault(start, {}).setdefault(end, [])
        row.extend(Edge(start, end, sense) for sense in senses.of(entry))
    for token in heard:
        entry = Entry(token.text, token.kind, token.data, token.refs)
        row = spans.setdefault(token.start, {}).setdefault(token.end, [])
        cost = HEARD if "heard" in token.data else 0.0
        meaning = str(token.data.get("is", ""))
        row.append(Edge(token.start, token.end, senses.sense(entry, token.kind, meaning), cost))
    for at in range(len(text)):
        _fill_gap(text, at, spans, senses)
    for found in spans.values():
        for end, edges in found.items():
            found[end] = _protected(_own(edges))
    _put_apart(text, spans, book)
    return spans


def _own(edges: list[Edge]) -> list[Edge]:
    """A place the home names is that one, not any of the kind."""
    if not any(e.sense.kind in PLACE_KINDS | {"group"} and e.sense.entry.refs for e in edges):
        return edges
    return [e for e in edges if e.sense.kind not in PLACE_KINDS or e.sense.entry.refs]


def _fill_gap(text: str, at: int, spans: _Spans, senses: Senses) -> None:
    """What nothing explains is one Latin word or one other character."""
    if text[at] == " " or (at and is_latin(text[at]) and is_latin(text[at - 1])):
        return
    end = at + 1
    while is_latin(text[at]) and end < len(text) and is_latin(text[end]):
        end += 1
    row = spans.setdefault(at, {})
    if end not in row:
        kind = UNKNOWN if is_latin(text[at]) or is_han(text[at]) else "mark"
        row[end] = [Edge(at, end, senses.unknown(text[at:end], kind))]
    twice = text[at : at + 2]
    if is_han(text[at]) and twice == text[at] * 2 and at + 2 not in row:
        row[at + 2] = [Edge(at, at + 2, senses.unknown(twice, DOUBLED))]


_WORD = re.compile("[a-z']+")


def _put_apart(text: str, spans: _Spans, book: Rulebook) -> None:
    """Verbs whose two words stand apart: ``roll the awning out``; the nearest second word counts."""
    words = list(_WORD.finditer(text)) if book.apart else []
    for at, first in enumerate(words):
        halves = book.apart.get(first[0])
        last = next((w for w in words[at + 2 :] if w[0] in halves), None) if halves else None
        if last is None:
            continue
        for entry, kind, meaning in halves[last[0]]:
            verb = Sense(((book.symbol("VSEP"), 0.0),), NEVER, kind, entry, meaning)
            part = Sense(((book.symbol("SEP"), 0.0),), NEVER, "part", Entry(last[0], "part"), "")
            for span, sense in ((first, verb), (last, part)):
                spans.setdefault(span.start(), {}).setdefault(span.end(), []).append(
                    Edge(*span.span(), sense)
                )


def _protected(edges: list[Edge]) -> list[Edge]:
    """A word that also has a sense that may not be passed over is not passed over as something else."""
    if len(edges) == 1:
        return edges
    price = max(e.sense.skip for e in edges)
    if price == min(e.sense.skip for e in edges):
        return edges
    return [Edge(e.start, e.end, e.sense._replace(skip=price), e.cost) for e in edges]


def _skipping_spaces(text: str) -> list[int]:
    after = list(range(len(text) + 1))
    for at in range(len(text) - 1, -1, -1):
        if text[at] == " ":
            after[at] = after[at + 1]
    return after


def _on_a_path(ends: dict[int, set[int]], first: int, last: int) -> list[int]:
    """Positions that are reached from the beginning and lead to the end, in order."""
    ahead = {first}
    for at in sorted(ends):
        if at in ahead:
            ahead |= ends[at]
    back = {last}
    for at in sorted(ends, reverse=True):
        if not ends[at].isdisjoint(back):
            back.add(at)
    return sorted(ahead & back)


def _numbered(text: str, spans: _Spans, nodes: list[int], after: list[int], book: Rulebook) -> Lattice:
    size = len(nodes) - 1
    edges, skips = _between(spans, nodes, after)
    passed = _passed(skips, size, book.limit)
    speaks = [bool(row) for row in edges[:-1]] + [True]
    into: list[list[tuple[int, Edge, float]]] = [[] for _ in range(size + 1)]
    for here, row in enumerate(edges):
        for there, edge in row:
            for until, price in passed[there]:
                if speaks[until]:
                    into[until].append((here, edge, price))
    return Lattice(text, size, into, dict(passed[0]))


def passed_over(
    text: str, gap: tuple[int, int], vocabulary: Vocabulary, book: Rulebook, heard: Sequence[Token] = ()
) -> list[Edge]:
    """The cheapest words that cover a stretch of a normalised text that a parse passed over."""
    senses = vocabulary.senses.setdefault(id(book), Senses(book))
    spans, after = _spans(text, vocabulary, book, senses, heard), _skipping_spaces(text)
    start, stop = after[gap[0]], after[gap[1]]
    best: dict[int, tuple[float, list[Edge]]] = {start: (0.0, [])}
    for at in range(start, stop):
        if at not in best:
            continue
        price, words = best[at]
        for edge in (e for found in spans.get(at, {}).values() for e in found):
            end, total = after[edge.end], price + edge.sense.skip
            if end <= stop and (end not in best or total < best[end][0]):
                best[end] = total, [*words, edge]
    return best.get(stop, (0.0, []))[1]


def _between(
    spans: _Spans, nodes: list[int], after: list[int]
) -> tuple[list[list[tuple[int, Edge]]], list[dict[int, float]]]:
    """For each node what leads on from it, and the price of passing words over."""
    index = {at: n for n, at in enumerate(nodes)}
    edges: list[list[tuple[int, Edge]]] = [[] for _ in nodes]
    skips: list[dict[int, float]] = [{} for _ in nodes]
    whole, firm, known = _reach(spans, CONTENT | VALUED), _reach(spans, FIRM), _reach(spans, None)
    close = _close(spans)
    for here, at in enumerate(nodes[:-1]):
        for end, found in spans[at].items():
            there = index.get(after[end])
            if there is None:
                continue
            piece, torn, shred = (_inside(at, end, words) for words in (whole, firm, known))
            edges[here].extend(
                (there, _priced(edge, piece, torn, shred)) for edge in found if edge.sense.symbols
            )
            price = min(edge.sense.skip for edge in found) + (TORN if torn else 0.0)
            price = CLOSING if at >= close else price
            if price < skips[here].get(there, NEVER):
                skips[here][there] = price
    return edges, skips


def _close(spans: _Spans) -> int:
    """Where the marks at the very end begin."""
    words = (at for at, row in spans.items() for found in row.values() if found[0].sense.kind != "mark")
    return 1 + max(words, default=-1)


_Reach = tuple[dict[int, int], dict[int, int]]
"""Position -> where the longest word ends that begins there; and that begins before it."""


def _reach(spans: _Spans, kinds: frozenset[str] | None) -> _Reach:
    """How far words of these kinds reach, of more than a character; of any known kind, if none is given."""
    own, before, last = dict[int, int](), dict[int, int](), 0
    for start in sorted(spans):
        before[start] = last
        ends = [e for e, found in spans[start].items() if e - start > 1 and _is_one(found, kinds)]
        own[start] = max(ends, default=0)
        last = max(last, own[start])
    return own, before


def _is_one(found: Iterable[Edge], kinds: frozenset[str] | None) -> bool:
    if kinds is None:
        return any(edge.sense.kind != UNKNOWN for edge in found)
    return any(edge.sense.kind in kinds for edge in found)


def _inside(start: int, end: int, reach: _Reach) -> bool:
    """Whether a stretch is a piece of a longer word."""
    own, before = reach
    return own[start] > end or before[start] >= end


def _priced(edge: Edge, piece: bool, torn: bool, shred: bool) -> Edge:
    """The edge, dearer where it is a piece of a longer word; a room stays what it is in a name."""
    more = INSIDE if piece and edge.sense.kind != "room" else 0.0
    more += TORN if torn and edge.sense.kind == "part" else 0.0
    if shred and edge.sense.kind == UNKNOWN:
        more = NEVER if torn else SHRED
    elif shred and not more and edge.sense.kind in ACTS and is_han(edge.sense.entry.surface[0]):
        more = INSIDE
    return Edge(edge.start, edge.end, edge.sense, edge.cost + more) if more else edge


def _passed(skips: list[dict[int, float]], size: int, limit: float) -> list[list[tuple[int, float]]]:
    """For each node the nodes that are reached by passing words over, with the lowest price."""
    passed: list[list[tuple[int, float]]] = [[] for _ in range(size + 1)]
    for here in range(size, -1, -1):
        best = {here: 0.0}
        for there, price in skips[here].items():
            for until, more in passed[there]:
                if price + more < best.get(until, limit):
                    best[until] = price + more
        passed[here] = list(best.items())
    return passed


def token_of(edge: Edge, text: str, vocabulary: Vocabulary) -> Token:
    """The word an edge stands for."""
    sense = edge.sense
    data = sense.entry.data
    if sense.kind != sense.entry.kind or "also" in data:
        data = {**data, "is": sense.meaning}
    refs = sense.entry.refs
    if sense.kind == "name" and sense.entry.kind != "name":
        named = data.get("named")
        refs = named if isinstance(named, tuple) else ()
    own = "heard" in data or "part" in data or sense.kind == "media"
    said = sense.entry.surface if own else text[edge.start : edge.end]
    kind = "word" if sense.kind == UNKNOWN else sense.kind
    return Token(said, kind, edge.start, edge.end, data, refs_of(sense.kind, data, refs, vocabulary))
