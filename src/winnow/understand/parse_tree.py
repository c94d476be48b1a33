"""How a sentence was parsed, for people: its tree, the runner-up, and what was passed over at what price.

Made when it is asked for, never on the way to a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from winnow.types.query import Token
from winnow.types.utterance import Language
from winnow.understand.grammar.lattice import lattice, passed_over
from winnow.understand.grammar.parser import LEAF, NEAR, Item, Root, Tree, pieces, sketch, variants
from winnow.understand.grammar.rulebook import labels, rulebook
from winnow.understand.meaning.parses import Parse, is_whole
from winnow.understand.meaning.reader import Reader, sense

STRETCHES = 6
"""Stretches shown of a sentence that does not parse, at most."""
LONGEST = 160
"""Characters of a sentence of which, if it does not parse, stretches are looked for."""

HEAVY = 1.0
"""What it costs at least to pass over a word that is in the way."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the tree, or one that stands in the way: what it was taken for."""

    text: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Node:
    """A production: its left side, what it does with its parts, and the parts in order."""

    left: str
    operation: str
    text: str
    parts: tuple[Node | Word, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """A word that was passed over, the kind that allows it, and its price."""

    text: str
    kind: str
    price: float


@dataclass(frozen=True, slots=True)
class Rival:
    """The runner-up: its sort and cost, and the first place where it differs, in the best and in itself.

    ``same``: it orders the same, in another way; one that says something else comes first.
    """

    mood: str
    cost: float
    same: bool
    here: Node | Word
    there: Node | Word


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sentence as the grammar read it.

    ``mood``: the root, empty when nothing covers the sentence whole; then ``stretches`` are the longest that
    parse by themselves and ``blocking`` the words between them.
    """

    text: str
    language: Language
    mood: str = ""
    cost: float = 0.0
    tree: Node | Word | None = None
    rival: Rival | None = None
    passed: tuple[Passed, ...] = ()
    stretches: tuple[Node | Word, ...] = ()
    blocking: tuple[Word, ...] = ()


def drawn(text: str, reader: Reader, tokens: Sequence[Token] = ()) -> Drawing:
    """How a normalised text is parsed. ``tokens``: its words one by one, as ``Reader.meant`` takes them."""
    heard = [t for t in tokens if is_whole(t)]
    best = reader.attempts(text).written(heard)
    if best is None:
        return _in_pieces(text, reader, tokens, heard)
    return Drawing(
        text,
        reader.language,
        best.root.mood,
        round(best.root.cost, 2),
        _node(best.tree, text),
        _rival(best, text, reader),
        tuple(_passed(best.tree, text, reader, heard)),
    )


def label(name: str, language: Language, of: str = "lefts") -> str:
    """What people call a left side or, of ``operations``, an operation; else its own name."""
    known = labels()[of].get(name)
    return str(known[0 if language == "zh" else 1]) if known else name


def _node(made: Tree | Token, text: str) -> Node | Word:
    if isinstance(made, Token):
        return Word(made.text, made.kind, str(made.data.get("is", "")))
    words = list(made.words)
    parts = tuple(_node(part, text) for part in made.parts)
    return Node(made.rule.left, made.rule.operation, text[words[0].start : words[-1].end], parts)


def _rival(best: Parse, text: str, reader: Reader) -> Rival | None:
    """The cheapest other way to take the whole that says something else; failing that the cheapest."""
    book = rulebook(reader.language)
    own = sketch(best.root.item, book, every=True)
    near = sorted([*variants(best.root, NEAR), *reader.roots(text, best.heard)[1:]], key=lambda r: r.cost)
    others = [r for r in near if sketch(r.item, book, every=True) != own]
    said = _said(best.root, text, reader)
    unlike = next((r for r in others if _said(r, text, reader) != said), None)
    root = unlike or next(iter(others), None)
    if root is None:
        return None
    here, there = _apart(_node(best.tree, text), _node(reader.attempts(text).tree(root.item), text))
    return Rival(root.mood, round(root.cost, 2), unlike is None, here, there)


def _said(root: Root, text: str, reader: Reader) -> tuple[str, tuple[str, ...]]:
    orders, moods = reader.says(root, text)
    return sense(orders), moods


def _apart(here: Node | Word, there: Node | Word) -> tuple[Node | Word, Node | Word]:
    """The smallest two nodes that hold everything in which two trees differ."""
    if isinstance(here, Word) or isinstance(there, Word):
        return here, there
    if (here.left, here.operation, len(here.parts)) != (there.left, there.operation, len(there.parts)):
        return here, there
    unlike = [(a, b) for a, b in zip(here.parts, there.parts, strict=True) if a != b]
    return _apart(*unlike[0]) if len(unlike) == 1 else (here, there)


def _passed(made: Tree, text: str, reader: Reader, heard: Sequence[Token]) -> Iterator[Passed]:
    """The words between those of a tree, with their price."""
    book, ends = rulebook(reader.language), sorted((w.start, w.end) for w in made.words)
    edges = [(0, 0), *ends, (len(text), len(text))]
    for (_, start), (stop, _) in pairwise(edges):
        for edge in passed_over(text, (start, stop), reader.vocabulary, book, heard):
            kind = ".".join(filter(None, (edge.sense.kind, edge.sense.meaning)))
            yield Passed(text[edge.start : edge.end], kind, round(edge.sense.skip, 2))


def _in_pieces(text: str, reader: Reader, tokens: Sequence[Token], heard: Sequence[Token]) -> Drawing:
    """What of a sentence parses that does not parse whole, and the words in the way."""
    found = _longest(text, reader, heard) if len(text) <= LONGEST else []
    taken = [span for span, _ in found]
    between = (
        t
        for t in tokens
        if not any(s <= t.start < e for s, e in taken) and not _is_light(t, text, reader, heard)
    )
    blocking = tuple(Word(t.text, t.kind, str(t.data.get("is", ""))) for t in between)
    nodes = tuple(node for _, node in found)
    return Drawing(text, reader.language, stretches=nodes, blocking=blocking)


def _is_light(token: Token, text: str, reader: Reader, heard: Sequence[Token]) -> bool:
    """Whether a word may be passed over anywhere: then it is not what stands in the way."""
    book = rulebook(reader.language)
    gap = passed_over(text, (token.start, token.end), reader.vocabulary, book, heard)
    return token.kind == "mark" or all(edge.sense.skip < HEAVY for edge in gap)


_Span = tuple[int, int]


def _longest(text: str, reader: Reader, heard: Sequence[Token]) -> list[tuple[_Span, Node | Word]]:
    """The longest stretches that do not overlap, in order of the text."""
    book, names = rulebook(reader.language), labels()["pieces"]
    made = pieces(lattice(text, reader.vocabulary, book, heard), book, names)
    kept: list[tuple[_Span, Item]] = []
    for span, item in sorted(
        ((_span(i), i) for i in made), key=lambda one: (one[0][0] - one[0][1], one[1][0])
    ):
        if len(kept) < STRETCHES and not any(s < span[1] and span[0] < e for (s, e), _ in kept):
            kept.append((span, item))
    kept.sort(key=lambda one: one[0])
    return [(span, _node(reader.attempts(text).tree(item), text)) for span, item in kept]


def _span(item: Item) -> _Span:
    """Where in the text an item begins and ends."""
    first = last = item
    while first[1] != LEAF:
        first = first[2]
    while last[1] != LEAF:
        last = last[3] or last[2]
    return first[2].start, last[2].end
