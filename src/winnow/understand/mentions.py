"""Coordinated words apart: ``客厅和书房的灯``, ``the tv and the lamp in the den``."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import Token
from winnow.understand.slots import DEVICE_KINDS, PLACE_KINDS


def exclusions(tokens: Sequence[Token]) -> list[list[Token]]:
    """The mentions an exception names; words that only describe them are left aside."""
    out: list[list[Token]] = []
    for mention in mentions(tokens):
        known = [t for t in mention if t.kind != "word"]
        out.append(known or mention)
    return out


def mentions(target: Sequence[Token]) -> list[list[Token]]:
    """Coordinated targets apart: places before the first thing are shared by the things after it; joined places are one place."""
    groups: list[list[Token]] = [[]]
    for token in target:
        if token.kind == "conj":
            groups.append([])
        elif not any(t.text == token.text and t.kind == token.kind for t in groups[-1]):
            groups[-1].append(token)
    groups = [g for g in groups if g]
    things = [g for g in groups if any(t.kind in DEVICE_KINDS or t.kind == "word" for t in g)]
    if len(things) <= 1:
        merged = list(_united(groups))
        return [merged] if merged else []
    shared: list[Token] = []
    out: list[list[Token]] = []
    for group in groups:
        places = [t for t in group if t.kind in PLACE_KINDS]
        if group in things:
            out.append(group if places else [*shared, *group])
            shared = places or shared
        else:
            shared = [*shared, *places]
    return out


def _united(groups: list[list[Token]]) -> list[Token]:
    """Groups with one thing among them as one mention: places that ``和`` joins count as one place, in whichever of them."""
    rooms = [[t for t in g if t.kind in {"room", "floor"}] for g in groups]
    flat = [t for g in groups for t in g]
    if sum(1 for r in rooms if r) < 2:
        return flat
    joined = [t for r in rooms for t in r]
    refs = tuple(dict.fromkeys(i for t in joined for i in t.refs))
    one = Token(" ".join(t.text for t in joined), joined[0].kind, joined[0].start, joined[-1].end, {"joined": True}, refs)
    if len({t.kind for t in joined}) > 1 or any(not t.refs for t in joined):
        return flat
    return [one, *(t for t in flat if t not in joined)]
