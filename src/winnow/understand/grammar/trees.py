"""Parses as trees: what each production covers, with the words at the leaves; and trees nearly as cheap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from winnow.types.query import Token
from winnow.understand.grammar.chart import LEAF, Item, Root
from winnow.understand.grammar.lattice import Edge
from winnow.understand.grammar.rulebook import JOINT, MERGE, Rule, Rulebook

VARIANTS = 24
"""Readings that are compared, at most."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A production and its parts."""

    rule: Rule
    parts: tuple[Tree | Token, ...]

    @property
    def words(self) -> Iterator[Token]:
        """The words it covers, in order; those passed over are not among them."""
        for part in self.parts:
            if isinstance(part, Token):
                yield part
            else:
                yield from part.words


Leaf = Callable[[Edge], Token]


def tree(item: Item, book: Rulebook, leaf: Leaf) -> Tree | Token:
    """The cheapest tree of an item."""
    _, rule, left, right, _ = item
    if rule == LEAF:
        return leaf(left)
    if isinstance(rule, tuple):
        made = tree(left, book, leaf)
        for number in rule:
            made = Tree(book.rules[number], (made,))
        return made
    return Tree(book.rules[rule], (*_parts(left, book, leaf), tree(right, book, leaf)))


def _parts(item: Item, book: Rulebook, leaf: Leaf) -> tuple[Tree | Token, ...]:
    """The parts of the beginning of a longer production."""
    if item[1] == JOINT:
        return (*_parts(item[2], book, leaf), tree(item[3], book, leaf))
    return (tree(item, book, leaf),)


def variants(root: Root, within: float) -> list[Root]:
    """Parses that differ from the cheapest in one place and cost at most ``within`` more."""
    found: list[Root] = []
    _vary(root.item, within, lambda item, more: found.append(Root(root.cost + more, root.mood, item)))
    return sorted(found, key=lambda r: r.cost)[:VARIANTS]


def sketch(item: Item, book: Rulebook, *, every: bool = False) -> tuple[object, ...]:
    """What an item takes each word for and does with its parts: readings of one sketch say the same.

    ``every``: also which words are the grammar's own; they say nothing once the tree is made.
    """
    drawn: list[object] = []
    _draw(item, book, drawn, every)
    return tuple(drawn)


def _draw(item: Item, book: Rulebook, drawn: list[object], every: bool) -> None:
    _, rule, left, right, _ = item
    if rule == LEAF:
        if every or left.sense.kind != "part":
            drawn.append((left.start, left.end, left.sense.kind, left.sense.meaning))
        return
    numbers = rule if isinstance(rule, tuple) else (rule,)
    done = [book.rules[n].operation for n in numbers if n != JOINT and book.rules[n].operation != MERGE]
    drawn.extend(done)
    _draw(left, book, drawn, every)
    if right is not None:
        _draw(right, book, drawn, every)
    drawn.extend(None for _ in done)


Take = Callable[[Item, float], None]


def _vary(item: Item, within: float, take: Take) -> None:
    cost, rule, left, right, others = item
    for other in others or ():
        if other[0] - cost <= within:
            take(other, other[0] - cost)
    if rule == LEAF:
        return
    _vary(left, within, lambda made, more: take((cost + more, rule, made, right, None), more))
    if right is not None:
        _vary(right, within, lambda made, more: take((cost + more, rule, left, made, None), more))
