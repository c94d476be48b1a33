"""Words that turn a statement round or limit it (not, except, only), and cuts that leave none of them out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from winnow.language.sentences import TextSpan, is_wide, split_sentences
from winnow.language.tables import table

KINDS = ("denial", "exception", "limit")
GAP = "…"
TAIL = 18
"""Width of what a denial must have behind it to tell of that alone. Less of it (``is not allowed``) judges
all that stands before it; a Chinese character is as wide as three letters."""
_COMMA = re.compile(r"[,，]\s*")
_MARK = re.compile(r"\s*[,，:：]")
_WORD = re.compile(r"\w")


def limits(text: str) -> list[tuple[str, str]]:
    """Each such word of a text, in order, behind what it does: ``denial``, ``exception`` or ``limit``."""
    return [(str(found.lastgroup), found.group()) for found in _pattern().finditer(text.lower())]


def is_limited(text: str) -> bool:
    """Whether a text holds such a word, so that a part of it may say the opposite."""
    return _pattern().search(text.lower()) is not None


def statements(sentence: TextSpan) -> Iterator[tuple[TextSpan, bool]]:
    """The sentence, cut where no such word reaches over, each part with whether it holds one.

    What holds one is to be kept whole or not at all. Exceptions and limits reach over all of it, denials to
    where somebody or something else is told of.
    """
    text, start = sentence.text, 0
    found = list(_pattern().finditer(text.lower()))
    for end in (*_cuts(text, found), len(text)):
        limited = any(start <= one.start() < end for one in found)
        yield TextSpan(text[start:end], sentence.start + start, sentence.start + end), limited
        start = end


@lru_cache(maxsize=2048)  # a passage is quoted in many turns
def limited_spans(text: str) -> tuple[TextSpan, ...]:
    """The statements of a text that hold such a word, in order."""
    found = (told for sentence in split_sentences(text) for told in statements(sentence))
    return tuple(one for one, limited in found if limited)


def beginning(text: str, most: int) -> str:
    """The text, or its beginning and a mark, in at most ``most`` characters; no limited statement is torn."""
    if len(text) <= most:
        return text
    return f"{text[: ahead(limited_spans(text), most - len(GAP))].rstrip()}{GAP}"


def ahead(whole: Sequence[TextSpan], at: int) -> int:
    """Where a text ends that is to be cut at ``at`` and tears none of these; ``at`` or a place before it."""
    return next((one.start for one in whole if one.start < at < one.end), at)


def behind(whole: Sequence[TextSpan], at: int) -> int:
    """Where a text goes on that is cut up to ``at`` and tears none of these; ``at`` or a place behind it."""
    return next((one.end for one in whole if one.start < at < one.end), at)


def _cuts(text: str, found: Sequence[re.Match[str]]) -> Sequence[int]:
    """Where the statements of a sentence end, but for the last one; ``found``: such words of it."""
    # only a denial that goes on at once is about what stands behind it; all else reaches over the sentence
    if not found or not all(_reaches_forward(text, one) for one in found):
        return ()
    ends = {mark.end() for mark in _others()[0].finditer(text)}
    ends.update([_before(text, one.start(), found, ends) for one in found])
    for one in found:
        after = {end for end in ends if end > one.start()}
        if not is_wide(text[one.end() : min(after, default=len(text))], TAIL):
            ends = after
    return sorted(ends - {0, len(text)})


def _reaches_forward(text: str, one: re.Match[str]) -> bool:
    return one.lastgroup == "denial" and not _MARK.match(text, one.end())


def _before(text: str, at: int, denials: Sequence[re.Match[str]], ends: set[int]) -> int:
    """Where the clause of a denial begins, if it is the first of its statement and has a subject; else 0."""
    start = max((end for end in ends if end <= at), default=0)
    if any(start <= one.start() < at for one in denials):
        return 0
    comma = max((mark.end() for mark in _COMMA.finditer(text, start, at)), default=0)
    return comma if _WORD.search(_others()[1].sub("", text[comma:at].lower())) else 0


def _words() -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language", "words/scope.yaml"))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{kind}>{'|'.join(_words()[kind])})" for kind in KINDS))


@cache
def _others() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What ends the reach of a denial, and what may stand beside one without being its subject."""
    return re.compile("|".join(_words()["ends"])), re.compile(_words()["beside"])
