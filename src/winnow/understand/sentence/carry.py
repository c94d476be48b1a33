"""What the instructions of one sentence hand on to each other: targets and rooms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Condition, Mention, Quantifier, QueryIR
from winnow.understand.sentence.mentions import kind_of
from winnow.understand.words.kinds import says


def carried(read: Sequence[QueryIR]) -> tuple[QueryIR, ...]:
    """An act without a target takes the last one named before it, else the first one after it."""
    out: list[QueryIR] = []
    for at, one in enumerate(read):
        query = _completed(one, out)
        if query.target.tokens or not (query.action or query.value):
            out.append(query)
            continue
        before = next((q for q in reversed(out) if q.entity_mentions), None)
        later = (q for q in read[at + 1 :] if q.entity_mentions and q.action == query.action)
        donor = before or next((q for q in later if not q.negated), None)
        if donor is None:
            out.append(query)
            continue
        if donor in out and donor.action == query.action and donor.value == query.value:
            out.remove(donor)  # said again, more exactly
        if donor.excluded and query.conditions and not donor.conditions:
            query = replace(
                query, unplaced=(*query.unplaced, donor.excluded[-1].text)
            )  # all of them, or what was left out?
        things = replace(donor.things, minus=(*query.excluded, *donor.excluded))
        quantifier = query.quantifier if query.quantifier is not Quantifier.ONE else donor.quantifier
        out.append(replace(query, references=(), quantifier=quantifier, inherited=True, things=things))
    return _with_scopes(_in_last_place(out))


def _in_last_place(read: list[QueryIR]) -> list[QueryIR]:
    """``lights off and fan on in the den``.

    A room said once, at the very end, is that of every kind before it.
    """
    last = read[-1] if read else None
    rooms = tuple(t for t in last.target.tokens if t.kind == "room") if last else ()
    if last is None or len(read) < 2 or not rooms or any(_rooms(q) for q in read[:-1]):
        return read
    if max(t.end for t in last.tokens) > max(t.end for t in rooms):
        return read
    return [
        q.about(*q.target.tokens, *rooms) if _only_kinds(q) and q.tokens != last.tokens else q
        for q in read[:-1]
    ] + [last]


def _only_kinds(query: QueryIR) -> bool:
    tokens = query.target.tokens
    return bool(tokens) and all(t.kind == "type" and "named" not in t.data for t in tokens)


def _completed(query: QueryIR, before: Sequence[QueryIR]) -> QueryIR:
    """``三楼的打开``: the things spoken of before; ``灯关掉``: those of the room spoken of before."""
    donor = next((q for q in reversed(before) if q.entity_mentions), None)
    tokens = query.target.tokens
    if (
        donor is not None
        and any(r.kind == "there" for r in query.references)
        and not any(t.kind in PLACE_KINDS for t in tokens)
    ):
        there = tuple(t for t in donor.target.tokens if t.kind == "room")
        return replace(query.about(*there, *tokens), references=()) if there else query
    rest = any(t.kind == "except" and says(t) == "rest" for t in query.tokens)
    if donor is None or not tokens or rest or query.quantifier is Quantifier.ALL:
        return query
    if (
        before
        and before[-1] is donor
        and query.property
        and query.property == donor.property
        and all(t.kind in PLACE_KINDS for t in tokens)
    ):
        kinds = tuple(t for t in donor.target.tokens if t.kind == "type")
        # the temperature of the air conditioner here, and the temperature there
        return query.about(*tokens, *kinds)
    if all(t.kind in PLACE_KINDS for t in tokens) and any(
        t.text in {"的", "嘅", "one", "ones"} for t in query.tokens
    ):
        things = tuple(kind for kind in map(kind_of, donor.target.tokens) if kind.kind == "type")
        return query.about(*tokens, *things) if things else query
    rooms = tuple(t for t in donor.target.tokens if t.kind == "room")
    bare = len(tokens) == 1 and tokens[0].kind == "type" and says(tokens[0]) in BARE
    return query.about(*rooms, *tokens) if bare and rooms else query


OWN = frozenset({"state", "lock", "setpoint", "running"})
"""What conditions tell of the thing itself, which may be what is to be done something with."""
BARE = frozenset({"light"})
"""Kinds that mean every one of a room: without a room of their own they are those of the room spoken of."""


def _with_scopes(read: Sequence[QueryIR]) -> tuple[QueryIR, ...]:
    """Rooms said with other instructions: the nearest before, else those after."""
    out: list[QueryIR] = []
    for at, query in enumerate(read):
        before = next((q for q in reversed(read[:at]) if _rooms(q)), None)
        after = next((q for q in read[at + 1 :] if _rooms(q)), None)
        donor = before or after
        out.append(
            replace(query, scope_said=query.scope_said or _rooms(donor))
            if donor and not _rooms(query)
            else query
        )
    return tuple(out)


def _rooms(query: QueryIR | None) -> tuple[str, ...]:
    return tuple(r for t in query.target.tokens if t.kind == "room" for r in t.refs) if query else ()


def conditioned(query: QueryIR, conditions: Sequence[Condition]) -> QueryIR:
    """The query under its conditions; what one of them does not name, it takes from the other."""
    conditions = [_about_it(condition, query) for condition in conditions]
    condition = conditions[0]
    said = tuple(r for t in condition.mention.tokens if t.kind == "room" for r in t.refs)
    query = replace(query, conditions=tuple(conditions), scope_said=said)
    if not query.target.tokens and not query.antecedents:
        things = [t for t in condition.mention.tokens if t.kind in DEVICE_KINDS]
        if things and not condition.repeated and condition.quantity in OWN:
            return replace(query.about(*condition.mention.tokens), references=())
    if specified := _specified(query, condition):
        return specified
    rooms = [t for t in condition.mention.tokens if t.kind == "room"]
    if rooms and any(r.kind == "there" for r in query.references):
        return replace(query.about(*rooms, *query.target.tokens), references=())
    return query


def _about_it(condition: Condition, query: QueryIR) -> Condition:
    """``turn on the lamp if it's off``: the thing itself, where the condition names none."""
    unnamed = not condition.mention.tokens and condition.quantity in OWN
    named = any(t.kind in DEVICE_KINDS for t in query.target.tokens)
    return replace(condition, mention=query.target) if unnamed and named else condition


def _specified(query: QueryIR, condition: Condition) -> QueryIR | None:
    """``吸顶灯要是没开就打开，主卧的``: a place said at the end tells which thing was meant all along."""
    places, things = query.target.tokens, condition.mention.tokens
    acts = [t.end for t in query.tokens if t.kind in {"verb", "step"}]
    bare = bool(things) and all(t.kind in {"type", "name"} for t in things) and condition.quantity in OWN
    if not (
        bare
        and places
        and acts
        and all(t.kind in PLACE_KINDS for t in places)
        and min(t.start for t in places) >= max(acts)
    ):
        return None
    mention = Mention((*places, *things))
    conditions = tuple(
        replace(c, mention=mention) if c.mention == condition.mention else c for c in query.conditions
    )
    return replace(query.about(*mention.tokens), conditions=conditions, references=())
