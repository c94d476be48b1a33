"""The commands a query may mean: its action cluster (seed 000 §3.1.6, seed 001 §D1)."""

from __future__ import annotations

from winnow.language.lexicon import clusters
from winnow.types.query import QueryIR, Value

OWN = frozenset({"degree", "celsius", "fahrenheit", "kelvin", "level", "ampere", "centimetre"})
"""Units that tell by themselves what is moved by so much."""
LEVEL = "level"


def cluster(query: QueryIR) -> tuple[str, ...]:
    """``Trait.Action`` pairs, best first; a value's property before its shape before the bare verb."""
    tables = clusters()
    named = tables["properties"].get(query.property, ())
    if query.value is None:
        act = tables["actions"].get(query.action, ())
        own = tables["parts"].get(f"{query.property} {query.action}", ())
        return own or tuple(t for t in act if _trait(t) in map(_trait, named)) if named else act
    if (
        query.value.kind == "relative"
        and query.value.number is None
        and not query.value.text
        and query.property in {"", "position"}
    ):
        named = (
            *named,
            *(("Cover.Open", "Door.Open") if query.value.direction > 0 else ("Cover.Close", "Door.Close")),
        )
    shaped = () if named else tables["shapes"].get(shape(query.value), ())
    if query.value.kind == "relative" and query.value.unit == LEVEL and not named:
        shaped = (*shaped, *tables["shapes"]["step"])  # two notches brighter: two steps
    return tuple(dict.fromkeys((*named, *shaped)))


def _trait(pair: str) -> str:
    """``turn off the brightness`` is no ``turn off``: what a property has no such act of is not done to its thing."""
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
