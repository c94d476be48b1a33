"""Operations on what is named: members of a set, places that hold for several things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.grammar.trees import Tree
from winnow.understand.sentence.drafts import Part, Words, absorbed, beside, but_kinds, first_order, of_kinds
from winnow.understand.sentence.scopes import ahead, led, unlike
from winnow.understand.words.kinds import says


def placed(parts: Sequence[Part], tree: Tree) -> Part:
    """What is said beside an order of where and which: it stands before what the order names."""
    whole, near = beside(parts), of_kinds(_outside(parts), _WHICH)
    gone = {"reference", "zone"} if of_kinds(near, DEVICE_KINDS) else frozenset[str]()
    drafts = tuple(replace(d, words=(*ahead(near), *but_kinds(d.words, gone))) for d in whole.drafts)
    return absorbed(replace(whole, words=(), drafts=drafts))


def _outside(parts: Sequence[Part]) -> Words:
    """The words of the parts that order nothing by themselves."""
    return beside(p for p in parts if not p.drafts).words


def included(parts: Sequence[Part], tree: Tree) -> Part:
    """``灯都关了，包括台灯``: what is named behind is meant as well."""
    at = first_order(parts)
    *kept, last = parts[at].drafts
    more = of_kinds(beside(parts[at + 1 :]).words, _WHICH - {"quantifier"})
    joint = replace(more[0], text="、", kind="conj", end=more[0].start) if more else None
    words = (*last.words, joint, *more) if joint else last.words
    return replace(parts[at], drafts=(*kept, replace(last, words=words)))


def narrow(parts: Sequence[Part], tree: Tree) -> Part:
    """``院子里的灯，前院后院都打开``: places behind a thing that has one are what is meant of it."""
    first, *rest = parts
    behind = beside(rest).words
    apart = ((replace(one, text="", kind="conj"), one) for one in of_kinds(behind, PLACE_KINDS))
    places = tuple(chain.from_iterable(apart))[1:]
    words = (*ahead(places), *but_kinds(first.words, PLACE_KINDS), *of_kinds(behind, {"quantifier"}))
    return replace(first, words=words)


def namely(parts: Sequence[Part], tree: Tree) -> Part:
    """``the fans: the study one and the bedroom one``: a set is what is listed; ``one`` is of its kind."""
    of, *rest = parts
    kind = next((w for w in of.words if w.kind == "type"), None)
    words = tuple(_of_kind(w, kind) for w in but_kinds(beside(rest).words, {"mark"}))
    both = any(says(w) == "both" for w in beside(parts).words)
    return replace(of, words=words, doubts=(*of.doubts, *unlike(kind, words, 2 if both else 0)))


def leading(parts: Sequence[Part], tree: Tree) -> Part:
    """``in the den, dim the lamp and close the curtains``: the place at the beginning is that of every act.

    It holds to the end of what a strong mark closes.
    """
    whole = beside(p for p in parts if p.drafts)
    places = of_kinds(_outside(parts), PLACE_KINDS)
    ends = [w.start for w in tree.words if w.kind == "mark" and says(w) == "strong"]
    drafts = tuple(
        d if ends and d.words[0].start >= ends[0] else replace(d, words=led(d.words, places, first=not n))
        for n, d in enumerate(whole.drafts)
    )
    return replace(whole, drafts=drafts)


def listed(parts: Sequence[Part], tree: Tree) -> Part:
    """``那三盏灯，主灯、吊灯和台灯，都关掉``: the members of a set, listed behind it."""
    first, *rest = parts
    kind = next((w for w in first.words if w.kind == "type"), None)
    said = (_of_kind(w, kind) for w in beside(rest).words)
    listed = of_kinds(said, _WHICH - {"quantifier"})
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


def members(parts: Sequence[Part], tree: Tree) -> Part:
    """``书房两盏灯都关掉，台灯和吊灯``: what is listed behind stands for the set, in its place."""
    at = first_order(parts)
    *kept, last = parts[at].drafts
    listed = of_kinds(beside(parts[at + 1 :]).words, _WHICH)
    doubts = (*last.doubts, *_uncounted(last.words, listed))
    now = replace(last, words=_instead(last.words, listed), doubts=doubts)
    return Part(drafts=(*kept, now), conditions=parts[at].conditions)


def _counts(word: Token) -> bool:
    unit = word.data.get("unit")
    return word.kind == "number" and (unit == "count" or (unit == "" and word.text.isalpha()))


_WHICH = DEVICE_KINDS | PLACE_KINDS | {"word", "quantifier", "conj"}
