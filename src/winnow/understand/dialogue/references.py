"""What earlier turns give to this one.

The antecedents of ``it``, ``there``, ``both`` and ``the other one``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from winnow.language.content_words import MOVING, little
from winnow.language.normalize import normalise
from winnow.language.registry import LANGUAGES, language_of, rows_for, words_table
from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Mention,
    Quantifier,
    QueryIR,
    Token,
    has_kind,
    of_kind,
    without_kind,
)
from winnow.types.utterance import Turn
from winnow.understand.meaning.instructions import generic_kind
from winnow.understand.meaning.mentions import kind_token, split_mentions
from winnow.understand.words.tokens import any_use, canonical_sense, has_use

# Sentences by which a person gives a device a name of their own, or takes one back

_QUOTES = "\"'“”"
_END = " .!。!"


@dataclass(frozen=True, slots=True)
class Taught:
    """A name and what it is said to mean; ``thing`` is empty where the name is to be forgotten."""

    word: str
    thing: str = ""
    firm: bool = True
    """Said for nothing else: where it cannot be done the person is told why."""


def taught_in(text: str) -> Iterator[Taught]:
    """What the sentence may teach, likeliest first: nothing, as a rule. A question teaches nothing."""
    said = normalise(text).strip(_END)
    language = language_of(said)
    for group, pattern in _patterns(language):
        if (match := pattern.fullmatch(said)) is None:
            continue
        found = match.groupdict()
        word = found["w"].strip(_QUOTES)
        if found["w"] == word:
            # Whether a word stands for something else in such a sentence: ``this is the lamp``
            others = _rows(language)["no_name"]
            if word in others or (not LANGUAGES[language].is_spaced and word.startswith(tuple(others))):
                continue
        yield Taught(word, found.get("t") or "", group == "firm")


def carriers(thing: str) -> Iterator[str]:
    """Orders by which a thing is looked for; none is carried out."""
    for carrier in _rows(language_of(thing))["carriers"]:
        yield carrier.replace("{t}", thing)


def _rows(language: str) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", rows_for(words_table("teaching.yaml"), language))


@lru_cache(maxsize=2)
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = _rows(language)
    word, thing = f"(?P<w>{rows['word']})", f"(?P<t>{rows['thing']})"
    return tuple(
        (group, re.compile(line.replace("{w}", word).replace("{t}", thing)))
        for group in ("firm", "forget", "loose")
        for line in rows[group]
    )


AMBIENT = frozenset({"temperature", "brightness", "volume"})
"""What is more or less where nothing is named."""
MAX_TURNS = 10
"""Turns of the history that are looked at (seed 002 §pit 3)."""
Tag = Callable[[str], list[Token]]


def retarget_query(query: QueryIR, named: Sequence[Token], *, answering: bool = False) -> QueryIR:
    """The query with its place or its thing replaced by what is named now.

    A name goes to another room as its kind only, unless ``answering`` our question about that very name.
    """
    places, things = of_kind(named, *PLACE_KINDS), without_kind(named, *PLACE_KINDS)
    kept_places = of_kind(query.target.tokens, *PLACE_KINDS)
    kept_things = without_kind(query.target.tokens, *PLACE_KINDS)
    kept = [*([] if places else kept_places), *([] if things else kept_things)]
    if places and not answering:
        kept = [_like(t) for t in kept]
    all_of_them = query.quantifier is Quantifier.ALL and not query.exclusions
    quantifier = Quantifier.ONE if all_of_them else query.quantifier
    return replace(query.about(*places, *kept, *things), quantifier=quantifier, references=())


def _like(token: Token) -> Token:
    """The word for the like of a thing, elsewhere: by its name, else by what it is."""
    kind = kind_token(token)
    return kind if kind.kind == "type" else generic_kind(token) or token


def bound(read: Sequence[QueryIR], history: Sequence[Turn], tag: Tag) -> tuple[QueryIR, ...]:
    """Queries without a thing of their own, with what earlier turns mentioned, the last first."""
    if not any(_open(q) for q in read):
        return tuple(read)
    spoken = antecedents(history, tag)
    if not spoken:
        read = [_impersonal(q) for q in read]
    # The acts of the last request
    said = next((t.content for t in reversed(history) if t.role == "user"), "")
    done = {canonical_sense(t) for t in of_kind(tag(said), "verb", "particle")}
    place = _place_spoken(history, tag)
    found: list[QueryIR] = []
    for query in read:
        # "The other one" is other than what the order right before it is for
        last = found[-1].target if found and of_kind(query.references, "other") else None
        near = [(last,), *spoken] if last is not None and last.tokens else spoken
        found.append(_bind(_without(query, spoken), near, place, done) if _open(query) else query)
    return tuple(found)


def _impersonal(query: QueryIR) -> QueryIR:
    """``make it warmer``, nothing having been spoken of: the air, the light, the sound of a place."""
    named = any(r.text not in little("impersonal") for r in query.references)
    if named or query.action != "step" or query.property not in AMBIENT:
        return query
    return replace(query, references=(), ambient=" ".join(r.text for r in query.references))


def _elliptic(query: QueryIR) -> bool:
    """``书房的也关``: of a place, what was spoken of."""
    tokens = query.target.tokens
    owned = _also(query) or any_use(query.tokens, "owned")
    return owned and bool(tokens) and not without_kind(tokens, *PLACE_KINDS)


def _open(query: QueryIR) -> bool:
    points = bool(query.references) or any(has_kind(m.tokens, "reference") for m in query.exclusions)
    return points or not query.target.tokens or _elliptic(query)


def _without(query: QueryIR, spoken: Sequence[Sequence[Mention]]) -> QueryIR:
    """``除了它都关掉``: what the exception points at, or a doubt when it points at nothing."""
    if not any(has_kind(m.tokens, "reference") for m in query.exclusions):
        return query
    named = tuple(m for m in query.exclusions if not has_kind(m.tokens, "reference"))
    pointed = tuple(m.text for m in query.exclusions if has_kind(m.tokens, "reference")) if not spoken else ()
    left_out = (*named, *(spoken[0] if spoken else ()))
    return replace(query.without(*left_out), unplaced=(*query.unplaced, *pointed))


def _bind(
    query: QueryIR, spoken: Sequence[Sequence[Mention]], place: Token | None, done: set[str]
) -> QueryIR:
    points, named = {r.kind for r in query.references}, {t.kind for t in query.target.tokens}
    owned = {"last"} if _elliptic(query) and query.action in done else set()
    if {*named, "last"} <= PLACE_KINDS | points | owned and named and spoken:
        # ``次卧那盏``: the like of what was spoken of, in the place named now
        things = [_like(t) for t in of_kind(spoken[0][-1].tokens, *DEVICE_KINDS)]
        return retarget_query(query, [*query.target.tokens, *things])
    if "there" in points and named.isdisjoint(PLACE_KINDS) and not query.conditions:
        return _bind_there(query, place)
    if not named.isdisjoint(DEVICE_KINDS | {"word"}):
        # ``那台空调``, ``the other lamp``: of that kind, what was spoken of or what was not
        if "other" in points and spoken:
            return replace(query.without(*query.exclusions, *spoken[0]), references=())
        if "last" in points and not without_kind(query.target.tokens, *{"type"} | PLACE_KINDS):
            return replace(query, antecedents=_latest_first(spoken))
        return query
    # Whether what was done is to be done to something else as well
    if "last" in points and query.action in done and _also(query):
        # ``close those as well``: what else of its sort is there, not those that were just switched
        if query.action in MOVING and spoken:
            return replace(query, other_than=spoken[0][-1])
        return _adrift(query, "last")
    return _bind_thing(query, points, spoken)


def _bind_there(query: QueryIR, place: Token | None) -> QueryIR:
    """``there`` is the place spoken of last; ``那边的也`` is another one, and nobody knows which."""
    if place is not None and not _also(query):
        return retarget_query(query, [place])
    # Of what is called by its own name it says nothing: ``knock the slow cooker off there``
    return query if has_kind(query.target.tokens, "name") else _adrift(query, "there")


def _also(query: QueryIR) -> bool:
    return any_use(query.tokens, "also")


def _adrift(query: QueryIR, kind: str) -> QueryIR:
    """A reference to something that was not spoken of."""
    return replace(query, unplaced=(*query.unplaced, *(r.text for r in of_kind(query.references, kind))))


def _bind_thing(query: QueryIR, points: set[str], spoken: Sequence[Sequence[Mention]]) -> QueryIR:
    """``it``, ``both``, ``the other one``; an exception alone points at nothing."""
    if query.exclusions:
        return query
    if "other" in points and spoken:
        return replace(query, other_than=spoken[0][-1], references=())
    both = _two_latest(spoken) if "both" in points else None
    several = next((tuple(turn) for turn in spoken if len(turn) > 1), both)
    if several and ("both" in points or query.quantifier is Quantifier.ALL):
        return replace(query, antecedents=several, quantifier=Quantifier.ALL)
    return replace(query, antecedents=_latest_first(spoken))


def _two_latest(spoken: Sequence[Sequence[Mention]]) -> tuple[Mention, ...] | None:
    """The last two things spoken of, a turn each; None where only one was."""
    last = _latest_first(spoken)
    return next(((last[0], m) for m in last if not _are_same(last[0], m)), None)


def _are_same(one: Mention, other: Mention) -> bool:
    """Whether two mentions may be of one thing: they share a name, or a word where neither is named."""
    names, others = ({ref for t in m.tokens for ref in t.refs} for m in (one, other))
    if names and others:
        return not names.isdisjoint(others)
    return not {t.text for t in one.tokens}.isdisjoint(t.text for t in other.tokens)


def _latest_first(spoken: Sequence[Sequence[Mention]]) -> tuple[Mention, ...]:
    return tuple(m for turn in spoken for m in reversed(turn))


def _place_spoken(history: Sequence[Turn], tag: Tag) -> Token | None:
    """The place spoken of last."""
    for turn in reversed(history[-MAX_TURNS:]):
        places = of_kind(tag(turn.content), "room")
        if places:
            return places[-1]
    return None


def antecedents(history: Sequence[Turn], tag: Tag) -> list[tuple[Mention, ...]]:
    """Mentions of each turn, the last turn first; of a question and its answer the one that says more."""
    out: list[tuple[Mention, ...]] = []
    for turn in reversed(history[-MAX_TURNS:]):
        if turn.role == "assistant" and any(words in turn.content.lower() for words in little("not_there")):
            continue
        found = tuple(Mention(tuple(m)) for m in _mention_groups(tag(turn.content)))
        if not found:
            continue
        if turn.role == "user" and out and len(found) > len(out[-1]):
            out.insert(len(out) - 1, found)
        else:
            out.append(found)
    return out


def _mention_groups(tokens: Sequence[Token]) -> list[list[Token]]:
    """The things a turn names, each with the place said before it."""
    runs: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in DEVICE_KINDS | PLACE_KINDS:
            runs[-1].append(token)
        elif runs[-1] and (token.kind == "conj" or has_use(token, "listing")):
            runs[-1].append(replace(token, kind="conj"))
        elif token.kind == "mark":
            runs.append([])
    found = [mention for run in runs for mention in filter(_has_thing, split_mentions(run))]
    return list(filter(_names_thing, found)) or found


def _names_thing(mention: Sequence[Token]) -> bool:
    """Whether something is called by its name or kind: beside it a mere word of a name points at nothing."""
    return has_kind(mention, *DEVICE_KINDS - {"nameword"})


def _has_thing(mention: Sequence[Token]) -> bool:
    return has_kind(mention, *DEVICE_KINDS)
