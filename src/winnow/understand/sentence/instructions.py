"""Put the pieces of a sentence together into instructions: shared verbs, values, targets and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from winnow.language.families import STOPPING
from winnow.language.lexicon import type_words
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.apposition import fits, is_set, lists, members, narrowed
from winnow.understand.sentence.mentions import coordinated, exclusions, kinds_of, mentions, stands_alone
from winnow.understand.sentence.pieces import Piece
from winnow.understand.sentence.slots import ALSO, Slots, says


@dataclass(slots=True)
class Instruction:
    """One act and the mentions it is for, still as tokens."""

    slots: Slots
    mentions: list[list[Token]] = field(default_factory=list)
    excluded: list[list[Token]] = field(default_factory=list)
    comments: list[Token] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """Parts of the sentence that name something of the home and were not understood."""
    tokens: list[Token] = field(default_factory=list)
    items: int = 0
    """Members of the set that were listed beside it."""


MARKED = frozenset({"not", "never_mind", "keep", "only", "let_stay", "why_not", "why_still"})
"""Flags that make an instruction of a piece without a verb."""


def instructions(found: Sequence[Piece]) -> list[Instruction]:
    """Acts with their targets: shared verbs and places are handed on, comments are kept apart."""
    out: list[Instruction] = []
    waiting: list[Piece] = []
    for at, piece in enumerate(found):
        _goes_on_excluding(piece, found[at - 1] if at else None)
        if at + 1 < len(found) and (_belongs_to(piece, found[at + 1]) or _leads(piece, found[at + 1])):
            waiting.append(piece)
        elif (
            out
            and not waiting
            and _only_a_number(piece.slots)
            and out[-1].slots.steps
            and not out[-1].slots.values
        ):
            out[-1].slots.numbers.extend(piece.slots.numbers)
            out[-1].slots.flags.add("to")
        elif out and not waiting and _shares_a_value(out[-1].slots, piece):
            _extend(out[-1], piece)
            out[-1].slots.numbers.extend(piece.slots.numbers)
        elif (out and _stays(piece, out[-1])) or piece.slots.acts or piece.slots.flags & MARKED:
            out.append(_begin(piece, waiting, out))
            waiting = []
        elif out and not waiting and (_readmits(piece, out[-1]) or _continues(piece)):
            _go_on(piece, out)
        elif waiting or not out or piece.slots.target or piece.slots.excluded:
            waiting.append(piece)
        else:
            out[-1].comments.extend(piece.tokens)
    if waiting:
        _leftover(waiting, out)
    for one in out:
        _count_items(one)
    return out


def _goes_on_excluding(piece: Piece, before: Piece | None) -> None:
    """``除了走廊的，还有主卧的``: what ``和`` joins to an exception is one as well."""
    slots = piece.slots
    if before is None or piece.joined != "conj" or slots.acts or slots.flags or slots.excluded:
        return
    if before.slots.excluded and not before.slots.target and not before.slots.acts and _only_names(piece):
        slots.excluded, slots.target = slots.target, []


def _only_names(piece: Piece) -> bool:
    """Whether a piece names things or places and says nothing else."""
    return bool(piece.slots.target) and not (
        piece.slots.words or piece.slots.questions or piece.slots.timings
    )


def _stays(piece: Piece, before: Instruction) -> bool:
    """``…都关了，书房的开着``, ``音箱都停了，餐厅的继续放``: one of them is to stay as it is."""
    slots = piece.slots
    off = any(says(t) in STOPPING or says(t) == "pause" for t in before.slots.verbs)
    goes_on = any(t.text in {"继续", "接着"} for t in slots.verbs) and slots.media is None
    if not off or not slots.target or slots.has_value or not (goes_on or (slots.stated and not slots.verbs)):
        return False
    if not all(_within(t, before) for t in slots.device_words):
        return False
    slots.flags.add("keep")
    slots.verbs = []
    slots.questions = [t for t in slots.questions if t.text not in STAYING]
    return True


def _within(thing: Token, before: Instruction) -> bool:
    """Whether a thing is of a kind that an order is for all of."""
    types = [t for m in before.mentions for t in m if t.kind in DEVICE_KINDS]
    if any(t.kind != "type" or type_words()[says(t)].specific < 1 for t in types):
        return False
    return any(kinds_of(t) & kinds_of(thing) for t in types)


STAYING = frozenset({"开着", "亮着", "转着"})


def _count_items(one: Instruction) -> None:
    """``两台都打开，主卧和次卧的``: as many as were said."""
    if one.items and one.slots.count:
        if one.items != one.slots.count:
            one.doubts.append(str(one.slots.count))
        one.slots.count = None


def _shares_a_value(before: Slots, piece: Piece) -> bool:
    """``dim the lamp and the spotlights to 30 percent``: one value for both."""
    slots = piece.slots
    lone = not (
        slots.verbs
        or slots.steps
        or slots.modes
        or slots.colors
        or slots.whites
        or slots.extremes
        or slots.properties
    )
    wants = bool(before.steps) or any(says(t) == "set" for t in before.verbs)
    return (
        lone
        and piece.joined == "conj"
        and bool(slots.values and slots.device_words)
        and wants
        and not before.has_value
    )


def _names(token: Token, piece: Piece) -> bool:
    """Whether a word after the last act names something of the home.

    One word of a name may be a word of the language: ``Christmas``.
    """
    before = next((t.text for t in reversed(piece.tokens) if t.end <= token.start), "")
    word = token.text.isascii() and before not in ARTICLES and any(t.kind == "word" for t in piece.tokens)
    return (
        token.kind == "name"
        or (token.kind == "type" and says(token) != "device")
        or (token.kind == "nameword" and not word)
    )


def _tells_of_oneself(piece: Piece) -> bool:
    """``我到门口了``: what the speaker does, and no part of an order."""
    words = [t.text for t in piece.tokens if t.kind != "mark"]
    return (
        len(words) > 2
        and words[0] in {"我", "我们", "咱们"}
        and words[1] != "的"
        and words[-1] in {"了", "呢", "啦"}
    )


def _belongs_to(piece: Piece, following: Piece) -> bool:
    """``A和B的留着``: A is left alone as well."""
    kept = (
        following.joined == "conj"
        and following.mark != "but"
        and following.slots.flags & {"not", "keep", "never_mind"}
        and not following.slots.verbs
    )
    return bool(kept) and bool(piece.slots.target) and not piece.slots.acts and not piece.slots.flags


def _leads(piece: Piece, following: Piece) -> bool:
    """``..., in the garage, dim the lamp``: a place between marks is that of the act after it."""
    first = piece.tokens[0].text in PREPOSITIONS
    alone = bool(piece.slots.place_words) and all(t.kind in PLACE_KINDS | {"filler"} for t in piece.tokens)
    acts = (
        following.joined == "mark"
        and bool(following.slots.verbs or following.slots.steps)
        and not following.slots.place_words
    )
    return piece.joined == "mark" and first and alone and acts


def _only_a_number(slots: Slots) -> bool:
    """``..., 2700``: how far, said after the act."""
    return bool(slots.values) and not (
        slots.verbs or slots.steps or slots.target or slots.modes or slots.colors
    )


ARTICLES = frozenset({"the", "my", "our", "your", "that", "this", "her", "his"})
PREPOSITIONS = frozenset({"at", "at the", "by the", "in", "in the", "on the", "with"})


def _continues(piece: Piece) -> bool:
    """``... and the lamp``, ``..., 客厅的``: a target without an act belongs to the act before it."""
    slots = piece.slots
    if slots.words or slots.questions:
        return False
    at = next((t.text for t in piece.tokens if t.kind != "mark"), "")
    named = slots.device_words or piece.in_list
    return bool(
        slots.excluded or slots.place_words or (named and (piece.joined == "conj" or at in PREPOSITIONS))
    )


def _extend(instruction: Instruction, piece: Piece) -> None:
    slots = piece.slots
    instruction.tokens.extend(piece.tokens)
    instruction.slots.flags |= slots.flags
    if slots.excluded:
        instruction.excluded.extend(exclusions(slots.excluded))
    if "include" in slots.flags and slots.place_words and not slots.device_words and instruction.mentions:
        instruction.mentions.append([*slots.place_words, *instruction.mentions[-1]])
    elif slots.device_words and piece.joined == "mark" and instruction.mentions:
        instruction.mentions = [[*m, *slots.target] for m in instruction.mentions]
    elif slots.device_words or piece.in_list:
        places = [
            t for t in (instruction.mentions[-1] if instruction.mentions else []) if t.kind in PLACE_KINDS
        ]
        new = mentions(slots.target)
        instruction.mentions.extend(
            m if stands_alone(m) or any(t.kind in PLACE_KINDS for t in m) else [*places, *m] for m in new
        )
    elif (
        slots.place_words
        and piece.joined == "conj"
        and any(t.kind in {"room", "floor"} for m in instruction.mentions[-1:] for t in m)
    ):
        wider = {"floor", "zone"} if all(t.kind == "room" for t in slots.place_words) else set()
        things = [t for t in instruction.mentions[-1] if t.kind not in PLACE_KINDS or t.kind in wider]
        instruction.mentions.append([*slots.place_words, *things])
        instruction.items = max(instruction.items, 1) + 1
    elif slots.place_words and not (
        all(says(t) == "here" for t in slots.place_words) and instruction.mentions
    ):
        placed = coordinated([[t for t in slots.target if t.kind in PLACE_KINDS | {"conj"}]])
        instruction.mentions = [[*p, *m] for m in instruction.mentions for p in placed] or placed


def _go_on(piece: Piece, out: list[Instruction]) -> None:
    if _readmits(piece, out[-1]):
        out.append(_readmitted(piece, out[-1]))
    else:
        _extend(out[-1], piece)


def _readmits(piece: Piece, before: Instruction) -> bool:
    """``... except the kitchen, the pendant too though``: one of those left out is meant after all."""
    also = any(t.text in ALSO for t in piece.tokens)
    return (
        also
        and bool(before.excluded and piece.slots.device_words)
        and not (piece.slots.questions or piece.slots.excluded)
    )


def _readmitted(piece: Piece, before: Instruction) -> Instruction:
    slots = piece.slots
    slots.verbs, slots.steps = list(before.slots.verbs), list(before.slots.steps)
    slots.properties, slots.numbers = list(before.slots.properties), list(before.slots.numbers)
    return Instruction(slots, mentions(slots.target), tokens=list(piece.tokens))


def _gapped(slots: Slots) -> bool:
    """``... and 90 % in the study``: a value and a place, the rest as before."""
    return bool(slots.values and slots.place_words) and not (
        slots.verbs or slots.steps or slots.properties or slots.device_words
    )


def _fill_gap(slots: Slots, before: Instruction) -> None:
    slots.verbs, slots.steps = list(before.slots.verbs), list(before.slots.steps)
    slots.properties = list(before.slots.properties)
    slots.flags |= before.slots.flags & {"by", "to"}
    slots.target.extend(t for t in (before.mentions[-1] if before.mentions else []) if t.kind in DEVICE_KINDS)


def _begin(piece: Piece, waiting: list[Piece], out: list[Instruction]) -> Instruction:
    slots = piece.slots
    if out and not waiting and _gapped(slots):
        _fill_gap(slots, out[-1])
    *topics, run = _runs([*waiting, piece])
    made = Instruction(slots, _listed(run), tokens=list(piece.tokens))
    if slots.excluded:
        made.excluded.extend(exclusions(slots.excluded))
    for earlier in reversed(run[:-1]):
        _take_words(made, earlier)
    for topic in reversed(topics):
        _take_topic(made, topic)
    return made


def _runs(found: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces by what joins them: those that ``和`` joins stand together."""
    out: list[list[Piece]] = []
    for piece in found:
        if out and piece.joined == "conj":
            out[-1].append(piece)
        else:
            out.append([piece])
    return out


def _listed(run: Sequence[Piece]) -> list[list[Token]]:
    """The mentions of pieces that ``和`` joins."""
    last = run[-1].slots
    if last.flags & {"not", "keep", "never_mind"}:  # A和B的留着: whatever is there
        return [m for p in run for m in mentions(p.slots.target)]
    counted = any(p.slots.count for p in run)
    return coordinated([p.slots.target for p in run], together=counted)


def _without_denied(piece: Piece) -> None:
    """``主灯，不是台灯，打开``: what it is not is left out."""
    denied = next((t.start for t in piece.tokens if t.kind == "correction" and says(t) == "not_that"), None)
    if denied is not None:
        piece.slots.target = [t for t in piece.slots.target if t.start < denied]


def _said_again(before: Sequence[Sequence[Token]], made: Instruction) -> bool:
    """Whether an act names all of it itself."""
    own = {(t.kind, t.text) for m in made.mentions for t in m}
    return {(t.kind, t.text) for m in before for t in m} <= own


def _take_words(made: Instruction, earlier: Piece) -> None:
    """What a piece without an act says beside its target."""
    slots = earlier.slots
    if not slots.target and not slots.excluded:
        made.comments.extend(earlier.tokens)
        return
    made.tokens = [*earlier.tokens, *made.tokens]
    made.slots.flags |= slots.flags
    made.slots.references.extend(slots.references)
    made.slots.properties.extend(slots.properties)
    made.slots.doubts.extend(slots.doubts)
    made.slots.count = slots.count if made.slots.count is None else made.slots.count
    if slots.excluded:
        made.excluded.extend(exclusions(slots.excluded))


def _take_topic(made: Instruction, topic: Sequence[Piece]) -> None:
    """Give the act what was named before it, set apart: ``客厅和书房，灯都关了``."""
    for earlier in reversed(topic):
        _without_denied(earlier)
        _take_words(made, earlier)
    before = _listed(topic)
    if not before or _said_again(before, made):
        return  # 主灯，对，主灯，打开
    if not any(t.kind in DEVICE_KINDS for m in before for t in m) and any(p.slots.place_words for p in topic):
        before = [[t for t in m if t.kind in PLACE_KINDS] for m in before]
        bare = [m for m in made.mentions if not any(t.kind in PLACE_KINDS for t in m)]
        placed = [m for m in made.mentions if m not in bare]
        made.mentions = [*([*p, *m] for m in bare for p in before), *placed] if made.mentions else before
    elif not any(t.kind in DEVICE_KINDS | {"word"} for m in made.mentions for t in m):
        made.mentions = [[*p, *m] for p in made.mentions or [[]] for m in before]
    elif lists(topic) and len(before) == 1 and is_set(before[0]) and _members_of(before[0], made.mentions):
        made.mentions = narrowed(before[0], made.mentions)
        made.items = len(made.mentions)
        made.slots.count = made.slots.count or topic[-1].slots.count
    elif lists(topic) and made.slots.flags & {"all", "both"}:
        made.mentions = [*before, *made.mentions]  # 电视，音箱都关了
    else:
        made.comments.extend(t for p in topic for t in p.tokens)
        if lists(topic):
            made.doubts.append(" ".join(t.text for p in topic for t in p.tokens))


def _members_of(whole: Sequence[Token], items: Sequence[Sequence[Token]]) -> bool:
    return members(items) and fits(whole, items)


def _lists_members(waiting: Sequence[Piece], before: Instruction) -> bool:
    """``两个扫地的都回去充电，旺财和小白``: the members of the set before it."""
    several = (
        len(before.mentions) == 1
        and is_set(before.mentions[0])
        and not (before.excluded or before.slots.flags & MARKED)
    )
    return (
        several
        and not before.comments
        and len(_runs(waiting)) == 1
        and lists(waiting)
        and members(_listed(waiting))
    )


def _leftover(waiting: list[Piece], out: list[Instruction]) -> None:
    """Words after the last act: a comment when there was one, else all there is."""
    if out and _lists_members(waiting, out[-1]):
        out[-1].mentions = narrowed(out[-1].mentions[0], _listed(waiting))
        out[-1].items = len(out[-1].mentions)
    elif out:
        for piece in waiting:
            out[-1].comments.extend(piece.tokens)
            known = {t.text for m in out[-1].mentions for t in m}
            if not _tells_of_oneself(piece) and any(
                _names(t, piece) and t.text not in known for t in piece.slots.target
            ):
                out[-1].doubts.append(" ".join(t.text for t in piece.tokens))
    for piece in () if out else waiting:
        if out and piece.slots.excluded and not piece.slots.target:
            _extend(out[-1], piece)
            continue
        made = Instruction(piece.slots, mentions(piece.slots.target), tokens=list(piece.tokens))
        if piece.slots.excluded:
            made.excluded.extend(exclusions(piece.slots.excluded))
        out.append(made)
