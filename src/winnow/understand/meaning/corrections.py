"""Operations that lean on the order before: corrections, the same once more, things and values in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from winnow.types.query import (
    DEVICE_KINDS,
    MOOD_CORRECTION,
    PLACE_KINDS,
    Token,
    has_kind,
    of_kind,
    without_kind,
)
from winnow.understand.grammar.parser import Tree
from winnow.understand.meaning.instructions import (
    VALUE_KINDS,
    ActDraft,
    TreeMeaning,
    Words,
    first_order,
    gather_parts,
)
from winnow.understand.meaning.mentions import (
    is_another_of_them,
    join_coordinated,
    mark_coordination,
    without_positions,
)
from winnow.understand.meaning.operations import join_clauses
from winnow.understand.words.tokens import TARGET_KINDS, canonical_sense

NAMING_KINDS = (
    DEVICE_KINDS | PLACE_KINDS | {"quantifier", "reference", "property", "except", "negation"}
) - {"scene"}
"""Kinds of words that begin what may still be told of things: no act."""


def correct_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """The last order before the correction gives way to what is said after it."""
    whole = gather_parts(parts)
    before, *after = (p for p in parts if p.drafts)
    if not after:
        return retarget_order(parts, tree)
    *kept, last = before.drafts
    drafts = tuple(_complete_correction(d, last) for p in after for d in p.drafts)
    return TreeMeaning(drafts=(*kept, *drafts), moods=whole.moods)


def _complete_correction(draft: ActDraft, before: ActDraft) -> ActDraft:
    """An order without a thing of its own is for that of the order it corrects."""
    gone = tuple(replace(w, kind="part") for w in of_kind(before.words, *VALUE_KINDS | {"part"}))
    conditions = draft.conditions or before.conditions
    draft = replace(draft, words=(*gone, *draft.words), conditions=conditions)
    kept = of_kind(before.words, *TARGET_KINDS)
    pointed = of_kind(draft.words, "reference")
    # ``no, just close them``: what was named before the correction.
    elsewhere = not kept or bool(set(map(canonical_sense, pointed)) - {"last"})
    if of_kind(draft.words, *TARGET_KINDS) or (pointed and elsewhere):
        return draft
    # The order for these things, in the place of the word that points at them
    words = tuple(replace(w, kind="part") if w.kind == "reference" else w for w in draft.words)
    return replace(draft, words=(*kept, *words), left=(*before.left, *draft.left))


def complete_from_remark(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``the heater is too hot, set it to 40``: an order without a thing, or a place, is for the remark's."""
    whole = join_clauses(parts, tree)
    remark = tree.parts[0]
    told = tuple(remark.words) if isinstance(remark, Tree) else ()
    things, places = of_kind(told, *DEVICE_KINDS), of_kind(told, *PLACE_KINDS)
    drafts = whole.drafts
    if things and things[-1].start - things[0].start == sum(len(w.text) for w in things[:-1]):
        drafts = tuple(_complete_correction(d, ActDraft(tuple(things))) for d in drafts)
    placed: list[ActDraft] = []
    for (
        d
    ) in drafts:  # "nobody is in the study, turn the lights off": those of that place, where no name is said
        own = of_kind(d.words, *PLACE_KINDS | {"name", "nameword"})
        pointed = of_kind(d.words, "reference") and not of_kind(d.words, "type")
        placed.append(d if own or pointed else replace(d, words=(*places, *d.words)))
    return replace(whole, drafts=tuple(placed))


def begin_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``the baby is asleep turn off the lamp``; of ``Dad has left the lamp on`` nothing is an order."""
    order = tree.parts[-1]
    first = next(iter(order.words)) if isinstance(order, Tree) else order
    return (
        complete_from_remark(parts, tree) if first.kind not in NAMING_KINDS else TreeMeaning(moods=("told",))
    )


def retarget_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """The last order, for what is named instead, to the value or with the act that is said instead."""
    at = first_order(parts)
    *kept, last = parts[at].drafts
    new = tuple(without_kind(gather_parts(parts[at + 1 :]).words, "mark", "correction", "negation"))
    # ``no, the right one``: one like what was named before, which stands elsewhere
    if is_another_of_them(new):
        new = (*without_positions(of_kind(last.words, *DEVICE_KINDS)), *without_kind(new, "reference"))
    gone = _replaced_kinds({w.kind for w in new})
    if has_kind(new, "number") and not has_kind(new, *_AMOUNT_KINDS, *_ACT_KINDS):
        gone -= _AMOUNT_KINDS  # ``up to 80, no, 90``: the number alone gives way
    words = tuple(w if w.kind not in gone else replace(w, kind="part") for w in last.words)
    doubts = (*last.doubts, *_uncertain_target(last.words, new))
    now = replace(last, words=(*words, *new), doubts=doubts)
    return TreeMeaning(drafts=(*kept, now), moods=gather_parts(parts).moods)


def _replaced_kinds(kinds: set[str]) -> frozenset[str]:
    """The kinds of words that give way to words of these: a thing takes its place along, an act its value."""
    roles = (_ACT_KINDS, VALUE_KINDS, DEVICE_KINDS, PLACE_KINDS)
    acts, values, things, places = (not kinds.isdisjoint(role) for role in roles)
    gone = (DEVICE_KINDS if things else frozenset()) | (PLACE_KINDS if places or things else frozenset())
    return gone | (VALUE_KINDS if values or acts else frozenset()) | (_ACT_KINDS if acts else frozenset())


def _uncertain_target(before: Words, new: Words) -> tuple[str, ...]:
    """``the owl and the fan, no, the lamp``: of several things nobody knows which is meant otherwise."""
    named, instead = of_kind(before, *DEVICE_KINDS), of_kind(new, *DEVICE_KINDS)
    joins = [w.start for w in of_kind(before, "conj")]
    several = any(one.start < at < named[-1].start for one in named for at in joins)
    return (instead[-1].text,) if several and instead and len(named) > len(instead) else ()


def exclude_named(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``名字里不带落地的灯``: those whose name holds the word are left out."""
    without, *rest = parts
    whole = gather_parts(rest)
    return replace(whole, left=(*whole.left, tuple(replace(w, kind="nameword") for w in without.words)))


APPEARANCE_KINDS = frozenset({"color", "white", "doubled"})
"""Kinds of words that say what a thing looks like, and nothing of what it is."""


def drop_appearance(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``白色的空调``: what it looks like is no value; nobody knows which of a home looks so."""
    whole = gather_parts(parts)
    words = (
        replace(w, kind="word", data={"looks": True}) if w.kind in APPEARANCE_KINDS else w
        for w in whole.words
    )
    return replace(whole, words=tuple(words))


_AMOUNT_KINDS = frozenset({"to", "by"})
_ACT_KINDS = frozenset({"verb", "light_verb", "particle", "step"})


_ROLE_KINDS = (
    _ACT_KINDS,
    frozenset({"property"}),
    VALUE_KINDS - {"step"},
    DEVICE_KINDS,
    PLACE_KINDS,
)
"""Words of a kind that give way together when one of them is said anew."""


def repeat_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``书房的也一样``, ``the lamp to 30 percent and the fan to 50``: what is not said anew is as before."""
    before, *after = (p for p in parts if p.drafts)
    if not after:
        more = retarget_order(parts, tree)
        return replace(gather_parts([before, more]), drafts=(*before.drafts, *more.drafts[-1:]))
    new = [d for p in after for d in p.drafts]
    drafts = [*before.drafts[:-1], _share_final_place(before.drafts[-1], new[0])]
    drafts.extend(_fill_from_before(d, drafts[-1]) for d in new)
    return TreeMeaning(drafts=tuple(drafts), conditions=before.conditions, moods=gather_parts(parts).moods)


def _share_final_place(draft: ActDraft, then: ActDraft) -> ActDraft:
    """``set the lamp to 80 and then to 10 in the study``: a place behind the last value is that of both."""
    places = of_kind(then.words, *PLACE_KINDS)
    if not places or of_kind(draft.words, *PLACE_KINDS) or of_kind(then.words, *DEVICE_KINDS):
        return draft
    behind = any(w.end <= places[0].start for w in of_kind(then.words, *VALUE_KINDS))
    return replace(draft, words=(*draft.words, *places)) if behind else draft


def replace_by_means(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``open the blinds by raising them by half``: how it is done is the order, for what was named before."""
    before, after = (p for p in parts if p.drafts)
    *kept, last = before.drafts
    drafts = (*kept, *(_fill_from_before(d, last) for d in after.drafts))
    return TreeMeaning(drafts=drafts, conditions=before.conditions, moods=gather_parts(parts).moods)


def _fill_from_before(draft: ActDraft, before: ActDraft) -> ActDraft:
    said = {w.kind for w in draft.words}
    gone = frozenset().union(*(role for role in _ROLE_KINDS if not role.isdisjoint(said)))
    gone |= PLACE_KINDS if not DEVICE_KINDS.isdisjoint(said) else frozenset()
    kept = tuple(without_kind(before.words, *gone))
    return replace(draft, words=(*kept, *draft.words), conditions=before.conditions)


def pair_values(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``the owl and the fan to 30 and 50 respectively``: to each its own, in order, if none lacks one."""
    things = next(p for p in parts if of_kind(p.words, *TARGET_KINDS))
    each = [p for p in parts if p is not things and of_kind(p.words, "conj")][-1]
    shared = gather_parts(p for p in parts if p not in (things, each)).words
    mentions = join_coordinated([mark_coordination(of_kind(things.words, *TARGET_KINDS | {"conj"}))])
    parted = groupby(each.words, lambda w: w.kind == "conj")
    named, said = mentions, [tuple(group) for joins, group in parted if not joins]
    if len(named) != len(said):
        return TreeMeaning((ActDraft((*things.words, *shared, *said[0]), doubts=(_words_text(each.words),)),))
    return TreeMeaning(
        tuple(ActDraft((*one, *shared, *value)) for one, value in zip(named, said, strict=True))
    )


def _words_text(words: Iterable[Token]) -> str:
    return " ".join(w.text for w in words)


def no_order_likewise(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``the reading lamp as well``: nothing by itself, for no act is said."""
    words = of_kind(gather_parts(parts).words, *TARGET_KINDS | {"conj", "quantifier"})
    return TreeMeaning(drafts=(ActDraft(tuple(words), doubts=(_words_text(tree.words),)),), moods=("again",))


def no_order_instead(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``no, the reading lamp``: the same, and what was done before was not meant."""
    return replace(no_order_likewise(parts, tree), moods=("again", MOOD_CORRECTION))
