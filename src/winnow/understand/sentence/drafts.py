"""A tree -> what it orders: for each act its words, what it leaves out, and the conditions it hangs on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from winnow.language.families import OPPOSITE_STATE
from winnow.language.lexicon import states
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.mentions import coordinated, side_by_side
from winnow.understand.sentence.scopes import led, unlike
from winnow.understand.sentence.trees import Tree
from winnow.understand.words.kinds import TARGET_KINDS, says

Words = tuple[Token, ...]
Span = tuple[int, int]
"""Where in the text a condition stands."""
VALUES = frozenset({"number", "mode", "choice", "white", "color", "extreme", "step", "to", "by"})
"""Kinds of words that say how far."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One act, as words by their part in it."""

    words: Words
    left: tuple[Words, ...] = ()
    """What is left out."""
    back: tuple[Words, ...] = ()
    """What of it is meant after all."""
    conditions: tuple[Span, ...] = ()
    where: tuple[Span, ...] = ()
    """What each of the things meant must be like."""
    only: bool = False
    """What is left out is all that is spared."""
    doubts: tuple[str, ...] = ()
    """What is unclear about it, in the person's words."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a part of a tree says: finished orders, and words that belong to an order around or beside it."""

    drafts: tuple[Draft, ...] = ()
    words: Words = ()
    left: tuple[Words, ...] = ()
    back: tuple[Words, ...] = ()
    conditions: tuple[Span, ...] = ()
    where: tuple[Span, ...] = ()
    only: bool = False
    doubts: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()
    """What else is said: ``told``, ``asked``, ``withdrawn`` ..."""


def said(tree: Tree | Token) -> Part:
    """What a tree says."""
    if isinstance(tree, Token):
        return Part(words=(tree,))
    parts = [said(part) for part in tree.parts]
    return _OPERATIONS[tree.rule.operation](parts, tree)


def _together(parts: Sequence[Part], tree: Tree) -> Part:
    """The parts side by side; what stands beside orders belongs to each of them."""
    if len(parts) == 1:
        return parts[0]
    whole = _beside(parts)
    return _absorbed(whole) if whole.drafts else whole


def _beside(parts: Iterable[Part]) -> Part:
    parts = list(parts)
    return Part(
        drafts=tuple(d for p in parts for d in p.drafts),
        words=tuple(w for p in parts for w in p.words),
        left=tuple(g for p in parts for g in p.left),
        back=tuple(g for p in parts for g in p.back),
        conditions=tuple(s for p in parts for s in p.conditions),
        where=tuple(s for p in parts for s in p.where),
        only=any(p.only for p in parts),
        doubts=tuple(d for p in parts for d in p.doubts),
        moods=tuple(m for p in parts for m in p.moods),
    )


def _absorbed(part: Part) -> Part:
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
    return Part(drafts=drafts, conditions=part.conditions, moods=part.moods)


def _order(parts: Sequence[Part], tree: Tree) -> Part:
    """An act with all that is said of it."""
    whole = _beside(parts)
    if whole.drafts:
        return _absorbed(whole)
    draft = Draft(
        whole.words, whole.left, whole.back, where=whole.where, only=whole.only, doubts=whole.doubts
    )
    return Part(drafts=(draft,), conditions=whole.conditions, moods=whole.moods)


def _forbidden(parts: Sequence[Part], tree: Tree) -> Part:
    """An order not to act, whatever word forbids it."""
    whole = _order(parts, tree)
    drafts = (replace(d, words=(*_denied(d.words), *_told_of(d)), where=()) for d in whole.drafts)
    return replace(whole, drafts=tuple(drafts))


def _told_of(draft: Draft) -> Words:
    """What is forbidden of those that are like this or that is judged by nothing yet."""
    return tuple(Token("…", "question", start, end, {"is": "state"}) for start, end in draft.where)


def _denied(words: Words) -> Words:
    """The words with one that forbids: a word of the grammar's own says nothing later."""
    if any(w.kind in {"negation", "except"} for w in words):
        return words
    at = min(w.start for w in words)
    return (Token("", "negation", at, at, {"is": "not"}), *words)


def _except(parts: Sequence[Part], tree: Tree) -> Part:
    """What is named is left out; which of them are so, nothing judges yet."""
    whole = _beside(parts)
    doubts = tuple(" ".join(w.text for w in tree.words) for _ in whole.where[:1])
    return Part(left=(*whole.left, whole.words), back=whole.back, doubts=(*whole.doubts, *doubts))


def _only(parts: Sequence[Part], tree: Tree) -> Part:
    return replace(_except(parts, tree), only=True, words=tuple(w for w in tree.words if w.kind == "except"))


def _readmit(parts: Sequence[Part], tree: Tree) -> Part:
    """``除了书房，但台灯也关``: what is named last is taken back in."""
    whole = _beside(parts)
    return Part(left=whole.left, back=(*whole.back, whole.words))


def _union(parts: Sequence[Part], tree: Tree) -> Part:
    """Things side by side: what stands between them joins them."""
    whole = _beside(parts)
    joined = tuple(replace(w, kind="conj") if w.kind == "mark" else w for w in whole.words)
    if not any(w.kind == "conj" for p in parts for w in p.words) and len(parts) > 1 and parts[1].words:
        at = parts[1].words[0].start  # nothing stands between them
        joined = (*joined, Token("、", "conj", at, at))
    return replace(whole, words=joined)


def _undo(parts: Sequence[Part], tree: Tree) -> Part:
    """``why is the owl still on``: the state that is complained of, last, is to be undone."""
    *words, state = _beside(parts).words
    _, told = states().get(state.text.split()[-1], ("", says(state)))
    act = _MADE_SO.get(OPPOSITE_STATE.get(told, ""), "")
    verb = replace(state, kind="verb", data={"is": act})
    doubts = () if act else (state.text,)
    words = [w for w in words if w.kind not in {"part", "question", "negation", "except"}]
    return Part(drafts=(Draft((*words, verb), doubts=doubts),))


def _condition(parts: Sequence[Part], tree: Tree) -> Part:
    """What an order hangs on, without the words that only lead on from it."""
    words = [w for p in tree.parts if not _leads_on(p) for w in (p.words if isinstance(p, Tree) else (p,))]
    return Part(conditions=((words[0].start, words[-1].end),))


def _leads_on(part: Tree | Token) -> bool:
    return isinstance(part, Tree) and part.rule.left == "Then"


def _which(parts: Sequence[Part], tree: Tree) -> Part:
    """``the lights that are on``: a condition on each of the things it stands with."""
    words = list(tree.words)
    return Part(where=((words[0].start, words[-1].end),))


def _under(parts: Sequence[Part], tree: Tree) -> Part:
    """An order and what it hangs on."""
    whole = _together(parts, tree)
    drafts = tuple(replace(d, conditions=(*whole.conditions, *d.conditions)) for d in whole.drafts)
    return Part(drafts=drafts, moods=whole.moods)


def _sequence(parts: Sequence[Part], tree: Tree) -> Part:
    """Clause after clause; what links them says nothing more."""
    whole = _beside(parts)
    return Part(drafts=whole.drafts, conditions=whole.conditions, moods=whole.moods)


def _aside(parts: Sequence[Part], tree: Tree) -> Part:
    return Part()


def _mood(name: str) -> Callable[[Sequence[Part], Tree], Part]:
    def says(parts: Sequence[Part], tree: Tree) -> Part:
        return Part(moods=(name,))

    return says


def _withdrawn(parts: Sequence[Part], tree: Tree) -> Part:
    """All that was ordered is taken back by the last word."""
    return Part(drafts=(Draft(parts[-1].words),), moods=("withdrawn",))


def _corrected(parts: Sequence[Part], tree: Tree) -> Part:
    """The last order before the correction gives way to what is said after it."""
    whole = _beside(parts)
    before, *after = (p for p in parts if p.drafts)
    if not after:
        return _retargeted(parts, tree)
    *kept, last = before.drafts
    drafts = tuple(_completed(d, last) for p in after for d in p.drafts)
    return Part(drafts=(*kept, *drafts), moods=whole.moods)


def _completed(draft: Draft, before: Draft) -> Draft:
    """An order without a thing of its own is for that of the order it corrects."""
    gone = tuple(replace(w, kind="part") for w in before.words if w.kind in VALUES | {"part"})
    draft = replace(draft, words=(*gone, *draft.words))
    if any(w.kind in TARGET_KINDS | {"reference"} for w in draft.words):
        return draft
    kept = tuple(w for w in before.words if w.kind in TARGET_KINDS)
    return replace(draft, words=(*kept, *draft.words), left=(*before.left, *draft.left))


def _retargeted(parts: Sequence[Part], tree: Tree) -> Part:
    """The last order, for what is named instead, to the value or with the act that is said instead."""
    at = next(n for n, p in enumerate(parts) if p.drafts)
    *kept, last = parts[at].drafts
    silent = {"mark", "correction", "negation"}
    new = tuple(w for p in parts[at + 1 :] for w in p.words if w.kind not in silent)
    kinds = {w.kind for w in new}
    roles = (_ACTS, VALUES, DEVICE_KINDS, PLACE_KINDS)
    acts, values, things, places = (not kinds.isdisjoint(role) for role in roles)
    gone = (DEVICE_KINDS if things else frozenset()) | (PLACE_KINDS if places or things else frozenset())
    gone |= (VALUES if values or acts else frozenset()) | (_ACTS if acts else frozenset())
    words = tuple(w if w.kind not in gone else replace(w, kind="part") for w in last.words)
    doubts = (*last.doubts, *_either(last.words, new))
    now = replace(last, words=(*words, *new), doubts=doubts)
    return Part(drafts=(*kept, now), moods=_beside(parts).moods)


def _either(before: Words, new: Words) -> tuple[str, ...]:
    """``the owl and the fan, no, the lamp``: of several things nobody knows which is meant otherwise."""
    named, instead = ([w for w in words if w.kind in DEVICE_KINDS] for words in (before, new))
    joins = [w.start for w in before if w.kind == "conj"]
    several = any(one.start < at < named[-1].start for one in named for at in joins)
    return (instead[-1].text,) if several and instead and len(named) > len(instead) else ()


def _placed(parts: Sequence[Part], tree: Tree) -> Part:
    """What is said beside an order of where and which: it stands before what the order names."""
    drafts = tuple(d for p in parts for d in p.drafts)
    beside = [w for p in parts if not p.drafts for w in p.words if w.kind in _WHICH]
    ahead = tuple(replace(w, start=n - len(beside), end=n - len(beside)) for n, w in enumerate(beside))
    whole = replace(_beside(parts), words=())
    named = any(w.kind in DEVICE_KINDS for w in ahead)
    placed = tuple(
        replace(d, words=(*ahead, *(w for w in d.words if not named or w.kind not in {"reference", "zone"})))
        for d in drafts
    )
    return _absorbed(replace(whole, drafts=placed))


def _included(parts: Sequence[Part], tree: Tree) -> Part:
    """``灯都关了，包括台灯``: what is named behind is meant as well."""
    at = next(n for n, p in enumerate(parts) if p.drafts)
    *kept, last = parts[at].drafts
    more = tuple(w for p in parts[at + 1 :] for w in p.words if w.kind in _WHICH - {"quantifier"})
    joint = replace(more[0], text="、", kind="conj", end=more[0].start) if more else None
    words = (*last.words, joint, *more) if joint else last.words
    return replace(parts[at], drafts=(*kept, replace(last, words=words)))


def _narrow(parts: Sequence[Part], tree: Tree) -> Part:
    """``院子里的灯，前院后院都打开``: places behind a thing that has one are what is meant of it."""
    first, *rest = parts
    named = [w for p in rest for w in p.words if w.kind in PLACE_KINDS]
    apart = ((replace(one, text="", kind="conj"), one) for one in named)
    places = tuple(w for pair in apart for w in pair)[1:]
    ahead = tuple(replace(w, start=n - len(places), end=n - len(places)) for n, w in enumerate(places))
    more = tuple(w for p in rest for w in p.words if w.kind == "quantifier")
    return replace(first, words=(*ahead, *(w for w in first.words if w.kind not in PLACE_KINDS), *more))


_MADE_SO = {"on": "on_open", "off": "off_close", "locked": "lock", "unlocked": "unlock"}
"""State -> the act that makes a thing so."""


def _made_so(parts: Sequence[Part], tree: Tree) -> Part:
    """``make sure the door is locked``: the state that is wished for, last, is the act."""
    whole = _beside(parts)
    *words, state = (w for w in whole.words if w.kind != "part" and says(w) != "whether")
    _, told = states().get(state.text, ("", ""))
    verb = replace(state, kind="verb", data={"is": _MADE_SO.get(told, says(state))})
    return Part(drafts=(Draft((*words, verb), whole.left),))


def _namely(parts: Sequence[Part], tree: Tree) -> Part:
    """``the fans: the study one and the bedroom one``: a set is what is listed; ``one`` is of its kind."""
    of, *rest = parts
    listed = [w for p in rest for w in p.words if w.kind != "mark"]
    kind = next((w for w in of.words if w.kind == "type"), None)
    words = tuple(
        replace(kind, start=w.start, end=w.end) if kind and w.kind == "reference" else w for w in listed
    )
    both = any(says(w) == "both" for p in parts for w in p.words)
    return replace(of, words=words, doubts=(*of.doubts, *unlike(kind, words, 2 if both else 0)))


def _leading(parts: Sequence[Part], tree: Tree) -> Part:
    """``in the den, dim the lamp and close the curtains``: the place at the beginning is that of every act.

    It holds to the end of what a strong mark closes.
    """
    whole = _beside(p for p in parts if p.drafts)
    places = tuple(w for p in parts if not p.drafts for w in p.words if w.kind in PLACE_KINDS)
    end = next((w.start for w in tree.words if w.kind == "mark" and says(w) == "strong"), None)
    drafts = tuple(
        replace(d, words=led(d.words, places, first=not n)) if end is None or d.words[0].start < end else d
        for n, d in enumerate(whole.drafts)
    )
    return replace(whole, drafts=drafts)


def _void(parts: Sequence[Part], tree: Tree) -> Part:
    """``not 20``: words that are heard and say nothing."""
    return Part(words=tuple(replace(w, kind="part") for w in tree.words))


def _doubtful(parts: Sequence[Part], tree: Tree) -> Part:
    """``all but two of the lights``: nobody knows which."""
    return replace(parts[-1], doubts=(" ".join(w.text for w in tree.words),))


def _listed(parts: Sequence[Part], tree: Tree) -> Part:
    """``那三盏灯，主灯、吊灯和台灯，都关掉``: the members of a set, listed behind it."""
    first, *rest = parts
    kind = next((w for w in first.words if w.kind == "type"), None)
    said = (_of_kind(w, kind) for p in rest for w in p.words)
    listed = tuple(w for w in said if w.kind in (_WHICH | {"conj"}) - {"quantifier"})
    return replace(first, words=_instead(first.words, listed), doubts=_uncounted(first.words, listed))


def _of_kind(word: Token, kind: Token | None) -> Token:
    """``the study one``: one of the kind that the set is of."""
    return replace(kind, start=word.start, end=word.end) if kind and word.kind == "reference" else word


def _instead(words: Words, listed: Words) -> Words:
    places = any(w.kind in PLACE_KINDS for w in listed)
    gone = DEVICE_KINDS | {"word", "reference"} | (PLACE_KINDS if places else frozenset())
    return (*(w for w in words if w.kind not in gone and not _counts(w)), *listed)


def _uncounted(words: Words, listed: Words) -> tuple[str, ...]:
    """Three of which two are named: nobody knows the third."""
    counts = [float(str(w.data.get("value", 0))) for w in words if _counts(w)]
    named = sum(w.kind in DEVICE_KINDS for w in listed)
    return tuple(w.text for w in words if _counts(w)) if counts and counts[0] != named else ()


def _lacking(parts: Sequence[Part], tree: Tree) -> Part:
    """``名字里不带落地的灯``: those whose name holds the word are left out."""
    without, *rest = parts
    whole = _beside(rest)
    return replace(whole, left=(*whole.left, tuple(replace(w, kind="nameword") for w in without.words)))


def _members(parts: Sequence[Part], tree: Tree) -> Part:
    """``书房两盏灯都关掉，台灯和吊灯``: what is listed behind stands for the set, in its place."""
    at = next(n for n, p in enumerate(parts) if p.drafts)
    *kept, last = parts[at].drafts
    listed = tuple(w for p in parts[at + 1 :] for w in p.words if w.kind in _WHICH)
    doubts = (*last.doubts, *_uncounted(last.words, listed))
    now = replace(last, words=_instead(last.words, listed), doubts=doubts)
    return Part(drafts=(*kept, now), conditions=parts[at].conditions)


def _counts(word: Token) -> bool:
    unit = word.data.get("unit")
    return word.kind == "number" and (unit == "count" or (unit == "" and word.text.isalpha()))


_WHICH = DEVICE_KINDS | PLACE_KINDS | {"word", "quantifier", "conj"}


_ACTS = frozenset({"verb", "light_verb", "particle", "step"})
_ROLES = (
    _ACTS,
    frozenset({"property"}),
    VALUES - {"step"},
    DEVICE_KINDS,
    PLACE_KINDS,
)
"""Words of a kind that give way together when one of them is said anew."""


def _again(parts: Sequence[Part], tree: Tree) -> Part:
    """``书房的也一样``, ``the lamp to 30 percent and the fan to 50``: what is not said anew is as before."""
    before, *after = (p for p in parts if p.drafts)
    if not after:
        more = _retargeted(parts, tree)
        return replace(_beside([before, more]), drafts=(*before.drafts, *more.drafts[-1:]))
    new = [d for p in after for d in p.drafts]
    drafts = [*before.drafts[:-1], _where_both_are(before.drafts[-1], new[0])]
    drafts.extend(_as_before(d, drafts[-1]) for d in new)
    return Part(drafts=tuple(drafts), conditions=before.conditions, moods=_beside(parts).moods)


def _where_both_are(draft: Draft, then: Draft) -> Draft:
    """``set the lamp to 80 and then to 10 in the study``: a place behind the last value is that of both."""
    placed = [d.words for d in (draft, then) if any(w.kind in PLACE_KINDS for w in d.words)]
    if placed != [then.words] or any(w.kind in DEVICE_KINDS for w in then.words):
        return draft
    places = tuple(w for w in then.words if w.kind in PLACE_KINDS)
    behind = any(w.kind in VALUES and w.end <= places[0].start for w in then.words)
    return replace(draft, words=(*draft.words, *places)) if behind else draft


def _by_means(parts: Sequence[Part], tree: Tree) -> Part:
    """``open the blinds by raising them by half``: how it is done is the order, for what was named before."""
    before, after = (p for p in parts if p.drafts)
    *kept, last = before.drafts
    drafts = (*kept, *(_as_before(d, last) for d in after.drafts))
    return Part(drafts=drafts, conditions=before.conditions, moods=_beside(parts).moods)


def _as_before(draft: Draft, before: Draft) -> Draft:
    said = {w.kind for w in draft.words}
    gone = frozenset().union(*(role for role in _ROLES if not role.isdisjoint(said)))
    gone |= PLACE_KINDS if not DEVICE_KINDS.isdisjoint(said) else frozenset()
    kept = tuple(w for w in before.words if w.kind not in gone)
    return replace(draft, words=(*kept, *draft.words), conditions=before.conditions)


def _paired(parts: Sequence[Part], tree: Tree) -> Part:
    """``the owl and the fan to 30 and 50 respectively``: to each its own, in order, if none lacks one."""
    things = next(p for p in parts if any(w.kind in TARGET_KINDS for w in p.words))
    each = next(p for p in reversed(parts) if p is not things and any(w.kind == "conj" for w in p.words))
    shared = tuple(w for p in parts if p not in (things, each) for w in p.words)
    named = coordinated([side_by_side([w for w in things.words if w.kind in TARGET_KINDS | {"conj"}])])
    said = [list(group) for joins, group in groupby(each.words, lambda w: w.kind == "conj") if not joins]
    if len(named) != len(said):
        words = (*things.words, *shared, *said[0])
        return Part(drafts=(Draft(words, doubts=(" ".join(w.text for w in each.words),)),))
    return Part(drafts=tuple(Draft((*one, *shared, *value)) for one, value in zip(named, said, strict=True)))


def _likewise(parts: Sequence[Part], tree: Tree) -> Part:
    """``the reading lamp as well``: nothing by itself, for no act is said."""
    words = tuple(w for p in parts for w in p.words if w.kind in TARGET_KINDS | {"conj", "quantifier"})
    doubts = (" ".join(w.text for w in tree.words),)
    return Part(drafts=(Draft(words, doubts=doubts),), moods=("again",))


Operation = Callable[[Sequence[Part], Tree], Part]
_OPERATIONS: dict[str, Operation] = {
    "merge": _together,
    "order": _order,
    "forbid": _forbidden,
    "except": _except,
    "only": _only,
    "readmit": _readmit,
    "union": _union,
    "undo": _undo,
    "made_so": _made_so,
    "namely": _namely,
    "leading": _leading,
    "doubtful": _doubtful,
    "void": _void,
    "condition": _condition,
    "which": _which,
    "under": _under,
    "seq": _sequence,
    "aside": _aside,
    "correct": _corrected,
    "retarget": _retargeted,
    "placed": _placed,
    "members": _members,
    "narrow": _narrow,
    "included": _included,
    "listed": _listed,
    "lacking": _lacking,
    "again": _again,
    "pair": _paired,
    "likewise": _likewise,
    "means": _by_means,
    "told": _mood("told"),
    "ask": _mood("asked"),
    "able": _mood("able"),
    "talk": _mood("chat"),
    "report": _mood("reported"),
    "elsewhere": _mood("elsewhere"),
    "retract": _mood("withdrawn"),
    "withdraw": _withdrawn,
    "wish": _mood("wish"),
}
OPERATIONS = frozenset(_OPERATIONS)
"""What a production may do with its parts."""
