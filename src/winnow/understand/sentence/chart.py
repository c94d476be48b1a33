"""Parse a lattice: bottom up by end position, weighted, with a left-corner filter; whole sentences only.

An item is a tuple ``(cost, rule, left, right, others)``: ``rule`` is a number for two parts, a tuple of
numbers for a chain over ``left``, ``LEAF`` for an edge in ``left``. ``others`` are dearer ways to make the
same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from winnow.understand.sentence.lattice import Lattice
from winnow.understand.sentence.rulebook import Rulebook

LEAF = -2
TOKEN = 0.05
"""What a word costs, so that of equal parses the one of fewer words wins."""
LONG = 40
"""Words from which on a sentence may cost more, as much as it is longer."""
NEAR = 0.12
"""How much dearer another way may be to be kept."""
Item = tuple[float, Any, Any, Any, Any]
Cell = dict[int, Item]


class Root(NamedTuple):
    """A parse of the whole sentence."""

    cost: float
    mood: str
    item: Item


def parse(lattice: Lattice, book: Rulebook) -> list[Root]:
    """Every root over the whole sentence, the cheapest first; empty when it does not parse."""
    chart = _Chart(lattice, book)
    for end in range(1, lattice.size + 1):
        chart.fill(end)
    found = [
        Root(item[0] + lattice.first[start], name, item)
        for root, name in book.roots.items()
        for start, item in chart.ends[lattice.size].get(root, ())
        if start in lattice.first
    ]
    return sorted((r for r in found if r.cost <= chart.limit), key=lambda r: r.cost)


def pieces(lattice: Lattice, book: Rulebook, names: Iterable[str]) -> list[Item]:
    """Every stretch of the text that makes one of these symbols, each with its cheapest item."""
    chart = _Chart(lattice, book)
    chart.wanted = [(1 << len(book.names)) - 1] * (lattice.size + 1)
    for end in range(1, lattice.size + 1):
        chart.fill(end)
    symbols = [book.ids[name] for name in names if name in book.ids]
    return [item for ended in chart.ends for symbol in symbols for _, item in ended.get(symbol, ())]


class _Chart:
    """Items by their end, and what may begin where."""

    __slots__ = ("book", "ends", "into", "limit", "masks", "wanted")

    def __init__(self, lattice: Lattice, book: Rulebook) -> None:
        size = lattice.size
        self.book = book
        self.limit = book.limit * max(1.0, size / LONG)
        self.into = lattice.into
        self.ends: list[dict[int, list[tuple[int, Item]]]] = [{} for _ in range(size + 1)]
        self.masks = [0] * (size + 1)
        self.wanted = [0] * (size + 1)
        for start in lattice.first:
            self.wanted[start] = book.begins

    def fill(self, end: int) -> None:
        """Everything that ends at ``end``, the shortest first."""
        cells: list[Cell] = [{} for _ in range(end)]
        self._shift(end, cells)
        ended = self.ends[end]
        for start in range(end - 1, -1, -1):
            if cells[start]:
                self._close(cells[start], self.wanted[start])
                self._combine(start, cells, ended)
        expects = self.book.expects
        mask = wanted = 0
        for symbol in ended:
            mask |= 1 << symbol
            wanted |= expects[symbol]
        self.masks[end] = mask
        self.wanted[end] |= wanted

    def _shift(self, end: int, cells: list[Cell]) -> None:
        for start, edge, passed, symbols in self.into[end]:
            wanted = self.wanted[start]
            base = passed + TOKEN + edge.cost
            for symbol, _, cost in symbols:
                if wanted >> symbol & 1:
                    _put(cells[start], symbol, (base + cost, LEAF, edge, None, None))

    def _close(self, cell: Cell, wanted: int) -> None:
        chains, caps = self.book.chains, self.book.caps
        for symbol, item in list(cell.items()):
            for parent, cost, chain in chains(symbol, wanted):
                total = item[0] + cost
                if parent not in caps or total <= caps[parent]:
                    _put(cell, parent, (total, chain, item, None, None))

    def _combine(self, start: int, cells: list[Cell], ended: dict[int, list[tuple[int, Item]]]) -> None:
        """What stands before ``start`` with what stands between it and the end."""
        book = self.book
        left_of, by_right = book.left_of, book.by_right
        mask, before = self.masks[start], self.ends[start]
        for symbol, item in cells[start].items():
            ended.setdefault(symbol, []).append((start, item))
            hit = left_of[symbol] & mask
            if not hit:
                continue
            parents = by_right[symbol]
            while hit:
                left = hit.bit_length() - 1
                hit ^= 1 << left
                self._pair(before[left], item, parents[left], cells)

    def _pair(self, lefts: list[tuple[int, Item]], right: Item, parents: Any, cells: list[Cell]) -> None:
        limit, caps = self.limit, self.book.caps
        for start, left in lefts:
            both = left[0] + right[0]
            if both > limit:
                continue
            wanted = self.wanted[start]
            for parent, cost, rule in parents:
                total = both + cost
                if wanted >> parent & 1 and (parent not in caps or total <= caps[parent]):
                    _put(cells[start], parent, (total, rule, left, right, None))


def _put(cell: Cell, symbol: int, item: Item) -> None:
    """Keep the cheapest way, and those that are nearly as cheap beside it."""
    old = cell.get(symbol)
    if old is None:
        cell[symbol] = item
    elif item[0] < old[0] - 1e-9:
        others = [old] if old[0] < item[0] + NEAR else None
        cell[symbol] = (item[0], item[1], item[2], item[3], others)
    elif item[0] < old[0] + NEAR:
        if old[4] is None:
            cell[symbol] = (old[0], old[1], old[2], old[3], [item])
        else:
            old[4].append(item)
