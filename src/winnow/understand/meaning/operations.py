"""Operations that make an order of its parts: what is left out, what it hangs on, and what is no order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from winnow.language.content_words import OPPOSITE_STATE
from winnow.language.lexicon import states
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.grammar.parser import Tree
from winnow.understand.meaning.drafts import (
    Draft,
    Part,
    Words,
    absorbed,
    ahead,
    beside,
    but_kinds,
    first_order,
    led,
    of_kinds,
    together,
    unlike,
)
from winnow.understand.meaning.mentions import but_positions, is_another_of_them
from winnow.understand.meaning.paraphrases import come_to_nothing, for_a_while, lifted, settled, turned
from winnow.understand.words.tokens import TARGET_KINDS, says

# Operations on what is named: members of a set, places that hold for several things.


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


def order(parts: Sequence[Part], tree: Tree) -> Part:
    """An act with all that is said of it."""
    whole = beside(parts)
    if whole.drafts:
        return absorbed(whole)
    words = settled(whole.words)
    doubts = (*whole.doubts, *come_to_nothing(whole.words, words))
    draft = Draft(
        words,
        tuple(_of_these(one, words) for one in whole.left),
        whole.back,
        where=whole.where,
        only=whole.only,
        doubts=doubts,
    )
    return Part(drafts=(draft,), conditions=whole.conditions, moods=whole.moods)


def _of_these(left: Words, words: Words) -> Words:
    """``all the lamps but the left one``, ``the left lamp and the right one``: one of those, or like it."""
    if not is_another_of_them(left):
        return left
    at = left[-1].end
    like = (replace(w, start=at, end=at) for w in but_positions(of_kinds(words, DEVICE_KINDS)))
    return (*but_kinds(left, {"reference"}), *like)


def reversed_(parts: Sequence[Part], tree: Tree) -> Part:
    """What a thing does is to be left off, what is too much to become less."""
    whole = beside(parts)
    return replace(whole, words=turned(whole.words))


def reversed_order(parts: Sequence[Part], tree: Tree) -> Part:
    """An order to leave off what a thing does: ``don't let it blow any longer``."""
    return order([reversed_(parts, tree)], tree)


def held(parts: Sequence[Part], tree: Tree) -> Part:
    """What is left off for now: ``先别放了``."""
    whole = beside(parts)
    return replace(whole, words=for_a_while(whole.words))


def lifted_order(parts: Sequence[Part], tree: Tree) -> Part:
    """An act that the word before it lifts: ``解除大门的锁定``."""
    whole = beside(parts)
    return order([replace(whole, words=lifted(whole.words))], tree)


def forbidden(parts: Sequence[Part], tree: Tree) -> Part:
    """An order not to act, whatever word forbids it."""
    whole = order(parts, tree)
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


def excepted(parts: Sequence[Part], tree: Tree) -> Part:
    """What is named is left out; which of them are so, nothing judges yet."""
    whole = beside(parts)
    doubts = tuple(" ".join(w.text for w in tree.words) for _ in whole.where[:1])
    return Part(left=(*whole.left, whole.words), back=whole.back, doubts=(*whole.doubts, *doubts))


def only(parts: Sequence[Part], tree: Tree) -> Part:
    """What is named is all that is spared."""
    return replace(excepted(parts, tree), only=True, words=tuple(w for w in tree.words if w.kind == "except"))


def readmit(parts: Sequence[Part], tree: Tree) -> Part:
    """``除了书房，但台灯也关``: what is named last is taken back in."""
    whole = beside(parts)
    return Part(left=whole.left, back=(*whole.back, whole.words))


def union(parts: Sequence[Part], tree: Tree) -> Part:
    """Things side by side: what stands between them joins them."""
    first, *others = parts
    parts = [first, *(replace(p, words=_of_these(p.words, first.words)) for p in others)]
    whole = beside(parts)
    joined = tuple(replace(w, kind="conj") if w.kind == "mark" else w for w in whole.words)
    if not any(w.kind == "conj" for p in parts for w in p.words) and len(parts) > 1 and parts[1].words:
        at = parts[1].words[0].start  # nothing stands between them
        joined = (*joined, Token("、", "conj", at, at))
    return replace(whole, words=joined)


def paused(parts: Sequence[Part], tree: Tree) -> Part:
    """``the lamp, er, the fan``: whether the second is meant as well, nobody knows.

    Said again it is the same: ``the shade, uh, the shade thing``.
    """
    first, *_, last = (p for p in parts if p.words)
    named = " ".join(w.text for w in first.words)
    if all(w.text in named or says(w) == "device" for w in of_kinds(last.words, TARGET_KINDS)):
        return first
    whole = union(parts, tree)
    return replace(whole, doubts=(*whole.doubts, " ".join(w.text for w in tree.words)))


def undo(parts: Sequence[Part], tree: Tree) -> Part:
    """``why is the owl still on (in the hall)``: the state that is complained of is to be undone."""
    said = beside(parts).words
    state = next((w for w in reversed(said) if _state_of(w) in states()), said[-1])
    words = [w for w in said if w is not state]
    _, told = states().get(_state_of(state), ("", says(state)))
    act = _MADE_SO.get(OPPOSITE_STATE.get(told, ""), "")
    verb = replace(state, kind="verb", data={"is": act})
    doubts = () if act else (state.text,)
    words = [w for w in words if w.kind not in {"part", "question", "negation", "except"}]
    return Part(drafts=(Draft((*words, verb), doubts=doubts),))


def _state_of(word: Token) -> str:
    """``still on``: the word for the state."""
    return word.text.split()[-1] if word.text else ""


def condition(parts: Sequence[Part], tree: Tree) -> Part:
    """What an order hangs on, without the words that only lead on from it."""
    words = [w for p in tree.parts if not _leads_on(p) for w in (p.words if isinstance(p, Tree) else (p,))]
    return Part(conditions=((words[0].start, words[-1].end),))


def _leads_on(part: Tree | Token) -> bool:
    return isinstance(part, Tree) and part.rule.left == "Then"


def which(parts: Sequence[Part], tree: Tree) -> Part:
    """``the lights that are on``: a condition on each of the things it stands with."""
    words = list(tree.words)
    return Part(where=((words[0].start, words[-1].end),))


def under(parts: Sequence[Part], tree: Tree) -> Part:
    """An order and what it hangs on."""
    whole = together(parts, tree)
    drafts = tuple(replace(d, conditions=(*whole.conditions, *d.conditions)) for d in whole.drafts)
    return Part(drafts=drafts, moods=whole.moods)


def otherwise(parts: Sequence[Part], tree: Tree) -> Part:
    """What is to be done where what the order before hangs on does not hold, and that order."""
    at = next(n for n, part in enumerate(parts) if part.drafts)
    first, branch = parts[at], beside(parts[at + 1 :])
    hangs_on = next((d.conditions for d in reversed(first.drafts) if d.conditions), ())
    doubts = () if hangs_on else (" ".join(w.text for w in tree.words),)
    drafts = (replace(d, otherwise=hangs_on, doubts=(*d.doubts, *doubts)) for d in branch.drafts)
    return Part(drafts=(*first.drafts, *drafts), moods=(*first.moods, *branch.moods))


def sequence(parts: Sequence[Part], tree: Tree) -> Part:
    """Clause after clause; what links them says nothing more."""
    whole = beside(parts)
    return Part(drafts=whole.drafts, conditions=whole.conditions, moods=whole.moods)


def aside(parts: Sequence[Part], tree: Tree) -> Part:
    """What is said beside an order says nothing of it."""
    return Part()


def mood(name: str) -> Callable[[Sequence[Part], Tree], Part]:
    """What is said is no order: it is told, asked, wished ..."""

    def says(parts: Sequence[Part], tree: Tree) -> Part:
        return Part(moods=(name,))

    return says


def withdrawn(parts: Sequence[Part], tree: Tree) -> Part:
    """All that was ordered is taken back by the last word."""
    return Part(drafts=(Draft(parts[-1].words),), moods=("withdrawn",))


_MADE_SO = {"on": "on_open", "off": "off_close", "locked": "lock", "unlocked": "unlock"}
"""State -> the act that makes a thing so."""


def made_so(parts: Sequence[Part], tree: Tree) -> Part:
    """``make sure the door is locked``: the state that is wished for, last, is the act."""
    whole = beside(parts)
    *words, state = (w for w in whole.words if w.kind != "part" and says(w) != "whether")
    _, told = states().get(state.text, ("", ""))
    verb = replace(state, kind="verb", data={"is": _MADE_SO.get(told, says(state))})
    return Part(drafts=(Draft((*words, verb), whole.left),))


def void(parts: Sequence[Part], tree: Tree) -> Part:
    """``not 20``: words that are heard and say nothing."""
    return Part(words=tuple(replace(w, kind="part") for w in tree.words))


def cut_off(parts: Sequence[Part], tree: Tree) -> Part:
    """``dim the lamp to``: how far was about to be said; what is only set asks for it, else it is void."""
    whole = together(parts, tree)
    end = parts[-1].words[-1].text
    drafts = (
        d if any(says(w) == "set" for w in d.words) else replace(d, doubts=(*d.doubts, end))
        for d in whole.drafts
    )
    return replace(whole, drafts=tuple(drafts))


def doubtful(parts: Sequence[Part], tree: Tree) -> Part:
    """``all but two of the lights``: nobody knows which."""
    return replace(parts[-1], doubts=(" ".join(w.text for w in tree.words),))
