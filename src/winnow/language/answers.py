"""What words mean as an answer to a closed question: yes, no, which of the options, or nothing clear.

Every word of an answer must be accounted for: by the things the question names, by the request it is about,
or by the few words answers are made of (``words/answers.yaml``). What asks, doubts or sets a condition is no
yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Literal, cast

from winnow.language import lexicon
from winnow.language.families import CLOSING, STARTING
from winnow.language.gazetteer import Entry, Gazetteer, Match, is_latin
from winnow.language.normalise import fold, is_han, normalise
from winnow.text.tables import table

LONGEST = 80
"""Characters of an answer that are read; a longer one is a new request."""
DOUBTS = ("limit", "unsure", "asks")
ORDINALS = ("1", "2", "3", "4", "5")
COUNTS = ("n1", "n2", "n3", "n4", "n5")
AROUND = ("filler", "pointing")
"""What may stand around a choice and says nothing."""
_CONFIRMING = (*DOUBTS, "no", "yes", "act", "all", "filler")
_CHOOSING = (*DOUBTS, "no", "denial", "all", "yes", *AROUND)
_FAMILY = {
    **dict.fromkeys(STARTING | {"run", "unlock", "heat"}, "on"),
    **dict.fromkeys(CLOSING, "off"),
    "disarm": "silence",
}
"""Acts that are the same as an answer: one opens what one was asked to unlock."""
_PIECE = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_SPAN = re.compile(r"[\u3400-\u9fff]+|[^\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class ClosedQuestion:
    """A question as an answer sees it, whoever asked it and however it was put."""

    kind: Literal["confirm", "choose"]
    request: str
    """What the question is about, as it was said: an answer may repeat it."""
    names: tuple[tuple[str, ...], ...] = ()
    """All that each option is called; for a confirmation, each thing that the question names."""
    acts: frozenset[str] = frozenset()
    """Canonical verbs of the request: an answer may say them in other words."""
    offered: int | None = None
    """How many of the things were offered: the others can be named but not counted. None: all of them."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """``some``: the options of these indices. Neither ``doubtful`` nor ``unclear`` answers the question.

    ``doubtful`` asks, doubts, makes it depend or counts what is not there, so that nothing may follow from
    it; ``unclear`` speaks of something else.
    """

    kind: Literal["yes", "no", "some", "doubtful", "unclear"]
    options: tuple[int, ...] = ()


YES, NO, DOUBTFUL, UNCLEAR = Meaning("yes"), Meaning("no"), Meaning("doubtful"), Meaning("unclear")


def meaning(text: str, question: ClosedQuestion) -> Meaning:
    """What ``text`` says to ``question``."""
    text = normalise(text, LONGEST + 1)
    if not text or len(text) > LONGEST:
        return UNCLEAR
    return _agreement(text, question) if question.kind == "confirm" else _choice(text, question)


def _agreement(text: str, question: ClosedQuestion) -> Meaning:
    """A yes needs a word that says yes or the act itself; a no wins, also over doubts."""
    said = _parsed(_without(text, question.names), _CONFIRMING)
    known = [question.request, *_flat(question.names)]
    strange = _orders_otherwise(said, question) or not _covers(said.rest, known)
    if "no" in said.kinds and not strange:
        return NO
    if said.kinds & set(DOUBTS):
        return DOUBTFUL
    if strange or ("all" not in said.kinds and _names_a_part(text, question)):
        return UNCLEAR
    return YES if "yes" in said.kinds or said.acts else UNCLEAR


def _orders_otherwise(said: _Parsed, question: ClosedQuestion) -> bool:
    """Whether an answer says an act that is not the one asked about: ``关上吧`` is no yes to opening."""
    return not said.acts <= {_family(act) for act in question.acts}


def _names_a_part(text: str, question: ClosedQuestion) -> bool:
    """Whether an answer names some of the things asked about and not the others."""
    rest = _parsed(text, _CONFIRMING).rest
    named = [own for own in question.names if _covers(rest, own)] if rest else []
    return 0 < len(named) < len(question.names)


def _choice(text: str, question: ClosedQuestion) -> Meaning:
    """Which options are meant; whatever takes one away chooses none."""
    unnamed = _without(text, question.names)
    said = _parsed(unnamed, _CHOOSING)
    if "no" in said.kinds and unnamed == text and _covers(said.rest, [question.request]):
        return NO
    if said.kinds & set(DOUBTS):
        return DOUBTFUL
    if said.kinds & {"no", "denial"}:
        return UNCLEAR
    chosen = _agreed(text, question) or _everything(text, question) or _several(text, question)
    if chosen:
        return Meaning("some", chosen)
    counts_amiss = not _parsed(text, (*ORDINALS, *COUNTS, "last", "all", "yes", *AROUND)).rest
    return DOUBTFUL if counts_amiss else UNCLEAR


def _agreed(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """The only option there is, when a yes is all that was said."""
    said = _parsed(text, ("yes", *AROUND))
    return (0,) if len(question.names) == 1 and said.kinds == {"yes"} and not said.rest else ()


def _everything(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """All options, when the answer says all, or as many as there are."""
    said = _parsed(text, ("all", *COUNTS, "yes", "act", *AROUND))
    counted = said.kinds & set(COUNTS)
    if not counted and "all" not in said.kinds:
        return ()
    if counted - {f"n{len(question.names)}"} or _orders_otherwise(said, question):
        return ()
    return tuple(range(len(question.names))) if _covers(said.rest, [question.request]) else ()


def _several(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """The one option meant, or those that the parts of the answer mean: ``the hall and the study``."""
    one = _picked(text, question)
    if one is not None:
        return (one,)
    parts = [p for p in _between(text, _words(text, ("and",))) if _parsed(p, ("yes", *AROUND)).rest]
    picked = dict.fromkeys(_picked(_uncounted(p), question) for p in parts)
    several = tuple(n for n in picked if n is not None)
    counted = _parsed(text, (*ORDINALS, *COUNTS)).kinds & set(COUNTS[1:])
    fits = len(several) > 1 and len(several) == len(picked) and counted <= {f"n{len(several)}"}
    return several if fits else ()


def _uncounted(part: str) -> str:
    """A part of an answer without the words that sum the parts up: ``both``, ``都``."""
    found = _words(part, (*ORDINALS, *COUNTS, "all"))
    return " ".join(_between(part, (m for m in found if m.entry.kind not in ORDINALS)))


def _picked(text: str, question: ClosedQuestion) -> int | None:
    """The option meant by its name or its place; None when there is none, or when they speak of two."""
    named, numbered = _named(text, question), _numbered(text, _offered(question))
    if named is not None and numbered is not None and named != numbered:
        return None
    return numbered if named is None else named


def _offered(question: ClosedQuestion) -> int:
    return len(question.names) if question.offered is None else question.offered


def _numbered(text: str, count: int) -> int | None:
    said = _parsed(text, (*ORDINALS, *COUNTS, "last", *AROUND))
    if said.rest or len(said.kinds) != 1 or said.kinds & set(COUNTS):
        return None
    (word,) = said.kinds
    place = count - 1 if word == "last" else int(word) - 1
    return place if place < count else None


def _named(text: str, question: ClosedQuestion) -> int | None:
    """The only option whose own words, with those of the request, make up the answer.

    An exact name before a name that the answer is but for fillers, and that before a part of one.
    """
    names, rest = question.names, _parsed(text, ("yes", *AROUND)).rest
    exact = [n for n, own in enumerate(names) if fold(text) in map(fold, own)]
    fits = [n for n, own in enumerate(names) if rest and _covers(rest, [*own, question.request])]
    bare = [n for n in fits if fold(rest) in map(_bare, names[n])]
    return next((found[0] for found in (exact, bare, fits) if len(found) == 1), None)


def _bare(name: str) -> str:
    return fold(_parsed(name, AROUND).rest)


# the words of an answer, and what is left of it without them


@dataclass(frozen=True, slots=True)
class _Parsed:
    kinds: frozenset[str]
    """Kinds of words that were found, those that say nothing aside."""
    acts: frozenset[str]
    """Families of the acts among them."""
    rest: str
    """What no word of these kinds explains."""


def _parsed(text: str, kinds: tuple[str, ...]) -> _Parsed:
    found = list(_words(text, kinds))
    acts = frozenset(_acts()[m.entry.surface] for m in found if m.entry.kind == "act")
    left = "".join(c if c.isalnum() or c in "'-" else " " for c in " ".join(_between(text, found)))
    return _Parsed(frozenset(m.entry.kind for m in found) - set(AROUND), acts, " ".join(left.split()))


def _words(text: str, kinds: tuple[str, ...]) -> Iterator[Match]:
    """The words of these kinds in order, the longest at each place."""
    at, words = 0, _gazetteer(kinds)
    while at < len(text):
        longest = max(words.matches(text, at), key=lambda m: m.end, default=None)
        if longest is not None:
            yield longest
        at = longest.end if longest else at + 1


def _between(text: str, found: Iterable[Match]) -> list[str]:
    """What stands before, between and after these words."""
    out, at = [], 0
    for match in found:
        out.append(text[at : match.start])
        at = match.end
    return [*out, text[at:]]


def _without(text: str, names: Iterable[Sequence[str]]) -> str:
    """The text with a gap for each whole name: no word inside one is a word of the answer."""
    for name in sorted({name for name in _flat(names) if len(name) > 1}, key=len, reverse=True):
        text = re.sub(_whole(name), " ", text)
    return text


def _whole(name: str) -> str:
    before = r"(?<![a-z0-9'])" if is_latin(name[0]) else ""
    after = r"(?![a-z0-9'])" if is_latin(name[-1]) else ""
    return before + re.escape(name) + after


def _flat(names: Iterable[Sequence[str]]) -> list[str]:
    return list(chain.from_iterable(names))


def _covers(rest: str, surfaces: Sequence[str]) -> bool:
    """Whether every piece of ``rest`` stands in one of the surfaces.

    Latin words whole (singular for plural), characters in stretches.
    """
    words = {word for surface in surfaces for word in _PIECE.findall(surface)}
    pieces = [piece for span in _SPAN.findall(rest) for piece in _PIECE.findall(span)]
    return all(
        _in_stretches(p, surfaces) if is_han(p[0]) else p in words or p.removesuffix("s") in words
        for p in pieces
    )


def _in_stretches(run: str, surfaces: Sequence[str]) -> bool:
    at = 0
    while at < len(run):
        longest = next((n for n in range(len(run), at, -1) if any(run[at:n] in s for s in surfaces)), at)
        if longest == at:
            return False
        at = longest
    return True


@cache
def _tables() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.language", "words/answers.yaml"))


@cache
def _acts() -> Mapping[str, str]:
    """Word of an act -> its family."""
    particles = {w: act for w, act in lexicon.surfaces("particle").items() if act in {"on", "off"}}
    return {word: _family(act) for word, act in {**particles, **lexicon.surfaces("verb")}.items()}


def _family(act: str) -> str:
    return _FAMILY.get(act, act)


@cache
def _gazetteer(kinds: tuple[str, ...]) -> Gazetteer:
    """The words of these kinds; one that stands in several is of the first."""
    tables: Mapping[str, Iterable[str]] = {**_tables(), "act": _acts()}
    kind_of = {word: kind for kind in reversed(kinds) for word in tables[kind]}
    return Gazetteer(Entry(word, kind) for word, kind in kind_of.items())
