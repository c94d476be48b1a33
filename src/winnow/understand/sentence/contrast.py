"""What is left out of an order by the other pieces of its sentence.

Exceptions, prohibitions, ``only``, ``the rest``, withdrawals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.language.families import STARTING, STOPPING, SWITCHING_OFF
from winnow.language.lexicon import type_words
from winnow.language.little import little
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.instructions import Instruction
from winnow.understand.sentence.mentions import exclusions, kind_of, kinds_of
from winnow.understand.sentence.queries import stated
from winnow.understand.words.kinds import says, serves

LIGHTING_UP = STARTING | {"illuminate"}
"""What ``only`` and ``but`` set against switching off; lamps are lit up, nothing else is."""


def contrasted(made: list[Instruction]) -> list[Instruction]:
    """The instructions with everything taken out that the sentence takes out.

    None at all when it was withdrawn.
    """
    if _withdrawn(made):
        return [made[-1]]
    return excepted(overridden(rest(only(others(singled(readmitted(made)))))))


def _withdrawn(made: Sequence[Instruction]) -> bool:
    """``开一下洗碗机，哦不，算了``: a last word of withdrawal that names nothing takes everything back."""
    if len(made) < 2:
        return False
    last = made[-1]
    bare = (
        "rest" not in last.slots.flags
        and not last.mentions
        and not last.excluded
        and not last.slots.verbs
        and not last.slots.has_value
    )
    return bare and bool(last.slots.flags & {"never_mind", "not"}) and not last.slots.flags & CHANGING


def singled(made: list[Instruction]) -> list[Instruction]:
    """``除了灯带调到三成，其他的都关掉``: an act right after an exception is for what is excepted.

    Without a rest nobody knows.
    """
    for at, one in enumerate(made):
        bare = (
            bool(one.excluded)
            and not one.mentions
            and one.slots.has_value
            and not one.slots.flags & {"all", "both", "rest", "only"}
        )
        if not bare or not any(t.kind == "except" and says(t) == "pre" for t in one.slots.excluded):
            continue
        if any("rest" in other.slots.flags for other in made[at + 1 :]):
            one.mentions, one.excluded = one.excluded, []
        elif not one.slots.references:
            one.doubts.append(" ".join(t.text for m in one.excluded for t in m))
    return made


def overridden(made: list[Instruction]) -> list[Instruction]:
    """``空调都调到26度，主卧那台24度``: what is told otherwise of one is not done to it with the set.

    A state told of it only spares it: ``灯都关了，台灯亮着``.
    """
    spared: list[Instruction] = []
    for at, one in enumerate(made):
        if one.slots.flags & KEEPING:
            continue
        for other in made[at + 1 :]:
            if other.slots.flags & (KEEPING | {"rest", "only"}) or not _differs(one, other):
                continue
            one.excluded.extend(_of_the_set(one, other))
            if _goes_on(other):
                spared.append(other)
    return [one for one in made if one not in spared]


def _of_the_set(one: Instruction, other: Instruction) -> list[list[Token]]:
    """What an order tells of some of those that an order before it is for."""
    if len(one.mentions) != 1 or not one.slots.flags & {"all", "both"}:
        return []
    kinds = [t for t in one.mentions[0] if t.kind in DEVICE_KINDS]
    if not kinds or any(t.kind != "type" for t in kinds):
        return []
    return [m for m in other.mentions if _is_one_of(m, kinds)]


def _goes_on(one: Instruction) -> bool:
    """``灯都关了，台灯亮着``, ``餐厅的继续放``: said beside the opposite, that it stays as it is."""
    said = [says(t) for t in one.slots.verbs]
    return said[:1] == ["resume"] or (not said and bool(stated(one.slots)))


def _differs(one: Instruction, other: Instruction) -> bool:
    """Whether two orders cannot both be meant for one thing: two values, or off and on."""
    acts = [{says(t) for t in m.slots.verbs} or {stated(m.slots)} for m in (one, other)]
    on = [bool(said & (LIGHTING_UP | {"resume"})) for said in acts]
    off = [bool(said & STOPPING) for said in acts]
    return (
        (one.slots.has_value and other.slots.has_value)
        or (on[0] and off[1])
        or (off[0] and (on[1] or other.slots.has_value))
    )


def _is_one_of(mention: Sequence[Token], kinds: Sequence[Token]) -> bool:
    """Whether a mention picks out some of those kinds: by name, by a closer kind, or by a place."""
    things = [t for t in mention if t.kind in DEVICE_KINDS]
    same = {says(t) for t in kinds}
    closer = any(t.kind != "type" or says(t) not in same or "named" in t.data for t in things) or len(
        things
    ) < len(mention)
    return closer and all(kinds_of(t) & kinds_of(k) for t in things for k in kinds[:1])


def rest(made: list[Instruction]) -> list[Instruction]:
    """``其他的灯``: those of the place spoken of, without what the sentence names or leaves out."""
    for at, one in enumerate(made):
        if "rest" not in one.slots.flags or one.slots.flags & KEEPING:
            continue
        others = [other for n, other in enumerate(made) if n != at]
        if not any(other.mentions or other.excluded for other in others) and not one.excluded:
            one.doubts.append(next(t.text for t in one.tokens if says(t) == "rest"))  # the rest of what?
        one.excluded.extend(m for other in others for m in _told_apart(other))
        before = [m for other in made[:at] for m in (*other.mentions, *other.excluded)]
        one.mentions = one.mentions or [[]]
        for mention in one.mentions:
            if not any(t.kind in DEVICE_KINDS for t in mention):
                mention.extend(_once([k for m in before for t in m if (k := generic(t)) is not None]))
            if not any(t.kind in PLACE_KINDS for t in mention):
                mention[:0] = _once(
                    [] if _elsewhere(one) else [t for other in made[:at] for t in _scope(other, mention)]
                )
        one.slots.flags.add("all")
    return made


def _told_apart(other: Instruction) -> list[list[Token]]:
    """What an instruction says of some things and not of the rest.

    ``只留`` names the set it speaks of first.
    """
    places = [t for m in other.mentions[:1] for t in m if t.kind in PLACE_KINDS]
    left = [e if any(t.kind in PLACE_KINDS for t in e) else [*places, *e] for e in other.excluded]
    if "only" in other.slots.flags:
        return left
    named = [
        m for m in other.mentions if other.slots.flags & KEEPING or any(t.kind in DEVICE_KINDS for t in m)
    ]
    return [[t for t in m if t.kind != "word"] for m in (*named, *left)]


def _scope(other: Instruction, rest_of: Sequence[Token]) -> list[Token]:
    """The place an instruction speaks of.

    The room of what stays, or of all of that kind there, only tells which one it is.
    """
    if other.slots.flags & KEEPING:
        return []
    mine = {says(t) for t in rest_of if t.kind == "type"}
    out: list[Token] = []
    for mention in other.mentions:
        things = [t for t in mention if t.kind in DEVICE_KINDS]
        whole = (
            bool(things)
            and "only" not in other.slots.flags
            and all(t.kind == "type" and says(t) in mine for t in things)
        )
        out.extend(t for t in mention if t.kind in PLACE_KINDS and not whole)
    return out


def _elsewhere(one: Instruction) -> bool:
    """``其他房间的灯``: not in the room spoken of."""
    return any(
        t.kind == "except"
        and says(t) == "rest"
        and t.text.rstrip("".join(little("of_a_place"))).endswith(little("places"))
        for t in one.tokens
    )


def generic(token: Token) -> Token | None:
    """The word for all of the kind a thing is of: a lamp for ``落地灯``; None when its kind is not known."""
    if token.kind not in {"type", "name"}:
        return None
    if token.kind == "type" and type_words()[says(token)].specific >= 1:
        return Token(token.text, "type", token.start, token.end, {"is": says(token)})
    kinds = kinds_of(token)
    found = next(
        (name for name, row in type_words().items() if row.specific >= 1 and row.kinds[0] in kinds - VAGUE),
        None,
    )
    return Token(found, "type", token.start, token.end, {"is": found}) if found else None


VAGUE = frozenset({"plug", "switch", "cover", "climate", "media_player", "sensor"})
"""Kinds that say too little of what a thing is."""


def _once(tokens: Sequence[Token]) -> list[Token]:
    return list({t.text if t.kind != "type" else says(t): t for t in tokens}.values())


KEEPING = frozenset({"not", "keep", "never_mind"})
CHANGING = frozenset({"double", "why_not", "let_stay", "why_still"})


def excepted(made: list[Instruction]) -> list[Instruction]:
    """``..., 主卧的留着``: what must not be touched is taken out of every order of the sentence."""
    orders = [m for m in made if not m.slots.flags & KEEPING or m.slots.flags & CHANGING]
    kept = [m for m in made if m not in orders]
    if not orders or not kept:
        return made
    for one in kept:
        if "rest" in one.slots.flags:
            continue  # what nobody named is left alone anyway
        if any(says(t) != "state" or not t.text.isascii() for t in one.slots.questions):
            orders[0].doubts.append(" ".join(t.text for t in one.tokens))  # 有人的房间别关: who knows which
        if all(not order.mentions and "all" not in order.slots.flags for order in orders):
            orders = [order if order.mentions else _aimed_at(order, one) for order in orders]
            continue
        for mention in one.mentions:
            if all(t.kind == "word" for t in mention):
                continue  # 别太凉: how, not which
            for order in orders:
                order.excluded.append([t for t in mention if t.kind != "word"] or list(mention))
    return orders


def _aimed_at(order: Instruction, other: Instruction) -> Instruction:
    """``小熊别转啦，停``: what must not go on is what the order is for."""
    order.mentions = [list(m) for m in other.mentions]
    return order


def _stays(one: Instruction) -> bool:
    """``only the lamp stays on``: said of the others, that they go off."""
    return any(t.kind == "except" and says(t) == "keep" and t.text[0].isascii() for t in one.tokens)


def _alone(one: Instruction, before: list[Instruction]) -> None:
    """Switching off, in the places named, all that is of the kind of what stays on.

    A doubt when its kind was not said.
    """
    last = before[-1] if before else None
    off = last is not None and any(says(t) in SWITCHING_OFF for t in last.slots.verbs)
    if last is not None and off and not one.mentions:
        last.excluded.extend(exclusions(one.slots.excluded))
        return
    said = [t for m in last.mentions for t in m if t.kind == "type"] if last is not None and off else []
    kinds = said or [kind for kind in map(kind_of, one.slots.excluded) if kind.kind == "type"]
    if not kinds:
        one.doubts.append(" ".join(t.text for t in one.tokens))
    one.mentions = [[*(t for m in one.mentions for t in m), *_once(kinds)]]
    one.excluded = exclusions(one.slots.excluded)
    one.slots.verbs = [Token("off", "verb", 0, 0, {"is": "off"})]
    one.slots.flags -= KEEPING
    one.slots.flags |= {"all"}
    before.append(one)


def others(made: list[Instruction]) -> list[Instruction]:
    """``..., the other lights off``: after an order for some of them, the rest."""
    for one in made[1:]:
        other = [r for r in one.slots.references if says(r) == "other"]
        if other and any(t.data.get("plural") for m in one.mentions for t in m):
            one.slots.flags.add("rest")
            one.slots.references = [r for r in one.slots.references if r not in other]
    return made


def readmitted(made: list[Instruction]) -> list[Instruction]:
    """``except the den, though in there the strip should go``: *there* is the place of the exception."""
    for at, one in enumerate(made):
        there = [
            r
            for r in (*one.slots.references, *one.slots.questions[:1])
            if says(r) == "there" or serves(r, "where")
        ]
        places = [t for other in made[:at] for m in other.excluded for t in m if t.kind in PLACE_KINDS]
        if there and places and not any(t.kind in PLACE_KINDS for m in one.mentions for t in m):
            one.mentions = [[*_once(places), *m] for m in one.mentions or [[]]]
            one.slots.references = [r for r in one.slots.references if r not in there]
            one.slots.questions = [r for r in one.slots.questions if r not in there]
    return made


def only(made: list[Instruction]) -> list[Instruction]:
    """``只留 X``: all of what was named before it, or of the order before, but X.

    ``只开 X``: and X is switched on.
    """
    out: list[Instruction] = []
    told = any("rest" in one.slots.flags for one in made)
    for one in made:
        if "only" not in one.slots.flags or not one.slots.excluded:
            if "only" in one.slots.flags and one.mentions and not one.slots.acts:
                one.doubts.append(" ".join(t.text for t in one.tokens))  # 玄关留一盏: which one is to stay
            out.append(one)
            continue
        if _stays(one):
            _alone(one, out)
            continue
        places = [t for m in one.mentions for t in m if t.kind in PLACE_KINDS]
        kinds = [t for m in one.mentions for t in m if t.kind in DEVICE_KINDS]
        items = exclusions(one.slots.excluded)
        if _opens(one):
            out.append(_lit(one, items, places, kinds))
            if told or not (places or kinds):
                continue
        out.extend(_but(one, items, places, kinds, out))
    return out


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
    out: list[Instruction],
) -> list[Instruction]:
    """The order for all the others; one that was given already only leaves them out."""
    before = next(
        (m for m in reversed(out) if not m.slots.flags & KEEPING and "only" not in m.slots.flags), None
    )
    if _opens(one):
        before = None
    if not places and not kinds:
        if before is not None:
            before.excluded.extend(items)
            return []
        one.slots.flags = {*one.slots.flags - {"only"}, "keep"}
        one.mentions, one.excluded = [list(i) for i in items], []
        return [one]
    verbs = [t for t in one.slots.verbs if says(t) not in LIGHTING_UP]
    if not kinds and before is not None:
        kinds = [t for m in before.mentions for t in m if t.kind == "type"]
        verbs = verbs or list(before.slots.verbs)
    kinds = kinds or _once([k for i in items for t in i if (k := generic(t)) is not None])
    if any(t.kind not in {"type", "group"} for t in kinds):
        one.doubts.append(" ".join(t.text for t in kinds))  # a name stands for no set
    off = Token("", "verb", 0, 0, {"is": "off_close"})
    slots = replace(one.slots, verbs=verbs or [off], flags={*one.slots.flags, "all"}, count=None)
    left = [i if any(t.kind in PLACE_KINDS for t in i) else [*places, *i] for i in items]
    if before is not None:
        before.excluded.extend(left)
    return [Instruction(slots, [[*places, *kinds]], left, tokens=list(one.tokens), doubts=list(one.doubts))]
