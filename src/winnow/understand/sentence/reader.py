"""The words of a turn read by the grammar: the best parse of the whole sentence, and what it orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from winnow.types.query import Condition, QueryIR, Token
from winnow.understand.sentence.carry import carried, conditioned
from winnow.understand.sentence.chart import Root, parse
from winnow.understand.sentence.conditions import parse as parse_condition
from winnow.understand.sentence.contrast import contrasted
from winnow.understand.sentence.drafts import Draft, Part, Span, said
from winnow.understand.sentence.grammar import queries
from winnow.understand.sentence.instructions import instruction
from winnow.understand.sentence.lattice import lattice, token_of
from winnow.understand.sentence.rulebook import Rulebook, rulebook
from winnow.understand.sentence.trees import Tree, tree
from winnow.understand.sentence.vocabulary import Vocabulary
from winnow.understand.sentence.whole_states import whole_states

Retag = Callable[[int, int], list[Token]]


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence parsed in full: its tree and what it says."""

    root: Root
    tree: Tree
    part: Part


def parsed(text: str, vocabulary: Vocabulary, language: str, heard: Sequence[Token] = ()) -> Parse | None:
    """The best parse of a normalised text; None when nothing covers it whole.

    ``heard``: stretches that sound like names of the home; tried when the words as said do not parse.
    """
    book = rulebook(language)
    whole = [t for t in heard if "heard" not in t.data]
    root = _best(text, vocabulary, book, whole)
    if root is None and len(whole) < len(heard):
        root = _best(text, vocabulary, book, heard)
    if root is None:
        return None
    made = tree(root.item, book, lambda edge: token_of(edge, text, vocabulary))
    return Parse(root, made, said(made)) if isinstance(made, Tree) else None


def _best(text: str, vocabulary: Vocabulary, book: Rulebook, heard: Sequence[Token]) -> Root | None:
    return next(iter(parse(lattice(text, vocabulary, book, heard), book)), None)


def ordered(parse: Parse, text: str, retag: Retag) -> tuple[QueryIR, ...]:
    """What a parse orders, one query for each act and thing.

    ``retag(start, end)`` reads a stretch of the text with everything that can be read, for conditions.
    """
    found: list[QueryIR] = []
    for spans, drafts in groupby(parse.part.drafts, key=lambda d: d.conditions):
        conditions = tuple(_conditions(spans, retag))
        made = contrasted([instruction(d) for d in drafts])
        read = [q for one in made for q in queries(one, text)]
        found.extend(conditioned(q, conditions) if conditions else q for q in read)
    return carried(found)


def unread(tokens: Sequence[Token], text: str) -> tuple[QueryIR, ...]:
    """What a sentence that does not parse is about: enough to ask or refuse, never to act on."""
    made = instruction(Draft(tuple(t for t in tokens if t.kind != "mark")))
    words = tuple(t.text for t in tokens if t.kind == "word") or (text,)
    return tuple(replace(q, unplaced=(*q.unplaced, *words)) for q in queries(made, text))


def _conditions(spans: Sequence[Span], retag: Retag) -> Iterator[Condition]:
    previous = None
    for start, end in spans:
        for condition in parse_condition(whole_states(retag(start, end)), previous):
            previous = condition.mention
            yield condition
