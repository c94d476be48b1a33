"""How caches of vectors fare: for ``winnow doctor`` in words, for Prometheus in figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from winnow.bridge import blocking
from winnow.config import Settings
from winnow.errors import Phrase
from winnow.types.cache import ENOUGH, Tally
from winnow.types.space import Space

FEW = 100
"""Texts asked for below which a hit rate says nothing."""
_COUNTERS = {
    "asked": "Passages whose vectors were asked for.",
    "memory": "Passages found in memory.",
    "store": "Passages found in the store.",
    "joined": "Passages that were being embedded for somebody else.",
    "made": "Passages that were embedded.",
    "damaged": "Stored vectors that were damaged and made anew.",
    "unkept": "Vectors that the store did not take.",
    "calls": "Requests to the embedder.",
    "failed": "Requests that the embedder failed at.",
    "questions": "Questions whose vectors were asked for.",
    "evicted": "Vectors that had to leave the memory for others.",
}


def kept_vectors(settings: Settings) -> list[str]:
    """A line about each space of the tenant's vectors in the store: how many, how often they help, advice.

    Raises StoreError.
    """
    from winnow.wiring import open_store

    vectors, scope = open_store(settings).storage.vectors, settings.scope
    spaces = blocking(vectors.spaces(scope))
    return [line(space, blocking(vectors.size(scope, space)), tally) for space, tally in spaces.items()]


def line(space: Space, size: int, tally: Tally) -> str:
    """What is kept in a space, and how it fares."""
    kept = Phrase(
        "{count} vectors of {model} ({dimension} numbers)",
        count=size,
        model=space.name,
        dimension=space.dimension,
    )
    return Phrase("{parts}", parts=[kept, *_fares(tally), *advice(tally)])


def _fares(tally: Tally) -> Iterator[str]:
    """How often the cache helped, and what it repaired."""
    if tally.hit_rate is not None:
        yield Phrase(
            "{rate} of {asked} texts needed no model", rate=f"{tally.hit_rate:.0%}", asked=tally.asked
        )
    if tally.damaged:
        yield Phrase("{damaged} damaged ones were made anew", damaged=tally.damaged)
    if tally.unkept:
        yield Phrase("{unkept} could not be stored", unkept=tally.unkept)


def advice(tally: Tally) -> Iterator[str]:
    """What to do about a cache that helps too seldom (seed 003: below one half)."""
    if tally.hit_rate is None or tally.asked < FEW or tally.hit_rate >= ENOUGH:
        return
    if tally.evicted:
        yield Phrase(
            "below {enough}: {evicted} had to leave the memory, give it more (vector_memory)",
            enough=f"{ENOUGH:.0%}",
            evicted=tally.evicted,
        )
    yield Phrase(
        "below {enough}: make them before they are asked for ({command})",
        enough=f"{ENOUGH:.0%}",
        command="winnow messages precompute --all",
    )


def kept_tallies(settings: Settings) -> Mapping[Space, Tally]:
    """Each space the tenant has vectors of, and what all processes counted of it. Raises StoreError."""
    from winnow.wiring import open_store

    return blocking(open_store(settings).storage.vectors.spaces(settings.scope))


def kept(settings: Settings) -> str:
    """What was counted of each space of the tenant, as Prometheus reads it. Raises StoreError."""
    return prometheus(kept_tallies(settings))


def prometheus(tallies: Mapping[Space, Tally]) -> str:
    """What was counted of each space in the text format of Prometheus (version 0.0.4)."""
    return "".join(f"{row}\n" for row in _rows(tallies))


def _rows(tallies: Mapping[Space, Tally]) -> Iterator[str]:
    for name, told in _COUNTERS.items() if tallies else ():
        values = ((space, getattr(tally, name)) for space, tally in tallies.items())
        yield from _metric(f"winnow_vectors_{name}_total", "counter", told, values)


def _metric(name: str, kind: str, told: str, values: Iterable[tuple[Space, int]]) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"
    for space, value in values:
        labels = f'model="{_escaped(space.name)}",version="{_escaped(space.version)}"'
        yield f"{name}{{{labels}}} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
