"""Coreference: the targets, rooms and conditions that the instructions of a sentence share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Condition,
    Mention,
    Quantifier,
    QueryIR,
    Token,
    has_kind,
    has_sense,
    of_kind,
    without_kind,
)
from winnow.understand.meaning.mentions import is_another_of_them, kind_token, kinds_of, without_positions
from winnow.understand.meaning.queries import action_cluster
from winnow.understand.words.tokens import any_use, canonical_sense
from winnow.understand.words.vocabulary import IN_ROOM


def hand_on_targets(read: Sequence[QueryIR]) -> tuple[QueryIR, ...]:
    """An act without a target takes the last one named before it, else the first one after it."""
    out: list[QueryIR] = []
    for at, one in enumerate(read):
        query = _complete_from_before(one, out)
        lacks_a_target = not query.target.tokens and bool(query.action or query.value)
        donor = _target_donor(query, out, read[at + 1 :]) if lacks_a_target else None
        if donor is None:
            out.append(query)
            continue
        if donor in out and (donor.action, donor.value) == (query.action, query.value):
            out.remove(donor)  # said again, more exactly
        out.append(_with_donor_things(query, donor))
    # Rooms said with other instructions: the nearest before, else those after
    read = _with_last_place(out)
    return tuple(_with_room_scope(query, read[:at], read[at + 1 :]) for at, query in enumerate(read))


def _target_donor(query: QueryIR, before: Sequence[QueryIR], after: Sequence[QueryIR]) -> QueryIR | None:
    """The query whose things are meant: the last before it, else the first after it of the same act."""
    spoken = _last_named(before)
    if spoken is not None:
        return spoken
    same = (q for q in after if q.entity_mentions and q.action == query.action)
    return next((q for q in same if not q.negated), None)


def _last_named(before: Sequence[QueryIR]) -> QueryIR | None:
    return next((q for q in reversed(before) if q.entity_mentions), None)


def _with_donor_things(query: QueryIR, donor: QueryIR) -> QueryIR:
    """A query with the things of another."""
    pointed = has_kind(query.references, "last")
    # them, or what was left out?
    if donor.exclusions and not donor.conditions and (query.conditions or pointed):
        query = replace(query, unplaced=(*query.unplaced, donor.exclusions[-1].text))
    things = replace(donor.things, minus=(*query.exclusions, *donor.exclusions))
    quantifier = query.quantifier if query.quantifier is not Quantifier.ONE else donor.quantifier
    given = replace(query, references=(), quantifier=quantifier, inherited=True, things=things)
    # ``make the lamp red and turn it down``: of a lamp it is how bright, not how loud.
    kinds = frozenset[str]().union(*map(kinds_of, given.target.tokens))
    if "light" in kinds and any_use(given.tokens, "louder_or_more"):
        given = replace(given, property="brightness")
        given = replace(given, action_cluster=action_cluster(given))
    return _same_property(given, donor)


def _same_property(query: QueryIR, donor: QueryIR) -> QueryIR:
    """``raise the volume by 10 and then set it to 30``: a bare number is of the property spoken of before."""
    bare = query.value is not None and query.value.number is not None and not query.property
    if not bare or donor.value is None or not donor.property:
        return query
    query = replace(query, property=donor.property)
    return replace(query, action_cluster=action_cluster(query))


def _with_last_place(read: list[QueryIR]) -> list[QueryIR]:
    """``lights off and fan on in the den``.

    A room said once, at the very end, is that of every kind before it.
    """
    *others, last = read or [QueryIR("")]
    rooms = tuple(of_kind(last.target.tokens, "room"))
    # Whether a room is the last word of a query
    if (
        not others
        or not (bool(rooms) and rooms[-1].end >= max(t.end for t in last.tokens))
        or any(_token_refs(query.target.tokens) for query in others)
    ):
        return read
    return [*(_kinds_in_rooms(q, rooms) if q.tokens != last.tokens else q for q in others), last]


def _kinds_in_rooms(query: QueryIR, rooms: Sequence[Token]) -> QueryIR:
    """A query of kinds alone in these rooms."""
    tokens = query.target.tokens
    only_kinds = bool(tokens) and all(t.kind == "type" and "named" not in t.data for t in tokens)
    return query.about(*query.target.tokens, *rooms) if only_kinds else query


def _complete_from_before(query: QueryIR, before: Sequence[QueryIR]) -> QueryIR:
    """``三楼的打开``: the things spoken of before; ``灯关掉``: those of the room spoken of before."""
    donor = _last_named(before)
    if donor is None:
        return query
    if has_kind(query.references, "there") and not _tokens_of_kinds(query, *PLACE_KINDS):
        return _in_donor_rooms(query, donor, "there")
    speaks_of_rest = has_sense(query.tokens, "except", "rest")
    if query.quantifier is Quantifier.ALL or speaks_of_rest:
        return query
    return _like_donor(query, donor)


def _like_donor(query: QueryIR, donor: QueryIR) -> QueryIR:
    """``the right one``, ``次卧的也关``: what is said of it leads to one like what was spoken of before."""
    said = query.target.tokens
    if said and all(t.kind in PLACE_KINDS for t in said):
        return _same_kind(query, donor)
    if is_another_of_them(query.tokens):
        return query.about(*said, *_without_owners(without_positions(donor.target.tokens)))
    if said and not _without_owners(said) and (kinds := _kind_words(donor)):
        return _same_property(replace(query.about(*said, *kinds), references=()), donor)  # "and nell's to 70"
    is_bare = len(said) == 1 and said[0].kind == "type" and canonical_sense(said[0]) in BARE_KINDS
    return _in_donor_rooms(query, donor) if is_bare else query


def _without_owners(words: Sequence[Token]) -> tuple[Token, ...]:
    """The words but for those that say whose a thing is."""
    return tuple(t for t in words if not t.data.get("owner"))


def _same_kind(query: QueryIR, donor: QueryIR) -> QueryIR:
    """``次卧的也关``, ``set it to 20 in the den``: a place alone, where what was spoken of before is meant.

    So is a property said again, ``and the temperature in the study to 20``.
    """
    if has_kind(query.references, "last"):
        there = query.about(*query.target.tokens, *_without_owners(_tokens_of_kinds(donor, *DEVICE_KINDS)))
        return _same_property(replace(there, references=()), donor)
    again = bool(query.property) and query.property == donor.property
    if not again and not any_use(query.tokens, "its_like"):
        return query
    return query.about(*query.target.tokens, *_kind_words(donor))


def _kind_words(query: QueryIR) -> list[Token]:
    """The words for the kinds of its things."""
    return [t for t in map(kind_token, query.target.tokens) if t.kind == "type"]


def _in_donor_rooms(query: QueryIR, donor: QueryIR, *pointing: str) -> QueryIR:
    """A query in the rooms of another, with these references resolved."""
    rooms = _tokens_of_kinds(donor, "room") or _named_rooms(donor.target.tokens)
    if not rooms:
        return query
    placed = query.about(*rooms, *query.target.tokens)
    return replace(placed, references=()) if pointing else placed


def _tokens_of_kinds(query: QueryIR, *kinds: str) -> tuple[Token, ...]:
    return tuple(of_kind(query.target.tokens, *kinds))


OWN_STATE_PROPERTIES = frozenset({"state", "lock", "setpoint", "running"})
"""What conditions tell of the thing itself, which may be what is to be done something with."""
BARE_KINDS = frozenset({"light"})
"""Kinds that mean every one of a room: without a room of their own they are those of the room spoken of."""


def _with_room_scope(query: QueryIR, before: Sequence[QueryIR], after: Sequence[QueryIR]) -> QueryIR:
    if _token_refs(query.target.tokens):
        return query
    # What the same act is for besides says where (``fan and tv in the den``), then the nearest order before
    nearest = sorted((*reversed(before), *after), key=lambda other: other.tokens != query.tokens)
    others = [other.target.tokens for other in nearest]
    rooms = next(filter(None, map(_token_refs, others)), ())
    named = (t.data.get("named") for t in query.target.tokens)
    bare = not query.exclusions and not any(isinstance(ids, tuple) and len(ids) == 1 for ids in named)
    if not rooms and bare and not has_sense(query.tokens, "except", "rest"):
        rooms = next(filter(None, map(_token_refs, map(_named_rooms, others))), ())
    return replace(query, scope_said=query.scope_said or rooms) if rooms else query


def _named_rooms(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The rooms that the names of single things begin with."""
    named = ((t, t.data.get(IN_ROOM)) for t in tokens if len(t.refs) == 1)
    return tuple(
        Token(room[0], "room", t.start, t.start + len(room[0]), {}, room[1:])
        for t, room in named
        if isinstance(room, tuple)
    )


def in_mentioned_rooms(rooms: tuple[str, ...], read: tuple[QueryIR, ...]) -> tuple[QueryIR, ...]:
    """Orders of no room beside something told of these rooms: there, where it is open which are meant."""
    if not rooms or any(_token_refs(q.target.tokens) or q.exclusions for q in read):
        return read
    return tuple(replace(query, scope_said=query.scope_said or rooms) for query in read)


def doubtful_orders(found: Sequence[QueryIR], text: str) -> list[QueryIR]:
    """Orders beside what is forbidden only under a condition: whether it takes from them, nobody knows."""
    if not any(q.negated and q.conditions for q in found):
        return list(found)
    return [q if q.negated or q.conditions else replace(q, unplaced=(*q.unplaced, text)) for q in found]


def _token_refs(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(r for t in tokens if t.kind == "room" for r in t.refs)


def under_all_conditions(
    query: QueryIR, conditions: Sequence[Condition], against: Sequence[Condition]
) -> QueryIR:
    """The query with what it hangs on, and what must not hold for it."""
    query = replace(query, otherwise=tuple(against)) if against or query.otherwise else query
    return with_conditions(query, conditions) if conditions else query


def with_conditions(query: QueryIR, conditions: Sequence[Condition]) -> QueryIR:
    """The query under its conditions; what one of them does not name, it takes from the other."""
    conditions = [_condition_on_target(condition, query) for condition in conditions]
    condition, words = conditions[0], conditions[0].mention.tokens
    query = replace(query, conditions=tuple(conditions), scope_said=_token_refs(words))
    named = has_kind(condition.mention.tokens, *DEVICE_KINDS)
    is_of_its_thing = (
        named and not condition.repeated and condition.quantity in OWN_STATE_PROPERTIES | {"power"}
    )
    if is_of_its_thing and not query.target.tokens and not query.antecedents:
        return replace(query.about(*words), references=())
    return _with_late_place(query, condition) or _place_from_condition(query, condition)


def _place_from_condition(query: QueryIR, condition: Condition) -> QueryIR:
    """``if the study is dark, turn on the lamp there``."""
    rooms = of_kind(condition.mention.tokens, "room")
    if not rooms or not has_kind(query.references, "there"):
        return query
    return replace(query.about(*rooms, *query.target.tokens), references=())


def _condition_on_target(condition: Condition, query: QueryIR) -> Condition:
    """``turn on the lamp if it's off``: the thing itself, where the condition names none."""
    unnamed = not condition.mention.tokens and condition.quantity in OWN_STATE_PROPERTIES
    named = has_kind(query.target.tokens, *DEVICE_KINDS)
    return replace(condition, mention=query.target) if unnamed and named else condition


def _with_late_place(query: QueryIR, condition: Condition) -> QueryIR | None:
    """``吸顶灯要是没开就打开，主卧的``: a place said at the end tells which thing was meant all along."""
    things = condition.mention.tokens
    bare = bool(things) and not without_kind(things, "type", "name")
    if not bare or condition.quantity not in OWN_STATE_PROPERTIES or not _only_place_last(query):
        return None
    mention = Mention((*query.target.tokens, *things))
    conditions = tuple(
        replace(c, mention=mention) if c.mention == condition.mention else c for c in query.conditions
    )
    return replace(query.about(*mention.tokens), conditions=conditions, references=())


def _only_place_last(query: QueryIR) -> bool:
    """Whether nothing but places is aimed at, said after the act."""
    places = query.target.tokens
    acts = [t.end for t in of_kind(query.tokens, "verb", "step")]
    said = bool(places and acts) and not without_kind(places, *PLACE_KINDS)
    return said and min(t.start for t in places) >= max(acts)
