"""What words mean as an answer to a closed question: yes, no, which of the options, or nothing clear.

Every word of an answer must be accounted for: by the things the question names, by the request it is about,
or by the few words answers are made of (``words/answers.yaml``). What asks, doubts or sets a condition is no
yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import Literal

from winnow.language import lexicon
from winnow.language.content_words import CLOSING, STARTING
from winnow.language.gazetteer import Gazetteer, GazetteerEntry, GazetteerMatch, is_latin
from winnow.language.normalize import fold, is_han, normalise
from winnow.language.registry import words_table

# An answer is parsed by kinds of words (``words/answers.yaml``); what is left must be names or the request.


Names = tuple[tuple[str, ...], ...]
"""All that each of several things is called."""
AROUND = ("courtesy", "filler", "pointing")
"""What may stand around a choice and says nothing."""
_FAMILY = {
    **dict.fromkeys(STARTING | {"run", "unlock", "heat"}, "on"),
    **dict.fromkeys(CLOSING, "off"),
    "disarm": "silence",
}
"""Acts that are the same as an answer: one opens what one was asked to unlock."""
_PIECE = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_SPAN = re.compile(r"[\u3400-\u9fff]+|[^\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """What an answer says in the words of some kinds."""

    kinds: frozenset[str]
    """Kinds of words that were found, those that say nothing aside."""
    acts: frozenset[str]
    """Families of the acts among them."""
    rest: str
    """What no word of these kinds explains."""


def parse_answer(text: str, kinds: tuple[str, ...], names: Names = ()) -> ParsedAnswer:
    """What the words of these kinds say; a word inside one of the ``names`` is none."""
    found = [m for m in words_in(text, kinds, names) if m.entry.kind in kinds]
    acts = frozenset(_acts()[m.entry.surface] for m in found if m.entry.kind == "act")
    left = "".join(c if c.isalnum() or c in "'-" else " " for c in " ".join(between(text, found)))
    return ParsedAnswer(frozenset(m.entry.kind for m in found) - set(AROUND), acts, " ".join(left.split()))


def words_in(text: str, kinds: tuple[str, ...], names: Names = ()) -> Iterator[GazetteerMatch]:
    """The words of these kinds in order, and the ``names``, the longest at each place."""
    at, books = 0, (_gazetteer(kinds), *((_long_names(names),) if names else ()))
    while at < len(text):
        found = (match for book in books for match in book.matches(text, at))
        longest = max(found, key=lambda m: m.end, default=None)
        if longest is not None:
            yield longest
        at = longest.end if longest else at + 1


def between(text: str, found: Iterable[GazetteerMatch]) -> list[str]:
    """What stands before, between and after these words."""
    out, at = [], 0
    for match in found:
        out.append(text[at : match.start])
        at = match.end
    return [*out, text[at:]]


def without(text: str, names: Iterable[Sequence[str]]) -> str:
    """The text with a gap for each whole name: no word inside one is a word of the answer."""
    for name in sorted({name for name in flat(names) if len(name) > 1}, key=len, reverse=True):
        before = r"(?<![a-z0-9'])" if is_latin(name[0]) else ""
        after = r"(?![a-z0-9'])" if is_latin(name[-1]) else ""
        text = re.sub(before + re.escape(name) + after, " ", text)
    return text


def flat(names: Iterable[Sequence[str]]) -> list[str]:
    """All names in one list."""
    return list(chain.from_iterable(names))


def covers(rest: str, surfaces: Sequence[str]) -> bool:
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
def _acts() -> Mapping[str, str]:
    """Word of an act -> its family."""
    particles = {w: act for w, act in lexicon.surfaces("particle").items() if act in {"on", "off"}}
    return {word: family(act) for word, act in {**particles, **lexicon.surfaces("verb")}.items()}


def family(act: str) -> str:
    """What an act is as an answer."""
    return _FAMILY.get(act, act)


@lru_cache(maxsize=64)
def _long_names(names: Names) -> Gazetteer:
    """The names of two characters and more: a shorter one is no more than a part of a word."""
    return Gazetteer(GazetteerEntry(name, "name") for name in sorted(set(flat(names))) if len(name) > 1)


@cache
def _gazetteer(kinds: tuple[str, ...]) -> Gazetteer:
    """The words of these kinds; one that stands in several is of the first."""
    tables: Mapping[str, Iterable[str]] = {**words_table("answers.yaml"), "act": _acts()}
    kind_of = {word: kind for kind in reversed(kinds) for word in tables[kind]}
    return Gazetteer(GazetteerEntry(word, kind) for word, kind in kind_of.items())


MAX_ANSWER_CHARS = 80
"""Characters of an answer that are read; a longer one is a new request."""
DOUBTS = ("limit", "unsure", "asks")
ORDINALS = ("1", "2", "3", "4", "5")
COUNTS = ("n1", "n2", "n3", "n4", "n5")
_BARE = (*DOUBTS, "no", "yes", "all", *COUNTS[1:], "courtesy")
"""What a yes without its act may hold: more would say something else."""
_CONFIRMING = (*_BARE, "act", "filler")
_PART = ("only", "no", "denial", "yes", "act", "all", "courtesy", "filler")
"""What a clause of an answer may hold beside the things it agrees to or turns down."""
_CHOOSING = (*DOUBTS, "no", "denial", "all", "yes", *AROUND)


@dataclass(frozen=True, slots=True)
class ClosedQuestion:
    """A question as an answer sees it, whoever asked it and however it was put."""

    kind: Literal["confirm", "choose"]
    request: str
    """What the question is about, as it was said: an answer may repeat it."""
    names: Names = ()
    """All that each option is called; for a confirmation, each thing that the question names."""
    acts: frozenset[str] = frozenset()
    """Canonical verbs of the request: an answer may say them in other words."""
    offered: int | None = None
    """How many of the things were offered: the others can be named but not counted. None: all of them."""
    elsewhere: frozenset[str] = frozenset()
    """What other things of the home are called: an act with one of these names is an order of its own."""


@dataclass(frozen=True, slots=True)
class AnswerMeaning:
    """What is left of the question.

    ``some``: these options; of a confirmation, those of the things that are agreed to. ``among``: one of
    these, and it is still open which. Neither ``doubtful`` nor ``unclear`` answers the question: ``doubtful``
    asks, doubts, makes it depend or counts what is not there, so that nothing may follow from it; ``unclear``
    speaks of something else.
    """

    kind: Literal["yes", "no", "some", "among", "doubtful", "unclear"]
    options: tuple[int, ...] = ()
    """Indices into the names of the question: never all of them for ``among``, nor for a confirmation."""


YES, NO, DOUBTFUL, UNCLEAR = (
    AnswerMeaning("yes"),
    AnswerMeaning("no"),
    AnswerMeaning("doubtful"),
    AnswerMeaning("unclear"),
)


def meaning(text: str, question: ClosedQuestion) -> AnswerMeaning:
    """What ``text`` says to ``question``."""
    text = normalise(text, MAX_ANSWER_CHARS + 1)
    if not text or len(text) > MAX_ANSWER_CHARS:
        return UNCLEAR
    if list(filter(str.isalnum, text)) == list(filter(str.isalnum, question.request)):
        return UNCLEAR  # a request that comes twice as it was is asked again
    return _agreement(text, question) if question.kind == "confirm" else _choice(text, question)


def _agreement(text: str, question: ClosedQuestion) -> AnswerMeaning:
    """A yes needs a word that says yes or the act itself; a no wins, also over doubts.

    A yes or a no that is for some of the things only says which.
    """
    if part := _agreed_part(text, question):
        return AnswerMeaning("some", part)
    said = parse_answer(without(text, question.names), _CONFIRMING)
    strange = _orders_otherwise(said, question) or not covers(
        said.rest, [question.request, *flat(question.names)]
    )
    if "no" in said.kinds and not strange:
        return NO
    if said.kinds & set(DOUBTS):
        return DOUBTFUL
    elsewhere = question.elsewhere - set(flat(question.names))
    if said.acts and without(text, [tuple(elsewhere)]) != text:
        return UNCLEAR  # it calls another thing by its name, whatever else that may mean: a lamp ``yes``
    return YES if not strange and _agrees(said, text, question) else UNCLEAR


def _agrees(said: ParsedAnswer, text: str, question: ClosedQuestion) -> bool:
    """Whether the words say yes to all that was asked."""
    counted, every = said.kinds & set(COUNTS), f"n{len(question.names)}"
    if counted - {every}:
        return False
    named = set(chain.from_iterable(c.named or () for c in _clauses(text, question)))
    if not said.kinds & {every, "all"} and 0 < len(named) < len(question.names):
        return False  # it names some of the things asked about and not the others
    if said.acts or not said.kinds & {"yes", every}:
        return bool(said.acts)
    # a yes, courtesy and what it is about, and no more: ``可以啊你`` is none
    rest = parse_answer(without(text, question.names), _BARE).rest
    return covers(rest, [question.request, *flat(question.names)])


def _orders_otherwise(said: ParsedAnswer, question: ClosedQuestion) -> bool:
    """Whether an answer says an act that is not the one asked about: ``关上吧`` is no yes to opening."""
    return not said.acts <= {family(act) for act in question.acts}


@dataclass(frozen=True, slots=True)
class _Clause:
    """A stretch of an answer to a confirmation, and the things it speaks of."""

    kinds: frozenset[str]
    named: frozenset[int] | None
    """None: it names what the question does not."""
    joined: bool
    """Whether a word like ``and`` leads to it, no mark."""
    opposed: bool
    """Whether a word like ``but`` leads to it."""

    @property
    def denies(self) -> bool:
        """Whether it turns something down."""
        return bool(self.kinds & {"no", "denial"})

    @property
    def clear(self) -> bool:
        """Whether it speaks of what was asked, and what is set against the rest says how."""
        return self.named is not None and (not self.opposed or self.denies or "only" in self.kinds)


def _agreed_part(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """The things that an answer agrees to where they are some and not all: ``yes, but not the back door``.

    Nothing where any clause of it is not clear.
    """
    said = parse_answer(without(text, question.names), ("contrast", *DOUBTS, *_PART))
    if len(question.names) < 2 or said.kinds & set(DOUBTS) or _orders_otherwise(said, question):
        return ()
    clauses = _clauses(text, question)
    # ``yes and open the garage``: a yes, and an order of its own
    besides = any(c.joined and not (c.named and before.named) for before, c in pairwise(clauses))
    return (
        ()
        if besides or not all(c.clear for c in clauses)
        else _remaining_options(clauses, len(question.names))
    )


def _remaining_options(clauses: Sequence[_Clause], count: int) -> tuple[int, ...]:
    """What is agreed to of so many things; nothing where that is none, all, or not said."""
    wanted, denied = _for_and_against(clauses)
    said = frozenset(chain.from_iterable(c.kinds for c in clauses))
    declines = "only" not in said and any("no" in c.kinds and not c.named for c in clauses)
    if declines or not (wanted or said & {"yes", "all"}):
        return ()
    left = (wanted or set(range(count))) - denied
    return tuple(sorted(left)) if len(left) < count else ()


def _for_and_against(clauses: Sequence[_Clause]) -> tuple[set[int], set[int]]:
    """What is agreed to and what is turned down; who says neither goes with the clause before."""
    sides: tuple[set[int], set[int]] = set(), set()
    against = False
    for clause in clauses:
        if clause.denies or clause.kinds & {"only", "yes"}:
            against = clause.denies
        sides[against].update(clause.named or ())
    return sides


def _clauses(text: str, question: ClosedQuestion) -> list[_Clause]:
    """The answer cut at marks and at the words between two choices, without what says nothing."""
    cuts = list(words_in(text, ("contrast", "and")))
    leads = [None, *(m.entry for m in cuts)]
    parts = zip(leads, between(text, cuts), strict=True)
    return [found for lead, part in parts if (found := _clause(lead, part, question))]


def _clause(lead: GazetteerEntry | None, text: str, question: ClosedQuestion) -> _Clause | None:
    said = parse_answer(text, _PART)
    if not said.rest:
        named: frozenset[int] | None = frozenset()
    else:
        own = (n for n, names in enumerate(question.names) if covers(said.rest, names))
        named = frozenset(own) or None
    if not (said.rest or said.kinds):
        return None
    by, surface = (lead.kind, lead.surface) if lead else ("", " ")
    return _Clause(said.kinds, named, by == "and" and surface[0].isalnum(), by == "contrast")


def _choice(text: str, question: ClosedQuestion) -> AnswerMeaning:
    """Which options are meant; whatever takes one away chooses none."""
    unnamed = without(text, question.names)
    said = parse_answer(unnamed, _CHOOSING)
    if "no" in said.kinds and unnamed == text and covers(said.rest, [question.request]):
        return NO
    if said.kinds & set(DOUBTS):
        return DOUBTFUL
    return UNCLEAR if said.kinds & {"no", "denial"} else _chosen_options(text, question)


def _chosen_options(text: str, question: ClosedQuestion) -> AnswerMeaning:
    """The options that an answer names or counts, or those it leaves."""
    ways = (_everything, _several, _all_that_are_named)
    if chosen := next(filter(None, (way(text, question) for way in ways)), ()):
        return AnswerMeaning("some", chosen)
    if among := _fewer(text, question):
        return AnswerMeaning("among", among)
    counts_amiss = not parse_answer(text, (*ORDINALS, *COUNTS, "last", "all", "yes", *AROUND)).rest
    return DOUBTFUL if counts_amiss else UNCLEAR


def _everything(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """All options, when the answer says all, or as many as there are."""
    said = parse_answer(text, ("all", *COUNTS, "yes", "act", *AROUND))
    counted = said.kinds & set(COUNTS)
    if not counted and "all" not in said.kinds:
        return ()
    if counted - {f"n{len(question.names)}"} or _orders_otherwise(said, question):
        return ()
    return tuple(range(len(question.names))) if covers(said.rest, [question.request]) else ()


def _several(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """The one option meant, or those that the parts of the answer mean: ``the hall and the study``."""
    one = _single_option(text, question)
    if one is not None:
        return (one,)
    parts = [p for p in between(text, words_in(text, ("and",))) if parse_answer(p, ("yes", *AROUND)).rest]
    picked = dict.fromkeys(_single_option(_without_sum_words(p), question) for p in parts)
    several = tuple(n for n in picked if n is not None)
    counted = parse_answer(text, (*ORDINALS, *COUNTS)).kinds & set(COUNTS[1:])
    fits = len(several) > 1 and len(several) == len(picked) and counted <= {f"n{len(several)}"}
    return several if fits else ()


def _without_sum_words(part: str) -> str:
    """A part of an answer without the words that sum the parts up: ``both``, ``都``."""
    found = words_in(part, (*ORDINALS, *COUNTS, "all"))
    return " ".join(between(part, (m for m in found if m.entry.kind not in ORDINALS)))


def _single_option(text: str, question: ClosedQuestion) -> int | None:
    """The option meant by its name or its place; None when there is none, or when they speak of two."""
    # an exact name before a name that the answer is but for fillers, and that before a part of one
    named = next((found[0] for found in _fitting(text, question) if len(found) == 1), None)
    numbered = _numbered_option(text, len(question.names) if question.offered is None else question.offered)
    if named is not None and numbered is not None and named != numbered:
        return None
    return numbered if named is None else named


def _numbered_option(text: str, count: int) -> int | None:
    said = parse_answer(text, (*ORDINALS, *COUNTS, "last", *AROUND))
    if said.rest or len(said.kinds) != 1 or said.kinds & set(COUNTS):
        return None
    (word,) = said.kinds
    place = count - 1 if word == "last" else int(word) - 1
    return place if place < count else None


def _fitting(text: str, question: ClosedQuestion) -> Iterator[list[int]]:
    """The options that ``text`` may name, by the best reason first.

    Its very name; that but for what says nothing; nothing but names of it, as of its room; words of either.
    """
    names, rest = question.names, parse_answer(text, ("yes", *AROUND), question.names).rest
    fits = [n for n, own in enumerate(names) if rest and covers(rest, [*own, question.request])]
    yield [n for n, own in enumerate(names) if fold(text) in map(fold, own)]
    yield [n for n in fits if fold(rest) in map(_bare, names[n])]
    yield [n for n in fits if not without(rest, [names[n]]).strip()]
    yield fits


def _fewer(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """The options that an answer leaves where it names several and not all: one room of a long list."""
    found = next(filter(None, _fitting(text, question)), [])
    return tuple(found) if 1 < len(found) < len(question.names) else ()


def _all_that_are_named(text: str, question: ClosedQuestion) -> tuple[int, ...]:
    """``客厅的都要``: every option that is called so, where all of them or just as many are said."""
    said = parse_answer(text, ("all", *COUNTS, "yes", "act", *AROUND), question.names)
    found, counted = _fewer(said.rest, question), said.kinds & set(COUNTS)
    whole = bool(counted or "all" in said.kinds) and counted <= {f"n{len(found)}"}
    return found if whole and not _orders_otherwise(said, question) else ()


def _bare(name: str) -> str:
    """The name without what says nothing; in Chinese that would cut words open."""
    return fold(name) if name and is_han(name[0]) else fold(parse_answer(name, AROUND).rest)
