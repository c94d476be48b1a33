"""What the sources beside the home were asked and found, as lines of a trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from winnow.text.encode import encode
from winnow.types.shortlist import Candidate, Shortlist, Step

MOST = 8
"""Candidates and dropped things printed of each list."""
LONG = 120
"""Characters of a text that are printed."""


def gate_lines(gate: tuple[Step, ...]) -> Iterator[str]:
    """``history: asked (it is about history: memory)``."""
    yield from map(_step, gate)


def searched_lines(shortlist: Shortlist) -> Iterator[str]:
    """How a source was searched, and the best it offers with the reasons."""
    yield f"{shortlist.source}: {len(shortlist.candidates)} found, {len(shortlist.dropped)} dropped"
    yield from (f"   {_step(step)}" for step in shortlist.steps)
    yield from (f"   {_candidate(c)}" for c in shortlist.candidates[:MOST])
    yield from (f"   - {encode(d.id)} {d.stage}: {encode(d.reason, LONG)}" for d in shortlist.dropped[:MOST])


def _step(step: Step) -> str:
    why = f" ({encode(step.reason, LONG)})" if step.reason else ""
    return f"{step.what}: {encode(step.chosen)}{why}"


def _candidate(candidate: Candidate) -> str:
    evidence = " ".join(f"{e.lane} {e.score:.2f}" for e in candidate.evidence)
    return (
        f"{candidate.score:.2f}  {encode(candidate.ref.id)}  {encode(_text(candidate), LONG)}  [{evidence}]"
    )


def _text(candidate: Candidate) -> str:
    data = candidate.data
    return str(data.get("text", "")) if isinstance(data, Mapping) else str(data or "")
