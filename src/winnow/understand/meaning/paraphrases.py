"""Which act a paraphrase means, by the things it is said of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from winnow.language.lexicon import kind_words, surfaces, type_words
from winnow.language.normalize import is_han
from winnow.language.ways.templates import ANY, TURNED, ParaphraseTemplate, acts
from winnow.types.query import DEVICE_KINDS, Token, of_kind, without_kind
from winnow.understand.meaning.drafts import Words
from winnow.understand.words.tokens import canonical_sense

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
    return tuple(
        _lift_word(word) for word in words if word.kind != "verb" or canonical_sense(word) not in _ENDING_ACTS
    )


def _lift_word(word: Token) -> Token:
    said: Mapping[str, str] = acts()["lifted"]
    if word.kind == PARAPHRASE_KIND:
        ways = tuple(replace(way, act=said[way.act]) for way in _templates_of(word) if way.act in said)
        return replace(word, data={"ways": ways, TURNED: True})
    if word.kind != "verb":
        return word
    act = said.get(canonical_sense(word), "")
    return replace(word, data={"is": act}) if act else replace(word, kind="word", data={})


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
    fewest = min(map(_template_breadth, fitting), default=0)
    unnamed = without_kind(fitting, ANY) if not kinds else []
    return unnamed or [w for w in fitting if _template_breadth(w) == fewest]


def _fits_kinds(way: ParaphraseTemplate, kinds: frozenset[str]) -> bool:
    """Whether a way is said of things that are of some of these kinds; of none it may be said of any."""
    if way.kind == ANY and way.act in SWITCH_ACTS and kinds and kinds <= set(acts()["moved"]):
        return False
    if way.kind == ANY or not kinds or "*" in kinds or kinds & set(acts()["kinds"][way.kind]):
        return True
    return bool(kinds & set(acts()["switching"])) and way.act in SWITCH_ACTS


def _template_breadth(way: ParaphraseTemplate) -> int:
    """Of how many kinds a way is said; of any is more than of all."""
    return len(acts()["kinds"].get(way.kind) or type_words())


def _implied_kind(chosen: Sequence[ParaphraseTemplate], at: Token, words: Words) -> Words:
    """The kind that a way without a hole for the thing is said of."""
    kinds = {way.names or way.implied or acts()["implied"].get(way.kind) for way in chosen}
    kind = kinds.pop() if len(kinds) == 1 else None
    if not isinstance(kind, str) or kind not in type_words() or of_kind(words, *DEVICE_KINDS):
        return ()
    data = {"is": kind, "plural": kind == "light", "implied": True}
    word = kind_words("zh" if is_han(at.text[:1]) else "en").get(kind, kind)
    return (Token(word, "type", at.start, at.end, data),)
