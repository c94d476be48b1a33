"""Parse a lattice: bottom up by end position, weighted, with a left-corner filter; whole sentences only.

An item is a tuple ``(cost, rule, left, right, others)``: ``rule`` is a number for two parts, a tuple of
numbers for a chain over ``left``, ``LEAF_RULE`` for an edge in ``left``. ``others`` are dearer ways to make
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from winnow.types.query import Token
from winnow.understand.grammar.lattice import Edge, Lattice
from winnow.understand.grammar.rulebook import (
    INFINITE_COST,
    JOINT_RULE,
    MERGE_OPERATION,
    Parents,
    Production,
    Rulebook,
)

LEAF_RULE = -2
TOKEN_PRICE = 0.05
"""What a word costs, so that of equal parses the one of fewer words wins."""
LONG_SENTENCE_WORDS = 40
"""Words from which on a sentence may cost more, as much as it is longer."""
NEAR_PRICE = 0.04
"""How much dearer another way may be to be kept."""
MAX_ALTERNATIVES = 8
"""Ways that are kept beside the cheapest."""
SPARE_PRICES = (0.4, 1.1)
"""How much dearer than its words alone a sentence may be that is tried first, and next."""
SPARE_WORDS = 30
"""Words for which that much more is allowed again."""
PRICE_TOLERANCE = 1e-9
MAX_RULE_DISCOUNT = 0.5
"""What the rules of a parse take off its price, of most parses: its parts may be so much dearer than it."""
MOST_PAIRS = 30_000
"""Pairs of parts that are looked at in one sentence, before it is given up as no order."""
Item = tuple[float, Any, Any, Any, Any]
Cell = dict[int, Item]
_LeastPrices = tuple[list[float], list[float]]
"""What the words before each node cost at least, and those behind it."""


class Root(NamedTuple):
    """A parse of the whole sentence."""

    cost: float
    mood: str
    item: Item


def parse_lattice(lattice: Lattice, book: Rulebook) -> list[Root]:
    """Every root over the whole sentence, the cheapest first; empty when it does not parse."""
    return _sentence_roots(lattice, _fill_chart(_Chart(lattice, book), lattice.size))


def cheapest_parse(lattice: Lattice, book: Rulebook, most: float = INFINITE_COST) -> Root | None:
    """The cheapest root, with all other ways to make its parts that are nearly as cheap.

    Most sentences cost little more than their words, so what is dear is looked at only where nothing cheap
    parses; one that costs ``most`` may not be found.
    """
    if not lattice.first:
        return None
    least = _least_prices(lattice)
    *first, last = _price_limits(lattice, book, least, most)
    # A low limit first: it prunes nearly all items, and most sentences parse within it.
    for limit in (*first, last):
        chart = _Chart(lattice, book, limit, least)
        found = _sentence_roots(lattice, _fill_chart(chart, lattice.size))
        # Just below the limit, a way nearly as cheap may have been pruned: looked at again with more.
        if found and (limit == last or found[0].cost <= limit - NEAR_PRICE):
            return found[0]
        if chart.pairs > MOST_PAIRS:
            return None
    return None


def _price_limits(lattice: Lattice, book: Rulebook, least: _LeastPrices, most: float) -> list[float]:
    """What a sentence may cost that is looked for first, and next, and at all."""
    begin = min(price + least[1][start] for start, price in lattice.first.items())
    ceiling = min(book.limit * max(1.0, lattice.size / LONG_SENTENCE_WORDS), most + MAX_RULE_DISCOUNT)
    near = (begin + spare * (1 + lattice.size / SPARE_WORDS) for spare in SPARE_PRICES)
    return [*(limit for limit in near if limit <= ceiling), ceiling]


def _fill_chart(chart: _Chart, size: int) -> _Chart:
    for end in range(1, size + 1):
        if chart.pairs > MOST_PAIRS:
            break
        chart.fill(end)
    return chart


def _sentence_roots(lattice: Lattice, chart: _Chart) -> list[Root]:
    found = [
        Root(item[0] + lattice.first[start], name, item)
        for root, name in chart.book.roots.items()
        for start, item in chart.ends[lattice.size].get(root, ())
        if start in lattice.first
    ]
    return sorted((r for r in found if r.cost <= chart.limit), key=lambda r: r.cost)


def find_symbols(lattice: Lattice, book: Rulebook, names: Iterable[str]) -> list[Item]:
    """Every stretch of the text that makes one of these symbols, each with its cheapest item."""
    chart = _Chart(lattice, book)
    # No left context is known here, so every symbol may begin and end anywhere.
    chart.wanted = chart.ahead = [(1 << len(book.unary)) - 1] * (lattice.size + 1)
    chart.before = chart.behind = [0.0] * (lattice.size + 1)
    _fill_chart(chart, lattice.size)
    symbols = [book.ids[name] for name in names if name in book.ids]
    return [item for ended in chart.ends for symbol in symbols for _, item in ended.get(symbol, ())]


class _Chart:
    """Items by their end, and what may begin and end where."""

    __slots__ = ("ahead", "before", "behind", "book", "ends", "into", "limit", "masks", "pairs", "wanted")

    def __init__(
        self, lattice: Lattice, book: Rulebook, limit: float | None = None, least: _LeastPrices | None = None
    ) -> None:
        size = lattice.size
        self.book = book
        self.limit = book.limit * max(1.0, lattice.size / LONG_SENTENCE_WORDS) if limit is None else limit
        self.into = lattice.into
        self.ahead = lattice.ahead
        self.before, self.behind = least or _least_prices(lattice)
        self.ends: list[dict[int, list[tuple[int, Item]]]] = [{} for _ in range(size + 1)]
        self.masks = [0] * (size + 1)
        self.pairs = 0
        self.wanted = [0] * (size + 1)
        for start in lattice.first:
            self.wanted[start] = book.begins

    def fill(self, end: int) -> None:
        """Everything that ends at ``end``, the shortest first."""
        cells: list[Cell | None] = [None] * end
        allowed, room = self.ahead[end], self.limit + PRICE_TOLERANCE - self.behind[end]
        self._shift(end, cells, allowed, room)
        ended = self.ends[end]
        # Shorter items first: what they complete is a part of longer ones that end here.
        for start in range(end - 1, -1, -1):
            cell = cells[start]
            if cell:
                self._close(cell, self.wanted[start] & allowed, room - self.before[start])
                self._combine(start, cell, cells, ended, allowed, room)
        expects = self.book.expects
        mask = wanted = 0
        for symbol in ended:
            mask |= 1 << symbol
            wanted |= expects[symbol]
        self.masks[end] = mask
        self.wanted[end] |= wanted

    def _shift(self, end: int, cells: list[Cell | None], allowed: int, room: float) -> None:
        for start, edge, passed, symbols in self.into[end]:
            wanted = self.wanted[start] & allowed
            base = passed + TOKEN_PRICE + edge.cost
            if not wanted or base + self.before[start] > room:
                continue
            cell = cells[start]
            if cell is None:
                cell = cells[start] = {}
            for symbol, bit, cost in symbols:
                if wanted & bit:
                    if symbol in cell:
                        _keep_cheap_ways(cell, symbol, (base + cost, LEAF_RULE, edge, None, None))
                    else:
                        cell[symbol] = (base + cost, LEAF_RULE, edge, None, None)

    def _close(self, cell: Cell, wanted: int, room: float) -> None:
        unary, stands = self.book.unary, self.book.stands
        for symbol, item in list(cell.items()):
            if not stands[symbol] & wanted:
                continue
            own = item[0]
            for parent, bit, cost, cap, chain in unary[symbol]:
                if wanted & bit and own + cost <= cap and own + cost <= room:
                    if parent in cell:
                        _keep_cheap_ways(cell, parent, (own + cost, chain, item, None, None))
                    else:
                        cell[parent] = (own + cost, chain, item, None, None)

    def _combine(
        self,
        start: int,
        cell: Cell,
        cells: list[Cell | None],
        ended: dict[int, list[tuple[int, Item]]],
        allowed: int,
        room: float,
    ) -> None:
        """What stands before ``start`` with what stands between it and the end."""
        left_of, by_right = self.book.left_of, self.book.by_right
        mask, before = self.masks[start], self.ends[start]
        for symbol, item in cell.items():
            if symbol in ended:
                ended[symbol].append((start, item))
            else:
                ended[symbol] = [(start, item)]
            hit = left_of[symbol] & mask
            if hit:
                parents = by_right[symbol]
                # Bit by bit only the left symbols that some rule pairs with this one.
                while hit:
                    left = hit.bit_length() - 1
                    hit ^= 1 << left
                    self._pair(before[left], item, parents[left], cells, allowed, room)

    def _pair(
        self,
        lefts: list[tuple[int, Item]],
        right: Item,
        parents: Parents,
        cells: list[Cell | None],
        allowed: int,
        room: float,
    ) -> None:
        price, before = right[0], self.before
        # Counted, as time grows with pairs and not with words.
        self.pairs += len(lefts)
        for start, left in lefts:
            both = left[0] + price
            most = room - before[start]
            if both > most:
                continue
            wanted = self.wanted[start] & allowed
            for parent, bit, cost, cap, rule in parents:
                total = both + cost
                if wanted & bit and total <= cap and total <= most:
                    cell = cells[start]
                    if cell is None:
                        cell = cells[start] = {}
                    if parent in cell:
                        _keep_cheap_ways(cell, parent, (total, rule, left, right, None))
                    else:
                        cell[parent] = (total, rule, left, right, None)


def _least_prices(lattice: Lattice) -> _LeastPrices:
    size = lattice.size
    before, behind = [INFINITE_COST] * (size + 1), [INFINITE_COST] * (size + 1)
    for start, price in lattice.first.items():
        before[start] = price
    behind[size] = 0.0
    for end in range(1, size + 1):
        for start, edge, passed, _ in lattice.into[end]:
            price = before[start] + passed + TOKEN_PRICE + edge.cost
            if price < before[end]:
                before[end] = price
    for end in range(size, 0, -1):
        rest = behind[end] + TOKEN_PRICE
        for start, edge, passed, _ in lattice.into[end]:
            if rest + passed + edge.cost < behind[start]:
                behind[start] = rest + passed + edge.cost
    return before, behind


def _keep_cheap_ways(cell: Cell, symbol: int, item: Item) -> None:
    """Keep the cheapest way, and those that are nearly as cheap beside it."""
    old = cell[symbol]
    if item[0] < old[0] - 1e-9:
        others = [old] if old[0] < item[0] + NEAR_PRICE else None
        cell[symbol] = (item[0], item[1], item[2], item[3], others)
    elif item[0] < old[0] + NEAR_PRICE:
        if old[4] is None:
            cell[symbol] = (old[0], old[1], old[2], old[3], [item])
        elif len(old[4]) < MAX_ALTERNATIVES:
            old[4].append(item)


# Parses as trees: what each production covers, with the words at the leaves; and trees nearly as cheap.


MAX_VARIANTS = 24
"""Readings that are compared, at most."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A production and its parts."""

    rule: Production
    parts: tuple[Tree | Token, ...]

    @property
    def words(self) -> Iterator[Token]:
        """The words it covers, in order; those passed over are not among them."""
        for part in self.parts:
            if isinstance(part, Token):
                yield part
            else:
                yield from part.words


LeafToken = Callable[[Edge], Token]


def build_tree(item: Item, book: Rulebook, leaf: LeafToken) -> Tree | Token:
    """The cheapest tree of an item."""
    _, rule, left, right, _ = item
    if rule == LEAF_RULE:
        return leaf(left)
    if isinstance(rule, tuple):
        made = build_tree(left, book, leaf)
        for number in rule:
            made = Tree(book.rules[number], (made,))
        return made
    return Tree(book.rules[rule], (*_tree_parts(left, book, leaf), build_tree(right, book, leaf)))


def _tree_parts(item: Item, book: Rulebook, leaf: LeafToken) -> tuple[Tree | Token, ...]:
    """The parts of the beginning of a longer production."""
    if item[1] == JOINT_RULE:
        return (*_tree_parts(item[2], book, leaf), build_tree(item[3], book, leaf))
    return (build_tree(item, book, leaf),)


def near_variants(root: Root, within: float) -> list[Root]:
    """Parses that differ from the cheapest in one place and cost at most ``within`` more."""
    found: list[Root] = []
    _vary_item(root.item, within, lambda item, more: found.append(Root(root.cost + more, root.mood, item)))
    return sorted(found, key=lambda r: r.cost)[:MAX_VARIANTS]


def item_sketch(item: Item, book: Rulebook, *, every: bool = False) -> tuple[object, ...]:
    """What an item takes each word for and does with its parts: readings of one sketch say the same.

    ``every``: also which words are the grammar's own; they say nothing once the tree is made.
    """
    drawn: list[object] = []
    _draw_item(item, book, drawn, every)
    return tuple(drawn)


def _draw_item(item: Item, book: Rulebook, drawn: list[object], every: bool) -> None:
    _, rule, left, right, _ = item
    if rule == LEAF_RULE:
        if every or left.sense.kind != "part":
            drawn.append((left.start, left.end, left.sense.kind, left.sense.meaning))
        return
    numbers = rule if isinstance(rule, tuple) else (rule,)
    done = [
        book.rules[n].operation
        for n in numbers
        if n != JOINT_RULE and book.rules[n].operation != MERGE_OPERATION
    ]
    drawn.extend(done)
    _draw_item(left, book, drawn, every)
    if right is not None:
        _draw_item(right, book, drawn, every)
    # Closes what was opened, so that two nestings of the same operations differ.
    drawn.extend(None for _ in done)


TakeVariant = Callable[[Item, float], None]


def _vary_item(item: Item, within: float, take: TakeVariant) -> None:
    cost, rule, left, right, others = item
    for other in others or ():
        if other[0] - cost <= within:
            take(other, other[0] - cost)
    if rule == LEAF_RULE:
        return
    _vary_item(left, within, lambda made, more: take((cost + more, rule, made, right, None), more))
    if right is not None:
        _vary_item(right, within, lambda made, more: take((cost + more, rule, left, made, None), more))
