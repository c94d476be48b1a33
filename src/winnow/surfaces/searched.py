"""What the sources beside the home were asked and found, as lines of a trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from winnow.text.encode import encode
from winnow.types.shortlist import Shortlist, Step

MOST = 8
"""Candidates and dropped things printed of each list."""
LONG = 120
"""Characters of a text that are printed."""


def searched_lines(shortlist: Shortlist) -> Iterator[str]:
    """How a source was searched, and the best it offers with the reasons."""
    yield f"{shortlist.source}: {len(shortlist.candidates)} found, {len(shortlist.dropped)} dropped"
    yield from (f"   {step_line(step)}" for step in shortlist.steps)
    for candidate in shortlist.candidates[:MOST]:
        evidence = " ".join(f"{e.lane} {e.score:.2f}" for e in candidate.evidence)
        data = candidate.data
        text = str(data.get("text", "")) if isinstance(data, Mapping) else str(data or "")
        yield f"   {candidate.score:.2f}  {encode(candidate.ref.id)}  {encode(text, LONG)}  [{evidence}]"
    yield from (f"   - {encode(d.id)} {d.stage}: {encode(d.reason, LONG)}" for d in shortlist.dropped[:MOST])


def step_line(step: Step) -> str:
    """``history: asked (it is about history: memory)``."""
    why = f" ({encode(step.reason, LONG)})" if step.reason else ""
    return f"{step.what}: {encode(step.chosen)}{why}"
