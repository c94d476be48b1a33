"""The commands a query may mean: its action cluster (seed 000 §3.1.6, seed 001 §D1)."""

from __future__ import annotations

from winnow.language.families import STARTING, STOPPING
from winnow.language.lexicon import clusters
from winnow.types.query import QueryIR, Value

OWN = frozenset({"degree", "celsius", "fahrenheit", "kelvin", "level", "ampere", "centimetre"})
"""Units that tell by themselves what is moved by so much."""
LEVEL = "level"
TURNING = frozenset({"light_verb", "verb", "step"})
"""Kinds of words for an act beside a particle."""


def cluster(query: QueryIR) -> tuple[str, ...]:
    """``Trait.Action`` pairs, best first; a value's property before its shape before the bare verb."""
    tables, value = clusters(), query.value
    named = tables["properties"].get(query.property, ())
    if value is None:
        return _bare(query, named)
    shapes = tables["shapes"]
    moves = shapes["ahead" if value.direction > 0 else "back"] if _moves(query, value) else ()
    if named:
        return tuple(dict.fromkeys((*named, *moves)))
    if moves and not any(t.kind in TURNING for t in query.tokens):
        return moves  # ``shades down`` moves what goes down; only what is turned down is lessened
    # What the shape of a value may set; two notches brighter are two steps
    shapes = clusters()["shapes"]
    steps = shapes["step"] if value.kind == "relative" and value.unit == LEVEL else ()
    return tuple(dict.fromkeys((*moves, *(*shapes.get(shape(value), ()), *steps))))


def _bare(query: QueryIR, named: tuple[str, ...]) -> tuple[str, ...]:
    """An act without a value; of a property only what it has of such acts."""
    act = clusters()["actions"].get(query.action, ())
    own = clusters()["parts"].get(f"{query.property} {query.action}", ())
    if own or not named:
        return own or act
    return tuple(t for t in act if _trait(t) in map(_trait, named)) or _switched(named, query.action)


def _switched(named: tuple[str, ...], action: str) -> tuple[str, ...]:
    """What switches a function that no act of the whole thing moves: the act itself, else its setting."""
    ends = (".On", ".Set") if action in STARTING else (".Off", ".Set") if action in STOPPING else ()
    return tuple(pair for end in ends for pair in named if pair.endswith(end))


def _moves(query: QueryIR, value: Value) -> bool:
    """``up``, ``down``: an amount nobody named of nothing that was named may be all the way."""
    bare = value.number is None and not value.text
    return bare and value.kind == "relative" and query.property in {"", "position"}


def _trait(pair: str) -> str:
    """The trait alone: what a property has no such act of is not done to its thing."""
    return pair.partition(".")[0]


def shape(value: Value) -> str:
    """The row of ``shapes`` a value without a property falls in."""
    if value.kind == "relative":
        return value.unit if value.unit in OWN else "step"
    if value.kind == "extreme":
        return "extreme"
    if value.number is None:
        return "text"
    return value.unit or "number"
