"""Every reading of every span of a sentence.

Words of the language, the home's names, numbers, the grammar's own words. Nothing is segmented
beforehand: the structure chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from winnow.language.gazetteer import GazetteerEntry, is_latin
from winnow.language.normalize import is_han
from winnow.types.query import Token, without_kind
from winnow.understand.grammar.rulebook import INFINITE_COST, Rulebook
from winnow.understand.grammar.senses import (
    IS_ACT,
    IS_CONTENT,
    IS_FIRM,
    IS_HOME,
    IS_KNOWN,
    IS_PART,
    IS_PLACE,
    IS_ROOM,
    IS_TIME,
    UNKNOWN_SYMBOL,
    Sense,
    SenseCache,
    SpanReading,
    Symbols,
    composed_words,
    sense_sorts,
)
from winnow.understand.words.tokens import TextScan, text_scan, token_refs
from winnow.understand.words.vocabulary import Vocabulary

INSIDE_PRICE = 0.15
"""What a word costs that is a piece of a longer word for a thing or place."""
CLOSING_PRICE = 0.01
"""What a mark costs that closes the sentence."""
SOUND_PRICE = 0.5
"""What a name costs that only sounds or looks like what was said."""
DOUBLED_MEANING = "doubled"
"""A character nobody knows, said twice."""
MAX_NODES = 160
"""Words of what is read as a whole; of more than that nothing is made, so nothing is done."""
UNKNOWN_SKIP = -1.0
"""The price of passing a word over where it is told by its other readings."""
TORN_PRICE = 0.5
"""What a word of the grammar's own costs that is a piece of a longer word of the language."""
SHRED_PRICE = 1.0
"""What a piece of a longer word costs that is no word itself."""


class Edge(NamedTuple):
    """One reading of one span."""

    start: int
    end: int
    sense: Sense
    cost: float = 0.0


@dataclass(slots=True)
class Lattice:
    """A sentence as nodes between words, and what may stand between two of them.

    ``into[n]``: (first node, edge, price of what is passed over behind it, symbols), for edges that end at
    ``n``. ``first``: node -> price of what is passed over before it. ``ahead[n]``: mask of the symbols that
    may end there, as far as the words behind it tell. ``size``: number of the last node.
    """

    text: str
    size: int
    into: list[list[tuple[int, Edge, float, Symbols]]]
    first: dict[int, float]
    ahead: list[int]


def build_lattice(
    text: str,
    vocabulary: Vocabulary,
    book: Rulebook,
    heard: Sequence[Token] = (),
    idioms: Iterable[SpanReading] = (),
    *,
    known: bool = False,
) -> Lattice:
    """The lattice of a normalised text.

    ``heard``: names put in the place of what only sounds like them, and other stretches read as a whole.
    ``idioms``: words of ways of saying. ``known``: nothing stands for what nobody knows.
    """
    spans = [*_known_spans(text, vocabulary, book, heard)]
    for start, end, sense in idioms:
        spans[start] = {**spans[start], end: [*spans[start].get(end, ()), sense]}
    if known:
        spans = [
            {end: kept for end, found in row.items() if (kept := without_kind(found, UNKNOWN_SYMBOL))}
            for row in spans
        ]
    after = _skipping_spaces(text)
    nodes = _path_positions(spans, after)
    return _numbered_lattice(text, spans, nodes, after, book)


Readings = list[Sense]
_Spans = list[dict[int, Readings]]
"""By where a word begins: where it ends -> its readings."""


def _known_spans(text: str, vocabulary: Vocabulary, book: Rulebook, heard: Sequence[Token]) -> _Spans:
    """What every span may be, not to be changed; without what was ``heard`` kept while the text is."""
    scan, key = text_scan(text, vocabulary), (id(book), id(vocabulary.home))
    known: _Spans | None = None if heard else scan.found.get(key)
    if known is not None:
        return known
    # Kept with the vocabulary: what an entry may mean changes only with the home.
    senses = vocabulary.senses.setdefault(id(book), SenseCache(book))
    spans = _text_spans(scan, vocabulary, book, senses, heard)
    if not heard:
        scan.found[key] = spans
    return spans


def _text_spans(
    scan: TextScan, vocabulary: Vocabulary, book: Rulebook, senses: SenseCache, heard: Sequence[Token]
) -> _Spans:
    spans: _Spans = []
    text, known, of = scan.text, senses.known, senses.entry_senses
    for found in scan.matches_at(vocabulary, book.words):
        row: dict[int, Readings] = {}
        spans.append(row)
        for _, end, entry in found:
            kept = known.get(id(entry))
            made = of(entry) if kept is None else kept[0]
            if end in row:
                row[end] += made
            else:
                row[end] = [*made]
    for token in heard:
        entry = GazetteerEntry(token.text, token.kind, token.data, token.refs)
        sense = senses.sense(entry, token.kind, str(token.data.get("is", "")))
        spans[token.start].setdefault(token.end, []).append(_dearer_by_sound(sense, token))
    _fill_gaps(text, spans, senses)
    for start, end, entry in scan.things_by_function(vocabulary.things):
        spans[start].setdefault(end, []).extend(senses.entry_senses(entry))
    for start, end, sense in chain(
        _separable_verbs(text, book), composed_words(text, book) if book.idioms else ()
    ):
        spans[start].setdefault(end, []).append(sense)
    return spans


def _dearer_by_sound(sense: Sense, token: Token) -> Sense:
    """What only sounds like a name is dearer."""
    if "heard" not in token.data:
        return sense
    return sense._replace(
        symbols=tuple((symbol, bit, cost + SOUND_PRICE) for symbol, bit, cost in sense.symbols)
    )


_LATIN = re.compile("[0-9A-Za-z]+")


def _fill_gaps(text: str, spans: _Spans, senses: SenseCache) -> None:
    """What nothing explains is one Latin word or one other character."""
    at, size = 0, len(text)
    while at < size:
        ch = text[at]
        end = at + 1
        if ch.isascii() and (word := _LATIN.match(text, at)):
            end = word.end()
        if ch != " " and end not in spans[at]:
            kind = UNKNOWN_SYMBOL if end > at + 1 or is_latin(ch) or is_han(ch) else "mark"
            spans[at][end] = [senses.unknown(text[at:end], kind)]
        # A doubled character is a word of its own in Chinese, not two unknown ones.
        if text[end : end + 1] == ch and end + 1 not in spans[at] and is_han(ch):
            spans[at][end + 1] = [senses.unknown(text[at : end + 1], DOUBLED_MEANING)]
        at = end


_WORD = re.compile("[a-z']+")


def _separable_verbs(text: str, book: Rulebook) -> Iterator[tuple[int, int, Sense]]:
    """Verbs whose two words stand apart: ``roll the awning out``; the nearest second word counts."""
    words = list(_WORD.finditer(text)) if book.apart else []
    for at, first in enumerate(words):
        halves = book.apart.get(first[0], {})
        last = next((w for w in words[at + 2 :] if w[0] in halves), None) if halves else None
        if last is None:
            continue
        for entry, kind, meaning in halves[last[0]]:
            yield *first.span(), _verb_half(book, "VSEP", kind, entry, meaning)
            yield *last.span(), _verb_half(book, "SEP", "part", GazetteerEntry(last[0], "part"), "")


def _verb_half(book: Rulebook, name: str, kind: str, entry: GazetteerEntry, meaning: str) -> Sense:
    """One word of two that stand apart; whether it may be passed over, its other readings tell."""
    symbol = book.symbol(name)
    symbols = ((symbol, 1 << symbol, 0.0),)
    ends = book.may_precede(symbol)
    return Sense(symbols, UNKNOWN_SKIP, kind, entry, meaning, sense_sorts(kind, entry), ends, any=False)


def _skipping_spaces(text: str) -> list[int]:
    after = list(range(len(text) + 1))
    if " " in text:
        for at in range(len(text) - 1, -1, -1):
            if text[at] == " ":
                after[at] = after[at + 1]
    return after


def _path_positions(spans: _Spans, after: list[int]) -> list[int]:
    """Positions that are reached from the beginning and lead to the end, in order."""
    last = len(spans)
    ahead, back = [False] * (last + 1), [False] * (last + 1)
    ahead[after[0]] = back[last] = True
    for at, row in enumerate(spans):
        if ahead[at]:
            for end in row:
                ahead[after[end]] = True
    for at in range(last - 1, -1, -1):
        back[at] = any(back[after[end]] for end in spans[at])
    return [at for at in range(last + 1) if ahead[at] and back[at]]


def _numbered_lattice(
    text: str, spans: _Spans, nodes: list[int], after: list[int], book: Rulebook
) -> Lattice:
    size = max(0, len(nodes) - 1)
    # An empty lattice parses to nothing, so too long a sentence does nothing.
    if not 0 < size <= MAX_NODES:
        return Lattice(text, size, [[] for _ in range(size + 1)], {}, [0] * (size + 1))
    edges, skips = _leads_between(spans, nodes, after)
    passed = _passing_prices(skips, size, book.limit)
    into: list[list[tuple[int, Edge, float, Symbols]]] = [[] for _ in range(size + 1)]
    ahead = [0] * size + [book.closes]
    for here, row in enumerate(edges):
        for there, edge, symbols in row:
            ahead[here] |= edge.sense.before
            for until, price in passed[there]:
                if until == size or edges[until]:
                    into[until].append((here, edge, price, symbols))
    return Lattice(text, size, into, dict(passed[0]), ahead)


def skipped_words(
    text: str, gap: tuple[int, int], vocabulary: Vocabulary, book: Rulebook, heard: Sequence[Token] = ()
) -> list[Edge]:
    """The cheapest words that cover a stretch of a normalised text that a parse passed over."""
    spans, after = _known_spans(text, vocabulary, book, heard), _skipping_spaces(text)
    start, stop = after[gap[0]], after[gap[1]]
    best: dict[int, tuple[float, list[Edge]]] = {start: (0.0, [])}
    for at in range(start, stop):
        if at not in best:
            continue
        price, words = best[at]
        for end, readings in spans[at].items():
            there, total = after[end], price + max(sense.skip for sense in readings)
            if there <= stop and (there not in best or total < best[there][0]):
                best[there] = total, [*words, Edge(at, end, readings[0])]
    return best.get(stop, (0.0, []))[1]


_Leads = list[list[tuple[int, Edge, Symbols]]]


def _leads_between(
    spans: _Spans, nodes: list[int], after: list[int]
) -> tuple[_Leads, list[dict[int, float]]]:
    """For each node what leads on from it, and the price of passing words over."""
    index = [-1] * (len(spans) + 1)
    for n, at in enumerate(nodes):
        index[at] = n
    edges: _Leads = [[] for _ in nodes]
    skips: list[dict[int, float]] = [{} for _ in nodes]
    reach, close = _word_reach(spans), _closing_marks(spans)
    for here, at in enumerate(nodes[:-1]):
        row, passing, within = edges[here], skips[here], reach[at]
        for end, found in spans[at].items():
            there = index[after[end]]
            if there < 0:
                continue
            if len(found) == 1:
                sense = found[0]
                if end > within[2] and at < close and sense.any:  # most words: no piece of another
                    row.append((there, Edge(at, end, sense), sense.symbols))
                    if sense.skip < passing.get(there, INFINITE_COST):
                        passing[there] = sense.skip
                    continue
            if len(found) == 1 or not any(s.sorts & IS_HOME for s in found):
                readings = found
            else:
                # A place the home has by that name leaves no room for one it lacks.
                readings = [s for s in found if not s.sorts & IS_PLACE or s.sorts & IS_HOME]
            price = readings[0].skip if len(readings) == 1 else _skip_price(readings)
            inside = [end <= far for far in within]
            # A mark at the end says nothing; a word torn out of a longer one is passed over only dearly.
            price = CLOSING_PRICE if at >= close else price + TORN_PRICE if inside[1] else price
            if 0 <= price < passing.get(there, INFINITE_COST):
                passing[there] = price
            row.extend(_span_edges(at, end, there, readings, inside))
    return edges, skips


def _skip_price(readings: Readings) -> float:
    """The price of passing a word over: of its dearest reading as said, or of one it sounds like."""
    said = [sense.skip for sense in readings if "heard" not in sense.entry.data]
    price = max(said) if said else INFINITE_COST
    if len(said) == len(readings):
        return price
    heard = [sense.skip for sense in readings if "heard" in sense.entry.data and sense.skip >= 0]
    return min([price, *heard])


def _span_edges(
    start: int, end: int, there: int, readings: Readings, inside: Sequence[bool]
) -> Iterator[tuple[int, Edge, Symbols]]:
    """The readings of a span as edges; one of the cheapest stands for any word."""
    least = INFINITE_COST
    made = []
    for sense in readings:
        cost = _piece_price(sense, *inside) if inside[-1] else 0.0
        if cost < INFINITE_COST:
            made.append(Edge(start, end, sense, cost))
            if cost < least and sense.any:
                least = cost
    for edge in made:
        sense = edge.sense
        if not sense.any or edge.cost == least:
            # Only the first of the cheapest stands for any word: the others would parse to the same.
            least = least if not sense.any else -1.0
            yield there, edge, sense.symbols
        elif len(sense.symbols) > 1:
            yield there, edge, sense.symbols[:-1]


def _closing_marks(spans: _Spans) -> int:
    """Where the marks at the very end begin."""
    for at in range(len(spans) - 1, -1, -1):
        if any(found[0].kind != "mark" for found in spans[at].values()):
            return at + 1
    return 0


def _word_reach(spans: _Spans) -> list[tuple[int, int, int]]:
    """For each position up to where a word that begins there is a piece of a longer one.

    Of one for a thing or place, of one that is not torn cheaply, of any known one.
    """
    reach = []
    content = firm = known = 0
    for at, row in enumerate(spans):
        contents = firms = knowns = 0
        for end, readings in row.items():
            # One character alone tears nothing.
            if end - at == 1:
                continue
            sorts = 0
            for sense in readings:
                sorts |= sense.sorts if sense.skip >= 0 else 0  # words of a way tear nothing
            if sorts & IS_KNOWN:
                knowns = max(knowns, end)
                contents = max(contents, end) if sorts & IS_CONTENT else contents
                firms = max(firms, end) if sorts & IS_FIRM else firms
        reach.append((max(content, contents - 1), max(firm, firms - 1), max(known, knowns - 1)))
        content, firm, known = max(content, contents), max(firm, firms), max(known, knowns)
    return reach


def _piece_price(sense: Sense, piece: bool, torn: bool, shred: bool) -> float:
    """What a word costs that is a piece of a longer one; a room stays what it is in a name."""
    sorts = sense.sorts
    if not sorts & IS_KNOWN:
        return INFINITE_COST if torn else SHRED_PRICE
    more = INSIDE_PRICE if piece and not sorts & IS_ROOM else 0.0
    more += (
        TORN_PRICE if (torn and not sorts & IS_CONTENT) or (piece and sorts & (IS_TIME | IS_PART)) else 0.0
    )
    return 2 * INSIDE_PRICE if not more and sorts & IS_ACT else more


def _passing_prices(skips: list[dict[int, float]], size: int, limit: float) -> list[list[tuple[int, float]]]:
    """For each node the nodes that are reached by passing words over, with the lowest price."""
    passed: list[list[tuple[int, float]]] = [[(here, 0.0)] for here in range(size + 1)]
    for here in range(size, -1, -1):
        if not skips[here]:
            continue
        best = {here: 0.0}
        for there, price in skips[here].items():
            for until, more in passed[there]:
                if price + more < best.get(until, limit):
                    best[until] = price + more
        passed[here] = list(best.items())
    return passed


def edge_token(edge: Edge, text: str, vocabulary: Vocabulary) -> Token:
    """The word an edge stands for."""
    sense = edge.sense
    data = sense.entry.data
    if sense.kind != sense.entry.kind or "also" in data:
        data = {**data, "is": sense.meaning}
    refs = sense.entry.refs
    if sense.kind == "name" and sense.entry.kind != "name":
        named = data.get("named")
        refs = named if isinstance(named, tuple) else ()
    # What was put right or put together is called as the home calls it, all else as it was said.
    own = "heard" in data or "part" in data or sense.kind == "media"
    said = sense.entry.surface if own else text[edge.start : edge.end]
    kind = "word" if sense.kind == UNKNOWN_SYMBOL else sense.kind
    return Token(said, kind, edge.start, edge.end, data, token_refs(sense.kind, data, refs, vocabulary))
