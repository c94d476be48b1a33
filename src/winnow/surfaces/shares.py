"""A context as lines of a trace: what each share of its budget holds, as bars, and what was trimmed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from winnow.surfaces.searched import step_line
from winnow.text.encode import encode
from winnow.types.context import Context, Use
from winnow.types.knowledge import Sufficiency
from winnow.types.shortlist import Dropped

WIDTH = 24
"""Characters of a bar; each share has its own, whatever its size."""
MOST = 8
"""Trimmed things that are printed."""
LONG = 120
"""Characters of a reason that are printed."""


def share_lines(context: Context) -> Iterator[str]:
    """``history    [######......]  310 of 1200 tokens, 26 %``, then what was trimmed and how it was set."""
    messages = len(context.messages)
    tools = f", {context.tools} of them in the schemas of tools" if context.tools else ""
    where = f"({context.counted_by}) in {messages} messages{tools}"
    yield f"{context.token_count} of {context.total} tokens {where}"
    for name, use in (context.usage or {}).items():
        yield f"{name:<10} [{bar(use)}] {use.used:5d} of {use.total} tokens, {use.percentage} %"
    if context.stable:
        again = f"{context.shared} of them as in the turn before"
        yield f"stable at the beginning: {context.stable} tokens, {again}"
    yield from (f"! {encode(warning, LONG)}" for warning in context.warnings)
    yield from _trimmed(context.trimmed)
    yield from map(step_line, context.steps)


def _trimmed(trimmed: Sequence[Dropped]) -> Iterator[str]:
    """What was left out or shortened, where, and why."""
    yield from (f"- {encode(one.id)} {one.stage}: {encode(one.reason, LONG)}" for one in trimmed[:MOST])
    if len(trimmed) > MOST:
        yield f"- ... +{len(trimmed) - MOST}"


def bar(use: Use) -> str:
    """As full as the share is."""
    full = min(WIDTH, round(WIDTH * use.used / use.total)) if use.total else 0
    return "#" * full + "." * (WIDTH - full)


def enough_line(judged: Sufficiency) -> str:
    """``enough: no (1 result, coverage 0.40, confidence 0.31): why``."""
    said = "yes" if judged.enough else "no"
    figures = f"{judged.results} results, coverage {judged.coverage:.2f}, confidence {judged.confidence:.2f}"
    return f"enough that is private: {said} ({figures}): {encode(judged.reason, LONG)}"
