"""``arm the house for the night``: what is said of an alarm's mode names no thing."""

from __future__ import annotations

from dataclasses import replace

from winnow.language.arming import mode_said
from winnow.types.query import QueryIR, Value
from winnow.understand.sentence.cluster import cluster

NAMING = frozenset({"name", "type", "room", "floor"})
"""Kinds of words that tell of what, never in which mode."""


def armed(query: QueryIR) -> QueryIR:
    """An order to arm with its mode as its value; any other query as it is."""
    if query.action != "arm" or query.negated:
        return query
    mode = mode_said(" ".join(t.text for t in query.tokens if t.kind not in NAMING))
    if not mode:
        return query
    kept = (
        t for t in query.target.tokens if not (t.kind in {"word", "nameword"} and bool(mode_said(t.text)))
    )
    made = replace(query.about(*kept), value=Value("absolute", text=mode))
    if query.property != "mode":
        return made
    bare = replace(query, property="", value=None)  # its mode is how it is armed, not what is set
    return replace(made, property="", action_cluster=cluster(bare))
