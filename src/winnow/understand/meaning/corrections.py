"""Operations that lean on the order before: corrections, the same once more, things and values in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from winnow.types.query import CORRECTED, DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.grammar.parser import Tree
from winnow.understand.meaning.drafts import (
    VALUES,
    Draft,
    Part,
    Words,
    beside,
    but_kinds,
    first_order,
    of_kinds,
)
from winnow.understand.meaning.mentions import but_positions, coordinated, is_another_of_them, side_by_side
from winnow.understand.meaning.operations import sequence
from winnow.understand.words.tokens import TARGET_KINDS, says

NAMES = (DEVICE_KINDS | PLACE_KINDS | {"quantifier", "reference", "property", "except", "negation"}) - {
    "scene"
}
"""Kinds of words that begin what may still be told of things: no act."""


def corrected(parts: Sequence[Part], tree: Tree) -> Part:
    """The last order before the correction gives way to what is said after it."""
    whole = beside(parts)
    before, *after = (p for p in parts if p.drafts)
    if not after:
        return retargeted(parts, tree)
    *kept, last = before.drafts
    drafts = tuple(_completed(d, last) for p in after for d in p.drafts)
    return Part(drafts=(*kept, *drafts), moods=whole.moods)


def _completed(draft: Draft, before: Draft) -> Draft:
    """An order without a thing of its own is for that of the order it corrects."""
    gone = tuple(replace(w, kind="part") for w in before.words if w.kind in VALUES | {"part"})
    conditions = draft.conditions or before.conditions
    draft = replace(draft, words=(*gone, *draft.words), conditions=conditions)
    kept = of_kinds(before.words, TARGET_KINDS)
    pointed = of_kinds(draft.words, {"reference"})
    elsewhere = not kept or not all(map(_is_them, pointed))
    if of_kinds(draft.words, TARGET_KINDS) or (pointed and elsewhere):
        return draft
    # The order for these things, in the place of the word that points at them
    words = tuple(replace(w, kind="part") if w.kind == "reference" else w for w in draft.words)
    return replace(draft, words=(*kept, *words), left=(*before.left, *draft.left))


def about(parts: Sequence[Part], tree: Tree) -> Part:
    """``the heater is too hot, set it to 40``: an order without a thing, or a place, is for the remark's."""
    whole = sequence(parts, tree)
    remark = tree.parts[0]
    told = tuple(remark.words) if isinstance(remark, Tree) else ()
    things, places = of_kinds(told, DEVICE_KINDS), of_kinds(told, PLACE_KINDS)
    drafts = whole.drafts
    if things and things[-1].start - things[0].start == sum(len(w.text) for w in things[:-1]):
        drafts = tuple(_completed(d, Draft(things)) for d in drafts)
    return replace(whole, drafts=tuple(_there(d, places) for d in drafts))


def begun(parts: Sequence[Part], tree: Tree) -> Part:
    """``the baby is asleep turn off the lamp``; of ``Dad has left the lamp on`` nothing is an order."""
    order = tree.parts[-1]
    first = next(iter(order.words)) if isinstance(order, Tree) else order
    return about(parts, tree) if first.kind not in NAMES else Part(moods=("told",))


def _there(draft: Draft, places: Words) -> Draft:
    """``nobody is in the study, turn the lights off``: those of that place, where no name is said."""
    own = of_kinds(draft.words, PLACE_KINDS | {"name", "nameword"})
    pointed = of_kinds(draft.words, {"reference"}) and not of_kinds(draft.words, {"type"})
    return draft if own or pointed else replace(draft, words=(*places, *draft.words))


def _is_them(word: Token) -> bool:
    """``no, just close them``: what was named before the correction."""
    return says(word) == "last"


def retargeted(parts: Sequence[Part], tree: Tree) -> Part:
    """The last order, for what is named instead, to the value or with the act that is said instead."""
    at = first_order(parts)
    *kept, last = parts[at].drafts
    new = but_kinds(beside(parts[at + 1 :]).words, {"mark", "correction", "negation"})
    # ``no, the right one``: one like what was named before, which stands elsewhere
    if is_another_of_them(new):
        new = (*but_positions(of_kinds(last.words, DEVICE_KINDS)), *but_kinds(new, {"reference"}))
    gone = _given_way({w.kind for w in new})
    words = tuple(w if w.kind not in gone else replace(w, kind="part") for w in last.words)
    doubts = (*last.doubts, *_either(last.words, new))
    now = replace(last, words=(*words, *new), doubts=doubts)
    return Part(drafts=(*kept, now), moods=beside(parts).moods)


def _given_way(kinds: set[str]) -> frozenset[str]:
    """The kinds of words that give way to words of these: a thing takes its place along, an act its value."""
    roles = (_ACTS, VALUES, DEVICE_KINDS, PLACE_KINDS)
    acts, values, things, places = (not kinds.isdisjoint(role) for role in roles)
    gone = (DEVICE_KINDS if things else frozenset()) | (PLACE_KINDS if places or things else frozenset())
    return gone | (VALUES if values or acts else frozenset()) | (_ACTS if acts else frozenset())


def _either(before: Words, new: Words) -> tuple[str, ...]:
    """``the owl and the fan, no, the lamp``: of several things nobody knows which is meant otherwise."""
    named, instead = of_kinds(before, DEVICE_KINDS), of_kinds(new, DEVICE_KINDS)
    joins = [w.start for w in before if w.kind == "conj"]
    several = any(one.start < at < named[-1].start for one in named for at in joins)
    return (instead[-1].text,) if several and instead and len(named) > len(instead) else ()


def lacking(parts: Sequence[Part], tree: Tree) -> Part:
    """``名字里不带落地的灯``: those whose name holds the word are left out."""
    without, *rest = parts
    whole = beside(rest)
    return replace(whole, left=(*whole.left, tuple(replace(w, kind="nameword") for w in without.words)))


LOOKS = frozenset({"color", "white", "doubled"})
"""Kinds of words that say what a thing looks like, and nothing of what it is."""


def described(parts: Sequence[Part], tree: Tree) -> Part:
    """``白色的空调``: what it looks like is no value; nobody knows which of a home looks so."""
    whole = beside(parts)
    words = (replace(w, kind="word", data={"looks": True}) if w.kind in LOOKS else w for w in whole.words)
    return replace(whole, words=tuple(words))


_ACTS = frozenset({"verb", "light_verb", "particle", "step"})


_ROLES = (
    _ACTS,
    frozenset({"property"}),
    VALUES - {"step"},
    DEVICE_KINDS,
    PLACE_KINDS,
)
"""Words of a kind that give way together when one of them is said anew."""


def again(parts: Sequence[Part], tree: Tree) -> Part:
    """``书房的也一样``, ``the lamp to 30 percent and the fan to 50``: what is not said anew is as before."""
    before, *after = (p for p in parts if p.drafts)
    if not after:
        more = retargeted(parts, tree)
        return replace(beside([before, more]), drafts=(*before.drafts, *more.drafts[-1:]))
    new = [d for p in after for d in p.drafts]
    drafts = [*before.drafts[:-1], _where_both_are(before.drafts[-1], new[0])]
    drafts.extend(_as_before(d, drafts[-1]) for d in new)
    return Part(drafts=tuple(drafts), conditions=before.conditions, moods=beside(parts).moods)


def _where_both_are(draft: Draft, then: Draft) -> Draft:
    """``set the lamp to 80 and then to 10 in the study``: a place behind the last value is that of both."""
    places = of_kinds(then.words, PLACE_KINDS)
    if not places or of_kinds(draft.words, PLACE_KINDS) or of_kinds(then.words, DEVICE_KINDS):
        return draft
    behind = any(w.kind in VALUES and w.end <= places[0].start for w in then.words)
    return replace(draft, words=(*draft.words, *places)) if behind else draft


def by_means(parts: Sequence[Part], tree: Tree) -> Part:
    """``open the blinds by raising them by half``: how it is done is the order, for what was named before."""
    before, after = (p for p in parts if p.drafts)
    *kept, last = before.drafts
    drafts = (*kept, *(_as_before(d, last) for d in after.drafts))
    return Part(drafts=drafts, conditions=before.conditions, moods=beside(parts).moods)


def _as_before(draft: Draft, before: Draft) -> Draft:
    said = {w.kind for w in draft.words}
    gone = frozenset().union(*(role for role in _ROLES if not role.isdisjoint(said)))
    gone |= PLACE_KINDS if not DEVICE_KINDS.isdisjoint(said) else frozenset()
    kept = tuple(w for w in before.words if w.kind not in gone)
    return replace(draft, words=(*kept, *draft.words), conditions=before.conditions)


def paired(parts: Sequence[Part], tree: Tree) -> Part:
    """``the owl and the fan to 30 and 50 respectively``: to each its own, in order, if none lacks one."""
    things = next(p for p in parts if of_kinds(p.words, TARGET_KINDS))
    each = [p for p in parts if p is not things and of_kinds(p.words, {"conj"})][-1]
    shared = beside(p for p in parts if p not in (things, each)).words
    mentions = coordinated([side_by_side(of_kinds(things.words, TARGET_KINDS | {"conj"}))])
    named, said = mentions, _unjoined(each.words)
    if len(named) != len(said):
        return Part((Draft((*things.words, *shared, *said[0]), doubts=(_text(each.words),)),))
    return Part(tuple(Draft((*one, *shared, *value)) for one, value in zip(named, said, strict=True)))


def _unjoined(words: Words) -> list[Words]:
    """The words between those that join them."""
    return [tuple(group) for joins, group in groupby(words, lambda w: w.kind == "conj") if not joins]


def _text(words: Iterable[Token]) -> str:
    return " ".join(w.text for w in words)


def likewise(parts: Sequence[Part], tree: Tree) -> Part:
    """``the reading lamp as well``: nothing by itself, for no act is said."""
    words = of_kinds(beside(parts).words, TARGET_KINDS | {"conj", "quantifier"})
    return Part(drafts=(Draft(words, doubts=(_text(tree.words),)),), moods=("again",))


def instead(parts: Sequence[Part], tree: Tree) -> Part:
    """``no, the reading lamp``: the same, and what was done before was not meant."""
    return replace(likewise(parts, tree), moods=("again", CORRECTED))
