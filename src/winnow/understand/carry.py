"""What the instructions of one sentence hand on to each other: targets and rooms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import Quantifier, QueryIR


def carried(read: Sequence[QueryIR]) -> tuple[QueryIR, ...]:
    """An act without a target takes the last one named before it in the sentence, else the first one after it."""
    out: list[QueryIR] = []
    for at, query in enumerate(read):
        if query.target.tokens or not (query.action or query.value):
            out.append(query)
            continue
        before = next((q for q in reversed(out) if q.entity_mentions), None)
        donor = before or next((q for q in read[at + 1 :] if q.entity_mentions and q.action == query.action), None)
        if donor is None:
            out.append(query)
            continue
        if donor in out and donor.action == query.action and donor.value == query.value:
            out.remove(donor)  # said again, more exactly
        same = {f: getattr(donor, f) for f in ("target", "type_hint", "name_hint", "entity_mentions", "scope_include")}
        quantifier = query.quantifier if query.quantifier is not Quantifier.ONE else donor.quantifier
        out.append(replace(query, references=(), quantifier=quantifier, inherited=True, **same))
    return _with_scopes(out)


def _with_scopes(read: Sequence[QueryIR]) -> tuple[QueryIR, ...]:
    """Rooms said with other instructions: the nearest before, else those after."""
    out: list[QueryIR] = []
    for at, query in enumerate(read):
        before = next((q for q in reversed(read[:at]) if _rooms(q)), None)
        after = next((q for q in read[at + 1 :] if _rooms(q)), None)
        donor = before or after
        out.append(replace(query, scope_said=_rooms(donor)) if donor and not _rooms(query) else query)
    return tuple(out)


def _rooms(query: QueryIR | None) -> tuple[str, ...]:
    return tuple(r for t in query.target.tokens if t.kind == "room" for r in t.refs) if query else ()
