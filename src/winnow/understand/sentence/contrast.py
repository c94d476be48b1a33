"""What is left out of an order by the other pieces of its sentence.

Exceptions, prohibitions, ``only``, ``the rest``, withdrawals.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from winnow.language.families import STOPPING
from winnow.language.little import little
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.drafts import but_kinds, of_kinds
from winnow.understand.sentence.instructions import Instruction
from winnow.understand.sentence.mentions import kinds_of
from winnow.understand.sentence.only import only
from winnow.understand.sentence.queries import stated
from winnow.understand.sentence.sets_said import (
    KEEPING,
    LIGHTING_UP,
    generics,
    once,
    placed,
    text,
)
from winnow.understand.words.kinds import says, serves


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
    ahead = any(t.kind == "except" and says(t) == "pre" for t in one.slots.excluded)
    return ahead and not one.slots.flags & {"all", "both", "rest", "only"}


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
    (on, off), (turns_on, turns_off) = _way(one), _way(other)
    valued = other.slots.has_value
    return (one.slots.has_value and valued) or (on and turns_off) or (off and (turns_on or valued))


def _way(one: Instruction) -> tuple[bool, bool]:
    """Whether an order switches on, and whether it switches off."""
    said = {says(t) for t in one.slots.verbs} or {stated(one.slots)}
    return bool(said & (LIGHTING_UP | {"resume"})), bool(said & STOPPING)


def _is_one_of(mention: Sequence[Token], kinds: Sequence[Token]) -> bool:
    """Whether a mention picks out some of those kinds: by name, by a closer kind, or by a place."""
    things = of_kinds(mention, DEVICE_KINDS)
    same = {says(t) for t in kinds}
    # Whether a word says no more than that it is of one of these types
    closer = len(things) < len(mention) or any(
        not (t.kind == "type" and says(t) in same and "named" not in t.data) for t in things
    )
    return closer and all(kinds_of(t) & kinds_of(k) for t in things for k in kinds[:1])


def rest(made: list[Instruction]) -> list[Instruction]:
    """``其他的灯``: those of the place spoken of, without what the sentence names or leaves out."""
    for at, one in enumerate(made):
        if "rest" not in one.slots.flags or one.slots.flags & KEEPING:
            continue
        others = [*made[:at], *made[at + 1 :]]
        if not any(other.mentions or other.excluded for other in others) and not one.excluded:
            one.doubts.append(next(t.text for t in one.tokens if says(t) == "rest"))  # the rest of what?
        one.excluded.extend(chain.from_iterable(map(_told_apart, others)))
        _complete(one, made[:at])
        one.slots.flags.add("all")
    return made


def _complete(one: Instruction, before: Sequence[Instruction]) -> None:
    """A rest is of the kinds and in the places spoken of before, where it says none of its own."""
    kinds = generics(m for other in before for m in (*other.mentions, *other.excluded))
    one.mentions = one.mentions or [[]]
    for mention in one.mentions:
        if not of_kinds(mention, DEVICE_KINDS):
            mention.extend(kinds)
        if not of_kinds(mention, PLACE_KINDS) and not _elsewhere(one):
            mention[:0] = once([t for other in before for t in _scope(other, mention)])


def _told_apart(other: Instruction) -> list[list[Token]]:
    """What an instruction says of some things and not of the rest.

    ``只留`` names the set it speaks of first.
    """
    places = of_kinds(chain(*other.mentions[:1]), PLACE_KINDS)
    left = [placed(e, places) for e in other.excluded]
    if "only" in other.slots.flags:
        return left
    keeps = bool(other.slots.flags & KEEPING)
    named = [m for m in other.mentions if keeps or of_kinds(m, DEVICE_KINDS)]
    return [list(but_kinds(m, {"word"})) for m in (*named, *left)]


def _scope(other: Instruction, rest_of: Sequence[Token]) -> list[Token]:
    """The place an instruction speaks of.

    The room of what stays, or of all of that kind there, only tells which one it is.
    """
    if other.slots.flags & KEEPING:
        return []
    mine = {says(t) for t in rest_of if t.kind == "type"}
    only_some = "only" in other.slots.flags
    said = (m for m in other.mentions if only_some or not _is_whole(m, mine))
    return [t for m in said for t in of_kinds(m, PLACE_KINDS)]


def _is_whole(mention: Sequence[Token], types: set[str]) -> bool:
    """Whether all of these types are meant, and nothing else."""
    things = of_kinds(mention, DEVICE_KINDS)
    return bool(things) and all(t.kind == "type" and says(t) in types for t in things)


def _elsewhere(one: Instruction) -> bool:
    """``其他房间的灯``: not in the room spoken of."""
    return any(
        t.kind == "except"
        and says(t) == "rest"
        and t.text.rstrip("".join(little("of_a_place"))).endswith(little("places"))
        for t in one.tokens
    )


CHANGING = frozenset({"double", "why_not", "let_stay", "why_still"})


def excepted(made: list[Instruction]) -> list[Instruction]:
    """``..., 主卧的留着``: what must not be touched is taken out of every order of the sentence."""
    orders = [m for m in made if not m.slots.flags & KEEPING or m.slots.flags & CHANGING]
    kept = [m for m in made if m not in orders]
    if not orders or not kept:
        return made
    for one in kept:
        if "rest" not in one.slots.flags:  # what nobody named is left alone anyway
            _spare(one, orders)
    return orders


def _spare(one: Instruction, orders: Sequence[Instruction]) -> None:
    """What must not be touched is taken out of the orders, or is what they are for if they name nothing."""
    if any(map(_tells_which, one.slots.questions)):
        orders[0].doubts.append(text(one.tokens))  # 有人的房间别关: who knows which
    aimed = any(order.mentions or "all" in order.slots.flags for order in orders)
    named = [list(words) for m in one.mentions if (words := but_kinds(m, {"word"}))]  # 别太凉: how, not which
    for order in orders:
        if aimed:
            order.excluded.extend(map(list, named))
        else:  # 小熊别转啦，停
            order.mentions = [list(m) for m in one.mentions]


def _tells_which(question: Token) -> bool:
    return says(question) != "state" or not question.text.isascii()


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
        there = list(filter(_points_there, (*one.slots.references, *one.slots.questions[:1])))
        places = of_kinds(chain.from_iterable(m for o in made[:at] for m in o.excluded), PLACE_KINDS)
        if there and places and not of_kinds(chain.from_iterable(one.mentions), PLACE_KINDS):
            one.mentions = [[*once(places), *m] for m in one.mentions or [[]]]
            _forget(one, there)
    return made


def _points_there(token: Token) -> bool:
    return says(token) == "there" or serves(token, "where")


def _forget(one: Instruction, gone: Sequence[Token]) -> None:
    """Words that point, and whose place is known, are no questions any more."""
    one.slots.references = [r for r in one.slots.references if r not in gone]
    one.slots.questions = [r for r in one.slots.questions if r not in gone]
