"""What is left out of an order by the other pieces of its sentence: exceptions, prohibitions, ``only``, ``the rest``, withdrawals."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import Token
from winnow.understand.instructions import Instruction
from winnow.understand.mentions import exclusions
from winnow.understand.slots import DEVICE_KINDS, PLACE_KINDS, says

OPENING = frozenset({"on", "on_open", "open", "start", "illuminate"})


def contrasted(made: list[Instruction]) -> list[Instruction]:
    """The instructions with everything taken out that the sentence takes out; none at all when it was withdrawn."""
    if _withdrawn(made):
        return [made[-1]]
    return excepted(only(rest(made)))


def _withdrawn(made: Sequence[Instruction]) -> bool:
    """``开一下洗碗机，哦不，算了``: a last word of withdrawal that names nothing takes everything back."""
    if len(made) < 2:
        return False
    last = made[-1]
    bare = "rest" not in last.slots.flags and not last.mentions and not last.excluded and not last.slots.verbs and not last.slots.has_value
    return bare and bool(last.slots.flags & {"never_mind", "not"}) and not last.slots.flags & CHANGING


def rest(made: list[Instruction]) -> list[Instruction]:
    """``其他的灯``: those of the place spoken of, without what the other orders name."""
    for at, one in enumerate(made):
        if "rest" not in one.slots.flags or one.slots.flags & KEEPING:
            continue
        others = [m for n, other in enumerate(made) if n != at for m in (*other.mentions, *other.excluded)]
        one.excluded.extend([t for t in m if t.kind != "word"] for m in others if any(t.kind in DEVICE_KINDS for t in m))
        before = [t for other in made[:at] for m in (*other.mentions, *other.excluded) for t in m]
        places = [t for t in before if t.kind in PLACE_KINDS]
        types = [t for t in before if t.kind == "type" and "named" not in t.data]
        one.mentions = one.mentions or [[]]
        for mention in one.mentions:
            if not any(t.kind in PLACE_KINDS for t in mention):
                mention[:0] = _once(places)
            if not any(t.kind in DEVICE_KINDS for t in mention):
                mention.extend(_once(types))
        one.slots.flags.add("all")
    return made


def _once(tokens: Sequence[Token]) -> list[Token]:
    return list({t.text: t for t in tokens}.values())


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
        if one.slots.questions:
            orders[0].doubts.append(" ".join(t.text for t in one.tokens))  # 有人的房间别关: who knows which
        if any(not order.mentions for order in orders):
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


def only(made: list[Instruction]) -> list[Instruction]:
    """``只留 X``: X is left out of the order before it, or of switching off what was named before ``只``."""
    out: list[Instruction] = []
    for one in made:
        if "only" not in one.slots.flags or not one.slots.excluded:
            out.append(one)
            continue
        named = [list(m) for m in one.mentions]
        if any(says(t) in OPENING for t in one.slots.verbs):  # 只亮落地灯: an order for that one
            one.mentions = [[*(t for m in named for t in m), *e] for e in exclusions(one.slots.excluded)]
            one.excluded = []
            out.append(one)
            continue
        if out and not any(t.kind in DEVICE_KINDS for m in named for t in m):
            if not named:
                out[-1].excluded.extend(exclusions(one.slots.excluded))
                continue
            types = [t for m in out[-1].mentions for t in m if t.kind == "type"]
            one.mentions = [[*m, *types] for m in named]
            one.slots.verbs = one.slots.verbs or list(out[-1].slots.verbs)
        if not one.slots.verbs:
            one.slots.verbs = [Token("关", "verb", 0, 0, {"is": "off_close"})]
        one.slots.flags |= {"all"}
        out.append(one)
    return out
