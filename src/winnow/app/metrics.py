"""Metrics as text and in the Prometheus format: vector caches, and the turns that were counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from winnow.app.config.settings import Settings
from winnow.errors import Phrase
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.ports.services import run_blocking
from winnow.types.feedback import Metrics, Total
from winnow.types.utterance import LanguageCode
from winnow.types.vector import MIN_HIT_RATE, Space, Tally

MIN_TEXTS_FOR_RATE = 100
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


def vector_space_lines(settings: Settings) -> list[str]:
    """A line about each space of the tenant's vectors in the store: how many, how often they help, advice.

    Raises StoreError.
    """
    from winnow.app.wiring.engine import open_store

    vectors, scope = open_store(settings).storage.vectors, settings.scope
    spaces = run_blocking(vectors.spaces(scope))
    return [
        space_line(space, run_blocking(vectors.size(scope, space)), tally) for space, tally in spaces.items()
    ]


def space_line(space: Space, size: int, tally: Tally) -> str:
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
    return Phrase("{parts}", parts=[*parts, *cache_advice(tally)])


def cache_advice(tally: Tally) -> Iterator[str]:
    """What to do about a cache that helps too seldom (seed 003: below one half)."""
    # A rate of few requests says nothing.
    if tally.hit_rate is None or tally.asked < MIN_TEXTS_FOR_RATE or tally.hit_rate >= MIN_HIT_RATE:
        return
    if tally.evicted:
        yield Phrase(
            "below {enough}: {evicted} had to leave the memory, give it more (vector_memory)",
            enough=f"{MIN_HIT_RATE:.0%}",
            evicted=tally.evicted,
        )
    yield Phrase(
        "below {enough}: make them before they are asked for ({command})",
        enough=f"{MIN_HIT_RATE:.0%}",
        command="winnow messages precompute --all",
    )


def tenant_cache_metrics(settings: Settings) -> str:
    """What all processes counted of each space the tenant has vectors of, as Prometheus reads it.

    Raises StoreError.
    """
    from winnow.app.wiring.engine import open_store

    return cache_prometheus(run_blocking(open_store(settings).storage.vectors.spaces(settings.scope)))


def cache_prometheus(tallies: Mapping[Space, Tally]) -> str:
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


# Metrics of turns.


MAX_STATEMENT_CHARS = 120
"""Characters of a statement that are printed."""
SHARE_FIGURES = ("relevance", "coverage", "utilisation", "completeness", "support")


def figure_lines(metrics: Metrics) -> Iterator[str]:
    """``relevance 0.62  coverage 0.90 (not: garage)``, then each statement of an answer."""
    if not metrics.data:
        return
    known = ((name, getattr(metrics, name)) for name in SHARE_FIGURES)
    shares = "  ".join(f"{name} {share:.2f}" for name, share in known if share is not None)
    left = f"  (not covered: {', '.join(map(encode_text, metrics.uncovered))})" if metrics.uncovered else ""
    yield f"{metrics.data} of {metrics.tokens} tokens are data  {shares}{left}"
    for said in metrics.statements:
        verdict = "+" if said.supported else "-"
        place = f"{said.by.kind}:{encode_text(said.by.id)}" if said.by else "nowhere"
        lacking = f", not there: {', '.join(map(encode_text, said.missing))}" if said.missing else ""
        statement = encode_text(said.text, MAX_STATEMENT_CHARS)
        yield f"   {verdict} {said.share:.2f}  {statement}  [{place}{lacking}]"


def total_lines(totals: Mapping[str, Total], language: LanguageCode) -> Iterator[str]:
    """How many turns were counted, and the mean of each figure."""
    if not totals:
        return
    yield message("metrics_turns", language, count=totals.get("turns", Total()).count)
    for name, total in totals.items():
        if name != "turns":
            yield f"  {name:24s} {total.mean:10.2f}  ({total.count})"


def turn_prometheus(totals: Mapping[str, Total]) -> str:
    """The totals in the text format of Prometheus (version 0.0.4): a summary, without quantiles, of each.

    ``ms recall`` is ``ms`` with the label ``of="recall"``.
    """
    rows = []
    for name, total in totals.items():
        figure, _, of = name.partition(" ")
        metric = f"winnow_turn_{re.sub('[^a-z_]', '_', figure)}"
        labels = f'{{of="{escape_label(of)}"}}' if of else ""
        if (head := f"# TYPE {metric} summary\n") not in rows:  # twice, and nothing of it is taken
            rows.append(head)
        rows.append(f"{metric}_sum{labels} {total.sum:.6g}\n")
        rows.append(f"{metric}_count{labels} {total.count}\n")
    return "".join(rows)
