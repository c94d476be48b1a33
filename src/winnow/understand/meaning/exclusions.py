"""What an order leaves out, by the other pieces of its sentence.

Exceptions, prohibitions, ``only``, ``the rest``, withdrawals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from winnow.language.content_words import STOPPING, SWITCHING_OFF, little
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind, has_sense, of_kind, without_kind
from winnow.understand.meaning.instructions import (
    CHANGING_NEGATIONS,
    KEEPING_NEGATIONS,
    LIGHTING_VERBS,
    Instruction,
    generic_kinds,
    in_places,
    order_types,
    spoken_text,
    unique_tokens,
)
from winnow.understand.meaning.mentions import exclusion_mentions, kind_token, kinds_of
from winnow.understand.meaning.queries import stated_act
from winnow.understand.words.tokens import canonical_sense, has_use

# ``only the lamp``: what is meant alone, and what that says of all the others.


def _switch_off_others(one: Instruction, before: list[Instruction]) -> None:
    """Switching off, in the places named, all that is of the kind of what stays on.

    A doubt when its kind was not said.
    """
    off = [m for m in before[-1:] if any(canonical_sense(t) in SWITCHING_OFF for t in m.slots.verbs)]
    if off and not one.mentions:
        off[0].excluded.extend(exclusion_mentions(one.slots.excluded))
        return
    kinds = order_types(off) or of_kind(map(kind_token, one.slots.excluded), "type")
    if not kinds:
        one.doubts.append(spoken_text(one.tokens))
    one.mentions = [[*chain.from_iterable(one.mentions), *unique_tokens(kinds)]]
    one.excluded = exclusion_mentions(one.slots.excluded)
    one.slots.verbs = [Token("off", "verb", 0, 0, {"is": "off"})]
    one.slots.flags -= KEEPING_NEGATIONS
    one.slots.flags |= {"all"}
    before.append(one)


def apply_only(made: list[Instruction]) -> list[Instruction]:
    """``只留 X``: all of what was named before it, or of the order before, but X.

    ``只开 X``: and X is switched on.
    """
    out: list[Instruction] = []
    told = any("rest" in one.slots.flags for one in made)
    for one in made:
        if "only" not in one.slots.flags or not one.slots.excluded:
            if "only" in one.slots.flags and one.mentions and not one.slots.has_act:
                one.doubts.append(spoken_text(one.tokens))  # 玄关留一盏: which one is to stay
            out.append(one)
        # ``only the lamp stays on``: said of the others, that they go off
        elif any(t.means("except", "keep") and t.text[0].isascii() for t in one.tokens):
            _switch_off_others(one, out)
        else:
            out.extend(_only_orders(one, out, told=told))
    return out


def _only_orders(one: Instruction, out: Sequence[Instruction], *, told: bool) -> list[Instruction]:
    """The orders for the only ones that are meant and, unless they are ``told`` of, for all the others."""
    said, items = list(chain.from_iterable(one.mentions)), exclusion_mentions(one.slots.excluded)
    places, kinds = of_kind(said, *PLACE_KINDS), of_kind(said, *DEVICE_KINDS)
    if not _is_lit_order(one):
        orders = (
            m for m in reversed(out) if not m.slots.flags & KEEPING_NEGATIONS and "only" not in m.slots.flags
        )
        return _others_order(one, items, places, kinds, next(orders, None))
    lit = [_lit_order(one, items, places, kinds)]
    return lit if told or not (places or kinds) else [*lit, *_others_order(one, items, places, kinds, None)]


def _is_lit_order(one: Instruction) -> bool:
    """``只亮落地灯`` orders it on; ``只留`` does not."""
    marks = [t.text.rstrip("".join(little("staying"))) for t in one.tokens if t.means("except", "only")]
    return any(canonical_sense(t) in LIGHTING_VERBS for t in one.slots.verbs) or any(
        m.endswith(little("lit")) for m in marks
    )


def _lit_order(
    one: Instruction, items: Sequence[list[Token]], places: Sequence[Token], kinds: Sequence[Token]
) -> Instruction:
    """The order for the only ones that are to be on."""
    verbs = [t for t in one.slots.verbs if canonical_sense(t) in LIGHTING_VERBS] or [
        Token("", "verb", 0, 0, {"is": "on_open"})
    ]
    slots = replace(one.slots, verbs=verbs, excluded=[], flags=one.slots.flags - {"only", "rest"})
    mentions = [
        [
            *([] if has_kind(i, *PLACE_KINDS) else places),
            *([] if has_kind(i, *DEVICE_KINDS) else kinds),
            *i,
        ]
        for i in items
    ]
    return Instruction(slots, mentions, tokens=list(one.tokens), doubts=list(one.doubts))


def _others_order(
    one: Instruction,
    items: Sequence[list[Token]],
    places: Sequence[Token],
    kinds: Sequence[Token],
    before: Instruction | None,
) -> list[Instruction]:
    """The order for all the others; one that was given ``before`` only leaves them out."""
    if not places and not kinds:
        return _kept_orders(one, items, before)
    like = [before] if before is not None and not kinds else []
    kinds = kinds or order_types(like) or generic_kinds(items)
    if without_kind(kinds, "type", "group"):
        one.doubts.append(spoken_text(kinds))  # a name stands for no set
    slots = replace(one.slots, verbs=_ending_act(one, like), flags={*one.slots.flags, "all"}, count=None)
    left = [in_places(i, places) for i in items]
    if before is not None:
        before.excluded.extend(left)
    return [Instruction(slots, [[*places, *kinds]], left, tokens=list(one.tokens), doubts=list(one.doubts))]


def _kept_orders(
    one: Instruction, items: Sequence[list[Token]], before: Instruction | None
) -> list[Instruction]:
    """Those that are to stay as they are, left out of the order before if there is one."""
    if before is not None:
        before.excluded.extend(items)
        return []
    one.slots.flags = {*one.slots.flags - {"only"}, "keep"}
    one.mentions, one.excluded = [list(i) for i in items], []
    return [one]


def _ending_act(one: Instruction, like: Sequence[Instruction]) -> list[Token]:
    """The act for the others: as said, as in an order like it, or switching off."""
    said = [t for t in one.slots.verbs if canonical_sense(t) not in LIGHTING_VERBS]
    before = [t for order in like for t in order.slots.verbs]
    return said or before or [Token("", "verb", 0, 0, {"is": "off_close"})]


def apply_contrasts(made: list[Instruction]) -> list[Instruction]:
    """The instructions with everything taken out that the sentence takes out.

    None at all when it was withdrawn: ``开一下洗碗机，哦不，算了``.
    """
    if len(made) < 2 and not any(one.excluded or one.slots.flags for one in made):
        return made  # one order that leaves nothing out
    slots = made[-1].slots
    names = any((made[-1].mentions, made[-1].excluded, slots.verbs, slots.has_value))
    denies = slots.flags & {"never_mind", "not"} and not slots.flags & (CHANGING_NEGATIONS | {"rest"})
    # A last word of withdrawal that names nothing takes everything back.
    if len(made) > 1 and denies and not names:
        return [made[-1]]
    made = limit_to_excepted(readmit_places(made))
    made = complete_rests(apply_only(complete_others(made)))
    return apply_exceptions(drop_overridden(made))


def limit_to_excepted(made: list[Instruction]) -> list[Instruction]:
    """``除了灯带调到三成，其他的都关掉``: an act right after an exception is for what is excepted.

    Without a rest nobody knows.
    """
    for at, one in enumerate(made):
        if not _sets_what_is_excepted(one):
            continue
        if any("rest" in other.slots.flags for other in made[at + 1 :]):
            one.mentions, one.excluded = one.excluded, []
        elif not one.slots.references:
            one.doubts.append(" ".join(t.text for m in one.excluded for t in m))
    return made


def _sets_what_is_excepted(one: Instruction) -> bool:
    """Whether a value is told of nothing but what an exception names."""
    if not one.excluded or one.mentions or not one.slots.has_value:
        return False
    ahead = has_sense(one.slots.excluded, "except", "pre")
    return ahead and not one.slots.flags & {"all", "both", "rest", "only"}


def drop_overridden(made: list[Instruction]) -> list[Instruction]:
    """``空调都调到26度，主卧那台24度``: what is told otherwise of one is not done to it with the set.

    A state told of it only spares it: ``灯都关了，台灯亮着``.
    """
    spared: list[Instruction] = []
    for at, one in enumerate(made):
        if one.slots.flags & KEEPING_NEGATIONS:
            continue
        for other in made[at + 1 :]:
            if other.slots.flags & (KEEPING_NEGATIONS | {"rest", "only"}) or not _is_incompatible(one, other):
                continue
            one.excluded.extend(_overridden_members(one, other))
            if _is_continuing(other):
                spared.append(other)
    return [one for one in made if one not in spared]


def _overridden_members(one: Instruction, other: Instruction) -> list[list[Token]]:
    """What an order tells of some of those that an order before it is for."""
    # Of several mentions nobody knows which one the later order is part of.
    if len(one.mentions) != 1 or not one.slots.flags & {"all", "both"}:
        return []
    kinds = of_kind(one.mentions[0], *DEVICE_KINDS)
    if not kinds or any(t.kind != "type" for t in kinds):
        return []
    return [m for m in other.mentions if _is_one_of(m, kinds)]


def _is_continuing(one: Instruction) -> bool:
    """``灯都关了，台灯亮着``, ``餐厅的继续放``: said beside the opposite, that it stays as it is."""
    said = [canonical_sense(t) for t in one.slots.verbs]
    return said[:1] == ["resume"] or (not said and bool(stated_act(one.slots)))


def _is_incompatible(one: Instruction, other: Instruction) -> bool:
    """Whether two orders cannot both be meant for one thing: two values, or off and on."""
    (on, off), (turns_on, turns_off) = _switch_direction(one), _switch_direction(other)
    valued = other.slots.has_value
    return (one.slots.has_value and valued) or (on and turns_off) or (off and (turns_on or valued))


def _switch_direction(one: Instruction) -> tuple[bool, bool]:
    """Whether an order switches on, and whether it switches off."""
    said = {canonical_sense(t) for t in one.slots.verbs} or {stated_act(one.slots)}
    return bool(said & (LIGHTING_VERBS | {"resume"})), bool(said & STOPPING)


def _is_one_of(mention: Sequence[Token], kinds: Sequence[Token]) -> bool:
    """Whether a mention picks out some of those kinds: by name, by a closer kind, or by a place."""
    things = of_kind(mention, *DEVICE_KINDS)
    same = {canonical_sense(t) for t in kinds}
    # Whether a word says no more than that it is of one of these types
    closer = len(things) < len(mention) or any(
        not (t.means("type", *same) and "named" not in t.data) for t in things
    )
    return closer and all(kinds_of(t) & kinds_of(k) for t in things for k in kinds[:1])


def complete_rests(made: list[Instruction]) -> list[Instruction]:
    """``其他的灯``: those of the place spoken of, without what the sentence names or leaves out."""
    for at, one in enumerate(made):
        if "rest" not in one.slots.flags or one.slots.flags & KEEPING_NEGATIONS:
            continue
        others = [*made[:at], *made[at + 1 :]]
        if not any(other.mentions or other.excluded for other in others) and not one.excluded:
            one.doubts.append(
                next(t.text for t in one.tokens if canonical_sense(t) == "rest")
            )  # the rest of what?
        one.excluded.extend(chain.from_iterable(map(_distinct_mentions, others)))
        _complete_rest(one, made[:at])
        one.slots.flags.add("all")
    return made


def _complete_rest(one: Instruction, before: Sequence[Instruction]) -> None:
    """A rest is of the kinds and in the places spoken of before, where it says none of its own."""
    kinds = generic_kinds(m for other in before for m in (*other.mentions, *other.excluded))
    one.mentions = one.mentions or [[]]
    for mention in one.mentions:
        # The kind first: the place of a rest is looked for by what it is a rest of.
        if not of_kind(mention, *DEVICE_KINDS):
            mention.extend(kinds)
        if not of_kind(mention, *PLACE_KINDS) and not _is_elsewhere(one):
            mention[:0] = unique_tokens([t for other in before for t in _order_scope(other, mention)])


def _distinct_mentions(other: Instruction) -> list[list[Token]]:
    """What an instruction says of some things and not of the rest.

    ``只留`` names the set it speaks of first.
    """
    places = of_kind(chain(*other.mentions[:1]), *PLACE_KINDS)
    left = [in_places(e, places) for e in other.excluded]
    if "only" in other.slots.flags:
        return left
    keeps = bool(other.slots.flags & KEEPING_NEGATIONS)
    named = [m for m in other.mentions if keeps or of_kind(m, *DEVICE_KINDS)]
    return [list(without_kind(m, "word")) for m in (*named, *left)]


def _order_scope(other: Instruction, rest_of: Sequence[Token]) -> list[Token]:
    """The place an instruction speaks of.

    The room of what stays, or of all of that kind there, only tells which one it is.
    """
    if other.slots.flags & KEEPING_NEGATIONS:
        return []
    mine = {canonical_sense(t) for t in of_kind(rest_of, "type")}
    only_some = "only" in other.slots.flags
    said = (m for m in other.mentions if only_some or not _is_whole(m, mine))
    return [t for m in said for t in of_kind(m, *PLACE_KINDS)]


def _is_whole(mention: Sequence[Token], types: set[str]) -> bool:
    """Whether all of these types are meant, and nothing else."""
    things = of_kind(mention, *DEVICE_KINDS)
    return bool(things) and all(t.means("type", *types) for t in things)


def _is_elsewhere(one: Instruction) -> bool:
    """``其他房间的灯``: not in the room spoken of."""
    return any(
        t.means("except", "rest") and t.text.rstrip("".join(little("of_a_place"))).endswith(little("places"))
        for t in one.tokens
    )


def apply_exceptions(made: list[Instruction]) -> list[Instruction]:
    """``..., 主卧的留着``: what must not be touched is taken out of every order of the sentence."""
    orders = [m for m in made if not m.slots.flags & KEEPING_NEGATIONS or m.slots.flags & CHANGING_NEGATIONS]
    kept = [m for m in made if m not in orders]
    if not orders or not kept:
        return made
    for one in kept:
        if "rest" not in one.slots.flags:  # what nobody named is left alone anyway
            _exclude_from_orders(one, orders)
    return orders


def _exclude_from_orders(one: Instruction, orders: Sequence[Instruction]) -> None:
    """What must not be touched is taken out of the orders, or is what they are for if they name nothing."""
    if any(canonical_sense(q) != "state" or not q.text.isascii() for q in one.slots.questions):
        orders[0].doubts.append(spoken_text(one.tokens))  # 有人的房间别关: who knows which
    aimed = [order for order in orders if order.mentions or "all" in order.slots.flags]
    named = [
        list(words) for m in one.mentions if (words := without_kind(m, "word"))
    ]  # 别太凉: how, not which
    for order in orders:
        if order in aimed:
            order.excluded.extend(map(list, named))
        elif not aimed:  # 小熊别转啦，停; what has the things of another order has its exceptions as well
            order.mentions = [list(m) for m in one.mentions]


def complete_others(made: list[Instruction]) -> list[Instruction]:
    """``..., the other lights off``: after an order for some of them, the rest."""
    for one in made[1:]:
        other = [r for r in one.slots.references if canonical_sense(r) == "other"]
        if other and any(t.data.get("plural") for m in one.mentions for t in m):
            one.slots.flags.add("rest")
            one.slots.references = [r for r in one.slots.references if r not in other]
    return made


def readmit_places(made: list[Instruction]) -> list[Instruction]:
    """``except the den, though in there the strip should go``: *there* is the place of the exception."""
    for at, one in enumerate(made):
        pointing = (*one.slots.references, *one.slots.questions[:1])
        there = [t for t in pointing if canonical_sense(t) == "there" or has_use(t, "where")]
        places = of_kind(chain.from_iterable(m for o in made[:at] for m in o.excluded), *PLACE_KINDS)
        if there and places and not of_kind(chain.from_iterable(one.mentions), *PLACE_KINDS):
            one.mentions = [[*unique_tokens(places), *m] for m in one.mentions or [[]]]
            _drop_references(one, there)
    return made


def _drop_references(one: Instruction, gone: Sequence[Token]) -> None:
    """Words that point, and whose place is known, are no questions any more."""
    one.slots.references = [r for r in one.slots.references if r not in gone]
    one.slots.questions = [r for r in one.slots.questions if r not in gone]
