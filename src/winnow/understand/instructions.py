"""Put the pieces of a sentence together into instructions: shared verbs, values, targets and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from winnow.types.query import Token
from winnow.understand.mentions import exclusions, mentions
from winnow.understand.pieces import Piece
from winnow.understand.slots import DEVICE_KINDS, PLACE_KINDS, Slots, says


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


MARKED = frozenset({"not", "never_mind", "keep", "only", "let_stay", "why_not", "why_still"})
"""Flags that make an instruction of a piece without a verb."""


def instructions(found: Sequence[Piece]) -> list[Instruction]:
    """Acts with their targets: shared verbs and places are handed on, comments are kept apart."""
    out: list[Instruction] = []
    waiting: list[Piece] = []
    for at, piece in enumerate(found):
        if at + 1 < len(found) and _belongs_to(piece, found[at + 1]):
            waiting.append(piece)
        elif out and not waiting and _only_a_number(piece.slots) and out[-1].slots.steps and not out[-1].slots.values:
            out[-1].slots.numbers.extend(piece.slots.numbers)
            out[-1].slots.flags.add("to")
        elif out and not waiting and _shares_a_value(out[-1].slots, piece):
            _extend(out[-1], piece)
            out[-1].slots.numbers.extend(piece.slots.numbers)
        elif piece.slots.acts or piece.slots.flags & MARKED:
            out.append(_begin(piece, waiting, out))
            waiting = []
        elif out and not waiting and _continues(piece):
            _extend(out[-1], piece)
        elif waiting or not out or piece.slots.target or piece.slots.excluded:
            waiting.append(piece)
        else:
            out[-1].comments.extend(piece.tokens)
    if waiting:
        _leftover(waiting, out)
    return out


def _shares_a_value(before: Slots, piece: Piece) -> bool:
    """``dim the lamp and the spotlights to 30 percent``: one value for both."""
    slots = piece.slots
    lone = not (slots.verbs or slots.steps or slots.modes or slots.colors or slots.whites or slots.extremes or slots.properties)
    wants = bool(before.steps) or any(says(t) == "set" for t in before.verbs)
    return lone and piece.joined == "conj" and bool(slots.values and slots.device_words) and wants and not before.has_value


def _names(token: Token, piece: Piece) -> bool:
    """Whether a word after the last act names something of the home; one word of a name may be a word of the language: ``Christmas``."""
    before = next((t.text for t in reversed(piece.tokens) if t.end <= token.start), "")
    word = token.text.isascii() and before not in ARTICLES and any(t.kind == "word" for t in piece.tokens)
    return token.kind == "name" or (token.kind == "type" and says(token) != "device") or (token.kind == "nameword" and not word)


def _tells_of_oneself(piece: Piece) -> bool:
    """``我到门口了``: what the speaker does, and no part of an order."""
    words = [t.text for t in piece.tokens if t.kind != "mark"]
    return len(words) > 2 and words[0] in {"我", "我们", "咱们"} and words[1] != "的" and words[-1] in {"了", "呢", "啦"}


def _belongs_to(piece: Piece, following: Piece) -> bool:
    """``A和B的留着``: A is left alone as well."""
    kept = following.joined == "conj" and following.slots.flags & {"not", "keep", "never_mind"} and not following.slots.verbs
    return bool(kept) and bool(piece.slots.target) and not piece.slots.acts and not piece.slots.flags


def _only_a_number(slots: Slots) -> bool:
    """``..., 2700``: how far, said after the act."""
    return bool(slots.values) and not (slots.verbs or slots.steps or slots.target or slots.modes or slots.colors)


ARTICLES = frozenset({"the", "my", "our", "your", "that", "this", "her", "his"})
PREPOSITIONS = frozenset({"at", "at the", "by the", "in the", "on the", "with"})


def _continues(piece: Piece) -> bool:
    """``... and the lamp``, ``..., 客厅的``: a target without an act belongs to the act before it."""
    slots = piece.slots
    if slots.words or slots.questions:
        return False
    at = next((t.text for t in piece.tokens if t.kind != "mark"), "")
    return bool(slots.excluded or slots.place_words or (slots.device_words and (piece.joined == "conj" or at in PREPOSITIONS)))


def _extend(instruction: Instruction, piece: Piece) -> None:
    slots = piece.slots
    instruction.tokens.extend(piece.tokens)
    instruction.slots.flags |= slots.flags
    if slots.excluded:
        instruction.excluded.extend(exclusions(slots.excluded))
    if slots.device_words and piece.joined == "mark" and instruction.mentions:
        instruction.mentions = [[*m, *slots.target] for m in instruction.mentions]
    elif slots.device_words:
        places = [t for t in (instruction.mentions[-1] if instruction.mentions else []) if t.kind in PLACE_KINDS]
        new = mentions(slots.target)
        instruction.mentions.extend(m if any(t.kind in PLACE_KINDS for t in m) else [*places, *m] for m in new)
    elif slots.place_words and piece.joined == "conj" and any(t.kind == "room" for m in instruction.mentions[-1:] for t in m):
        things = [t for t in instruction.mentions[-1] if t.kind not in PLACE_KINDS]
        instruction.mentions.append([*slots.place_words, *things])
    elif slots.place_words and not (all(says(t) == "here" for t in slots.place_words) and instruction.mentions):
        instruction.mentions = [[*slots.place_words, *m] for m in instruction.mentions] or [list(slots.place_words)]


def _gapped(slots: Slots) -> bool:
    """``... and 90 % in the study``: a value and a place, the rest as before."""
    return bool(slots.values and slots.place_words) and not (slots.verbs or slots.steps or slots.properties or slots.device_words)


def _fill_gap(slots: Slots, before: Instruction) -> None:
    slots.verbs, slots.steps = list(before.slots.verbs), list(before.slots.steps)
    slots.properties = list(before.slots.properties)
    slots.flags |= before.slots.flags & {"by", "to"}
    slots.target.extend(t for t in (before.mentions[-1] if before.mentions else []) if t.kind in DEVICE_KINDS)


def _begin(piece: Piece, waiting: list[Piece], out: list[Instruction]) -> Instruction:
    slots = piece.slots
    if out and not waiting and _gapped(slots):
        _fill_gap(slots, out[-1])
    own = mentions(slots.target)
    made = Instruction(slots, own, tokens=list(piece.tokens))
    if slots.excluded:
        made.excluded.extend(exclusions(slots.excluded))
    for earlier in waiting:
        _take(made, earlier, piece)
    return made


def _take(made: Instruction, earlier: Piece, piece: Piece) -> None:
    """Give the act the words that came before it without an act of their own."""
    slots = earlier.slots
    if not slots.target and not slots.excluded:
        made.comments.extend(earlier.tokens)
        return
    made.tokens = [*earlier.tokens, *made.tokens]
    made.slots.flags |= slots.flags
    made.slots.references.extend(slots.references)
    made.slots.properties.extend(slots.properties)
    if slots.excluded:
        made.excluded.extend(exclusions(slots.excluded))
    before = mentions(slots.target)
    if not before:
        return
    has_device = any(t.kind in DEVICE_KINDS | {"word"} for m in made.mentions for t in m)
    if piece.joined == "conj" and made.slots.flags & {"not", "keep", "never_mind"}:
        made.mentions = [*before, *made.mentions]  # A和B的留着
    elif not slots.device_words and slots.place_words:
        _add_places(made, slots.place_words, together=piece.joined == "conj")
    elif not has_device:
        places = [t for m in made.mentions for t in m if t.kind in PLACE_KINDS]
        made.mentions = [[*places, *m] for m in before]
    elif piece.joined == "conj":
        shared = [t for m in before for t in m if t.kind in PLACE_KINDS]
        if not shared:
            before = [[*m, *(t for t in made.mentions[0] if t.kind == "zone")] for m in before]
        made.mentions = [*before, *(m if any(t.kind in PLACE_KINDS for t in m) else [*shared, *m] for m in made.mentions)]
    else:
        made.comments.extend(earlier.tokens)


def _add_places(made: Instruction, places: list[Token], *, together: bool) -> None:
    if not made.mentions:
        made.mentions = [list(places)]
    elif together:
        made.mentions = [[*places, *m] for m in made.mentions]
    else:
        made.mentions = [[*places, *m] if not any(t.kind in PLACE_KINDS for t in m) else m for m in made.mentions]


def _leftover(waiting: list[Piece], out: list[Instruction]) -> None:
    """Words after the last act: a comment when there was one, else all there is."""
    if out:
        for piece in waiting:
            out[-1].comments.extend(piece.tokens)
            known = {t.text for m in out[-1].mentions for t in m}
            if not _tells_of_oneself(piece) and any(_names(t, piece) and t.text not in known for t in piece.slots.target):
                out[-1].doubts.append(" ".join(t.text for t in piece.tokens))
        return
    for piece in waiting:
        if out and piece.slots.excluded and not piece.slots.target:
            _extend(out[-1], piece)
            continue
        made = Instruction(piece.slots, mentions(piece.slots.target), tokens=list(piece.tokens))
        if piece.slots.excluded:
            made.excluded.extend(exclusions(piece.slots.excluded))
        out.append(made)
