"""How a sentence was parsed, for people: its tree, the runner-up, and what was passed over at what price.

Made when it is asked for, never on the way to a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from winnow.types.query import Token
from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.lattice import build_lattice, skipped_words
from winnow.understand.grammar.parser import (
    LEAF_RULE,
    NEAR_PRICE,
    Item,
    Root,
    Tree,
    find_symbols,
    item_sketch,
    near_variants,
)
from winnow.understand.grammar.rulebook import grammar_labels, load_rulebook
from winnow.understand.meaning.parses import Parse, is_whole
from winnow.understand.meaning.reader import GrammarReader, orders_sense

MAX_STRETCHES = 6
"""Stretches shown of a sentence that does not parse, at most."""
MAX_TEXT_CHARS = 160
"""Characters of a sentence of which, if it does not parse, stretches are looked for."""

BLOCKING_PRICE = 1.0
"""What it costs at least to pass over a word that is in the way."""


@dataclass(frozen=True, slots=True)
class TreeWord:
    """A word of the tree, or one that stands in the way: what it was taken for."""

    text: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A production: its left side, what it does with its parts, and the parts in order."""

    left: str
    operation: str
    text: str
    parts: tuple[TreeNode | TreeWord, ...]


@dataclass(frozen=True, slots=True)
class PassedWord:
    """A word that was passed over, the kind that allows it, and its price."""

    text: str
    kind: str
    price: float


@dataclass(frozen=True, slots=True)
class RivalParse:
    """The runner-up: its sort and cost, and the first place where it differs, in the best and in itself.

    ``same``: it orders the same, in another way; one that says something else comes first.
    """

    mood: str
    cost: float
    same: bool
    here: TreeNode | TreeWord
    there: TreeNode | TreeWord


@dataclass(frozen=True, slots=True)
class ParseTree:
    """A sentence as the grammar read it.

    ``mood``: the root, empty when nothing covers the sentence whole; then ``stretches`` are the longest that
    parse by themselves and ``blocking`` the words between them.
    """

    text: str
    language: LanguageCode
    mood: str = ""
    cost: float = 0.0
    tree: TreeNode | TreeWord | None = None
    rival: RivalParse | None = None
    passed: tuple[PassedWord, ...] = ()
    stretches: tuple[TreeNode | TreeWord, ...] = ()
    blocking: tuple[TreeWord, ...] = ()


def parse_drawing(
    text: str, reader: GrammarReader, tokens: Sequence[Token] = (), *, island: bool = False
) -> ParseTree:
    """How a normalised text is parsed. ``tokens``: its words one by one, as they are interpreted.

    ``island``: as an order among words that nothing reads.
    """
    heard = [t for t in tokens if is_whole(t)]
    if island and (order := reader.parses_of(text).island_parse(heard)):
        mood, cost = order.root.mood, round(order.root.cost, 2)
        return ParseTree(text, reader.language, mood, cost, _tree_node(order.tree, text))
    best = reader.parses_of(text).written_parse(heard)
    if best is None:
        return _partial_tree(text, reader, tokens, heard)
    return ParseTree(
        text,
        reader.language,
        best.root.mood,
        round(best.root.cost, 2),
        _tree_node(best.tree, text),
        _rival_parse(best, text, reader),
        tuple(_passed_words(best.tree, text, reader, heard)),
    )


def rule_label(name: str, language: LanguageCode, of: str = "lefts") -> str:
    """What people call a left side or, of ``operations``, an operation; else its own name."""
    known = grammar_labels()[of].get(name)
    return str(known[0 if language == "zh" else 1]) if known else name


def _tree_node(made: Tree | Token, text: str) -> TreeNode | TreeWord:
    if isinstance(made, Token):
        return TreeWord(made.text, made.kind, str(made.data.get("is", "")))
    words = list(made.words)
    parts = tuple(_tree_node(part, text) for part in made.parts)
    return TreeNode(made.rule.left, made.rule.operation, text[words[0].start : words[-1].end], parts)


def _rival_parse(best: Parse, text: str, reader: GrammarReader) -> RivalParse | None:
    """The cheapest other way to take the whole that says something else; failing that the cheapest."""
    book = load_rulebook(reader.language)
    own = item_sketch(best.root.item, book, every=True)
    near = sorted(
        [*near_variants(best.root, NEAR_PRICE), *reader.roots(text, best.heard)[1:]], key=lambda r: r.cost
    )
    others = [r for r in near if item_sketch(r.item, book, every=True) != own]
    said = _meaning_of_root(best.root, text, reader)
    unlike = next((r for r in others if _meaning_of_root(r, text, reader) != said), None)
    root = unlike or next(iter(others), None)
    if root is None:
        return None
    here, there = _first_difference(
        _tree_node(best.tree, text), _tree_node(reader.parses_of(text).tree_of(root.item), text)
    )
    return RivalParse(root.mood, round(root.cost, 2), unlike is None, here, there)


def _meaning_of_root(root: Root, text: str, reader: GrammarReader) -> tuple[str, tuple[str, ...]]:
    orders, moods = reader.meaning_of(root, text)
    return orders_sense(orders), moods


def _first_difference(
    here: TreeNode | TreeWord, there: TreeNode | TreeWord
) -> tuple[TreeNode | TreeWord, TreeNode | TreeWord]:
    """The smallest two nodes that hold everything in which two trees differ."""
    if isinstance(here, TreeWord) or isinstance(there, TreeWord):
        return here, there
    if (here.left, here.operation, len(here.parts)) != (there.left, there.operation, len(there.parts)):
        return here, there
    unlike = [(a, b) for a, b in zip(here.parts, there.parts, strict=True) if a != b]
    return _first_difference(*unlike[0]) if len(unlike) == 1 else (here, there)


def _passed_words(
    made: Tree, text: str, reader: GrammarReader, heard: Sequence[Token]
) -> Iterator[PassedWord]:
    """The words between those of a tree, with their price."""
    book, ends = load_rulebook(reader.language), sorted((w.start, w.end) for w in made.words)
    edges = [(0, 0), *ends, (len(text), len(text))]
    for (_, start), (stop, _) in pairwise(edges):
        for edge in skipped_words(text, (start, stop), reader.vocabulary, book, heard):
            kind = ".".join(filter(None, (edge.sense.kind, edge.sense.meaning)))
            yield PassedWord(text[edge.start : edge.end], kind, round(edge.sense.skip, 2))


def _partial_tree(
    text: str, reader: GrammarReader, tokens: Sequence[Token], heard: Sequence[Token]
) -> ParseTree:
    """What of a sentence parses that does not parse whole, and the words in the way."""
    found = _longest_stretches(text, reader, heard) if len(text) <= MAX_TEXT_CHARS else []
    taken = [span for span, _ in found]
    between = (
        t
        for t in tokens
        if not any(s <= t.start < e for s, e in taken) and not _is_light(t, text, reader, heard)
    )
    blocking = tuple(TreeWord(t.text, t.kind, str(t.data.get("is", ""))) for t in between)
    nodes = tuple(node for _, node in found)
    return ParseTree(text, reader.language, stretches=nodes, blocking=blocking)


def _is_light(token: Token, text: str, reader: GrammarReader, heard: Sequence[Token]) -> bool:
    """Whether a word may be passed over anywhere: then it is not what stands in the way."""
    book = load_rulebook(reader.language)
    gap = skipped_words(text, (token.start, token.end), reader.vocabulary, book, heard)
    return token.kind == "mark" or all(edge.sense.skip < BLOCKING_PRICE for edge in gap)


_TextSpan = tuple[int, int]


def _longest_stretches(
    text: str, reader: GrammarReader, heard: Sequence[Token]
) -> list[tuple[_TextSpan, TreeNode | TreeWord]]:
    """The longest stretches that do not overlap, in order of the text."""
    book, names = load_rulebook(reader.language), grammar_labels()["pieces"]
    made = find_symbols(build_lattice(text, reader.vocabulary, book, heard), book, names)
    kept: list[tuple[_TextSpan, Item]] = []
    for span, item in sorted(
        ((_item_span(i), i) for i in made), key=lambda one: (one[0][0] - one[0][1], one[1][0])
    ):
        if len(kept) < MAX_STRETCHES and not any(s < span[1] and span[0] < e for (s, e), _ in kept):
            kept.append((span, item))
    kept.sort(key=lambda one: one[0])
    return [(span, _tree_node(reader.parses_of(text).tree_of(item), text)) for span, item in kept]


def _item_span(item: Item) -> _TextSpan:
    """Where in the text an item begins and ends."""
    first = last = item
    while first[1] != LEAF_RULE:
        first = first[2]
    while last[1] != LEAF_RULE:
        last = last[3] or last[2]
    return first[2].start, last[2].end
