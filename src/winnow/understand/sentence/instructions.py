"""One act of a sentence with its words sorted by their use, and the things it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from winnow.language.little import little
from winnow.types.query import DEVICE_KINDS, Token
from winnow.understand.sentence.drafts import Draft, of_kinds
from winnow.understand.sentence.mentions import coordinated, exclusions, side_by_side
from winnow.understand.sentence.scopes import share_last_place
from winnow.understand.sentence.slots import Slots, place
from winnow.understand.words.kinds import TARGET_KINDS, says


@dataclass(slots=True)
class Instruction:
    """One act and the mentions it is for, still as tokens."""

    slots: Slots
    mentions: list[list[Token]] = field(default_factory=list)
    excluded: list[list[Token]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """Parts of the sentence that name something of the home and were not understood."""
    tokens: list[Token] = field(default_factory=list)
    back: list[list[Token]] = field(default_factory=list)
    """What of the exceptions is meant after all."""


_ENDS = frozenset({"HOLE"})
"""Words of the grammar's own that a word may end in."""
_EXEMPT = TARGET_KINDS | {"conj", "reference"}


def instruction(draft: Draft) -> Instruction:
    """An act with its words sorted by their use."""
    words = _joined(sorted(draft.words, key=lambda w: (w.start, w.end)))
    slots = _sorted(words, draft)
    left, back = _each(draft.left), _each(draft.back)
    mentions = coordinated([slots.target], together=bool(slots.count))
    share_last_place(mentions)
    # Exceptions of a kind that an unknown word describes: which of them it leaves, nobody knows
    named = ([w for w in group if w.kind in _EXEMPT] for group in draft.left)
    strange = [
        " ".join(w.text for w in group) for group in named if {"word", "type"} <= {w.kind for w in group}
    ]
    doubts = [*draft.doubts, *_behind_things(words), *strange]
    return Instruction(slots, mentions, left, doubts, words, back)


def _each(groups: Sequence[Sequence[Token]]) -> list[list[Token]]:
    """The mentions of what is left out, or of what is taken back."""
    return [m for group in groups for m in exclusions(of_kinds(group, _EXEMPT))]


def _sorted(words: list[Token], draft: Draft) -> Slots:
    """The words of an act by their use."""
    slots = Slots()
    for at, word in enumerate(words):
        place(slots, word, words, at)
    if draft.only:
        slots.flags.add("only")
    every = next((w for w in words if w.kind == "quantifier" and w.text in little("everything")), None)
    if every is not None and not slots.device_words:
        what = {"is": "device", "plural": True, "implied": True}
        slots.target.append(replace(every, kind="type", data=what))
    slots.target = side_by_side(slots.target, several=bool(slots.flags & {"all", "both", "keep", "not"}))
    slots.excluded = [w for group in draft.left for w in group]
    return slots


def _behind_things(words: Sequence[Token]) -> list[str]:
    """Unknown words right behind a thing: what they make of it, nobody knows; a Chinese name may go on so."""
    return [
        b.text for a, b in pairwise(words) if b.kind == "word" and a.kind in DEVICE_KINDS and b.text.isascii()
    ]


def _goes_on(word: Token) -> bool:
    """Whether an unknown word before it goes on with it."""
    return word.kind == "word" or (word.kind == "part" and says(word) in _ENDS)


def _joined(words: Sequence[Token]) -> list[Token]:
    """The words, with unknown ones that touch as one, and what of the grammar's own they end in: ``右键``."""
    out: list[Token] = []
    for word in words:
        if out and out[-1].kind == "word" and out[-1].end == word.start and _goes_on(word):
            out[-1] = replace(out[-1], text=out[-1].text + word.text, end=word.end)
        else:
            out.append(word)
    return out
