"""``only the lamp``: what is meant alone, and what that says of all the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from winnow.language.families import SWITCHING_OFF
from winnow.language.little import little
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.drafts import but_kinds, of_kinds
from winnow.understand.sentence.instructions import Instruction
from winnow.understand.sentence.mentions import exclusions, kind_of
from winnow.understand.sentence.sets_said import (
    KEEPING,
    LIGHTING_UP,
    generics,
    once,
    placed,
    text,
    types,
)
from winnow.understand.words.kinds import says


def _stays(one: Instruction) -> bool:
    """``only the lamp stays on``: said of the others, that they go off."""
    return any(t.kind == "except" and says(t) == "keep" and t.text[0].isascii() for t in one.tokens)


def _alone(one: Instruction, before: list[Instruction]) -> None:
    """Switching off, in the places named, all that is of the kind of what stays on.

    A doubt when its kind was not said.
    """
    off = [m for m in before[-1:] if any(says(t) in SWITCHING_OFF for t in m.slots.verbs)]
    if off and not one.mentions:
        off[0].excluded.extend(exclusions(one.slots.excluded))
        return
    kinds = types(off) or of_kinds(map(kind_of, one.slots.excluded), {"type"})
    if not kinds:
        one.doubts.append(text(one.tokens))
    one.mentions = [[*chain.from_iterable(one.mentions), *once(kinds)]]
    one.excluded = exclusions(one.slots.excluded)
    one.slots.verbs = [Token("off", "verb", 0, 0, {"is": "off"})]
    one.slots.flags -= KEEPING
    one.slots.flags |= {"all"}
    before.append(one)


def only(made: list[Instruction]) -> list[Instruction]:
    """``只留 X``: all of what was named before it, or of the order before, but X.

    ``只开 X``: and X is switched on.
    """
    out: list[Instruction] = []
    told = any("rest" in one.slots.flags for one in made)
    for one in made:
        if "only" not in one.slots.flags or not one.slots.excluded:
            if "only" in one.slots.flags and one.mentions and not one.slots.acts:
                one.doubts.append(text(one.tokens))  # 玄关留一盏: which one is to stay
            out.append(one)
        elif _stays(one):
            _alone(one, out)
        else:
            out.extend(_only_those(one, out, told=told))
    return out


def _only_those(one: Instruction, out: Sequence[Instruction], *, told: bool) -> list[Instruction]:
    """The orders for the only ones that are meant and, unless they are ``told`` of, for all the others."""
    said, items = list(chain.from_iterable(one.mentions)), exclusions(one.slots.excluded)
    places, kinds = of_kinds(said, PLACE_KINDS), of_kinds(said, DEVICE_KINDS)
    if not _opens(one):
        orders = (m for m in reversed(out) if not m.slots.flags & KEEPING and "only" not in m.slots.flags)
        return _but(one, items, places, kinds, next(orders, None))
    lit = [_lit(one, items, places, kinds)]
    return lit if told or not (places or kinds) else [*lit, *_but(one, items, places, kinds, None)]


def _opens(one: Instruction) -> bool:
    """``只亮落地灯`` orders it on; ``只留`` does not."""
    marks = [
        t.text.rstrip("".join(little("staying")))
        for t in one.tokens
        if t.kind == "except" and says(t) == "only"
    ]
    return any(says(t) in LIGHTING_UP for t in one.slots.verbs) or any(
        m.endswith(little("lit")) for m in marks
    )


def _lit(
    one: Instruction, items: Sequence[list[Token]], places: Sequence[Token], kinds: Sequence[Token]
) -> Instruction:
    """The order for the only ones that are to be on."""
    verbs = [t for t in one.slots.verbs if says(t) in LIGHTING_UP] or [
        Token("", "verb", 0, 0, {"is": "on_open"})
    ]
    slots = replace(one.slots, verbs=verbs, excluded=[], flags=one.slots.flags - {"only", "rest"})
    mentions = [
        [
            *([] if any(t.kind in PLACE_KINDS for t in i) else places),
            *([] if any(t.kind in DEVICE_KINDS for t in i) else kinds),
            *i,
        ]
        for i in items
    ]
    return Instruction(slots, mentions, tokens=list(one.tokens), doubts=list(one.doubts))


def _but(
    one: Instruction,
    items: Sequence[list[Token]],
    places: Sequence[Token],
    kinds: Sequence[Token],
    before: Instruction | None,
) -> list[Instruction]:
    """The order for all the others; one that was given ``before`` only leaves them out."""
    if not places and not kinds:
        return _kept(one, items, before)
    like = [before] if before is not None and not kinds else []
    kinds = kinds or types(like) or generics(items)
    if but_kinds(kinds, {"type", "group"}):
        one.doubts.append(text(kinds))  # a name stands for no set
    slots = replace(one.slots, verbs=_ending(one, like), flags={*one.slots.flags, "all"}, count=None)
    left = [placed(i, places) for i in items]
    if before is not None:
        before.excluded.extend(left)
    return [Instruction(slots, [[*places, *kinds]], left, tokens=list(one.tokens), doubts=list(one.doubts))]


def _kept(one: Instruction, items: Sequence[list[Token]], before: Instruction | None) -> list[Instruction]:
    """Those that are to stay as they are, left out of the order before if there is one."""
    if before is not None:
        before.excluded.extend(items)
        return []
    one.slots.flags = {*one.slots.flags - {"only"}, "keep"}
    one.mentions, one.excluded = [list(i) for i in items], []
    return [one]


def _ending(one: Instruction, like: Sequence[Instruction]) -> list[Token]:
    """The act for the others: as said, as in an order like it, or switching off."""
    said = [t for t in one.slots.verbs if says(t) not in LIGHTING_UP]
    before = [t for order in like for t in order.slots.verbs]
    return said or before or [Token("", "verb", 0, 0, {"is": "off_close"})]
