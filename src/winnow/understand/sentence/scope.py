"""A place said first is that of every act of its sentence.

``in the den, dim the lamp and close the curtains``.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import PLACE_KINDS, Token
from winnow.understand.sentence.instructions import Instruction
from winnow.understand.sentence.mentions import stands_alone
from winnow.understand.sentence.slots import says

_LEADING = frozenset(
    {"in", "in the", "at", "at the", "inside of", "within", "on the", "around", "for the", "in our", "in my"}
)
_SILENT = frozenset({"filler", "conj", "mark"})


def placed(made: list[Instruction], tokens: Sequence[Token]) -> list[Instruction]:
    """The instructions, each without a place of its own in the place its sentence began with."""
    ends = [t.end for t in tokens if t.kind == "mark" and says(t) == "strong"]
    lead: list[Token] = []
    for one in made:
        start = min((t.start for t in one.tokens), default=0)
        if lead and any(lead[0].start < end <= start for end in ends):
            lead = []
        lead = leading(one.tokens, tokens) or lead
        for mention in one.mentions if lead else ():
            if not any(t.kind in PLACE_KINDS for t in mention) and (
                not stands_alone(mention) or one is made[0]
            ):
                mention[:0] = lead
    for one in made:
        _share_last_place(one.mentions)
    return made


def _share_last_place(mentions: list[list[Token]]) -> None:
    """``the blinds and curtains in the den``.

    A place said after the last of several kinds is that of all of them.
    """
    last = mentions[-1] if mentions else []
    places = [t for t in last if t.kind in PLACE_KINDS]
    if not places or any(t.start > places[0].start for t in last if t.kind not in PLACE_KINDS):
        return
    for mention in mentions[:-1]:
        if mention and all(t.kind == "type" and "named" not in t.data for t in mention):
            mention.extend(places)


def leading(own: Sequence[Token], tokens: Sequence[Token]) -> list[Token]:
    """The places an instruction opens with, set apart by a preposition, a mark or the verb after them."""
    begun = [t for t in own if t.kind not in _SILENT]
    places: list[Token] = []
    for token in begun:
        if token.kind not in PLACE_KINDS:
            break
        places.append(token)
    if not places or len(places) == len(begun):
        return []
    first, follows = places[0], begun[len(places)]
    preposition = any(
        t.text in _LEADING
        for t in own
        if t.kind == "filler" and t.end <= first.start and t.end >= first.start - 2
    )
    cut = any(
        t.kind == "mark" and says(t) in {"strong", "weak"} and places[-1].end <= t.start < follows.start
        for t in tokens
    )
    acts = follows.kind in {"verb", "step", "light_verb"} and (preposition or first.kind == "zone")
    return places if cut or acts else []
