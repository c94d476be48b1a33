"""What was answered to one of our questions: which options, yes, no, or nothing clear.

Every word of an answer must be accounted for: by an option, by the request it answers, or by the few words
answers are made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from winnow.language import lexicon
from winnow.language.normalise import fold, is_han, normalise
from winnow.text.tables import table
from winnow.types.briefing import Retrieval
from winnow.types.verdict import Clarify, Confirm, Option
from winnow.types.view import HomeView

LONGEST = 80
"""Characters of an answer that are read; a longer one is a new request."""
_PIECE = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_SPAN = re.compile(r"[\u3400-\u9fff]+|[^\u3400-\u9fff]+")
ORDINALS = ("1", "2", "3", "4", "5")
COUNTS = ("n1", "n2", "n3", "n4", "n5")


@dataclass(frozen=True, slots=True)
class Answer:
    """``some``: the devices of the chosen options. ``unclear``: no answer to this question."""

    kind: Literal["some", "yes", "no", "unclear"]
    device_ids: tuple[str, ...] = ()
    label: str = ""
    """What was chosen, or the words as said."""


def answer_to(asked: Retrieval, choice: int | str, view: HomeView) -> Answer:
    """What ``choice`` (an option's index from 0, a bool for a confirmation, or words) says to the question of ``asked``."""
    verdict = asked.verdict
    if isinstance(verdict, Confirm):
        return _agreed(choice, verdict.question)
    if not isinstance(verdict, Clarify):
        return Answer("unclear", label=str(choice))
    if isinstance(choice, str):
        return _chosen(normalise(choice, LONGEST + 1), verdict.options, asked.reading.text, view)
    if isinstance(choice, bool) or not 0 <= choice < len(verdict.options):
        return Answer("unclear", label=str(choice))
    return _some([verdict.options[choice]])


def _agreed(choice: int | str, question: str) -> Answer:
    """A yes needs a word that says yes or the act itself; a no wins; anything unexplained is neither."""
    if isinstance(choice, bool):
        return Answer("yes", label="yes") if choice else Answer("no", label="no")
    if not isinstance(choice, str) or len(choice) > LONGEST:
        return Answer("unclear", label=str(choice))
    text = normalise(choice)
    found, rest = _parsed(text, ("no", "yes", "filler"))
    asked = [normalise(question)]
    if not _covers(rest, asked):
        return Answer("unclear", label=choice)
    if "no" in found:
        return Answer("no", label=choice)
    acts = any(word in lexicon.surfaces("verb") for word in (rest, *rest.split()))
    return Answer("yes" if "yes" in found or acts else "unclear", label=choice)


def _chosen(text: str, options: Sequence[Option], request: str, view: HomeView) -> Answer:
    found, rest = _parsed(text, ("no", "filler"))
    if "no" in found and not rest:
        return Answer("no", label=text)
    if len(options) == 1 and _parsed(text, ("yes", "filler")) == ({"yes"}, ""):
        return _some(options)
    known = [_surfaces(option, view) for option in options]
    if not text or len(text) > LONGEST or _denies(text, known):
        return Answer("unclear", label=text)
    if everything := _everything(text, options, request):
        return everything
    picked = _picked(text, options, known, request)
    if picked is None:
        parts = [p for p in re.split(_alternation(("and",)), text) if p and _parsed(p, ("yes", "filler"))[1]]
        several = [_picked(part, options, known, request) for part in parts]
        return (
            _some([options[n] for n in several if n is not None])
            if several and None not in several
            else Answer("unclear", label=text)
        )
    return _some([options[picked]])


def _some(options: Sequence[Option]) -> Answer:
    ids = tuple(dict.fromkeys(i for option in options for i in option.device_ids))
    return Answer("some", ids, ", ".join(dict.fromkeys(option.label for option in options)))


def _everything(text: str, options: Sequence[Option], request: str) -> Answer | None:
    found, rest = _parsed(text, ("all", *COUNTS, "yes", "filler"))
    counted = found & set(COUNTS)
    if not _covers(rest, [request]) or not (counted or "all" in found) or counted - {f"n{len(options)}"}:
        return None
    return _some(options)


def _picked(text: str, options: Sequence[Option], known: Sequence[Sequence[str]], request: str) -> int | None:
    """The one option meant; None when there is none, or when its place and its name speak of two."""
    named, numbered = _named(text, options, known, request), _numbered(text, len(options))
    if named is not None and numbered is not None and named != numbered:
        return None
    return named if named is not None else numbered


def _numbered(text: str, count: int) -> int | None:
    found, rest = _parsed(text, (*ORDINALS, *COUNTS, "last", "filler"))
    if rest or len(found) != 1 or found & set(COUNTS):
        return None
    word = found.pop()
    place = count - 1 if word == "last" else int(word) - 1
    return place if place < count else None


def _named(text: str, options: Sequence[Option], known: Sequence[Sequence[str]], request: str) -> int | None:
    """The only option whose own words, with those of the request, make up the answer.

    An exact label or name before a part of one.
    """
    exact = [n for n, own in enumerate(known) if fold(text) in {fold(s) for s in own}]
    if len(exact) == 1:
        return exact[0]
    rest = _parsed(text, ("yes", "filler"))[1]
    fits = [n for n, own in enumerate(known) if rest and _covers(rest, [*own, request])]
    bare = [n for n in fits if fold(rest) in {fold(_parsed(s, ("filler",))[1]) for s in known[n]}]
    best = bare if len(bare) == 1 else fits
    return best[0] if len(best) == 1 else None


def _surfaces(option: Option, view: HomeView) -> list[str]:
    """Everything the devices of an option are called by: label, names, rooms, floors."""
    out = [option.label]
    for device_id in option.device_ids:
        for thing in (
            view.devices.get(device_id) or view.scenes.get(device_id),
            view.room(device_id),
            view.floor(device_id),
        ):
            out += [thing.name, *thing.aliases] if thing else []
    return [normalise(text) for text in out]


def _denies(text: str, known: Iterable[Sequence[str]]) -> bool:
    """Whether the answer takes something away, in words that are no name."""
    for own in known:
        for surface in sorted(own, key=len, reverse=True):
            text = text.replace(surface, " ")
    return bool(_alternation(("denial",)).search(text))


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
        size = next(
            (n for n in range(len(run) - at, 0, -1) if any(run[at : at + n] in s for s in surfaces)), 0
        )
        if not size:
            return False
        at += size
    return True


def _parsed(text: str, kinds: tuple[str, ...]) -> tuple[set[str], str]:
    """(which kinds of words were found, fillers aside; what is left without them)."""
    meant = _meaning(kinds)
    pattern = _alternation(kinds)
    found = {meant[m[0]] for m in pattern.finditer(text)}
    left = " ".join("".join(c if c.isalnum() or c in "'-" else " " for c in pattern.sub(" ", text)).split())
    return found - {"filler"}, left


def _words() -> Mapping[str, Sequence[str]]:
    return cast("Mapping[str, Sequence[str]]", table("winnow.converse", "answers.yaml"))


@cache
def _meaning(kinds: tuple[str, ...]) -> Mapping[str, str]:
    """Word -> the first kind that has it."""
    return {word: kind for kind in reversed(kinds) for word in _words()[kind]}


@cache
def _alternation(kinds: tuple[str, ...]) -> re.Pattern[str]:
    words = sorted(_meaning(kinds), key=len, reverse=True)
    return re.compile(
        "|".join(
            rf"(?<![a-z0-9']){re.escape(w)}(?![a-z0-9'])"
            if w[0].isascii() and w[0].isalnum()
            else re.escape(w)
            for w in words
        )
    )
