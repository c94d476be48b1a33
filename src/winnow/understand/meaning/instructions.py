"""One act of a sentence with its words sorted by their use, and the things it is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from winnow.language.content_words import STARTING, little
from winnow.language.lexicon import type_words
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, of_kind
from winnow.understand.meaning.drafts import ActDraft, share_final_place
from winnow.understand.meaning.mentions import (
    exclusion_mentions,
    join_coordinated,
    kinds_of,
    mark_coordination,
)
from winnow.understand.meaning.slots import Slots, place_word
from winnow.understand.words.tokens import TARGET_KINDS, canonical_sense


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


_NAME_ENDINGS = frozenset({"HOLE"})
"""Words of the grammar's own that a word may end in."""
_EXEMPT_KINDS = TARGET_KINDS | {"conj", "reference"}


def build_instruction(draft: ActDraft) -> Instruction:
    """An act with its words sorted by their use."""
    words = _join_unknown_words(sorted(draft.words, key=lambda w: (w.start, w.end)))
    slots = _sorted_slots(words, draft)
    left, back = _each_mention(draft.left), _each_mention(draft.back)
    mentions = join_coordinated([slots.target], together=bool(slots.count))
    share_final_place(mentions)
    # Exceptions of a kind that an unknown word describes: which of them it leaves, nobody knows
    named = (of_kind(group, *_EXEMPT_KINDS) for group in draft.left)
    strange = [
        " ".join(w.text for w in group) for group in named if {"word", "type"} <= {w.kind for w in group}
    ]
    # Unknown words right behind a thing: what they make of it, nobody knows; a Chinese name may go on so.
    pairs = pairwise(words)
    behind = [b.text for a, b in pairs if b.kind == "word" and a.kind in DEVICE_KINDS and b.text.isascii()]
    doubts = [*draft.doubts, *behind, *strange]
    return Instruction(slots, mentions, left, doubts, words, back)


def _each_mention(groups: Sequence[Sequence[Token]]) -> list[list[Token]]:
    """The mentions of what is left out, or of what is taken back."""
    return [m for group in groups for m in exclusion_mentions(of_kind(group, *_EXEMPT_KINDS))]


def _sorted_slots(words: list[Token], draft: ActDraft) -> Slots:
    """The words of an act by their use."""
    slots = Slots()
    for at, word in enumerate(words):
        place_word(slots, word, words, at)
    if draft.only:
        slots.flags.add("only")
    every = next((w for w in of_kind(words, "quantifier") if w.text in little("everything")), None)
    if every is not None and not slots.device_words:
        what = {"is": "device", "plural": True, "implied": True}
        slots.target.append(replace(every, kind="type", data=what))
    slots.target = mark_coordination(slots.target, several=bool(slots.flags & {"all", "both", "keep", "not"}))
    slots.excluded = [w for group in draft.left for w in group]
    return slots


def _join_unknown_words(words: Sequence[Token]) -> list[Token]:
    """The words, with unknown ones that touch as one, and what of the grammar's own they end in: ``右键``."""
    out: list[Token] = []
    for word in words:
        goes_on = word.kind == "word" or word.means("part", *_NAME_ENDINGS)
        if goes_on and out and out[-1].kind == "word" and out[-1].end == word.start:
            out[-1] = replace(out[-1], text=out[-1].text + word.text, end=word.end)
        else:
            out.append(word)
    return out


# What kinds of things mentions are of, for those that speak of the rest of them.


LIGHTING_VERBS = STARTING | {"illuminate"}
"""What ``only`` and ``but`` set against switching off; lamps are lit up, nothing else is."""


def generic_kinds(mentions: Iterable[Sequence[Token]]) -> list[Token]:
    """The words for all of the kinds that are named."""
    return unique_tokens([kind for m in mentions for t in m if (kind := generic_kind(t)) is not None])


def in_places(mention: list[Token], places: Sequence[Token]) -> list[Token]:
    """A mention in the places told before it, unless it has one of its own."""
    return mention if of_kind(mention, *PLACE_KINDS) else [*places, *mention]


def generic_kind(token: Token) -> Token | None:
    """The word for all of the kind a thing is of: a lamp for ``落地灯``; None when its kind is not known."""
    if token.kind not in {"type", "name"}:
        return None
    if token.kind == "type" and type_words()[canonical_sense(token)].specific >= 1:
        return Token(token.text, "type", token.start, token.end, {"is": canonical_sense(token)})
    kinds = kinds_of(token)
    found = next(
        (
            name
            for name, row in type_words().items()
            if row.specific >= 1 and row.kinds[0] in kinds - VAGUE_KINDS
        ),
        None,
    )
    return Token(found, "type", token.start, token.end, {"is": found}) if found else None


VAGUE_KINDS = frozenset({"plug", "switch", "cover", "climate", "media_player", "sensor"})
"""Kinds that say too little of what a thing is."""


def unique_tokens(tokens: Sequence[Token]) -> list[Token]:
    """Each kind and each word once."""
    return list({t.text if t.kind != "type" else canonical_sense(t): t for t in tokens}.values())


KEEPING_NEGATIONS = frozenset({"not", "keep", "never_mind"})
CHANGING_NEGATIONS = frozenset({"double", "why_not", "let_stay", "why_still"})
"""Negations that order a change all the same."""


def spoken_text(tokens: Sequence[Token]) -> str:
    """The words as they were said."""
    return " ".join(t.text for t in tokens)


def order_types(orders: Sequence[Instruction]) -> list[Token]:
    """The kinds of things that orders are for."""
    return [t for one in orders for m in one.mentions for t in of_kind(m, "type")]
