"""One act of a sentence with its words sorted by their use, and the things it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

from winnow.language.content_words import STARTING, little
from winnow.language.lexicon import type_words
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind, of_kind, without_kind
from winnow.understand.grammar.parser import Tree
from winnow.understand.meaning.mentions import (
    exclusion_mentions,
    is_standalone,
    join_coordinated,
    kinds_of,
    mark_coordination,
)
from winnow.understand.meaning.slots import Slots, place_word
from winnow.understand.words.tokens import TARGET_KINDS, canonical_sense

# What parts of a tree mean: orders taking shape, each with its words; and places shared by several

Words = tuple[Token, ...]


Span = tuple[int, int]
"""Where in the text a condition stands."""


VALUE_KINDS = frozenset(
    {"number", "mode", "choice", "level", "white", "color", "extreme", "step", "to", "by"}
)
"""Kinds of words that say how far."""


@dataclass(frozen=True, slots=True)
class ActDraft:
    """One act, as words by their part in it."""

    words: Words
    left: tuple[Words, ...] = ()
    """What is left out."""
    back: tuple[Words, ...] = ()
    """What of it is meant after all."""
    conditions: tuple[Span, ...] = ()
    otherwise: tuple[Span, ...] = ()
    """Conditions of the order before: it is for when they do not hold."""
    where: tuple[Span, ...] = ()
    """What each of the things meant must be like."""
    only: bool = False
    """What is left out is all that is spared."""
    doubts: tuple[str, ...] = ()
    """What is unclear about it, in the person's words."""


@dataclass(frozen=True, slots=True)
class TreeMeaning:
    """What a part of a tree says: finished orders, and words that belong to an order around or beside it."""

    drafts: tuple[ActDraft, ...] = ()
    words: Words = ()
    left: tuple[Words, ...] = ()
    back: tuple[Words, ...] = ()
    conditions: tuple[Span, ...] = ()
    where: tuple[Span, ...] = ()
    only: bool = False
    doubts: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()
    """What else is said: ``told``, ``asked``, ``withdrawn`` ..."""


def join_parts(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """The parts side by side; what stands beside orders belongs to each of them."""
    if len(parts) == 1:
        return parts[0]
    whole = gather_parts(parts)
    return absorb_words(whole) if whole.drafts else whole


def gather_parts(parts: Iterable[TreeMeaning]) -> TreeMeaning:
    """The parts side by side, nothing done with them yet."""
    parts = list(parts)
    each: dict[str, Any] = {
        name: tuple(chain.from_iterable(getattr(p, name) for p in parts)) for name in _TUPLE_FIELDS
    }
    return TreeMeaning(**each, only=any(p.only for p in parts))


_TUPLE_FIELDS = ("drafts", "words", "left", "back", "conditions", "where", "doubts", "moods")
"""What a part holds several of."""


def first_order(parts: Sequence[TreeMeaning]) -> int:
    """The number of the first part that orders something."""
    return next(n for n, p in enumerate(parts) if p.drafts)


def absorb_words(part: TreeMeaning) -> TreeMeaning:
    """The part with what stands beside its orders taken into each of them."""
    drafts = tuple(
        replace(
            d,
            words=(*d.words, *part.words),
            left=(*d.left, *part.left),
            back=(*d.back, *part.back),
            where=(*d.where, *part.where),
            only=d.only or part.only,
            doubts=(*d.doubts, *part.doubts),
        )
        for d in part.drafts
    )
    return TreeMeaning(drafts=drafts, conditions=part.conditions, moods=part.moods)


Operation = Callable[[Sequence[TreeMeaning], Tree], TreeMeaning]


# Places that are said once for several things or acts.


def with_leading_place(words: Sequence[Token], places: Sequence[Token], *, first: bool) -> tuple[Token, ...]:
    """The words of an order, with the place its sentence began with; not where they have one of their own.

    ``first``: it is the order right behind the place.
    """
    if has_kind(words, *PLACE_KINDS) or (is_standalone(list(words)) and not first):
        return tuple(words)
    return (*moved_ahead(places), *words)


def moved_ahead(words: Sequence[Token]) -> tuple[Token, ...]:
    """Words as if they stood before the beginning of the text."""
    return tuple(replace(w, start=n - len(words), end=n - len(words)) for n, w in enumerate(words))


def share_final_place(mentions: Sequence[list[Token]]) -> None:
    """``the blinds and curtains in the den``: a place behind the last of several kinds is that of all."""
    last = mentions[-1] if mentions else []
    places = of_kind(last, *PLACE_KINDS)
    if not places or any(t.start > places[0].start for t in without_kind(last, *PLACE_KINDS)):
        return
    for mention in mentions[:-1]:
        if mention and all(t.kind == "type" and "named" not in t.data for t in mention):
            mention.extend(places)


def unlike_kind(kind: Token | None, listed: Sequence[Token], count: int) -> tuple[str, ...]:
    """What is listed of a set and is not of its kind; or all of it when it is not as many."""
    groups = 1 + sum(w.kind == "conj" for w in listed)
    if count and groups != count:
        return tuple(w.text for w in without_kind(listed, "conj"))
    if kind is None:
        return ()
    return tuple(w.text for w in of_kind(listed, "name", "type") if not kinds_of(w) & kinds_of(kind))


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
