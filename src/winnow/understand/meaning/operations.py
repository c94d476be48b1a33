"""Operations that make an order of its parts: what is left out, what it hangs on, and what is no order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from winnow.language.content_words import OPPOSITE_STATE
from winnow.language.lexicon import kind_words, states, surfaces, type_words
from winnow.language.normalize import is_han
from winnow.language.ways.templates import ANY, TURNED, ParaphraseTemplate, acts
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind, of_kind, without_kind
from winnow.understand.grammar.parser import Tree
from winnow.understand.meaning.instructions import (
    ActDraft,
    TreeMeaning,
    Words,
    absorb_words,
    first_order,
    gather_parts,
    join_parts,
    moved_ahead,
    unlike_kind,
    with_leading_place,
)
from winnow.understand.meaning.mentions import is_another_of_them, without_positions
from winnow.understand.words.tokens import TARGET_KINDS, canonical_sense

# Which act a paraphrase means, by the things it is said of

PARAPHRASE_KIND = "way"
NAMED_KINDS = DEVICE_KINDS | {"reference"}
"""Kinds of words that name a thing or point at one."""
_ENDING_ACTS = frozenset({"off", "off_close", "stop", "silence"})
"""Verbs that lift another act."""
SWITCH_ACTS = frozenset({"on", "off"})
"""All that what only switches can do."""


def settle_acts(words: Words) -> Words:
    """The words with those of a way put together to one: the act it is of these things.

    Where its words belong to different ways, or to none that is said of such things, they stay what nothing
    explains.
    """
    words = _words_beside(words)
    said = of_kind(words, PARAPHRASE_KIND)
    if not said:
        return words
    rest = tuple(without_kind(words, PARAPHRASE_KIND))
    chosen = _matching_templates(said, rest)
    # The gentler of two, where one way may mean both
    meanings = {way.meaning for way in chosen}
    known: Mapping[str, str] = acts()["gentler"]
    gentler = known.get(" ".join(sorted(meanings)))
    meanings = {gentler} if gentler else meanings
    if len(meanings) != 1:
        return (*rest, *map(_unsettle_word, said))
    section, _, meaning = meanings.pop().partition(".")
    first = said[0]
    act = replace(first, kind=section, data={"is": meaning, "way": chosen[0].text})
    return tuple(sorted((*rest, act, *_implied_kind(chosen, first, rest)), key=lambda w: w.start))


def _matching_templates(said: Sequence[Token], rest: Words) -> list[ParaphraseTemplate]:
    """The ways all these words belong to that are said of what is named beside them."""
    kinds, ways = _named_kinds(rest), _shared_templates(said)
    if not kinds:
        ways = [way for way in ways if not way.names]
    # Of ways to different ends, where nothing is named, those that need nothing named
    chosen = _closest_templates(ways, kinds)
    if len({way.meaning for way in chosen}) < 2 or of_kind(rest, *NAMED_KINDS):
        return chosen
    return [way for way in chosen if "t" not in way.shape]


def unsettled_texts(said: Words, settled_words: Words) -> tuple[str, ...]:
    """The words of ways that say nothing of these things: what they order is in doubt, never passed over."""
    starts = {w.start for w in of_kind(said, PARAPHRASE_KIND)}
    return tuple(w.text for w in of_kind(settled_words, "word") if w.start in starts)


def _words_beside(words: Words) -> Words:
    """The words, with those that come to something else beside such things: ``warmer`` of what heats."""
    known, written = acts()["beside"], acts()["written"]
    if not any(f"{w.kind}.{canonical_sense(w)}" in known or w.text in written for w in words):
        return words
    groups = acts()["kinds"]
    named = {group for group in groups if _named_kinds(words) & set(groups[group])}
    return tuple(
        _become_act(w, written.get(w.text) or known.get(f"{w.kind}.{canonical_sense(w)}", {}), named)
        for w in words
    )


def _become_act(word: Token, of: Mapping[str, str], named: Collection[str]) -> Token:
    meaning = next((of[group] for group in of if group in named), "")
    section, _, said = meaning.partition(".")
    return replace(word, kind=section, data={"is": said}) if meaning else word


def _unsettle_word(word: Token) -> Token:
    """What is no way of these things: a verb of the language, or what nothing explains."""
    if TURNED in word.data:
        return replace(word, kind="word", data={TURNED: True})
    meaning = surfaces("verb").get(word.text)
    return (
        replace(word, kind="verb", data={"is": meaning}) if meaning else replace(word, kind="word", data={})
    )


def reverse_acts(words: Words) -> Words:
    """The words with those of a way turned to the act against it: what is left off, what is too much."""
    return tuple(
        replace(w, data={"ways": _opposite_templates(w), TURNED: True}) if w.kind == PARAPHRASE_KIND else w
        for w in words
    )


def hold_acts(words: Words) -> Words:
    """The words with those of a way turned: what may go on later is only held."""
    held: Mapping[str, str] = acts()["awhile"]
    out = []
    for word in words:
        if word.kind == PARAPHRASE_KIND:
            rest = (way for way in _opposite_templates(word) if way.kind not in held)
            ways = (*rest, *(ParaphraseTemplate(act, kind, word.text) for kind, act in held.items()))
            out.append(replace(word, data={"ways": ways, TURNED: True}))
        else:
            out.append(word)
    return tuple(out)


def lift_acts(words: Words) -> Words:
    """The words with the act turned that a word before it lifts; one that nothing lifts says nothing."""
    said: Mapping[str, str] = acts()["lifted"]
    out: list[Token] = []
    for word in words:
        act = said.get(canonical_sense(word), "")
        if word.kind == PARAPHRASE_KIND:
            ways = tuple(replace(way, act=said[way.act]) for way in _templates_of(word) if way.act in said)
            out.append(replace(word, data={"ways": ways, TURNED: True}))
        elif word.kind != "verb":
            out.append(word)
        elif canonical_sense(word) not in _ENDING_ACTS:
            out.append(replace(word, data={"is": act}) if act else replace(word, kind="word", data={}))
    return tuple(out)


def _opposite_templates(word: Token) -> tuple[ParaphraseTemplate, ...]:
    """The ways of a word, each of the act that undoes its own; none where nothing does."""
    pairs = {a: b for pair in acts()["opposite"] for a, b in (pair, pair[::-1])}
    said: Iterable[ParaphraseTemplate] = word.data["ways"]  # type: ignore[assignment]
    return tuple(replace(way, act=pairs[way.act]) for way in said if way.act in pairs)


def _shared_templates(said: Sequence[Token]) -> list[ParaphraseTemplate]:
    """The ways all these words belong to."""
    found = _templates_of(said[0])
    for word in said[1:]:
        also = _templates_of(word)
        found = [way for way in found if way in also]
    return found


def _templates_of(word: Token) -> list[ParaphraseTemplate]:
    ways = word.data["ways"]
    return list(ways) if isinstance(ways, tuple) else []


def _named_kinds(words: Words) -> frozenset[str]:
    """The kinds of what is named; empty where nothing is."""
    kinds: set[str] = set()
    for word in of_kind(words, *DEVICE_KINDS):
        if word.kind == "type":
            kinds.update(type_words()[str(word.data["is"])].kinds)
        else:
            held = word.data.get("kinds", ())
            kinds.update(held if isinstance(held, tuple) else ())
    return frozenset(kinds)


def _closest_templates(said: Iterable[ParaphraseTemplate], kinds: frozenset[str]) -> list[ParaphraseTemplate]:
    """Those that are said of such things, the closest: of few kinds before many before any."""
    fitting = [w for w in said if _fits_kinds(w, kinds)]
    fewest = min((len(acts()["kinds"].get(way.kind) or type_words()) for way in fitting), default=0)
    unnamed = without_kind(fitting, ANY) if not kinds else []
    return unnamed or [w for w in fitting if len(acts()["kinds"].get(w.kind) or type_words()) == fewest]


def _fits_kinds(way: ParaphraseTemplate, kinds: frozenset[str]) -> bool:
    """Whether a way is said of things that are of some of these kinds; of none it may be said of any."""
    if way.kind == ANY and way.act in SWITCH_ACTS and kinds and kinds <= set(acts()["moved"]):
        return False
    if way.kind == ANY or not kinds or "*" in kinds or kinds & set(acts()["kinds"][way.kind]):
        return True
    return bool(kinds & set(acts()["switching"])) and way.act in SWITCH_ACTS


def _implied_kind(chosen: Sequence[ParaphraseTemplate], at: Token, words: Words) -> Words:
    """The kind that a way without a hole for the thing is said of."""
    kinds = {way.names or way.implied or acts()["implied"].get(way.kind) for way in chosen}
    kind = kinds.pop() if len(kinds) == 1 else None
    if not isinstance(kind, str) or kind not in type_words() or of_kind(words, *DEVICE_KINDS):
        return ()
    data = {"is": kind, "plural": kind == "light", "implied": True}
    word = kind_words("zh" if is_han(at.text[:1]) else "en").get(kind, kind)
    return (Token(word, "type", at.start, at.end, data),)


# Operations on what is named: members of a set, places that hold for several things.


def with_place(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What is said beside an order of where and which: it stands before what the order names."""
    whole, near = gather_parts(parts), of_kind(_words_outside_orders(parts), *_SELECTING_KINDS)
    gone = {"reference", "zone"} if of_kind(near, *DEVICE_KINDS) else frozenset[str]()
    # An order that names nothing is for what the one before it names, and so there.
    drafts = tuple(
        replace(d, words=(*moved_ahead(near), *without_kind(d.words, *gone)))
        if not n or has_kind(d.words, *TARGET_KINDS)
        else d
        for n, d in enumerate(whole.drafts)
    )
    return absorb_words(replace(whole, words=(), drafts=drafts))


def _words_outside_orders(parts: Sequence[TreeMeaning]) -> Words:
    """The words of the parts that order nothing by themselves."""
    return gather_parts(p for p in parts if not p.drafts).words


def include_listed(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``灯都关了，包括台灯``: what is named behind is meant as well."""
    at = first_order(parts)
    *kept, last = parts[at].drafts
    more = of_kind(gather_parts(parts[at + 1 :]).words, *_SELECTING_KINDS - {"quantifier"})
    joint = replace(more[0], text="、", kind="conj", end=more[0].start) if more else None
    words = (*last.words, joint, *more) if joint else last.words
    return replace(parts[at], drafts=(*kept, replace(last, words=words)))


def narrow_places(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``院子里的灯，前院后院都打开``: places behind a thing that has one are what is meant of it."""
    first, *rest = parts
    behind = gather_parts(rest).words
    apart = ((replace(one, text="", kind="conj"), one) for one in of_kind(behind, *PLACE_KINDS))
    places = tuple(chain.from_iterable(apart))[1:]
    words = (*moved_ahead(places), *without_kind(first.words, *PLACE_KINDS), *of_kind(behind, "quantifier"))
    return replace(first, words=words)


def list_members(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``the fans: the study one and the bedroom one``: a set is what is listed; ``one`` is of its kind."""
    of, *rest = parts
    kind = next(iter(of_kind(of.words, "type")), None)
    words = tuple(_kind_member(w, kind) for w in without_kind(gather_parts(rest).words, "mark"))
    both = any(canonical_sense(w) == "both" for w in gather_parts(parts).words)
    return replace(of, words=words, doubts=(*of.doubts, *unlike_kind(kind, words, 2 if both else 0)))


def share_leading_place(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``in the den, dim the lamp and close the curtains``: the place at the beginning is that of every act.

    It holds to the end of what a strong mark closes.
    """
    whole = gather_parts(p for p in parts if p.drafts)
    places = of_kind(_words_outside_orders(parts), *PLACE_KINDS)
    ends = [w.start for w in tree.words if w.means("mark", "strong")]
    drafts = tuple(
        d
        if ends and d.words[0].start >= ends[0]
        else replace(d, words=with_leading_place(d.words, places, first=not n))
        for n, d in enumerate(whole.drafts)
    )
    return replace(whole, drafts=drafts)


def replace_by_listed(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``那三盏灯，主灯、吊灯和台灯，都关掉``: the members of a set, listed behind it."""
    first, *rest = parts
    kind = next(iter(of_kind(first.words, "type")), None)
    said = (_kind_member(w, kind) for w in gather_parts(rest).words)
    listed = tuple(of_kind(said, *_SELECTING_KINDS - {"quantifier"}))
    return replace(
        first, words=_replace_words(first.words, listed), doubts=_uncounted_words(first.words, listed)
    )


def _kind_member(word: Token, kind: Token | None) -> Token:
    """``the study one``: one of the kind that the set is of."""
    return replace(kind, start=word.start, end=word.end) if kind and word.kind == "reference" else word


def _replace_words(words: Words, listed: Words) -> Words:
    places = has_kind(listed, *PLACE_KINDS)
    gone = DEVICE_KINDS | {"word", "reference"} | (PLACE_KINDS if places else frozenset())
    return (*(w for w in without_kind(words, *gone) if not _is_counting(w)), *listed)


def _uncounted_words(words: Words, listed: Words) -> tuple[str, ...]:
    """Three of which two are named: nobody knows the third."""
    counts = [float(str(w.data.get("value", 0))) for w in words if _is_counting(w)]
    named = sum(w.kind in DEVICE_KINDS for w in listed)
    return tuple(w.text for w in words if _is_counting(w)) if counts and counts[0] != named else ()


def replace_by_members(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``书房两盏灯都关掉，台灯和吊灯``: what is listed behind stands for the set, in its place."""
    at = first_order(parts)
    *kept, last = parts[at].drafts
    listed = tuple(of_kind(gather_parts(parts[at + 1 :]).words, *_SELECTING_KINDS))
    doubts = (*last.doubts, *_uncounted_words(last.words, listed), *_unlisted_names(last.words, listed))
    now = replace(last, words=_replace_words(last.words, listed), doubts=doubts)
    return TreeMeaning(drafts=(*kept, now), conditions=parts[at].conditions)


def _unlisted_names(words: Words, listed: Words) -> tuple[str, ...]:
    """What another thing stands behind that is none of it: meant as well, or instead, nobody knows."""
    refs, kinds = {ref for w in listed for ref in w.refs}, _named_kinds(listed)
    return tuple(
        w.text
        for w in of_kind(words, "name", "type")
        if (refs and w.refs and refs.isdisjoint(w.refs))
        or (kinds and (of := _named_kinds((w,))) and kinds.isdisjoint(of))
    )


def _is_counting(word: Token) -> bool:
    unit = word.data.get("unit")
    return word.kind == "number" and (unit == "count" or (unit == "" and word.text.isalpha()))


_SELECTING_KINDS = DEVICE_KINDS | PLACE_KINDS | {"word", "quantifier", "conj"}


def build_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """An act with all that is said of it."""
    whole = gather_parts(parts)
    if whole.drafts:
        return absorb_words(whole)
    words = settle_acts(whole.words)
    doubts = (*whole.doubts, *unsettled_texts(whole.words, words))
    draft = ActDraft(
        words,
        tuple(_like_these(one, words) for one in whole.left),
        whole.back,
        where=whole.where,
        only=whole.only,
        doubts=doubts,
    )
    return TreeMeaning(drafts=(draft,), conditions=whole.conditions, moods=whole.moods)


def _like_these(left: Words, words: Words) -> Words:
    """``all the lamps but the left one``, ``the left lamp and the right one``: one of those, or like it."""
    if not is_another_of_them(left):
        return left
    at = left[-1].end
    like = (replace(w, start=at, end=at) for w in without_positions(of_kind(words, *DEVICE_KINDS)))
    return (*without_kind(left, "reference"), *like)


def reverse_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What a thing does is to be left off, what is too much to become less."""
    whole = gather_parts(parts)
    return replace(whole, words=reverse_acts(whole.words))


def reverse_act(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """An order to leave off what a thing does: ``don't let it blow any longer``."""
    return build_order([reverse_order(parts, tree)], tree)


def hold_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What is left off for now: ``先别放了``."""
    whole = gather_parts(parts)
    return replace(whole, words=hold_acts(whole.words))


def lift_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """An act that the word before it lifts: ``解除大门的锁定``."""
    whole = gather_parts(parts)
    return build_order([replace(whole, words=lift_acts(whole.words))], tree)


def forbid_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """An order not to act, whatever word forbids it."""
    whole = build_order(parts, tree)
    drafts = []
    for draft in whole.drafts:
        words = draft.words
        # A word that forbids is put before them, for one of the grammar's own says nothing later.
        if not of_kind(words, "negation", "except"):
            at = min(w.start for w in words)
            words = (Token("", "negation", at, at, {"is": "not"}), *words)
        # What is forbidden of those that are like this or that is judged by nothing yet.
        likeness = (Token("…", "question", start, end, {"is": "state"}) for start, end in draft.where)
        drafts.append(replace(draft, words=(*words, *likeness), where=()))
    return replace(whole, drafts=tuple(drafts))


def except_named(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What is named is left out; which of them are so, nothing judges yet."""
    whole = gather_parts(parts)
    doubts = tuple(" ".join(w.text for w in tree.words) for _ in whole.where[:1])
    return TreeMeaning(left=(*whole.left, whole.words), back=whole.back, doubts=(*whole.doubts, *doubts))


def spare_only(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What is named is all that is spared."""
    return replace(except_named(parts, tree), only=True, words=tuple(of_kind(tree.words, "except")))


def readmit_named(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``除了书房，但台灯也关``: what is named last is taken back in."""
    whole = gather_parts(parts)
    return TreeMeaning(left=whole.left, back=(*whole.back, whole.words))


def join_things(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """Things side by side: what stands between them joins them."""
    first, *others = parts
    parts = [first, *(replace(p, words=_like_these(p.words, first.words)) for p in others)]
    whole = gather_parts(parts)
    # ``客厅的射灯，左边那盏``: behind a mark, that of one side is one of what was named
    aside = has_kind(whole.words, "mark") and has_kind(parts[-1].words, "reference")
    if aside and any(w.data.get("part") for w in parts[-1].words):
        return replace(whole, words=(*without_kind(first.words, "number", "mark"), *parts[-1].words))
    joined = tuple(replace(w, kind="conj") if w.kind == "mark" else w for w in whole.words)
    if not any(w.kind == "conj" for p in parts for w in p.words) and len(parts) > 1 and parts[1].words:
        at = parts[1].words[0].start  # nothing stands between them
        joined = (*joined, Token("、", "conj", at, at))
    return replace(whole, words=joined)


def join_uncertain(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``the lamp, er, the fan``: whether the second is meant as well, nobody knows.

    Said again it is the same: ``the shade, uh, the shade thing``.
    """
    first, *_, last = (p for p in parts if p.words)
    named = " ".join(w.text for w in first.words)
    if all(w.text in named or canonical_sense(w) == "device" for w in of_kind(last.words, *TARGET_KINDS)):
        return first
    whole = join_things(parts, tree)
    return replace(whole, doubts=(*whole.doubts, " ".join(w.text for w in tree.words)))


def undo_state(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``why is the owl still on (in the hall)``: the state that is complained of is to be undone."""
    said = gather_parts(parts).words
    state = next((w for w in reversed(said) if _state_word(w) in states()), said[-1])
    words = [w for w in said if w is not state]
    _, told = states().get(_state_word(state), ("", canonical_sense(state)))
    act = _WISHED_ACTS.get(OPPOSITE_STATE.get(told, ""), "")
    verb = replace(state, kind="verb", data={"is": act})
    doubts = () if act else (state.text,)
    words = without_kind(words, "part", "question", "negation", "except")
    return TreeMeaning(drafts=(ActDraft((*words, verb), doubts=doubts),))


def _state_word(word: Token) -> str:
    """``still on``: the word for the state."""
    return word.text.split()[-1] if word.text else ""


def order_condition(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What an order hangs on, without the words that only lead on from it."""
    words: list[Token] = []
    for part in tree.parts:
        if isinstance(part, Token):
            words.append(part)
        elif part.rule.left != "Then":
            words.extend(part.words)
    return TreeMeaning(conditions=((words[0].start, words[-1].end),))


def filter_things(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``the lights that are on``: a condition on each of the things it stands with."""
    words = list(tree.words)
    return TreeMeaning(where=((words[0].start, words[-1].end),))


def order_under_condition(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """An order and what it hangs on."""
    whole = join_parts(parts, tree)
    drafts = tuple(replace(d, conditions=(*whole.conditions, *d.conditions)) for d in whole.drafts)
    return TreeMeaning(drafts=drafts, moods=whole.moods)


def alternative_order(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What is to be done where what the order before hangs on does not hold, and that order."""
    at = next(n for n, part in enumerate(parts) if part.drafts)
    first, branch = parts[at], gather_parts(parts[at + 1 :])
    hangs_on = next((d.conditions for d in reversed(first.drafts) if d.conditions), ())
    doubts = () if hangs_on else (" ".join(w.text for w in tree.words),)
    drafts = (replace(d, otherwise=hangs_on, doubts=(*d.doubts, *doubts)) for d in branch.drafts)
    return TreeMeaning(drafts=(*first.drafts, *drafts), moods=(*first.moods, *branch.moods))


def join_clauses(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """Clause after clause; what links them says nothing more."""
    whole = gather_parts(parts)
    return TreeMeaning(drafts=whole.drafts, conditions=whole.conditions, moods=whole.moods)


def drop_aside(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """What is said beside an order says nothing of it."""
    return TreeMeaning()


def no_order(name: str) -> Callable[[Sequence[TreeMeaning], Tree], TreeMeaning]:
    """What is said is no order: it is told, asked, wished ..."""

    def says(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
        return TreeMeaning(moods=(name,))

    return says


def withdraw_orders(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """All that was ordered is taken back by the last word."""
    return TreeMeaning(drafts=(ActDraft(parts[-1].words),), moods=("withdrawn",))


_WISHED_ACTS = {"on": "on_open", "off": "off_close", "locked": "lock", "unlocked": "unlock"}
"""State -> the act that makes a thing so."""


def wished_state(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``make sure the door is locked``: the state that is wished for, last, is the act."""
    whole = gather_parts(parts)
    *words, state = (w for w in without_kind(whole.words, "part") if canonical_sense(w) != "whether")
    _, told = states().get(state.text, ("", ""))
    verb = replace(state, kind="verb", data={"is": _WISHED_ACTS.get(told, canonical_sense(state))})
    return TreeMeaning(drafts=(ActDraft((*words, verb), whole.left),))


def switch_part(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``风扇摇头``, ``别摇头了``: what a part does by itself is begun, or left off where that is denied."""
    said = gather_parts(parts).words
    words = without_kind(said, "part", "negation")
    end = words[-1].end
    act = "off" if has_kind(said, "negation") else "on"
    return TreeMeaning(drafts=(ActDraft((*words, Token("", "verb", end, end, {"is": act}))),))


def press_named(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``团子开饭``: a button whose name tells what it does is pressed."""
    (named,) = (w for w in gather_parts(parts).words if canonical_sense(w) == "press")
    verb = Token("", "verb", named.end, named.end, {"is": "press"})
    return TreeMeaning(drafts=(ActDraft((named, verb)),))


def drop_words(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``not 20``: words that are heard and say nothing."""
    return TreeMeaning(words=tuple(replace(w, kind="part") for w in tree.words))


def drop_cut_off(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``dim the lamp to``: how far was about to be said; what is only set asks for it, else it is void."""
    whole = join_parts(parts, tree)
    end = parts[-1].words[-1].text
    drafts = (
        d if any(canonical_sense(w) == "set" for w in d.words) else replace(d, doubts=(*d.doubts, end))
        for d in whole.drafts
    )
    return replace(whole, drafts=tuple(drafts))


def doubtful_words(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """``all but two of the lights``: nobody knows which."""
    return replace(parts[-1], doubts=(" ".join(w.text for w in tree.words),))
