"""What the instructions of one sentence hand on to each other: targets and rooms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import Condition, Mention, Quantifier, QueryIR
from winnow.understand.slots import DEVICE_KINDS, PLACE_KINDS


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
        out.append(replace(query, scope_said=query.scope_said or _rooms(donor)) if donor and not _rooms(query) else query)
    return tuple(out)


def _rooms(query: QueryIR | None) -> tuple[str, ...]:
    return tuple(r for t in query.target.tokens if t.kind == "room" for r in t.refs) if query else ()


def conditioned(query: QueryIR, condition: Condition) -> QueryIR:
    """The query under its condition; what it does not name itself it takes from there."""
    said = tuple(r for t in condition.mention.tokens if t.kind == "room" for r in t.refs)
    query = replace(query, conditions=(condition,), scope_said=said)
    if not query.target.tokens and not query.antecedents:
        things = [t for t in condition.mention.tokens if t.kind in DEVICE_KINDS]
        if things and not condition.repeated and condition.quantity in {"state", "lock", "setpoint"}:
            mention = Mention(condition.mention.tokens)
            scope = tuple(r for t in mention.tokens if t.kind in PLACE_KINDS for r in t.refs)
            return replace(query, target=mention, references=(), entity_mentions=tuple(t.text for t in things), scope_include=scope)
    rooms = [t for t in condition.mention.tokens if t.kind == "room"]
    if rooms and any(r.kind == "there" for r in query.references):
        return replace(query, target=Mention((*rooms, *query.target.tokens)), references=())
    return query
