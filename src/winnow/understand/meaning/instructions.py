"""One act of a sentence with its words sorted by their use, and the things it is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from winnow.language.content_words import STARTING, little
from winnow.language.lexicon import type_words
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.meaning.drafts import Draft, of_kinds, share_last_place
from winnow.understand.meaning.mentions import coordinated, exclusions, kinds_of, side_by_side
from winnow.understand.meaning.slots import Slots, place
from winnow.understand.words.tokens import TARGET_KINDS, says


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


# What kinds of things mentions are of, for those that speak of the rest of them.


LIGHTING_UP = STARTING | {"illuminate"}
"""What ``only`` and ``but`` set against switching off; lamps are lit up, nothing else is."""


def generics(mentions: Iterable[Sequence[Token]]) -> list[Token]:
    """The words for all of the kinds that are named."""
    return once([kind for m in mentions for t in m if (kind := generic(t)) is not None])


def placed(mention: list[Token], places: Sequence[Token]) -> list[Token]:
    """A mention in the places told before it, unless it has one of its own."""
    return mention if of_kinds(mention, PLACE_KINDS) else [*places, *mention]


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


def once(tokens: Sequence[Token]) -> list[Token]:
    """Each kind and each word once."""
    return list({t.text if t.kind != "type" else says(t): t for t in tokens}.values())


KEEPING = frozenset({"not", "keep", "never_mind"})


def text(tokens: Sequence[Token]) -> str:
    """The words as they were said."""
    return " ".join(t.text for t in tokens)


def types(orders: Sequence[Instruction]) -> list[Token]:
    """The kinds of things that orders are for."""
    return [t for one in orders for m in one.mentions for t in of_kinds(m, {"type"})]
