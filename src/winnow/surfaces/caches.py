"""How caches of vectors fare: for ``winnow doctor`` in words, for Prometheus in figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    """What is kept in a space, how often the cache helped, what it repaired, and what to do about it."""
    facts = {"count": size, "model": space.name, "dimension": space.dimension}
    parts = [Phrase("{count} vectors of {model} ({dimension} numbers)", **facts)]
    if tally.hit_rate is not None:
        rate = f"{tally.hit_rate:.0%}"
        parts.append(Phrase("{rate} of {asked} texts needed no model", rate=rate, asked=tally.asked))
    if tally.damaged:
        parts.append(Phrase("{damaged} damaged ones were made anew", damaged=tally.damaged))
    if tally.unkept:
        parts.append(Phrase("{unkept} could not be stored", unkept=tally.unkept))
    return Phrase("{parts}", parts=[*parts, *advice(tally)])


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


def kept(settings: Settings) -> str:
    """What all processes counted of each space the tenant has vectors of, as Prometheus reads it.

    Raises StoreError.
    """
    from winnow.wiring import open_store

    return prometheus(blocking(open_store(settings).storage.vectors.spaces(settings.scope)))


def prometheus(tallies: Mapping[Space, Tally]) -> str:
    """What was counted of each space in the text format of Prometheus (version 0.0.4)."""
    rows = []
    for name, what in _COUNTERS.items() if tallies else ():
        metric = f"winnow_vectors_{name}_total"
        rows += [f"# HELP {metric} {what}\n", f"# TYPE {metric} counter\n"]
        for space, tally in tallies.items():
            labels = f'model="{escape_label(space.name)}",version="{escape_label(space.version)}"'
            rows.append(f"{metric}{{{labels}}} {getattr(tally, name)}\n")
    return "".join(rows)


def escape_label(label: str) -> str:
    """The value of a label as Prometheus reads it."""
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
